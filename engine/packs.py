"""Which physical cards a deal means, where cards are written without the pack that they come from."""

from collections.abc import Sequence

from engine.cards import CARDS, COPIES, COPIES_MASK, UNKNOWN, Card, mask
from engine.game import Dealt


def place(dealt: Dealt, pack: int) -> Dealt | Card:
    """The deal with physical cards, or the first card that would lie in two places.

    A card written with its pack is that very one; of the others each is the lowest free copy in `pack` (a mask), in the
    order turn-up, hands by seat, buried card, stock. A card that `pack` has not stays as it is written.
    """
    buried = () if dealt.buried is None else (dealt.buried,)
    groups = (dealt.turn_up, *(hand or () for hand in dealt.hands), buried, dealt.stock or ())
    taken = 0
    for group in groups:
        for card in group:
            copies = COPIES[card]
            if len(copies) == 1:
                if taken >> copies[0] & 1:
                    return card
                taken |= 1 << copies[0]
    placed: list[tuple[Card, ...]] = []
    for group in groups:
        cards = _free(group, pack, taken)
        if isinstance(cards, Card):
            return cards
        placed.append(cards)
        taken |= mask(cards)
    hands = tuple(None if hand is None else cards for hand, cards in zip(dealt.hands, placed[1:], strict=False))
    stock = None if dealt.stock is None else placed[-1]
    return Dealt(hands, placed[0], stock, placed[-2][0] if buried else None)


def _free(group: Sequence[Card], pack: int, taken: int) -> tuple[Card, ...] | Card:
    """The physical cards of one place, or the one that has no free copy left."""
    cards = []
    for card in group:
        copies = COPIES[card]
        if len(copies) < 2:
            cards.append(CARDS[copies[0]] if copies else UNKNOWN)
            continue
        free = (COPIES_MASK[card] & pack or 1 << copies[0]) & ~taken
        if not free:
            return card
        lowest = free & -free
        taken |= lowest
        cards.append(CARDS[lowest.bit_length() - 1])
    return tuple(cards)
