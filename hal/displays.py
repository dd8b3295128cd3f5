"""The seats' OLEDs: the newest frame wins, only what has changed is sent, and loss and return are events.

A display is polled by the one thread that owns its bus; `show` and `dress` may be called from another.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PIL import Image

from hal.backoff import Backoff
from hal.events import DeviceBack, DeviceLost, Event
from hal.oled import ERRORS, Bus, Oled
from hal.panels import Level, Look, Panel
from hal.phrases import said_by
from hal.right_of_way import RightOfWay

RENEWAL = 60.0
"""Seconds after which a chip is set up anew and the whole frame is sent."""
TRIES = 3
"""Tries in a row before a display is lost: on long wires now and then an acknowledge goes missing."""


def _nobody() -> None:
    """Whoever looks does so by itself."""


@dataclass(slots=True)
class DisplayCounts:
    """What became of a display's writes since the start."""

    failed: int = 0
    """Writes that ended in a bus error, also where the next try went well; those to a lost display are among them."""
    losses: int = 0


class SeatDisplay:
    """One display. `show` keeps the newest frame, `poll` writes what of it is not on the glass.

    `open_bus` opens /dev/i2c-N anew; every display has its own handle, so that one that fails leaves its
    neighbours alone.
    """

    def __init__(self, name: str, open_bus: Callable[[], Bus], address: int, panel: Panel | None = None) -> None:
        self.name = name
        self.panel = panel or Panel()
        self.counts = DisplayCounts()
        self._open_bus = open_bus
        self._address = address
        self._frame = Image.new("1", self.panel.size)
        self._look = Look()
        self._bus: Bus | None = None
        self._oled: Oled | None = None
        self._backoff = Backoff()
        self._refresh = False
        self._renew_at: float | None = None
        self._closed = False
        self.wake: Callable[[], None] = _nobody
        """Called when there is something to write."""
        self.way: RightOfWay | None = None
        """Which of the displays goes first; none where one thread polls them all."""

    def show(self, image: Image.Image, *, first: bool = False) -> None:
        """Keep a copy of this '1' image, as large as the display, as what is to be shown, before all other displays if
        it is to be `first`. Raises ValueError for any other image.
        """
        if image.mode != "1" or image.size != self.panel.size:
            wanted = f"a frame is a '1' image of {self.panel.size}"
            raise ValueError(f"{wanted}, not a {image.mode!r} image of {image.size}")
        self._frame = image.copy()
        if first and self.way is not None:
            self.way.take(self)
        self.wake()

    def dress(self, look: Look) -> None:
        """Keep how bright the display is to be, and where on the glass its frame is to stand."""
        self._look = look
        self.wake()

    def refresh(self) -> None:
        """Set the chip up anew and write the whole frame at the next poll.

        After a dip of its supply a chip acknowledges as before and shows nothing or noise: no error tells. So
        this is called now and then, at every deal for example, and happens by itself every `RENEWAL` seconds.
        """
        self._refresh = True
        self.wake()

    def darken(self) -> None:
        """Set the chip up and clear it, before the first poll: what it shows is from before the table started.

        One that does not answer is left to the first poll, which reports it.
        """
        try:
            self._set_up()
        except ERRORS:
            self._drop()
            self.counts.failed += 1

    def poll(self, now: float) -> list[Event]:
        """Write the newest frame, if it is not on the glass, at `now`.

        A bus error is followed by two more tries, from the set-up on; when they fail too it gives `DeviceLost` once;
        the display is then tried again at growing intervals, and `DeviceBack` follows when it has the newest frame.
        """
        if self._closed or not self._backoff.due(now):
            self._give_way()
            return []
        for left in reversed(range(1 if self._backoff.failing else TRIES)):
            try:
                self._write(now)
                break
            except ERRORS as exc:
                self._drop()
                self.counts.failed += 1
                if not left:
                    lost = self._backoff.failed(now)
                    self.counts.losses += lost
                    self._give_way()
                    return [DeviceLost(self.name, said_by(exc), now)] if lost else []
        return [DeviceBack(self.name, now)] if self._backoff.worked() else []

    def close(self) -> None:
        """Leave the display dark: cleared, then off. One that is lost, or fails now, is set up once more for that: it
        may show a hand, and nobody will try it later. One that cannot be reached then is left as it is. Closing again
        does nothing.
        """
        if self._closed:
            return
        self._closed = True
        for _ in range(1 if self._oled is None else 2):
            try:
                self._set_up().show(self._frame, Look(Level.OFF))
                break
            except ERRORS:
                self._drop()
                self.counts.failed += 1
        self._drop()

    def _write(self, now: float) -> None:
        oled = self._set_up()
        if self._renew_at is None:
            self._renew_at = now + RENEWAL
        elif self._refresh or now >= self._renew_at:
            oled.renew()
            self._renew_at = now + RENEWAL
        self._refresh = False
        frame, look = self._frame, self._look  # both may be replaced by another thread at any time
        if oled.show(frame, look) and frame is self._frame:
            self._give_way()

    @property
    def first(self) -> bool:
        """Whether the other displays wait for this one."""
        return self.way is not None and self.way.is_first(self)

    @property
    def waits(self) -> bool:
        """Whether another display goes first."""
        return self.way is not None and self.way.waits(self)

    def _give_way(self) -> None:
        if self.way is not None:
            self.way.give(self)

    def _set_up(self) -> Oled:
        if self._oled is None:
            self._bus = self._open_bus()
            self._oled = Oled(self._bus, self._address, self.panel, self._count_failed, lambda: self.waits)
        return self._oled

    def _count_failed(self) -> None:
        self.counts.failed += 1

    def _drop(self) -> None:
        bus, self._bus, self._oled, self._renew_at = self._bus, None, None, None
        if bus is not None:
            bus.close()


class DisplayBus:
    """The displays of one bus, for the one thread that owns it. `looked` is told the time that a poll is told."""

    def __init__(self, displays: Iterable[SeatDisplay], looked: Callable[[float], None] = lambda now: None) -> None:
        self.displays = tuple(displays)
        self._looked = looked

    def poll(self, now: float) -> list[Event]:
        """Poll every display in turn, but for those that are to wait; one that goes first is the first."""
        self._looked(now)
        turns = sorted(self.displays, key=lambda display: not display.first)
        return [event for display in turns if not display.waits for event in display.poll(now)]

    @property
    def waits(self) -> bool:
        """Whether a display is to wait for another."""
        return any(display.waits for display in self.displays)

    def darken(self) -> None:
        """Clear what the displays still show from before the table started."""
        for display in self.displays:
            display.darken()

    def close(self) -> None:
        """Leave all displays dark."""
        for display in self.displays:
            display.close()
