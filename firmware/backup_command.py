"""The commands `tableref backup` and `tableref idle`: what a machine does to a table beside its game."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import LANG_OPTION, OK, REFUSED, Failure, speak
from firmware.output import complain
from firmware.phrases import tell

if TYPE_CHECKING:
    from firmware.backup import Places

JOURNAL_OPTION = click.option(
    "--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db)."
)


@click.command()
@click.option("--to", "folder", required=True, metavar="FOLDER", help="Where backups are kept; made if need be.")
@click.option("--keep", default=14, type=click.IntRange(min=1), help="So many of the newest are kept (14).")
@click.option("--table", "table_file", metavar="FILE", help="Table file, to be kept too, with the decks that it names.")
@JOURNAL_OPTION
@LANG_OPTION
def backup(folder: str, keep: int, table_file: str | None, journal: str | None, lang: str | None) -> None:
    """Make a backup of the journal, and of table file and decks, while the table runs or not. The director's console
    can bring it back.

    Nothing is made where nothing has changed since the newest backup. Status 2: none could be made; those that are
    there stay.
    """
    from firmware.backups import keep_backup
    from firmware.errors import TableError
    from firmware.generations import FAULTS
    from firmware.storage import journal_file

    book = journal_file(journal)
    language = speak(lang, Path(table_file)) if table_file else lang or "en"
    if not book.is_file():
        raise Failure(Phrase("{path}: no such file; expected a journal", path=book))
    try:
        path = keep_backup(_places(book, table_file, language), Path(folder), keep)
    except TableError as error:
        problem = Phrase(str(said_by(error)))
        raise Failure(Phrase("{path}: {problem}; no backup was made", path=book, problem=problem)) from None
    except FAULTS as error:
        why = reason(error) if isinstance(error, OSError) else Phrase(str(error))
        raise Failure(Phrase("no backup can be made in {folder}: {why}", folder=folder, why=why)) from None
    if path is None:
        click.echo(tell(Phrase("nothing has changed since the newest backup"), language))
    else:
        click.echo(path)


def _places(book: Path, table_file: str | None, language: str) -> "Places":
    """Where the files of the table lie. One whose table file is wrong is kept all the same, without the decks that
    nobody can tell.
    """
    from firmware.backup import Places
    from firmware.errors import TableError
    from firmware.tablefile import read_table_file
    from hal.errors import TablerefHardwareError

    if table_file is None:
        return Places(book)
    path = Path(table_file)
    if not path.is_file():
        complain(tell(Phrase("{path}: no such file; the backup is without it", path=path), language))
        return Places(book)
    try:
        shelf = read_table_file(path).shelf
    except OSError as error:
        complain(tell(Phrase("{path}: {why}; the backup is without it", path=path, why=reason(error)), language))
        return Places(book)
    except (TableError, TablerefHardwareError) as error:
        problem = Phrase("{problem}; the backup is without decks", problem=said_by(error))
        complain(tell(problem, language))
        return Places(book, path)
    return Places.of(book, path, shelf.kept, shelf)


@click.command()
@JOURNAL_OPTION
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")
def idle(journal: str | None, lang: str) -> None:
    """Whether the table may be stopped, for an update or for good: nobody plays at it.

    Status 0: it may; 1: a table runs, and its match is not over; 2: a journal that cannot be read.
    """
    from firmware.errors import JournalError
    from firmware.history import RESULTS, played
    from firmware.journal_lock import is_held
    from firmware.journal_reading import read_matches
    from firmware.storage import journal_file

    book = journal_file(journal)
    if not book.is_file() or not is_held(book):
        click.echo(tell(Phrase("no table runs"), lang))
        sys.exit(OK)
    try:
        begun = [one for one in read_matches(book, 1) if any(text.startswith("deal") for text in one.texts)]
        last = [played(one) for one in begun]
    except JournalError as error:
        raise Failure(said_by(error)) from None
    if last and last[0].state not in RESULTS:
        click.echo(tell(Phrase("a game runs: {game}, match {match}", game=last[0].game, match=last[0].number), lang))
        sys.exit(REFUSED)
    click.echo(tell(Phrase("a table runs, and nobody plays"), lang))
