"""When the displays grow dim and dark, and where on the glass they show their frames.

An OLED's pixels age as they shine: after months a picture that always stood there is to be seen for ever. So a table
at rest dims, then goes dark, and whatever is shown moves by a row now and then.
"""

from collections.abc import Container

from hal.events import Button, Event, Held, Pressed, Released, TagPlaced
from hal.panels import Level, Look
from hal.returns import Returns

DIM_AFTER = 120.0
"""Seconds without an event until the displays dim."""
OFF_AFTER = 900.0
"""Seconds without an event until they are off."""
STEP = 240.0
"""Seconds that a frame stays at its place on the glass."""
BEAT = 1.0
"""Seconds after which the mark of a table that lives changes."""
PLACES = (0, 1, 2, 1)
"""Rows by which frames are lowered, in turn. Never raised: the rows that leave come in at the other edge, and the
lowest rows of a frame are mostly dark while the topmost are lit."""


def beat(now: float) -> bool:
    """Whether the mark of a table that lives is to be seen at `now`: by the clock alone, so it tells nothing else."""
    return int(now // BEAT) % 2 == 1


class Idle:
    """Told of each event at the table, says how the displays are to look at `now`, in seconds.

    It counts what people do and nothing else, so all seats look alike, and a reader that flickers keeps nobody awake: a
    tag that comes back to where it has just been lying may never have left.
    """

    def __init__(self, dim: float = DIM_AFTER, off: float = OFF_AFTER, step: float = STEP) -> None:
        self._dim = dim
        self._off = off
        self._step = step
        self._start: float | None = None
        self._last = 0.0
        self._waking: set[tuple[int, Button]] = set()
        self._returns = Returns()

    def take(self, event: Event, seats: Container[int]) -> bool:
        """Note an event; whether it does nothing but bring the displays back.

        So does a press at one of `seats`, those that have a display, while it is off: nobody means a choice that is
        not to be seen. A card that is shown counts whatever the displays do.
        """
        back = self._returns.take(event)
        match event:
            case Pressed(seat, button, at):
                if seat in seats and self.look(at).level is Level.OFF:
                    self._waking.add((seat, button))
                self.wake(at)
            case Held(seat, button, at):
                return (seat, button) in self._waking
            case Released(seat, button, at=at):
                self.wake(at)
                if (seat, button) in self._waking:
                    self._waking.remove((seat, button))
                    return True
            case TagPlaced(at=at) if not back:
                self.wake(at)
        return False

    def wake(self, now: float) -> None:
        """Note that somebody did something."""
        self._last = max(self._last, now)

    def look(self, now: float) -> Look:
        """How the displays are to look; the time counts from the first call."""
        if self._start is None:
            self._start = now
            self.wake(now)
        rest = now - self._last
        level = Level.OFF if rest >= self._off else Level.DIM if rest >= self._dim else Level.FULL
        return Look(level, PLACES[int((now - self._start) // self._step) % len(PLACES)])
