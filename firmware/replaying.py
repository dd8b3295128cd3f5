"""A capture played back: the true drivers and the true referee on the captured wires, and what they say compared."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from heapq import heappop, heappush
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from firmware.capturing import event_text, heard_text, start_of
from firmware.journal import Journal
from firmware.loop import Heard, Loop, Observer
from firmware.words import Words
from hal.capture import TABLE, Capture
from hal.captured import NEARLY, Gaps, Schedule, times_of
from hal.clock import SteppedClock
from hal.events import Event
from hal.hardware import Hardware
from hal.replay import ReplayWires
from hal.sim.trace import Note, unheard
from hal.threads import BUSY_INTERVAL

STEP = 0.02
"""Longest time, in seconds, from one look at all devices to the next."""
EARLY, LATE = 0.5, 2.0
"""Seconds by which the loop may have taken an event before, or after, the replay sees it."""


class Said(NamedTuple):
    """Something that the table ruled or said, so many seconds after the start."""

    at: float
    text: str


class Difference(NamedTuple):
    """The first thing that was not said as in the capture; None: nothing was said on that side."""

    captured: Said | None
    replayed: Said | None

    def __str__(self) -> str:
        at = (self.captured or self.replayed or Said(0.0, "")).at
        captured, replayed = (said.text if said else "nothing" for said in self)
        return f"{at:.3f} s: expected {captured!r}, as captured; the replay says {replayed!r}"


class Outcome(NamedTuple):
    """What a replay gave. `captured_record` is None where the capture was cut."""

    captured: tuple[Said, ...]
    replayed: tuple[Said, ...]
    captured_record: str | None
    record: str

    @property
    def difference(self) -> Difference | None:
        """The first difference; None: all is as captured. What a cut capture does not tell counts for nothing."""
        for captured, replayed in zip_longest(self.captured, self.replayed):
            if captured is None and self.captured_record is None:
                return None
            if captured is None or replayed is None or captured.text != replayed.text:
                return Difference(captured, replayed)
        return None

    @property
    def same(self) -> bool:
        """Whether rulings, messages and the record are those of the capture."""
        return self.difference is None and self.captured_record in (None, self.record)


class Deliveries:
    """When the loop takes an event: as late as it did in the capture, and so in the same order.

    Device threads compete with each other: what happened first is not always first in the queue.
    """

    def __init__(self, capture: Capture) -> None:
        self._taken: dict[str, deque[tuple[float, int]]] = defaultdict(deque)
        self.times: list[float] = []
        for number, entry in enumerate(capture.entries):
            if entry.wire == TABLE and entry.kind == "event":
                self._taken[entry.data].append((entry.at, number))
                self.times.append(entry.at)
        self._waiting: list[tuple[float, int, int, Event]] = []
        self._count = 0

    def put(self, event: Event, now: float) -> None:
        """Let an event wait for its time. One of which the capture knows nothing near this time does not wait."""
        captured = self._taken[event_text(event)]
        while captured and captured[0][0] < now - EARLY:
            captured.popleft()
        at, number = captured.popleft() if captured and captured[0][0] <= now + LATE else (now, -1)
        self._count += 1
        heappush(self._waiting, (max(at, now), number, self._count, event))

    def due(self, now: float) -> Iterator[Event]:
        """The events whose time has come."""
        while self._waiting and self._waiting[0][0] <= now + NEARLY:
            yield heappop(self._waiting)[-1]


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

    def run(self) -> Outcome:
        """Play it to its end; raises `JournalError` for a match in it that cannot be gone on with."""
        file = self.start.table
        with ExitStack() as close:
            here = asyncio.new_event_loop()
            close.callback(here.close)
            folder = Path(close.enter_context(TemporaryDirectory(prefix="tableref-")))
            journal = Journal(folder / "journal.db")
            close.callback(journal.close)
            if self.start.match is not None:
                here.run_until_complete(self._write(journal, *self.start.match))
            wires = ReplayWires(self.capture, self.clock, self._note)
            hardware = Hardware(file.wiring, wires)
            close.callback(hardware.close)
            loop = Loop(
                table=file.table,
                names=file.names,
                readers=file.wiring.readers(),
                hardware=hardware,
                journal=journal,
                deck=file.deck,
                words=Words(file.table.game, file.language),
                chance=Random(self.start.seed),
                dealer=file.dealer,
            )
            loop.observers.extend((self._hear, *self._observers))
            here.run_until_complete(loop.start(0.0))
            self._play(here, loop, wires, hardware)
            return self._outcome(loop.record())

    @staticmethod
    async def _write(journal: Journal, header: str, entries: list[str]) -> None:
        await journal.begin_match(header.split("\n"))
        for entry in entries:
            await journal.append(entry)

    def _play(self, here: asyncio.AbstractEventLoop, loop: Loop, wires: ReplayWires, hardware: Hardware) -> None:
        by_wire = self.capture.wires()
        schedules = {name: Schedule(by_wire.get(name, [])) for name in hardware.readers}
        deliveries, gaps = Deliveries(self.capture), Gaps(self.capture.entries)

        def handle(events: list[Event]) -> None:
            for event in events:
                deliveries.put(event, self.clock.time)
            for event in deliveries.due(self.clock.time):
                here.run_until_complete(loop.handle(event))

        for now in self._steps(hardware, deliveries.times):
            wires.advance(now)
            events = [] if gaps.hold(now) else hardware.poll_lines(now)
            for name, schedule in schedules.items():
                if schedule.due(now):
                    events += hardware.poll_reader(name, now)
            while awaited := [name for name in hardware.awaited_readers if schedules[name].due(now, awaited=True)]:
                for name in awaited:
                    events += hardware.poll_reader(name, now)
            handle(events)
            loop.tick(now)
            handle(hardware.poll_displays(now))

    def _steps(self, hardware: Hardware, taken: list[float]) -> Iterator[float]:
        """Move the clock from step to step, to each time at which something is known to have happened."""
        times, place, end = sorted({*times_of(self.capture), *taken}), 0, self.capture.seconds
        while self.clock.time < end - NEARLY:
            now = min(end, self.clock.time + (BUSY_INTERVAL if hardware.busy else STEP))
            if place < len(times) and times[place] <= now + NEARLY:
                now = times[place]
            while place < len(times) and times[place] <= now + NEARLY:
                place += 1
            self._pause(now - self.clock.time)
            self.clock.time = now
            yield now

    def _hear(self, heard: Heard) -> None:
        self._said.append(Said(self.clock.now(), heard_text(self.start.table.table, heard)))

    def _outcome(self, record: str) -> Outcome:
        told = [entry for entry in self.capture.entries if entry.wire == TABLE]
        captured = tuple(Said(entry.at, entry.data) for entry in told if entry.kind == "heard")
        records = [entry.data for entry in told if entry.kind == "record"]
        whole = records[-1] if records and self.capture.complete else None
        return Outcome(captured, tuple(self._said), whole, record)
