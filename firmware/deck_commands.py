"""The commands `tableref deck`: whether a deck file is well, and decks in and out of other programs' tables."""

import sys
from pathlib import Path

import click

from engine.phrases import Phrase, reason, said_by
from firmware.enrol_commands import enrol, replace
from firmware.failures import OK, REFUSED, Failure


@click.group()
def deck() -> None:
    """The deck file: which tag is in which card."""


deck.add_command(enrol)
deck.add_command(replace)


@deck.command("check")
@click.argument("file")
@click.option(
    "--table",
    "table_file",
    metavar="FILE",
    help="Table file: are all cards of its game there, and can its readers read them?",
)
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")
def check_deck(file: str, table_file: str | None, lang: str) -> None:
    """Look at the tags in a deck FILE: lengths, families, odd ones, and those that are there twice.

    Status 0: nothing is wrong, though something may be odd; 1: something is; 2: a file that cannot be read.
    """
    from firmware.deck_check import check_deck_cards, check_deck_file, check_deck_readers, readable_rows
    from firmware.doctor import report
    from firmware.errors import FileError
    from firmware.wiring_commands import read_wiring_file
    from firmware.wiring_words import WiringWords

    path = Path(file)
    try:
        findings = list(check_deck_file(path))
        if table_file is not None:
            wiring, _ = read_wiring_file(table_file, lang)
            held = readable_rows(path)  # what is wrong with the other lines is among the findings
            findings += check_deck_cards(held, Path(table_file))
            findings += check_deck_readers(held, wiring.readers())
    except FileError as error:
        raise Failure(said_by(error)) from None
    except OSError as error:
        raise Failure(Phrase("{file}: {why}; expected a deck file", file=file, why=reason(error))) from None
    sys.exit(OK if report(iter(findings), WiringWords(lang), click.echo) else REFUSED)


@deck.command("import")
@click.argument("table")
@click.argument("place")
@click.option("--force", is_flag=True, help="Write over deck files that are there.")
def import_decks(table: str, place: str, force: bool) -> None:
    """Make deck files of a TABLE of cards: CSV with uid, card and perhaps deck, as a spreadsheet writes it.

    PLACE is the deck file, or a folder that gets a file for each deck.

    Status 0: all is written, each file whole; 2: something cannot be read or written.
    """
    from firmware.deck import read_text
    from firmware.deck_exchange import files_for, read_table_of_cards
    from firmware.errors import FileError
    from firmware.whole import write_whole

    try:
        decks = read_table_of_cards(read_text(Path(table)), table)
        if not decks:
            raise FileError(table, 0, "no card in it; expected rows of uid, card and deck")
        files = files_for(decks, Path(place), Path(table).stem, folder=place.endswith("/"))
    except FileError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{table}: {error.strerror}; expected a table of cards") from None
    there = [str(path) for path in files if path.exists()]
    if there and not force:
        raise Failure(f"{there[0]}: File exists; expected a new file, or --force")
    for path, text in files.items():
        try:
            write_whole(path, text)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}; expected a file that can be written") from None
        click.echo(f"{path}: {text.count(chr(10))} cards")


@deck.command("export")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--plain", is_flag=True, help="Lines `UID, CARD`, as deck files have them, without heading and deck.")
@click.option("--out", metavar="FILE", help="Where it is written (default: to standard output).")
def export_decks(files: tuple[str, ...], plain: bool, out: str | None) -> None:
    """Write deck FILEs as one table for other programs: CSV with a heading and the columns uid, card, deck.

    Status 0: it is written; 2: something cannot be read or written.
    """
    from firmware.deck_exchange import csv_text, plain_text
    from firmware.decks import load_all
    from firmware.errors import FileError
    from firmware.whole import write_whole

    try:
        decks = load_all(map(Path, files))
    except FileError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}; expected a deck file") from None
    text = plain_text(decks) if plain else csv_text(decks)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        write_whole(Path(out), text)
    except OSError as error:
        raise Failure(f"{out}: {error.strerror}; expected a file that can be written") from None
