"""The journal: every accepted entry, on disk before anybody sees it.

A SQLite file. A match is its record's header, and its lines are the record's lines, so what was played can be read
and checked by anything that reads records. One thread writes; a commit has reached the disk when it is answered.

Beside them lie notes: which reader saw which tag, and what came of it. Nobody waits for those, and no match is
made from them. And settings: what a table was told and is to know again when it comes up.

Nothing that is a match's ever changes or goes: an undo is a line like any other.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from engine.phrases import Phrase, said_by
from firmware.errors import DamagedError, DiskFullError, JournalError
from firmware.generations import FAULTS, Copies
from firmware.journal_lines import comments_in, texts_in, written_in
from firmware.journal_lock import JournalLock
from firmware.notes import Note
from firmware.output import complain
from firmware.schema import bring_up, is_current, keep_older, refuse_newer
from firmware.stands import KEPT, Lines, Read
from firmware.storage import Disk, Storage
from firmware.taking_up import Written

INSERT_LINE = "INSERT INTO line (match, number, text, wall_time, clock) VALUES (?, ?, ?, ?, ?)"
SESSION = "session:"
"""The setting of a match, by its number, whose first entry was the first that a table wrote after its start."""
MERGED = "merged:"
"""The setting of a match, by its number, that was played at another table."""
NEXT = "next-match"
"""The setting that says how low the number of the next match may be."""
MOST_WAITING = 1000
"""Notes that are kept for a disk that takes none now; the oldest go first."""

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
        self.path = path
        self._watch = watch
        self._storage = Disk() if storage is None else storage
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._copies = Copies(path, self._storage, complain)
        self._place = _Place(0, 0)
        self._lines = self._after = Lines.of("")  # of what is on the disk, and with what is being written
        self._wrote = False
        self.saved = self.failed = self.waiting = 0
        """How often something was made durable, how often that failed, and how much waits for the disk now."""
        self._waiting: deque[tuple[Note, float]] = deque(maxlen=MOST_WAITING)  # touched by the writer alone
        try:
            self._writer.submit(self._open, path).result()
        except JournalError:
            self._writer.shutdown()
            raise
        except FAULTS as error:
            self._writer.shutdown()
            raise JournalError(
                Phrase("{path}: {why}; expected a journal that can be written", path=path, why=one_line(error))
            ) from None

    def _open(self, path: Path) -> None:
        self._file, self._lock = open_journal(path, self._storage)

    @property
    def number(self) -> int:
        """The number of the match that is written to, from 1."""
        return self._place.match

    def last_match(self) -> tuple[str, list[str]] | None:
        """The header and the entries of the newest match that was played here, which is then the one written to; None:
        there is none.

        Raises `JournalError` when the file is damaged.
        """
        match = self.newest()
        return (match.header, match.read(0, match.entries)) if match is not None else None

    def newest(self) -> Written | None:
        """The same match, of which only that is read which is asked for. Raises `JournalError`, and so does reading."""
        return self._read(self._newest)

    def reader(self) -> Read:
        """What reads the entries of the match that is written to, also when that is another one."""
        match = self.number
        return lambda first, last: self._read(lambda: texts_in(self._file, match, first, last))

    def comments(self, last: int) -> list[str]:
        """Which of so many entries of the match are comments. Raises `JournalError` when the file is damaged."""
        return self._read(lambda: comments_in(self._file, self._place.match, last))

    def setting(self, key: str) -> str | None:
        """What was kept last under a key; None: nothing was. Raises `JournalError` when the file is damaged."""
        return self._read(lambda: self._setting(key))

    def settings(self) -> dict[str, str]:
        """Everything that was kept, by key; what is no text was never kept. Raises `JournalError`."""
        rows = self._read(lambda: self._file.execute("SELECT key, value FROM setting").fetchall())
        return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}

    def entries(self) -> int:
        """How many entries there are in all matches. Raises `JournalError` when the file is damaged."""
        return self._read(lambda: int(self._file.execute("SELECT count(*) FROM line").fetchone()[0]))

    def _read(self, read: Callable[[], _Found]) -> _Found:
        try:
            return self._writer.submit(read).result()
        except JournalError:
            raise
        except FAULTS as error:
            raise JournalError(
                Phrase("the journal cannot be read: {why}; move the file away to begin anew", why=one_line(error))
            ) from None

    def _setting(self, key: str) -> str | None:
        row = self._file.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        if not isinstance(row[0], str):
            raise DamagedError(Phrase("the setting {key} is no text", key=key))
        return row[0]

    def _newest(self) -> Written | None:
        row = self._file.execute(
            "SELECT number, header FROM match WHERE ? || number NOT IN (SELECT key FROM setting)"
            " ORDER BY number DESC LIMIT 1",
            (MERGED,),
        ).fetchone()
        if row is None:
            return None
        if not isinstance(row[1], str):
            raise DamagedError(Phrase("a header or an entry is no text"))
        match = written_in(self._file, *row)
        self._place = _Place(row[0], match.entries)
        before = match.stands[-1] if match.stands else None
        self._lines = Lines.behind(before) if before is not None else Lines.of(match.header)
        self._lines = self._lines.and_(*match.read(before.line if before is not None else 0, match.entries))
        return match._replace(read=self.reader())

    async def begin_match(self, header: Iterable[str], entries: Iterable[str] = ()) -> None:
        """Begin a match with the header of its record, and with the entries that it has already; raises `JournalError`,
        and then nothing of it is there.
        """
        texts = list(entries)
        await self._commit(lambda header: self._insert_match(header, texts), "\n".join(header))

    async def append(self, text: str, stood: str = "") -> None:
        """Write an entry of the match, one or more lines of its record, and with it how the match `stood` before it;
        raises `JournalError`.

        When this returns the entry has reached the disk.
        """
        await self._commit(lambda text: self._insert_line(text, stood), text)

    def stand(self, told: str) -> None:
        """Write how the match stands. Nobody waits for it, and it raises nothing: without it more is ruled on anew."""
        if told:
            self._writer.submit(self._try_stand, told)

    def _try_stand(self, told: str) -> None:
        with suppress(*FAULTS):
            try:
                self._file.execute("BEGIN IMMEDIATE")
                self._insert_stand(told)
                self._file.execute("COMMIT")
            except FAULTS:
                self._roll_back()
                raise

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
        statement = "INSERT INTO note (match, line, device, tag, what, look, wall_time) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(statement, rows)
            self._file.execute("COMMIT")
        except FAULTS:
            self._roll_back()
            return
        self._waiting.clear()

    async def _commit(self, insert: Callable[[str], _Place], text: str) -> None:
        self.waiting += 1
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._transact, insert, text)
            self.saved += 1
        except FAULTS as error:
            self.failed += 1
            self._copies.heed(error)
            full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            kind = DiskFullError if full else JournalError
            raise kind(Phrase("the journal cannot be written: {why}", why=one_line(error))) from None
        finally:
            self.waiting -= 1

    def _transact(self, insert: Callable[[str], _Place], text: str) -> None:
        self._watch("begin")
        self._after = self._lines
        self._file.execute("BEGIN IMMEDIATE")
        try:
            place = insert(text)
            self._watch("written")
            self._storage.commit(self._file)
        except FAULTS:
            self._roll_back()
            raise
        self._wrote |= place.line > 0
        self._place, self._lines = place, self._after
        self._watch("durable")

    def _roll_back(self) -> None:
        if self._file.in_transaction:
            with suppress(*FAULTS):  # it has failed already; what is left of it goes with the next or the close
                self._file.execute("ROLLBACK")

    def _insert_match(self, header: str, entries: list[str]) -> _Place:
        now, clock = self._storage.wall_time(), self._storage.clock_is_set()
        cursor = self._file.execute(
            "INSERT INTO match (number, header, wall_time, clock) VALUES (max("
            " (SELECT coalesce(max(number), 0) + 1 FROM match),"
            " coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = ?), 1)), ?, ?, ?)",
            (NEXT, header, now, clock),
        )
        assert cursor.lastrowid is not None
        if entries and not self._wrote:
            self._insert_setting(f"{SESSION}{cursor.lastrowid}", "start")
        rows = [(cursor.lastrowid, number, text, now, clock) for number, text in enumerate(entries, 1)]
        self._file.executemany(INSERT_LINE, rows)
        self._after = Lines.of(header).and_(*entries)
        return _Place(cursor.lastrowid, len(rows))

    def _insert_line(self, text: str, stood: str) -> _Place:
        place = self._place._replace(line=self._place.line + 1)
        if place.line == 1 and not self._wrote:
            self._insert_setting(f"{SESSION}{place.match}", "start")
        row = (*place, text, self._storage.wall_time(), self._storage.clock_is_set())
        self._file.execute(INSERT_LINE, row)
        if stood:
            self._insert_stand(stood)
        self._after = self._lines.and_(text)
        return place

    def _insert_stand(self, told: str) -> None:
        """Behind what is on the disk. Of a match the newest are kept."""
        row = (self._place.match, *self._lines.stand(self._place.line, told))
        self._file.execute("INSERT OR REPLACE INTO stand (match, line, lines, told, whole) VALUES (?, ?, ?, ?, ?)", row)
        self._file.execute(
            "DELETE FROM stand WHERE match = ? AND line <= (SELECT line FROM stand WHERE match = ?"
            " ORDER BY line DESC LIMIT 1 OFFSET ?)",
            (self._place.match, self._place.match, KEPT),
        )

    def _insert_setting(self, key: str, value: str) -> _Place:
        self._file.execute("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", (key, value))
        return self._place

    def copy(self) -> None:
        """Have a copy of the journal made beside it (`firmware.generations`). Nobody waits for it, and it raises
        nothing.
        """
        self._copies.make()

    def close(self) -> None:
        """Close the file, let others have it, and end the threads."""
        self._copies.close()
        self._writer.submit(self._file.close).result()
        self._lock.close()
        self._writer.shutdown()


def open_journal(path: Path, storage: Storage) -> tuple[sqlite3.Connection, JournalLock]:
    """A journal of this version that nobody else writes to, for the thread that calls. To be closed: first the file,
    then the lock.

    Raises `JournalError` or `FAULTS`.
    """
    refuse_newer(path)
    file = storage.connect(path)
    with ExitStack() as close:
        close.callback(file.close)
        version = file.execute("PRAGMA user_version").fetchone()[0]  # by this the file is there
        lock = JournalLock(path)
        close.pop_all()  # SQLite's file first, then the lock
        close.callback(lock.close)
        close.callback(file.close)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
        if not is_current(file):  # else nothing is written: a table that comes up on a full disk must find its match
            if version > 0:
                kept = keep_older(path, version, storage)
                complain(Phrase("{path}: the journal was of version {version}; it is kept as {kept}",
                                path=path, version=version, kept=kept.name))  # fmt: skip
            bring_up(file)
        close.pop_all()
    return file, lock


def one_line(error: Exception) -> str:
    """What SQLite says, in one line: it may quote what a damaged file holds."""
    said = said_by(error)
    if said.facts:
        return said
    text = " ".join(said.split()) or type(error).__name__
    return Phrase("".join(sign if sign.isprintable() else "�" for sign in text))
