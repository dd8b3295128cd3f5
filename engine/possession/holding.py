"""Which physical cards an accepted action means. It may have been judged on less than the table knows."""

from engine.cards import mask
from engine.possession.naming import find
from engine.possession.state import Deal
from engine.values import Argument, Refusal


def meant(deal: Deal, seat: int, written: tuple[Argument, ...], preferred: int = 0) -> tuple[int, ...]:
    """The cards that the seat lays down or shows; they are believed, wherever they were thought to lie."""
    cards = find(deal.hands, seat, written, preferred)
    if isinstance(cards, Refusal):
        covered = deal.settings.pack & ~open_cards(deal) & ~deal.hands.known[seat - 1]
        cards = find(deal.hands._replace(unseen=covered), seat, written, preferred)
        assert not isinstance(cards, Refusal)
    return cards


def open_cards(deal: Deal) -> int:
    """The cards that everyone sees lying on the table, as a mask."""
    return mask(deal.discards) | mask([piece for melds in deal.melds for laid in melds for piece in laid.pieces])
