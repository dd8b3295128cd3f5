"""Melds by plain enumeration: a second reading of the rules, written without a look at the first one.

It counts every shape that a meld can have and every way to fill it, so it is slow, and it is meant to be seen to be
right: hands of about nine cards with two or three wild ones among them are what it is for.

Cards are *plain* here: faces 0–51 (A 2 … K within C D H S) and `JOKER`. Equal cards of two packs are the same number,
and a hand is a sorted tuple in which a number may come twice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

JOKER = 52
RUN, SET = "run", "set"


class Rules(NamedTuple):
    """What the rules leave open; the names are those of the options that they stand for."""

    ace_high: bool = True
    sets: bool = True
    longest: int = 13
    wild: frozenset[int] = frozenset({JOKER})
    """The plain cards that may stand for another."""
    identical: bool = False
    first: str = "pure"
    each_kind_pure: bool = False


class Piece(NamedTuple):
    """A card in a meld and the face that it is there; None for a card that is written without one."""

    card: int
    face: int | None = None


class Shape(NamedTuple):
    """The faces that a meld may represent: a run from low to high, a set from clubs to spades."""

    kind: str
    faces: tuple[int, ...]


class Meld(NamedTuple):
    """A legal meld, its pieces sorted: natural cards are written as themselves."""

    kind: str
    pieces: tuple[Piece, ...]

    @property
    def faces(self) -> frozenset[int | None]:
        """The represented cards."""
        return frozenset(piece.face for piece in self.pieces)

    @property
    def pure(self) -> bool:
        """Whether every card is itself (rule 7)."""
        return all(piece.card == piece.face for piece in self.pieces)


class Table(NamedTuple):
    """One way to lay cards: the own melds, perhaps extended, then new ones; and the cards that stay in the hand."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]


@cache
def shapes(rules: Rules) -> tuple[Shape, ...]:
    """Every shape of a meld (rules 6 and 10): runs of one suit without a wrap, three or four suits of one rank.

    A run of all 13 faces is there twice where the ace may be high: it reads either way.
    """
    ranks = [*range(13), 0] if rules.ace_high else [*range(13)]
    found = []
    for suit in range(4):
        for start in range(len(ranks)):
            for length in range(3, rules.longest + 1):
                run = ranks[start : start + length]
                if len(set(run)) == length:
                    found.append(Shape(RUN, tuple(suit * 13 + rank for rank in run)))
    if rules.sets:
        for rank in range(13):
            suits = [suit * 13 + rank for suit in range(4)]
            found += [Shape(SET, tuple(faces)) for length in (3, 4) for faces in combinations(suits, length)]
    return tuple(found)


def natural(rules: Rules, piece: Piece) -> bool:
    """Whether it is a natural card: neither a joker nor a wild-rank card that stands for another."""
    return piece.card != JOKER and (piece.face in (None, piece.card) or piece.card not in rules.wild)


def judge(rules: Rules, pieces: Sequence[Piece]) -> tuple[str, frozenset[int]] | str:
    """Kind and represented cards of a meld as it is written, or the code of its refusal."""
    if len(pieces) < 3:
        return "meld-too-short"
    if not any(natural(rules, piece) for piece in pieces):
        return "meld-all-jokers"
    if any(piece.face not in (None, piece.card) and piece.card not in rules.wild for piece in pieces):
        return "not-a-meld"
    written = [
        piece if piece.card == JOKER or piece.face is not None else Piece(piece.card, piece.card) for piece in pieces
    ]
    named = [piece.face for piece in written if piece.face is not None]
    possible = {
        (shape.kind, frozenset(shape.faces))
        for shape in shapes(rules)
        if len(shape.faces) == len(written) and set(named) <= set(shape.faces) and len(set(named)) == len(named)
    }
    if not possible:
        return "not-a-meld"
    return possible.pop() if len(possible) == 1 else "joker-unnamed"


def fillings(rules: Rules, faces: Sequence[int], cards: Sequence[int]) -> Iterator[tuple[Piece, ...]]:
    """Every way to represent each of these faces by one of the cards."""
    if not faces:
        yield ()
        return
    if len([face for face in faces if face not in cards]) > len([card for card in cards if card in rules.wild]):
        return
    for card in sorted(set(cards)):
        if card == faces[0] or card in rules.wild:
            for others in fillings(rules, faces[1:], without(cards, [card])):
                yield (Piece(card, faces[0]), *others)


def melds_in(rules: Rules, cards: Sequence[int]) -> set[Meld]:
    """Every meld that can be made of some of these cards alone; the same cards as the same faces are one meld."""
    return {
        Meld(shape.kind, tuple(sorted(pieces)))
        for shape in shapes(rules)
        for pieces in fillings(rules, shape.faces, cards)
        if any(natural(rules, piece) for piece in pieces)
    }


def fault(rules: Rules, melds: Sequence[Meld]) -> str | None:
    """What is wrong with all the melds of one player together (rules 7, 8 and 11), or None."""
    if not rules.identical and len({(meld.kind, meld.faces) for meld in melds}) < len(melds):
        return "meld-identical"
    if not melds:
        return None
    runs = [meld for meld in melds if meld.kind == RUN]
    if rules.first == "pure-sequence" and not runs:
        return "first-meld-not-sequence"
    if rules.first == "pure-sequence" and not any(meld.pure for meld in runs):
        return "first-meld-not-pure"
    if rules.first == "pure" and not any(meld.pure for meld in melds):
        return "first-meld-not-pure"
    if rules.each_kind_pure:
        for kind in {meld.kind for meld in melds}:
            if not any(meld.pure for meld in melds if meld.kind == kind):
                return "first-meld-not-pure"
    return None


def extensions(rules: Rules, own: Meld, cards: Sequence[int]) -> set[Meld]:
    """The meld itself and all that it can become with some of the cards; what lies there stays what it is."""
    return {
        Meld(own.kind, tuple(sorted(own.pieces + added)))
        for shape in shapes(rules)
        if shape.kind == own.kind and own.faces <= set(shape.faces)
        for added in fillings(rules, [face for face in shape.faces if face not in own.faces], cards)
    }


def extended(
    rules: Rules, cards: tuple[int, ...], own: tuple[Meld, ...]
) -> Iterator[tuple[tuple[Meld, ...], tuple[int, ...]]]:
    """Each own meld takes what it can, in every way; and the cards that are left."""
    if not own:
        yield (), cards
        return
    for meld in extensions(rules, own[0], cards):
        for others, left in extended(rules, without(cards, (laid_by(meld) - laid_by(own[0])).elements()), own[1:]):
            yield (meld, *others), left


def laid(
    cards: tuple[int, ...], with_the_first: Callable[[tuple[int, ...]], list[Meld]], whole: bool
) -> Iterator[tuple[tuple[Meld, ...], tuple[int, ...]]]:
    """New melds: the first card stays (not with `whole`), or lies in one of the melds that hold it; so the rest."""
    if not cards:
        yield (), ()
        return
    if not whole:
        for melds, left in laid(cards[1:], with_the_first, whole):
            yield melds, (cards[0], *left)
    for meld in with_the_first(cards):
        for others, left in laid(without(cards, laid_by(meld).elements()), with_the_first, whole):
            yield (meld, *others), left


def tables(rules: Rules, cards: Sequence[int], own: Sequence[Meld] = (), *, whole: bool = False) -> Iterator[Table]:
    """Every way to lay cards that is legal in the end (maybe more than once); with `whole` those that lay all cards."""
    candidates = melds_in(rules, cards)

    @cache
    def with_the_first(cards: tuple[int, ...]) -> list[Meld]:
        held = Counter(cards)
        return [meld for meld in candidates if cards[0] in laid_by(meld) and laid_by(meld) <= held]

    for first, rest in extended(rules, tuple(sorted(cards)), tuple(own)):
        for new, left in laid(rest, with_the_first, whole):
            if fault(rules, first + new) is None:
                yield Table(first + new, left)


def can_lay_all(rules: Rules, cards: Sequence[int], own: Sequence[Meld] = ()) -> bool:
    """Whether there is a way to lay the whole hand."""
    return any(True for _ in tables(rules, cards, own, whole=True))


def most_points(rules: Rules, cards: Sequence[int], own: Sequence[Meld] = ()) -> int | None:
    """The best score in the exhaustion (rule 13): melded less unmelded; None where even the own melds are faulty."""
    return max((score(table) for table in tables(rules, cards, own)), default=None)


def score(table: Table) -> int:
    """What lies counts as what it stands for; what is left counts as itself, a printed joker nothing (rule 13)."""
    melded = sum(value(face) for meld in table.melds for face in meld.faces if face is not None)
    return melded - sum(value(card) for card in table.left)


def value(card: int) -> int:
    """A K Q J 10: ten points; the others their face value; a printed joker none (rule 13)."""
    if card == JOKER:
        return 0
    return {0: 10, 10: 10, 11: 10, 12: 10}.get(card % 13, card % 13 + 1)


@lru_cache(1 << 16)
def laid_by(meld: Meld) -> Counter[int]:
    """The cards that lie in a meld, whatever they stand for."""
    return Counter(piece.card for piece in meld.pieces)


def without(cards: Sequence[int], gone: Iterable[int]) -> tuple[int, ...]:
    """The cards less those that are gone, in order."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return tuple(rest)
