"""The device threads: one for the GPIO lines, one for each display bus, one for the readers that take turns.

A thread polls its devices, puts what they report on the table's queue and waits; it decides nothing. At each round
it gives a beat, so that one that has stopped or hangs is found out.
"""

import threading
import time
from collections.abc import Callable
from functools import partial

from hal.clock import Clock
from hal.displays import DisplayBus
from hal.events import Event
from hal.hardware import Hardware
from hal.pulse import Pulse
from hal.reader_group import ReaderGroup
from hal.right_of_way import LONGEST, RightOfWay

IDLE_INTERVAL = 0.03
"""Seconds between looks at the lines while no button is pressed and no edge was seen."""
REST_INTERVAL = 0.1
"""The same at a table at rest. A press is seen by its edge; only where edges are lost, a short one may be missed."""
BUSY_INTERVAL = 0.004
FRAME_INTERVAL = 0.4
"""Seconds between looks for a display that is to be tried again or set up anew. A new frame does not wait for them."""
PATIENCE = 5.0
"""Real seconds in which all threads have ended, unless a device hangs."""
_LEAST = 0.0005  # real seconds that a thread leaves to the others, however fast the table's clock runs

Put = Callable[[Event], None]


class DeviceThreads:
    """Runs the threads of one table's devices from `start` to `stop`."""

    def __init__(self, clock: Clock, put: Put) -> None:
        self._clock = clock
        self._put = put
        self.pulse = Pulse()
        self._stop = threading.Event()
        self._edge = threading.Event()
        self._frames: list[threading.Event] = []
        self._way = RightOfWay(time.monotonic, self._wake_displays)
        self._threads: list[threading.Thread] = []

    def wake(self) -> None:
        """Let the lines be looked at now; called at every edge, in lgpio's thread."""
        self._edge.set()

    def start(self, hardware: Hardware) -> None:
        """Start all threads."""
        self._run("lines", partial(self._poll_lines, hardware))
        for number, bus in hardware.buses.items():
            self._run(f"i2c-{number}", partial(self._poll_displays, bus, self._frames_of(bus)))
        for group in hardware.reader_groups:
            self._run(", ".join(group.readers), partial(self._poll_readers, group))

    def stop(self) -> None:
        """End all threads and wait for them: each ends within one bounded read. One whose device hangs is left behind:
        it ends with the program.
        """
        self._stop.set()
        self._edge.set()
        self._wake_displays()
        until = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _run(self, name: str, work: Callable[[], None]) -> None:
        self.pulse.beat(name, self._clock.now())
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _poll_lines(self, hardware: Hardware) -> None:
        while self._goes_on():
            self._edge.clear()
            for event in hardware.poll_lines(self._clock.now()):
                self._put(event)
            if hardware.busy:
                self._stop.wait(self._real(BUSY_INTERVAL))
            else:
                self._edge.wait(self._real(REST_INTERVAL if hardware.at_rest(self._clock.now()) else IDLE_INTERVAL))

    def _poll_readers(self, group: ReaderGroup) -> None:
        while self._goes_on():
            for event in group.poll(self._clock.now()) or ():
                self._put(event)
            self._stop.wait(self._real(group.wait(self._clock.now())))

    def _frames_of(self, bus: DisplayBus) -> threading.Event:
        """What is set as soon as a display of this bus is to show something else."""
        changed = threading.Event()
        self._frames.append(changed)
        for display in bus.displays:
            display.wake, display.way = changed.set, self._way
        return changed

    def _wake_displays(self) -> None:
        for changed in self._frames:
            changed.set()

    def _poll_displays(self, bus: DisplayBus, changed: threading.Event) -> None:
        while self._goes_on():
            changed.clear()
            for event in bus.poll(self._clock.now()):
                self._put(event)
            changed.wait(LONGEST if bus.waits else self._real(FRAME_INTERVAL))

    def _goes_on(self) -> bool:
        """A beat of the thread that runs this, and whether it goes round once more."""
        self.pulse.beat(threading.current_thread().name, self._clock.now())
        return not self._stop.is_set()

    def _real(self, seconds: float) -> float:
        return max(_LEAST, self._clock.real(seconds))
