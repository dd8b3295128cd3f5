"""Where each tag was seen last, since the table was started: kept in memory, and no longer than it is on."""

from typing import NamedTuple

MOST = 512
"""Tags that are remembered: more than four decks have."""


class Sighting(NamedTuple):
    """A reader, and when it saw the tag."""

    reader: str
    at: float


class Sightings:
    """The last sighting of each tag; of those that were not seen for the longest time, none."""

    def __init__(self, most: int = MOST) -> None:
        self._seen: dict[str, Sighting] = {}
        self._most = most

    def note(self, uid: str, reader: str, at: float) -> None:
        """A reader sees a tag."""
        self._seen.pop(uid, None)
        self._seen[uid] = Sighting(reader, at)
        if len(self._seen) > self._most:
            del self._seen[next(iter(self._seen))]

    def last(self, uid: str) -> Sighting | None:
        """Where this tag was seen last."""
        return self._seen.get(uid)
