"""Melds in which each card is itself."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import chain
from operator import or_

from engine.cards import JOKER
from engine.melds import SET, Meld, MeldRules, Shape
from engine.vazhushal.shapes import RANK, RUNS, SHAPES, SUIT, faces_of, run_places, sets_within

_PURE = tuple(Meld(shape.kind, shape.faces, shape.order, True) for shape in SHAPES)
_OF_SUIT = len(RUNS[0])


@lru_cache(maxsize=1 << 14)
def _pure_runs(suit: int, bits: int) -> tuple[Meld, ...]:
    return tuple([_PURE[suit * _OF_SUIT + place] for place in run_places(bits, 0)])


@lru_cache(maxsize=1 << 9)
def _pure_sets(rank: int, bits: int) -> tuple[Meld, ...]:
    return tuple(Meld(SET, shape.faces, shape.order, True) for shape in sets_within(rank, bits, 0))


def pure_melds(cards: int) -> Iterator[Meld]:
    """Every meld of these cards in which each is itself: sequences, then sets."""
    faces = faces_of(cards)
    found: list[tuple[Meld, ...]] = []
    one = faces & SUIT, faces >> 13 & SUIT, faces >> 26 & SUIT, faces >> 39
    for suit, bits in enumerate(one):
        if bits & bits >> 1:
            found.append(_pure_runs(suit, bits))
    clubs, diamonds, hearts, spades = one
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    while ranks:
        rank = (ranks & -ranks).bit_length() - 1
        ranks &= ranks - 1
        found.append(_pure_sets(rank, faces >> rank & RANK))
    return chain.from_iterable(found)


def pure_melds_with(cards: int, face: int) -> Iterator[Meld]:
    """Those of them in which this face is."""
    faces = faces_of(cards)
    suit, rank = divmod(face, 13)
    bit = 1 << face
    runs = _pure_runs(suit, faces >> 13 * suit & SUIT)
    return (meld for melds in (runs, _pure_sets(rank, faces >> rank & RANK)) for meld in melds if meld.faces & bit)


def _threes(shapes: Sequence[Shape]) -> tuple[tuple[int, ...], ...]:
    """By face the shapes of three cards in which it is."""
    found: list[list[int]] = [[] for _ in range(JOKER + 1)]
    for shape in shapes:
        if len(shape.order) == 3:
            for face in shape.order:
                found[face].append(shape.faces)
    return tuple(map(tuple, found))


RUN_THREES = _threes(tuple(chain.from_iterable(RUNS)))
"""By face the sequences of three in which it is; a joker is in none."""
THREES = _threes(SHAPES)
"""By face the melds of three in which it is."""
NEAR = tuple(reduce(or_, threes, 0) for threes in THREES)
"""By face all faces of these melds: itself, and where the others come from."""
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
    if faces & faces >> 1 & faces >> 2 & _LOW or faces >> 12 & faces >> 11 & faces & RANK:
        return True
    clubs, diamonds, hearts, spades = faces & SUIT, faces >> 13 & SUIT, faces >> 26 & SUIT, faces >> 39
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    return rules.first == "pure" and bool(ranks)
