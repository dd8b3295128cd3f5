"""Which melds can be made of cards that are certain and of some that may be there.

All cards here are written without their pack: equal cards make one meld.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import JOKER
from engine.melds import RUN, SET, Meld, MeldRules, Shape
from engine.pieces import STANDS
from engine.values import make
from engine.vazhushal.kept import Kept
from engine.vazhushal.pure import pure_melds, pure_melds_with
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.shapes import NO_WILD, RANK, SUIT, faces_of, place_of, runs_within, sets_within, within_reach
from engine.vazhushal.supply import Supply, supply_of, wild_faces

KINDS = (RUN, SET)
FEW_WILD = 2
"""So many wild cards fill a shape in few ways: no bounds are needed where all cards are certain."""


class Bounds(NamedTuple):
    """Which melds are wanted, where not all are.

    `start`: from a shape on. `sizes`: of so many cards. `holding`: with these faces. `laid`: not with one of these for
    all its faces. `mixed`: the kinds in which a card may stand for another. `held`: with so many certain cards.
    """

    start: int = 0
    sizes: Container[int] = range(3, 14)
    holding: int = 0
    laid: Sequence[int] = ()
    mixed: Container[str] = KINDS
    held: int = 0


_NONE = Bounds()


def find_pure_melds(known: int, pool: int, most: int, using: int = -1, bounds: Bounds | None = None) -> Iterator[Meld]:
    """Every meld as `find_melds` gives them, in which each card is itself."""
    return find_melds(NO_WILD, known & ~JOKERS, pool & ~JOKERS, most, using, bounds)


def find_melds(
    rules: MeldRules, known: int, pool: int = 0, most: int = 0, using: int = -1, bounds: Bounds | None = None
) -> Iterator[Meld]:
    """Every meld of cards that are certain and of at most so many out of a pool.

    `using`: a card that must be in it. `bounds` leave out what is slow to list: a shape with some wild cards may be
    filled in millions of ways. Some beyond them are listed still.
    """
    wild = known & rules.wild
    if most <= 0 or not pool:
        if not wild:
            return pure_melds(known) if using < 0 else pure_melds_with(known, using) if using < JOKER else iter(())
        return _known_melds(rules, known, wild_faces(wild), using, bounds or _NONE)
    return _wild_melds(rules, known, pool, min(most, pool.bit_count()), using, bounds or _NONE)


def _known_melds(rules: MeldRules, known: int, wilds: tuple[int, ...], using: int, bounds: Bounds) -> Iterator[Meld]:
    """The same where all cards are certain, and some of them wild."""
    faces, count = faces_of(known), len(wilds)
    suits, ranks = range(4), range(13)
    natural = 0 <= using < JOKER and not rules.wild >> using & 1
    if natural:
        suits, ranks = range(using // 13, using // 13 + 1), range(using % 13, using % 13 + 1)
    fixed = using if natural else -1
    for suit in suits:
        bits = faces >> 13 * suit & SUIT
        if bits:
            if count == 1:
                melds = _runs_with(suit, bits, wilds, fixed)
            else:
                melds = _filled(runs_within(suit, bits, min(count, 13)), bits << 13 * suit, wilds, fixed, bounds)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))
    for rank in ranks:
        bits = faces >> rank & RANK
        if bits and bits.bit_count() + count > 2:
            if count == 1:
                melds = _sets_with(rank, bits, wilds, fixed)
            else:
                melds = _filled(sets_within(rank, bits, min(count, 4)), bits << rank, wilds, fixed, bounds)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))


def _has(meld: Meld, card: int) -> bool:
    """Whether a card, written without its pack, is in a meld."""
    return card in meld.pieces or (not meld.pure and any(number % STANDS == card for number in meld.pieces))


@lru_cache(maxsize=1 << 10)
def _runs_with(suit: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return tuple(_with_one_wild(runs_within(suit, bits, 1), bits << 13 * suit, wilds[0], fixed))


@lru_cache(maxsize=1 << 10)
def _sets_with(rank: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return tuple(_with_one_wild(sets_within(rank, bits, 1), bits << rank, wilds[0], fixed))


def _filled(within: Sequence[Shape], faces: int, wilds: tuple[int, ...], fixed: int, bounds: Bounds) -> Iterator[Meld]:
    """The wanted melds of these shapes where several cards are wild; a card that is fixed lies in each as itself."""
    for shape in within:
        kind, mask, order = shape
        if not mask & faces or (fixed >= 0 and not mask & faces & 1 << fixed) or not _within(bounds, mask):
            continue
        if kind in bounds.mixed:
            yield from _ways(shape, mask & faces, wilds, fixed)
        elif not mask & ~faces:
            yield make(Meld, (kind, mask, order, True))


@lru_cache(maxsize=1 << 12)
def _ways(shape: Shape, faces: int, wilds: tuple[int, ...], fixed: int) -> Kept[Meld]:
    """How one shape can be filled."""
    return Kept(lambda: _with_wilds(shape, faces, wilds, fixed))


def _with_wilds(shape: Shape, faces: int, wilds: tuple[int, ...], fixed: int) -> Iterator[Meld]:
    supply = Supply(faces, 0, {face: wilds.count(face) for face in wilds}, dict.fromkeys(wilds, 0))
    supply.fixed = fixed
    for pieces in supply.fill(shape.order, 0, natural=False):
        yield make(Meld, (shape.kind, shape.faces, pieces, max(pieces) < STANDS))


def _with_one_wild(within: Sequence[Shape], faces: int, wild: int, fixed: int) -> Iterator[Meld]:
    """The melds of these shapes where one card is wild: one that is in a shape as itself stands for no other there."""
    for kind, mask, order in within:
        if fixed >= 0 and not mask & faces & 1 << fixed:
            continue
        lacking = mask & ~faces
        if not lacking:
            yield make(Meld, (kind, mask, order, True))
        if wild == JOKER or not mask >> wild & 1:
            for place, face in enumerate(order):
                if face != fixed and (not lacking or lacking >> face & 1):
                    pieces = (*order[:place], wild + STANDS * (face + 1), *order[place + 1 :])
                    yield make(Meld, (kind, mask, pieces, False))


def _wild_melds(rules: MeldRules, known: int, pool: int, most: int, using: int, bounds: Bounds) -> Iterator[Meld]:
    if not rules.wild & (known | pool):
        missing, some = ~faces_of(known), known | pool
        for meld in pure_melds(some) if using < 0 else pure_melds_with(some, using) if using < JOKER else ():
            if (meld.faces & missing).bit_count() <= most and _within(bounds, meld.faces):
                yield meld
        return
    supply = supply_of(rules, known, pool)
    face = using if 0 <= using < JOKER and not rules.wild >> using & 1 else -1
    some, free = supply.faces | supply.pool, supply.wilds + most
    few = supply.all_wilds < free  # then fewer shapes lack no more than these, of all cards that there may be
    for kind, mask, order in (
        within_reach(some, supply.all_wilds, face) if few else within_reach(supply.faces, free, face)
    ):
        if (mask & ~(supply.faces if few else some)).bit_count() > (free if few else supply.all_wilds):
            continue
        if (face >= 0 and not mask >> face & 1) or not mask & some or not _within(bounds, mask):
            continue
        if kind not in bounds.mixed:
            if not mask & ~some and (mask & ~supply.faces).bit_count() <= most and (using < 0 or using in order):
                yield make(Meld, (kind, mask, order, True))
            continue
        for pieces in supply.fill(order, min(most, len(order) - bounds.held), natural=False):
            if using < 0 or using in pieces or (face < 0 and any(number % STANDS == using for number in pieces)):
                yield make(Meld, (kind, mask, pieces, max(pieces) < STANDS))


def _within(bounds: Bounds, faces: int) -> bool:
    """Whether a meld of these faces is wanted."""
    if bounds is _NONE:
        return True
    start, sizes, holding, laid, _, _ = bounds
    return (
        not holding & ~faces
        and faces.bit_count() in sizes
        and faces not in laid
        and (not start or place_of(faces) >= start)
    )
