"""The cards of melds that are known by their faces: each gets a natural card, and what is wild gets a place."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import COPIES, FACES, JOKER, cards_of
from engine.meld_search import listed
from engine.pieces import piece

NEW = -1
"""In the place of an own meld: a new one."""


class Step(NamedTuple):
    """A meld that is laid, or an own one that grows (`at`), and what lies at its new places: masks of faces."""

    at: int
    sure: int
    """Certain natural cards."""
    pooled: int
    """Natural cards out of the pool."""
    itself: int
    """Wild-rank cards that are themselves."""
    wild: int
    """Any wild cards."""
    pure: bool
    """It has to be pure, and gives none of its cards to another meld."""

    @property
    def natural(self) -> bool:
        """Whether it has a natural card."""
        return self.at != NEW or bool(self.sure | self.pooled | self.itself)

    @property
    def needed(self) -> int:
        """How many of the natural cards out of the pool have to lie in it: others may give way to wild ones."""
        if self.pure:
            return self.pooled.bit_count()
        return int(self.at == NEW and not self.sure | self.itself)


class Supply(NamedTuple):
    """The cards that a hand is made of, as masks: `known` ones, and out of `pool` so many more (`most`)."""

    known: int
    pool: int
    most: int
    wild: int


Steps = tuple[Step, ...]

Laid = tuple[int, tuple[int, ...]]
"""What is laid: the number of the own meld that grows, counted from 0 (else `NEW`), and the pieces."""


def settle(supply: Supply, steps: Sequence[Step]) -> list[Laid] | None:
    """What is laid in these melds; None where some meld cannot be given a natural card."""
    poor = [at for at, step in enumerate(steps) if step.at == NEW and not step.sure and not step.pure]
    for settled in _anchored(supply, tuple(steps), poor):
        laid = _laid(supply, settled)
        if laid is not None:
            return laid
    return None


def _anchored(supply: Supply, steps: Steps, poor: Sequence[int]) -> Iterator[Steps]:
    """Every way to give a natural card to each of the melds in which none is certain."""
    if not poor:
        yield steps
        return
    at, *rest = poor
    step = steps[at]
    if step.pooled:
        yield from _anchored(supply, steps, rest)
    for face in listed(step.wild):
        if _count(supply.known | supply.pool, supply.wild, face) > sum([other.itself >> face & 1 for other in steps]):
            own = step._replace(itself=step.itself | 1 << face, wild=step.wild ^ 1 << face)
            yield from _anchored(supply, _put(steps, at, own), rest)
    for giver, other in enumerate(steps):
        if giver != at and not other.pure:
            for taken, given in _gifts(step, other):
                if given.natural:
                    yield from _anchored(supply, _put(_put(steps, at, taken), giver, given), rest)


def _count(cards: int, wild: int, face: int) -> int:
    """How many wild cards of a face are among these."""
    return sum([(cards & wild) >> card & 1 for card in COPIES[face]])


def _put(steps: Steps, at: int, step: Step) -> Steps:
    return (*steps[:at], step, *steps[at + 1 :])


def _gifts(step: Step, other: Step) -> Iterator[tuple[Step, Step]]:
    """A meld and another that gives it a natural card for one that is not certain, after that."""
    for face in listed(other.sure):
        bit = 1 << face
        if step.wild & bit:
            yield _more(step, sure=bit, wild=bit), _more(other, sure=bit, wild=bit)
        if step.pooled & bit:
            yield _more(step, sure=bit, pooled=bit), _more(other, sure=bit, pooled=bit)
    for face in listed(other.pooled & step.wild):
        bit = 1 << face
        yield _more(step, pooled=bit, wild=bit), _more(other, pooled=bit, wild=bit)


def _more(step: Step, sure: int = 0, pooled: int = 0, wild: int = 0) -> Step:
    """A meld in which another card lies at a place: what was there is not, and the other way about."""
    return step._replace(sure=step.sure ^ sure, pooled=step.pooled ^ pooled, wild=step.wild ^ wild)


def _laid(supply: Supply, steps: Steps) -> list[Laid] | None:
    """The pieces of melds, each of which has a natural card; None where the cards do not suffice.

    Where the certain wild cards are many, they take places of natural ones out of the pool.
    """
    known, pool, most, wild = supply
    selves = [face for step in steps for face in listed(step.itself)]
    pooled_selves = sum([max(0, selves.count(face) - _count(known, wild, face)) for face in set(selves)])
    places = len(selves) + sum([step.wild.bit_count() for step in steps])
    more = max(places - (known & wild).bit_count(), pooled_selves)  # so many wild cards come out of the pool
    spare = [(at, face) for at, step in enumerate(steps) for face in listed(step.pooled)[step.needed :]]
    given_up = more - most + sum([step.pooled.bit_count() for step in steps])
    if not 0 <= given_up <= len(spare):
        return None
    bare = set(spare[:given_up])
    there = _There(known, pool)
    laid = [
        [
            *[there.take(face, known & ~wild) for face in listed(step.sure)],
            *[there.take(face, pool & ~wild) for face in listed(step.pooled) if (at, face) not in bare],
            *[there.take(face, wild) for face in listed(step.itself)],
        ]
        for at, step in enumerate(steps)
    ]
    wilds = there.wilds(wild)
    for at, face in (*[(at, face) for at, step in enumerate(steps) for face in listed(step.wild)], *bare):
        card = wilds.pop(0)
        laid[at].append(card if card % FACES == face else piece(card, face))
    return [(step.at, tuple(pieces)) for step, pieces in zip(steps, laid, strict=True)]


class _There:
    """Cards that are not laid yet, as masks: certain ones are taken first."""

    def __init__(self, known: int, pool: int) -> None:
        self.known, self.pool = known, pool

    def take(self, face: int, among: int) -> int:
        """A card of a face, one among these."""
        for cards in (self.known & among, self.pool & among):
            for card in COPIES[face]:
                if cards >> card & 1:
                    self.known, self.pool = self.known & ~(1 << card), self.pool & ~(1 << card)
                    return card
        raise LookupError(face)

    def wilds(self, wild: int) -> list[int]:
        """The wild cards, in the order in which they are laid."""
        return [*cards_of(self.known & wild), *sorted(cards_of(self.pool & wild), key=lambda card: card.face < JOKER)]
