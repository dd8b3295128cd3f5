"""Readers for 125 kHz tags that speak by themselves: the RDM6300 and the ID-12LA.

Both send a frame of text at 9600 baud: 02, ten hex digits (the tag's five bytes), two hex digits (those bytes
exclusive-ored), 03; the ID-12LA (data sheet, "Data format: ASCII") puts CR LF before the 03. The RDM6300 repeats
it while the tag is near, the ID-12LA sends it once. Neither tells when a tag leaves, neither can tell two tags
apart, and neither can be asked anything.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import xor

from hal.phrases import Phrase
from hal.pn532 import Port
from hal.tags import Family, Garbled, Nothing, PollResult, Tags, impossible

BAUD = 9_600
START = b"\x02"
RDM6300_END = b"\x03"
ID12LA_END = b"\r\n\x03"
PARTIAL_TIME = 0.2
"""Seconds after which a frame that has begun is given up. A whole one takes 17 ms; an adapter may add 16."""
TWICE_TIME = 3.0
"""Seconds within which the second of two equal frames confirms the first."""

_DIGITS = 12  # ten of the tag, two of its sum
_HEX = frozenset(b"0123456789ABCDEF")
_MOST = 256  # bytes taken in one poll: a line that never falls silent must not hold the thread


def frame_of(uid: bytes, end: bytes = RDM6300_END) -> bytes:
    """The frame that tells this tag.

    >>> frame_of(bytes.fromhex("62E3086CED"))
    b'\\x0262E3086CED08\\x03'
    """
    return START + (uid + bytes([reduce(xor, uid, 0)])).hex().upper().encode() + end


@dataclass(frozen=True, slots=True)
class Heard:
    """A frame whose sum is right."""

    uid: bytes


class FrameParser:
    """Finds frames in a stream that may be cut anywhere and may hold anything between them.

    Every 02 starts anew, whatever came before it; what grows longer than a frame is dropped. Bytes outside of frames
    are no silence: where they come and no frame does, something speaks that is not understood.
    """

    def __init__(self, end: bytes = RDM6300_END) -> None:
        self._end = end
        self._length = len(START) + _DIGITS + len(end)
        self._buffer = bytearray()
        self._begun = 0.0

    @property
    def begun(self) -> bool:
        """Whether a frame has begun that has not ended."""
        return bool(self._buffer)

    def feed(self, data: bytes, now: float) -> list[Heard | Garbled]:
        """Take what has come by `now`; give the frames in it, and a word for each that was none; for bytes outside of
        frames one at most, and none beside another word.
        """
        found: list[Heard | Garbled] = []
        outside = 0
        if self._buffer and now - self._begun > PARTIAL_TIME:
            found.append(Garbled(Phrase("frame cut off after {size} bytes", size=len(self._buffer))))
            self._buffer.clear()
        for byte in data:
            if byte == START[0]:
                if self._buffer:
                    found.append(Garbled(Phrase("frame cut off after {size} bytes", size=len(self._buffer))))
                self._buffer[:] = START
                self._begun = now
            elif self._buffer:
                self._buffer.append(byte)
                if len(self._buffer) == self._length:
                    found.append(self._whole(bytes(self._buffer)))
                    self._buffer.clear()
            else:
                outside += 1
        if outside and not found:
            found.append(Garbled(Phrase("{outside} bytes outside of any frame", outside=outside)))
        return found

    def _whole(self, data: bytes) -> Heard | Garbled:
        digits, end = data[1 : 1 + _DIGITS], data[1 + _DIGITS :]
        if end != self._end or not _HEX.issuperset(digits):
            return Garbled(Phrase("no frame: {bytes}", bytes=data.hex(" ")))
        numbers = bytes.fromhex(digits.decode())
        if reduce(xor, numbers):
            return Garbled(Phrase("sum is wrong in {digits}", digits=digits.decode()))
        uid = numbers[:-1]
        problem = impossible(uid, Family.EM4100)
        return (
            Heard(uid)
            if problem is None
            else Garbled(Phrase("impossible UID {uid}: {problem}", uid=uid.hex().upper(), problem=problem))
        )


class Em4100Driver:
    """One such reader behind one port that never blocks. Each method may raise what the port does.

    The sum is weak: of frames with one to three flipped bits, one in three hundred still passes and tells
    another tag. So a tag counts when it is one of the table's (`enrolled`), or when a second frame says the same.
    """

    repeats = 0
    """It cannot be asked for anything again."""

    def __init__(self, port: Port, enrolled: Callable[[bytes], bool], end: bytes = RDM6300_END) -> None:
        self._port = port
        self._enrolled = enrolled
        self._parser = FrameParser(end)
        self._results: deque[PollResult] = deque(maxlen=16)
        self._garbling = False
        self._doubted: tuple[bytes, float] | None = None
        self.proven = False
        """Whether a right frame has come: until then nothing says that a reader is there at all."""

    def start(self, now: float) -> None:
        """Drop what came before anybody listened."""
        self._port.reset_input_buffer()

    def poll(self, now: float) -> PollResult:
        """The oldest thing that the reader said and was not given yet. Silence is Nothing."""
        waiting = min(self._port.in_waiting, _MOST)
        data = self._port.read(waiting) if waiting else b""
        for found in self._parser.feed(data, now):
            result = self._judged(found, now) if isinstance(found, Heard) else found
            self._garbling = isinstance(result, Garbled)
            if not (self._results and self._results[-1] == result):
                self._results.append(result)
        if self._results:
            return self._results.popleft()
        if self._parser.begun and self._garbling:
            return Garbled(Phrase("a frame has begun, after what was none"))  # tags that speak at once do that for ever
        self._garbling = False
        return Nothing()

    def stop(self) -> None:
        """Nothing can be said to this reader; its field stays on while it has power."""

    def _judged(self, heard: Heard, now: float) -> PollResult:
        self.proven = True
        doubted, self._doubted = self._doubted, (heard.uid, now)
        if self._enrolled(heard.uid):
            return Tags((heard.uid,))
        if doubted is not None and doubted[0] == heard.uid and now - doubted[1] <= TWICE_TIME:
            return Tags((heard.uid,))
        return Garbled(
            Phrase("unknown tag {uid} was heard once; a second frame has to say the same", uid=heard.uid.hex().upper())
        )
