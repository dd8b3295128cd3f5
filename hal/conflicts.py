"""One card, two readers: the same tag seen at both is no two cards, and nobody knows which reader is meant.

Fields of neighbours couple, so that a reader sees the card that lies on the next one. A tag that is placed is
therefore held back until no other reader can be about to report it, too. One that is asked has to look twice, for
there are chips that miss every second search; one that speaks by itself has to be listened to for a while, for its
next frame comes when it comes. What is held back keeps its time.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from hal.events import Event, TagConflict, TagLifted, TagPlaced
from hal.presence import Sight

WINDOW = 0.5
"""Seconds since a reader saw a tag last, within which the same tag cannot honestly be at another reader."""

LOOKS = 2
"""Clean polls by which a reader that can be asked shows that it does not see a tag."""
LOOK_TIME = 0.3
"""Seconds after which the second of them is not waited for any longer: the others are slow, or answer garbled."""
TELL_TIME = 0.3
"""Seconds that a reader that speaks by itself may take to tell of a tag that another one has told already: frames of
two readers in one place come up to three tenths apart."""

LastSeen = Callable[[str, str], Sight | None]
"""When a reader saw a tag last, by both names; None when the tag does not lie there."""


@dataclass(slots=True)
class _Held:
    """A placed tag that waits for the others to look."""

    event: TagPlaced
    looks: dict[str, int]
    """How often each of the others has looked since, with a clean answer."""
    lifted: TagLifted | None = None
    """It has gone meanwhile."""


class Conflicts:
    """Readers of one family that lie near each other, and the tags that they dispute. A plain object, fed by every
    poll. `asked`: these readers can be asked; else they speak by themselves.

    A dispute ends when one reader alone still sees the tag, after the others have lost it: there it counts.
    """

    def __init__(self, last_seen: LastSeen, *, asked: bool = True) -> None:
        self._last_seen = last_seen
        self._asked = asked
        self._polled: dict[str, float] = {}
        self._clean: dict[str, tuple[float, ...]] = {}  # when each looked and was answered, the last times
        self._held: list[_Held] = []
        self._disputed: dict[str, set[str]] = {}
        self._given: dict[str, str] = {}  # by tag: where it was placed as everybody knows, until it is lifted

    def feed(
        self, reader: str, events: list[Event], others: Collection[str], now: float, *, clean: bool = True
    ) -> list[Event]:
        """Take what a reader's poll at `now` gave; give what can be passed on. `others` are the working readers
        beside it that could see the same tags. `clean`: the poll was answered, so that a tag it did not see was
        not seen.
        """
        self._polled[reader] = now
        if clean:
            self._clean[reader] = (*self._clean.get(reader, ()), now)[-LOOKS:]
            for held in self._held:
                if reader in held.looks:
                    held.looks[reader] += 1
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
        return out + self._resolved(reader, now) + self._released(reader, others, now)

    def awaited(self, now: float) -> set[str]:
        """The readers that are to look at once, so that what is held back need not wait for their turns."""
        return {other for held in self._held if self._due(held) <= now for other in self._not_since(held)}

    @property
    def due(self) -> float:
        """When somebody is to look at once; infinite when nobody is."""
        return min((self._due(held) for held in self._held if self._not_since(held)), default=float("inf"))

    def _due(self, held: _Held) -> float:
        """From when on a look of each other reader is needed, whatever else is."""
        return held.event.at if self._asked else held.event.at + TELL_TIME

    def _not_since(self, held: _Held) -> set[str]:
        """Those that have not looked since then."""
        due = self._due(held)
        return {other for other in held.looks if self._polled.get(other, float("-inf")) < due}

    def _placed(self, event: TagPlaced, others: Collection[str]) -> list[Event]:
        uid, reader = event.uid, event.reader
        if reader in self._disputed.get(uid, ()):
            return []
        found = self._rival(event, others)
        if found is None:
            sight = self._last_seen(reader, uid)  # while it settled the others have looked, too
            since = event.at if sight is None else min(event.at, sight.since)
            looked = {other: len({at for at in self._clean.get(other, ()) if at >= since}) for other in others}
            self._held.append(_Held(event, looked))
            return []
        return [self._disputing(event, *found)]

    def _disputing(self, event: TagPlaced, rival: str, look: int) -> TagConflict:
        """A tag that was placed and that another reader sees, too."""
        self._held = [held for held in self._held if held.event.uid != event.uid]
        self._disputed.setdefault(event.uid, {rival}).add(event.reader)
        return TagConflict((rival, event.reader), event.uid, event.at, (look, event.look))

    def _rival(self, event: TagPlaced, others: Collection[str]) -> tuple[str, int] | None:
        """The other reader that sees this tag, too, and at which poll; the one that saw it last."""
        seen = {other: self._last_seen(other, event.uid) for other in others}
        near = {other: sight for other, sight in seen.items() if sight is not None and event.at - sight.at <= WINDOW}
        for held in self._held:
            if held.event.uid == event.uid and held.event.reader in seen:  # though it is not seen there any more
                near.setdefault(held.event.reader, Sight(held.event.at, held.event.look))
        last = max(near, key=lambda other: near[other].at, default=None)
        return None if last is None else (last, near[last].look)

    def _lifted(self, event: TagLifted) -> list[Event]:
        for held in self._held:
            if (held.event.uid, held.event.reader) == (event.uid, event.reader) and held.lifted is None:
                held.lifted = event
        return [event] if self._taken(event) else []

    def _taken(self, event: TagLifted) -> bool:
        """Whether it counted there; from now on it does not."""
        if self._given.get(event.uid) != event.reader:
            return False
        del self._given[event.uid]
        return True

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
            sight = self._last_seen(reader, uid)
            if rivals == {reader} and sight is not None and sight.at == now:
                del self._disputed[uid]
                if self._given.get(uid) != reader:
                    self._given[uid] = reader
                    out.append(TagPlaced(reader, uid, now, sight.look))
        return out

    def _released(self, reader: str, others: Collection[str], now: float) -> list[Event]:
        working = {reader, *others}
        out: list[Event] = []
        for held in list(self._held):
            held.looks = {other: looks for other, looks in held.looks.items() if other in working}
            if self._waits(held, now):
                continue
            found = self._rival(held.event, held.looks)  # one that watches it settle
            if found is not None:
                out.append(self._disputing(held.event, *found))
                continue
            self._held.remove(held)
            self._given[held.event.uid] = held.event.reader
            out.append(held.event)
            if held.lifted is not None and self._taken(held.lifted):
                out.append(held.lifted)
        return out

    def _waits(self, held: _Held, now: float) -> bool:
        """Whether another reader may still be about to report this tag."""
        if self._not_since(held):
            # It was there though somebody has not looked yet; a lift comes long after anybody's turn.
            return held.lifted is None or now - held.event.at < LOOK_TIME
        return self._asked and min(held.looks.values(), default=LOOKS) < LOOKS and now - held.event.at < LOOK_TIME
