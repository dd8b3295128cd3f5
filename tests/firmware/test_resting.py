"""A table where nobody does anything: its displays dim, go dark, and come back without anything having been done."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from at_table import BIDDEN, seated, standing

from engine.cards import Card
from engine.match import to_act
from firmware.simulated import STEP, SimulatedTable
from hal.events import Button
from hal.idle import DIM_AFTER, OFF_AFTER
from hal.idle import STEP as PLACE_TIME
from hal.oled import DIM
from hal.panels import CONTRAST
from hal.sim.oled import SimOled
from hal.sim.trace import Trace

SEATS = (1, 2, 3, 4)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedTable]:
    with seated(tmp_path, BIDDEN) as table:
        table.press(1, Button.OK)  # the message that the table was restarted
        table.wait(0.5)
        yield table


def rest(table: SimulatedTable, seconds: float) -> None:
    """Let so much time pass at once; nobody looks at the devices meanwhile."""
    table.clock.time += seconds
    table.wait(2 * STEP)


def contrasts(table: SimulatedTable) -> set[int]:
    return {table.wires.glasses[seat].contrast for seat in SEATS}


def dark(table: SimulatedTable) -> list[bool]:
    return [table.picture(seat).getbbox() is None for seat in SEATS]


def test_all_seats_dim_together_and_brighten_at_the_first_press_of_any(table: SimulatedTable) -> None:
    assert contrasts(table) == {CONTRAST}
    rest(table, DIM_AFTER)
    assert contrasts(table) == {DIM}
    assert dark(table) == [False] * 4
    table.press(3, Button.RIGHT)
    assert contrasts(table) == {CONTRAST}


def test_all_seats_go_dark_together_and_nothing_stays_in_their_memories(table: SimulatedTable) -> None:
    rest(table, OFF_AFTER)
    assert dark(table) == [True] * 4
    assert not any(any(table.wires.glasses[seat].ram) for seat in SEATS)


def test_the_press_that_lights_a_dark_table_picks_nothing_out(table: SimulatedTable) -> None:
    rest(table, OFF_AFTER)
    table.press(1, Button.RIGHT)
    assert dark(table) == [False] * 4
    assert table.loop.seat_view(1).cursor is None
    table.press(1, Button.RIGHT)
    assert table.loop.seat_view(1).cursor == 0


def test_the_press_that_lights_a_dark_table_decides_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, tracked=False, readers="none") as table:
        rest(table, OFF_AFTER)
        before = standing(table)
        table.press(4, Button.OK)  # all dealt: but the question is not to be seen
        assert dark(table) == [False] * 4
        assert standing(table) == before
        table.press(4, Button.OK)
        assert standing(table) != before


def test_a_card_lights_a_dark_table_and_is_played(table: SimulatedTable) -> None:
    rest(table, OFF_AFTER)
    table.tap(1, Card("9C"))
    assert to_act(table.match) == (2,)
    assert dark(table) == [False] * 4


def test_pictures_wander_over_the_glass(table: SimulatedTable) -> None:
    before = table.picture(2)
    table.press(2, Button.RIGHT)
    table.press(2, Button.OK)
    rest(table, PLACE_TIME)
    after = table.picture(2)
    assert after.crop((0, 1, 128, 64)).tobytes() == before.crop((0, 0, 128, 63)).tobytes()


def test_a_display_that_comes_back_to_a_resting_table_rests_too(table: SimulatedTable) -> None:
    rest(table, OFF_AFTER)
    table.wires.unplug_display(2)
    rest(table, 61.0)
    table.wires.plug_display(2)
    rest(table, 20.0)
    assert dark(table) == [True] * 4
    table.press(1, Button.OK)
    assert dark(table) == [False] * 4


class Glare(Trace):
    """Notes how bright any display that was on was at the most, at every write to its bus, lit pixels or none."""

    def __init__(self) -> None:
        super().__init__(limit=10)
        self.glasses: dict[int, SimOled] = {}
        self.brightest = 0

    def note(self, wire: str, what: str, data: bytes | int = b"") -> None:
        super().note(wire, what, data)
        if wire.startswith("i2c"):
            shining = [glass.contrast for glass in self.glasses.values() if glass.on]
            self.brightest = max([self.brightest, *shining])


def test_no_display_ever_shines_brighter_than_half(tmp_path: Path) -> None:
    """From power on over a trick, rest, waking, the renewals of each minute, a lost display that comes back, to the
    end."""
    glare = Glare()
    with seated(tmp_path, BIDDEN, trace=glare) as table:
        glare.glasses = table.wires.glasses
        assert all(glass.contrast <= 0x8F for glass in glare.glasses.values())
        table.tap(1, Card("9C"))
        for seconds in (DIM_AFTER, OFF_AFTER):
            rest(table, seconds)
            table.press(2, Button.OK)
        table.wires.unplug_display(1)
        table.loop.hardware.displays[1].refresh()
        table.wait(1.0)
        table.wires.plug_display(1)
        table.wait(3.0)
        table.loop._showing.renew()
        table.wait(0.5)
        assert table.picture(1).getbbox() is not None
    assert glare.brightest == CONTRAST
    assert CONTRAST <= 0x8F < 0xFF
    assert DIM <= 0x10
