"""The options of Vazhushal, its two rule sets, and the settings of one match."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.cards import CARD_COUNT, FACES, JOKER
from engine.melds import MeldRules
from engine.options import BOOLEAN, Choice, Number, Option, OptionError, OptionValue
from engine.phrases import Phrase

OPTIONS: Mapping[str, Option] = {
    "starter": Choice(("dealer", "left")),
    "redeal": Choice(("claim", "forced", "three", "off")),
    "negative_joker": BOOLEAN,
    "first_joker": Choice(("bury", "main")),
    "draw": Choice(("exchange", "draw")),
    "wipe": BOOLEAN,
    "declare_all": BOOLEAN,
    "rearrange": BOOLEAN,
    "first_meld": Choice(("pure", "pure-sequence")),
    "first_of_each_kind_pure": BOOLEAN,
    "last_card": Choice(("any", "face-down")),
    "wins": Number(1, 99),
}

RULE_SETS: Mapping[str, Mapping[str, OptionValue]] = {
    "standard": {
        "starter": "dealer",
        "redeal": "claim",
        "negative_joker": False,
        "first_joker": "bury",
        "draw": "exchange",
        "wipe": True,
        "declare_all": True,
        "rearrange": True,
        "first_meld": "pure",
        "first_of_each_kind_pure": False,
        "last_card": "any",
        "wins": 1,
    },
    "wipe": {
        "starter": "left",
        "redeal": "three",
        "negative_joker": True,
        "first_joker": "main",
        "draw": "draw",
        "wipe": True,
        "declare_all": False,
        "rearrange": True,
        "first_meld": "pure-sequence",
        "first_of_each_kind_pure": False,
        "last_card": "face-down",
        "wins": 5,
    },
}

HAND = 13
"""How many cards each seat is dealt (rule 1)."""

ONE_PACK = (1 << FACES) - 1
TWO_PACKS = (1 << CARD_COUNT) - 1
JOKERS = sum(1 << pack * FACES + JOKER + joker for pack in (0, 1) for joker in (0, 1))
"""The printed jokers of both packs, as a mask."""


class Settings(NamedTuple):
    """The settings of one match: the options as they take effect with this number of seats.

    `pack`: the cards played with, as a mask. `stock`: how many cards lie in the stock after the turn-up. `shut`: the
    verbs that the options do not have.
    """

    seats: int
    tracked: bool
    pack: int
    stock: int
    dealer_starts: bool
    redeal: str
    negative_joker: bool
    bury_jokers: bool
    exchange: bool
    first: str
    each_kind_pure: bool
    face_down: bool
    wins: int
    shut: frozenset[str]


def settings(seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
    """The settings for a full set of option values; raises `OptionError` for the pair that makes no sense."""
    if options["declare_all"] and options["last_card"] == "face-down":
        raise OptionError(Phrase("option declare_all cannot be 'true' with last_card = face-down; expected false"))
    pack = ONE_PACK if seats == 2 else TWO_PACKS
    negative_joker, exchange = bool(options["negative_joker"]), options["draw"] == "exchange"
    face_down = options["last_card"] == "face-down"
    open_verbs = {
        "exchange": exchange,
        "draw": not exchange,
        "take": options["wipe"],
        "return": options["wipe"],
        "declare": options["declare_all"],
        "rearrange": options["rearrange"],
        "out": face_down,
    }
    return Settings(
        seats=seats,
        tracked=tracked,
        pack=pack,
        stock=pack.bit_count() - HAND * seats - 1 - negative_joker,
        dealer_starts=options["starter"] == "dealer",
        redeal="off" if seats == 2 else str(options["redeal"]),
        negative_joker=negative_joker,
        bury_jokers=options["first_joker"] == "bury",
        exchange=exchange,
        first=str(options["first_meld"]),
        each_kind_pure=bool(options["first_of_each_kind_pure"]),
        face_down=face_down,
        wins=int(options["wins"]),
        shut=frozenset(verb for verb, is_open in open_verbs.items() if not is_open),
    )


@lru_cache(maxsize=512)
def meld_rules(rules: Settings, negative: int) -> MeldRules:
    """What melds there are under this negative joker (-1: none; rules 6, 7 and 11)."""
    wild = JOKERS
    if negative >= 0 and negative % FACES < JOKER:
        suit, rank = divmod(negative % FACES, 13)
        for other in (0, 3) if suit in (1, 2) else (1, 2):  # C and S are black, D and H red
            wild |= (1 | 1 << FACES) << other * 13 + rank
    return MeldRules(
        ace_high=True,
        runs=True,
        sets=True,
        longest=13,
        wild=wild & rules.pack,
        identical=False,
        first=rules.first,
        each_kind_pure=rules.each_kind_pure,
    )
