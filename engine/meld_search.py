"""The search behind `engine.laying`: exact, and led by what each meld costs.

Melds are searched as the faces that they represent. Which of two equal cards lies there makes no difference; a natural
card lies where its face is wanted, and wild cards fill what is missing. A wild card has a price, at least what it can
count; each natural card gives a rebate, so small that no meld costs less than nothing. Every way to lay the hand is
then worth the same bound less what its melds, the cards that it leaves and the wild cards that it does not use cost:
the search tries the cheapest melds first and drops whatever costs as much as the best way known.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from engine.cards import FACES, JOKER
from engine.melds import RUN, SET, Meld, MeldRules, Shape, shapes

POINTS = tuple(10 if face % 13 in (0, 9, 10, 11, 12) else face % 13 + 1 for face in range(JOKER))
"""A K Q J 10 count 10, the others their number."""

NEVER = 1 << 30
_LOWEST = 10
"""The least price of a wild card: what it counts at most."""
_WHOLE = 12
"""What each missing card costs where the whole hand is laid; the rebates are parts of it."""


_SUIT_POINTS = [0]
for _points in POINTS[:13]:
    _SUIT_POINTS += [total + _points for total in _SUIT_POINTS]


def points(faces: int) -> int:
    """What cards of these faces count together."""
    suits = _SUIT_POINTS
    return suits[faces & 8191] + suits[faces >> 13 & 8191] + suits[faces >> 26 & 8191] + suits[faces >> 39]


def listed(faces: int) -> tuple[int, ...]:
    found = []
    while faces:
        low = faces & -faces
        found.append(low.bit_length() - 1)
        faces ^= low
    return tuple(found)


Group = tuple[int, tuple[int, ...], tuple[tuple[int, int, int], ...], str]
"""The melds in which the same natural cards lie: those cards, their faces, and the ways, the cheapest first; the kind.

A way is the price of what is missing, the faces of the meld, and the missing faces.
"""

Rated = tuple[int, int, int, tuple[tuple[int, int, int], ...], str]
"""A group in a search: its least cost, the rebates of its natural cards, those cards, the ways, the kind."""

_Fitting = tuple[int, tuple[int, ...], tuple[tuple[int, int, int, int], ...], str]
"""A group before it is priced: of each way how many cards are missing, what they count, its faces, the missing ones."""

Steps = tuple["Steps", int, int, int] | None
"""The melds chosen, the last one first: the own meld extended (-1: a new one), the natural and the missing faces."""


def _fitting(wanted: Iterable[tuple[Shape, int]], held: int, most: int) -> tuple[_Fitting, ...]:
    """Shapes, with the faces of each that are to be laid, of which at most so many are missing, by natural cards."""
    found: dict[int, list[tuple[int, int, int, int]]] = {}
    kind = RUN
    for shape, faces in wanted:
        natural = faces & held
        missing = faces ^ natural
        count = missing.bit_count()
        if count <= most:
            kind = shape.kind
            way = (count, points(missing), shape.faces, missing)
            if natural in found:
                found[natural].append(way)
            else:
                found[natural] = [way]
    return tuple([(natural, listed(natural), tuple(ways), kind) for natural, ways in found.items()])


def _priced(fitting: Iterable[_Fitting], price: int) -> tuple[Group, ...]:
    """The same at the price of a wild card; 0 is that of the whole hand, where each costs the same."""
    each, less = (price, 1) if price else (_WHOLE, 0)
    return tuple(
        [
            (natural, members, tuple(sorted([(each * n - less * pts, faces, m) for n, pts, faces, m in ways])), kind)
            for natural, members, ways, kind in fitting
        ]
    )


@lru_cache(maxsize=16)
def _parts(rules: MeldRules) -> tuple[tuple[int, tuple[Shape, ...]], ...]:
    """The shapes by suit and by rank, with the faces of each part."""
    parts = [(0x1FFF << suit, RUN) for suit in range(0, JOKER, 13)]
    parts += [(1 << rank | 1 << rank + 13 | 1 << rank + 26 | 1 << rank + 39, SET) for rank in range(13)]
    every = tuple(shapes(rules).values())
    return tuple(
        [(faces, tuple([s for s in every if s.kind == kind and not s.faces & ~faces])) for faces, kind in parts]
    )


def pure_shapes(rules: MeldRules, kind: str, faces: int) -> Iterator[Shape]:
    """The shapes of a kind that lie wholly within these faces."""
    for whole, part in _parts(rules)[:4] if kind == RUN else _parts(rules)[4:]:
        held = faces & whole
        if held.bit_count() >= 3:
            for shape in part:
                if not shape.faces & ~held:
                    yield shape


@lru_cache(maxsize=128)
def _new_melds(rules: MeldRules, part: int, held: int, most: int) -> tuple[_Fitting, ...]:
    """The new melds of one suit or one rank of which these faces are held."""
    return _fitting([(shape, shape.faces) for shape in _parts(rules)[part][1] if shape.faces & held], held, most)


@lru_cache(maxsize=128)
def _priced_melds(rules: MeldRules, part: int, held: int, most: int, price: int) -> tuple[Group, ...]:
    return _priced(_new_melds(rules, part, held, most), price)


@lru_cache(maxsize=128)
def _larger(rules: MeldRules, kind: str, faces: int) -> tuple[tuple[Shape, int], ...]:
    """What a meld can be extended to, with the faces that this takes."""
    every = shapes(rules).values()
    return tuple([(s, s.faces ^ faces) for s in every if s.kind == kind and not faces & ~s.faces and s.faces != faces])


class Plan(NamedTuple):
    """Which melds are to meet the rule for first melds: own ones kept pure, new pure ones; kinds that are not laid."""

    keep: tuple[int, ...] = ()
    new: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()


class Search:
    """One search, for the way to lay a whole hand or for the most points. Masks are of faces, unless said."""

    def __init__(self, rules: MeldRules, hand: int, own: tuple[Meld, ...], *, whole: bool) -> None:
        self.rules, self.hand, self.own, self.whole = rules, hand, own, whole
        self.shapes = rules._replace(wild=0, identical=True, first="any", each_kind_pure=False)
        self.copies: dict[int, list[int]] = {}
        self.jokers: list[int] = []
        self.spare = 0  # jokers that this game does not have
        self.ones = self.twos = 0
        while hand:
            low = hand & -hand
            card = low.bit_length() - 1
            hand ^= low
            face = card % FACES
            if face >= JOKER:
                if rules.wild & low:
                    self.jokers.append(card)
                else:
                    self.spare += 1
            elif face in self.copies:
                self.copies[face].append(card)
                self.twos |= 1 << face
            else:
                self.copies[face] = [card]
                self.ones |= 1 << face
        self.ranked = [face for face, cards in self.copies.items() if rules.wild >> cards[0] & 1]
        self.most = len(self.jokers) + sum([len(self.copies[face]) for face in self.ranked])
        self.best, self.value, self.conversion = 0, 0, (0,) * len(self.ranked)
        self.found: tuple[tuple[int, ...], Steps] | None = None

    # Prices and rebates

    def prepare(self) -> None:
        """The price of a wild card, the rebates, and by face the melds that a natural card may lie in."""
        copies, whole = self.copies, self.whole
        held = [(part, self.ones & faces) for part, (faces, _) in enumerate(_parts(self.shapes)) if self.ones & faces]
        price = 0 if whole else self._wild_price(held)
        groups: list[Group] = []
        for part, faces in held:
            groups += _priced_melds(self.shapes, part, faces, self.most, price)
        larger = [_larger(self.shapes, meld.kind, meld.faces) for meld in self.own]
        own = [_priced(_fitting(wanted, self.ones, self.most), price) for wanted in larger]
        columns = [(members, ways[0][0]) for _, members, ways, _ in groups]
        columns += [(members, ways[0][0]) for extended in own for _, members, ways, _ in extended if members]
        rebate = rebates(columns, {face: NEVER if whole else 2 * POINTS[face] for face in copies})
        self.unused = NEVER if whole else price
        self.gone = [_WHOLE if whole else price - POINTS[face] for face in range(JOKER)]
        for face, share in rebate.items():
            self.gone[face] += share
        self.leave = {face: (0 if whole else 2 * POINTS[face]) - share for face, share in rebate.items()}
        self.bound = (_WHOLE if whole else price) * len(self.jokers)
        self.bound += sum([left * len(copies[face]) for face, left in self.leave.items()])
        self.groups: dict[int, list[Rated]] = {face: [] for face in copies}
        cheap = dict.fromkeys(copies, 1)
        for natural, members, ways, kind in groups:
            shares = sum([rebate[face] for face in members])
            group = (ways[0][0] - shares, shares, natural, ways, kind)
            count = sum([way[0] - shares <= 1 for way in ways]) if group[0] <= 1 else 0
            for face in members:
                self.groups[face].append(group)
                cheap[face] += count
        for listed in self.groups.values():
            listed.sort()
        self.extended = [sorted([_rated(group, rebate) for group in extended]) for extended in own]
        # The faces with few cheap ways come first, the more so the more it costs to leave them.
        order = sorted(copies, key=lambda face: cheap[face] / (1 if whole else 1 + self.leave[face]))
        self.order = [1 << face for face in order if whole or self.groups[face] or self.leave[face]]

    def _wild_price(self, held: list[tuple[int, int]]) -> int:
        """What the last wild card is likely to bring: any price is right, a good one makes the search short."""
        if not self.most:
            return _LOWEST
        melds = [group for part, faces in held for group in _new_melds(self.shapes, part, faces, self.most)]
        pure = 0
        for natural, _, ways, _ in melds:
            if not ways[0][0]:
                pure |= natural
        offers = []
        for natural, _, ways, _ in melds:
            fresh = natural & ~pure
            count, most = ways[0][:2]
            if fresh and count:
                for other, more, _, _ in ways:
                    if other == count and more > most:
                        most = more
                offers.append(((most + 2 * points(fresh)) / count, count, fresh))
        offers.sort(reverse=True)
        wilds, taken, price = self.most - (len(self.ranked) + 1) // 2, 0, _LOWEST
        for gain, count, fresh in offers:
            if not fresh & taken:
                wilds -= count
                taken |= fresh
                if wilds < 0:
                    price = max(
                        [step for step in (10, 12, 14, 17, 20, 24, 28, 34, 40) if step <= gain], default=_LOWEST
                    )
                    break
        for face in self.ranked:
            pure |= 1 << face
        outside = (self.ones & ~pure).bit_count()
        return max(price, 20) if outside > max(self.most, 4) else price

    # The search

    def forget(self) -> None:
        """No way is known."""
        self.found, self.value = None, 0

    def run(self, plan: Plan) -> None:
        """Search with each number of wild-rank cards taken as wild ones, the most promising first."""
        self.plan = plan
        self.own_order = [*plan.keep, *[at for at in range(len(self.own)) if at not in plan.keep]]
        self.lists = self.groups
        if plan.banned:
            self.lists = {face: [g for g in listed if g[4] not in plan.banned] for face, listed in self.groups.items()}
        conversions = []
        for counts in product(*[range(len(self.copies[face]) + 1) for face in self.ranked]):
            bound = self.bound + sum([n * self.gone[face] for face, n in zip(self.ranked, counts, strict=True)])
            conversions.append((bound, counts))
        conversions.sort(reverse=True)
        for bound, counts in conversions:
            self.best = bound + 1 if self.whole else bound - self.value
            if self.best <= 0:
                return
            ones, twos = self.ones, self.twos
            for face, count in zip(self.ranked, counts, strict=True):
                bit = 1 << face
                if count == len(self.copies[face]):
                    ones, twos = ones & ~bit, twos & ~bit
                elif count:
                    twos ^= bit
            self.conversion, self.seen = counts, dict[tuple[object, ...], int]()
            if self._begin(0, ones, twos, len(self.jokers) + sum(counts), (), None):
                return
            if not self.whole:
                self.value = bound - self.best

    def _begin(self, at: int, ones: int, twos: int, wilds: int, used: tuple[int, ...], steps: Steps) -> bool:
        """The new pure melds that the plan asks for, which cost nothing; then the own melds."""
        if at == len(self.plan.new):
            return self._extend(0, ones, twos, wilds, 0, 0, used, steps)
        for shape in pure_shapes(self.shapes, self.plan.new[at], ones):
            faces = shape.faces
            if faces not in used and self._begin(
                at + 1, ones & ~faces | twos & faces, twos & ~faces, wilds, (*used, faces), (steps, -1, faces, 0)
            ):
                return True
        return False

    def _extend(
        self, at: int, ones: int, twos: int, wilds: int, owed: int, loss: int, used: tuple[int, ...], steps: Steps
    ) -> bool:
        """What is added to each own meld; then the new melds."""
        if at == len(self.own):
            return self._meld(ones, twos, wilds, 0, owed, loss, used, steps)
        own = self.own_order[at]
        faces = self.own[own].faces
        identical = self.rules.identical
        if (identical or faces not in used) and self._extend(
            at + 1, ones, twos, wilds, owed, loss, (*used, faces), steps
        ):
            return True
        kept = own in self.plan.keep
        for least, shares, natural, ways, _ in self.extended[own]:
            if loss + least >= self.best:
                break
            done = 0
            for price, faces, lacking in ways:
                if (faces in used and not identical) or done >> lacking.bit_count() & 1:
                    continue
                wanted = natural | lacking
                if not faces & ones & ~(wanted & ~twos):
                    done |= 1 << lacking.bit_count()
                for laid, missing, cost, owing in self._fillings(
                    wanted, lacking, loss + price - shares, ones, twos, wilds, owed, 0
                ):
                    if cost >= self.best or (kept and missing):
                        continue
                    if self._extend(
                        at + 1, ones & ~laid | twos & laid, twos & ~laid, wilds - missing.bit_count(), owing, cost,
                        (*used, faces), (steps, own, laid, missing),
                    ):  # fmt: skip
                        return True
        return False

    def _meld(
        self, ones: int, twos: int, wilds: int, dead: int, owed: int, loss: int, used: tuple[int, ...], steps: Steps
    ) -> bool:
        """New melds with the next natural card; or it is left. True: the whole hand is laid, look no further.

        `dead`: the faces that are left, which no meld may want. `owed`: see `_fillings`.
        """
        for bit in self.order:
            if ones & bit:
                break
        else:
            return self._end(wilds, loss, steps)
        if self.rules.identical:
            used = ()
        elif used:
            # What can still be made a second time.
            used = tuple([f for f in used if f & ones and not f & dead and (f & ~ones).bit_count() <= wilds])
        state = (ones, twos, wilds, dead, owed, used)
        if self.seen.get(state, NEVER) <= loss:
            return False
        self.seen[state] = loss
        for faces, laid, missing, cost, owing in self._choices(bit, ones, twos, wilds, dead, owed, loss, used):
            if cost < self.best and self._meld(
                ones & ~laid | twos & laid, twos & ~laid, wilds - missing.bit_count(), dead, owing, cost,
                (*used, faces), (steps, -1, laid, missing),
            ):  # fmt: skip
                return True
        if self.whole or owed & bit:
            return False
        loss += self.leave[bit.bit_length() - 1] * (2 if twos & bit else 1)
        return loss < self.best and self._meld(ones & ~bit, twos & ~bit, wilds, dead | bit, owed, loss, used, steps)

    def _choices(
        self, bit: int, ones: int, twos: int, wilds: int, dead: int, owed: int, loss: int, used: tuple[int, ...]
    ) -> Iterator[tuple[int, int, int, int, int]]:
        """The new melds with this natural card: its faces, the natural and the missing ones, the loss, those owed."""
        for least, shares, natural, ways, _ in self.lists[bit.bit_length() - 1]:
            if loss + least >= self.best:
                break
            if natural & dead:
                continue
            absent = natural & ~ones
            base = loss - shares
            if absent:
                base += self._lost(absent)
            again, done = natural & twos, 0
            for price, faces, lacking in ways:
                if base + price >= self.best:
                    break
                count = (lacking | absent).bit_count()
                if count > wilds or done >> count & 1 or faces in used:
                    continue
                if not again:
                    done |= 1 << count  # as many wild cards for less, and nothing left to make that meld twice
                if owed or (wilds - count >= 3 and natural != bit):
                    for filling in self._fillings(faces, lacking, loss + price - shares, ones, twos, wilds, owed, bit):
                        yield (faces, *filling)
                else:
                    yield faces, natural ^ absent, lacking | absent, base + price, 0

    def _lost(self, faces: int) -> int:
        """What it costs that these natural cards are no longer there."""
        cost = 0
        while faces:
            low = faces & -faces
            cost += self.gone[low.bit_length() - 1]
            faces ^= low
        return cost

    def _end(self, wilds: int, loss: int, steps: Steps) -> bool:
        """All natural cards have their places. A wild-rank card that is not used was better not taken as a wild one."""
        if wilds and (self.whole or wilds > len(self.jokers)):
            return False
        loss += self.unused * wilds
        if loss < self.best:
            self.best = loss
            self.found = (self.conversion, steps)
            return self.whole
        return False

    def _fillings(
        self, wanted: int, lacking: int, cost: int, ones: int, twos: int, wilds: int, owed: int, bit: int
    ) -> Iterator[tuple[int, int, int, int]]:
        """How the wanted faces may be filled: the natural and the missing ones, the cost, the faces owed from then on.

        A wild card in the place of a natural card that is at hand can be exchanged for it wherever that one is laid
        instead, unless it is the only natural card there. So such a card is owed a meld with wild cards alone.
        """
        free = ones & ~owed | bit
        natural, missing = wanted & free, wanted & ~free
        count = missing.bit_count()
        if count > wilds:
            return
        cost += self._lost(missing & ~lacking)
        others = natural & ~bit
        alone = owed & bit
        if alone and not twos & bit:
            owed ^= bit
        if not (alone and others):
            yield natural, missing, cost, owed
        if wilds - count < 3 or not others:
            return
        bits = [1 << face for face in listed(others)]
        for number in range(len(bits) if alone else 1, min((wilds - count) // 3, len(bits)) + 1):
            for out in combinations(bits, number):
                spared = sum(out)
                owing = owed | spared
                melds = (ones & owing).bit_count() + (twos & owing & ~bit).bit_count()
                if wilds - count - number >= 2 * melds:
                    yield natural ^ spared, missing | spared, cost + self._lost(spared), owing


def _rated(group: Group, rebate: dict[int, int]) -> Rated:
    natural, members, ways, kind = group
    shares = sum([rebate[face] for face in members])
    return (ways[0][0] - shares, shares, natural, ways, kind)


def rebates(columns: Sequence[tuple[tuple[int, ...], int]], most: dict[int, int]) -> dict[int, int]:
    """By face a rebate, `most` at most; those of a column's faces together never exceed its price."""
    rebate = dict(most)
    for faces, price in columns:
        share = price // len(faces)
        for face in faces:
            if share < rebate[face]:
                rebate[face] = share
    # What the equal shares do not use up is given to the dearest cards first.
    rising: dict[int, list[tuple[tuple[int, ...], int]]]
    rising = {face: [] for face, share in rebate.items() if 0 < share < most[face]}
    for column in columns:
        for face in column[0]:
            if face in rising:
                rising[face].append(column)
    for face in sorted(rising, key=most.__getitem__, reverse=True):
        room = most[face] - rebate[face]
        for faces, price in rising[face]:
            for other in faces:
                price -= rebate[other]
            if price < room:
                room = price
                if not room:
                    break
        rebate[face] += room
    return rebate
