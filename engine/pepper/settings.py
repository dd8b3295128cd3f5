"""The options of Pepper, its two rule sets, and the settings of one match."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from engine.cards import CARDS
from engine.options import BOOLEAN, Choice, Number, Option, OptionValue
from engine.tricks import NO_TRUMP, TrickOrder, trick_order

OPTIONS: Mapping[str, Option] = {
    "partners": BOOLEAN,
    "left_bower": BOOLEAN,
    "small_table_cards": Choice((6, 8)),
    "rebid": BOOLEAN,
    "failed": Choice(("bid", "all")),
    "defenders_score": BOOLEAN,
    "big_pepper_alone": BOOLEAN,
    "target": Number(1, 999),
    "revoke_penalty": Choice(("none", "fail-bid")),
}

RULE_SETS: Mapping[str, Mapping[str, OptionValue]] = {
    "standard": {
        "partners": True,
        "left_bower": False,
        "small_table_cards": 6,
        "rebid": False,
        "failed": "bid",
        "defenders_score": True,
        "big_pepper_alone": False,
        "target": 30,
        "revoke_penalty": "none",
    },
    "bowers": {
        "partners": True,
        "left_bower": True,
        "small_table_cards": 8,
        "rebid": True,
        "failed": "all",
        "defenders_score": True,
        "big_pepper_alone": True,
        "target": 30,
        "revoke_penalty": "none",
    },
}

_RANKS = (8, 9, 10, 11, 12, 0)
_TRUMP_RANKS = (8, 9, 11, 12, 0, 10)

PACK = sum(1 << card for card in CARDS[:52] if card.face % 13 in _RANKS)
"""The 24 cards, 9 to A, as a mask (rule 1)."""


class Settings(NamedTuple):
    """The settings of one match: the options as they take effect with this number of seats.

    `cards`: how many each seat is dealt, and so the number of tricks. `orders`: the order of the cards by trump suit,
    0–3 and `NO_TRUMP`. `next_seat`: by seat and by a mask of seats that are out (`1 << seat`; bit 0 is nobody's) the
    next seat clockwise that is not, itself last; 0: none is left.
    """

    seats: int
    tracked: bool
    cards: int
    sides: tuple[tuple[int, ...], ...]
    rebid: bool
    failed: str
    defenders_score: bool
    big_pepper_alone: bool
    target: int
    revoke_penalty: str
    orders: tuple[TrickOrder, ...]
    next_seat: tuple[tuple[int, ...], ...]

    @property
    def dead_hand(self) -> bool:
        """Whether a third hand lies dead: two seats with eight cards each (`bowers`)."""
        return self.seats == 2 and self.cards == 8


def settings(seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
    """The settings for a full set of option values."""
    partners = seats == 4 and bool(options["partners"])
    left_bower = bool(options["left_bower"])
    return Settings(
        seats=seats,
        tracked=tracked,
        cards=6 if seats == 4 else int(options["small_table_cards"]),
        sides=((1, 3), (2, 4)) if partners else tuple((seat,) for seat in range(1, seats + 1)),
        rebid=bool(options["rebid"]),
        failed=str(options["failed"]),
        defenders_score=bool(options["defenders_score"]),
        big_pepper_alone=partners and bool(options["big_pepper_alone"]),
        target=int(options["target"]),
        revoke_penalty=str(options["revoke_penalty"]),
        orders=tuple(trick_order(trump, _RANKS, _TRUMP_RANKS, left_bower) for trump in range(NO_TRUMP + 1)),
        next_seat=_next_seats(seats),
    )


@cache
def _next_seats(seats: int) -> tuple[tuple[int, ...], ...]:
    def next_seat(seat: int, out: int) -> int:
        clockwise = [(seat + step) % seats + 1 for step in range(seats)]
        return next((other for other in clockwise if not out >> other & 1), 0)

    return tuple(tuple(next_seat(seat, out) for out in range(2 << seats)) for seat in range(seats + 1))
