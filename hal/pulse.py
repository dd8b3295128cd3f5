"""Who still goes round: threads and tasks say so each time, and one that has not for too long stands still."""

SILENCE = 15.0
"""Real seconds without a beat after which something stands still. The longest honest round is that of a bus on which
every display holds the line: the kernel gives each transfer up after a second."""


class Pulse:
    """When each thread or task gave its last beat, in seconds of one clock. Any thread may call it."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def beat(self, name: str, now: float) -> None:
        """This one goes round at `now`."""
        self._last[name] = now

    def rest(self, name: str) -> None:
        """This one waits for something that may never come, so nothing is expected of it."""
        self._last.pop(name, None)

    def still(self, now: float, silence: float) -> tuple[str, ...]:
        """Those that have not gone round for longer than `silence`."""
        return tuple(sorted(name for name, last in self._last.copy().items() if now - last > silence))
