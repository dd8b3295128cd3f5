"""Captures: the raw traffic of all wires of a table with its times, a line for each thing; see `docs/captures.md`.

`Recorder` writes one, `read_capture` reads one. What is recorded is what happened, not how often it was looked for: an
exchange on a serial port that is answered as the last time is written once.
"""

import base64
import json
import math
import zlib
from binascii import Error as BinasciiError
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TextIO

from hal.clock import Clock
from hal.errors import TablerefHardwareError

VERSION = 1
"""The version of the format; the header says it under `capture`."""
LIMIT = 64 * 1024 * 1024
"""Size of a capture, in bytes, at which it ends: some ten hours of a table of six seats."""
TABLE = "table"
"""The wire of what is no wire: what the table said, and the end."""

_AFTER_SAME = frozenset({"error", "came"})  # kinds before which it matters until when nothing was new
_LONG = 48  # bytes from which on data is packed


class CaptureError(TablerefHardwareError, ValueError):
    """A file that is no capture of this version. `str()` is one line: ``FILE:LINE: what is wrong; expected …``."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")
        self.file = file
        self.line = line


class Entry(NamedTuple):
    """One thing that happened `at` seconds after the start of the capture."""

    at: float
    wire: str
    kind: str
    data: Any


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
        return zlib.decompress(base64.b64decode(text[2:], validate=True))
    except (zlib.error, BinasciiError) as error:
        raise ValueError(str(error)) from None


class _Asked(NamedTuple):
    """How a command was answered last, and when without being written down."""

    answers: dict[bytes, bytes]
    unwritten: list[float]
    counts: Counter[bytes]


class Recorder:
    """Writes a capture line by line, from any thread. It raises nothing and stops no game.

    When a line cannot be written, or `limit` bytes are reached, it tells `complain` once and the capture ends there.
    Times are `clock`'s, counted from when this was made.
    """

    def __init__(
        self,
        out: TextIO,
        clock: Clock,
        header: Mapping[str, Any],
        complain: Callable[[str], None] = lambda problem: None,
        limit: int = LIMIT,
    ) -> None:
        self._out = out
        self._clock = clock
        self._complain = complain
        self._left = limit
        self._lock = Lock()
        self._open = True
        self._asked: dict[str, _Asked] = defaultdict(lambda: _Asked({}, [], Counter()))
        self._start = clock.now()
        with self._lock:
            self._write({"capture": VERSION, **header})

    @property
    def recording(self) -> bool:
        """Whether it still writes."""
        return self._open

    def now(self) -> float:
        """Seconds since the start."""
        return self._clock.now() - self._start

    def note(self, wire: str, kind: str, data: Any = None, at: float | None = None) -> None:
        """Write down what happened, now or at a time that has passed."""
        with self._lock:
            if kind in _AFTER_SAME:
                self._flush_same(wire)
            self._line(self.now() if at is None else at, wire, kind, data)

    def quiet(self, wire: str) -> None:
        """A wire was looked at, and nothing was new there; written down only when something is."""
        with self._lock:
            self._asked[wire].unwritten[:] = [self.now()]

    def exchange(self, wire: str, written: bytes, answer: bytes, at: float) -> None:
        """Write down how a command was answered, if it was answered in another way the last time."""
        with self._lock:
            asked = self._asked[wire]
            if asked.answers.get(written) == answer:
                asked.unwritten[:] = [at]
                asked.counts[written] += 1
                return
            self._flush_same(wire)
            asked.answers[written] = answer
            self._line(at, wire, "exchange", [pack(written), pack(answer)])

    def end(self) -> None:
        """Write the end and close the file. Ending again does nothing."""
        with self._lock:
            for wire in list(self._asked):
                self._flush_same(wire)
            self._line(self.now(), TABLE, "end", None)
            self._close()

    def _flush_same(self, wire: str) -> None:
        """Write down until when all was answered as before: a loss is looked for after it."""
        asked = self._asked.get(wire)
        if asked is not None and asked.unwritten:
            often = [count for count in asked.counts.values() if 2 * count >= max(asked.counts.values())]
            self._line(asked.unwritten.pop(), wire, "same", min(often, default=None))
            asked.counts.clear()

    def _line(self, at: float, wire: str, kind: str, data: Any) -> None:
        self._write([round(at, 6), wire, kind, data])

    def _write(self, value: object) -> None:
        if not self._open:
            return
        line = json.dumps(value, ensure_ascii=False) + "\n"
        self._left -= len(line.encode())
        try:
            if self._left < 0:
                self._close()
                self._complain("the capture has reached its limit and ends here; the game goes on")
                return
            self._out.write(line)
            self._out.flush()
        except (OSError, ValueError) as error:  # ValueError: somebody has closed the file
            self._close()
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._complain(f"the capture cannot be written and ends here: {why}; the game goes on")

    def _close(self) -> None:
        if not self._open:
            return
        self._open = False
        try:
            self._out.close()
        except OSError:
            return  # what was not written is lost; the loader takes what is there


def read_capture(path: Path) -> Capture:
    """The capture in a file; raises `CaptureError` with the line, or OSError.

    A last line that is cut off in the middle, as a pulled plug leaves it, is not counted.
    """
    data = path.read_bytes()
    name = str(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.rfind(b"\n") < error.start and "unexpected end" in error.reason:  # cut within a letter
            text = data[: error.start].decode("utf-8")
        else:
            raise CaptureError(name, data.count(b"\n", 0, error.start) + 1, "not UTF-8; expected a capture") from None
    lines = text.split("\n")
    cut = lines.pop()  # empty when the last line is whole
    if not lines:
        raise CaptureError(name, 1, f"{'a header that is cut off' if cut else 'nothing'}; expected a capture")
    header = _header(name, lines[0])
    entries = [_entry(name, number, line) for number, line in enumerate(lines[1:], 2)]
    return Capture(name, header, tuple(sorted(entries, key=lambda entry: entry.at)))


def _header(name: str, line: str) -> dict[str, Any]:
    header = _value(name, 1, line)
    if not isinstance(header, dict) or "capture" not in header:
        raise CaptureError(name, 1, "no header of a capture; expected a file that `tableref capture` wrote")
    if header["capture"] != VERSION:
        raise CaptureError(name, 1, f"a capture of version {header['capture']!r}; expected version {VERSION}")
    return header


def _entry(name: str, number: int, line: str) -> Entry:
    value = _value(name, number, line)
    match value:
        case [int() | float() as at, str() as wire, str() as kind, data] if math.isfinite(at) and at >= 0:
            entry = Entry(float(at), wire, kind, data)
        case _:
            raise CaptureError(name, number, "no entry of a capture; expected [seconds, wire, kind, data]")
    if not _fits(entry):
        raise CaptureError(name, number, f"data of {kind!r} that cannot be; expected what docs/captures.md says")
    return entry


def _value(name: str, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise CaptureError(name, number, "no JSON; expected a line of a capture") from None


def _fits(entry: Entry) -> bool:
    """Whether the data of an entry are such as its kind has. A kind that is not known says nothing to a replay."""
    try:
        match entry.kind, entry.data:
            case "exchange", [str() as written, str() as answer]:
                return unpack(written) is not None and unpack(answer) is not None
            case (("came" | "read"), str() as text):
                return unpack(text) is not None
            case (("level" | "edge" | "output"), data):
                return data in (0, 1)
            case "same", int() | None:
                return True
            case "gap", int() | float():
                return True
            case "error", [str(), str(), int() | None, str()]:
                return True
            case (("heard" | "event" | "record"), data):
                return isinstance(data, str)
            case (("exchange" | "came" | "read" | "error" | "gap" | "same"), _):
                return False
    except ValueError:
        return False
    return True
