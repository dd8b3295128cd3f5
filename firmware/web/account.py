"""The journal of the running match in words, as it grows: read from its file, so that the table does nothing for it.

A line names cards only where they were laid open, as a display does: whoever directs may also play.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match, Standing, begin
from engine.notation import RecordError, parse_entry
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from firmware.entry_words import entry_words
from firmware.generations import FAULTS, connect_uri
from firmware.irregularities import notice_of
from firmware.web.ruling_words import comment_words
from firmware.words import LANGUAGES, Length, Words


class Row(NamedTuple):
    """A line of the journal: its number, what was written, and when by the clock on the wall."""

    number: int
    text: str
    at: float


class Item(NamedTuple):
    """A line as it is shown: who entered it (`seat N`, `director`, `deal`, `table`), in words by language, the reason,
    and when.
    """

    line: int
    by: str
    words: dict[str, str]
    reason: str
    at: float


def read_rows(journal: Path, match: int, after: int) -> tuple[str, list[Row]]:
    """The header of a match, and its lines behind this one; nothing where the file cannot be read now."""
    try:
        with closing(sqlite3.connect(connect_uri(journal), uri=True)) as file:
            header = file.execute("SELECT header FROM match WHERE number = ?", (match,)).fetchone()
            if header is None:
                return "", []
            rows = file.execute(
                "SELECT number, text, wall_time FROM line WHERE match = ? AND number > ? ORDER BY number",
                (match, after),
            ).fetchall()
            return header[0], [Row(*row) for row in rows]
    except FAULTS:
        return "", []


class Account:
    """Tells a match line by line."""

    def __init__(self, journal: Path, match: int) -> None:
        self.journal = journal
        self.number = match
        self.items: list[Item] = []
        self._referee: Referee | None = None
        self._words: dict[str, Words] = {}

    @property
    def referee(self) -> Referee:
        """The referee of what was read."""
        assert self._referee is not None
        return self._referee

    @property
    def match(self) -> Match:
        """The state of what was read."""
        return self.referee.match

    def read(self) -> bool:
        """Read what is new; whether anything was."""
        header, rows = read_rows(self.journal, self.number, self.items[-1].line if self.items else 0)
        if header and self._referee is None:
            record = read_record(header + "\n")
            self._referee = Referee(begin(record.table, record.scores, record.names))
            self._words = {language: Words(record.table.game, language) for language in LANGUAGES}
        if self._referee is None:
            return False
        self.items += [self._item(row) for row in rows]
        return bool(rows)

    def _item(self, row: Row) -> Item:
        *before, line = [text for text in row.text.split("\n") if text] or [""]
        if line.startswith("#"):
            return self._comment(row, line)
        if row.text.startswith("deal"):
            return self._deal(row)
        statement, _, reason = line.partition(";")
        entry = parse_entry(self.match.table, statement.strip(), row.number)
        for text in before:
            if not text.startswith("#"):
                self._accept(parse_entry(self.match.table, text.partition(";")[0].strip(), row.number), row.number)
        undone = self.referee.last if isinstance(entry, entries.Undo) else None
        words = {language: self._undo_words(language, undone) for language in self._words} if undone is not None else {}
        self._accept(entry, row.number)
        words = words or {language: self._say(language, entry) for language in self._words}
        by = f"seat {entry.seat}" if isinstance(entry, Action | entries.Undo) and entry.seat else "director"
        return Item(row.number, by, words, reason.strip(), row.at)

    def _accept(self, entry: Entry, line: int) -> None:
        self.referee.accept(entry, line)

    def _deal(self, row: Row) -> Item:
        first, _, rest = row.text.partition("\n")
        statement, _, reason = first.partition(";")
        header = "\n".join(self._header())
        record = read_record(f"{header}\n\n{statement.rstrip()}\n{rest}\n")
        entry = next(line.entry for line in record.lines if line.entry is not None)
        self._accept(entry, row.number)
        words = {language: self._say(language, entry) for language in self._words}
        return Item(row.number, "deal", words, reason.strip(), row.at)

    def _header(self) -> list[str]:
        header, _ = read_rows(self.journal, self.number, 1 << 62)
        return header.split("\n")

    def _comment(self, row: Row, line: str) -> Item:
        text, _, reason = line.removeprefix("#").partition(";")
        code, _, what = text.strip().partition(":")
        notice = notice_of(code.strip(), what.strip())
        words = {}
        for language, known in self._words.items():
            said = known.notice(notice, Length.SENTENCE) if notice is not None else text.strip()
            said = comment_words(self.match, known, language, line) or said
            if code.startswith("said otherwise"):  # the action is one that nobody may have seen
                said = code
            words[language] = _plain(said)
        return Item(row.number, "table", words, reason.strip(), row.at)

    def _say(self, language: str, entry: Entry) -> str:
        return _plain(entry_words(_Teller(self, language), entry))

    def _undo_words(self, language: str, undone: Entry) -> str:
        said = entry_words(_Teller(self, language), undone)
        return _plain(self._words[language].short("undo-of", what=said))

    def said_last(self, count: int, before: int | None = None) -> list[Item]:
        """The last so many items, or the last before a line."""
        found = [item for item in self.items if before is None or item.line < before]
        return found[-count:]

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.standing is Standing.OVER


class _Teller:
    """The account as what `entry_words` tells from."""

    def __init__(self, account: Account, language: str) -> None:
        self.words = account._words[language]
        self.referee = account.referee
        self.match = account.match

    def who(self, seat: int) -> str:
        """The name of a seat, or its number in words."""
        named = self.match.names[seat - 1] if seat and self.match.names else ""
        return named or self.words.short("seat-acts", seat=seat)


READ_FAULTS = (RecordError, ValueError, LookupError)
"""What comes of lines that this program cannot read any more."""


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")
