"""Faults that come and go while a simulated table plays.

What lasts is there from the start, and everywhere, or at one place each where much goes wrong; what would stop play for
good is at one place for some seconds, and again later at another.
"""

from collections.abc import Iterable
from random import Random

from hal.events import Button
from hal.phrases import Phrase
from hal.sim.named_faults import At, FaultError, NamedFaults, Place, named

CALM = (6.0, 20.0)
"""Seconds from the end of a passing fault until it comes again."""
STORM = (2.0, 8.0)
"""Seconds for which it stays."""
FEW = 3
"""So many names are there everywhere."""
AT_ONCE = 2
"""So many passing faults are there at the most: at a table where everything fails nobody plays."""
CLOCK_STEPS = (-86_400.0, 86_400.0)
"""Seconds by which the clock on the wall jumps."""
SLOW = (0.2, 1.5)
"""Seconds that a commit takes on a slow disk."""


class Weather:
    """Told the time by `poll`; the same `chance` gives the same weather. Raises `FaultError` for a name that is none,
    and where this table has no place for a fault.
    """

    def __init__(self, faults: NamedFaults, names: Iterable[str], chance: Random) -> None:
        self._faults = faults
        self._chance = chance
        self._next: dict[str, float] = {}  # of those that pass: when they come or go
        self._there: dict[str, Place] = {}
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            places = faults.places(name)
            if not places:
                raise FaultError(Phrase("this table has no place for {name}", name=name))
            if named(name).passing:
                self._next[name] = chance.uniform(*CALM)
                continue
            for place in places if len(wanted) <= FEW else [chance.choice(places)]:
                faults.begin(name, place, self._amount(name))

    def poll(self, now: float) -> None:
        """Let come and go what is due at `now`."""
        for name, at in self._next.items():
            if now < at:
                continue
            place = self._there.pop(name, None)
            if place is not None:
                self._faults.mend(name, place)
                self._next[name] = now + self._chance.uniform(*CALM)
            else:
                if len(self._there) < AT_ONCE:
                    self._come(name)
                self._next[name] = now + self._chance.uniform(*STORM)
        self._faults.poll(now)

    def _come(self, name: str) -> None:
        place = self._chance.choice(self._faults.places(name))
        if place.at is At.BUTTONS:
            place = place._replace(button=self._chance.choice(list(Button)))
        try:
            self._faults.begin(name, place, self._amount(name))
        except FaultError:  # it is unplugged already
            return
        self._there[name] = place

    def _amount(self, name: str) -> float | None:
        match name:
            case "clock-step":
                return self._chance.uniform(*CLOCK_STEPS)
            case "slow-disk":
                return self._chance.uniform(*SLOW)
            case _:
                return None
