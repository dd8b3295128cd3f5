"""What the table knows of the hands: cards that are certain, numbers of those that are not.

Tracked and concealed are the two ends of one model (`docs/judging.md`).
"""

from typing import NamedTuple

from engine.cards import UNKNOWN, Card, mask
from engine.values import make


class Hands(NamedTuple):
    """The knowledge of one deal. Tuples are by seat, seat 1 first.

    `known`: masks of the cards certainly in each hand. `unknown`: how many more each holds. `unseen`: mask of the cards
    whose place nobody has shown. `hidden`: how many unseen cards lie in no hand (a stock, a dead hand). `deduced`: mask
    of cards that are known by exclusion alone, which holds only as long as nothing else becomes unknown.
    """

    known: tuple[int, ...]
    unknown: tuple[int, ...]
    unseen: int
    hidden: int
    deduced: int = 0

    def size(self, seat: int) -> int:
        """How many cards the seat holds."""
        return self.known[seat - 1].bit_count() + self.unknown[seat - 1]


def deal_hands(pack: int, dealt: tuple[tuple[Card, ...] | None, ...], size: int) -> Hands:
    """The hands after a deal of `size` cards each out of `pack`; None is a hand of which nothing is known."""
    known = tuple([mask(cards or ()) for cards in dealt])
    unknown = tuple([size - cards.bit_count() for cards in known])
    unseen = pack
    for cards in known:
        unseen &= ~cards
    hands = make(Hands, (known, unknown, unseen, pack.bit_count() - size * len(dealt), 0))
    return by_exclusion(hands) if any(unknown) else hands


def by_exclusion(hands: Hands) -> Hands:
    """The same hands, where the only unseen cards are one hand's and so known."""
    if hands.hidden or not hands.unseen:
        return hands
    holders = [seat for seat, count in enumerate(hands.unknown) if count]
    if len(holders) != 1:
        return hands
    return Hands(
        put(hands.known, holders[0], hands.known[holders[0]] | hands.unseen),
        put(hands.unknown, holders[0], 0),
        0,
        0,
        hands.deduced | hands.unseen,
    )


def reopened(hands: Hands) -> Hands:
    """The same hands without what is known by exclusion alone: something is about to become unknown."""
    known, unknown, unseen, hidden, deduced = hands
    if not deduced:
        return hands
    for index, cards in enumerate(known):
        if cards & deduced:
            known = put(known, index, cards & ~deduced)
            unknown = put(unknown, index, unknown[index] + (cards & deduced).bit_count())
            unseen |= cards & deduced
    return Hands(known, unknown, unseen, hidden)


def leave(hands: Hands, seat: int, card: int) -> Hands:
    """The hands after `card` was shown leaving the seat's hand.

    A card that was thought to lie in another hand was not there: one more of that hand's cards is unknown.
    """
    known, unknown, unseen, hidden, deduced = hands
    bit, index = 1 << card, seat - 1
    held = known[index]
    if held & bit:
        known = known[:index] + (held ^ bit,) + known[seat:]  # noqa: RUF005 — see `put`
        return make(Hands, (known, unknown, unseen, hidden, deduced & ~bit))
    known, unknown, unseen, hidden, _ = reopened(hands)
    unknown = put(unknown, index, unknown[index] - 1)
    for other, cards in enumerate(known):
        if cards & bit:
            known, unknown = put(known, other, cards ^ bit), put(unknown, other, unknown[other] + 1)
    return by_exclusion(Hands(known, unknown, unseen & ~bit, hidden))


def named(hands: Hands, seat: int, cards: tuple[Card, ...]) -> Hands:
    """The hands after the director said what the seat holds; cards known there before and not named are unseen."""
    index, held, hands = seat - 1, mask(cards), reopened(hands)
    return by_exclusion(
        Hands(
            put(hands.known, index, held),
            put(hands.unknown, index, cards.count(UNKNOWN)),
            (hands.unseen | hands.known[index]) & ~held,
            hands.hidden,
        )
    )


def seen_from(hands: Hands, seat: int, seen: int = 0) -> Hands:
    """The hands on what one seat may know: its own as the table knows it, the others by number (0: none known).

    `seen`: mask of the cards that everybody saw going where they are.
    """
    known = tuple(cards if index == seat - 1 else cards & seen for index, cards in enumerate(hands.known))
    unknown = tuple(hands.size(other) - cards.bit_count() for other, cards in enumerate(known, 1))
    unseen = hands.unseen
    for cards, kept in zip(hands.known, known, strict=True):
        unseen |= cards & ~kept
    return by_exclusion(Hands(known, unknown, unseen, hands.hidden))


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """The same values but for one."""
    return values[:index] + (value,) + values[index + 1 :]  # noqa: RUF005 — half the time of unpacking
