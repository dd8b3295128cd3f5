"""Whose turn it is to look for tags: neighbouring readers never do so at the same time, for their fields couple."""

from collections.abc import Iterable


class Turns:
    """The order of a table's readers, by name. Told the time; never waits itself.

    Each is due `interval` seconds after its last turn (it may be changed meanwhile); of those that are due, the one
    that has waited longest goes first. So a slow one delays the others, and nobody is passed over.
    """

    def __init__(self, names: Iterable[str], interval: float) -> None:
        self.interval = interval
        self._last: dict[str, float | None] = dict.fromkeys(names)

    def take(self, now: float) -> str | None:
        """Give the turn at `now` to the reader that this returns; None when no reader is due."""
        name = min(self._last, key=self._waits_since, default=None)
        if name is None or self._waits_since(name) > now:
            return None
        del self._last[name]  # to the end of the line: of two that wait equally long, the other goes first
        self._last[name] = now
        return name

    def wait(self, now: float) -> float:
        """Seconds from `now` until somebody is due."""
        return max(0.0, min(map(self._waits_since, self._last), default=now + self.interval) - now)

    def hasten(self, names: Iterable[str]) -> None:
        """Make these due at once."""
        self._last.update(dict.fromkeys(self._last.keys() & set(names)))

    def postpone(self, name: str, seconds: float) -> None:
        """Let a reader that just had its turn wait so much longer for the next."""
        last = self._last[name]
        if last is not None:
            self._last[name] = last + seconds

    def _waits_since(self, name: str) -> float:
        last = self._last[name]
        return float("-inf") if last is None else last + self.interval
