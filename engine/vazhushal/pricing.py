"""The melds that certain cards and those of a pool can be laid in, and what the certain ones must cost at least."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.meld_search import NEVER, listed, rebates
from engine.melds import Meld
from engine.vazhushal.additions import additions_to
from engine.vazhushal.settling import NEW
from engine.vazhushal.shapes import all_shapes

PLACE = 12
"""What each missing place costs; the rebates are parts of it."""

KINDS = {shape.faces: shape.kind for shape in all_shapes()}
"""The kind of each meld by its faces."""

_FEW = 5
"""Where no more cards of the pool than these are left over, what the others need is counted too."""


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


Filler = tuple[int, int, int]
"""A meld: its faces, its new places, and which own meld it grows from (else `NEW`)."""


class Costs:
    """What cards must cost at least: by face a rebate, those of a meld's cards being no more than it costs."""

    def __init__(self, least: Mapping[int, int], most: int) -> None:
        columns = [(listed(held), price) for held, price in least.items()]
        faces = {face for members, _ in columns for face in members}
        self.rebate = rebates(columns, dict.fromkeys(sorted(faces), most))
        self.most = most
        self.zero = not any(self.rebate.values())
        self._sums = dict[int, int]()
        self._rest = dict[tuple[int, int, int], int]()

    def of(self, faces: int) -> int:
        """The rebates of these faces together."""
        found = self._sums.get(faces)
        if found is None:
            rebate = self.rebate
            found = self._sums[faces] = sum([rebate.get(face, 0) for face in listed(faces)])
        return found

    def of_all_but(self, few: int, ones: int, twos: int) -> int:
        """The rebates of the cards of these faces together, but for so many of the dearest."""
        key = (few, ones, twos)
        found = self._rest.get(key)
        if found is None:
            rebate = self.rebate
            dear = sorted([rebate.get(face, self.most) for face in (*listed(ones), *listed(twos))])
            found = self._rest[key] = sum(dear[: max(0, len(dear) - few)])
        return found


def _wanted(own: Sequence[Meld]) -> Iterator[Filler]:
    """All that may be laid: what own melds may grow to, then every new meld."""
    for at, meld in enumerate(own):
        for shape, _, faces in additions_to(meld.kind, meld.faces)[1]:
            yield shape.faces, faces, at
    for faces in KINDS:
        yield faces, faces, NEW


class Priced:
    """What can be laid at the start of a search; `idle` cards of the pool are left over at its end."""

    def __init__(self, start: State, own: Sequence[Meld], idle: int) -> None:
        self.loose = idle > _FEW
        wanted = list(_wanted(own))
        self.targets = {*start.own, *[whole for whole, _, at in wanted if at != NEW]}
        """The faces that an own meld has, or may grow to."""
        must, _, free, _, missing, wild, *_ = start
        fillers = [way for way in wanted if (way[1] & ~free).bit_count() <= wild and way[1].bit_count() <= missing]
        self.fillers = sorted(fillers, key=lambda way: (way[2] == NEW, not way[1] & free))
        """What can be laid without a certain card: own melds that grow, new ones, those of wild cards alone."""
        least = dict[int, int]()
        ways = []
        for whole, places, at in wanted:
            natural = places & must
            count = (places ^ natural).bit_count()
            if natural and count <= missing and (places & ~(must | free)).bit_count() <= wild:
                ways.append(Way(count * PLACE, places, natural, whole, at))
                least[natural] = min(least.get(natural, NEVER), count * PLACE)
        self.places = Costs(least, 2 * PLACE)
        self.wilds = Costs(self._lacking(start, wanted), wild * PLACE + 1)
        self.ways: dict[int, list[Way]] = {1 << face: [] for face in listed(must)}
        """By the face of a certain card the ways to lay it, the cheap ones first."""
        for way in ways:
            less = way._replace(cost=way.cost - self.places.of(way.natural))
            for face in listed(way.natural):
                self.ways[1 << face].append(less)
        self.hopeless = not all(self.ways.values()) or self.slack(start) < 0
        slack = 0 if self.hopeless else self.slack(start)
        for alike in self.ways.values():
            alike.sort()
        self.order = sorted(self.ways, key=lambda bit: sum([way.cost <= slack for way in self.ways[bit]]))
        """The certain cards, as masks of one face, those with few ways first."""
        self.using: dict[int, list[Filler]] = {}
        """By the face of a card of the pool what it can be laid in with no certain card, where few are left over."""
        if not self.loose:
            for face in listed(free):
                self.using[1 << face] = [way for way in self.fillers if way[1] >> face & 1]
        self.pool_order = sorted(self.using, key=lambda bit: len(self.using[bit]))

    def _lacking(self, start: State, wanted: Sequence[Filler]) -> dict[int, int]:
        """By the cards that may lie in a meld, certain ones and those of the pool, what the wild ones in it cost."""
        must, _, free, _, missing, wild, *_ = start
        least = dict[int, int]()
        counted = must if self.loose else must | free
        for _, places, _ in wanted:
            lack = (places & ~(must | free)).bit_count()
            held = places & counted
            if held and lack <= wild and (places & ~must).bit_count() <= missing:
                least[held] = min(least.get(held, NEVER), lack * PLACE)
        return least

    def slack(self, state: State) -> int:
        """What the missing places may cost beyond the least that the certain cards that are left must cost.

        Less than 0 where these, and of the pool all but the cards that may be left over, take too many wild cards.
        """
        must, twice, pool, pool_twice, missing, wild, *_ = state
        wilds = self.wilds
        if not wilds.zero:
            least = wilds.of(must) + wilds.of(twice)
            if not self.loose:
                idle = pool.bit_count() + pool_twice.bit_count() + wild - missing
                least += wilds.of_all_but(idle, pool, pool_twice)
            if least > wild * PLACE:
                return -1
        return missing * PLACE - self.places.of(must) - self.places.of(twice)
