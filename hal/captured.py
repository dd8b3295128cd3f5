"""What a capture says of one wire at a time: how a command is answered, whether the wire fails, when to look at it.

A device fails from half way between the last thing that worked and the first that did not, until half way between the
last failure and the first thing that worked again: so a replay that asks a little sooner or later finds the same.
"""

import termios
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate, pairwise, zip_longest
from typing import Any

from hal.capture import Capture, Entry, unpack
from hal.reader_group import READER_INTERVAL

NEARLY = 1e-6
"""Seconds by which times may differ that are the same: a capture has microseconds."""
BURST = 0.01
"""Seconds between things done on a wire that belong together, such as the bytes that set a display up."""

_WORKED = frozenset({"open", "exchange", "same", "came", "write", "read", "level", "output"})
_LOOKED_FOR = frozenset({"open", "exchange", "same", "came", "error", "level", "gap"})


def error_of(data: list[Any]) -> Exception:
    """The exception that an entry of kind `error` holds, of a class that the drivers take for the same."""
    _, kind, number, words = data
    if kind == "termios.error":
        return termios.error(number, words)
    return OSError(words) if number is None else OSError(number, words)


class Health:
    """When one wire failed, and how."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._since: list[float] = []
        self._errors: list[list[Any] | None] = []
        told = self._lasting([entry for entry in entries if entry.kind in _WORKED or entry.kind == "error"])
        for place, entry in enumerate(told):
            error = entry.data if entry.kind == "error" else None
            if error is None and self._errors and self._errors[-1] is None:
                continue
            self._since.append(self._change(told, place))
            self._errors.append(error)

    @staticmethod
    def _lasting(told: list[Entry]) -> list[Entry]:
        """Without the errors that a try at once got over: on the same clock, all tries of a replay would fail."""
        return [
            entry
            for entry, after in zip_longest(told, told[1:])
            if entry.kind != "error" or after is None or after.kind == "error" or after.at - entry.at > BURST
        ]

    @staticmethod
    def _change(told: list[Entry], place: int) -> float:
        """Since when it was so as `told[place]` says."""
        first = place
        if told[place].kind == "error":
            while first and told[first - 1].kind != "error" and told[first].at - told[first - 1].at <= BURST:
                first -= 1  # what worked just before it was begun when the device was there no longer
        if first == 0:
            return 0.0
        return (told[first - 1].at + told[first].at) / 2

    def check(self, now: float) -> None:
        """Raise the error of this time, if it has one."""
        place = bisect_right(self._since, now + NEARLY) - 1
        error = self._errors[place] if place >= 0 else None
        if error is not None:
            raise error_of(error)


class SerialLine:
    """A serial port of a capture: what its commands are answered with, and what comes unasked."""

    def __init__(self, entries: list[Entry]) -> None:
        self.health = Health(entries)
        self._answers: dict[bytes, tuple[list[float], list[bytes]]] = defaultdict(lambda: ([], []))
        for entry in entries:
            if entry.kind == "exchange":
                times, answers = self._answers[unpack(entry.data[0])]
                times.append(entry.at)
                answers.append(unpack(entry.data[1]))
        self.came = [(entry.at, unpack(entry.data)) for entry in entries if entry.kind == "came"]

    def answer(self, command: bytes, now: float) -> bytes:
        """What this command is answered with: as the last time, or else as the first time it will be."""
        if command not in self._answers:
            return b""
        times, answers = self._answers[command]
        return answers[max(0, bisect_right(times, now + NEARLY) - 1)]


class Schedule:
    """When a reader is to be polled: at every time at which something is known of it, and now and then where the
    capture says that it was polled without anything new.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        known = [entry for entry in entries if entry.kind in _LOOKED_FOR]
        self._marks = [entry.at for entry in known]
        speaks = not any(entry.kind == "exchange" for entry in known)  # by itself: asking it once more changes nothing
        self._idle = [speaks or after.kind == "same" or before.kind == "error" for before, after in pairwise(known)]
        self._every = [
            (after.at - before.at) / after.data if after.kind == "same" and after.data else READER_INTERVAL
            for before, after in pairwise(known)
        ]
        self._passed = 0
        self._last = 0.0

    def due(self, now: float, *, awaited: bool = False) -> bool:
        """Whether the reader is to be polled at `now`; told once. One that is `awaited` by its neighbours is polled at
        once where nothing new was found; else it found something new at that very poll, which has its own time.
        """
        passed = bisect_right(self._marks, now + NEARLY)
        idle = passed > 0 and (passed > len(self._idle) or self._idle[passed - 1])
        every = self._every[passed - 1] if 0 < passed <= len(self._every) else READER_INTERVAL
        if passed > self._passed or (idle and (awaited or now - self._last >= every - NEARLY)):
            self._passed, self._last = passed, now
            return True
        return False


class Gaps:
    """When nobody looked at the lines though a button was pressed, because the machine was busy or steps were long."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        gaps = sorted((float(entry.data), entry.at) for entry in entries if entry.kind == "gap")
        self._looks = sorted(at for gap in gaps for at in gap)
        self._starts = [start for start, _ in gaps]
        self._ends = list(accumulate((end for _, end in gaps), max))

    def hold(self, now: float) -> bool:
        """Whether `now` lies within one; the ends do not, though one line may be read a moment before another."""
        look = bisect_left(self._looks, now - NEARLY)
        if look < len(self._looks) and self._looks[look] <= now + NEARLY:
            return False
        place = bisect_left(self._starts, now - NEARLY) - 1
        return place >= 0 and self._ends[place] > now + NEARLY


def times_of(capture: Capture) -> list[float]:
    """The times at which a replay has to look at the devices: when the table saw something new. Sorted."""
    return sorted({entry.at for entry in capture.entries if entry.kind in _LOOKED_FOR})
