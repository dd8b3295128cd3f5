"""One card, two readers: the same tag seen at both is no two cards, and nobody knows which reader is meant.

Fields of neighbours couple, so that a reader sees the card that lies on the next one. A tag that is placed is
therefore held back until every other reader has looked once, too: within one round, both are known. What is
held back keeps its time.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from hal.events import Event, TagConflict, TagLifted, TagPlaced

WINDOW = 0.5
"""Seconds since a reader saw a tag last, within which the same tag cannot honestly be at another reader."""

LastSeen = Callable[[str, str], float | None]
"""When a reader saw a tag last, by both names; None when the tag does not lie there."""


@dataclass(slots=True)
class _Held:
    """A placed tag that waits for the others to look."""

    event: TagPlaced
    waits_for: set[str]


class Conflicts:
    """Readers that lie near each other, and the tags that they dispute. A plain object, fed by every poll.

    A dispute ends when one reader alone still sees the tag, after the others have lost it: there it counts.
    """

    def __init__(self, last_seen: LastSeen) -> None:
        self._last_seen = last_seen
        self._polled: dict[str, float] = {}
        self._held: list[_Held] = []
        self._disputed: dict[str, set[str]] = {}
        self._given: dict[str, str] = {}  # by tag: where it was placed as everybody knows, until it is lifted

    def feed(self, reader: str, events: list[Event], others: Collection[str], now: float) -> list[Event]:
        """Take what a reader's poll at `now` gave; give what can be passed on. `others` are the working readers
        beside it that could see the same tags.
        """
        self._polled[reader] = now
        self._settle(reader, others)
        out: list[Event] = []
        for event in events:
            match event:
                case TagPlaced():
                    out += self._placed(event, others)
                case TagLifted():
                    out += self._lifted(event)
                case _:
                    out.append(event)
        return out + self._resolved(reader, now) + self._released(reader, others)

    @property
    def awaited(self) -> set[str]:
        """The readers that are to look before something that is held back can be passed on."""
        return {reader for held in self._held for reader in held.waits_for}

    def _placed(self, event: TagPlaced, others: Collection[str]) -> list[Event]:
        uid, reader = event.uid, event.reader
        if reader in self._disputed.get(uid, ()):
            return []
        rival = self._rival(event, others)
        if rival is None:
            waits_for = {other for other in others if self._polled.get(other, float("-inf")) < event.at}
            self._held.append(_Held(event, waits_for))
            return []
        self._held = [held for held in self._held if held.event.uid != uid]
        self._disputed.setdefault(uid, {rival}).add(reader)
        return [TagConflict((rival, reader), uid, event.at)]

    def _rival(self, event: TagPlaced, others: Collection[str]) -> str | None:
        """The other reader that sees this tag, too; the one that saw it last."""
        seen = {other: self._last_seen(other, event.uid) for other in others}
        near = {other: at for other, at in seen.items() if at is not None and event.at - at <= WINDOW}
        return max(near, key=near.__getitem__, default=None)

    def _lifted(self, event: TagLifted) -> list[Event]:
        out: list[Event] = []
        for held in self._held:
            if (held.event.uid, held.event.reader) == (event.uid, event.reader):
                out.append(held.event)  # it was there, though somebody has not looked yet
                self._given[event.uid] = event.reader
        self._held = [held for held in self._held if held.event not in out]
        if self._given.get(event.uid) == event.reader:
            del self._given[event.uid]
            out.append(event)
        return out

    def _settle(self, reader: str, others: Collection[str]) -> None:
        """Drop from the disputes whoever does not see the tag any more, or does not work."""
        working = {reader, *others}
        for uid, rivals in list(self._disputed.items()):
            rivals -= {rival for rival in rivals if rival not in working or self._last_seen(rival, uid) is None}
            if not rivals:
                del self._disputed[uid]

    def _resolved(self, reader: str, now: float) -> list[Event]:
        out: list[Event] = []
        for uid, rivals in list(self._disputed.items()):
            if rivals == {reader} and self._last_seen(reader, uid) == now:
                del self._disputed[uid]
                if self._given.get(uid) != reader:
                    self._given[uid] = reader
                    out.append(TagPlaced(reader, uid, now))
        return out

    def _released(self, reader: str, others: Collection[str]) -> list[Event]:
        working = {reader, *others}
        out: list[Event] = []
        for held in self._held:
            if held.event.reader != reader:
                held.waits_for.discard(reader)
            held.waits_for &= working
            if not held.waits_for:
                self._given[held.event.uid] = held.event.reader
                out.append(held.event)
        self._held = [held for held in self._held if held.waits_for]
        return out
