"""Which melds can be made of cards that are certain and of some that may be there.

All cards here are written without their pack: equal cards make one meld.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import JOKER
from engine.melds import Meld, MeldRules, Shape
from engine.pieces import STANDS
from engine.values import make
from engine.vazhushal.kept import Kept
from engine.vazhushal.pure import pure_melds, pure_melds_with
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.shapes import NO_WILD, RANK, SUIT, faces_of, place_of, runs_within, sets_within, within_reach
from engine.vazhushal.supply import Supply, supply_of, wild_faces


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
        return _known_melds(rules, known, wild_faces(wild), using)
    return _wild_melds(rules, known, pool, min(most, pool.bit_count()), using, bounds)


def _known_melds(rules: MeldRules, known: int, wilds: tuple[int, ...], using: int) -> Iterator[Meld]:
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
            melds = _runs_with(suit, bits, wilds, fixed)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))
    for rank in ranks:
        bits = faces >> rank & RANK
        if bits and bits.bit_count() + count > 2:
            melds = _sets_with(rank, bits, wilds, fixed)
            yield from melds if using == fixed else (meld for meld in melds if _has(meld, using))


def _has(meld: Meld, card: int) -> bool:
    """Whether a card, written without its pack, is in a meld."""
    return card in meld.pieces or (not meld.pure and any(number % STANDS == card for number in meld.pieces))


@lru_cache(maxsize=1 << 10)
def _runs_with(suit: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return _all_melds(tuple(runs_within(suit, bits, min(len(wilds), 13))), bits << 13 * suit, wilds, fixed)


@lru_cache(maxsize=1 << 10)
def _sets_with(rank: int, bits: int, wilds: tuple[int, ...], fixed: int) -> Iterable[Meld]:
    return _all_melds(sets_within(rank, bits, min(len(wilds), 4)), bits << rank, wilds, fixed)


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
    supply = Supply(faces, 0, {face: wilds.count(face) for face in wilds}, dict.fromkeys(wilds, 0))
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
    supply = supply_of(rules, known, pool)
    face = using if 0 <= using < JOKER and not rules.wild >> using & 1 else -1
    some, free = supply.faces | supply.pool, supply.wilds + most
    few = supply.all_wilds < free  # then fewer shapes lack no more than these, of all cards that there may be
    for shape in within_reach(some, supply.all_wilds, face) if few else within_reach(supply.faces, free, face):
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
