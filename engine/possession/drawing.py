"""Drawing a card, the refill that it may need, and the hand that is blocked (rules 3, 4, 6 and 8)."""

from functools import lru_cache

from engine.cards import COPIES, UNKNOWN, cards_of, mask
from engine.hands import Hands
from engine.possession.holding import open_cards
from engine.possession.scoring import blocked_points, sizes
from engine.possession.settings import FACES
from engine.possession.state import Deal, Phase
from engine.stock import Stock, draw, turned_over
from engine.values import Action, Argument, Notice, Outcome, Refusal, make

_CLUBS = (1 << 13) - 1

DRAW = tuple(Action(seat, "draw") for seat in range(5))
_ONLY = tuple((action,) for action in DRAW)
_NAMED = tuple(tuple(Action(seat, "draw", card) for card in range(52)) for seat in range(5))
_KNOWN = tuple(tuple((DRAW[seat], action) for action in _NAMED[seat]) for seat in range(5))
"""By seat and card: the two ways to say that this card is drawn."""


@lru_cache(maxsize=1 << 13)
def _draws(seat: int, cards: int) -> tuple[Action, ...]:
    """The draws of one seat by the cards of one suit."""
    return tuple([_NAMED[seat][card] for card in cards_of(cards)])


def nothing_left(deal: Deal) -> bool:
    """Whether neither the stock nor the discards under the top have a card."""
    return not deal.stock.places and len(deal.discards) < 2


def blocks(deal: Deal) -> bool:
    """Whether a draw would need one more refill than `max_refills`."""
    return not deal.stock.places and deal.refills >= deal.settings.max_refills


def may_follow(deal: Deal) -> int:
    """The cards of which one is drawn next, as a mask; none where nothing is left or the draw blocks the hand."""
    stock = deal.stock
    places, pool, _ = stock
    if places:
        return 1 << places[0] if places[0] != UNKNOWN else pool or deal.hands.unseen
    if nothing_left(deal) or blocks(deal):
        return 0
    under = deal.discards[:-1]
    return mask(under) if deal.settings.shuffle else 1 << under[0]


def legal_draws(deal: Deal) -> tuple[Action, ...]:
    """The draw, and the same with each card that may come."""
    seat, places = deal.turn, deal.stock.places
    if places and places[0] != UNKNOWN:
        return _KNOWN[seat][places[0] % 54]
    cards = may_follow(deal)
    cards |= cards >> 54
    return (
        _ONLY[seat]
        + _draws(seat, cards & _CLUBS)
        + _draws(seat, cards & _CLUBS << 13)
        + _draws(seat, cards & _CLUBS << 26)
        + _draws(seat, cards & _CLUBS << 39)
    )


def fits(deal: Deal, card: Argument) -> bool:
    """Whether the card named may be the one drawn. Where none can be drawn, what is named does not matter."""
    if not isinstance(card, int):
        return True
    places, pool, _ = deal.stock
    if places:
        cards = 1 << places[0] if places[0] != UNKNOWN else pool or deal.hands.unseen
        if cards >> card & 1:  # of the number of the first pack's card, any equal one is meant
            return True
    elif nothing_left(deal) or blocks(deal):
        return True
    return _meant(deal, card) != UNKNOWN


def misnamed(deal: Deal, card: Argument) -> Refusal:
    """The refusal of a card that cannot be the one drawn: it lies elsewhere, or further down."""
    assert isinstance(card, int)
    return Refusal("not-next" if is_ordered(deal) else "not-in-hand", "4", (("card", card),))


def is_ordered(deal: Deal) -> bool:
    """Whether it is known which card is drawn next."""
    places = deal.stock.places
    return places[0] != UNKNOWN if places else not deal.settings.shuffle


def _meant(deal: Deal, card: Argument) -> int:
    """The physical card that is meant by the one named; unknown where it cannot be drawn next."""
    assert isinstance(card, int)
    cards = may_follow(deal)
    if card < 52 and cards >> card & 1:
        return card
    for copy in COPIES[card]:
        if cards >> copy & 1:
            return copy
    return UNKNOWN


def take_top(deal: Deal, written: Argument) -> tuple[Stock, Hands, tuple[int, ...], int, tuple[Notice, ...]]:
    """Stock, hands, discards, the card drawn as far as it is known, and the notice of a refill."""
    seat, hands, stock, discards = deal.turn, deal.hands, deal.stock, deal.discards
    notices: tuple[Notice, ...] = ()
    card = UNKNOWN if written is None else _physical(deal, written)
    if not stock.places:
        stock = turned_over(discards[:-1], deal.settings.shuffle)
        notices = (Notice("refill", (("seat", seat), ("count", len(stock.places)))),)
        discards = discards[-1:]
    stock, hands, drawn = draw(stock, hands, seat, card)
    return stock, hands, discards, drawn, notices


def seen_drawing(deal: Deal, card: int) -> int:
    """The cards that everybody saw going where they are, after this one was drawn.

    Of a pile that was turned over and not shuffled, or is one card, everybody knows which is next (rule 4).
    """
    places = deal.stock.places
    if not places and deal.settings.shuffle and len(deal.discards) > 2:
        return deal.open & ~mask(deal.discards[:-1])
    seen = deal.stock.open and places[0] == card != UNKNOWN if places else card == deal.discards[0]
    return deal.open | 1 << card if seen else deal.open


def _physical(deal: Deal, written: Argument) -> int:
    """The card that was drawn; where by all that is known it cannot be on top, a copy that does not lie open."""
    assert isinstance(written, int)
    if written < 52 and deal.settings.pack == FACES:
        return written
    card = _meant(deal, written)
    if card != UNKNOWN:
        return card
    covered = ~(open_cards(deal) | deal.hands.known[deal.turn - 1])
    return next((copy for copy in COPIES[written] if covered >> copy & 1), UNKNOWN)


def blocked(deal: Deal) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the action that blocks the hand."""
    held = tuple(enumerate(sizes(deal.hands), 1))
    notice = Notice("blocked", (("seat", deal.turn), ("cards", held)))
    outcome = Outcome(blocked_points(deal.settings, deal.hands), complete=True)
    return deal._replace(phase=Phase.OVER, turn=0, made=deal.made + 1, outcome=outcome), (notice,)


def out(deal: Deal, seat: int) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the seat has laid down its last card: the others score a point for each card held (rule 5)."""
    outcome = make(Outcome, (sizes(deal.hands), True, False))
    return deal._replace(phase=Phase.OVER, turn=0, outcome=outcome), (Notice("hand-out", (("seat", seat),)),)
