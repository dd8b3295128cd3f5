"""What commands that have a table take: a table file, or one that is made to order; and the files that they write."""

import errno
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import Failure, speak

if TYPE_CHECKING:
    from firmware.tablefile import TableFile


def example(name: str) -> Path:
    """A file of `examples/`: beside the packages in a checkout, else where the wheel's shared data lie."""
    import sysconfig

    checkout = Path(__file__).parent.parent / "examples"
    folder = checkout if checkout.is_dir() else Path(sysconfig.get_path("data")) / "share" / "tableref" / "examples"
    return folder / name


class Made(NamedTuple):
    """What is said of a simulated table that is made to order; None: nothing."""

    game: str | None
    seats: int | None
    rules: str | None
    readers: str | None
    lang: str | None
    deal: str | None


def simulated_table_file(name: str | None, made: Made) -> "TableFile":
    """The table of a command that simulates one: a table file's, or one made to order; raises `Failure`."""
    from engine.game import games
    from firmware.furnish import FurnishError, furnish

    said = [f"--{key}" for key, value in made._asdict().items() if value is not None]
    if not said:
        return read_table_option(name)
    if name:
        raise Failure(Phrase("--table beside {said}; expected a table file, or a table made to order", said=said[0]))
    game = made.game or next(iter(games()))
    most = games()[game].seats[-1] if game in games() else 4
    try:
        return furnish(game, made.seats or min(4, most), made.rules or "standard",
                       deal=made.deal or ("concealed" if made.readers == "none" else "pad"),
                       readers=made.readers or "seats", language=made.lang or "en")  # fmt: skip
    except FurnishError as error:
        raise Failure(said_by(error)) from None


def read_table_option(name: str | None, lang: str | None = None, copy: Path | None = None) -> "TableFile":
    """The table file of a command, in the language that was asked for, else in its own. `copy` is one of it that is to
    be read in its place.

    Raises `Failure` with file, line and what was expected.
    """
    from firmware.errors import TableError
    from firmware.tablefile import read_table_file
    from hal.errors import TablerefHardwareError

    path = Path(name) if name else example("four-seats.toml")
    speak(lang, copy or path)
    try:
        file = read_table_file(path, copy)
    except (TableError, TablerefHardwareError) as error:
        raise Failure(said_by(error)) from None
    except OSError as error:
        raise Failure(Phrase("{path}: {why}; expected a table file", path=path, why=reason(error))) from None
    return file if lang is None else file._replace(language=lang)


TABLE_OPTION = click.option("--table", "table_file", metavar="FILE", help="Table file (default: four seats).")


def made_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that can make a simulated table to order, as one argument `made`."""

    @functools.wraps(command)
    def with_made(
        *given: object,
        game: str | None,
        seats: int | None,
        rule_set: str | None,
        readers: str | None,
        lang: str | None,
        deal: str | None,
        **named: object,
    ) -> None:
        command(*given, made=Made(game, seats, rule_set, readers, lang, deal), **named)

    made: Callable[..., None] = with_made
    for option in (
        click.option("--lang", help="Without a table file: the language of the displays: en or ru."),
        click.option("--deal", help="Without a table file: how cards are dealt: pad, scan-in or concealed."),
        click.option("--readers", help="Without a table file: where readers are: seats, centre or none."),
        click.option("--rules", "rule_set", help="Without a table file: the rule set."),
        click.option("--seats", type=click.IntRange(1, 8), help="Without a table file: the number of seats."),
        click.option("--game", help="Without a table file: the game that is played."),
    ):
        made = option(made)
    return made


def check_folder(name: str) -> None:
    """Raise `Failure` if a file of this name could not be written for want of a folder, or is one; better now than
    later.
    """
    if Path(name).is_dir():
        raise Failure(
            Phrase(
                "{name}: {why}; expected a file that can be written", name=name, why=Phrase(os.strerror(errno.EISDIR))
            )
        )
    if not Path(name).parent.is_dir():
        raise Failure(
            Phrase("{name}: no folder {parent}; expected one that is there", name=name, parent=Path(name).parent)
        )


def write_record_file(name: str, text: str) -> None:
    """Write a record, whole or not at all; raises `Failure`."""
    from firmware.whole import write_whole

    try:
        write_whole(Path(name), text)
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a file that can be written", name=name, why=reason(error))
        ) from None
