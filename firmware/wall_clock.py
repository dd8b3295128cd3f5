"""Whether the clock on the wall was set: a Pi has none that runs on without power, and believes in some older time
until the network tells it.

Nothing that is decided depends on it; entries, notes and exports carry its time as a label, and say so.
"""

import ctypes
from functools import cache
from pathlib import Path

TIMESYNC = "run/systemd/timesync/synchronized"
"""The file that systemd-timesyncd leaves once it has set the clock (systemd-timesyncd.service(8))."""
RTC = "dev/rtc0"
_ERROR = 5  # TIME_ERROR of adjtimex(2): the clock is not synchronised
_ROOM = 1024  # bytes, more than any struct timex has; all zero asks and changes nothing


def is_clock_set(root: Path = Path("/")) -> bool:
    """Whether the network, or a clock with a battery, has set the clock; False where nothing says so. Below another
    `root` than `/` its files alone are asked.
    """
    if (root / TIMESYNC).exists() or (root / RTC).exists():
        return True
    return root == Path("/") and _kernel_says()


def _kernel_says() -> bool:
    """What the kernel knows of it, such as from chrony or ntpd."""
    asked = _adjtimex()
    state = asked(ctypes.create_string_buffer(_ROOM)) if asked is not None else -1
    return 0 <= state < _ERROR


@cache
def _adjtimex() -> "ctypes._NamedFuncPointer | None":
    return getattr(ctypes.CDLL(None), "adjtimex", None)
