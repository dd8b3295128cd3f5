"""A choice that is too long for its place goes round twice, slowly, and then stands."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from at_table import pictures

from firmware.carousel import draw_carousel
from firmware.drawing import Canvas
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.showing import PACE, PIXELS, REST, ROUNDS, shift_at
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

LONG = ["go on", "a choice with many more words than a display has room for", "lock"]


def test_it_stands_first_then_goes_by_pixels_and_stops_after_two_rounds() -> None:
    length = 200
    shifts = [shift_at(tenth / 10, length) for tenth in range(400)]
    assert set(shifts[: int(REST * 10)]) == {0}
    assert {after - before for before, after in pairwise(shifts) if after} == {0, PIXELS}
    assert max(shifts) == ROUNDS * length - PIXELS
    end = REST + ROUNDS * length / PIXELS * PACE
    assert shift_at(end - 0.01, length) > 0
    assert shift_at(end + 0.01, length) == 0
    assert shift_at(1e6, length) == 0


@pytest.mark.long
def test_every_part_of_it_can_be_read_in_one_round() -> None:
    whole = Canvas()
    draw_carousel(whole, 20, LONG, 1)
    assert whole.round > 128
    seen = set()
    for shift in range(0, whole.round, PIXELS):
        canvas = Canvas(shift=shift)
        draw_carousel(canvas, 20, LONG, 1)
        seen |= {word for word in LONG[1].split() if len(word) > 3 and shows(canvas.image, word)}
    assert seen == {word for word in LONG[1].split() if len(word) > 3}


def test_after_a_round_it_is_as_it_was() -> None:
    one, other = Canvas(shift=2), Canvas(shift=2)
    draw_carousel(one, 20, LONG, 1)
    other = Canvas(shift=2 + one.round)
    draw_carousel(other, 20, LONG, 1)
    assert one.image.tobytes() == other.image.tobytes()


def test_what_has_room_never_moves() -> None:
    canvas = Canvas(shift=10)
    draw_carousel(canvas, 20, ["go on", "lock"], 0)
    still = Canvas()
    draw_carousel(still, 20, ["go on", "lock"], 0)
    assert canvas.round == 0
    assert canvas.image.tobytes() == still.image.tobytes()


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def table(trace: Trace) -> Iterator[SimulatedTable]:
    """A display in the middle of a list whose picked choice is too long."""
    with SimulatedTable(furnish("vazhushal", 2, readers="none", tracked=False, free=True), trace=trace) as table:
        table.wait(3)
        table.choose(1, "join")
        table.choose(1, "options")
        yield table


def test_it_costs_little_on_the_wire_and_nothing_at_rest(table: SimulatedTable, trace: Trace) -> None:
    def sent(seconds: float) -> float:
        """Bytes a second on all wires of displays, without the mark of a table that lives."""
        before = trace.seq
        table.wait(seconds)
        return sum(len(bytes(one.data)) for one in trace.since(before) if one.wire.startswith("i2c")) / seconds

    start = pictures(table)
    table.wait(REST)
    moving = sent(2.0)
    assert pictures(table) != start
    table.wait(40)
    resting = sent(2.0)
    assert pictures(table) == start
    assert resting < 60
    assert resting + 500 < moving < 3500  # of about 11,000 that a bus at 100 kHz carries


def test_the_next_choice_begins_anew(table: SimulatedTable) -> None:
    table.wait(REST + 3)
    moved = pictures(table)[1]
    table.press(1, Button.RIGHT)
    table.press(1, Button.LEFT)
    assert pictures(table)[1] != moved
