"""The auction and the naming of trump (rules 3 and 4)."""

from collections.abc import Iterator

from engine.pepper.state import BIG, LITTLE, OVER, PLAY, Deal, Phase
from engine.tricks import NO_TRUMP
from engine.values import Action, Notice, Outcome, Refusal, make

BIDS = (*(str(bid) for bid in range(8)), "little", "big")
"""The bids by their number, as records write them; 0 is no bid."""

TRUMPS = ("C", "D", "H", "S", "none")

BID = tuple(tuple(Action(seat, "bid", bid) for bid in range(BIG + 1)) for seat in range(5))
PASS = tuple(Action(seat, "pass") for seat in range(5))
TRUMP = tuple(tuple(Action(seat, "trump", trump) for trump in range(NO_TRUMP + 1)) for seat in range(5))


def legal_calls(deal: Deal) -> Iterator[Action]:
    """Every higher bid, then the pass."""
    bids = BID[deal.turn]
    for bid in range(deal.bid + 1, LITTLE):
        if bid < deal.settings.cards:
            yield bids[bid]
    for bid in (LITTLE, BIG):
        if bid > deal.bid:
            yield bids[bid]
    yield PASS[deal.turn]


def check_bid(deal: Deal, action: Action) -> Refusal | None:
    """Why a bid is illegal at this seat's turn."""
    bid = action.argument
    if not isinstance(bid, int) or not 1 <= bid <= BIG:
        return Refusal("unknown-action", "", (("verb", action.verb),))
    if deal.settings.cards <= bid < LITTLE:
        return Refusal("bid-out-of-range", "3", (("bid", BIDS[bid]), ("most", BIDS[deal.settings.cards - 1])))
    if bid <= deal.bid:
        return Refusal("bid-too-low", "3", (("bid", BIDS[bid]), ("standing", BIDS[deal.bid])))
    return None


def call(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal bid or pass."""
    (rules, dealer, phase, seat, hands, calls, bidder, bid, out, trump, alone,
     plays, led, tricks, winners, voids, revokes, penalty, outcome) = deal  # fmt: skip
    if action.verb == "pass":
        called, out = 0, out | 1 << seat
    else:
        assert isinstance(action.argument, int)
        called = bid = action.argument
        bidder, out = seat, 0 if rules.rebid else out
    turn = rules.next_seat[seat][out | 1 << bidder] if bid != BIG else 0
    notices: tuple[Notice, ...] = ()
    if not turn and bidder:
        phase, turn = Phase.TRUMP, bidder
        notices = (Notice("auction-won", (("seat", bidder), ("bid", BIDS[bid]))),)
    elif not turn:
        phase, outcome = OVER, Outcome((0,) * len(rules.sides), complete=False)
        notices = (Notice("thrown-in"),)
    calls += ((seat, called),)
    deal = make(Deal, (rules, dealer, phase, turn, hands, calls, bidder, bid, out, trump, alone,
                       plays, led, tricks, winners, voids, revokes, penalty, outcome))  # fmt: skip
    return deal, notices


def check_pass(deal: Deal, action: Action) -> Refusal | None:
    """A pass has no argument."""
    return None if action.argument is None else Refusal("unknown-action", "", (("verb", action.verb),))


def check_trump(deal: Deal, action: Action) -> Refusal | None:
    """A trump is a suit, or none."""
    return None if action in TRUMP[deal.turn] else Refusal("unknown-action", "", (("verb", action.verb),))


def legal_trumps(deal: Deal) -> Iterator[Action]:
    """Each suit, and no trump."""
    yield from TRUMP[deal.turn]


def name_trump(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the highest bidder has named the trump; the partner of a lone big bidder lays the hand down."""
    assert isinstance(action.argument, int)
    alone = 0
    if deal.bid == BIG and deal.settings.big_pepper_alone:
        alone = (deal.bidder + 1) % 4 + 1
    return deal._replace(phase=PLAY, trump=action.argument, alone=alone, out=1 << alone), ()
