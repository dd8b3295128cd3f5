"""A table whose lines lie on several chips: found by their labels, whatever their numbers are."""

import pytest

from hal.cues import Cue
from hal.events import Button, DeviceBack, DeviceLost, Event, Pressed, Released
from hal.gpio import GpioError, open_chip
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import installed
from hal.sim.trace import Trace
from hal.wiring import ButtonLines, BuzzerWiring, ChipWiring, SeatWiring, Wiring

MCP = ChipWiring("mcp", "mcp23017", 16)
WIRING = Wiring(
    seats=(
        SeatWiring(1, ButtonLines(4, 17, 27), led="mcp.15"),
        SeatWiring(2, ButtonLines("mcp.4", "mcp.0", "mcp.1"), led=22),
    ),
    buzzer=BuzzerWiring("mcp.8"),
    chips=(MCP,),
)


def press(wires: SimulatedWires, hardware: Hardware, seat: int, button: Button, at: float) -> list[Event]:
    wires.press(seat, button, at)
    events = [event for step in range(5) for event in hardware.poll_lines(at + 0.01 * step)]
    wires.release(seat, button, at + 0.05)
    return events + [event for step in range(5, 10) for event in hardware.poll_lines(at + 0.01 * step)]


@pytest.mark.parametrize("button", Button)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_press_is_that_of_its_seat_on_whichever_chip_it_lies(
    wires: SimulatedWires, hardware: Hardware, seat: int, button: Button
) -> None:
    events = press(wires, hardware, seat, button, 1.0)
    assert [type(event) for event in events] == [Pressed, Released]
    assert all(isinstance(event, Pressed | Released) and event.seat == seat for event in events)
    assert all(isinstance(event, Pressed | Released) and event.button == button for event in events)


def test_each_chip_is_opened_once_and_given_back(wires: SimulatedWires, hardware: Hardware) -> None:
    assert [len(chip.handles) for chip in wires.lgpio.chips.values()] == [1, 1]
    hardware.close()
    assert [len(chip.handles) for chip in wires.lgpio.chips.values()] == [0, 0]


def test_what_drives_the_pins_is_told(hardware: Hardware) -> None:
    assert str(hardware.chips) == "LGPIOFactory on pinctrl-rp1 and mcp23017"


def test_line_4_of_one_chip_is_not_line_4_of_the_other(wires: SimulatedWires, hardware: Hardware) -> None:
    (chip_1, line_1), (chip_2, line_2) = wires.line(1, Button.LEFT), wires.line(2, Button.LEFT)
    assert (line_1, line_2) == (4, 4)
    assert chip_1 != chip_2
    wires.press(1, Button.LEFT)
    assert wires.lgpio.level(chip_2, 4) == 1


def test_lights_and_sounds_lie_on_both_chips(wires: SimulatedWires, hardware: Hardware) -> None:
    for seat in (1, 2):
        hardware.leds[seat].show(Cue.YOUR_TURN, 0.0)
        hardware.poll_lines(0.1 * seat)
        assert [wires.lit(1), wires.lit(2)] == [True, seat == 2]
    assert hardware.buzzer is not None
    hardware.buzzer.sound(Cue.DUPLICATE, 1.0)
    hardware.poll_lines(1.0)
    assert wires.sounding()


def test_a_chip_without_an_interrupt_is_read_at_every_poll(wires: SimulatedWires, hardware: Hardware) -> None:
    chip, line = wires.line(2, Button.OK)
    assert not wires.lgpio.chips[chip].edges
    hardware.poll_lines(1.0)
    wires.lgpio.drive(chip, line, 0)
    events = hardware.poll_lines(1.005) + hardware.poll_lines(1.016)
    assert events == [Pressed(2, Button.OK, 1.016)]


@pytest.mark.parametrize("interrupt", [None, 26])
def test_a_chip_reports_edges_when_its_interrupt_is_wired(interrupt: int | None) -> None:
    wiring = Wiring(WIRING.seats, chips=(ChipWiring("mcp", "mcp23017", 16, interrupt=interrupt),))
    woken: list[bool] = []
    with SimulatedWires(wiring) as wires:
        hardware = Hardware(wiring, wires, wake=lambda: woken.append(True))
        wires.press(2, Button.OK)
        assert bool(woken) == (interrupt is not None)
        assert [type(event) for event in press(wires, hardware, 2, Button.RIGHT, 1.0)].count(Released) == 1
        hardware.close()


def test_a_chip_that_goes_away_takes_its_buttons_and_lights_alone(wires: SimulatedWires, hardware: Hardware) -> None:
    chip, _ = wires.line(2, Button.OK)
    hardware.poll_lines(0.0)
    wires.lgpio.chips[chip].absent = True
    hardware.leds[1].show(Cue.YOUR_TURN, 1.0)
    lost = hardware.poll_lines(1.0)
    assert {event.device for event in lost if isinstance(event, DeviceLost)} == {
        "seat 2 left button",
        "seat 2 ok button",
        "seat 2 right button",
        "seat 1 LED",
    }
    assert [type(event) for event in press(wires, hardware, 1, Button.OK, 1.1)] == [Pressed, Released]
    wires.lgpio.chips[chip].absent = False
    back = hardware.poll_lines(2.5)
    assert sum(isinstance(event, DeviceBack) for event in back) == 4
    assert wires.lit(1)


def test_all_lights_are_written_anew_when_the_table_asks(wires: SimulatedWires, hardware: Hardware) -> None:
    hardware.leds[1].show(Cue.YOUR_TURN, 0.0)
    hardware.poll_lines(0.0)
    chip, line = 1, 15
    wires.lgpio.chips[chip].lines[line].out = 0  # the chip was reset behind the kernel's back
    hardware.poll_lines(1.0)
    assert not wires.lit(1)
    hardware.refresh_lights()
    hardware.poll_lines(2.0)
    assert wires.lit(1)


def test_the_number_of_a_chip_says_nothing() -> None:
    sim = SimLgpio({0: ("mcp23017", 16), 4: ("pinctrl-rp1", 54)})
    with installed(sim):
        header, further = open_chip(), open_chip("mcp23017")
        assert (header.number, further.number) == (4, 0)
        header.close()
        further.close()


def test_a_chip_that_is_not_there_is_named_with_those_that_are() -> None:
    wiring = Wiring(WIRING.seats, chips=(MCP,))
    with SimulatedWires(wiring) as wires:
        del wires.lgpio.chips[1]
        with pytest.raises(GpioError, match=r"no gpiochip is labelled mcp23017; found: pinctrl-rp1 \(gpiochip0\)"):
            Hardware(wiring, wires)


# A passive buzzer


def test_a_passive_buzzer_is_fed_with_its_tone_while_it_sounds() -> None:
    wiring = Wiring((SeatWiring(1, ButtonLines(4, 17, 27)),), buzzer=BuzzerWiring(18, tone=2400))
    with SimulatedWires(wiring) as wires:
        hardware = Hardware(wiring, wires)
        line = wires.lgpio.chips[0].lines[18]
        assert hardware.buzzer is not None
        heard = []
        for at, cue in ((0.0, Cue.DUPLICATE), (0.5, None), (1.0, Cue.DEVICE_LOST)):
            if cue is not None:
                hardware.buzzer.sound(cue, at)
            hardware.poll_lines(at)
            heard.append((wires.sounding(), line.pwm))
        assert heard == [(True, (2400, 50)), (False, (2400, 0)), (True, (2400, 50))]
        hardware.close()
        assert (wires.sounding(), line.pwm) == (False, None)


# Two chips of one label


TWINS = Wiring(
    seats=(
        SeatWiring(1, ButtonLines("left.0", "left.1", "left.2"), led="right.15"),
        SeatWiring(2, ButtonLines("right.0", "right.1", "right.2"), led="left.15"),
    ),
    chips=(
        ChipWiring("right", "mcp23017", 16, address=0x21, interrupt=26),
        ChipWiring("left", "mcp23017", 16, interrupt=25),
    ),
)


@pytest.mark.parametrize("swapped", [False, True], ids=["as in the file", "the kernel numbers them the other way"])
def test_two_expanders_are_told_apart_by_their_addresses(swapped: bool) -> None:
    with SimulatedWires(TWINS, Trace()) as wires:
        if swapped:
            one, two = (wires.gpio_links / f"gpiochip{number}" for number in (1, 2))
            places = one.readlink(), two.readlink()
            for link, device, number in ((one, places[1], 1), (two, places[0], 2)):
                link.unlink()
                (device.parent / f"gpiochip{number}").mkdir(exist_ok=True)
                link.symlink_to(device.parent / f"gpiochip{number}")
            wires.lgpio.chips[1], wires.lgpio.chips[2] = wires.lgpio.chips[2], wires.lgpio.chips[1]
        made = Hardware(TWINS, wires)
        seats = {(1, 2)[swapped]: 2, (2, 1)[swapped]: 1}  # whose buttons are on which number
        for number, seat in seats.items():
            wires.lgpio.drive(number, 1, 0, 1.0)
            events = [event for step in range(5) for event in made.poll_lines(1.0 + 0.01 * step)]
            assert events == [Pressed(seat, Button.OK, events[0].at)]
            wires.lgpio.drive(number, 1, None, 1.1)
            made.poll_lines(1.1)
            made.poll_lines(1.2)
        made.leds[1].show(Cue.YOUR_TURN, 2.0)
        made.poll_lines(2.0)
        assert wires.lgpio.level((1, 2)[swapped], 15) == 1
        made.close()


def test_a_table_with_two_expanders_does_not_start_with_one() -> None:
    with SimulatedWires(TWINS, Trace()) as wires:
        del wires.lgpio.chips[2]
        with pytest.raises(GpioError, match=r"none is known to be at address 0x20 of I2C bus 1; found: 1-0021"):
            Hardware(TWINS, wires)
