"""One table to a journal: two that write to one would each play on from what the other does not know."""

import fcntl
import os
from pathlib import Path

from engine.phrases import Phrase
from firmware.errors import JournalError
from hal.holders import holders, is_taken

_held: set[tuple[int, int]] = set()
"""Device and inode of the journals of this process. To close a file ends all of SQLite's own (POSIX) locks that this
process has on it, so one that is ours already must not be opened to try it."""


class JournalLock:
    """Holds a journal that is there until `close`, or until the process ends, however it ends (flock(2), which SQLite
    does not use: who only reads is not in the way, and not held up).

    Raises `JournalError` when another table has the journal. On a file system without such locks nothing is held.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = -1
        state = path.stat()
        self._identity = (state.st_dev, state.st_ino)
        if self._identity in _held:
            raise JournalError(
                Phrase("{path}: this process writes to it already; expected a journal of no other table", path=path)
            )
        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if is_taken(error):
                who = ", ".join(holders(str(path))) or Phrase("a program that cannot be seen")
                raise JournalError(
                    Phrase("{path}: {who} writes to it; expected a journal of no other table", path=path, who=who)
                ) from None
            return
        self._descriptor = descriptor
        _held.add(self._identity)

    def close(self) -> None:
        """Let others have the journal. Only when SQLite has closed it. Closing again does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            _held.discard(self._identity)
            self._descriptor = -1


def is_held(path: Path, locks: Path = Path("/proc/locks")) -> bool:
    """Whether a table has this journal. It is not tried by taking it: a table that starts just then would find it
    taken. Raises OSError for a journal that is not there; where the kernel tells of no locks, none is held.
    """
    inode = str(path.stat().st_ino)
    try:
        lines = locks.read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    return any(
        "FLOCK" in (words := line.split())
        and "WRITE" in words
        and "->" not in words
        and any(word.count(":") == 2 and word.rpartition(":")[2] == inode for word in words)
        for line in lines
    )
