"""The commands `tableref history`: what was played at a table, who won, and who stands how."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from engine.phrases import Phrase, either, reason, said_by
from firmware.failures import Failure

if TYPE_CHECKING:
    from firmware.history import Session

T = TypeVar("T")
JOURNAL_OPTION = click.option(
    "--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db)."
)
LANG_OPTION = click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")


class _ShowFirst(click.Group):
    """A group that shows the history when none of its commands is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_ShowFirst)
def history() -> None:
    """What was played: sessions, results, standings. `tableref history` alone is `tableref history show`."""


@history.command()
@click.argument("journal", required=False)
@click.option("--session", type=click.IntRange(min=1), help="This session alone.")
@click.option("--player", metavar="NAME", help="The matches of this player alone.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="As rows for a spreadsheet: one for each seat of each match.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all.")
@LANG_OPTION
def show(
    journal: str | None, session: int | None, player: str | None, as_json: bool, as_csv: bool, output: str | None,
    lang: str,
) -> None:  # fmt: skip
    """Show the sessions of a JOURNAL with their matches and results, and the standings. A table may be running with it.

    Status 2: a file that is damaged, or no journal.
    """
    from firmware.history import read_sessions
    from firmware.history_forms import COLUMNS, HistoryWords, history_lines, history_rows, history_values
    from firmware.standings import standings

    if as_json and as_csv:
        raise Failure(Phrase("--json beside --csv; expected one of them"))
    path = _journal(journal)
    chosen = _chosen(_read(path, lambda: read_sessions(path, all_lines=True)), session, player, path)
    tables = standings(match for one in chosen for match in one.matches)
    if player is not None:
        tables = {game: [row for row in rows if row.name == player] for game, rows in tables.items()}
    if as_json:
        text = json.dumps(history_values(chosen, tables), ensure_ascii=False) + "\n"
    elif as_csv:
        rows = io.StringIO()
        writer = csv.DictWriter(rows, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(history_rows(chosen))
        text = rows.getvalue()
    else:
        text = "\n".join(history_lines(chosen, tables, HistoryWords(lang))).rstrip("\n") + "\n"
    _write(text, output)


@history.command()
@click.argument("match", type=click.IntRange(min=1))
@JOURNAL_OPTION
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all.")
@LANG_OPTION
def export(match: int, journal: str | None, output: str | None, lang: str) -> None:
    """Write the record of MATCH, by its number, as the table exports it."""
    from firmware.journal_reading import read_journal
    from firmware.record_lines import record_text

    path = _journal(journal)
    kept = {one.number: one for one in _read(path, lambda: read_journal(path))}
    if match not in kept:
        held = _numbers(min(kept), max(kept)) if kept else Phrase("a journal with matches")
        raise Failure(Phrase("{path}: no match {match}; expected {held}", path=path, match=match, held=held))
    _write(record_text(kept[match].header, kept[match].texts), output)


@history.command()
@click.argument("other")
@JOURNAL_OPTION
@LANG_OPTION
def merge(other: str, journal: str | None, lang: str) -> None:
    """Bring the matches of the journal OTHER, such as a dead table's, into this one; no table may be running with
    either.
    """
    from firmware.errors import JournalError
    from firmware.history_forms import HistoryWords
    from firmware.merging import merge as merge_journals

    try:
        merged = merge_journals(_journal(journal), Path(other))
    except JournalError as error:
        raise Failure(said_by(error)) from None
    except OSError as error:
        raise Failure(Phrase("{path}: {why}; expected a journal", path=other, why=reason(error))) from None
    words = HistoryWords(lang)
    for code, numbers in (("merge.added", merged.added), ("merge.completed", merged.completed)):
        if numbers:
            click.echo(words.say(code, matches=", ".join(map(str, numbers))))
    if merged.known or not (merged.added or merged.completed):
        click.echo(words.say("merge.known", count=merged.known))


def _journal(named: str | None) -> Path:
    from firmware.storage import journal_file

    return journal_file(named)


def _read(path: Path, read: Callable[[], T]) -> T:
    from firmware.errors import JournalError

    try:
        return read()
    except JournalError as error:
        raise Failure(said_by(error)) from None


def _numbers(first: int, last: int) -> Phrase:
    return Phrase("{first} to {last}", first=first, last=last) if first != last else Phrase("{first}", first=first)


def _chosen(found: "list[Session]", session: int | None, player: str | None, path: Path) -> "list[Session]":
    """The sessions that are asked for, with the matches that are asked for."""
    if session is not None:
        if session > len(found):
            held = _numbers(1, len(found)) if found else Phrase("a journal with matches")
            raise Failure(
                Phrase("{path}: no session {session}; expected {held}", path=path, session=session, held=held)
            )
        found = [found[session - 1]]
    if player is not None:
        names = sorted({name for one in found for match in one.matches for name in match.names if name})
        if player not in names:
            there = either(names) if names else Phrase("matches with names")
            raise Failure(Phrase("{path}: no player {player!r}; expected {held}", path=path, player=player, held=there))
        own = [one._replace(matches=tuple(m for m in one.matches if player in m.names)) for one in found]
        found = [one for one in own if one.matches]
    return found


def _write(text: str, output: str | None) -> None:
    if output is None or output == "-":
        click.echo(text, nl=False)
        sys.stdout.flush()
        return
    from firmware.whole import write_whole

    try:
        write_whole(Path(output), text)
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a file that can be written", name=output, why=reason(error))
        ) from None
