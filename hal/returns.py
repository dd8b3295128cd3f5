"""Which tags only seem to have left: a card that lies still is missed now and then, and is back in a moment."""

from hal.events import Event, TagLifted, TagPlaced

AWAY = 5.0
"""Seconds within which a tag that comes back to its reader may never have left. Lifts that were none last a second or
two; a person who takes a card away for good needs no longer."""


class Returns:
    """Told of each event at the table, tells the tags that come back from those that come.

    What holds of a tag holds at its reader alone: the same card at another reader has been carried there.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], float] = {}  # those placed or lifted lately, and when

    def take(self, event: Event) -> bool:
        """Note an event; whether it is a tag that comes back within `AWAY` seconds."""
        if not isinstance(event, TagPlaced | TagLifted):
            return False
        self._seen = {place: at for place, at in self._seen.items() if event.at - at < AWAY}
        place = event.reader, event.uid
        back = isinstance(event, TagPlaced) and place in self._seen
        self._seen[place] = event.at
        return back
