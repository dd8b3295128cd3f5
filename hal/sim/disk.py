"""A simulated disk under a SQLite file, and the clock on the wall beside it: a disk that is slow or full, a clock that
jumps.

The file is a true one and SQLite itself says that it is full: by a limit on its pages, and with a page too many in the
transaction that is to be committed.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

MOST_PAGES = 1_073_741_823
"""SQLite's own limit (https://www.sqlite.org/limits.html, section 12)."""
_TOO_MUCH = 1 << 20  # bytes: more than what is free within the file

Wait = Callable[[float], None]
"""Lets so many seconds of the table's pass, in the thread that writes; may raise `sqlite3.Error`."""


class SimDisk:
    """One disk, used by one thread at a time. `wait` is called for what a slow disk takes."""

    def __init__(self, wait: Wait) -> None:
        self.full = False
        self.room = 1 << 40
        """Bytes that are left."""
        self.slow = 0.0
        """Seconds that each commit takes."""
        self.clock_step = 0.0
        """Seconds by which the clock on the wall is ahead of the true one."""
        self.clock_set = True
        """Whether the network has set the clock on the wall."""
        self._wait = wait

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open the file."""
        return sqlite3.connect(path, isolation_level=None)

    def commit(self, file: sqlite3.Connection) -> None:
        """Bring the transaction that is under way onto the disk. Raises `sqlite3.OperationalError` while it is
        full."""
        if self.slow:
            self._wait(self.slow)
        if self.full:
            self._fill(file)
        file.execute("COMMIT")

    def copy(self, path: Path, target: Path) -> None:
        """Write all that is committed in a file into another one. Raises `sqlite3.OperationalError` while the disk is
        full."""
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
            if self.full:
                copy.execute("PRAGMA max_page_count = 1")
            source.backup(copy)

    def free(self, folder: Path) -> int:
        """Bytes that are left."""
        return self.room

    def wall_time(self) -> float:
        """Seconds since 1970 as the computer believes them."""
        return time.time() + self.clock_step

    def clock_is_set(self) -> bool:
        """Whether anything has set the clock on the wall."""
        return self.clock_set

    def _fill(self, file: sqlite3.Connection) -> None:
        pages = file.execute("PRAGMA page_count").fetchone()[0]
        file.execute(f"PRAGMA max_page_count = {pages}")
        try:
            file.execute(f"CREATE TABLE full_disk AS SELECT zeroblob({_TOO_MUCH})")
        finally:
            file.execute(f"PRAGMA max_page_count = {MOST_PAGES}")
