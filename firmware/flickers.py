"""Cards that lie still and are missed now and then: what they are told once or twice need not be told all evening."""

from hal.events import Event, TagPlaced
from hal.returns import Returns

REPEATS = 1
"""How often one who shows a card again, while nothing has changed, is told the same again."""
_MOST = 256  # tags of which it is known what they were told; one that is forgotten is told once more


class Flickers:
    """Finds the tags that come back to where they lay, were told what became of them, and would be told the same.

    `state` is whatever the answer depends on: while it is the same, so is the answer.
    """

    def __init__(self) -> None:
        self._returns = Returns()
        self._told: dict[tuple[str, str], tuple[object, int]] = {}

    def take(self, event: Event, state: object) -> bool:
        """Note an event; whether it needs neither decision nor answer."""
        back = self._returns.take(event)
        if not isinstance(event, TagPlaced):
            return False
        place = event.reader, event.uid
        before, times = self._told.get(place, (None, 0))
        times = times + 1 if back and before == state else 0
        if len(self._told) >= _MOST:
            self._told.clear()
        self._told[place] = state, times
        return times > REPEATS

    def settle(self, event: Event, state: object) -> None:
        """Note the state after an event was decided on: a tag that changed it is not to be told the same again."""
        if isinstance(event, TagPlaced) and self._told.get((event.reader, event.uid), (state, 0))[0] != state:
            del self._told[event.reader, event.uid]
