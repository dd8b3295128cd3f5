"""How the saving goes: when something was saved last, what waits for the disk now, and since when nothing can be saved.

What was accepted is on disk before anybody sees it; so there is nothing to be lost that was shown. But a disk that does
not answer, or takes nothing, stops the game, and that must not look like a table that sleeps.
"""

from typing import NamedTuple, Protocol

LATE = 5.0
"""Seconds for which an entry may wait for the disk before the places are told."""


class Counted(Protocol):
    """What a journal counts (`firmware.journal.Journal`)."""

    @property
    def saved(self) -> int:
        """How often something was made durable."""

    @property
    def failed(self) -> int:
        """How often that has failed."""

    @property
    def waiting(self) -> int:
        """How much waits for the disk."""


class Standing(NamedTuple):
    """How it stands. `age` is of the last thing that was saved since the start, in seconds; `waits` and `fails` are
    for how long something has been waiting, and for how long nothing could be saved; None: not so.
    """

    age: float | None
    waits: float | None
    fails: float | None

    @property
    def is_late(self) -> bool:
        """Whether somebody is to be told."""
        return self.fails is not None or (self.waits is not None and self.waits >= LATE)


class Saving:
    """Watches a journal; a plain object that is given times."""

    def __init__(self) -> None:
        self._seen = self._failed = 0
        self._last: float | None = None
        self._waits: float | None = None
        self._fails: float | None = None
        self._told = False

    def look(self, journal: Counted, now: float) -> bool:
        """Look at it; whether it has just become late, which is told once."""
        if journal.saved != self._seen:
            self._seen, self._last, self._fails = journal.saved, now, None
            self._failed = journal.failed
        elif journal.failed != self._failed:
            self._failed = journal.failed
            self._fails = now if self._fails is None else self._fails
        self._waits = (now if self._waits is None else self._waits) if journal.waiting else None
        before = self._told
        self._told = self._waits is not None and now - self._waits >= LATE
        return self._told and not before

    def standing(self, now: float) -> Standing:
        """How it stands now."""
        return Standing(*(None if since is None else now - since for since in (self._last, self._waits, self._fails)))
