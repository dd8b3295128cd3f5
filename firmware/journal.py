"""The journal: every accepted entry, on disk before anybody sees it.

A SQLite file. A match is its record's header, and its lines are the record's lines, so what was played can be read
and checked by anything that reads records. One thread writes; a commit has reached the disk when it is answered.

Beside them lie notes: which reader saw which tag, and what came of it. Nobody waits for those, and no match is
made from them. And settings: what a table was told and is to know again when it comes up.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from firmware.errors import DiskFullError, JournalError
from firmware.journal_lock import JournalLock
from firmware.notes import Note
from firmware.storage import Disk, Storage

_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS match (number INTEGER PRIMARY KEY, header TEXT NOT NULL, wall_time REAL NOT NULL);
CREATE TABLE IF NOT EXISTS line (
    match INTEGER NOT NULL REFERENCES match (number), number INTEGER NOT NULL, text TEXT NOT NULL,
    wall_time REAL NOT NULL, PRIMARY KEY (match, number)
);
CREATE TABLE IF NOT EXISTS note (
    number INTEGER PRIMARY KEY, match INTEGER NOT NULL, line INTEGER NOT NULL, device TEXT NOT NULL,
    tag TEXT NOT NULL, what TEXT NOT NULL, wall_time REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = 3;
COMMIT;
"""

VERSION = 3
MOST_WAITING = 1000
"""Notes that are kept for a disk that takes none now; the oldest go first."""


_FAULTS = (sqlite3.Error, OSError, UnicodeError, OverflowError, MemoryError)
"""What comes of a disk that fails and of a file that is damaged: SQLite quotes bytes that are no text, and believes
lengths that are none."""


_Found = TypeVar("_Found")


class _Place(NamedTuple):
    """The newest match and its newest line that have reached the disk."""

    match: int
    line: int


class Journal:
    """The journal of one table. `watch` is told each stage of a commit: `begin`, `written`, `durable`; `storage` is
    what the file lies on.

    Raises `JournalError` when the file cannot be opened, is of another version, or is the journal of another table now.
    """

    def __init__(
        self, path: Path, watch: Callable[[str], None] = lambda stage: None, storage: Storage | None = None
    ) -> None:
        self._watch = watch
        self._storage = Disk() if storage is None else storage
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._place = _Place(0, 0)
        self._waiting: deque[tuple[Note, float]] = deque(maxlen=MOST_WAITING)  # touched by the writer alone
        try:
            self._writer.submit(self._open, path).result()
        except JournalError:
            self._writer.shutdown()
            raise
        except _FAULTS as error:
            self._writer.shutdown()
            raise JournalError(f"{path}: {_line(error)}; expected a journal that can be written") from None

    def _open(self, path: Path) -> None:
        self._file = self._storage.connect(path)
        with ExitStack() as close:
            close.callback(self._file.close)
            version = self._file.execute("PRAGMA user_version").fetchone()[0]  # by this the file is there
            self._lock = JournalLock(path)
            close.pop_all()  # SQLite's file first, then the lock
            close.callback(self._lock.close)
            close.callback(self._file.close)
            self._prepare(version)
            close.pop_all()

    def _prepare(self, version: int) -> None:
        if not 0 <= version <= VERSION:
            raise sqlite3.DatabaseError(f"version {version} of the journal, not {VERSION}")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        if version < VERSION:  # else nothing is written: a table that comes up on a full disk must find its match
            self._file.executescript(_SCHEMA)

    @property
    def number(self) -> int:
        """The number of the match that is written to, from 1."""
        return self._place.match

    def last_match(self) -> tuple[str, list[str]] | None:
        """The header and the entries of the newest match, which is then the one written to; None: there is none.

        Raises `JournalError` when the file is damaged.
        """
        return self._read(self._last_match)

    def setting(self, key: str) -> str | None:
        """What was kept last under a key; None: nothing was. Raises `JournalError` when the file is damaged."""
        return self._read(lambda: self._setting(key))

    def settings(self) -> dict[str, str]:
        """Everything that was kept, by key; what is no text was never kept. Raises `JournalError`."""
        rows = self._read(lambda: self._file.execute("SELECT key, value FROM setting").fetchall())
        return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}

    def _read(self, read: Callable[[], _Found]) -> _Found:
        try:
            return self._writer.submit(read).result()
        except JournalError:
            raise
        except _FAULTS as error:
            raise JournalError(
                f"the journal cannot be read: {_line(error)}; move the file away to begin anew"
            ) from None

    def _setting(self, key: str) -> str | None:
        row = self._file.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        if not isinstance(row[0], str):
            raise _damaged(f"the setting {key} is no text")
        return row[0]

    def _last_match(self) -> tuple[str, list[str]] | None:
        row = self._file.execute("SELECT number, header FROM match ORDER BY number DESC LIMIT 1").fetchone()
        if row is None:
            return None
        lines = self._file.execute("SELECT number, text FROM line WHERE match = ? ORDER BY number", row[:1]).fetchall()
        texts = [text for _, text in lines]
        if not all(isinstance(text, str) for text in (row[1], *texts)):
            raise _damaged("a header or an entry is no text")
        if [number for number, _ in lines] != list(range(1, len(lines) + 1)):
            raise _damaged(f"a line of match {row[0]} is missing")
        self._place = _Place(row[0], len(lines))
        return row[1], texts

    async def begin_match(self, header: Iterable[str], entries: Iterable[str] = ()) -> None:
        """Begin a match with the header of its record, and with the entries that it has already; raises `JournalError`,
        and then nothing of it is there.
        """
        texts = list(entries)
        await self._commit(lambda header: self._insert_match(header, texts), "\n".join(header))

    async def append(self, text: str) -> None:
        """Write an entry of the match, one or more lines of its record; raises `JournalError`.

        When this returns the entry has reached the disk.
        """
        await self._commit(self._insert_line, text)

    async def keep(self, key: str, value: str) -> None:
        """Keep a setting instead of what was kept under its key; raises `JournalError`.

        When this returns it has reached the disk.
        """
        await self._commit(lambda value: self._insert_setting(key, value), value)

    def note(self, notes: Iterable[Note]) -> None:
        """Write what happened at devices, behind the newest line. Nobody waits for it, and it raises nothing: what the
        disk does not take now is tried again with the next note.
        """
        stamped = [(note, self._storage.wall_time()) for note in notes]
        if stamped:
            self._writer.submit(self._insert_notes, stamped)

    def _insert_notes(self, stamped: list[tuple[Note, float]]) -> None:
        self._waiting.extend(stamped)
        rows = [(*self._place, *note, wall_time) for note, wall_time in self._waiting]
        statement = "INSERT INTO note (match, line, device, tag, what, wall_time) VALUES (?, ?, ?, ?, ?, ?)"
        try:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(statement, rows)
            self._file.execute("COMMIT")
        except _FAULTS:
            self._roll_back()
            return
        self._waiting.clear()

    async def _commit(self, insert: Callable[[str], _Place], text: str) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._transact, insert, text)
        except _FAULTS as error:
            full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            kind = DiskFullError if full else JournalError
            raise kind(f"the journal cannot be written: {_line(error)}") from None

    def _transact(self, insert: Callable[[str], _Place], text: str) -> None:
        self._watch("begin")
        self._file.execute("BEGIN IMMEDIATE")
        try:
            place = insert(text)
            self._watch("written")
            self._storage.commit(self._file)
        except _FAULTS:
            self._roll_back()
            raise
        self._place = place
        self._watch("durable")

    def _roll_back(self) -> None:
        if self._file.in_transaction:
            with suppress(*_FAULTS):  # it has failed already; what is left of it goes with the next or the close
                self._file.execute("ROLLBACK")

    def _insert_match(self, header: str, entries: list[str]) -> _Place:
        now = self._storage.wall_time()
        cursor = self._file.execute("INSERT INTO match (header, wall_time) VALUES (?, ?)", (header, now))
        assert cursor.lastrowid is not None
        rows = [(cursor.lastrowid, number, text, now) for number, text in enumerate(entries, 1)]
        self._file.executemany("INSERT INTO line (match, number, text, wall_time) VALUES (?, ?, ?, ?)", rows)
        return _Place(cursor.lastrowid, len(rows))

    def _insert_line(self, text: str) -> _Place:
        place = self._place._replace(line=self._place.line + 1)
        row = (*place, text, self._storage.wall_time())
        self._file.execute("INSERT INTO line (match, number, text, wall_time) VALUES (?, ?, ?, ?)", row)
        return place

    def _insert_setting(self, key: str, value: str) -> _Place:
        self._file.execute("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", (key, value))
        return self._place

    def close(self) -> None:
        """Close the file, let others have it, and end the thread."""
        self._writer.submit(self._file.close).result()
        self._lock.close()
        self._writer.shutdown()


def _damaged(problem: str) -> JournalError:
    return JournalError(f"the journal is damaged: {problem}; move the file away to begin anew")


def _line(error: Exception) -> str:
    """What SQLite says, in one line: it may quote what a damaged file holds."""
    text = " ".join(str(error).split()) or type(error).__name__
    return "".join(sign if sign.isprintable() else "�" for sign in text)
