"""The table's one clock: seconds that only go forward."""

import time
from typing import Protocol


class Clock(Protocol):
    """Gives the time, in seconds since some moment before the table started."""

    def now(self) -> float:
        """The time now."""

    def real(self, seconds: float) -> float:
        """How long that many seconds of the table's take outside."""


class SteadyClock:
    """The system's monotonic clock; with `speed` above 1 the table's time runs faster than the world's."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed

    def now(self) -> float:
        """The time now."""
        return time.monotonic() * self._speed

    def real(self, seconds: float) -> float:
        """How long that many seconds of the table's take outside."""
        return seconds / self._speed


class SteppedClock:
    """A clock that stands until somebody moves it on: for tests and scripts."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        """The time now."""
        return self.time

    def real(self, seconds: float) -> float:
        """Nothing takes any time outside."""
        return 0.0
