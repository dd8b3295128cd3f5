"""Whether some of the unseen cards complete a hand to one that can be laid whole: an exact answer (rules 4 and 6 to 8).

Melds are searched as the faces that they represent. Every certain natural card has to lie in one; each other place is
missing, and all ways to lay the hand have the same number of missing places: one for each card that is not known and
for each certain wild one. A missing place takes a natural card of the pool where there is one, else a wild card. Which
of two melds gets a natural one makes no difference, but for those that have to be pure, which are laid first, and for
those of wild cards alone, which are given one at the end (`settling`).

A certain card gives a rebate, so small that no meld costs less than nothing: what the cards that are left must still
cost ends the search early. What leads nowhere is kept.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import FACES, JOKER
from engine.laying import lay_all, plans
from engine.meld_search import Plan, listed, rebates
from engine.melds import Meld, MeldRules
from engine.vazhushal.finding import additions_to, all_shapes, faces_of
from engine.vazhushal.settling import NEW, Step, Supply, settle

_PLACE = 12
"""What each missing place costs; the rebates are parts of it."""

_MANY = 1 << 30

_KINDS = {shape.faces: shape.kind for shape in all_shapes()}


@lru_cache(maxsize=64)
def complete(rules: MeldRules, known: int, pool: int, most: int, own: tuple[Meld, ...]) -> int | None:
    """A hand of the certain cards and of `most` out of the pool that can be laid whole; None: there is none.

    All are masks of cards; equal cards are not told apart.
    """
    if not most:
        return known if lay_all(rules, known, own) else None
    return Completion(rules, Supply(known, pool, most, rules.wild), own).hand()


class State(NamedTuple):
    """What is left of a hand: masks of the faces of which one, and two, certain cards are there; the same of the pool.

    `missing`: how many places have to be missing yet. `wild`: how many wild cards are left for them. `own`: the faces
    of the own melds. `grown`: the own melds to which nothing more is added, as a mask. `laid`: the faces of the new
    melds that can come about once more.
    """

    must: int
    twice: int
    pool: int
    pool_twice: int
    missing: int
    wild: int
    own: tuple[int, ...]
    grown: int
    laid: tuple[int, ...]


class Way(NamedTuple):
    """A way to lay a certain card: what it costs less the rebates, its new places, the natural cards, all its faces."""

    cost: int
    places: int
    natural: int
    whole: int
    at: int


def _twos(cards: int) -> int:
    """The faces of which two cards are in a set."""
    return cards & cards >> FACES & (1 << JOKER) - 1


class Completion:
    """One search for a hand that can be laid whole, `own` being the melds that the player has."""

    def __init__(self, rules: MeldRules, supply: Supply, own: Sequence[Meld]) -> None:
        self.rules, self.supply, self.own = rules, supply, tuple(own)
        known, pool, most, wild = supply
        natural, pooled = known & ~wild, pool & ~wild
        certain = (known & wild).bit_count()
        self.start = State(
            faces_of(natural), _twos(natural), faces_of(pooled), _twos(pooled), most + certain,
            certain + (pool & wild).bit_count(), tuple([meld.faces for meld in own]), 0, (),
        )  # fmt: skip
        self.banned: tuple[str, ...] = ()
        self.dead: set[object] = set()
        self.steps: list[Step] = []
        self.open, self.most_open = 0, 1
        """How many ways were found that come to nothing: what leads to one is not known to be dead."""

    def hand(self) -> int | None:
        """The cards of such a hand, as a mask; None: there is none."""
        start = self.start
        if not self._prepare() or self._slack(start) < 0:
            return None
        found = self._cover(start)
        if found is not None or not self.open:
            return found
        self.most_open = _MANY
        for plan in plans(self.rules, self.own):
            if plan.banned != self.banned:
                self.banned = plan.banned
                self.dead.clear()
            found = self._begin(start, plan, 0)
            if found is not None:
                return found
        return None

    # What can be laid

    def _prepare(self) -> bool:
        """List the ways to lay each certain card, and give it its rebate; False where one has none."""
        must, _, free, _, missing, wild, *_ = self.start
        wanted = [(faces, faces, NEW) for faces in _KINDS]
        self.targets = set(self.start.own)
        for at, meld in enumerate(self.own):
            grown = additions_to(meld.kind, meld.faces)[1]
            wanted += [(addition.shape.faces, addition.faces, at) for addition in grown]
            self.targets.update([addition.shape.faces for addition in grown])
        ways, least, covered = [], dict[int, int](), 0
        self.growths: list[tuple[int, int, int]] = []
        self.fillers: list[tuple[int, int, int]] = []
        for way in wanted:
            places = way[1]
            natural = places & must
            count = (places ^ natural).bit_count()
            if natural and count <= missing and (places & ~(must | free)).bit_count() <= wild:
                ways.append((count * _PLACE, natural, *way))
                least[natural] = min(least.get(natural, 1 << 30), count * _PLACE)
                covered |= natural
            if (places & ~free).bit_count() <= wild and places.bit_count() <= missing:
                (self.fillers if way[2] == NEW else self.growths).append(way)
        if must & ~covered:
            return False
        self.fillers.sort(key=lambda way: not way[1] & free)
        self.later = (*self.growths, *self.fillers)
        members = {natural: listed(natural) for natural in least}
        self.rebate = rebates([(members[n], price) for n, price in least.items()], dict.fromkeys(listed(must), 24))
        self.shares = {natural: sum([self.rebate[face] for face in faces]) for natural, faces in members.items()}
        self.ways: dict[int, list[Way]] = {1 << face: [] for face in listed(must)}
        for price, natural, whole, places, at in ways:
            found = Way(price - self.shares[natural], places, natural, whole, at)
            for face in members[natural]:
                self.ways[1 << face].append(found)
        slack = self._slack(self.start)
        for sorted_ways in self.ways.values():
            sorted_ways.sort()
        self.order = sorted(self.ways, key=lambda bit: sum([way.cost <= slack for way in self.ways[bit]]))
        return True

    def _share(self, natural: int) -> int:
        share = self.shares.get(natural)
        if share is None:
            share = self.shares[natural] = sum([self.rebate[face] for face in listed(natural)])
        return share

    def _slack(self, state: State) -> int:
        """What the missing places may cost beyond the least that the certain cards that are left must cost."""
        return state.missing * _PLACE - self._share(state.must) - self._share(state.twice)

    # The search

    def _lay(self, state: State, whole: int, places: int, at: int, *, pure: bool = False) -> State:
        """What is left when a meld is laid, or grows."""
        must, twice, pool, pool_twice, missing, wild, own, grown, laid = state
        sure = places & must
        pooled = places & pool & ~sure
        rest = places & ~sure & ~pooled
        self.steps.append(Step(at, sure, pooled, rest, pure))
        must, twice = must & ~sure | twice & sure, twice & ~sure
        pool, pool_twice = pool & ~pooled | pool_twice & pooled, pool_twice & ~pooled
        missing, wild = missing - (places & ~sure).bit_count(), wild - rest.bit_count()
        if at != NEW:
            own, grown = (*own[:at], whole, *own[at + 1 :]), grown | 1 << at
        else:
            laid = (*laid, whole)
        if laid:
            some = ~(must | pool)
            again = [faces for faces in laid if faces in self.targets or (faces & some).bit_count() <= wild]
            laid = tuple(sorted(again))
        return State(must, twice, pool, pool_twice, missing, wild, own, grown, laid)

    def _begin(self, state: State, plan: Plan, done: int) -> int | None:
        """Lay the melds that have to be pure, and what is added to own melds that have to stay so; then the rest."""
        if done == len(plan.keep) + len(plan.new):
            return self._cover(state) if self._slack(state) >= 0 else None
        there = state.must | state.pool | faces_of(self._selves())
        if done < len(plan.keep):
            at = plan.keep[done]
            meld = self.own[at]
            additions = [(0, meld.faces), *[(a.faces, a.shape.faces) for a in additions_to(meld.kind, meld.faces)[1]]]
            wanted = [(whole, places, at) for places, whole in additions]
        else:
            kind = plan.new[done - len(plan.keep)]
            wanted = [(faces, faces, NEW) for faces, other in _KINDS.items() if other == kind]
        for whole, places, at in wanted:
            if places & ~there or (places & ~state.must).bit_count() > state.missing or whole in state.laid:
                continue
            left = self._lay(state, whole, places, at, pure=True)
            found = self._begin(left, plan, done + 1) if left.wild >= 0 else None
            self.steps.pop()
            if found is not None:
                return found
        return None

    def _selves(self) -> int:
        """The wild-rank cards that are not in a pure meld yet, as a mask."""
        cards = (self.supply.known | self.supply.pool) & self.supply.wild
        for step in self.steps:
            for face in listed(step.wild):
                cards ^= 1 << face + (0 if cards >> face & 1 else FACES)
        return cards

    def _cover(self, state: State) -> int | None:
        """Lay a certain card, and so all of them; then what is missing yet."""
        must, _, pool, _, missing, wild, own, grown, laid = state
        if not must:
            return self._fill(state, 0)
        if state in self.dead:
            return None
        opened, slack = self.open, self._slack(state)
        pivot = next(bit for bit in self.order if bit & must)
        for cost, places, natural, whole, at in self.ways[pivot]:
            if cost > slack:
                break
            sure = places & must
            absent = places ^ sure
            count = absent.bit_count()
            if count > missing or (absent & ~pool).bit_count() > wild:
                continue
            if sure != natural and count * _PLACE - self._share(sure) > slack:
                continue
            if (whole in laid if at == NEW else grown >> at & 1) or self._is_banned(whole):
                continue
            if at == NEW and any(grown >> other & 1 and faces == whole for other, faces in enumerate(own)):
                continue
            found = self._cover(self._lay(state, whole, places, at))
            self.steps.pop()
            if found is not None or self.open >= self.most_open:
                return found
        if opened == self.open:
            self.dead.add(state)
        return None

    def _is_banned(self, faces: int) -> bool:
        return bool(self.banned) and _KINDS[faces] in self.banned

    def _fill(self, state: State, start: int) -> int | None:
        """Lay further melds of missing places alone, and let own ones grow by such, until nothing is missing."""
        _, _, pool, _, missing, wild, _, grown, laid = state
        if not missing:
            return self._end(state)
        if (missing < 3 and start >= len(self.growths)) or (state, start) in self.dead:
            return None
        opened = self.open
        for place in range(start, len(self.later)):
            whole, places, at = self.later[place]
            count = places.bit_count()
            if count > missing or (places & ~pool).bit_count() > wild or self._is_banned(whole):
                continue
            if grown >> at & 1 if at != NEW else whole in laid or 0 < missing - count < 3:
                continue
            found = self._fill(self._lay(state, whole, places, at), place + 1)
            self.steps.pop()
            if found is not None or self.open >= self.most_open:
                return found
        if opened == self.open:
            self.dead.add((state, start))
        return None

    def _end(self, state: State) -> int | None:
        """The hand that was found; None where the whole table is not legal."""
        if len(set(state.own)) < len(state.own) or set(state.own) & set(state.laid):
            return None
        self.open += 1
        hand = settle(self.supply, self.steps)
        return hand if hand is not None and lay_all(self.rules, hand, self.own) else None
