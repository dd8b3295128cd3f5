"""The play of the cards (rule 5): following, trick winners, and revokes that a later card proves."""

from collections.abc import Iterator

from engine.cards import CARDS, cards_of
from engine.hands import Hands, leave, put
from engine.pepper.scoring import points
from engine.pepper.state import OVER, Deal, Void
from engine.tricks import winner
from engine.values import Action, Notice, Outcome, Refusal, make

PLAY = tuple(tuple(Action(seat, "play", card) for card in range(len(CARDS))) for seat in range(5))
"""Every play there is, by seat and card."""

_SHOWN = tuple(tuple((seat, card) for card in range(len(CARDS))) for seat in range(5))

TRICK_WON = tuple(
    tuple(Notice("trick-won", (("seat", seat), ("trick", trick))) for trick in range(9)) for seat in range(5)
)
"""Who won which trick, by seat and trick."""

SUITS = "CDHS"


_SUIT = (1 << 13) - 1


class _Plays(dict[int, tuple[Action, ...]]):
    """The plays of one seat by the mask of cards of one suit, a left bower among them perhaps; made when asked for."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, cards: int) -> tuple[Action, ...]:
        plays = self[cards] = tuple(PLAY[self.seat][card] for card in cards_of(cards))
        return plays


_PLAYS = tuple(map(_Plays, range(5)))


def playable(hands: Hands, seat: int, led: int) -> int:
    """The cards that a seat may play to a suit led (0: it leads) on what is known of the hands, as masks."""
    certain = hands.known[seat - 1]
    cards = certain | hands.unseen if hands.unknown[seat - 1] else certain
    return cards & led if certain & led else cards


def legal_plays(deal: Deal) -> Iterator[Action]:
    """Every card that the seat may hold, and where it certainly can follow suit only those of the suit led."""
    seat, hands, led = deal.turn, deal.hands, deal.led
    plays, certain = _PLAYS[seat], hands.known[seat - 1]
    cards = certain | hands.unseen if hands.unknown[seat - 1] else certain  # as `playable` has it
    if certain & led:
        return iter(plays[cards & led])
    return iter(
        plays[cards & _SUIT] + plays[cards & _SUIT << 13] + plays[cards & _SUIT << 26] + plays[cards & _SUIT << 39]
    )


def check_play(deal: Deal, action: Action) -> Refusal | None:
    """Why a card is illegal at this seat's turn."""
    seat, verb, card = action
    if not isinstance(card, int) or card < 0:
        return Refusal("unknown-action", "", (("verb", verb),))
    hands = deal.hands
    if playable(hands, seat, deal.led) >> card & 1:
        return None
    index = seat - 1
    held = hands.known[index] | (hands.unseen if hands.unknown[index] else 0)
    if not held >> card & 1:
        return Refusal("not-in-hand", "5", (("card", card),))
    suit = deal.settings.orders[deal.trump].suit[deal.plays[0][1]]
    return Refusal("must-follow-suit", "5", (("card", card), ("suit", SUITS[suit])))


def play(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal card."""
    (rules, dealer, phase, seat, hands, calls, bidder, bid, out, trump, alone,
     plays, led, tricks, winners, voids, revokes, penalty, outcome) = deal  # fmt: skip
    card = action.argument
    assert isinstance(card, int)
    bit, index, order = 1 << card, seat - 1, rules.orders[trump]
    notices: tuple[Notice, ...] = ()
    if voids[index] & bit:
        proven = _unproven(deal, seat, order.suit[card])
        revokes += proven
        notices = tuple(_revoke(void, card) for void in proven)
    if not plays:
        led = order.suits[order.suit[card]]
    elif not led & bit:
        voids = put(voids, index, voids[index] | led)
    out |= 1 << seat
    plays += (_SHOWN[seat][card],)
    turn = rules.next_seat[seat][out]
    if not turn:
        turn = plays[winner(order, [played for _, played in plays])][0]
        tricks += (plays,)
        winners += (turn,)
        notices += (TRICK_WON[turn][len(tricks)],)
        plays, led, out = (), 0, 1 << alone
        if len(tricks) == rules.cards:
            phase, turn = OVER, 0
    deal = make(Deal, (rules, dealer, phase, turn, leave(hands, seat, card), calls, bidder, bid, out, trump, alone,
                       plays, led, tricks, winners, voids, revokes, penalty, outcome))  # fmt: skip
    if not turn:
        deal = deal._replace(outcome=Outcome(points(deal), complete=True))
    return deal, notices


def _unproven(deal: Deal, seat: int, suit: int) -> tuple[Void, ...]:
    """How often the seat did not follow this suit, without what has been proven before."""
    order = deal.settings.orders[deal.trump]
    voids = [
        Void(seat, suit, number, place, card)
        for number, trick in enumerate(deal.tricks, 1)
        for place, (other, card) in enumerate(trick)
        if other == seat and order.suit[trick[0][1]] == suit != order.suit[card]
    ]
    return tuple(void for void in voids if void not in deal.revokes)


def _revoke(void: Void, card: int) -> Notice:
    return Notice("revoke", (("seat", void.seat), ("trick", void.trick), ("played", void.card), ("card", card)))
