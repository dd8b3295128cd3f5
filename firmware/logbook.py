"""The last lines of a table's log, for directors: what was ruled and said, which device was lost, and the
console's wishes.

A line names cards only where they were laid open, and why something was refused in the running deal is said once that
is over: it tells of a hand, and whoever directs may also play. What the console wanted is told by its kind alone.
"""

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import NamedTuple

from engine.match import Standing
from engine.values import Action
from firmware.desk import Heard
from firmware.entry_words import entry_words
from firmware.instructions import Instruction, kind_of
from firmware.loop import Loop
from firmware.telling import device_line
from firmware.wiring_words import WiringWords
from firmware.words import NO_BREAK_SPACE
from hal.events import DeviceBack, DeviceLost

MOST_LINES = 1000
LONGEST = 300
"""Letters of a line."""


class Line(NamedTuple):
    """When by the clock on the wall, what everybody may know, and what nobody else may as long as a deal runs."""

    at: float
    text: str
    why: str = ""
    deal: tuple[int, int] = (0, 0)


class Logbook:
    """The log of one table, also when it was switched off and on. `wall` tells the time of a line: Unix seconds."""

    def __init__(self, wall: Callable[[], float] = time.time, most: int = MOST_LINES) -> None:
        self._wall = wall
        self._lines: deque[Line] = deque(maxlen=most)
        self._lock = Lock()
        self._running: tuple[int, int] | None = None
        self._lost: dict[str, str] = {}

    def attach(self, loop: Loop) -> None:
        """Listen to this table from now on."""
        self._lost = {}
        self._add(f"match {loop.number}: {loop.table.game.name} ({loop.table.rule_set}), {loop.table.seats} seats")
        loop.observers.append(partial(self._hear, loop))
        loop.lookers.append(partial(self._look, loop))
        loop.instructed.append(self._told)
        self._look(loop)

    def text(self) -> str:
        """All lines, the oldest first; any thread may ask."""
        with self._lock:
            lines, running = [*self._lines], self._running
        return "".join(_written(line, running) for line in lines)

    def _add(self, text: str, why: str = "", deal: tuple[int, int] = (0, 0)) -> None:
        line = Line(self._wall(), text.replace(NO_BREAK_SPACE, " ")[:LONGEST], why, deal)
        with self._lock:
            self._lines.append(line)

    def _hear(self, loop: Loop, heard: Heard) -> None:
        ruling = heard.ruling
        who = loop.who(loop.setup.seat(heard.seat)) if heard.seat else "console"
        if ruling is None:
            assert heard.message is not None
            self._add(f"{who}  ({heard.message.code})")
        elif ruling.refusal is not None:
            self._add(f"{who}  ✗", f"{ruling.refusal.code} ({ruling.refusal.rule})", _deal_of(loop))
        else:
            by = "" if isinstance(ruling.entry, Action) else f"{who}  "  # an action is told with its seat
            codes = [notice.code for notice in ruling.notices]
            self._add("  ".join([f"{by}{entry_words(loop, ruling.entry)}", "✓", *codes]))

    def _told(self, told: Instruction) -> None:
        self._add(f"console: {kind_of(told)}")

    def _look(self, loop: Loop) -> None:
        """Which devices are lost, and whether a deal runs."""
        self._running = _deal_of(loop) if loop.match.standing is Standing.RUNNING else None
        if loop.lost == self._lost:
            return
        words, before = WiringWords(loop.words.language), self._lost
        self._lost = dict(loop.lost)
        for device, why in self._lost.items():
            if device not in before:
                self._add(device_line(DeviceLost(device, why, 0.0), words) or "")
        for device in before:
            if device not in self._lost:
                self._add(device_line(DeviceBack(device, 0.0), words) or "")


def _deal_of(loop: Loop) -> tuple[int, int]:
    return loop.number, loop.referee.deal


def _written(line: Line, running: tuple[int, int] | None) -> str:
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.at))
    why = f" {line.why}" if line.why and (running is None or line.deal != running) else ""
    return f"{at}  {line.text}{why}\n"
