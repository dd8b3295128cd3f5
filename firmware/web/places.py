"""Where every card of a simulated table is, as it is seen from above: what people laid somewhere, and for all others
what the pack says of stock, pile and hands, and the public view of what lies in tricks and melds.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.cards import CARDS, PLAIN, Card
from engine.match import Match, view
from engine.pieces import piece_card
from engine.view import PUBLIC, Block, Melds, Piles, Trick
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
    within: int = 0
    """The place in a meld."""


AWAY = Place("away")


def places(cards: Cards, laid: Mapping[Card, Place], match: Match) -> dict[Card, Place]:
    """The place of each card."""
    found: dict[Card, Place] = {}
    blocks = view(match, PUBLIC).blocks
    piles = any(isinstance(block, Piles) for block in blocks) or not any(isinstance(block, Trick) for block in blocks)
    for index, card in enumerate(cards.stock):
        found[card] = Place("stock", order=index)
    for index, card in enumerate(cards.pile):
        if piles:
            found[card] = Place("pile", order=index, open=True)
    for seat, hand in cards.hands.items():
        for index, card in enumerate(hand):
            found[card] = Place("hand", seat, index)
    found.update(laid)
    loose = [*reversed(cards.pile), *cards.tags] if not piles else [*cards.tags]
    loose = [card for card in dict.fromkeys(loose) if card not in found]
    for face, place in _open(blocks):
        equal = [card for card in loose if card == face] or [card for card in loose if PLAIN[card] == PLAIN[face]]
        for card in equal[:1]:
            loose.remove(card)
            found[card] = place
    return found | dict.fromkeys(loose, AWAY)


def _open(blocks: Iterable[Block]) -> list[tuple[Card, Place]]:
    """What lies open in tricks and melds; the cards of a meld in the order in which the table has them."""
    opened: list[tuple[Card, Place]] = []
    for block in blocks:
        if isinstance(block, Trick):
            opened += [
                (card, Place("trick", seat, index, open=True))
                for index, (seat, card) in enumerate(block.plays or block.last)
            ]
        elif isinstance(block, Melds):
            for index, meld in enumerate(block.melds):
                opened += [
                    (CARDS[piece_card(piece)], Place("meld", block.seat, index, open=True, within=at))
                    for at, piece in enumerate(meld)
                ]
    return opened
