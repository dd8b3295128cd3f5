"""Legal actions come at once: a bot, and a player at a display, wait for the first of millions."""

import sys
from collections.abc import Iterable
from itertools import islice
from types import FrameType
from typing import Any

import pytest
from vazhushal_tables import Played

from engine.match import legal
from engine.vazhushal.exhaustion import legal_passes
from engine.vazhushal.state import Phase

FIRST = 300
CALLS = 20_000
"""So many steps take some hundredths of a second; a search that finds nothing takes millions."""


class TooLongError(AssertionError):
    """More steps were made than anyone waits for."""


def steps(listed: Iterable[object], most: int = CALLS) -> int:
    """How many functions are called, and generators asked, until the first of these have come."""
    count = 0

    def step(frame: FrameType, event: str, value: Any) -> None:
        nonlocal count
        count += event == "call"
        if count > most:
            sys.setprofile(None)
            raise TooLongError(frame.f_code.co_name)

    sys.setprofile(step)
    try:
        found = list(islice(listed, FIRST))
    finally:
        sys.setprofile(None)
    assert found
    return count


TWO_PACKS: dict[str, Any] = {"seats": 4, "first_of_each_kind_pure": True}
EXCHANGED = "deal 1 / turn-up: 2H / 1 exchange"
LONG = "1 meld 5S 6S 7S / 1 meld 3D 4D 5D JK=6D 7D 8D JK=9D 10D"

POSITIONS = {
    "a set is melded and each kind has to begin with a pure one: of the millions of sequences with jokers none fits": (
        f"{EXCHANGED} / 1 meld 5C 5D 5H",
        TWO_PACKS,
    ),
    "a sequence is melded, the same for sets": (f"{EXCHANGED} / 1 meld 5C 6C 7C", TWO_PACKS),
    "few cards are left to go into a long meld, with those that stand for others there": (
        f"{EXCHANGED} / {LONG}",
        {"seats": 4},
    ),
    "so they are with nothing left but the last cards": (
        f"deal 4 / buried: 9C / turn-up: 2H / 1 draw / {LONG}",
        {"seats": 4, "rules": "wipe"},
    ),
    "three doubles can be claimed, and few cards are unknown": (
        "deal 1 / hand 1: 2C 3C 4C 5C 8D 8H 8S 9C JC QC ?? ?? ?? / turn-up: 2H",
        {"seats": 4, "redeal": "three", "draw": "draw", "declare_all": False},
    ),
}


@pytest.mark.parametrize(("lines", "options"), POSITIONS.values(), ids=POSITIONS)
def test_the_first_legal_actions_come_at_once(lines: str, options: dict[str, Any]) -> None:
    played = Played(lines, **options)
    assert [said for said in played.verdicts if not said.startswith("ok")] == []
    assert steps(legal(played.match)) > 0


def test_all_but_two_cards_that_nobody_has_shown_are_in_one_hand() -> None:
    """Each pass names a hand: a choice that leaves too few cards for the rest of it is none."""
    state = Played("deal 1 / turn-up: 2H", seats=2).state
    unseen = (1 << 22) - 1
    places = state.places._replace(unseen=unseen, unknown=(2, 20), stock=(), hidden=0)
    last = state._replace(phase=Phase.LAST, turn=2, places=places)
    assert steps(legal_passes(last)) > 0
    assert sum(1 for _ in legal_passes(last)) == 22 * 21 // 2
