"""What lies between a finger and the line of a button: a contact that bounces or sticks, a wire that picks up noise.

No thread and no clock: `poll` is told the time. The chance is seeded, so that a run can be repeated.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from hal.events import Button

BOUNCE = (0.0002, 0.003)
"""Least and most seconds from one change of a bouncing contact to the next."""
MOST_BOUNCES = 4
QUIET = (0.2, 2.0)
"""Seconds from one glitch on a seat's wires to the next."""
GLITCH = (0.0003, 0.006)
"""Seconds that a glitch lasts."""

Drive = Callable[[int, Button, bool, float], None]
"""Puts the line of a seat's button down, or lets go of it, at a time."""


class _Change(NamedTuple):
    at: float
    seat: int
    button: Button
    glitch: bool
    """For this moment the line is the other way round than the contact says."""


class Contacts:
    """The buttons of all seats. `bouncing` are the seats whose contacts do so; what happens by chance is drawn from
    `chance`.

    Where the time goes on in steps that are longer than a glitch, `coarse` is to be set: what has begun is then ended
    in the same poll.
    """

    def __init__(self, drive: Drive) -> None:
        self.bouncing: set[int] = set()
        self.coarse = False
        self._drive = drive
        self.chance = Random(0)
        self._down: set[tuple[int, Button]] = set()
        self._stuck: set[tuple[int, Button]] = set()
        self._changes: list[_Change] = []
        self._next_glitch: dict[int, float] = {}
        self._now = 0.0

    @property
    def due(self) -> float | None:
        """When a line changes next by itself."""
        times = [change.at for change in self._changes] + list(self._next_glitch.values())
        return min(times, default=None)

    def move(self, seat: int, button: Button, down: bool, now: float) -> None:
        """A finger goes down or comes up."""
        now = max(now, self._now)
        place = seat, button
        before = self._closed(place)
        (self._down.add if down else self._down.discard)(place)
        after = self._closed(place)
        self._changes = [change for change in self._changes if (change.seat, change.button) != place]
        self._drive(seat, button, after, now)
        if seat in self.bouncing and before != after:
            at = now
            for turn in range(2 * self.chance.randint(1, MOST_BOUNCES)):
                at += self.chance.uniform(*BOUNCE)
                self._changes.append(_Change(at, seat, button, glitch=turn % 2 == 0))

    def stick(self, seat: int, button: Button, stuck: bool) -> None:
        """Let a button be down whatever fingers do, or no longer."""
        (self._stuck.add if stuck else self._stuck.discard)((seat, button))
        self._drive(seat, button, self._closed((seat, button)), self._now)

    def disturb(self, seat: int, disturbed: bool) -> None:
        """Let the wires of a seat pick up noise, or no longer."""
        self._next_glitch.pop(seat, None)
        if disturbed:
            self._next_glitch[seat] = self._now + self.chance.uniform(*QUIET)

    def poll(self, now: float) -> None:
        """Change the lines that are due at `now`."""
        self._now = max(now, self._now)
        for seat, at in list(self._next_glitch.items()):
            if at <= now:
                button = self.chance.choice(list(Button))
                end = at + self.chance.uniform(*GLITCH)
                self._changes += [_Change(at, seat, button, glitch=True), _Change(end, seat, button, glitch=False)]
                self._next_glitch[seat] = now + self.chance.uniform(*QUIET)
        due = [change for change in self._changes if change.at <= now]
        if self.coarse:
            moving = {(change.seat, change.button) for change in due}
            due = [change for change in self._changes if (change.seat, change.button) in moving]
        self._changes = [change for change in self._changes if change not in due]
        for change in sorted(due):
            closed = self._closed((change.seat, change.button)) != change.glitch
            self._drive(change.seat, change.button, closed, now)

    def _closed(self, place: tuple[int, Button]) -> bool:
        """Whether a contact is closed, once it has settled."""
        return place in self._down or place in self._stuck
