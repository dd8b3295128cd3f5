"""When a table at rest dims and goes dark, and how its pictures wander over the glass."""

import pytest

from hal.idle import DIM_AFTER, OFF_AFTER, PLACES, STEP, Idle
from hal.panels import Level

START = 1000.0


@pytest.fixture
def idle() -> Idle:
    idle = Idle()
    idle.look(START)
    return idle


@pytest.mark.parametrize(
    ("rest", "level"),
    [
        (0.0, Level.FULL),
        (DIM_AFTER - 0.1, Level.FULL),
        (DIM_AFTER, Level.DIM),
        (OFF_AFTER - 0.1, Level.DIM),
        (OFF_AFTER, Level.OFF),
        (OFF_AFTER * 100, Level.OFF),
    ],
)
def test_a_table_at_rest_dims_and_then_goes_dark(idle: Idle, rest: float, level: Level) -> None:
    assert idle.look(START + rest).level is level


@pytest.mark.parametrize("rest", [DIM_AFTER, OFF_AFTER])
def test_the_first_event_brings_it_back_and_the_time_counts_anew(idle: Idle, rest: float) -> None:
    woken = START + rest + 5
    idle.wake(woken)
    assert idle.look(woken).level is Level.FULL
    assert idle.look(woken + DIM_AFTER - 0.1).level is Level.FULL
    assert idle.look(woken + DIM_AFTER).level is Level.DIM


def test_an_event_that_is_handled_late_takes_no_time_back(idle: Idle) -> None:
    idle.wake(START + 50)
    idle.wake(START + 40)
    assert idle.look(START + 50 + DIM_AFTER - 1).level is Level.FULL


def test_the_time_counts_from_the_first_look() -> None:
    """The clock of a machine that has been up for days is no rest."""
    idle = Idle()
    assert idle.look(1_000_000.0).level is Level.FULL
    assert idle.look(1_000_000.0).lower == 0


def test_pictures_take_their_places_in_turn_whatever_happens_at_the_table(idle: Idle) -> None:
    places = []
    for step in range(2 * len(PLACES)):
        idle.wake(START + step * STEP)
        places.append(idle.look(START + (step + 0.5) * STEP).lower)
    assert places == [*PLACES, *PLACES]


def test_from_place_to_place_is_one_row(idle: Idle) -> None:
    steps = {abs(one - next_one) for one, next_one in zip(PLACES, (*PLACES[1:], PLACES[0]), strict=True)}
    assert steps == {1}
    assert min(PLACES) == 0
