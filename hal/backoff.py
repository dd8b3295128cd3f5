"""When to try a lost device again."""


class Backoff:
    """Waiting times that double from `first` to `limit` seconds. Told the time; never waits itself.

    >>> backoff = Backoff()
    >>> backoff.failed(10.0)
    >>> backoff.due(10.4), backoff.due(10.5)
    (False, True)
    """

    def __init__(self, first: float = 0.5, limit: float = 10.0) -> None:
        self._first = first
        self._limit = limit
        self._wait = first
        self._next: float | None = None

    @property
    def failing(self) -> bool:
        """Whether the last try failed."""
        return self._next is not None

    def due(self, now: float) -> bool:
        """Whether a try is allowed at `now`; always so while nothing failed."""
        return self._next is None or now >= self._next

    def failed(self, now: float) -> bool:
        """Note a failed try at `now`. True when it is the first of its series, which is the one to report."""
        first = self._next is None
        self._next = now + self._wait
        self._wait = min(self._wait * 2, self._limit)
        return first

    def worked(self) -> bool:
        """Note a try that worked. True when tries had failed before, so that the device is back."""
        back = self._next is not None
        self._next = None
        self._wait = self._first
        return back
