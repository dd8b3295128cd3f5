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

from engine.cards import FACES, JOKER
from engine.laying import lay_all, plans
from engine.meld_search import Plan, listed
from engine.melds import Meld, MeldRules, faults, read_meld
from engine.vazhushal.additions import additions_to
from engine.vazhushal.pricing import KINDS, PLACE, Filler, Priced, State
from engine.vazhushal.settling import NEW, Step, Supply, settle
from engine.vazhushal.shapes import faces_of


@lru_cache(maxsize=64)
def complete(rules: MeldRules, known: int, pool: int, most: int, own: tuple[Meld, ...]) -> tuple[Meld, ...] | None:
    """A table on which a whole hand is laid: of the certain cards and of `most` out of the pool (masks of cards).

    The own melds come first and in their order. None: there is no such hand.
    """
    if pool.bit_count() <= most:
        laid = lay_all(rules, known | pool, own)
        return laid.melds if laid else None
    return Completion(rules, Supply(known, pool, most, rules.wild), own).table()


Table = tuple[Meld, ...]


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
        self.priced = Priced(self.start, own, pool.bit_count() - most)
        self.banned: tuple[str, ...] = ()
        self.dead: set[object] = set()
        self.steps: list[Step] = []
        self.tried = 0
        """How many melds were tried."""
        self.open, self.planned = 0, False
        """How many ways were found that come to nothing, so that what leads to one is not dead; whether pure melds are
        laid first. Where not, one such way is enough."""

    def table(self) -> Table | None:
        """The player's melds with the whole hand laid; None: there is no such hand."""
        start = self.start
        if self.priced.hopeless:
            return None
        found = self._cover(start)
        if found is not None or not self.open:
            return found
        self.planned = True
        for plan in plans(self.rules, self.own):
            if plan.banned != self.banned:
                self.banned = plan.banned
                self.dead.clear()
            found = self._begin(start, plan, 0)
            if found is not None:
                return found
        return None

    def _lay(self, state: State, whole: int, places: int, at: int, *, pure: bool = False) -> State:
        """What is left when a meld is laid, or grows."""
        must, twice, pool, pool_twice, missing, wild, own, grown, laid = state
        sure = places & must
        pooled = places & pool & ~sure
        rest = places & ~sure & ~pooled
        self.tried += 1
        self.steps.append(Step(at, sure, pooled, rest if pure else 0, 0 if pure else rest, pure))
        must, twice = must & ~sure | twice & sure, twice & ~sure
        pool, pool_twice = pool & ~pooled | pool_twice & pooled, pool_twice & ~pooled
        missing, wild = missing - (places & ~sure).bit_count(), wild - rest.bit_count()
        if at != NEW:
            own, grown = (*own[:at], whole, *own[at + 1 :]), grown | 1 << at
        else:
            laid = (*laid, whole)
        if laid:
            some = ~(must | pool)
            again = [faces for faces in laid if faces in self.priced.targets or (faces & some).bit_count() <= wild]
            laid = tuple(sorted(again))
        return State(must, twice, pool, pool_twice, missing, wild, own, grown, laid)

    def _begin(self, state: State, plan: Plan, done: int) -> Table | None:
        """Lay the melds that have to be pure, and what is added to own melds that have to stay so; then the rest."""
        if done == len(plan.keep) + len(plan.new):
            return self._cover(state) if self.priced.slack(state) >= 0 else None
        there = state.must | state.pool | faces_of(self._selves())
        if done < len(plan.keep):
            at = plan.keep[done]
            meld = self.own[at]
            additions = [(0, meld.faces), *[(a.faces, a.shape.faces) for a in additions_to(meld.kind, meld.faces)[1]]]
            wanted = [(whole, places, at) for places, whole in additions]
        else:
            kind = plan.new[done - len(plan.keep)]
            wanted = [(faces, faces, NEW) for faces, other in KINDS.items() if other == kind]
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
            for face in listed(step.itself):
                cards ^= 1 << face + (0 if cards >> face & 1 else FACES)
        return cards

    def _cover(self, state: State) -> Table | None:
        """Lay a certain card, and so all of them; then what is missing yet."""
        must, _, pool, _, missing, wild, own, grown, laid = state
        if not must:
            return self._fill(state, self.priced.fillers) if self.priced.loose else self._use(state)
        if state in self.dead:
            return None
        opened, slack = self.open, self.priced.slack(state)
        if slack < 0:
            return None
        pivot = next(bit for bit in self.priced.order if bit & must)
        for cost, places, natural, whole, at in self.priced.ways[pivot]:
            if cost > slack:
                break
            sure = places & must
            absent = places ^ sure
            count = absent.bit_count()
            if count > missing or (absent & ~pool).bit_count() > wild:
                continue
            if sure != natural and count * PLACE - self.priced.places.of(sure) > slack:
                continue
            if (whole in laid if at == NEW else grown >> at & 1) or self._is_banned(whole):
                continue
            if at == NEW and any(grown >> other & 1 and faces == whole for other, faces in enumerate(own)):
                continue
            found = self._cover(self._lay(state, whole, places, at))
            self.steps.pop()
            if found is not None or (self.open and not self.planned):
                return found
        if opened == self.open:
            self.dead.add(state)
        return None

    def _is_banned(self, faces: int) -> bool:
        return bool(self.banned) and KINDS[faces] in self.banned

    def _fill(self, state: State, ways: Sequence[Filler]) -> Table | None:
        """Lay further melds of missing places alone, and let own ones grow by such, until nothing is missing."""
        _, _, pool, _, missing, wild, _, grown, laid = state
        if not missing:
            return self._end(state)
        if self.priced.slack(state) < 0:
            return None
        none, banned = ~pool, self.banned
        ways = [
            way
            for way in ways
            if (way[1] & none).bit_count() <= wild
            and way[1].bit_count() <= missing
            and not (grown >> way[2] & 1 if way[2] != NEW else way[0] in laid or (banned and KINDS[way[0]] in banned))
        ]
        if not ways or (state, ways[0]) in self.dead:
            return None
        opened = self.open
        for place, (whole, places, at) in enumerate(ways):
            left = missing - places.bit_count()
            if left and (place + 1 == len(ways) or (at == NEW and left < 3)):
                continue
            found = self._fill(self._lay(state, whole, places, at), ways[place + 1 :])
            self.steps.pop()
            if found is not None or (self.open and not self.planned):
                return found
        if opened == self.open:
            self.dead.add((state, ways[0]))
        return None

    def _use(self, state: State) -> Table | None:
        """The same where few cards of the pool are left over: lay one of it, or leave it over, and so all of them."""
        _, _, pool, pool_twice, missing, wild, _, grown, laid = state
        if not missing:
            return self._end(state)
        if not pool:
            return self._fill(state, self.priced.fillers)
        if state in self.dead or self.priced.slack(state) < 0:
            return None
        opened, none = self.open, ~pool
        pivot = next(bit for bit in self.priced.pool_order if bit & pool)
        for whole, places, at in self.priced.using[pivot]:
            if places.bit_count() > missing or (places & none).bit_count() > wild or self._is_banned(whole):
                continue
            if grown >> at & 1 if at != NEW else whole in laid:
                continue
            found = self._use(self._lay(state, whole, places, at))
            self.steps.pop()
            if found is not None or (self.open and not self.planned):
                return found
        if pool.bit_count() + pool_twice.bit_count() + wild > missing:
            found = self._use(state._replace(pool=pool & ~pivot | pool_twice & pivot, pool_twice=pool_twice & ~pivot))
            if found is not None or (self.open and not self.planned):
                return found
        if opened == self.open:
            self.dead.add(state)
        return None

    def _end(self, state: State) -> Table | None:
        """The table that was found; None where it is not legal."""
        if len(set(state.own)) < len(state.own) or set(state.own) & set(state.laid):
            return None
        self.open += 1
        laid = settle(self.supply, self.steps)
        if laid is None:
            return None
        table: list[Meld | str] = list(self.own)
        for at, pieces in laid:
            if at == NEW:
                table.append(read_meld(self.rules, pieces))
            else:
                table[at] = read_meld(self.rules, (*self.own[at].pieces, *pieces))
        melds = tuple([meld for meld in table if isinstance(meld, Meld)])
        return melds if len(table) == len(melds) and faults(self.rules, melds) is None else None
