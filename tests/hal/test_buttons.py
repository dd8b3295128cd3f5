"""A seat's buttons on simulated lines, driven at the wire and polled by a clock that is handed in."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from typing import TypedDict, Unpack

import pytest
from at_wires import EXPANDER, HEADER, LINES

from hal.buttons import REREAD, Buttons, Wake
from hal.events import Button, ButtonStuck, DeviceBack, DeviceLost, Event, Held, Pressed, Released
from hal.gpio import GpioChip, GpioError, LineBusyError, open_chip
from hal.sim.lgpio import SimLgpio


class Settings(TypedDict, total=False):
    hold: float
    wake: Wake


class Seat(Buttons):
    """The buttons of seat 2 with somebody's fingers, and a loop that polls every 5 ms."""

    def __init__(self, lgpio: SimLgpio, chip: GpioChip, **settings: Unpack[Settings]) -> None:
        super().__init__(2, {button: (chip, line) for button, line in LINES.items()}, **settings)
        self.lgpio = lgpio
        self.now = 100.0
        self.events: list[Event] = []

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now = min(self.now + 0.005, end)
            self.events += self.poll(self.now)

    def down(self, button: Button) -> None:
        self.lgpio.drive(HEADER, LINES[button], 0, self.now)

    def up(self, button: Button) -> None:
        self.lgpio.drive(HEADER, LINES[button], None, self.now)

    def press(self, button: Button, seconds: float = 0.1) -> None:
        self.down(button)
        self.wait(seconds)
        self.up(button)
        self.wait(0.1)

    @property
    def kinds(self) -> list[type[Event]]:
        return [type(event) for event in self.events]

    @property
    def turns(self) -> list[tuple[type[Event], Button]]:
        told: list[tuple[type[Event], Button]] = []
        for event in self.events:
            assert isinstance(event, Pressed | Held | Released)
            told.append((type(event), event.button))
        return told


@pytest.fixture
def seat(lgpio: SimLgpio, chip: GpioChip) -> Iterator[Seat]:
    buttons = Seat(lgpio, chip)
    yield buttons
    buttons.close()


def assert_near(event: Event, expected: Event) -> None:
    """The expected event, at its time give or take one poll."""
    assert replace(event, at=expected.at) == expected
    assert event.at == pytest.approx(expected.at, abs=0.006)


@pytest.mark.parametrize("button", Button)
def test_a_press_is_reported_with_seat_button_and_time(seat: Seat, button: Button) -> None:
    seat.press(button)
    pressed, released = seat.events
    assert_near(pressed, Pressed(2, button, 100.015))
    assert_near(released, Released(2, button, False, 100.115))


def test_a_hold_is_reported_once_and_its_release_says_so(seat: Seat) -> None:
    seat.press(Button.RIGHT, 2.0)
    pressed, held, released = seat.events
    assert isinstance(pressed, Pressed)
    assert_near(held, Held(2, Button.RIGHT, 100.605))
    assert_near(released, Released(2, Button.RIGHT, True, 102.015))


def test_the_hold_time_can_be_set(lgpio: SimLgpio, chip: GpioChip) -> None:
    seat = Seat(lgpio, chip, hold=1.5)
    seat.press(Button.LEFT, 1.4)
    assert seat.kinds == [Pressed, Released]
    seat.close()


def test_a_bouncing_contact_gives_one_press_and_one_release(seat: Seat) -> None:
    for _ in range(4):
        seat.down(Button.OK)
        seat.wait(0.002)
        seat.up(Button.OK)
        seat.wait(0.001)
    seat.press(Button.OK)
    for _ in range(4):
        seat.down(Button.OK)
        seat.wait(0.002)
        seat.up(Button.OK)
        seat.wait(0.003)
    seat.wait(0.1)
    assert seat.kinds == [Pressed, Released]


def test_a_spike_is_nothing(seat: Seat) -> None:
    seat.press(Button.OK, 0.004)
    seat.wait(1.0)
    assert seat.events == []


def test_buttons_do_not_disturb_each_other(seat: Seat) -> None:
    seat.down(Button.LEFT)
    seat.wait(0.05)
    seat.press(Button.RIGHT)
    seat.up(Button.LEFT)
    seat.wait(0.05)
    assert seat.turns == [
        (Pressed, Button.LEFT),
        (Pressed, Button.RIGHT),
        (Released, Button.RIGHT),
        (Released, Button.LEFT),
    ]


def test_a_lost_release_edge_is_healed(seat: Seat) -> None:
    seat.down(Button.OK)
    seat.wait(0.05)
    seat.lgpio.lose_edges = True
    seat.up(Button.OK)
    seat.wait(0.05)
    assert seat.kinds == [Pressed, Released]


def test_buttons_outlive_the_notify_thread(seat: Seat) -> None:
    seat.lgpio.notify_dead = RuntimeError("some other callback")
    seat.press(Button.OK, 0.2)
    assert seat.kinds == [Pressed, Released]
    assert seat.events[0].at <= 100.0 + REREAD + 0.020


def test_a_waker_that_raises_does_not_end_the_notify_thread(lgpio: SimLgpio, chip: GpioChip) -> None:
    def closed_loop() -> None:
        raise RuntimeError("Event loop is closed")

    seat = Seat(lgpio, chip, wake=closed_loop)
    seat.press(Button.OK)
    seat.press(Button.OK)
    assert lgpio.notify_dead is None
    assert seat.kinds == [Pressed, Released] * 2
    seat.close()


def test_an_edge_wakes_the_loop(lgpio: SimLgpio, chip: GpioChip) -> None:
    woken: list[bool] = []
    seat = Seat(lgpio, chip, wake=lambda: woken.append(True))
    seat.down(Button.LEFT)
    assert woken == [True]
    seat.up(Button.LEFT)
    assert woken == [True, True]
    seat.close()


def test_buttons_at_rest_are_seldom_read(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    seat.wait(1.0)
    readings: list[tuple[int, int]] = []
    real_read = seat.lgpio.gpio_read

    def counted_read(handle: int, gpio: int) -> int:
        readings.append((handle, gpio))
        return real_read(handle, gpio)

    monkeypatch.setattr(seat.lgpio, "gpio_read", counted_read)
    seat.wait(1.0)
    assert len(readings) <= len(LINES) * 40


def test_the_loop_knows_when_to_poll_fast(seat: Seat) -> None:
    busy = [seat.busy]
    seat.down(Button.OK)
    seat.wait(0.05)
    busy.append(seat.busy)
    seat.up(Button.OK)
    seat.wait(0.05)
    busy.append(seat.busy)
    assert busy == [False, True, False]


def test_a_stuck_button_is_reported_once_and_its_coming_up_is_no_release(seat: Seat) -> None:
    seat.press(Button.LEFT, 90.0)
    seat.wait(1.0)
    assert seat.kinds == [Pressed, Held, ButtonStuck, DeviceBack]
    lost, back = seat.events[2:]
    assert isinstance(lost, ButtonStuck)
    assert (lost.device, lost.why) == ("seat 2 left button", "held down for 60 s")
    assert (lost.seat, lost.button) == (2, Button.LEFT)
    assert lost.at == pytest.approx(160.005, abs=0.011)
    assert_near(back, DeviceBack("seat 2 left button", 190.015))


def test_the_other_buttons_work_while_one_is_stuck(seat: Seat) -> None:
    seat.down(Button.LEFT)
    seat.wait(61.0)
    seat.events.clear()
    seat.press(Button.OK)
    assert seat.turns == [(Pressed, Button.OK), (Released, Button.OK)]


# lines that fail


def test_buttons_of_a_chip_that_goes_away_are_lost_and_come_back(lgpio: SimLgpio) -> None:
    expander = open_chip("mcp23017")
    buttons = Buttons(4, {Button.OK: (expander, 5)})
    assert buttons.poll(0.0) == []
    lgpio.chips[EXPANDER].absent = True
    (lost,) = buttons.poll(0.1)
    assert isinstance(lost, DeviceLost)
    assert lost.device == "seat 4 ok button"
    assert "bad GPIO read" in lost.why
    assert buttons.poll(0.2) == []
    assert buttons.poll(0.7) == []  # tried again, and reported no second time
    lgpio.chips[EXPANDER].absent = False
    assert buttons.poll(1.0) == []  # the wait is twice as long now
    assert buttons.poll(1.7) == [DeviceBack("seat 4 ok button", 1.7)]
    expander.close()


def test_a_press_under_way_when_the_line_fails_has_no_release(lgpio: SimLgpio) -> None:
    expander = open_chip("mcp23017")
    buttons = Buttons(4, {Button.OK: (expander, 5)})
    lgpio.drive(EXPANDER, 5, 0)
    events = [event for at in (0.0, 0.02) for event in buttons.poll(at)]
    lgpio.chips[EXPANDER].absent = True
    events += buttons.poll(0.1)
    lgpio.chips[EXPANDER].absent = False
    lgpio.drive(EXPANDER, 5, None)
    events += [event for at in (0.7, 0.8, 0.9) for event in buttons.poll(at)]
    assert [type(event) for event in events] == [Pressed, DeviceLost, DeviceBack]
    expander.close()


def test_a_busy_line_is_named_and_the_others_are_given_up(lgpio: SimLgpio, chip: GpioChip) -> None:
    lgpio.occupy(HEADER, LINES[Button.RIGHT], "spi0 CS0")
    with pytest.raises(LineBusyError, match="line 22 of pinctrl-bcm2711"):
        Seat(lgpio, chip)
    gc.collect()
    chip.input(LINES[Button.LEFT])  # free again


def test_a_line_wired_to_two_buttons_is_named(lgpio: SimLgpio, chip: GpioChip) -> None:
    with pytest.raises(LineBusyError, match="line 17 of pinctrl-bcm2711 is wired twice"):
        Buttons(1, {Button.LEFT: (chip, 17), Button.OK: (chip, 17)})


def test_buttons_may_lie_on_several_chips(lgpio: SimLgpio, chip: GpioChip) -> None:
    expander = open_chip("mcp23017")
    buttons = Buttons(1, {Button.LEFT: (chip, 5), Button.OK: (expander, 5)})
    lgpio.drive(EXPANDER, 5, 0)
    events = [event for at in (0.0, 0.02) for event in buttons.poll(at)]
    assert events == [Pressed(1, Button.OK, 0.02)]
    buttons.close()
    expander.close()


def test_a_line_off_the_header_is_an_error(lgpio: SimLgpio, chip: GpioChip) -> None:
    with pytest.raises(GpioError, match="line 40 of pinctrl-bcm2711 does not exist"):
        Buttons(1, {Button.LEFT: (chip, 40)})


def test_closed_buttons_are_silent_and_their_callbacks_are_gone(seat: Seat) -> None:
    seat.down(Button.OK)
    seat.close()
    seat.close()
    seat.wait(1.0)
    seat.up(Button.OK)
    assert seat.events == []
    assert seat.lgpio._watchers == []
