"""A capture played back: the true drivers and the true referee on the captured wires, and what they say compared."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from firmware.capturing import event_device, event_text, heard_text, start_of
from firmware.comparing import Outcome, Said
from firmware.desk import Heard, Observer
from firmware.instructions import instruction_of
from firmware.journal import Journal
from firmware.loop import Loop
from firmware.opening import opened
from firmware.tokens import hidden_token
from hal.capture import BEGAN, I2C, LINES, TABLE, TICK, Capture, unpack_looks
from hal.captured import NEARLY, Touches
from hal.clock import SteppedClock
from hal.displays import SeatDisplay
from hal.events import Event
from hal.recording import bus_wire, display_wire
from hal.replay import ReplayWires
from hal.sim.trace import Note, unheard

TAIL = 3.0
"""Seconds before the end of a capture in which events may have waited for a loop that was ended."""
NEAR = 0.5
"""Seconds by which an event of a replay may be earlier or later than the captured one that it is taken for."""


class Step(NamedTuple):
    """Something that the captured table did: it polled what `device` names, it took event number `event`, or something
    became known of a display.
    """

    at: float
    device: str = ""
    event: int = -1
    told: tuple[float, str] | None = None
    """What a director wanted from beside the table, and the time that it was taken at."""


def steps_of(capture: Capture) -> list[Step]:
    """What the captured table did, in its order."""
    steps: list[Step] = []
    for number, entry in enumerate(capture.entries):
        if entry.wire == TABLE and entry.kind == "looks":
            steps.extend(Step(*look) for look in unpack_looks(entry.data))
        elif entry.wire == TABLE and entry.kind == "instructed":
            steps.append(Step(entry.at, event=number, told=(entry.data[0], entry.data[1])))
        elif entry.wire == TABLE:
            steps.append(Step(entry.at, event=number if entry.kind == "event" else -1))
        elif entry.wire.startswith(I2C):
            steps.append(Step(entry.at))
    return sorted(steps, key=lambda step: step.at)


class Delivery(NamedTuple):
    """An event for the loop, and until when it took to decide on it; 0.0: no time."""

    event: Event
    until: float


class Deliveries:
    """When the loop takes an event: when it took it in the capture, and with the same time.

    Device threads compete with each other: what happened first is not always first in the queue.
    """

    def __init__(self, capture: Capture) -> None:
        self._captured: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._decided: dict[int, float] = {}
        newest = -1
        self._left = 0
        self._last_taken = 0.0
        self._end = capture.seconds
        for number, entry in enumerate(capture.entries):
            if entry.wire == TABLE and entry.kind == "event":
                at, _, text = entry.data
                self._captured[text].append((number, at))
                self._left += 1
                self._last_taken = entry.at
                newest = number
            elif entry.wire == TABLE and entry.kind == "instructed":
                newest = number
            elif entry.wire == TABLE and entry.kind == "decided" and newest >= 0:
                self._decided[newest] = entry.data
        self._waiting: list[tuple[int, int, Event]] = []
        self._count = 0
        self._passed = -1

    def put(self, event: Event) -> None:
        """Let an event wait until the captured one was taken. One of which the capture knows nothing near its time
        waits for those before it; but one of the very end was not taken any more.
        """
        captured = self._captured[event_text(event)]
        found = min(captured, key=lambda one: abs(one[1] - event.at), default=None)
        if found is not None and abs(found[1] - event.at) <= NEAR:
            captured.remove(found)
            self._left -= 1
            number, event = found[0], replace(event, at=found[1])
        elif event.at >= self._end - TAIL or (not self._left and event.at <= self._last_taken):
            return  # it came behind the last that the captured loop took
        else:
            number = max((each[0] for each in self._waiting), default=-1)
        self._count += 1
        heappush(self._waiting, (number, self._count, event))

    def until(self, number: int) -> float:
        """Until when it took to decide on what entry `number` tells; 0.0: no time."""
        return self._decided.get(number, 0.0)

    def due(self, passed: int = -1) -> Iterator[Delivery]:
        """The events that are to be taken when the capture has come to entry number `passed`, or to no further one."""
        self._passed = max(self._passed, passed)
        while self._waiting and self._waiting[0][0] <= self._passed:
            number, _, event = heappop(self._waiting)
            yield Delivery(event, self.until(number))


class Replay:
    """One replay of a capture; raises `CaptureError` for a header that cannot be used.

    `pause` is told how many seconds of the table pass from one step to the next, for those who want to watch it, and
    `note` what is written to displays, LEDs and the buzzer.
    """

    def __init__(
        self,
        capture: Capture,
        observers: tuple[Observer, ...] = (),
        pause: Callable[[float], None] = lambda seconds: None,
        note: Note = unheard,
    ) -> None:
        self.capture = capture
        self._note = note
        self.start = start_of(capture)
        self.clock = SteppedClock()
        self._observers = observers
        self._pause = pause
        self._said: list[Said] = []
        self._taken: list[Said] = []

    def run(self) -> Outcome:
        """Play it to its end; raises `JournalError` for a match in it that cannot be gone on with."""
        steps = steps_of(self.capture)
        with ExitStack() as close:
            here = asyncio.new_event_loop()
            close.callback(here.close)
            folder = Path(close.enter_context(TemporaryDirectory(prefix="tableref-")))
            journal = Journal(folder / "journal.db")
            close.callback(journal.close)
            for key, value in self.start.settings.items():
                here.run_until_complete(journal.keep(key, value))
            if self.start.match is not None:
                here.run_until_complete(self._write(journal, *self.start.match))
            wires = ReplayWires(self.capture, self.clock, self._note)
            observers = (self._hear, *self._observers)
            loop = close.enter_context(opened(self.start.table, wires, journal, Random(self.start.seed), observers))
            self.clock.time = next((step.at for step in steps if step.device == BEGAN), 0.0)
            here.run_until_complete(loop.start(self.clock.time))
            self._play(here, loop, wires, steps)
            return Outcome.of(self.capture, tuple(self._said), tuple(self._taken), loop.record())

    @staticmethod
    async def _write(journal: Journal, header: str, entries: list[str]) -> None:
        await journal.begin_match(header.split("\n"))
        for entry in entries:
            await journal.append(entry)

    def _play(self, here: asyncio.AbstractEventLoop, loop: Loop, wires: ReplayWires, steps: list[Step]) -> None:
        deliveries, hardware = Deliveries(self.capture), loop.hardware

        def handle(events: list[Event], passed: int = -1) -> None:
            for event in events:
                deliveries.put(event)
            for event, until in deliveries.due(passed):
                loop.pass_time(until)
                self._taken.append(Said(self.clock.time, event_text(event), event_device(event)))
                here.run_until_complete(loop.handle(event))

        displays = list(self._displays(loop))
        for step in steps:
            if step.at > self.clock.time + NEARLY:
                for display, touches in displays:
                    if touches.due(self.clock.time):
                        handle(display.poll(self.clock.time))
                self._pause(step.at - self.clock.time)
                self.clock.time = step.at
                wires.advance(step.at)
            now = self.clock.time
            if step.device == LINES:
                handle(hardware.poll_lines(now))
            elif step.device == TICK:
                loop.tick(now)
            elif step.device in hardware.readers:
                handle(hardware.poll_reader(step.device, now))
            elif step.event >= 0:
                handle([], step.event)
                here.run_until_complete(_instruct(loop, step, deliveries.until(step.event)))
        handle(hardware.poll_displays(self.clock.time))

    def _displays(self, loop: Loop) -> Iterator[tuple[SeatDisplay, Touches]]:
        """Every display, and when it is to be polled."""
        by_wire = self.capture.wires()
        for seat in self.start.table.wiring.seats:
            if seat.display is not None:
                bus = bus_wire(seat.display.bus)
                broken = [entry for entry in by_wire.get(bus, []) if entry.kind == "error"]
                entries = by_wire.get(display_wire(bus, seat.display.address), []) + broken
                yield loop.hardware.displays[seat.number], Touches(entries, self.clock.time)

    def _hear(self, heard: Heard) -> None:
        self._said.append(Said(self.clock.now(), heard_text(self.start.table.table, heard)))


async def _instruct(loop: Loop, step: Step, until: float) -> None:
    """Let the loop decide on what a director wanted, if it is that; a token itself is in no capture."""
    if step.told is None:
        return
    at, text = step.told
    loop.pass_time(until)
    loop.new_token = hidden_token
    await loop.instruct(instruction_of(text), at, hidden_token())
