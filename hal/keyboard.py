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

from hal.phrases import Phrase, said_by
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
PARTIAL_TIME = 0.25
"""Seconds after the last key, after which a number without Enter is given up. Slow readers take a tenth for a key, and
none has the next card within a quarter."""

Ioctl = Callable[[int, int, int], object]

_MOST_READS = 64  # a device that types without end must not hold the thread
_RECORDS = 64  # read at once; the kernel keeps no more for one opening


class EventDevice:
    """An opened event device: whole records, as they come. Raises OSError when the device has gone."""

    def __init__(self, path: str, *, grab: bool = True, ioctl: Ioctl = fcntl.ioctl) -> None:
        """Raises OSError when there is no such device, or another process has taken it for itself."""
        self._ioctl = ioctl
        self._grabbed = False
        self._lost = b""  # what the next read begins with
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
            words = Phrase(
                "cannot take {path} for this program alone, so that tags would be typed on the console: {error}",
                path=path,
                error=said_by(error),
            )
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
            lost, self._lost = self._lost, b""
            return lost
        if not data:
            raise OSError(errno.ENODEV, Phrase("the event device has ended"))
        lost, self._lost = self._lost, b""
        return lost + data

    def write(self, data: bytes) -> int:
        """Nothing is written to a reader of this kind."""
        return 0

    def reset_input_buffer(self) -> None:
        """Throw away what has come and was not read. Where that is the head of a number, the next read says that
        records were lost, as the kernel does.
        """
        head = False
        with suppress(BlockingIOError):
            for _ in range(_MOST_READS):
                data = os.read(self._fd, _RECORDS * EVENT.size)
                if not data:
                    break
                for _, _, kind, code, value in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
                    if (kind, value) == (EV_KEY, DOWN):
                        head = code not in ENTERS
        if head:
            self._lost = EVENT.pack(0, 0, EV_SYN, SYN_DROPPED, 0)

    def close(self) -> None:
        """Let the keys go to everybody again, and close."""
        if self._grabbed:
            with suppress(OSError):
                self._ioctl(self._fd, EVIOCGRAB, 0)
        os.close(self._fd)


class KeyParser:
    """Numbers out of records, which may be cut anywhere. Two hex digits make a byte, whatever base the reader
    means: so no zero is lost, and a number is one for its length too.

    After anything that is no number, nothing counts before the next Enter: what comes until then may be the tail of
    a number whose head was lost, and a tail looks like a number.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._typed = ""
        self._wrong = ""  # why nothing counts before the next Enter
        self._stamp = self._heard = 0.0  # of the last key: its record's time, and when it was read

    def feed(self, data: bytes, now: float) -> list[bytes | Garbled]:
        """Take what has come by `now`; give the numbers that are complete, and a word for each that is none; while
        nothing counts, a word for each call that brings keys.
        """
        found: list[bytes | Garbled] = []
        data = self._rest + data
        whole = len(data) // EVENT.size * EVENT.size
        self._rest = data[whole:]
        came = False
        for seconds, microseconds, kind, code, value in EVENT.iter_unpack(data[:whole]):
            if (kind, code) == (EV_SYN, SYN_DROPPED):
                came = True
                self._lose(Phrase("keys were lost"))
            elif kind == EV_KEY and value == DOWN:
                came = True
                found += self._down(code, seconds + microseconds / 1e6, now)
        if not came and self._typed and now - self._heard > PARTIAL_TIME:
            found.append(self._cut_off())
        if came and self._wrong and not found:
            found.append(Garbled(self._wrong))
        return found

    def lose_head(self) -> None:
        """What has come so far was not listened to: drop it, and what belongs to it."""
        if self._typed or self._rest:
            self._lose(Phrase("a number began before anybody listened"))

    def _down(self, code: int, stamp: float, now: float) -> list[bytes | Garbled]:
        # The kernel's times hold however late the records are read. Where it gave none, they are all the same.
        gap = stamp - self._stamp or now - self._heard
        found: list[bytes | Garbled] = [self._cut_off()] if self._typed and gap > PARTIAL_TIME else []
        self._stamp, self._heard = stamp, now
        if code in ENTERS:
            found += self._entered()
        elif code not in SHIFTS and not self._wrong:
            self._key(code)
        return found

    def _key(self, code: int) -> None:
        if code not in KEYS:
            self._lose(Phrase("key {code} is no digit", code=code))
        elif len(self._typed) >= LONGEST:
            self._lose(Phrase("more than {most} digits", most=LONGEST))
        else:
            self._typed += KEYS[code]

    def _lose(self, why: str) -> None:
        self._typed, self._wrong = "", self._wrong or why

    def _cut_off(self) -> Garbled:
        why = Phrase("no Enter after {count} digits", count=len(self._typed))
        self._lose(Phrase("{why}, and this may be their tail", why=why))
        return Garbled(why)

    def _entered(self) -> list[bytes | Garbled]:
        typed, wrong = self._typed, self._wrong
        self._typed = self._wrong = ""
        if wrong:
            return [Garbled(wrong)]
        if not typed:
            return []
        if len(typed) % 2:
            return [Garbled(Phrase("{count} digits; a number has two for each byte", count=len(typed)))]
        uid = bytes.fromhex(typed)
        problem = impossible(uid, Family.KEYS)
        return [
            uid
            if problem is None
            else Garbled(Phrase("impossible number {typed}: {problem}", typed=typed, problem=problem))
        ]


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
        """Drop what was typed before anybody listened, and the rest of a number whose head is dropped."""
        self._port.reset_input_buffer()
        self._parser.lose_head()

    def poll(self, now: float) -> PollResult:
        """The oldest number that was typed and not given yet. Silence is Nothing."""
        for found in self._parser.feed(self._port.read(self._port.in_waiting), now):
            self._results.append(Tags((found,)) if isinstance(found, bytes) else found)
        return self._results.popleft() if self._results else Nothing()

    def stop(self) -> None:
        """Nothing can be said to this reader."""
