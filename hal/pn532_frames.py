"""Frames of the PN532 on its serial line (PN532 user manual, section 6.2.1).

A frame is ``00 00 FF LEN LCS TFI data … DCS 00``: LEN counts TFI and data, LCS makes LEN zero modulo 256,
DCS does the same for TFI and data. Longer ones carry ``FF FF LENM LENL LCS`` instead of LEN and LCS.
Acknowledgements and errors have frames of their own.
"""

from dataclasses import dataclass
from functools import lru_cache

from hal.phrases import Phrase

HOST_TO_CHIP = 0xD4
"""TFI of a command."""
CHIP_TO_HOST = 0xD5
"""TFI of an answer."""
ERROR_TFI = 0x7F
"""TFI of the error frame, which carries nothing else (section 6.2.1.5)."""

ACK = bytes.fromhex("0000FF00FF00")
"""The last frame was received; from the host it also aborts the running command (section 6.2.1.3)."""
NACK = bytes.fromhex("0000FFFF0000")
"""The host wants the last answer once more (section 6.2.1.4)."""
ERROR_FRAME = bytes.fromhex("0000FF01FF7F8100")
"""The chip did not understand the command (section 6.2.1.5)."""

LONGEST_NORMAL = 255
"""TFI and data of a normal frame, in bytes; more takes the extended form."""
LONGEST = 265
"""TFI and data of any frame, in bytes (section 6.2.1.2)."""

_START = b"\x00\xff"
_EXTENDED = b"\xff\xff"
_NORMAL_HEAD = 4  # 00 FF LEN LCS
_EXTENDED_HEAD = 7  # 00 FF FF FF LENM LENL LCS


@dataclass(frozen=True, slots=True)
class Ack:
    """An acknowledgement."""


@dataclass(frozen=True, slots=True)
class Nack:
    """A request to send the last answer again."""


@dataclass(frozen=True, slots=True)
class Data:
    """A frame whose sums are right. `tfi` is the direction (or `ERROR_TFI`), `body` what follows it."""

    tfi: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Bad:
    """Something that begins like a frame and is none. The parser goes on after it by itself. `whole`: all of it has
    come, and only the sum over its data is wrong."""

    why: str
    whole: bool = False


Frame = Ack | Nack | Data | Bad


def checksum(data: bytes) -> int:
    """The byte that makes the sum of `data` zero modulo 256 (LCS and DCS alike)."""
    return -sum(data) & 0xFF


@lru_cache(maxsize=64)
def frame(tfi: int, body: bytes) -> bytes:
    """The bytes of a frame with direction `tfi`; of the extended form where `body` needs it.

    Raises ValueError when `body` is longer than the chip takes.
    """
    payload = bytes([tfi]) + body
    if len(payload) > LONGEST:
        raise ValueError(f"a frame holds {LONGEST - 1} bytes after its TFI, not {len(body)}")
    if len(payload) <= LONGEST_NORMAL:
        length = bytes([len(payload)])
        head = length + bytes([checksum(length)])
    else:
        length = len(payload).to_bytes(2, "big")
        head = _EXTENDED + length + bytes([checksum(length)])
    return b"\x00" + _START + head + payload + bytes([checksum(payload), 0])


class Parser:
    """Finds frames in a stream that may be cut anywhere and may hold anything between them.

    After a start whose sums are wrong, the search goes on right behind that start, so that a true frame
    inside a false one is still found. The trailing 00 of a frame is not waited for.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def reset(self) -> None:
        """Forget what has come so far."""
        self._buffer.clear()

    @property
    def begun(self) -> bool:
        """Whether a frame has begun that has not ended."""
        return len(self._buffer) > 1  # a single 00 may be the end of the last one

    @property
    def missing(self) -> int:
        """Bytes that will come at the least if a frame is coming and an answer behind an acknowledgement: 4 until its
        length is known, then the rest of it.
        """
        buffer = self._buffer
        if buffer[2:4] == _EXTENDED and len(buffer) >= _EXTENDED_HEAD:
            return max(1, _EXTENDED_HEAD + int.from_bytes(buffer[4:6], "big") + 1 - len(buffer))
        if buffer[2:4] == _EXTENDED or len(buffer) < _NORMAL_HEAD:
            return _NORMAL_HEAD
        return max(1, _NORMAL_HEAD + buffer[2] + 1 - len(buffer))

    def feed(self, data: bytes) -> list[Frame]:
        """Take the next bytes; give the frames that they complete, in order."""
        frames, rest = _found(bytes(self._buffer + data))
        self._buffer[:] = rest
        return list(frames)


@lru_cache(maxsize=256)  # a table at rest hears the same all day
def _found(stream: bytes) -> tuple[tuple[Frame, ...], bytes]:
    """The frames that are whole, and what may still become one."""
    buffer, frames = bytearray(stream), list[Frame]()
    while (found := _next(buffer)) is not None:
        frames.append(found)
    return tuple(frames), bytes(buffer)


def _next(buffer: bytearray) -> Frame | None:
    """The first frame, taken off with all before it."""
    start = buffer.find(_START)
    if start < 0:
        # A 00 at the end may be the first half of a start that is still to come.
        keep = 1 if buffer.endswith(_START[:1]) else 0
        del buffer[: len(buffer) - keep]
        return None
    del buffer[:start]
    if len(buffer) < _NORMAL_HEAD:
        return None
    length, length_sum = buffer[2], buffer[3]
    if (length, length_sum) == (0x00, 0xFF):
        return _taken(buffer, _NORMAL_HEAD, Ack())
    if (length, length_sum) == (0xFF, 0x00):
        return _taken(buffer, _NORMAL_HEAD, Nack())
    if (length, length_sum) == (0xFF, 0xFF):
        if len(buffer) < _EXTENDED_HEAD:
            return None
        return _payload(buffer, _EXTENDED_HEAD, bytes(buffer[4:6]), buffer[6])
    return _payload(buffer, _NORMAL_HEAD, bytes([length]), length_sum)


def _payload(buffer: bytearray, head: int, length_bytes: bytes, length_sum: int) -> Frame | None:
    length = int.from_bytes(length_bytes, "big")
    if checksum(length_bytes) != length_sum or not 0 < length <= LONGEST:
        return _taken(buffer, len(_START), Bad(_wrong_length(length_bytes, length_sum)))
    end = head + length
    if len(buffer) < end + 1:
        return None
    payload, data_sum = bytes(buffer[head:end]), buffer[end]
    if checksum(payload) != data_sum:
        bad = Bad(Phrase("data {bytes} with sum {sum:02x}", bytes=payload.hex(), sum=data_sum), whole=True)
        return _taken(buffer, len(_START), bad)
    return _taken(buffer, end + 1, Data(payload[0], payload[1:]))


def _taken(buffer: bytearray, count: int, found: Frame) -> Frame:
    del buffer[:count]
    return found


def _wrong_length(length_bytes: bytes, length_sum: int) -> Phrase:
    return Phrase("length {bytes} with sum {sum:02x}", bytes=length_bytes.hex(), sum=length_sum)
