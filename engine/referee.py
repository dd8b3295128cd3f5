"""The referee: rules on one entry after the other, and takes back what it accepted, back to the start of the match."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.entries import Deal, Entry, Undo
from engine.match import Match, act, apply, check, check_action, legal
from engine.values import Action, Notice, Refusal, make


class Ruling(NamedTuple):
    """What was ruled on an entry: refused, or accepted with notices."""

    entry: Entry
    refusal: Refusal | None
    notices: tuple[Notice, ...] = ()


class Need(StrEnum):
    """What it takes that a seat's wish to take something back is met."""

    NOTHING = "nothing"
    """There is nothing to take back."""
    FREELY = "freely"
    """It is the seat's own, and told nobody anything."""
    ASSENT = "assent"
    """Others must agree, or the director."""


class Undoing(NamedTuple):
    """What an undo would take back, and what it needs: whose assent, by seat."""

    need: Need
    entry: Entry | None = None
    asked: tuple[int, ...] = ()


class _Part(NamedTuple):
    """The entries from one deal to the next begin at `first`; `before` is the match before them."""

    first: int
    before: Match


class Earlier(NamedTuple):
    """What a referee that goes on between two deals has before it: how many entries are accepted and how many deals
    are dealt, and the referee that ruled on them, which is had only when somebody asks for one of them.
    """

    accepted: int
    deals: int
    load: "Callable[[], Referee]"


class Referee:
    """Holds the running match. The states of the running deal are kept; those of earlier deals are replayed.

    With what was `earlier` it goes on between two deals: at `match`, whose last deal need not be in it.
    """

    def __init__(self, match: Match, earlier: Earlier | None = None) -> None:
        self.match = match
        self._earlier = earlier
        self._done: list[tuple[Entry, int]] = []
        self._parts = [_Part(0, match)]
        self._states: list[Match] = []
        self._refused_deal = False
        self._lot = 0
        self.begun = match.deal is not None or earlier is not None
        """Whether a deal has been entered, be it refused or taken back since: before the first one a record has nothing
        but its header."""

    @property
    def accepted(self) -> list[tuple[Entry, int]]:
        """What was accepted and not taken back, each with the caller's line number."""
        if self._earlier is not None:
            self._load()
        return self._done

    @property
    def count(self) -> int:
        """How many entries are accepted."""
        return len(self._done) + (self._earlier.accepted if self._earlier is not None else 0)

    @property
    def last(self) -> Entry | None:
        """The last accepted entry; None: there is none."""
        newest = self.newest(1)
        return newest[0] if newest else None

    def newest(self, most: int) -> list[Entry]:
        """So many of the last accepted entries, or all of them, the oldest first."""
        if len(self._done) < most and self._earlier is not None:
            self._load()
        return [entry for entry, _ in self._done[-most:]]

    def _load(self) -> None:
        """Have what was earlier before what was accepted since."""
        earlier = self._earlier
        assert earlier is not None
        whole = earlier.load()  # may fail, and then nothing changes
        self._earlier = None
        if not self._done:
            self.match, self._states = whole.match, whole._states
        elif self._parts[-1].first == 0:
            self._states[0] = whole.match
        since = [
            _Part(one.first + earlier.accepted, one.before if one.first else whole.match) for one in self._parts[1:]
        ]
        self._parts = whole._parts + since
        self._done = whole._done + self._done

    @property
    def held(self) -> int:
        """How many of the deals are at hand."""
        return len(self._parts) - 1

    def forget(self, earlier: Earlier) -> None:
        """Have no more at hand what is `earlier`, up to one of the deals that are."""
        first = earlier.accepted - (self.count - len(self._done))
        kept = [_Part(part.first - first, part.before) for part in self._parts[1:] if part.first >= first]
        assert kept
        assert kept[0].first == 0
        self._parts = [kept[0], *kept]
        self._done = self._done[first:]
        self._earlier = earlier

    def check(self, entry: Entry) -> Refusal | None:
        """Why this entry would be refused now; changes nothing."""
        if isinstance(entry, Action):
            refusal = check_action(self.match, entry)
            if self._refused_deal and (refusal is None or refusal.code != "unknown-action"):
                return Refusal("wrong-phase", "", (("standing", "refused-deal"),))
            return refusal
        if isinstance(entry, Undo):
            return None if self.count else Refusal("nothing-to-undo", "")
        if not self.begun and not isinstance(entry, Deal):
            return Refusal("wrong-phase", "", (("standing", self.match.standing.value),))
        return check(self.match, entry)

    def rule(self, entry: Entry, line: int = 0) -> Ruling:
        """Rule on an entry; an accepted one changes the match. `line` is how the caller refers to the entry."""
        if isinstance(entry, Action) and not self._refused_deal:
            before = self.match
            after = act(before, entry)
            if isinstance(after, Match):
                self._states.append(before)
                self._done.append((entry, line))
                self.match = after
                notices = after.notices
                return make(Ruling, (entry, None, self._with_lines(notices) if notices else notices))
            refusal: Refusal | None = after
        elif isinstance(entry, Deal):
            entry = self._by_lot(entry)
            refusal = self.check(entry)
            self._refused_deal = refusal is not None
            self.begun = True
        else:
            refusal = self.check(entry)
        if refusal is not None:
            return Ruling(entry, refusal)
        self.accept(entry, line)
        return Ruling(entry, None, self._with_lines(self.match.notices))

    def accept(self, entry: Entry, line: int = 0) -> None:
        """Change the match by an entry that was not refused."""
        if isinstance(entry, Undo):
            self._see_back(1)
            self._undo()
            return
        if not isinstance(entry, Deal):
            self._see_back(0)
        else:
            self.begun = True
            self._parts.append(_Part(len(self._done), self.match))
            self._states = []
        self._take(entry, line, apply(self.match, entry))

    def _take(self, entry: Entry, line: int, match: Match) -> None:
        """Go on with the match after an entry, and keep what was before it."""
        self._states.append(self.match)
        self._done.append((entry, line))
        self.match = match

    def _by_lot(self, entry: Deal) -> Deal:
        """The deal with its dealer; the lot that chose the first one still holds when that deal was not dealt."""
        dealer = entry.dealer or self.match.next_dealer or self._lot
        if not dealer:
            raise ValueError("nobody deals the first deal; expected a seat")
        self._lot = self._lot or dealer
        return Deal(dealer, entry.dealt)

    def legal(self) -> Iterator[Action]:
        """Every action of a seat that would be accepted now."""
        return iter(()) if self._refused_deal else legal(self.match)

    @property
    def running(self) -> tuple[Match, Deal, tuple[Entry, ...]]:
        """The match as the last deal was dealt, that deal, and what was accepted since."""
        self._see_back(0)
        first = self._parts[-1].first
        deal, *done = [entry for entry, _ in self._done[first:]]
        assert isinstance(deal, Deal)
        return (self._states[1] if done else self.match), deal, tuple(done)

    @property
    def deal(self) -> int:
        """The number of the last deal in the match, from 1, those that were thrown in among them; 0: there was none."""
        return len(self._parts) - 1 + (self._earlier.deals if self._earlier is not None else 0)

    def since_deal(self, skip: int = 0) -> list[tuple[Entry, Match]]:
        """What was accepted since the last deal, which comes first, but for so many; each with the match after it."""
        self._see_back(0)
        done = [entry for entry, _ in self._done[self._parts[-1].first + skip :]]
        return list(zip(done, [*self._states[skip + 1 :], self.match], strict=True)) if done else []

    @property
    def before(self) -> Match | None:
        """The match before its last entry; None where there is none."""
        self._see_back(1)
        return self._states[-1] if self._states else None

    def look_back(self) -> None:
        """Have at hand what an undo needs; raises what the caller raises where `Earlier` is loaded."""
        self._see_back(1)

    def can_undo(self, by: int) -> Undoing:
        """What an undo by this seat would take back, and what it needs.

        Freely a seat takes back what it did last itself, unless a card became known by that. Else those are asked who
        play against it, and whoever did it.
        """
        entry, table = self.last, self.match.table
        if entry is None:
            return Undoing(Need.NOTHING)
        owner = entry.seat if isinstance(entry, Action) else entry.dealer if isinstance(entry, Deal) else None
        if isinstance(entry, Action) and owner == by and entry.verb in table.game.silent:
            return Undoing(Need.FREELY, entry)
        own = next((side for side in table.sides if by in side), ())
        others = {seat for side in table.sides if side != own for seat in side}
        return Undoing(Need.ASSENT, entry, tuple(sorted((others | {owner or by}) - {by})))

    def _see_back(self, entries: int) -> None:
        """Have what is earlier where no more than so many entries stand behind it."""
        if self._earlier is not None and len(self._done) <= entries:
            self._load()

    def _undo(self) -> None:
        self._done.pop()
        self.match = self._states.pop()._replace(notices=())
        if not self._states and len(self._parts) > 1:
            self._parts.pop()
            self._replay()

    def _replay(self) -> None:
        """The states of the part that is the last one now."""
        first, match = self._parts[-1]
        self._states = []
        for entry, _ in self._done[first:]:
            self._states.append(match)
            match = apply(match, entry)

    def irregularities(self) -> tuple[tuple[int, Notice], ...]:
        """What a referee had to note in this match, each with the line of the entry that it stands on."""
        return tuple(
            (self.accepted[noted.step][1], self._with_line(noted.notice, noted.step))
            for noted in self.match.irregularities
        )

    def _with_lines(self, notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
        """The notices of the last accepted entry."""
        if all(notice.code != "false-claim" for notice in notices):
            return notices
        return tuple(self._with_line(notice, len(self.accepted) - 1) for notice in notices)

    def _with_line(self, notice: Notice, step: int) -> Notice:
        """The notice of this accepted entry, where it names an earlier action of the deal by that action's line."""
        if notice.code != "false-claim":
            return notice
        first = max(number for number, (entry, _) in enumerate(self.accepted[:step]) if isinstance(entry, Deal))
        lines = [line for entry, line in self.accepted[first:step] if isinstance(entry, Action)]
        return notice._replace(facts=tuple((key, lines[fact] if key == "claim" and isinstance(fact, int) else fact)
                                           for key, fact in notice.facts))  # fmt: skip
