"""Counts of positions from fixed deals: a rule that lists or refuses one action too many changes a number.

They are written anew by `python -m tests.engine.counts`; a number that changes needs a reason.
"""

import pytest
from counts import MOST, count, position, stored
from every_game import RULE_SETS

POSITIONS = ["\n".join(entry["record"]) + "\n" for entry in stored()]
NUMBERS = [entry["counts"] for entry in stored()]
NAMES = ["-".join(line.partition(": ")[2] for line in record.splitlines()[:4]) for record in POSITIONS]


@pytest.mark.parametrize(("record", "numbers"), list(zip(POSITIONS, NUMBERS, strict=True)), ids=NAMES)
def test_so_many_sequences_of_actions_begin_here(record: str, numbers: list[int]) -> None:
    match = position(record)
    assert [count(match, length) for length in range(1, len(numbers) + 1)] == numbers
    assert numbers


def test_every_rule_set_of_every_game_has_its_positions() -> None:
    heads = {tuple(record.splitlines()[:2]) for record in POSITIONS}
    assert {(f"game: {game.name}", f"rules: {rule_set}") for game, rule_set in RULE_SETS} <= heads


def test_a_number_above_the_most_is_not_counted_to_its_end() -> None:
    match = position("game: pepper\nseats: 4\nhands: concealed\ndeal 4\n")
    assert count(match, 1) == 8  # the bids 1 to 5, both peppers, and the pass
    assert count(match, 2, most=20) == 21
    assert MOST > 20
