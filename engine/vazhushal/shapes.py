"""The shapes of melds as faces: a table of all, and those that lack few of some cards.

All cards here are written without their pack: equal cards make one meld.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import COPIES, FACES, JOKER
from engine.melds import RUN, SET, MeldRules, Shape, shapes
from engine.pieces import STANDS

SUIT = (1 << 13) - 1
"""The faces of clubs, the lowest suit, as a mask."""
RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four aces, the lowest rank."""
RANKED = (1 << JOKER) - 1
"""All faces but the joker."""
NO_WILD = MeldRules(True, True, True, 13, 0, False, "any", False)
"""Melds in which each card is itself; what a player's table needs is not in it."""
SHAPES = tuple(shapes(NO_WILD).values())
RUNS = tuple(
    tuple(shape for shape in SHAPES if shape.kind == RUN and shape.order[0] // 13 == suit) for suit in range(4)
)
"""Every sequence, by suit."""
SETS = tuple(
    tuple(shape for shape in SHAPES if shape.kind == SET and shape.order[0] % 13 == rank) for rank in range(13)
)
"""Every set, by rank."""

_PLACES = {shape.faces: place for place, shape in enumerate(SHAPES)}


def place_of(faces: int) -> int:
    """The place of a shape in the order of all."""
    return _PLACES[faces]


def faces_of(cards: int) -> int:
    """The faces of a set of cards, without jokers, as a mask."""
    return (cards | cards >> FACES) & RANKED


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


# Shapes within reach


_RUN_BITS = tuple(enumerate([shape.faces for shape in RUNS[0]]))


def _windows() -> Iterator[tuple[int, tuple[int, ...]]]:
    """By length from 3 on: the place of the first sequence of a suit, and the faces of each, from the ace up."""
    start = 0
    for length in range(3, 14):
        faces = tuple([shape.faces for shape in RUNS[0] if len(shape.order) == length])
        yield start, faces
        start += len(faces)


_WINDOWS = tuple(_windows())


@lru_cache(maxsize=1 << 14)
def run_places(bits: int, free: int) -> tuple[int, ...]:
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


def runs_within(suit: int, bits: int, free: int) -> list[Shape]:
    """The sequences of a suit that lack at most so many of their cards."""
    runs = RUNS[suit]
    return [runs[place] for place in run_places(bits, free)]


@lru_cache(maxsize=1 << 11)
def sets_within(rank: int, bits: int, free: int) -> tuple[Shape, ...]:
    """The sets of a rank that lack at most so many of their cards."""
    held = bits << rank
    return tuple(shape for shape in SETS[rank] if (shape.faces & ~held).bit_count() <= free)


def within_reach(faces: int, free: int, face: int) -> Iterator[Shape]:
    """The shapes that lack at most so many cards; with a face, those of its suit and of its rank."""
    free = min(free, 13)
    suits, ranks = range(4), range(13)
    if face >= 0:
        suits, ranks = range(face // 13, face // 13 + 1), range(face % 13, face % 13 + 1)
    for suit in suits:
        yield from runs_within(suit, faces >> 13 * suit & SUIT, free)
    for rank in ranks:
        yield from sets_within(rank, faces >> rank & RANK, min(free, 4))


@lru_cache(maxsize=1 << 12)
def _suit_reach(bits: int, free: int) -> int:
    """The faces of one suit that are in a sequence which lacks at most so many cards."""
    reach = 0
    for place in run_places(bits, free):
        reach |= _RUN_BITS[place][1]
    return reach


def reach(cards: int, free: int) -> int:
    """The faces that are in a meld which lacks at most so many of these cards, as a mask."""
    faces = faces_of(cards)
    clubs, diamonds, hearts, spades = faces & SUIT, faces >> 13 & SUIT, faces >> 26 & SUIT, faces >> 39
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    if free:
        ranks |= (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    return (
        _suit_reach(clubs, free)
        | _suit_reach(diamonds, free) << 13
        | _suit_reach(hearts, free) << 26
        | _suit_reach(spades, free) << 39
        | ranks * RANK
    )


def all_shapes() -> tuple[Shape, ...]:
    """Every shape of a meld."""
    return SHAPES
