"""Which tags lie in one reader's field, made out of polls that may miss a tag or come back garbled.

A tag is *placed* once, however long it lies there; it can be placed again only after it was lifted, or after
`forget`. A single poll that misses it means nothing: chips miss tags that never moved.
"""

from dataclasses import dataclass

from hal.events import Event, SeveralTags, TagLifted, TagPlaced
from hal.pn532 import Garbled, PollResult, Tags, uid_text

LIFT_POLLS = 3
"""Clean polls in a row that must miss a tag before it counts as lifted."""
LIFT_TIME = 0.25
"""Seconds over which those polls must reach, from the first that misses the tag."""


@dataclass(slots=True)
class _Lying:
    """One tag that has been seen and was not lifted yet."""

    first_seen: float
    missed: int = 0
    missed_since: float = 0.0
    due: bool = True  # a TagPlaced is still to be reported
    placed: bool = False  # one was, so a TagLifted must follow
    crowded: bool = False  # lay together with another tag, and has not been alone since


class Presence:
    """The field of one reader. `settle` is the time in seconds for which a tag must be seen before it is
    placed; at the default, one clean poll will do.
    """

    def __init__(
        self, reader: str, settle: float = 0.0, lift_polls: int = LIFT_POLLS, lift_time: float = LIFT_TIME
    ) -> None:
        self._reader = reader
        self._settle = settle
        self._lift_polls = lift_polls
        self._lift_time = lift_time
        self._lying: dict[bytes, _Lying] = {}
        self._reported: frozenset[bytes] = frozenset()  # the set of the last SeveralTags, while it lasts
        self._forgetting = False

    def feed(self, result: PollResult, now: float) -> list[Event]:
        """Take the result of one poll made at `now`; give what it changes.

        A garbled poll counts neither for a tag nor against one.
        """
        if isinstance(result, Garbled):
            return []
        if self._forgetting:
            self._forgetting = False
            self._reported = frozenset()
            for tag in self._lying.values():
                tag.due = True
        seen = frozenset(result.uids) if isinstance(result, Tags) else frozenset()
        events = self._lift(seen, now)
        for uid in seen:
            tag = self._lying.setdefault(uid, _Lying(first_seen=now))
            tag.missed = 0
            tag.crowded = tag.crowded or len(seen) > 1
        if len(seen) > 1:
            events += self._several(seen, now)
        elif seen:
            events += self._place(next(iter(seen)), now)
        return events

    def forget(self) -> None:
        """Let what lies in the field count anew: seen again, it is placed again.

        For when the game takes a card back, so that the same card can be played at once. No TagLifted goes
        before that second TagPlaced, as nothing was lifted. It takes effect with the next clean poll, and
        may be called from another thread than the one that polls.
        """
        self._forgetting = True

    def _lift(self, seen: frozenset[bytes], now: float) -> list[Event]:
        """Count a miss for every tag that is not among `seen`, and drop those that were missed enough."""
        events: list[Event] = []
        for uid, tag in list(self._lying.items()):
            if uid in seen:
                continue
            if tag.missed == 0:
                tag.missed_since = now
            tag.missed += 1
            if tag.missed >= self._lift_polls and now - tag.missed_since >= self._lift_time:
                del self._lying[uid]
                if tag.placed:
                    events.append(TagLifted(self._reader, uid_text(uid), now))
        crowd = [tag for tag in self._lying.values() if tag.crowded]
        if len(crowd) == 1:
            # The others have gone for certain, so the one that is left counts like any single tag.
            crowd[0].crowded = False
            self._reported = frozenset()
        elif not crowd:
            self._reported = frozenset()
        return events

    def _several(self, seen: frozenset[bytes], now: float) -> list[Event]:
        if seen <= self._reported:
            return []
        # Together with what the last report named and is still there: of three tags a chip shows two at a
        # time.
        self._reported = seen | {uid for uid in self._reported if uid in self._lying}
        return [SeveralTags(self._reader, tuple(sorted(map(uid_text, self._reported))), now)]

    def _place(self, uid: bytes, now: float) -> list[Event]:
        tag = self._lying[uid]
        if not tag.due or tag.crowded or now - tag.first_seen < self._settle:
            return []
        tag.due, tag.placed = False, True
        return [TagPlaced(self._reader, uid_text(uid), now)]
