"""Files that people write: a table, a deck, a script. What is far too large for one is read no further."""

import errno
import os
from pathlib import Path

from hal.phrases import Phrase

MOST = 1 << 22
"""Bytes of such a file at most."""


def read_small(path: Path, most: int = MOST) -> bytes:
    """The bytes of a file; raises OSError where it cannot be read, or holds more than `most` of them."""
    if path.is_fifo() and Path("/dev") not in path.parents:  # nobody may ever write to it
        raise OSError(errno.EINVAL, Phrase("a pipe; expected a file"), str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data
