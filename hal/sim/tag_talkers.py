"""Simulated readers that speak by themselves: RDM6300, ID-12LA, and keyboards.

No thread and no clock: whoever owns the wire asks by `feed` what has come. What a real reader repeats while a
tag is near comes once with every call.
"""

from abc import ABC, abstractmethod
from random import Random

from hal.em4100 import ID12LA_END, RDM6300_END, frame_of
from hal.keyboard import DOWN, ENTERS, EV_KEY, EV_SYN, EVENT, EVIOCGRAB, KEYS
from hal.sim.faults import STRANGER, Fault

_CODES = {text: code for code, text in reversed(KEYS.items())}
_SHORTEST = 3
_NOISE = bytes.fromhex("FF 30 03 0D")


class TalkerChip(ABC):
    """What such readers share: tags that come and go, and faults. One tag can be read; two garble each other.

    Faults draw from `chance`.
    """

    KNOWS = frozenset(
        {
            Fault.DEAF, Fault.DEAF_UNTIL_RESET, Fault.BAD_CHECKSUM, Fault.GARBLED_FRAMES, Fault.CUT_FRAMES,
            Fault.EVERY_SECOND_POLL_MISSES, Fault.PHANTOM, Fault.NOISE, Fault.TWO_TAGS, Fault.PILE_STALLS,
        }
    )  # fmt: skip
    """The faults that it can have; a pile is read by none of them, stall or not."""

    def __init__(self, *, repeats: bool, seed: int = 0) -> None:
        self.field: list[bytes] = []
        self.faults: set[Fault] = set()
        self.polls = 0
        """How often it was asked what has come."""
        self._repeats = repeats
        self.chance = Random(seed)
        self._told: list[bytes] = []

    def reset(self) -> None:
        """Power off and on again: a tag that lies there is told anew."""
        self._told = []
        self.faults.discard(Fault.DEAF_UNTIL_RESET)

    def feed(self, data: bytes) -> bytes:
        """What it sends by now. Nothing can be said to it."""
        self.polls += 1
        if self.faults & {Fault.DEAF, Fault.DEAF_UNTIL_RESET}:
            return b""
        if Fault.EVERY_SECOND_POLL_MISSES in self.faults and self.polls % 2 == 0:
            return b""
        field = list(self.field)
        if field and Fault.TWO_TAGS in self.faults:
            field.append(STRANGER[:5])
        if not field and Fault.PHANTOM in self.faults and not self.chance.randrange(3):
            field = [self.chance.choice((bytes(5), b"\xff" * 5, self.chance.randbytes(5)))]
        new = field if self._repeats or field != self._told else []
        self._told = field
        if not new:
            return b""
        return self._damaged(self._said(new[0]) if len(new) == 1 else self._collided(new))

    @abstractmethod
    def _said(self, uid: bytes) -> bytes:
        """What it sends for one tag."""

    def _collided(self, uids: list[bytes]) -> bytes:
        """Two tags that speak at once: for the most part nobody is understood."""
        return self._said(bytes(map(int.__or__, *uids[:2])))[:-_SHORTEST]

    def _damaged(self, data: bytes) -> bytes:
        if Fault.GARBLED_FRAMES in self.faults and not self.chance.randrange(3):
            damaged = bytearray(data)
            damaged[self.chance.randrange(1, len(data))] ^= 1 << self.chance.randrange(7)
            data = bytes(damaged)
        if Fault.CUT_FRAMES in self.faults and not self.chance.randrange(3):
            data = data[: self.chance.randrange(1, len(data))]
        return _NOISE + data if Fault.NOISE in self.faults else data


class Em4100Chip(TalkerChip):
    """An RDM6300; without `repeats`, an ID-12LA."""

    def __init__(self, *, repeats: bool = True, seed: int = 0) -> None:
        super().__init__(repeats=repeats, seed=seed)
        self._end = RDM6300_END if repeats else ID12LA_END

    def _said(self, uid: bytes) -> bytes:
        data = bytearray(frame_of(uid, self._end))
        if Fault.BAD_CHECKSUM in self.faults:
            data[1] ^= 0x01
        return bytes(data)

    def _collided(self, uids: list[bytes]) -> bytes:
        """At every second time even the start is lost."""
        data = super()._collided(uids)
        return data[1:] if self.chance.randrange(2) else data


class KeyboardChip(TalkerChip):
    """A reader that types. As an event device it can be taken by one opening alone; else a console hears it."""

    KNOWS = TalkerChip.KNOWS - {Fault.BAD_CHECKSUM}

    def __init__(self, seed: int = 0) -> None:
        super().__init__(repeats=False, seed=seed)
        self.grabbed = False
        self.console = ""
        """What somebody at the console saw being typed."""

    def reset(self) -> None:
        """Pulled out and put back: nobody has it."""
        super().reset()
        self.grabbed = False

    def ioctl(self, fd: int, request: int, value: int) -> int:
        """The kernel's side of taking the keys for one opening alone, and of letting them go."""
        if request == EVIOCGRAB:
            self.grabbed = bool(value)
        return 0

    def _said(self, uid: bytes) -> bytes:
        digits = uid.hex().upper()
        if not self.grabbed:
            self.console += digits + "\n"
        return typed(digits)


def typed(digits: str, *, enter: bool = True) -> bytes:
    """The records of a number that is typed: each key goes down and up, and a report follows each."""
    codes = [_CODES[digit] for digit in digits] + ([min(ENTERS)] if enter else [])
    return b"".join(
        EVENT.pack(0, 0, kind, code, value)
        for key in codes
        for kind, code, value in ((EV_KEY, key, DOWN), (EV_SYN, 0, 0), (EV_KEY, key, 0), (EV_SYN, 0, 0))
    )
