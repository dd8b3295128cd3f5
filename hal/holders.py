"""Who has a port: the programs that have its device file open, as far as this user may look."""

import errno
import os
from contextlib import suppress
from pathlib import Path

TAKEN = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY})
"""What opening a port fails with while another program has it for itself."""


def is_taken(fault: BaseException) -> bool:
    """Whether a port could not be opened because another program has it."""
    return isinstance(fault, OSError) and fault.errno in TAKEN


def holders(path: str, proc: Path = Path("/proc")) -> tuple[str, ...]:
    """The other programs that have the file at `path` open, such as `minicom (pid 4711)`, as far as this user may see.

    Takes some milliseconds, and raises nothing: programs come and go meanwhile.
    """
    wanted = os.path.realpath(path)
    try:
        processes = sorted((place for place in proc.iterdir() if place.name.isdecimal()), key=lambda one: int(one.name))
    except OSError:
        return ()
    own = str(os.getpid())
    return tuple(
        f"{_name(process)} (pid {process.name})"
        for process in processes
        if process.name != own and _has_open(process, wanted)
    )


def _has_open(process: Path, wanted: str) -> bool:
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:
        return False
    for descriptor in descriptors:
        with suppress(OSError):
            if str(descriptor.readlink()) == wanted:
                return True
    return False


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "?"
