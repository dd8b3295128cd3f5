"""What the table knows of a stock: which cards lie where, what may be drawn next, and what a draw tells of the hands.

The knowledge of the hands counts a card of the stock whose place nobody has seen among `unseen` and `hidden`
(`engine.hands.Hands`). A card whose place in the stock is known is in neither.
"""

from typing import NamedTuple

from engine.cards import UNKNOWN
from engine.hands import Hands, by_exclusion, leave, put, reopened
from engine.values import make


class Stock(NamedTuple):
    """The cards of a stock from its top down; `UNKNOWN` where nobody has seen the card.

    `pool`: after a shuffle of seen cards, the mask of all the cards that lie here, each at a place that is not known;
    else 0. `open`: everyone has seen which cards these are, and in which order where it is known.
    """

    places: tuple[int, ...]
    pool: int = 0
    open: bool = False


def turned_over(cards: tuple[int, ...], shuffled: bool = False) -> Stock:
    """The stock that seen cards make, the first of them on top, or in an order that nobody knows."""
    if not shuffled:
        return Stock(cards, 0, open=True)
    pool = 0
    for card in cards:
        pool |= 1 << card
    return Stock((UNKNOWN,) * len(cards), pool, open=True)


def following(stock: Stock, hands: Hands) -> int:
    """The cards of which one is drawn next, as a mask; none from an empty stock."""
    places, pool, _ = stock
    if not places:
        return 0
    return 1 << places[0] if places[0] != UNKNOWN else pool or hands.unseen


def draw(stock: Stock, hands: Hands, seat: int, card: int = UNKNOWN) -> tuple[Stock, Hands, int]:
    """The top card goes into a hand; gives the card that was drawn where it is certain which one it was.

    A card that is named is believed, also where another one was thought to lie on top.
    """
    places, pool, seen = stock
    known, unknown, unseen, hidden, deduced = hands
    top = places[0]
    if top == UNKNOWN:
        if unseen >> card & 1 and hidden > 1 and not pool:
            known = known[: seat - 1] + (known[seat - 1] | 1 << card,) + known[seat:]  # noqa: RUF005 — see `put`
            hands = make(Hands, (known, unknown, unseen ^ 1 << card, hidden - 1, deduced))
            return make(Stock, (places[1:], 0, seen)), hands, card
    elif card in (UNKNOWN, top):
        known = known[: seat - 1] + (known[seat - 1] | 1 << top,) + known[seat:]  # noqa: RUF005
        return make(Stock, (places[1:], pool, seen)), make(Hands, (known, unknown, unseen, hidden, deduced)), top
    return _draw_otherwise(stock, hands, seat, card)


def _draw_otherwise(stock: Stock, hands: Hands, seat: int, card: int) -> tuple[Stock, Hands, int]:
    """A draw that is not one of the two usual ones: of a card that is known to be next, of one that nobody has seen."""
    places, pool, seen = stock
    known, unknown, unseen, hidden, deduced = hands
    if card != UNKNOWN and not (1 << places[0] if places[0] != UNKNOWN else pool or unseen) >> card & 1:
        (places, pool, seen), (known, unknown, unseen, hidden, deduced) = _mistaken(stock, hands, card)
    index = seat - 1
    held = known[index]
    if places[0] != UNKNOWN:
        card = places[0]
    elif pool:
        if not pool & pool - 1:
            card = pool.bit_length() - 1
        if card == UNKNOWN:
            unseen, hidden, pool = unseen | pool, hidden + len(places) - 1, 0
        else:
            pool ^= 1 << card
    else:
        hidden -= 1
        if card != UNKNOWN:
            unseen ^= 1 << card
    stock = make(Stock, (places[1:], pool, seen))
    if card != UNKNOWN:
        hands = make(Hands, (put(known, index, held | 1 << card), unknown, unseen, hidden, deduced))
        return stock, hands if hidden or not unseen else by_exclusion(hands), card
    hands = by_exclusion(make(Hands, (known, put(unknown, index, unknown[index] + 1), unseen, hidden, deduced)))
    if not unknown[index] and not hands.unknown[index]:
        card = (hands.known[index] ^ held).bit_length() - 1
    return stock, hands, card


def lay_down(stock: Stock, hands: Hands, seat: int, card: int) -> tuple[Stock, Hands]:
    """A card was shown leaving a hand, wherever it was thought to lie."""
    if not hands.known[seat - 1] >> card & 1 and not hands.unseen >> card & 1:
        stock, hands = unsettle(stock, hands, card)
    return stock, leave(hands, seat, card)


def covered(stock: Stock, hands: Hands) -> tuple[Stock, Hands]:
    """Stock and hands for someone who has not looked into the stock."""
    if stock.open:
        return stock, hands
    known = [card for card in stock.places if card != UNKNOWN]
    for card in known:
        hands = hands._replace(unseen=hands.unseen | 1 << card)
    return Stock((UNKNOWN,) * len(stock.places)), hands._replace(hidden=hands.hidden + len(known))


def unsettle(stock: Stock, hands: Hands, card: int) -> tuple[Stock, Hands]:
    """Nobody knows any more where a card lies: it was not in the hand, or the place, where it was thought to be."""
    hands = reopened(hands)
    known, unknown, unseen, hidden, _ = hands
    places, pool, seen = stock
    bit = 1 << card
    if pool & bit:
        return Stock(places, 0, seen), Hands(known, unknown, unseen | pool, hidden + len(places))
    if card in places:
        at = places.index(card)
        return Stock(put(places, at, UNKNOWN), 0, seen), Hands(known, unknown, unseen | bit, hidden + 1)
    for index, held in enumerate(known):
        if held & bit:
            hands = Hands(put(known, index, held ^ bit), put(unknown, index, unknown[index] + 1), unseen | bit, hidden)
    return stock, hands


def _mistaken(stock: Stock, hands: Hands, card: int) -> tuple[Stock, Hands]:
    """Stock and hands before a draw of a card that cannot lie on top by what was known."""
    if stock.places[0] != UNKNOWN:
        stock, hands = unsettle(stock, hands, stock.places[0])
    stock, hands = unsettle(stock, hands, card)
    if stock.pool:  # the card is not of the pool, so the pool was not what lies here
        stock, hands = unsettle(stock, hands, stock.pool.bit_length() - 1)
    return stock, hands
