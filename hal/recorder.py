"""Writing a capture (`hal.capture`): line by line, from any thread."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TextIO

from hal.capture import LIMIT, TABLE, VERSION, pack, pack_looks
from hal.clock import Clock
from hal.phrases import Phrase, reason

_AFTER_SAME = frozenset({"error", "came"})  # kinds before which it matters until when nothing was new
_AFTER_LOOKS = frozenset(
    {"event", "instructed", "record", "end"}
)  # a capture that is cut there says how it came to that
LOOK = 1 << 20
"""Bytes after which it is looked again whether there is room."""
_MOST_LOOKS = 200  # a cut capture has lost no more than these


@dataclass(slots=True)
class _Wire:
    """What is known of one wire: how commands were answered last, and until when that was not written down."""

    answers: dict[tuple[bytes, int], bytes] = field(default_factory=dict)
    same_until: float | None = None
    same_before: float | None = None  # the look before that one
    asked: defaultdict[bytes, int] = field(default_factory=lambda: defaultdict(int))  # since the last look


class Recorder:
    """Writes a capture. It raises nothing and stops no game.

    When a line cannot be written, `limit` bytes are reached, or `room` says that the disk has none left for it, it
    tells `complain` once and the capture ends there.
    Times are `clock`'s, counted from when this was made, in whole microseconds.
    """

    def __init__(
        self,
        out: TextIO,
        clock: Clock,
        header: Mapping[str, Any],
        complain: Callable[[str], None] = lambda problem: None,
        limit: int = LIMIT,
        room: Callable[[], bool] = lambda: True,
    ) -> None:
        self._out = out
        self._clock = clock
        self._complain = complain
        self._left = limit
        self._room = room
        self._unlooked = 0
        self._lock = Lock()
        self._open = True
        self._wires: dict[str, _Wire] = defaultdict(_Wire)
        self._looks: list[tuple[int, str]] = []
        self._looked: dict[str, float] = {}
        self._start = clock.now()
        with self._lock:
            self._write({"capture": VERSION, **header})

    @property
    def recording(self) -> bool:
        """Whether it still writes."""
        return self._open

    def now(self) -> float:
        """Seconds since the start."""
        return self.time(self._clock.now())

    def time(self, now: float) -> float:
        """A time of the clock as seconds since the start."""
        return self._microseconds(now) / 1e6

    def looked(self, device: str, now: float, *, told: bool = True) -> None:
        """A device is polled now, or the table stepped, and is told that it is `now` by the clock. That it was is
        written down where it is `told`.
        """
        with self._lock:
            self._looked[device] = self.time(now)
            if not told:
                return
            self._looks.append((self._microseconds(now), device))
            self._wires[device].asked.clear()
            if len(self._looks) >= _MOST_LOOKS:
                self._flush_looks()

    def last_look(self, device: str) -> float:
        """When a device was polled last, in seconds since the start: whatever that poll finds has this time. Now, if
        it was never polled.
        """
        return self._looked[device] if device in self._looked else self.now()

    def note(self, wire: str, kind: str, data: Any = None, at: float | None = None) -> None:
        """Write down what happened, now or so many seconds after the start."""
        with self._lock:
            at = self.now() if at is None else at
            if kind in _AFTER_SAME:
                self._flush_same(wire, at)
            if kind in _AFTER_LOOKS:
                self._flush_looks()
            self._line(at, wire, kind, data)

    def quiet(self, wire: str, at: float) -> None:
        """A wire was looked at, and nothing was new there; written down only when something is."""
        with self._lock:
            self._same(self._wires[wire], at)

    def asked(self, wire: str, written: bytes) -> int:
        """How often this command was written since the wire was looked at last, this time not counted."""
        with self._lock:
            counts = self._wires[wire].asked
            counts[written] += 1
            return counts[written] - 1

    def exchange(self, wire: str, written: bytes, answer: bytes, number: int, at: float) -> None:
        """Write down how a command was answered, if it was answered in another way the last time. `number` tells
        commands apart that were written more than once in one look (`asked`).
        """
        with self._lock:
            known = self._wires[wire]
            if known.answers.get((written, number)) == answer:
                self._same(known, at)
                return
            self._flush_same(wire, at)
            known.answers[written, number] = answer
            self._line(at, wire, "exchange", [pack(written), pack(answer), number])

    def end(self) -> None:
        """Write the end and close the file. Ending again does nothing."""
        with self._lock:
            for wire in list(self._wires):
                self._flush_same(wire, self.now())
            self._flush_looks()
            self._line(self.now(), TABLE, "end", None)
            self._close()

    def _microseconds(self, now: float) -> int:
        return round((now - self._start) * 1e6)

    @staticmethod
    def _same(known: _Wire, at: float) -> None:
        if at != known.same_until:
            known.same_before, known.same_until = known.same_until, at

    def _flush_same(self, wire: str, at: float) -> None:
        """Write down until when all was answered as before the look at `at`: a loss is looked for after it."""
        known = self._wires.get(wire)
        if known is None or known.same_until is None:
            return
        until = known.same_until if known.same_until < at else known.same_before
        if until is not None:
            self._line(until, wire, "same", None)
        known.same_until = known.same_before = None

    def _flush_looks(self) -> None:
        if self._looks:
            looks, self._looks = self._looks, []
            self._line(looks[0][0] / 1e6, TABLE, "looks", pack_looks(looks))

    def _line(self, at: float, wire: str, kind: str, data: Any) -> None:
        self._write([at, wire, kind, data])

    def _write(self, value: object) -> None:
        if not self._open:
            return
        line = json.dumps(value, ensure_ascii=False) + "\n"
        size = len(line.encode())
        self._left -= size
        self._unlooked -= size
        try:
            if self._unlooked < 0:
                self._unlooked = LOOK
                if not self._room():
                    self._close()
                    self._complain(Phrase("the disk has no room for the capture, which ends here; the game goes on"))
                    return
            if self._left < 0:
                self._close()
                self._complain(Phrase("the capture has reached its limit and ends here; the game goes on"))
                return
            self._out.write(line)
            self._out.flush()
        except (OSError, ValueError) as error:  # ValueError: somebody has closed the file
            self._close()
            why = reason(error)
            self._complain(Phrase("the capture cannot be written and ends here: {why}; the game goes on", why=why))

    def _close(self) -> None:
        if not self._open:
            return
        self._open = False
        try:
            self._out.close()
        except OSError:
            return  # what was not written is lost; the loader takes what is there
