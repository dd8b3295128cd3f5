"""Captures: the raw traffic of all wires of a table with its times, a line for each thing; see `docs/captures.md`.

`read_capture` reads one; `hal.recorder` writes one. Every look at a device is recorded with its time, but what is found
only where it is new: an exchange on a serial port that is answered as the last time is written once.
"""

import base64
import json
import os
import re
import zlib
from binascii import Error as BinasciiError
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from hal.errors import TablerefHardwareError
from hal.phrases import Phrase

VERSION = 2
"""The version of the format; the header says it under `capture`."""
LIMIT = 64 * 1024 * 1024
"""Size of a capture, in bytes, at which it ends: some ten hours of a table of six seats."""
LARGEST = 1024 * 1024 * 1024
"""Size, in bytes, of the largest file that is read."""
LONGEST = 100_000_000.0
"""Seconds, some three years, that no capture lasts."""
TABLE = "table"
"""The wire of what is no wire: what the table said, when it looked, and the end."""
LINES, BEGAN, TICK = "lines", "began", "tick"
"""What a table does at a time, beside polling a reader, which has that reader's name: it looks at all its lines, it
begins, it lets time pass."""
I2C = "i2c-"
"""How the wires of displays begin."""

OPERATIONS = frozenset({"open", "in_waiting", "read", "write", "reset_input_buffer", "close"})
"""What a driver does to a wire and what may fail, as an entry of kind `error` names it."""

_KINDS = tuple(
    (re.compile(wires), frozenset(kinds.split()))
    for wires, kinds in (
        (TABLE, "looks event instructed heard record decided end"),
        (r"(seat [1-9]\d?|dealing|centre) reader", "open exchange came same error"),
        (r"line \d{1,3} of .+", "level edge output same error"),
        (rf"{I2C}\d{{1,4}}", "open error"),
        (rf"{I2C}\d{{1,4}} [0-9A-F]{{2}}", "write read error"),
        (r"spidev\d{1,3}\.\d{1,3}", "open write error"),
    )
)
"""What may happen on the wires of each kind, by how their names are written."""

_LONG = 48  # bytes from which on data is packed
_MOST = 65_536  # bytes of one entry: more never pass a wire at once
_LOOKS = re.compile(r"[0-9]{1,4}:-?[0-9]{1,15}(?: [0-9]{1,4}:-?[0-9]{1,15})*")


class CaptureError(TablerefHardwareError, ValueError):
    """A file that is no capture of this version. `str()` is one line: ``FILE:LINE: what is wrong; expected …``."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(Phrase("{place}: {problem}", place=f"{file}:{line}", problem=problem))
        self.file = file
        self.line = line


class Entry(NamedTuple):
    """One thing that happened `at` seconds after the start of the capture."""

    at: float
    wire: str
    kind: str
    data: Any


class Look(NamedTuple):
    """That a device was polled, or the table stepped, `at` seconds after the start."""

    at: float
    device: str


class Capture(NamedTuple):
    """A capture that was read: its header, and what happened, in order of time."""

    name: str
    header: dict[str, Any]
    entries: tuple[Entry, ...]

    @property
    def complete(self) -> bool:
        """Whether it was ended, and not cut."""
        return any(entry.wire == TABLE and entry.kind == "end" for entry in self.entries)

    @property
    def seconds(self) -> float:
        """How long it lasts, in seconds."""
        return self.entries[-1].at if self.entries else 0.0

    def wires(self) -> dict[str, list[Entry]]:
        """What happened on each wire."""
        by_wire: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            by_wire[entry.wire].append(entry)
        return dict(by_wire)


def pack(data: bytes) -> str:
    """Bytes as text: hex, or `z:` and base64 of what zlib makes of long ones (a frame of a display is mostly dark)."""
    if len(data) < _LONG:
        return data.hex()
    return "z:" + base64.b64encode(zlib.compress(data)).decode("ascii")


def unpack(text: str) -> bytes:
    """The bytes that `pack` wrote; raises ValueError."""
    if not text.startswith("z:"):
        return bytes.fromhex(text)
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(text[2:], validate=True), _MOST)
    except (zlib.error, BinasciiError) as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError("cut off, or too long")
    return data


def pack_looks(looks: list[tuple[int, str]]) -> list[Any]:
    """Looks (microseconds since the start, device) as data: the devices, and for each look the number of its device
    and the microseconds since the look before; the first counts from 0.
    """
    devices = list(dict.fromkeys(device for _, device in looks))
    numbers = {device: number for number, device in enumerate(devices)}
    befores = [0, *(at for at, _ in looks)]
    pairs = (f"{numbers[device]}:{at - before}" for (at, device), before in zip(looks, befores, strict=False))
    return [devices, " ".join(pairs)]


def unpack_looks(data: Any) -> list[Look]:
    """The looks that `pack_looks` wrote; raises ValueError."""
    match data:
        case [[*devices], str() as text] if all(isinstance(device, str) for device in devices):
            pass
        case _:
            raise ValueError("no looks")
    if not _LOOKS.fullmatch(text):
        raise ValueError("no looks")
    looks, at = [], 0
    for pair in text.split(" "):
        number, _, since = pair.partition(":")
        at += int(since)
        if int(number) >= len(devices) or not 0 <= at / 1e6 <= LONGEST:
            raise ValueError("a look at no device, or at no time")
        looks.append(Look(at / 1e6, devices[int(number)]))
    return looks


def read_capture(path: Path) -> Capture:
    """The capture in a file; raises `CaptureError` with the line, or OSError.

    A last line that is cut off in the middle, as a pulled plug leaves it, is not counted.
    """
    name = str(path)
    with path.open("rb") as file:
        large = os.fstat(file.fileno()).st_size > LARGEST  # a pipe has no size
        data = b"" if large else file.read(LARGEST + 1)
    if large or len(data) > LARGEST:
        raise CaptureError(name, 1, Phrase("larger than {largest} MB; expected a capture", largest=LARGEST >> 20))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.rfind(b"\n") < error.start and "unexpected end" in error.reason:  # cut within a letter
            text = data[: error.start].decode("utf-8")
        else:
            raise CaptureError(
                name, data.count(b"\n", 0, error.start) + 1, Phrase("not UTF-8; expected a capture")
            ) from None
    lines = text.split("\n")
    cut = lines.pop()  # empty when the last line is whole
    if not lines:
        there = Phrase("a header that is cut off") if cut else Phrase("nothing")
        raise CaptureError(name, 1, Phrase("{there}; expected a capture", there=there))
    header = _header(name, lines[0])
    entries = [_entry(name, number, line) for number, line in enumerate(lines[1:], 2)]
    return Capture(name, header, tuple(sorted(entries, key=lambda entry: entry.at)))


def _header(name: str, line: str) -> dict[str, Any]:
    header = _value(name, 1, line)
    if not isinstance(header, dict) or "capture" not in header:
        raise CaptureError(name, 1, Phrase("no header of a capture; expected a file that `tableref capture` wrote"))
    if header["capture"] != VERSION:
        raise CaptureError(
            name,
            1,
            Phrase(
                "a capture of version {capture!r}; expected version {version}",
                capture=header["capture"],
                version=VERSION,
            ),
        )
    return header


def _entry(name: str, number: int, line: str) -> Entry:
    value = _value(name, number, line)
    match value:
        case [int() | float() as at, str() as wire, str() as kind, data] if 0 <= at <= LONGEST and not isinstance(
            at, bool
        ):
            entry = Entry(float(at), wire, kind, data)
        case _:
            raise CaptureError(name, number, Phrase("no entry of a capture; expected [seconds, wire, kind, data]"))
    unknown = _known(entry)
    if unknown is not None:
        raise CaptureError(name, number, unknown)
    if not _fits(kind, data):
        raise CaptureError(
            name, number, Phrase("data of {kind!r} that cannot be; expected what docs/captures.md says", kind=kind)
        )
    return entry


def _value(name: str, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise CaptureError(name, number, Phrase("no JSON; expected a line of a capture")) from None


def _known(entry: Entry) -> str | None:
    """What an entry names that is not known, in words; None: wire and kind are such as `hal.recorder` writes."""
    kinds = next((kinds for names, kinds in _KINDS if names.fullmatch(entry.wire)), None)
    if kinds is None:
        return Phrase(
            "no wire {wire!r}; expected a reader, a line, a bus, a display, an SPI port or {table}",
            wire=entry.wire,
            table=TABLE,
        )
    if entry.kind not in kinds:
        return Phrase(
            "no kind {kind!r} of {wire}; expected {known}",
            kind=entry.kind,
            wire=entry.wire,
            known=", ".join(sorted(kinds)),
        )
    return None


def _fits(kind: str, data: Any) -> bool:
    """Whether data are such as a kind has."""
    try:
        match kind, data:
            case "exchange", [str() as written, str() as answer, int() as number]:
                return unpack(written) is not None and unpack(answer) is not None and _whole(number) and number >= 0
            case "looks", data:
                return unpack_looks(data) is not None
            case ("event", [int() | float() as at, str(), str()]) | ("instructed", [int() | float() as at, str()]):
                return not isinstance(at, bool) and abs(at) <= LONGEST
            case (("came" | "read" | "write"), str() as text):
                return unpack(text) is not None
            case (("level" | "edge" | "output"), int()):
                return _whole(data) and data in (0, 1)
            case "decided", int() | float():
                return not isinstance(data, bool) and 0 <= data <= LONGEST
            case (("open" | "same" | "end"), None):
                return True
            case "error", [str() as operation, str(), int() | None as number, str()]:
                return operation in OPERATIONS and not isinstance(number, bool)
            case (("heard" | "record"), str()):
                return True
    except ValueError:
        return False
    return False


def _whole(number: int) -> bool:
    """Whether it is a number, and no truth value: JSON tells them apart."""
    return not isinstance(number, bool)
