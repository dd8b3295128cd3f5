"""The matches of a journal at a glance: when each was played, and how it stood at last, without most of its lines."""

import sqlite3
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from engine.phrases import Phrase
from firmware.corrected import COMMENT, in_place_of
from firmware.errors import JournalError
from firmware.journal import MERGED, SESSION
from firmware.journal_lines import are_behind, comments_in, last_line, stands_in, texts_in
from firmware.journal_reading import Kept, check_version, kept_in, look_through
from firmware.schema import columns_in
from firmware.stands import Stand, before_deals
from firmware.taking_up import Written


class Glance(NamedTuple):
    """A match: `times` and `clocks` are those of its first and of its last entry, as in `Kept`; `stands` is how it
    stood at last, if that is kept, `comments` what was noted in it. It is read from an open file.
    """

    file: sqlite3.Connection
    number: int
    began: float
    times: tuple[float, ...]
    clock: bool | None
    clocks: tuple[bool | None, ...]
    starts: bool
    source: str
    written: Written
    stands: tuple[Stand, ...]
    comments: tuple[str, ...]

    @property
    def header(self) -> str:
        """The header of its record."""
        return self.written.header

    @property
    def entered(self) -> bool:
        """Whether anything was entered."""
        return self.written.entries > 0

    def kept(self) -> Kept:
        """All of it."""
        (kept,) = kept_in(self.file, 1, self.number)
        return kept


def glances(file: sqlite3.Connection, all_lines: bool) -> list[Glance]:
    """All matches of a journal, by number. With `all_lines` the whole file is looked through, and how a match stood
    counts only behind the lines that it has. Raises `JournalError` or `FAULTS`.
    """
    if all_lines:
        look_through(file)
    tables = check_version(file)
    settings = dict(file.execute("SELECT key, value FROM setting")) if "setting" in tables else {}
    clock = "clock" if "clock" in columns_in(file, "line") else "NULL"
    found = []
    for number, header, began, was_set in file.execute(
        f"SELECT number, header, wall_time, {clock} FROM match ORDER BY number"
    ).fetchall():
        if not isinstance(header, str):
            raise JournalError(Phrase("the journal is damaged: {problem}; expected a whole one, or a copy",
                                      problem=Phrase("a header or an entry is no text")))  # fmt: skip
        count = last_line(file, number)
        read = partial(texts_in, file, number)
        stands = stands_in(file, number) if "stand" in tables else []
        if not stands or stands[-1].line < count:  # else it is over, perhaps
            stands = list(before_deals(stands, read))
        if all_lines and not are_behind(file, number, header, stands[-1:]):
            stands = []
        written = Written(header, count, read, before_deals(stands[-1:], read))
        ends = file.execute(
            f"SELECT wall_time, {clock} FROM line WHERE match = ? AND number IN (1, ?) ORDER BY number",
            (number, count),
        ).fetchall()
        comments = tuple(comments_in(file, number, count))
        found.append(Glance(file, number, began, tuple(at for at, _ in ends), _truth(was_set),
                            tuple(_truth(one) for _, one in ends), f"{SESSION}{number}" in settings,
                            settings.get(f"{MERGED}{number}", ""), written, tuple(stands[-1:]), comments))  # fmt: skip
    return found


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def newest_of(matches: Iterable[Glance]) -> list[Glance]:
    """The matches of one table without those that another one took the place of (`firmware.corrected`)."""
    left: list[Glance] = []
    for match in matches:
        corrected = any(comment.startswith(COMMENT) for comment in match.comments)
        if left and corrected and in_place_of(left[-1].kept(), match.kept()) is not None:
            before = left.pop()
            times = (*before.times[:1], *match.times)
            starts = before.starts if before.entered else match.starts
            match = match._replace(began=before.began, times=(times[0], times[-1]), starts=starts)
        left.append(match)
    return left
