"""The lines of one match in the file of a journal, and how it stood behind some of them."""

import sqlite3
from collections.abc import Sequence

from engine.phrases import Phrase
from firmware.errors import DamagedError
from firmware.schema import tables_in
from firmware.stands import Lines, Stand, before_deals, sound
from firmware.taking_up import Written


def written_in(file: sqlite3.Connection, match: int, header: str) -> Written:
    """A match of a file, for the thread that calls. Raises `FAULTS`."""

    def read(first: int, last: int) -> list[str]:
        return texts_in(file, match, first, last)

    stands = stands_in(file, match) if "stand" in tables_in(file) else []  # else an older program wrote the file
    return Written(header, last_line(file, match), read, before_deals(stands, read))


def last_line(file: sqlite3.Connection, match: int) -> int:
    """How many entries a match has. Raises `DamagedError` or `FAULTS`."""
    last = file.execute("SELECT coalesce(max(number), 0) FROM line WHERE match = ?", (match,)).fetchone()[0]
    if not isinstance(last, int):
        raise DamagedError(Phrase("a line of match {match} is missing", match=match))
    return last


def stands_in(file: sqlite3.Connection, match: int) -> list[Stand]:
    """How a match stood behind some of its lines. Raises `FAULTS`."""
    return sound(file.execute("SELECT line, lines, told, whole FROM stand WHERE match = ?", (match,)).fetchall())


def are_behind(file: sqlite3.Connection, match: int, header: str, stands: Sequence[Stand]) -> bool:
    """Whether stands of a match, the first one first, are behind the lines that it has. Raises `FAULTS`."""
    if not stands:
        return True
    text = "SELECT text FROM line WHERE match = ? AND number <= ? ORDER BY number"
    first = (match, stands[0].line)  # SQLite puts long matches together in a fraction of the time
    before = file.execute(f"SELECT group_concat(text, char(31)) FROM ({text})", first).fetchone()[0]
    found, at = Lines.of(header), stands[0].line
    found = found.and_(before) if before is not None else found
    for stand in stands:
        found, at = found.and_(*texts_in(file, match, at, stand.line)), stand.line
        if found.digest().hex() != stand.lines:
            return False
    return True


def texts_in(file: sqlite3.Connection, match: int, first: int, last: int) -> list[str]:
    """The entries of a match behind so many, and up to so many. Raises `DamagedError` or `FAULTS`."""
    lines = file.execute(
        "SELECT number, text FROM line WHERE match = ? AND number > ? AND number <= ? ORDER BY number",
        (match, first, last),
    ).fetchall()
    texts = [text for _, text in lines]
    if not all(isinstance(text, str) for text in texts):
        raise DamagedError(Phrase("a header or an entry is no text"))
    if [number for number, _ in lines] != list(range(first + 1, first + 1 + len(lines))):
        raise DamagedError(Phrase("a line of match {match} is missing", match=match))
    return texts


def comments_in(file: sqlite3.Connection, match: int, last: int) -> list[str]:
    """Which of so many entries of a match are comments. Raises `FAULTS`."""
    statement = "SELECT text FROM line WHERE match = ? AND number <= ? AND text GLOB '#*' ORDER BY number"
    return [text for (text,) in file.execute(statement, (match, last))]
