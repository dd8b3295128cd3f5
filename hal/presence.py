"""Which tags lie in one reader's field, made out of polls that may miss a tag or come back garbled.

A tag is *placed* once, however long it lies there; it can be placed again only after it was lifted, or after
`forget`. A single poll that misses it means nothing: chips miss tags that never moved. A reader that tells a tag
once, when it comes, uses the same model: what is said again within the release time is the same visit, and
nothing is reported when it ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from hal.events import Event, SeveralTags, TagGlimpsed, TagLifted, TagPlaced
from hal.tags import Family, Garbled, PollResult, Tags, uid_text

LIFT_POLLS = 3
"""Clean polls in a row that must miss a tag before it counts as lifted."""
LIFT_TIME = 0.25
"""Seconds over which those polls must reach, from the first that misses the tag, unless a reader's kind or the
wiring says otherwise."""
SOON = 1.0
"""Seconds within which a tag that is back after its lift was most likely never lifted."""
MOST_TAGS = 200
"""Tags that are counted one by one: more than any two packs have."""


@dataclass(slots=True)
class PresenceCounts:
    """What a reader's presence is worth, since the start."""

    placed: int = 0
    lifted: int = 0
    flickers: int = 0
    """Times that a tag was missed and seen again before it counted as lifted."""
    false_lifts: int = 0
    """Lifts after which the same tag was seen again within `SOON`."""


@dataclass(slots=True)
class TagCounts:
    """How well one tag is read at this reader, since the start: clean polls while it lay there."""

    seen: int = 0
    missed: int = 0
    """Those that missed it though it was seen again: the misses that end in a lift are none."""
    repaired: int = 0
    """Those among `seen` for which a damaged answer had to be asked for again."""
    returns: int = 0
    """Times that it was seen again after it was missed, or after a lift that was most likely none."""

    @property
    def rate(self) -> float:
        """The share of polls that saw it, from 0 to 1."""
        return self.seen / (self.seen + self.missed) if self.seen else 0.0


class Sight(NamedTuple):
    """When a reader saw a tag last, at which of its polls, counted from its start, and since when it lies there."""

    at: float
    look: int = 0
    since: float = float("inf")


@dataclass(slots=True)
class _Lying:
    """One tag that has been seen and was not lifted yet."""

    first_seen: float
    last_seen: float
    look: int = 0  # the last poll that saw it
    times: int = 0
    missed: int = 0
    missed_since: float = 0.0
    due: bool = True  # a TagPlaced is still to be reported
    placed: bool = False  # one was, so a TagLifted must follow
    crowded: bool = False  # lay together with another tag, and has not been alone since
    told: bool = False  # something was reported of it


class Presence:
    """The field of one reader. `settle` is the time in seconds for which a tag must be seen before it is
    placed, and tags together before they are several; at the default, one clean poll will do. `lift_time` is the
    release time, in seconds; without `sees_lifts` it is the window in which the same tag does not count again, and no
    TagLifted is given. A tag that is not `known` must be seen twice before it is placed: a UID that noise has made up
    does not come again. What is seen within `first_time` seconds of the first clean poll lay there before, too: a
    reader that is not asked may be silent at first.
    """

    def __init__(
        self,
        reader: str,
        settle: float = 0.0,
        lift_polls: int = LIFT_POLLS,
        lift_time: float = LIFT_TIME,
        family: Family = Family.TYPE_A,
        sees_lifts: bool = True,
        known: Callable[[bytes], bool] = lambda uid: True,
        first_time: float = 0.0,
    ) -> None:
        self.counts = PresenceCounts()
        self.tags: dict[bytes, TagCounts] = {}
        self._reader = reader
        self._settle = settle
        self._lift_polls = lift_polls
        self._lift_time = lift_time
        self._family = family
        self._sees_lifts = sees_lifts
        self._known = known
        self._lying: dict[bytes, _Lying] = {}
        self._lifted: tuple[bytes, float, int] | None = None  # the last lift and its misses, to tell a false one
        self._crowd_since: float | None = None  # since when tags lie together
        self._reported: frozenset[bytes] = frozenset()  # the set of the last SeveralTags, while it lasts
        self._forgetting = False
        self._looks = 0  # polls since the start, whatever they gave
        self._first: frozenset[bytes] | None = None  # what the first clean poll saw
        self._first_time = first_time
        self._first_look = 0.0

    def feed(self, result: PollResult, now: float, repaired: bool = False) -> list[Event]:
        """Take the result of one poll made at `now`; give what it changes. `repaired`: the answer was damaged at first.

        A garbled poll counts neither for a tag nor against one.
        """
        self._looks += 1
        if isinstance(result, Garbled):
            return []
        if self._forgetting:
            self._forgetting = False
            self._reported = frozenset()
            for tag in self._lying.values():
                tag.due = True
        seen = frozenset(result.uids) if isinstance(result, Tags) else frozenset()
        if self._first is None:
            self._first, self._first_look = seen, now
        elif now < self._first_look + self._first_time:
            self._first |= seen
        events = self._lift(seen, now)
        for uid in seen:
            self._see(uid, crowded=len(seen) > 1, repaired=repaired, now=now)
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

    @property
    def stirs(self) -> bool:
        """Whether a tag has come of which nothing is certain yet, or one that lies here was missed."""
        return any(tag.missed or not (tag.told or tag.crowded) for tag in self._lying.values())

    def last_seen(self, uid: str) -> Sight | None:
        """When this tag was last seen, by its canonical text; None when it does not lie here."""
        for data, tag in self._lying.items():
            if uid_text(data, self._family) == uid:
                return Sight(tag.last_seen, tag.look, tag.first_seen)
        return None

    def lay_there(self, uid: str) -> bool:
        """Whether this tag, by its canonical text, lay in the field when it was looked at for the first time."""
        return uid in {uid_text(data, self._family) for data in self._first or ()}

    def _see(self, uid: bytes, *, crowded: bool, repaired: bool, now: float) -> None:
        tag, missed = self._lying.get(uid), 0
        if tag is None:
            tag = self._lying[uid] = _Lying(first_seen=now, last_seen=now)
            if self._lifted is not None and self._lifted[0] == uid and now - self._lifted[1] <= SOON:
                self.counts.false_lifts += 1
                missed = self._lifted[2]
        elif tag.missed and self._sees_lifts:
            self.counts.flickers += 1
            missed = tag.missed
        self._count(uid, missed, repaired)
        tag.missed, tag.last_seen, tag.look = 0, now, self._looks
        tag.times += 1
        tag.crowded = tag.crowded or crowded

    def _count(self, uid: bytes, missed: int, repaired: bool) -> None:
        """A tag was seen, after so many polls that missed it. Strangers without number are not kept."""
        if uid in self.tags or len(self.tags) < MOST_TAGS:
            counts = self.tags.setdefault(uid, TagCounts())
            counts.seen += 1
            counts.missed += missed
            counts.repaired += repaired
            counts.returns += missed > 0

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
                if tag.placed and self._sees_lifts:
                    self._lifted = uid, now, tag.missed
                    self.counts.lifted += 1
                    events.append(TagLifted(self._reader, uid_text(uid, self._family), now))
                elif not tag.told:
                    events.append(TagGlimpsed(self._reader, uid_text(uid, self._family), now, tag.look))
        crowd = [tag for tag in self._lying.values() if tag.crowded]
        if len(crowd) == 1:
            # The others have gone for certain, so the one that is left counts like any single tag.
            crowd[0].crowded = False
        if len(crowd) <= 1:
            self._reported, self._crowd_since = frozenset(), None
        return events

    def _several(self, seen: frozenset[bytes], now: float) -> list[Event]:
        since = self._crowd_since = now if self._crowd_since is None else self._crowd_since
        if seen <= self._reported or now - since < self._settle:
            return []  # another card that brushes past one that lies there is no second card
        # Together with what the last report named and is still there: of three tags a chip shows two at a
        # time.
        self._reported = seen | {uid for uid in self._reported if uid in self._lying}
        uids = sorted(uid_text(uid, self._family) for uid in self._reported)
        for uid in self._reported:
            self._lying[uid].told = True
        return [SeveralTags(self._reader, tuple(uids), now, self._looks)]

    def _place(self, uid: bytes, now: float) -> list[Event]:
        tag = self._lying[uid]
        if not tag.due or tag.crowded or now - tag.first_seen < self._settle:
            return []
        if tag.times < 2 and not self._known(uid):
            return []  # a tag that is none is not seen twice
        tag.due, tag.placed, tag.told = False, True, True
        self.counts.placed += 1
        return [TagPlaced(self._reader, uid_text(uid, self._family), now, self._looks)]
