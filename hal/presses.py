"""From the sampled level of one button to presses, holds and releases. Told the time, so it can be stepped by
hand.
"""

from enum import Enum, auto


class Turn(Enum):
    """What one button has just done."""

    PRESSED = auto()
    HELD = auto()
    RELEASED = auto()
    RELEASED_AFTER_HOLD = auto()
    STUCK = auto()
    FREED = auto()


class PressDecoder:
    """Debounces one button and times its hold. All times are seconds.

    A level counts once it was the same for `settle`. A button held for `hold`, counted from when it went
    down, is HELD once a press. One that is down for longer than `stuck` is reported as STUCK, once; when it
    comes up it is FREED and that press is over without a release.
    """

    def __init__(self, settle: float = 0.010, hold: float = 0.6, stuck: float = 60.0) -> None:
        self._settle = settle
        self._hold = hold
        self._stuck_after = stuck
        self.reset()

    def reset(self) -> None:
        """Forget a press that is under way: the button counts as up."""
        self._down = False
        self._down_since = 0.0
        self._other_since: float | None = None  # since when the level contradicts _down
        self._held = False
        self._stuck = False

    @property
    def down_since(self) -> float | None:
        """When the button went down, if it counts as down and is not stuck."""
        return self._down_since if self._down and not self._stuck else None

    @property
    def at_rest(self) -> bool:
        """Whether the button is up with nothing under way, so that only an edge can change anything."""
        return not self._down and self._other_since is None

    def sample(self, down: bool, edge: bool, now: float) -> list[Turn]:
        """Take the level at `now`. `edge` says that the level changed at least once since the last sample."""
        if down == self._down:
            self._other_since = None
        elif self._other_since is None or edge:
            self._other_since = now
        elif now - self._other_since >= self._settle:
            return [self._settled_up()] if self._down else [self._settled_down(), *self._timed(now)]
        return self._timed(now)

    def _settled_down(self) -> Turn:
        self._down, self._down_since = True, self._other_since or 0.0
        self._other_since, self._held, self._stuck = None, False, False
        return Turn.PRESSED

    def _settled_up(self) -> Turn:
        self._down, self._other_since = False, None
        if self._stuck:
            return Turn.FREED
        return Turn.RELEASED_AFTER_HOLD if self._held else Turn.RELEASED

    def _timed(self, now: float) -> list[Turn]:
        """What the time alone brings about; nothing while the button is up or seems to be coming up."""
        if not self._down or self._other_since is not None:
            return []
        turns = []
        if not self._held and now - self._down_since >= self._hold:
            self._held = True
            turns.append(Turn.HELD)
        if not self._stuck and now - self._down_since > self._stuck_after:
            self._stuck = True
            turns.append(Turn.STUCK)
        return turns
