"""Which melds and additions can be made of cards that are certain and of some that may be there.

All cards here are written without their pack: equal cards make one meld.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Generic, NamedTuple, TypeVar

from engine.cards import COPIES, FACES, JOKER, cards_of
from engine.melds import (
    RUN,
    SET,
    Meld,
    MeldRules,
    Shape,
    shapes,
)
from engine.pieces import STANDS
from engine.values import make
from engine.vazhushal.settings import JOKERS

_SUIT = (1 << 13) - 1
_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
_RANKED = (1 << JOKER) - 1
T = TypeVar("T")
NO_WILD = MeldRules(True, True, True, 13, 0, False, "any", False)
"""Melds in which each card is itself; what a player's table needs is not in it."""
_SHAPES = tuple(shapes(NO_WILD).values())
_RUNS = tuple(
    tuple(shape for shape in _SHAPES if shape.kind == RUN and shape.order[0] // 13 == suit) for suit in range(4)
)
_SETS = tuple(
    tuple(shape for shape in _SHAPES if shape.kind == SET and shape.order[0] % 13 == rank) for rank in range(13)
)


class Kept(Generic[T]):
    """What a search finds, lazily; the first ones are kept: a hand is asked for the same again and again."""

    def __init__(self, search: Callable[[], Iterator[T]], most: int = 128) -> None:
        self._search, self._most = search, most
        self._kept: list[T] = []
        self._running: Iterator[T] | None = search()

    def __iter__(self) -> Iterator[T]:
        return self._more() if self._running is not None else iter(self._kept)

    def _more(self) -> Iterator[T]:
        kept, at = self._kept, 0
        while True:
            while at < len(kept):
                yield kept[at]
                at += 1
            if at >= self._most:
                yield from islice(self._search(), at, None)
                return
            found = None if self._running is None else next(self._running, None)
            if found is None:
                self._running = None
                return
            kept.append(found)


_PLACES = {shape.faces: place for place, shape in enumerate(_SHAPES)}


def place_of(faces: int) -> int:
    """The place of a shape in the order of all."""
    return _PLACES[faces]


def faces_of(cards: int) -> int:
    """The faces of a set of cards, without jokers, as a mask."""
    return (cards | cards >> FACES) & _RANKED


@lru_cache(maxsize=1 << 10)
def mask_of(pieces: tuple[int, ...]) -> int:
    """The cards of some pieces as a mask."""
    cards = 0
    for number in pieces:
        cards |= 1 << number % STANDS
    return cards


def without(cards: int, pieces: Sequence[int]) -> int:
    """The cards (a mask) that are left when these pieces are taken, the lowest of equal ones first."""
    for number in pieces:
        for card in COPIES[number % STANDS]:
            if cards >> card & 1:
                cards ^= 1 << card
                break
    return cards


@lru_cache(maxsize=1 << 12)
def _suit_reach(bits: int, free: int) -> int:
    """The faces of one suit that are in a sequence which lacks at most so many cards."""
    reach = 0
    for place in _run_places(bits, free):
        reach |= _RUN_BITS[place][1]
    return reach


def reach(cards: int, free: int) -> int:
    """The faces that are in a meld which lacks at most so many of these cards, as a mask."""
    faces = faces_of(cards)
    clubs, diamonds, hearts, spades = faces & _SUIT, faces >> 13 & _SUIT, faces >> 26 & _SUIT, faces >> 39
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    if free:
        ranks |= (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    return (
        _suit_reach(clubs, free)
        | _suit_reach(diamonds, free) << 13
        | _suit_reach(hearts, free) << 26
        | _suit_reach(spades, free) << 39
        | ranks * _RANK
    )


# Melds of cards that are themselves


_PURE = tuple(Meld(shape.kind, shape.faces, shape.order, True) for shape in _SHAPES)
_OF_SUIT = len(_RUNS[0])


@lru_cache(maxsize=1 << 14)
def _pure_runs(suit: int, bits: int) -> tuple[Meld, ...]:
    return tuple([_PURE[suit * _OF_SUIT + place] for place in _run_places(bits, 0)])


@lru_cache(maxsize=1 << 9)
def _pure_sets(rank: int, bits: int) -> tuple[Meld, ...]:
    return tuple(Meld(SET, shape.faces, shape.order, True) for shape in _sets(rank, bits, 0))


def pure_melds(cards: int) -> Iterator[Meld]:
    """Every meld of these cards in which each is itself: sequences, then sets."""
    faces = faces_of(cards)
    found: list[tuple[Meld, ...]] = []
    one = faces & _SUIT, faces >> 13 & _SUIT, faces >> 26 & _SUIT, faces >> 39
    for suit, bits in enumerate(one):
        if bits & bits >> 1:
            found.append(_pure_runs(suit, bits))
    clubs, diamonds, hearts, spades = one
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    while ranks:
        rank = (ranks & -ranks).bit_length() - 1
        ranks &= ranks - 1
        found.append(_pure_sets(rank, faces >> rank & _RANK))
    return chain.from_iterable(found)


def pure_melds_with(cards: int, face: int) -> Iterator[Meld]:
    """Those of them in which this face is."""
    faces = faces_of(cards)
    suit, rank = divmod(face, 13)
    bit = 1 << face
    runs = _pure_runs(suit, faces >> 13 * suit & _SUIT)
    return (meld for melds in (runs, _pure_sets(rank, faces >> rank & _RANK)) for meld in melds if meld.faces & bit)


def _threes(shapes: Sequence[Shape]) -> tuple[tuple[int, ...], ...]:
    """By face the shapes of three cards in which it is."""
    found: list[list[int]] = [[] for _ in range(JOKER)]
    for shape in shapes:
        if len(shape.order) == 3:
            for face in shape.order:
                found[face].append(shape.faces)
    return tuple(map(tuple, found))


RUN_THREES = _threes(tuple(chain.from_iterable(_RUNS)))
"""By face the sequences of three in which it is."""
THREES = _threes(_SHAPES)
"""By face the melds of three in which it is."""
_LOW = sum(((1 << 11) - 1) << 13 * suit for suit in range(4))
"""The faces with two higher ones of their suit."""


def pure_with(cards: int, face: int, sets: bool) -> bool:
    """Whether these cards make a sequence, or perhaps a set, in which each is itself and this face is."""
    missing = ~faces_of(cards)
    return bool([1 for three in (THREES if sets else RUN_THREES)[face] if not three & missing])


@lru_cache(maxsize=1 << 10)
def has_first(rules: MeldRules, cards: int) -> bool:
    """Whether these cards make a pure first meld."""
    faces = faces_of(cards)
    if faces & faces >> 1 & faces >> 2 & _LOW or faces >> 12 & faces >> 11 & faces & _RANK:
        return True
    clubs, diamonds, hearts, spades = faces & _SUIT, faces >> 13 & _SUIT, faces >> 26 & _SUIT, faces >> 39
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    return rules.first == "pure" and bool(ranks)


# Shapes within reach


_RUN_BITS = tuple(enumerate([shape.faces for shape in _RUNS[0]]))


def _windows() -> Iterator[tuple[int, tuple[int, ...]]]:
    """By length from 3 on: the place of the first sequence of a suit, and the faces of each, from the ace up."""
    start = 0
    for length in range(3, 14):
        faces = tuple([shape.faces for shape in _RUNS[0] if len(shape.order) == length])
        yield start, faces
        start += len(faces)


_WINDOWS = tuple(_windows())


@lru_cache(maxsize=1 << 14)
def _run_places(bits: int, free: int) -> tuple[int, ...]:
    """Which sequences of any one suit lack at most so many of their cards, by their place among those of the suit."""
    missing = ~bits
    lows: Sequence[int] = range(12)
    found: list[int] = []
    for start, faces in _WINDOWS:
        last = len(faces) - 1
        lows = [low for low in lows if low <= last and (faces[low] & missing).bit_count() <= free]
        if not lows:
            break
        found += [start + low for low in lows]
    return tuple(found)


def _runs(suit: int, bits: int, free: int) -> list[Shape]:
    """The sequences of a suit that lack at most so many of their cards."""
    runs = _RUNS[suit]
    return [runs[place] for place in _run_places(bits, free)]


@lru_cache(maxsize=1 << 11)
def _sets(rank: int, bits: int, free: int) -> tuple[Shape, ...]:
    """The sets of a rank that lack at most so many of their cards."""
    held = bits << rank
    return tuple(shape for shape in _SETS[rank] if (shape.faces & ~held).bit_count() <= free)


def _within_reach(faces: int, free: int, face: int) -> Iterator[Shape]:
    """The shapes that lack at most so many cards; with a face, those of its suit and of its rank."""
    free = min(free, 13)
    suits, ranks = range(4), range(13)
    if face >= 0:
        suits, ranks = range(face // 13, face // 13 + 1), range(face % 13, face % 13 + 1)
    for suit in suits:
        yield from _runs(suit, faces >> 13 * suit & _SUIT, free)
    for rank in ranks:
        yield from _sets(rank, faces >> rank & _RANK, min(free, 4))


def find_pure_melds(known: int, pool: int, most: int, using: int = -1) -> Iterator[Meld]:
    """Every meld as `find_melds` gives them, in which each card is itself."""
    return find_melds(NO_WILD, known & ~JOKERS, pool & ~JOKERS, most, using)


class Bounds(NamedTuple):
    """Which melds are wanted, where not all are: from a shape on, and of these sizes."""

    start: int
    sizes: frozenset[int]


def find_melds(
    rules: MeldRules, known: int, pool: int = 0, most: int = 0, using: int = -1, bounds: Bounds | None = None
) -> Iterator[Meld]:
    """Every meld of cards that are certain and of at most so many out of a pool.

    `using`: a card that must be in it. `bounds` leave out what is slow to list; some beyond them are listed still.
    """
    wild = known & rules.wild
    if most <= 0 or not pool:
        if not wild:
            return pure_melds(known) if using < 0 else pure_melds_with(known, using) if using < JOKER else iter(())
        return _known_melds(rules, known, _wild_faces(wild), using)
    return _wild_melds(rules, known, pool, min(most, pool.bit_count()), using, bounds)


@lru_cache(maxsize=1 << 10)
def _wild_faces(wild: int) -> tuple[int, ...]:
    """The faces of wild cards, each as often as it is there; all jokers are one face."""
    return tuple([min(card % FACES, JOKER) for card in cards_of(wild)])


def _known_melds(rules: MeldRules, known: int, wilds: tuple[int, ...], using: int) -> Iterator[Meld]:
    """The same where all cards are certain, and some of them wild."""
    faces, count = faces_of(known), len(wilds)
    suits, ranks = range(4), range(13)
    natural = 0 <= using < JOKER and not rules.wild >> using & 1
    if natural:
        suits, ranks = range(using // 13, using // 13 + 1), range(using % 13, using % 13 + 1)
    fixed = using if natural else -1
    for suit in suits:
        bits = faces >> 13 * suit & _SUIT
        if bits:
            melds = _runs_with(suit, bits, wilds, fixed)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))
    for rank in ranks:
        bits = faces >> rank & _RANK
        if bits and bits.bit_count() + count > 2:
            melds = _sets_with(rank, bits, wilds, fixed)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))


def _has(meld: Meld, card: int) -> bool:
    """Whether a card, written without its pack, is in a meld."""
    return card in meld.pieces or (not meld.pure and any(number % STANDS == card for number in meld.pieces))


@lru_cache(maxsize=1 << 10)
def _runs_with(suit: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return _all_melds(tuple(_runs(suit, bits, min(len(wilds), 13))), bits << 13 * suit, wilds, fixed)


@lru_cache(maxsize=1 << 10)
def _sets_with(rank: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return _all_melds(_sets(rank, bits, min(len(wilds), 4)), bits << rank, wilds, fixed)


def _all_melds(within: Sequence[Shape], faces: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    """The melds of these shapes; a card that is fixed lies in each as itself."""
    if fixed >= 0:
        if not faces >> fixed & 1:
            return ()
        within = [shape for shape in within if shape.faces >> fixed & 1]
    if len(wilds) == 1:
        return tuple(_with_one_wild(within, faces, wilds[0], fixed))
    return Kept(lambda: _with_wilds(within, faces, wilds, fixed))


def _with_wilds(within: Sequence[Shape], faces: int, wilds: tuple[int, ...], fixed: int) -> Iterator[Meld]:
    supply = _Supply(faces, 0, {face: wilds.count(face) for face in wilds}, dict.fromkeys(wilds, 0))
    supply.fixed = fixed
    for shape in within:
        if shape.faces & faces:
            for pieces in supply.fill(shape.order, 0, natural=False):
                yield make(Meld, (shape.kind, shape.faces, pieces, max(pieces) < STANDS))


def _with_one_wild(within: Sequence[Shape], faces: int, wild: int, fixed: int) -> Iterator[Meld]:
    """The melds of these shapes where one card is wild: one that is in a shape as itself stands for no other there."""
    for kind, mask, order in within:
        lacking = mask & ~faces
        if not lacking:
            yield make(Meld, (kind, mask, order, True))
        if wild == JOKER or not mask >> wild & 1:
            for place, face in enumerate(order):
                if face != fixed and (not lacking or lacking >> face & 1):
                    pieces = (*order[:place], wild + STANDS * (face + 1), *order[place + 1 :])
                    yield make(Meld, (kind, mask, pieces, False))


def _wild_melds(
    rules: MeldRules, known: int, pool: int, most: int, using: int, bounds: Bounds | None
) -> Iterator[Meld]:
    if not rules.wild & (known | pool):
        missing, some = ~faces_of(known), known | pool
        for meld in pure_melds(some) if using < 0 else pure_melds_with(some, using) if using < JOKER else ():
            if (meld.faces & missing).bit_count() <= most and _within(bounds, meld.faces):
                yield meld
        return
    supply = _supply(rules, known, pool)
    face = using if 0 <= using < JOKER and not rules.wild >> using & 1 else -1
    some, free = supply.faces | supply.pool, supply.wilds + most
    few = supply.all_wilds < free  # then fewer shapes lack no more than these, of all cards that there may be
    for shape in _within_reach(some, supply.all_wilds, face) if few else _within_reach(supply.faces, free, face):
        mask = shape.faces
        if (mask & ~(supply.faces if few else some)).bit_count() > (free if few else supply.all_wilds):
            continue
        if face >= 0 and not mask >> face & 1:
            continue
        if mask & some and _within(bounds, mask):
            for pieces in supply.fill(shape.order, most, natural=False):
                if using < 0 or using in pieces or (face < 0 and any(number % STANDS == using for number in pieces)):
                    yield make(Meld, (shape.kind, shape.faces, pieces, max(pieces) < STANDS))


def _within(bounds: Bounds | None, faces: int) -> bool:
    """Whether a meld of these faces is wanted."""
    return not bounds or (place_of(faces) >= bounds.start and faces.bit_count() in bounds.sizes)


def _supply(rules: MeldRules, known: int, pool: int) -> "_Supply":
    wild = rules.wild & (known | pool)
    faces = sorted({min(card % FACES, JOKER) for card in cards_of(wild)})
    left, left_pool = {face: _count(known, face) for face in faces}, {face: _count(pool, face) for face in faces}
    return _Supply(faces_of(known), faces_of(pool), left, left_pool)


class _Supply:
    """Cards that are certain, a pool of those that may be there, and what of them is wild."""

    def __init__(self, faces: int, pool: int, left: dict[int, int], left_pool: dict[int, int]) -> None:
        self.faces, self.pool = faces, pool
        self.left, self.left_pool = left, left_pool
        self.sources = sorted(left)
        self.wilds = sum(left.values())
        self.all_wilds = self.wilds + sum(left_pool.values())
        """How many wild cards there are at most, those of the pool among them."""
        self.fixed = -1
        """A card that lies everywhere as itself, -1: none."""

    def fill(self, order: Sequence[int], most: int, natural: bool) -> Iterator[tuple[int, ...]]:
        """The pieces that can lie at these places, in every way, at most so many out of the pool.

        One of them has to be a natural card, unless there is one already (`natural`).
        """
        count = len(order)
        lacking = [0] * (count + 1)
        for at in range(count - 1, -1, -1):
            lacking[at] = lacking[at + 1] + (not self.faces >> order[at] & 1)
        return self._fill(order, lacking, [], most, natural)

    def _fill(
        self, order: Sequence[int], lacking: Sequence[int], chosen: list[int], most: int, natural: bool
    ) -> Iterator[tuple[int, ...]]:
        start = at = len(chosen)
        faces, left, count = self.faces, self.left, len(order)
        room = self.wilds + most - lacking[at]
        if room < 0:
            return
        while not room and at < count and faces >> order[at] & 1 and order[at] not in left:
            chosen.append(order[at])  # nothing can be spared: what is there lies there as itself
            natural, at = True, at + 1
        if at == count:
            if natural:
                yield tuple(chosen)
        else:
            face = order[at]
            spare = self.wilds + most - lacking[at + 1]
            wild = [source for source in self.sources if source != face] if spare and face != self.fixed else []
            last = at + 1 == count
            for source in (face, *wild):
                itself, kept = source == face, source in left
                cost = self._take(source) if kept else 0 if faces >> face & 1 else 1 if self.pool >> face & 1 else -1
                if 0 <= cost <= most:
                    piece = face if itself else source + STANDS * (face + 1)
                    if not last:
                        chosen.append(piece)
                        yield from self._fill(order, lacking, chosen, most - cost, natural or itself)
                        chosen.pop()
                    elif natural or itself:
                        yield (*chosen, piece)
                if kept:
                    self._give_back(source, cost)
        del chosen[start:]

    def _take(self, source: int) -> int:
        """Lay a wild card: 0 for a certain one, 1 for one out of the pool, -1 where there is none."""
        if self.left[source]:
            self.left[source] -= 1
            self.wilds -= 1
            return 0
        if self.left_pool[source]:
            self.left_pool[source] -= 1
            return 1
        return -1

    def _give_back(self, source: int, cost: int) -> None:
        if cost > 0:
            self.left_pool[source] += 1
        elif not cost:
            self.left[source] += 1
            self.wilds += 1


def _count(cards: int, face: int) -> int:
    """How many copies of a card are in a set; of jokers, all."""
    return sum([cards >> copy & 1 for copy in COPIES[face]])


# Additions


class Addition(NamedTuple):
    """A meld that grows to another shape by the cards at these places."""

    shape: Shape
    places: tuple[int, ...]
    faces: int
    """These places as a mask."""


@lru_cache(maxsize=1 << 12)
def additions_to(kind: str, faces: int) -> tuple[int, tuple[Addition, ...]]:
    """What a meld may grow to, the small ones first, and the mask of the faces of which one has to be among them."""
    suit, rank = divmod(faces.bit_length() - 1, 13)
    alike = _RUNS[suit] if kind == RUN else _SETS[rank]
    grown = [shape for shape in alike if shape.faces & faces == faces != shape.faces]
    found = [
        Addition(shape, tuple([face for face in shape.order if not faces >> face & 1]), shape.faces & ~faces)
        for shape in grown
    ]
    found.sort(key=lambda addition: len(addition.places))
    next_to = 0
    for addition in found:
        if len(addition.places) == 1:
            next_to |= 1 << addition.places[0]
    return next_to, tuple(found)


def find_additions(
    rules: MeldRules, meld: Meld, known: int, pool: int = 0, most: int = 0
) -> Iterator[tuple[tuple[int, ...], Meld]]:
    """Every group of cards that can be added to a meld, and the meld's new shape (its pieces are left out)."""
    next_to, grown = additions_to(meld.kind, meld.faces)
    faces = faces_of(known)
    wild = known & rules.wild
    if most <= 0:
        pool = 0
    if not wild and not pool:
        if faces & next_to:
            for addition in grown:
                if not addition.faces & ~faces:
                    yield addition.places, Meld(meld.kind, addition.shape.faces, (), meld.pure)
        return
    if not pool:
        suit, rank = divmod(meld.faces.bit_length() - 1, 13)
        near = _SUIT << 13 * suit if meld.kind == RUN else _RANK << rank
        yield from _wild_additions(meld.kind, meld.faces, meld.pure, faces & near, _wild_faces(wild))
        return
    supply = _supply(rules, known, pool)
    yield from _fill_additions(meld, supply, min(most, pool.bit_count()))


@lru_cache(maxsize=1 << 10)
def _wild_additions(
    kind: str, laid: int, pure: bool, faces: int, wilds: tuple[int, ...]
) -> Kept[tuple[tuple[int, ...], Meld]]:
    """The additions of certain cards, some of them wild, to a meld of these faces."""
    meld = Meld(kind, laid, (), pure)
    left = {face: wilds.count(face) for face in sorted(wilds)}
    return Kept(lambda: _fill_additions(meld, _Supply(faces, 0, dict(left), dict.fromkeys(left, 0)), 0))


def _fill_additions(meld: Meld, supply: "_Supply", most: int) -> Iterator[tuple[tuple[int, ...], Meld]]:
    faces, kind = supply.faces, meld.kind
    free, some = supply.wilds + most, supply.faces | supply.pool
    for addition in additions_to(kind, meld.faces)[1]:
        if (addition.faces & ~faces).bit_count() > free or (addition.faces & ~some).bit_count() > supply.all_wilds:
            continue
        for pieces in supply.fill(addition.places, most, natural=True):
            pure = meld.pure and max(pieces) < STANDS
            yield pieces, make(Meld, (kind, addition.shape.faces, (), pure))


def all_shapes() -> tuple[Shape, ...]:
    """Every shape of a meld."""
    return _SHAPES
