"""The state of one deal of Pepper."""

from enum import StrEnum
from typing import NamedTuple

from engine.hands import Hands
from engine.pepper.settings import Settings
from engine.values import Outcome

LITTLE, BIG = 8, 9
"""The two peppers, above the bids 1–7; 0 is a pass."""


class Phase(StrEnum):
    """What a deal waits for."""

    AUCTION = "auction"
    TRUMP = "trump"
    PLAY = "play"
    OVER = "over"


AUCTION, TRUMP, PLAY, OVER = Phase
"""The phases by themselves: to look one up in its class takes longer than to compare it."""


class Void(NamedTuple):
    """A claim: this seat did not follow `suit` in this trick (counted from 1), at this place in it, with this card."""

    seat: int
    suit: int
    trick: int
    place: int
    card: int


class Deal(NamedTuple):
    """One deal. Tuples by seat begin with seat 1; 0 stands for no seat.

    `out`: mask by `1 << seat` of the seats that are out of the auction (with `rebid`: that passed since the last bid),
    then of those that have no card left to play to the running trick. `alone`: the partner who laid the hand down.
    `plays`: the running trick, seat and card. `led`: mask of the suit led to it, 0 before the lead. `tricks`: the
    finished ones. `winners`: the seat that won each. `voids`: by seat the mask of the suits that it did not follow.
    `revokes`: proven voids.
    """

    settings: Settings
    dealer: int
    phase: Phase
    turn: int
    hands: Hands
    calls: tuple[tuple[int, int], ...] = ()
    bidder: int = 0
    bid: int = 0
    out: int = 0
    trump: int = -1
    alone: int = 0
    plays: tuple[tuple[int, int], ...] = ()
    led: int = 0
    tricks: tuple[tuple[tuple[int, int], ...], ...] = ()
    winners: tuple[int, ...] = ()
    voids: tuple[int, ...] = ()
    revokes: tuple[Void, ...] = ()
    penalty: str = "none"
    outcome: Outcome | None = None

    @property
    def last(self) -> tuple[tuple[int, int], ...]:
        """The last finished trick; empty before the first is finished."""
        return self.tricks[-1] if self.tricks else ()

    @property
    def winner(self) -> int:
        """The seat that won the last finished trick."""
        return self.winners[-1] if self.winners else 0

    @property
    def won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return tuple(self.winners.count(seat) for seat in range(1, self.settings.seats + 1))
