"""The cards of a hand of which the melds are known by their faces: each meld gets a natural card."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import COPIES, JOKER, cards_of
from engine.meld_search import listed

NEW, SURE = -1, -2
"""In the place of an own meld: a new one, and a new one in which a wild-rank card is itself."""


class Step(NamedTuple):
    """A meld that is laid, or an own one that grows (`at`), and what lies at its new places: masks of faces."""

    at: int
    sure: int
    """Certain natural cards."""
    pooled: int
    """Natural cards out of the pool."""
    wild: int
    pure: bool
    """It has to be pure: its wild cards are themselves, and it gives none of its cards to another meld."""


class Supply(NamedTuple):
    """The cards that a hand is made of, as masks: `known` ones, and out of `pool` so many more (`most`)."""

    known: int
    pool: int
    most: int
    wild: int

    def copies(self, face: int) -> tuple[int, int]:
        """How many wild cards of a face are certain, and how many are in the pool."""
        cards = [1 << card for card in COPIES[face] if self.wild >> card & 1]
        return sum([bool(self.known & card) for card in cards]), sum([bool(self.pool & card) for card in cards])


class _Settled(NamedTuple):
    """Melds of which each has a natural card, and the faces of the wild-rank cards that have to be themselves."""

    steps: tuple[Step, ...]
    selves: tuple[int, ...]


def settle(supply: Supply, steps: Sequence[Step]) -> int | None:
    """The hand whose melds these are, as a mask; None where some meld cannot be given a natural card."""
    selves = tuple([face for step in steps if step.pure for face in listed(step.wild)])
    poor = [at for at, step in enumerate(steps) if step.at == NEW and not step.sure and not step.pure]
    for settled in _anchored(supply, _Settled(tuple(steps), selves), poor):
        hand = _hand(supply, settled)
        if hand is not None:
            return hand
    return None


def _anchored(supply: Supply, settled: _Settled, poor: Sequence[int]) -> Iterator[_Settled]:
    """Every way to give a natural card to each of the melds in which none is certain."""
    if not poor:
        yield settled
        return
    (at, *rest), (steps, selves) = poor, settled
    step = steps[at]
    if step.pooled:
        yield from _anchored(supply, settled, rest)
    for face in listed(step.wild):
        if sum(supply.copies(face)) > selves.count(face):
            sure = _put(steps, at, step._replace(at=SURE))
            yield from _anchored(supply, _Settled(sure, (*selves, face)), rest)
    for giver, other in enumerate(steps):
        if giver != at and not other.pure:
            for taken, given in _gifts(step, other):
                yield from _anchored(supply, _Settled(_put(_put(steps, at, taken), giver, given), selves), rest)


def _put(steps: tuple[Step, ...], at: int, step: Step) -> tuple[Step, ...]:
    return (*steps[:at], step, *steps[at + 1 :])


def _gifts(step: Step, other: Step) -> Iterator[tuple[Step, Step]]:
    """A meld and one that gives it a natural card, after that; the latter keeps one."""
    for face in listed((step.wild | step.pooled) & other.sure):
        bit = 1 << face
        given = other._replace(sure=other.sure ^ bit)
        if step.wild & bit:
            given = given._replace(wild=given.wild | bit)
            taken = step._replace(sure=step.sure | bit, wild=step.wild ^ bit)
        else:
            given = given._replace(pooled=given.pooled | bit)
            taken = step._replace(sure=step.sure | bit, pooled=step.pooled ^ bit)
        if given.at != NEW or given.sure or given.pooled:
            yield taken, given
    for face in listed(step.wild & other.pooled):
        bit = 1 << face
        given = other._replace(pooled=other.pooled ^ bit, wild=other.wild | bit)
        if given.at != NEW or given.sure or given.pooled:
            yield step._replace(pooled=step.pooled | bit, wild=step.wild ^ bit), given


def _hand(supply: Supply, settled: _Settled) -> int | None:
    """The cards of settled melds: where the certain wild cards are many, they take places of natural ones."""
    known, pool, most, wild = supply
    steps, selves = settled
    kept: list[int] = []
    spare: list[int] = []
    for step in steps:
        pooled = listed(step.pooled)
        need = len(pooled) if step.pure else 1 if step.at == NEW and not step.sure else 0
        kept += pooled[:need]
        spare += pooled[need:]
    own: list[int] = []
    for face in set(selves):
        certain, _ = supply.copies(face)
        own += [face] * max(0, selves.count(face) - certain)
    places = sum([step.wild.bit_count() for step in steps])
    jokers = max(places - (known & wild).bit_count(), len(own))
    natural = most - jokers
    if natural < len(kept) or natural > len(kept) + len(spare):
        return None
    hand, free = known, pool
    for face in [*kept, *spare][:natural]:
        card = next(card for card in COPIES[face] if (free & ~wild) >> card & 1)
        hand, free = hand | 1 << card, free ^ 1 << card
    for face in own:
        card = next(card for card in COPIES[face] if (free & wild) >> card & 1)
        hand, free = hand | 1 << card, free ^ 1 << card
    some = sorted(cards_of(free & wild), key=lambda card: card.face < JOKER)[: jokers - len(own)]
    for card in some:
        hand |= 1 << card
    return hand if (hand ^ known).bit_count() == most else None
