"""When a table at rest dims and goes dark, and how its pictures wander over the glass."""

import pytest

from hal.events import (
    Button,
    DeviceBack,
    DeviceLost,
    Event,
    Held,
    Pressed,
    Released,
    SeveralTags,
    TagLifted,
    TagPlaced,
)
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


# events


def press(seat: int, button: Button, at: float) -> list[Event]:
    return [Pressed(seat, button, at), Held(seat, button, at + 1), Released(seat, button, True, at + 2)]


def test_a_press_on_a_dark_display_does_nothing_but_light_it(idle: Idle) -> None:
    dark = START + OFF_AFTER
    taken = [idle.take(event, {1, 2}) for event in press(1, Button.OK, dark)]
    assert taken == [False, True, True]  # that a button went down means nothing yet
    assert idle.look(dark).level is Level.FULL
    assert not any(idle.take(event, {1, 2}) for event in press(1, Button.OK, dark + 3))


def test_the_other_seats_presses_count_as_soon_as_it_is_bright(idle: Idle) -> None:
    dark = START + OFF_AFTER
    one, other = press(1, Button.OK, dark), press(2, Button.OK, dark + 0.1)
    assert [idle.take(one[0], {1, 2}), *(idle.take(event, {1, 2}) for event in other)] == [False] * 4
    assert idle.take(one[2], {1, 2})


@pytest.mark.parametrize("rest", [0.0, DIM_AFTER])
def test_a_press_on_a_bright_or_dim_display_counts(idle: Idle, rest: float) -> None:
    assert not any(idle.take(event, {1}) for event in press(1, Button.OK, START + rest))
    assert idle.look(START + rest).level is Level.FULL


def test_a_press_at_a_seat_without_a_display_counts(idle: Idle) -> None:
    assert not any(idle.take(event, {2}) for event in press(1, Button.OK, START + OFF_AFTER))
    assert idle.look(START + OFF_AFTER).level is Level.FULL


def test_a_card_that_is_shown_to_a_dark_table_counts_and_lights_it(idle: Idle) -> None:
    dark = START + OFF_AFTER
    assert not idle.take(TagPlaced("seat 1 reader", "04", dark), {1})
    assert idle.look(dark).level is Level.FULL


@pytest.mark.parametrize(
    "event",
    [
        TagLifted("seat 1 reader", "04", START + OFF_AFTER),
        SeveralTags("seat 1 reader", ("04", "05"), START + OFF_AFTER),
        DeviceLost("seat 1 reader", "", START + OFF_AFTER),
        DeviceBack("seat 1 reader", START + OFF_AFTER),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_nobody_does_keeps_no_display_awake(idle: Idle, event: Event) -> None:
    assert not idle.take(event, {1})
    assert idle.look(START + OFF_AFTER).level is Level.OFF


@pytest.mark.parametrize("gap", [0.3, 0.6, 2.0])
def test_a_tag_that_seems_to_leave_and_come_back_keeps_no_display_awake(idle: Idle, gap: float) -> None:
    idle.take(TagPlaced("seat 1 reader", "04", START), {1})
    for second in range(8, int(OFF_AFTER), 8):
        idle.take(TagLifted("seat 1 reader", "04", START + second), {1})
        idle.take(TagPlaced("seat 1 reader", "04", START + second + gap), {1})
    assert idle.look(START + DIM_AFTER).level is Level.DIM
    assert idle.look(START + OFF_AFTER).level is Level.OFF


def test_a_tag_that_was_taken_away_and_is_shown_again_lights_the_table(idle: Idle) -> None:
    idle.take(TagPlaced("seat 1 reader", "04", START), {1})
    idle.take(TagLifted("seat 1 reader", "04", START + OFF_AFTER), {1})
    again = START + OFF_AFTER + 10
    idle.take(TagPlaced("seat 1 reader", "04", again), {1})
    assert idle.look(again).level is Level.FULL


# places


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
