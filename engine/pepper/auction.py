"""The auction and the naming of trump (rules 3 and 4)."""

from collections.abc import Iterator

from engine.pepper.state import BIG, LITTLE, Deal, Phase
from engine.tricks import NO_TRUMP
from engine.values import Action, Notice, Outcome, Refusal

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


def check_call(deal: Deal, action: Action) -> Refusal | None:
    """Why a bid or a pass is illegal at this seat's turn."""
    if action.verb == "pass":
        return None
    bid = action.argument
    assert isinstance(bid, int)
    if deal.settings.cards <= bid < LITTLE:
        return Refusal("bid-out-of-range", "3", (("bid", BIDS[bid]), ("most", BIDS[deal.settings.cards - 1])))
    if bid <= deal.bid:
        return Refusal("bid-too-low", "3", (("bid", BIDS[bid]), ("standing", BIDS[deal.bid])))
    return None


def call(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal bid or pass."""
    seat, bidder, bid, passed = action.seat, deal.bidder, deal.bid, deal.passed
    if action.verb == "pass":
        called, passed = 0, passed | 1 << seat
    else:
        assert isinstance(action.argument, int)
        called = bid = action.argument
        bidder, passed = seat, 0 if deal.settings.rebid else passed
    turn = _next_caller(deal.settings.seats, seat, passed | 1 << bidder) if bid != BIG else 0
    phase, outcome = deal.phase, None
    notices: tuple[Notice, ...] = ()
    if not turn and bidder:
        phase, turn = Phase.TRUMP, bidder
        notices = (Notice("auction-won", (("seat", bidder), ("bid", BIDS[bid]))),)
    elif not turn:
        phase, outcome = Phase.OVER, Outcome((0,) * len(deal.settings.sides), complete=False)
        notices = (Notice("thrown-in"),)
    calls = (*deal.calls, (seat, called))
    return deal._replace(
        phase=phase, turn=turn, calls=calls, bidder=bidder, bid=bid, passed=passed, outcome=outcome
    ), notices


def _next_caller(seats: int, seat: int, done: int) -> int:
    """The next seat clockwise that is not in this mask, `seat` itself last; 0: none is left."""
    for step in range(seats):
        other = (seat + step) % seats + 1
        if not done >> other & 1:
            return other
    return 0


def legal_trumps(deal: Deal) -> Iterator[Action]:
    """Each suit, and no trump."""
    yield from TRUMP[deal.turn]


def name_trump(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the highest bidder has named the trump; the partner of a lone big bidder lays the hand down."""
    assert isinstance(action.argument, int)
    alone = 0
    if deal.bid == BIG and deal.settings.big_pepper_alone:
        alone = (deal.bidder + 1) % 4 + 1
    return deal._replace(phase=Phase.PLAY, trump=action.argument, alone=alone), ()
