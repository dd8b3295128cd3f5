"""The commands `tableref deck`: whether a deck file is well."""

import sys
from pathlib import Path

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import OK, REFUSED, Failure


@click.group()
def deck() -> None:
    """The deck file: which tag is in which card."""


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
