"""The reference tables, from the very files that are shipped: they start, a deal is dealt, and cards are played."""

from pathlib import Path

import pytest
from at_table import all_bots, assert_record

from firmware.simulated import SimulatedTable
from firmware.table_option import example
from firmware.tablefile import read_table_file

TABLES = {"two-seats.toml": 2, "centre-reader.toml": 4, "four-seats.toml": 4, "six-seats.toml": 6}
ACTIONS = 4


def accepted(table: SimulatedTable) -> int:
    return sum(heard.ruling is not None and heard.ruling.refusal is None for heard in table.heard)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", TABLES)
def test_a_few_actions_are_played_at_the_table_of_the_file(name: str) -> None:
    with SimulatedTable(read_table_file(example(name))) as table:
        seats = range(1, TABLES[name] + 1)
        assert list(table.hardware.buttons) == list(seats)
        assert all(table.picture(seat).getbbox() for seat in seats)
        lit: set[int] = set()

        def played() -> bool:
            lit.update(seat for seat in seats if table.wires.lit(seat))
            return accepted(table) > ACTIONS

        all_bots(table, seed=1).play_until(played, limit=300.0)
        assert (5 in lit) == (len(seats) == 6)  # whose LED lies on the further chip
        assert not any(glass.complaints for glass in table.wires.glasses.values())
        assert_record(table)


def test_every_example_of_a_table_is_one_of_these() -> None:
    assert {path.name for path in Path(example("deck-24.csv")).parent.glob("*.toml")} == set(TABLES)
