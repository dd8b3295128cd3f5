"""The play of the cards (rule 5): following, trick winners, and revokes that a later card proves."""

from collections.abc import Iterator

from engine.cards import CARD_COUNT
from engine.hands import leave
from engine.pepper.scoring import points
from engine.pepper.state import Deal, Phase, Void
from engine.tricks import winner
from engine.values import Action, Notice, Outcome, Refusal

PLAY = tuple(tuple(Action(seat, "play", card) for card in range(CARD_COUNT)) for seat in range(5))
"""Every play there is, by seat and card."""

SUITS = "CDHS"


def playable(deal: Deal) -> int:
    """The cards that the seat to act may play on what is known of the hands, as a mask."""
    hands, index = deal.hands, deal.turn - 1
    known = hands.known[index]
    cards = known | hands.unseen if hands.unknown[index] else known
    if deal.plays:
        order = deal.settings.orders[deal.trump]
        of_suit = order.suits[order.suit[deal.plays[0][1]]]
        if known & of_suit:
            return cards & of_suit
    return cards


def legal_plays(deal: Deal) -> Iterator[Action]:
    """Every card that the seat may hold, and where it certainly can follow suit only those of the suit led."""
    plays, cards = PLAY[deal.turn], playable(deal)
    while cards:
        yield plays[(cards & -cards).bit_length() - 1]
        cards &= cards - 1


def check_play(deal: Deal, action: Action) -> Refusal | None:
    """Why a card is illegal at this seat's turn."""
    card = action.argument
    assert isinstance(card, int)
    hands, index, bit = deal.hands, action.seat - 1, 1 << card
    known = hands.known[index]
    if not known & bit and not (hands.unknown[index] and hands.unseen & bit):
        return Refusal("not-in-hand", "5", (("card", card),))
    if deal.plays:
        order = deal.settings.orders[deal.trump]
        led = order.suit[deal.plays[0][1]]
        if order.suit[card] != led and known & order.suits[led]:
            return Refusal("must-follow-suit", "5", (("card", card), ("suit", SUITS[led])))
    return None


def play(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal card."""
    (rules, dealer, phase, seat, hands, calls, bidder, bid, passed, trump, alone,
     plays, last, lastwinner, won, voids, revokes, penalty, outcome) = deal  # fmt: skip
    card = action.argument
    assert isinstance(card, int)
    order = rules.orders[trump]
    suit = order.suit[card]
    notices: tuple[Notice, ...] = ()
    if voids:
        proven = [void for void in voids if void[0] == seat and void[1] == suit]
        if proven:
            voids = tuple(void for void in voids if void not in proven)
            revokes = (*revokes, *proven)
            notices = tuple(_revoke(void, card) for void in proven)
    if plays:
        led = order.suit[plays[0][1]]
        if suit != led:
            voids = (*voids, Void(seat, led, sum(won) + 1, len(plays), card))
    hands = leave(hands, seat, card)
    plays = (*plays, (seat, card))
    if len(plays) < rules.seats - (alone > 0):
        turn = _next_seat(rules.seats, alone, plays)
    else:
        turn = lastwinner = plays[winner(order, [played for _, played in plays])][0]
        won = (*won[: turn - 1], won[turn - 1] + 1, *won[turn:])
        tricks = sum(won)
        notices = (*notices, Notice("trick-won", (("seat", turn), ("trick", tricks))))
        plays, last = (), plays
        if tricks == rules.cards:
            phase, turn = Phase.OVER, 0
    deal = Deal(rules, dealer, phase, turn, hands, calls, bidder, bid, passed, trump, alone,
                plays, last, lastwinner, won, voids, revokes, penalty, outcome)  # fmt: skip
    if phase is Phase.OVER:
        deal = deal._replace(outcome=Outcome(points(deal), complete=True))
    return deal, notices


def _next_seat(seats: int, alone: int, plays: tuple[tuple[int, int], ...]) -> int:
    """The next seat clockwise that has not played to this trick and has not laid its hand down."""
    done = 1 << alone
    for seat, _ in plays:
        done |= 1 << seat
    seat = plays[-1][0] % seats + 1
    while done >> seat & 1:
        seat = seat % seats + 1
    return seat


def _revoke(void: Void, card: int) -> Notice:
    return Notice("revoke", (("seat", void.seat), ("trick", void.trick), ("played", void.card), ("card", card)))
