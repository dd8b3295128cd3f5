"""What a capture says of one wire at a time: how a command is answered, and whether the wire fails.

A device fails from half way between the last thing that worked and the first that did not, until half way between the
last failure and the first thing that worked again: so a replay that asks a little sooner or later finds the same.
"""

import termios
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from hal.capture import Entry, unpack

NEARLY = 1e-6
"""Seconds by which times may differ that are the same: a capture has microseconds."""
BURST = 0.01
"""Seconds between things done on a wire that belong together, such as the bytes that set a display up."""
UNKNOWN = 0.25
"""Seconds from one poll of a display to the next, where the capture tells nothing of it."""
AHEAD = 5.0
"""Seconds for which a frame waits for the time at which the captured display was written to."""

_WORKED = frozenset({"open", "exchange", "same", "came", "write", "read", "level", "output"})


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
        self._answers: dict[tuple[bytes, int], tuple[list[float], list[bytes]]] = defaultdict(lambda: ([], []))
        self._asked: dict[bytes, int] = defaultdict(int)
        for entry in entries:
            if entry.kind == "exchange":
                written, answer, number = entry.data
                times, answers = self._answers[unpack(written), number]
                times.append(entry.at)
                answers.append(unpack(answer))
        self.came = [(entry.at, unpack(entry.data)) for entry in entries if entry.kind == "came"]

    def look(self) -> None:
        """A poll begins: commands are counted anew."""
        self._asked.clear()

    def answer(self, command: bytes, now: float) -> bytes:
        """What this command is answered with: as the last time, or else as the first time it will be. One that is
        written again within a poll is answered as when it was written again.
        """
        number = self._asked[command]
        self._asked[command] += 1
        while number and (command, number) not in self._answers:
            number -= 1
        if (command, number) not in self._answers:
            return b""
        times, answers = self._answers[command, number]
        return answers[max(0, bisect_right(times, now + NEARLY) - 1)]


class Touches:
    """When a display is to be polled: when the captured one was written to or failed, and at no other time near that.

    A replay may have drawn a frame before the captured table had: its decisions take no time. Written at once, it
    would meet a display that failed a moment later in good health, and the loss would not be found.
    """

    def __init__(self, entries: Iterable[Entry], since: float) -> None:
        """`entries` are those of the display, and errors of its bus."""
        self._times = sorted({entry.at for entry in entries})
        self._passed = bisect_right(self._times, since + NEARLY)
        self._last = since

    def due(self, now: float) -> bool:
        """Whether to poll it at `now`; told once. Where nothing is known for a long while it is polled now and then, as
        what is drawn may be something else than it was.
        """
        passed = bisect_right(self._times, now + NEARLY)
        ahead = self._times[passed] - now if passed < len(self._times) else float("inf")
        if passed > self._passed or (ahead > AHEAD and now - self._last >= UNKNOWN - NEARLY):
            self._passed, self._last = passed, now
            return True
        return False
