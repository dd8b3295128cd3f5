"""The options of Possession, its two rule sets, and the settings of one match."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.melds import MeldRules
from engine.options import BOOLEAN, Choice, Number, Option, OptionValue

OPTIONS: Mapping[str, Option] = {
    "turn": Choice(("build", "meld")),
    "play_drawn_card": BOOLEAN,
    "voluntary_draw": BOOLEAN,
    "sets": BOOLEAN,
    "shuffle_on_refill": BOOLEAN,
    "max_refills": Number(0, 99),
    "blocked_scoring": Choice(("difference", "all")),
    "losing_score": Number(1, 999),
}

_BUILD: Mapping[str, OptionValue] = {
    "turn": "build",
    "play_drawn_card": False,
    "voluntary_draw": False,
    "sets": False,
    "shuffle_on_refill": False,
    "max_refills": 1,
    "blocked_scoring": "difference",
    "losing_score": 8,
}

RULE_SETS: Mapping[str, Mapping[str, OptionValue]] = {
    "standard": _BUILD,
    "melds": {**_BUILD, "turn": "meld", "blocked_scoring": "all"},
}

HAND = 9
"""How many cards each seat is dealt (rule 1)."""

FACES = (1 << 52) - 1
"""The 52 cards of the first pack, as a mask; no jokers."""

BOTH = FACES | FACES << 54
"""The cards of both packs."""


class Settings(NamedTuple):
    """The settings of one match. `pack`: mask of the cards that are dealt from. `after`: by seat the next clockwise."""

    seats: int
    tracked: bool
    pack: int
    build: bool
    play_drawn: bool
    voluntary: bool
    shuffle: bool
    max_refills: int
    difference: bool
    losing_score: int
    melds: MeldRules
    after: tuple[int, ...]

    def from_left(self, dealer: int) -> tuple[int, ...]:
        """The seats clockwise from the dealer's left."""
        return tuple((dealer + step) % self.seats + 1 for step in range(self.seats))


def settings(seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
    """The settings for a full set of option values; those for the other kind of turn are without effect."""
    build = options["turn"] == "build"
    return Settings(
        seats=seats,
        tracked=tracked,
        pack=BOTH if seats == 4 else FACES,
        build=build,
        play_drawn=build and bool(options["play_drawn_card"]),
        voluntary=build and bool(options["voluntary_draw"]),
        shuffle=bool(options["shuffle_on_refill"]),
        max_refills=int(options["max_refills"]),
        difference=options["blocked_scoring"] == "difference",
        losing_score=int(options["losing_score"]),
        melds=MeldRules(
            ace_high=False,
            runs=True,
            sets=not build and bool(options["sets"]),
            longest=13,
            wild=0,
            identical=True,
            first="any",
            each_kind_pure=False,
        ),
        after=(0, *[seat % seats + 1 for seat in range(1, seats + 1)]),
    )
