"""Generations: whole copies of the journal beside it, the newest one numbered 1.

One is made whenever a deal has ended, in a thread of its own that no entry waits for. A copy is looked through, signed
with the sum of what it holds, and on disk, before it takes the place of an older one; so at every moment all good ones
that were there, or all but the oldest of them and a newer one, are there. A journal that is found damaged then is
doubted: the next start looks through all of it.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from engine.phrases import Phrase, reason
from firmware.storage import Storage

KEPT = 3
"""Generations that are kept."""
RESERVE = 16_000_000
"""Bytes that copies and captures leave to the journal: without those the game goes on, without that it does not."""
LONG, REST = 1.0, 20
"""A copy of a long journal that took more than so many seconds is followed by a rest of so many times what it took."""
SUM = "copy-sum"
"""The setting by which a copy tells that it is as it was made."""
HELD = "copy-held"
"""The setting by which a copy tells which other one it was found to hold: that one's sum."""

FAULTS = (sqlite3.Error, OSError, UnicodeError, OverflowError, MemoryError)
"""What comes of a disk that fails and of a file that is damaged: SQLite quotes bytes that are no text, and believes
lengths that are none."""


def generation(journal: Path, number: int) -> Path:
    """The file of a generation, from 1 for the newest one."""
    return journal.with_name(f"{journal.name}.{number}")


def generations(journal: Path) -> list[Path]:
    """The copies that lie beside a journal, the newest one first."""
    return [path for number in range(1, KEPT + 1) if (path := generation(journal, number)).is_file()]


def doubt(journal: Path) -> Path:
    """The empty file beside a journal that was found damaged while a table used it."""
    return journal.with_name(f"{journal.name}.doubt")


def connect_uri(path: Path, how: str = "mode=ro") -> str:
    """A file as SQLite's URIs name it; only to read it, unless `how` says otherwise."""
    return f"file:{quote(str(path.absolute()))}?{how}"


class Copies:
    """Makes generations of a journal. `tell` hears once that none can be made, until one can."""

    def __init__(self, journal: Path, storage: Storage, tell: Callable[[str], None]) -> None:
        self._journal = journal.resolve()
        self._storage = storage
        self._tell = tell
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal-copy")
        self._lock = Lock()
        self._wanted = False
        self._failing = False
        self._rests_until = 0.0

    def make(self) -> None:
        """Have a copy made of what is committed by now, or a little later. Nobody waits for it."""
        with self._lock:
            if self._wanted or time.monotonic() < self._rests_until:
                return  # the one that is to be begun will hold it all
            self._wanted = True
        self._worker.submit(self._make)

    def _make(self) -> None:
        with self._lock:
            self._wanted = False
        began = time.monotonic()
        try:
            make_copy(self._journal, self._storage)
        except FAULTS as error:
            self.heed(error)
            if not self._failing:
                self._tell(
                    Phrase(
                        "{path}: {why}; no copy of the journal is made",
                        path=generation(self._journal, 1),
                        why=reason(error),
                    )
                )
            self._failing = True
        else:
            self._failing = False
        ended = time.monotonic()
        if ended - began > LONG:
            self._rests_until = ended + REST * (ended - began)

    def heed(self, error: Exception) -> None:
        """Doubt the journal, if an error says that it is damaged. Raises nothing."""
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):  # then the next copy finds it
                doubt(self._journal).touch()
                sync(self._journal.parent)

    def close(self) -> None:
        """Finish what is being copied, and end the thread."""
        self._worker.shutdown()


def make_copy(journal: Path, storage: Storage) -> None:
    """Make a generation of a journal; raises `FAULTS`, and then those that are there stay."""
    fresh = journal.with_name(f"{journal.name}.copy")
    try:
        for left in (fresh, Path(f"{fresh}-journal")):  # by a copy that was cut short
            left.unlink(missing_ok=True)
        if storage.free(journal.parent) < journal.stat().st_size + RESERVE:
            raise sqlite3.OperationalError(Phrase("the disk has no room but for the journal itself"))
        storage.copy(journal, fresh)
        with closing(sqlite3.connect(connect_uri(fresh, "mode=rw"), uri=True, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")  # one file that can be copied and moved as it is
            held = _look_through(copy, generation(journal, 1))
            copy.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (HELD, held))
            copy.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (SUM, content_sum(copy)))
        sync(fresh)
    except FAULTS:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    _move_up(journal, fresh)


def _look_through(copy: sqlite3.Connection, before: Path) -> str:
    """See that a copy is well; gives the sum of the one before it, if it holds that one."""
    found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(
            Phrase("the journal is damaged: {why}", why=Phrase("SQLite finds {found!r}", found=found))
        )
    held = _is_held(copy, before) if before.is_file() else None
    if held is False and is_sound(before):
        raise sqlite3.DatabaseError(Phrase("the journal is damaged: it lacks what its last copy holds"))
    return _sums(before)[0] if held else ""


def _move_up(journal: Path, fresh: Path) -> None:
    """Put a copy in the first place. The others make room for it as far as a gap, or as the last place."""
    free = next((n for n in range(1, KEPT) if not generation(journal, n).exists()), KEPT)
    for number in range(free, 1, -1):
        generation(journal, number - 1).replace(generation(journal, number))
    fresh.replace(generation(journal, 1))
    sync(journal.parent)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def content_sum(file: sqlite3.Connection) -> str:
    """The SHA-256 of all matches, lines and settings. SQLite puts the lines of a match together, for a thread that
    plays must not wait behind this one; times count in microseconds, which every version of SQLite writes alike.
    """
    total = sha256()
    for statement in (
        "SELECT number, header, CAST(wall_time * 1e6 AS INTEGER) FROM match ORDER BY number",
        (
            "SELECT match, group_concat(number || ' ' || CAST(wall_time * 1e6 AS INTEGER) || ' ' || text, char(10))"
            " FROM (SELECT * FROM line ORDER BY match, number) GROUP BY match ORDER BY match"
        ),
        f"SELECT key, value FROM setting WHERE key != '{SUM}' ORDER BY key",
    ):
        for row in file.execute(statement):
            total.update(repr(row).encode())
    return total.hexdigest()


def is_sound(copy: Path) -> bool:
    """Whether a copy is as it was made."""
    try:
        with closing(sqlite3.connect(connect_uri(copy, "mode=ro&immutable=1"), uri=True)) as file:
            row = file.execute("SELECT value FROM setting WHERE key = ?", (SUM,)).fetchone()
            whole = file.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            return whole and row is not None and row[0] == content_sum(file)
    except FAULTS:
        return False


def lacking(file: sqlite3.Connection, copies: Iterable[Path]) -> Path | None:
    """The first of these sound copies of a journal, the newest one first, that holds what the journal does not: then
    the journal is damaged. One that a newer copy was found to hold is
    not looked at again, if the journal holds that.
    """
    known = ""
    for copy in copies:
        total, holds_too = _sums(copy)
        held = True if known and total == known else _is_held(file, copy)
        if held is False and is_sound(copy):
            return copy
        known = holds_too if held else ""
    return None


def reaches(file: sqlite3.Connection, copy: Path) -> bool:
    """Whether a journal goes at least as far as a copy of it does: a look at where both end."""
    try:
        with closing(sqlite3.connect(connect_uri(copy, "mode=ro&immutable=1"), uri=True)) as other:
            return _end(file) >= _end(other)
    except FAULTS:  # of the copy, or of both; who looks at everything finds out
        return False


def _end(file: sqlite3.Connection) -> tuple[int, int]:
    """The last match, and its last line."""
    match = file.execute("SELECT coalesce(max(number), 0) FROM match").fetchone()[0]
    line = file.execute("SELECT coalesce(max(number), 0) FROM line WHERE match = ?", (match,)).fetchone()[0]
    return match, line


def _is_held(file: sqlite3.Connection, copy: Path) -> bool | None:
    """Whether a journal has all that its copy has; None for a copy of another journal."""
    try:
        return holds(file, copy) if of_one_journal(file, copy) else None
    except FAULTS:  # of the one or the other
        return False


def _sums(copy: Path) -> tuple[str, str]:
    """The sum of a copy, and of the one that it was found to hold; empty where it does not tell."""
    try:
        with closing(sqlite3.connect(connect_uri(copy, "mode=ro&immutable=1"), uri=True)) as file:
            told = dict(file.execute("SELECT key, value FROM setting WHERE key IN (?, ?)", (SUM, HELD)).fetchall())
    except FAULTS:
        return "", ""
    return str(told.get(SUM, "")), str(told.get(HELD, ""))


def of_one_journal(file: sqlite3.Connection, copy: Path) -> bool:
    """Whether a copy was made of this journal, and not of one that lay there before: their first matches tell."""
    with _beside(file, copy):
        rows = [file.execute(f"SELECT wall_time FROM {of}.match ORDER BY number LIMIT 1").fetchone()
                for of in ("main", "copy")]  # fmt: skip
    return None in rows or rows[0] == rows[1]


def holds(file: sqlite3.Connection, copy: Path) -> bool:
    """Whether a journal has all that its copy has. Nothing in it ever changes or goes, so where it has not, one of the
    two is damaged.
    """
    with _beside(file, copy):
        return not file.execute(
            "SELECT EXISTS(SELECT 1 FROM copy.match c LEFT JOIN main.match m USING (number)"
            " WHERE m.header IS NOT c.header OR m.wall_time IS NOT c.wall_time)"
            " OR EXISTS(SELECT 1 FROM copy.line c LEFT JOIN main.line m ON m.match = c.match AND m.number = c.number"
            " WHERE m.text IS NOT c.text OR m.wall_time IS NOT c.wall_time)"
        ).fetchone()[0]


@contextmanager
def _beside(file: sqlite3.Connection, copy: Path) -> Iterator[None]:
    """The copy as the schema `copy` of a connection that takes URIs."""
    file.execute("ATTACH ? AS copy", (connect_uri(copy, "mode=ro&immutable=1"),))
    try:
        yield
    finally:
        file.execute("DETACH copy")
