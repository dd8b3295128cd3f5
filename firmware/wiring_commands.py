"""The commands `tableref wiring`: whether a table file's wiring can be, and a picture of it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import LANG_OPTION, Failure, speak

if TYPE_CHECKING:
    from hal.toml_lines import TomlFile
    from hal.wiring import Wiring

FILE_ARGUMENT = click.argument("file", default="table.toml")


@click.group()
def wiring() -> None:
    """The wires of a table: check them, draw them."""


def read_wiring_file(name: str, lang: str | None) -> tuple["Wiring", str]:
    """The wiring in a table file, and the language to tell of it in; raises `Failure`."""
    return read_wiring_lines(name, lang)[1:]


def read_wiring_lines(name: str, lang: str | None) -> tuple["TomlFile", "Wiring", str]:
    """As `read_wiring_file`, and the file itself, which knows its lines."""
    from firmware.tablefile import OWN
    from hal.errors import WiringError
    from hal.toml_lines import read_toml
    from hal.wiring import wiring_of

    language = speak(lang, Path(name))
    try:
        file = read_toml(Path(name))
        found = wiring_of(file, OWN)
    except WiringError as error:
        raise Failure(said_by(error)) from None
    except OSError as error:
        raise Failure(Phrase("{name}: {why}; expected a table file", name=name, why=reason(error))) from None
    return file, found, language


@wiring.command()
@FILE_ARGUMENT
@LANG_OPTION
def check(file: str, lang: str | None) -> None:
    """Whether the wiring in FILE fits: lines, addresses, buses, ports.

    What fits and is odd all the same is noted.

    Status 0: it does; 2: one line says what does not, and where.
    """
    from firmware.doctor import finding_line
    from firmware.oddities import check_oddities
    from firmware.wiring_words import WiringWords
    from hal.wiring_lines import count_lines

    lines, found, language = read_wiring_lines(file, lang)
    count = count_lines(found)
    words = WiringWords(language)
    for odd in check_oddities(lines, found):
        click.echo(f"{words.say('doctor.note')}  {finding_line(odd, words)}")
    click.echo(words.say("check.fits", file=file, seats=len(found.seats), there=count.there, used=count.used))


@wiring.command()
@FILE_ARGUMENT
@LANG_OPTION
@click.option("--colour/--no-colour", default=None, help="Colours (default: at a terminal).")
def show(file: str, lang: str | None, colour: bool | None) -> None:
    """Draw the 40-pin header and further chips with what goes where, the buses with addresses, and the ports."""
    import os

    from firmware.doctor import finding_line
    from firmware.oddities import check_oddities
    from firmware.wiring_picture import picture
    from firmware.wiring_words import WiringWords

    lines, found, language = read_wiring_lines(file, lang)
    words = WiringWords(language)
    odd = [finding_line(one, words) for one in check_oddities(lines, found)]
    if colour is None:
        colour = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
    click.echo("\n".join(picture(found, words, colour, odd)), color=colour)


@wiring.command()
@FILE_ARGUMENT
@LANG_OPTION
@click.option("--out", metavar="SVG", help="Where the drawing is written (default: beside FILE, as its name.svg).")
def draw(file: str, lang: str | None, out: str | None) -> None:
    """Draw the wiring in FILE as a sheet to solder by: SVG, for a browser or for paper (A4).

    The header, further chips, each seat, buses, readers, colours of wires, and the parts counted.

    Status 0: it is written; 2: a file that cannot be used or written.
    """
    from firmware.whole import write_whole
    from firmware.wiring_drawing import drawing
    from firmware.wiring_words import WiringWords

    found, language = read_wiring_file(file, lang)
    path = Path(out) if out else Path(file).with_suffix(".svg")
    words = WiringWords(language)
    try:
        write_whole(path, drawing(found, words, Path(file).stem))
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a file that can be written", name=path, why=reason(error))
        ) from None
    click.echo(words.say("drawing.written", file=path))
