"""Card readers that are keyboards to the computer: they type a tag's number and Enter.

What is read is the kernel's event device (`struct input_event`, linux/input.h), taken for this process alone:
otherwise the number goes to whatever console has the keys. They type once, when a tag comes.
"""

import errno
import fcntl
import os
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from hal.pn532 import Port
from hal.tags import Family, Garbled, Nothing, PollResult, Tags, impossible

EVENT = struct.Struct("@llHHi")
"""One record: seconds, microseconds, type, code, value. 24 bytes, or 16 where a `long` has 4."""
EVIOCGRAB = 0x40044590
"""_IOW('E', 0x90, int): all events to this opening alone, or again to everybody."""

EV_SYN, EV_KEY = 0x00, 0x01
SYN_DROPPED = 3
"""Code of the EV_SYN that says that records were lost."""
DOWN = 1
"""Value of a key that goes down; 0 is up, 2 a repeat."""
ENTERS = frozenset({28, 96})
SHIFTS = frozenset({42, 54, 58, 69})
"""Shift, caps lock and num lock: pressed by readers that type letters, and no part of a number."""
KEYS = (
    {code: str((code - 1) % 10) for code in range(2, 12)}
    | dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True))
    | dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True))
)
"""What the keys of a number type: the row of digits, A to F, the keypad."""
LONGEST = 32
"""Digits of the longest number that is taken."""
PARTIAL_TIME = 0.5
"""Seconds after which a number without Enter is given up."""

Ioctl = Callable[[int, int, int], object]

_RECORDS = 64  # read at once; the kernel keeps no more for one opening


class EventDevice:
    """An opened event device: whole records, as they come. Raises OSError when the device has gone."""

    def __init__(self, path: str, *, grab: bool = True, ioctl: Ioctl = fcntl.ioctl) -> None:
        """Raises OSError when there is no such device, or another process has taken it for itself."""
        self._ioctl = ioctl
        self._grabbed = False
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            if grab:
                self._grab(path)
        except OSError:
            os.close(self._fd)
            raise

    def _grab(self, path: str) -> None:
        try:
            self._ioctl(self._fd, EVIOCGRAB, 1)
        except OSError as error:
            words = f"cannot take {path} for this program alone, so that tags would be typed on the console: {error}"
            raise OSError(error.errno or errno.EIO, words) from error
        self._grabbed = True

    @property
    def in_waiting(self) -> int:
        """What may be read without waiting: nothing ever waits here."""
        return _RECORDS * EVENT.size

    def read(self, size: int) -> bytes:
        """Records that have come, or none."""
        try:
            data = os.read(self._fd, size)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError(errno.ENODEV, "the event device has ended")
        return data

    def write(self, data: bytes) -> int:
        """Nothing is written to a reader of this kind."""
        return 0

    def reset_input_buffer(self) -> None:
        """Throw away what has come and was not read."""
        with suppress(BlockingIOError):
            while os.read(self._fd, _RECORDS * EVENT.size):
                pass

    def close(self) -> None:
        """Let the keys go to everybody again, and close."""
        if self._grabbed:
            with suppress(OSError):
                self._ioctl(self._fd, EVIOCGRAB, 0)
        os.close(self._fd)


class KeyParser:
    """Numbers out of records, which may be cut anywhere. Two hex digits make a byte, whatever base the reader
    means: so no zero is lost, and a number is one for its length too.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._typed = ""
        self._wrong = ""
        self._begun = 0.0

    def feed(self, data: bytes, now: float) -> list[bytes | Garbled]:
        """Take what has come by `now`; give the numbers that are complete, and a word for each that is none."""
        found: list[bytes | Garbled] = []
        if (self._typed or self._wrong) and now - self._begun > PARTIAL_TIME:
            found.append(self._end(self._wrong or f"no Enter after {len(self._typed)} digits"))
        data = self._rest + data
        whole = len(data) // EVENT.size * EVENT.size
        self._rest = data[whole:]
        for _, _, kind, code, value in EVENT.iter_unpack(data[:whole]):
            if (kind, code) == (EV_SYN, SYN_DROPPED):
                self._note("keys were lost", now)
            elif kind == EV_KEY and value == DOWN:
                if code in ENTERS:
                    found += self._entered()
                else:
                    self._key(code, now)
        return found

    def _key(self, code: int, now: float) -> None:
        if not self._typed and not self._wrong:
            self._begun = now
        if code in SHIFTS:
            return
        if code not in KEYS:
            self._note(f"key {code} is no digit", now)
        elif len(self._typed) >= LONGEST:
            self._note(f"more than {LONGEST} digits", now)
        else:
            self._typed += KEYS[code]

    def _note(self, wrong: str, now: float) -> None:
        if not self._typed and not self._wrong:
            self._begun = now
        self._wrong = self._wrong or wrong

    def _entered(self) -> list[bytes | Garbled]:
        if self._wrong:
            return [self._end(self._wrong)]
        typed, self._typed = self._typed, ""
        if not typed:
            return []
        if len(typed) % 2:
            return [Garbled(f"{len(typed)} digits; a number has two for each byte")]
        uid = bytes.fromhex(typed)
        problem = impossible(uid, Family.KEYS)
        return [uid if problem is None else Garbled(f"impossible number {typed}: {problem}")]

    def _end(self, why: str) -> Garbled:
        self._typed = self._wrong = ""
        return Garbled(why)


class KeyboardDriver:
    """One reader behind one event device. Each method may raise OSError when the device has gone."""

    repeats = 0
    """It cannot be asked for anything again."""
    proven = True
    """The kernel has found the device, and gave it to nobody else."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._parser = KeyParser()
        self._results: deque[PollResult] = deque(maxlen=16)

    def start(self, now: float) -> None:
        """Drop what was typed before anybody listened."""
        self._port.reset_input_buffer()

    def poll(self, now: float) -> PollResult:
        """The oldest number that was typed and not given yet. Silence is Nothing."""
        for found in self._parser.feed(self._port.read(self._port.in_waiting), now):
            self._results.append(Tags((found,)) if isinstance(found, bytes) else found)
        return self._results.popleft() if self._results else Nothing()

    def stop(self) -> None:
        """Nothing can be said to this reader."""
