"""The last table file that a table has started with, kept beside its journal.

A power cut can leave a file that was just edited empty, or full of zero bytes. Then the copy is used, and that is said.
The file itself is never written to: what is wrong with it is for people to mend.
"""

import errno
import os
from pathlib import Path

from firmware.whole import write_whole
from hal.small_files import read_small


def kept_copy(journal: Path) -> Path:
    """Where the copy lies."""
    return journal.with_name(f"{journal.name}.table")


def keep_good(table_file: Path, journal: Path) -> None:
    """Keep a table file that is good; one that is kept already costs no write. Raises OSError."""
    copy, data = kept_copy(journal), read_small(table_file)
    if copy.exists() and not copy.is_file():
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(copy))
    if not is_lost(table_file) and (not copy.is_file() or copy.read_bytes() != data):
        write_whole(copy, data)


def is_lost(table_file: Path) -> bool:
    """Whether a file has nothing in it, as a power cut leaves it: no bytes, or zero bytes alone."""
    try:
        return table_file.is_file() and not read_small(table_file).strip(b"\0")
    except OSError:
        return False


def copy_instead(table_file: Path, journal: Path) -> Path | None:
    """What to read in the place of a table file that is lost; None: the file itself, or there is nothing else."""
    copy = kept_copy(journal)
    return copy if is_lost(table_file) and copy.is_file() and not is_lost(copy) else None
