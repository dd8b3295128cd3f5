"""Melds: sequences and sets, what a wild card in them stands for, and what a player's table lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import CARD_COUNT, FACES, JOKER, PACKS
from engine.pieces import STANDS, piece
from engine.values import make

RUN, SET = "run", "set"


class MeldRules(NamedTuple):
    """What melds a game has, and what one of a player's melds must be."""

    ace_high: bool
    """Q K A is a sequence too; never K A 2."""
    runs: bool
    sets: bool
    """3 or 4 cards of one rank, all suits different."""
    longest: int
    wild: int
    """Mask of the physical cards that may stand for another: jokers, wild-rank cards."""
    identical: bool
    """A second meld of the same kind and the same represented cards is allowed."""
    first: str
    """What one of a player's melds must be: `any`, `pure` or `pure-sequence`."""
    each_kind_pure: bool
    """Of each kind laid one meld must be pure."""


class Meld(NamedTuple):
    """A legal meld. Its kind and the faces that it represents (a mask) are its identity."""

    kind: str
    faces: int
    pieces: tuple[int, ...]
    """Runs from low to high, sets in the order C D H S; each wild card with what it stands for."""
    pure: bool
    """Every card is itself."""


class Shape(NamedTuple):
    """Faces that make a meld: their mask, and the faces in the order of the meld."""

    kind: str
    faces: int
    order: tuple[int, ...]


def shapes(rules: MeldRules) -> Mapping[int, Shape]:
    """Every shape that the rules have, by its faces: sequences by suit, the short and low ones first, then sets."""
    return _shapes(rules.ace_high, rules.runs, rules.sets, rules.longest)


@lru_cache(maxsize=32)
def _shapes(ace_high: bool, runs: bool, sets: bool, longest: int) -> Mapping[int, Shape]:
    orders: list[tuple[str, tuple[int, ...]]] = []
    if runs:
        ranks = 14 if ace_high else 13
        for suit in range(0, JOKER, 13):
            for length in range(3, min(longest, 13) + 1):
                lows = range(ranks - length + 1)
                orders += [(RUN, tuple([suit + rank % 13 for rank in range(low, low + length)])) for low in lows]
    if sets:
        for rank in range(13):
            four = tuple(range(rank, JOKER, 13))
            orders += [(SET, tuple([face for face in four if face != out])) for out in (*reversed(four), None)]
    table: dict[int, Shape] = {}
    for kind, order in orders:
        faces = _faces(order)
        table.setdefault(faces, Shape(kind, faces, order))  # 13 cards: A 2 … K and 2 … K A are the same cards
    return table


@lru_cache(maxsize=64)
def _of_length(rules: MeldRules, length: int) -> tuple[Shape, ...]:
    return tuple([shape for shape in shapes(rules).values() if len(shape.order) == length])


def _faces(faces: Iterable[int]) -> int:
    bits = 0
    for face in faces:
        bits |= 1 << face
    return bits


_BITS = tuple([1 << face if face < JOKER else 0 for face in range(FACES)] * PACKS + [0] * (STANDS - CARD_COUNT))
"""By the number of a card the bit of its face; 0 for jokers and for what is no card."""


def read_meld(rules: MeldRules, pieces: Sequence[int]) -> Meld | str:
    """The meld that these pieces make, or the code of what is wrong with them.

    A wild-rank card of which nothing is said is itself. A joker need not be named where only one set of represented
    cards is possible.
    """
    count = len(pieces)
    if count < 3:
        return "meld-too-short"
    faces = 0
    for card in pieces:
        bit = _BITS[card] if card < STANDS else 0
        if not bit:
            return _read_wild(rules, pieces)
        faces |= bit
    shape = shapes(rules).get(faces)
    if shape is None or len(shape.order) != count:
        return "not-a-meld"
    placed = {card % FACES: card for card in pieces}
    return make(Meld, (shape.kind, faces, tuple([placed[face] for face in shape.order]), True))


def _read_wild(rules: MeldRules, pieces: Sequence[int]) -> Meld | str:
    """The same for pieces among which something stands for a card, or ought to."""
    placed: dict[int, int] = {}
    natural, unnamed, wrong = False, [], False
    for number in pieces:
        card, face = number % STANDS, number // STANDS - 1
        itself = card % FACES
        if card >= CARD_COUNT:  # no physical card
            natural = wrong = True
        elif itself < JOKER and face in (-1, itself):
            natural = True
            wrong |= itself in placed
            placed[itself] = card
        elif not rules.wild >> card & 1 or face >= JOKER:
            natural |= itself < JOKER
            wrong = True
        elif face < 0:
            unnamed.append(card)
        else:
            wrong |= face in placed
            placed[face] = number
    if not natural:
        return "meld-all-jokers"
    if wrong:
        return "not-a-meld"
    faces = _faces(placed)
    if unnamed:
        fitting = [shape for shape in _of_length(rules, len(pieces)) if not faces & ~shape.faces]
        if len(fitting) != 1:
            return "joker-unnamed" if fitting else "not-a-meld"
        missing = [face for face in fitting[0].order if face not in placed]
        placed |= {face: piece(card, face) for face, card in zip(missing, sorted(unnamed), strict=True)}
        faces = fitting[0].faces
    shape = shapes(rules).get(faces)
    if shape is None:
        return "not-a-meld"
    ordered = tuple([placed[face] for face in shape.order])
    return make(Meld, (shape.kind, faces, ordered, max(ordered) < STANDS))


def melds_in(rules: MeldRules, cards: int) -> Iterator[Meld]:
    """Every meld that can be made of a set of physical cards, lazily. Equal cards make one meld, of the lowest ones."""
    held, wild = _by_face(cards), _by_face(cards & rules.wild)
    faces = _faces(face for face in held if face < JOKER)
    wilds = sum(len(copies) for copies in wild.values())
    for mask, shape in shapes(rules).items():
        if mask & faces and (mask & ~faces).bit_count() <= wilds:
            for sources in _sources(shape.order, Counter({face: len(held[face]) for face in held}), tuple(wild)):
                pieces = _pieces(shape.order, sources, held)
                yield Meld(shape.kind, mask, pieces, max(pieces) < STANDS)


def _by_face(cards: int) -> dict[int, list[int]]:
    """The cards of a set by face, lowest first; all jokers are one face."""
    held: dict[int, list[int]] = {}
    while cards:
        card = (cards & -cards).bit_length() - 1
        held.setdefault(min(card % FACES, JOKER), []).append(card)
        cards &= cards - 1
    return held


def _sources(order: tuple[int, ...], left: Counter[int], wild: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """For each place of a meld the face of the card that lies there, in every way that keeps one card natural."""

    def place(at: int, chosen: tuple[int, ...], natural: bool) -> Iterator[tuple[int, ...]]:
        if at == len(order):
            if natural:
                yield chosen
            return
        face = order[at]
        for source in (face, *[other for other in wild if other != face]):
            if left[source]:
                left[source] -= 1
                if sum(map(left.__getitem__, wild)) >= sum(not left[later] for later in order[at + 1 :]):
                    yield from place(at + 1, (*chosen, source), natural or source == face)
                left[source] += 1

    return place(0, (), False)


def _pieces(order: tuple[int, ...], sources: tuple[int, ...], held: Mapping[int, list[int]]) -> tuple[int, ...]:
    """The pieces for faces and what lies there: a card that is itself takes the lowest copy, then the wild ones."""
    copies = {source: iter(held[source]) for source in sources}
    pairs = tuple(zip(order, sources, strict=True))
    natural = {face: next(copies[face]) for face, source in pairs if source == face}
    return tuple([natural[face] if face in natural else piece(next(copies[source]), face) for face, source in pairs])


def faults(rules: MeldRules, melds: Sequence[Meld]) -> str | None:
    """The code of what is wrong with a player's whole table, each meld of which is legal by itself."""
    if not melds:
        return None
    represented, laid, pure = set(), set(), set()
    for kind, faces, _, itself in melds:
        represented.add(faces)
        laid.add(kind)
        if itself:
            pure.add(kind)
    if len(represented) < len(melds) and not rules.identical:
        return "meld-identical"
    first = rules.first
    if first == "pure-sequence" and RUN not in laid:
        return "first-meld-not-sequence"
    lacking = (
        (first == "pure-sequence" and RUN not in pure)
        or (first == "pure" and not pure)
        or (rules.each_kind_pure and pure != laid)
    )
    return "first-meld-not-pure" if lacking else None
