"""What lies under the journal: the file on its disk, and the clock on the wall that entries are labelled by."""

import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Protocol

from firmware.wall_clock import is_clock_set


def journal_file(named: str | None) -> Path:
    """The journal that is named, or the one that a table of this computer has: in the service's state folder, which
    systemd names (systemd.exec(5)), else here.
    """
    state = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(named) if named else Path(state or ".") / "tableref.db"


class Storage(Protocol):
    """What a journal asks of the machine. What has to do with the disk raises `sqlite3.Error` when that fails."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open the file, for the thread that calls."""

    def commit(self, file: sqlite3.Connection) -> None:
        """Bring the transaction that is under way onto the disk."""

    def copy(self, path: Path, target: Path) -> None:
        """Write all that is committed in a file into another one, which is not there yet, while others write to the
        first.
        """

    def free(self, folder: Path) -> int:
        """Bytes that are left where a folder lies; raises OSError."""

    def wall_time(self) -> float:
        """Seconds since 1970 as the computer believes them: a label, which may jump."""

    def clock_is_set(self) -> bool:
        """Whether anything has set the clock that `wall_time` looks at."""


class Disk:
    """The disk and the clock of the machine itself."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open the file, for the thread that calls."""
        return sqlite3.connect(path, isolation_level=None)

    def commit(self, file: sqlite3.Connection) -> None:
        """Bring the transaction that is under way onto the disk."""
        file.execute("COMMIT")

    def copy(self, path: Path, target: Path) -> None:
        """Write all that is committed in a file into another one (https://www.sqlite.org/backup.html)."""
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)

    def free(self, folder: Path) -> int:
        """Bytes that are left where a folder lies."""
        return shutil.disk_usage(folder).free

    def wall_time(self) -> float:
        """Seconds since 1970 as the computer believes them."""
        return time.time()

    def clock_is_set(self) -> bool:
        """Whether anything has set the clock that `wall_time` looks at."""
        return is_clock_set()
