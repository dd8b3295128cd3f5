"""Where every card of a simulated table is, as it is seen from above: what people laid somewhere, and for all others
what the pack says of stock, pile and hands, and the public view of what lies in tricks and melds.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.cards import CARDS, PLAIN, Card
from engine.match import Match, view
from engine.pieces import piece_card
from engine.view import PUBLIC, Melds, Trick
from firmware.pack import Cards


class Place(NamedTuple):
    """Where a card is. `kind` is `pad` (at the reader `where`), `felt` (at `x`, `y`), `hand`, `stock`, `pile`, `trick`,
    `meld` (the meld of that `order`, from 0) or `away`; the seat is whose it is, and `order` its place there.

    On the felt, `x` and `y` run from -1 to 1 across the table, with seat 1 at the bottom.
    """

    kind: str
    seat: int = 0
    order: int = 0
    where: str = ""
    x: float = 0.0
    y: float = 0.0
    open: bool = False


AWAY = Place("away")


def places(cards: Cards, laid: Mapping[Card, Place], match: Match) -> dict[Card, Place]:
    """The place of each card."""
    found: dict[Card, Place] = {}
    for index, card in enumerate(cards.stock):
        found[card] = Place("stock", order=index)
    for index, card in enumerate(cards.pile):
        found[card] = Place("pile", order=index, open=True)
    for seat, hand in cards.hands.items():
        for index, card in enumerate(hand):
            found[card] = Place("hand", seat, index)
    found.update(laid)
    loose = [card for card in cards.tags if card not in found]
    for face, place in _open(match):
        equal = [card for card in loose if card == face] or [card for card in loose if PLAIN[card] == PLAIN[face]]
        for card in equal[:1]:
            loose.remove(card)
            found[card] = place
    return found | dict.fromkeys(loose, AWAY)


def _open(match: Match) -> list[tuple[Card, Place]]:
    """What lies open in tricks and melds."""
    opened: list[tuple[Card, Place]] = []
    for block in view(match, PUBLIC).blocks:
        if isinstance(block, Trick):
            opened += [
                (card, Place("trick", seat, index, open=True))
                for index, (seat, card) in enumerate(block.plays or block.last)
            ]
        elif isinstance(block, Melds):
            for index, meld in enumerate(block.melds):
                opened += [(CARDS[piece_card(piece)], Place("meld", block.seat, index, open=True)) for piece in meld]
    return opened
