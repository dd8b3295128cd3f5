"""Readers that lie near each other: they look for tags in turns, and one card does not count at two of them."""

from collections.abc import Callable, Iterable

from hal.conflicts import Conflicts
from hal.events import Event
from hal.reader import CardReader
from hal.turns import Turns

READER_INTERVAL = 0.08
"""Seconds from one poll of a reader to the next, where nobody else delays it."""
REST_INTERVAL = 0.2
"""The same at a table at rest: more than half of all polls, which are most of what such a table does, are saved. A
first card must lie there for 0.3 s; from when it is glimpsed, all are polled as fast as ever.
"""
REST_AFTER = 10.0
"""Seconds without a tag that comes, goes or flickers, and without a button, after which the table is at rest."""
TROUBLE_INTERVAL = 0.4
"""Seconds that a reader waits in addition while its polls give nothing clean: a chip that does not answer holds its
neighbours up for a quarter of a second each time."""


class ReaderGroup:
    """Neighbouring readers, stepped by one thread. While one of them looks for tags, the fields of all others
    are off. `looked` is told the name of the reader that is polled, and the time that it is told.
    """

    def __init__(
        self,
        readers: Iterable[CardReader],
        interval: float = READER_INTERVAL,
        looked: Callable[[str, float], None] = lambda reader, now: None,
    ) -> None:
        self._looked = looked
        self.readers = {reader.name: reader for reader in readers}
        self._turns = Turns(self.readers, interval)
        self._interval = interval
        self._stirred: float | None = None
        self._conflicts = {
            able.family: Conflicts(lambda reader, uid: self.readers[reader].last_seen(uid), asked=able.answers)
            for able in (reader.capability for reader in self.readers.values())
        }

    def poll(self, now: float) -> list[Event] | None:
        """Poll the one reader whose turn it is, and give what is certain by now; None when nobody is due."""
        self._turns.interval = max(self._interval, REST_INTERVAL) if self.rests(now) else self._interval
        self._turns.hasten(self._awaited(now))
        name = self._turns.take(now)
        if name is None:
            return None
        events = self.poll_reader(name, now)
        self._turns.hasten(self._awaited(now))
        if self.readers[name].troubled:
            self._turns.postpone(name, TROUBLE_INTERVAL)
        return events

    def poll_reader(self, name: str, now: float) -> list[Event]:
        """Poll one reader, whosever turn it is, and give what is certain by now."""
        reader = self.readers[name]
        others = {
            other.name
            for other in self.readers.values()
            if other is not reader
            and other.is_open
            and not other.troubled
            and other.capability.family is reader.capability.family
        }
        self._looked(name, now)
        events = reader.poll(now)
        if events or reader.stirs:
            self.stir(now)
        return self._conflicts[reader.capability.family].feed(name, events, others, now, clean=reader.clear)

    def stir(self, now: float) -> None:
        """Something is going on at the table. May be called from another thread than the one that polls."""
        self._stirred = now

    def rests(self, now: float) -> bool:
        """Whether nothing has been going on for a while."""
        if self._stirred is None:
            self._stirred = now
        return now - self._stirred >= REST_AFTER

    def _awaited(self, now: float) -> set[str]:
        """The readers that are to look before what is held back is certain."""
        return {reader for conflicts in self._conflicts.values() for reader in conflicts.awaited(now)}

    def poll_all(self, now: float) -> list[Event]:
        """Give everybody who is due a turn."""
        events: list[Event] = []
        while (found := self.poll(now)) is not None:
            events += found
        return events

    def wait(self, now: float) -> float:
        """Seconds from `now` until somebody is due."""
        held = min((conflicts.due for conflicts in self._conflicts.values()), default=float("inf"))
        return max(0.0, min(self._turns.wait(now), held - now))
