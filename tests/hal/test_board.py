"""The simulated board: what people do to it reaches the wires, and what the wires carry is to be seen."""

from random import Random
from typing import Literal

import pytest
from at_wires import UID, WIRING
from PIL import Image

from hal.events import Button
from hal.hardware import Hardware
from hal.panels import Controller
from hal.sim.board import CHIP, SimulatedWires
from hal.sim.oled import SimOled
from hal.sim.sh1106 import Sh1106
from hal.sim.ssd1306 import Ssd1306
from hal.sim.trace import Trace
from hal.wiring import (
    ADDRESSES,
    ButtonLines,
    CommonRole,
    DisplayPlace,
    SeatWiring,
    Wiring,
    reader_name,
)


def test_there_are_a_bus_a_glass_and_a_reader_for_each_that_is_wired(wires: SimulatedWires) -> None:
    assert set(wires.buses) == {1}
    assert set(wires.glasses) == {1, 2}
    assert set(wires.readers) == {reader_name(1), reader_name(CommonRole.DEALING)}


@pytest.mark.parametrize(("controller", "chip"), [("ssd1306", Ssd1306), ("sh1106", Sh1106)])
@pytest.mark.parametrize(("size", "rows"), [("128x64", 64), ("128x32", 32)])
@pytest.mark.parametrize("rotate", [0, 180])
def test_every_kind_of_display_shows_its_frames(
    controller: str, chip: type[SimOled], size: Literal["128x64", "128x32"], rows: int, rotate: Literal[0, 180]
) -> None:
    place = DisplayPlace(3, ADDRESSES[0], Controller(controller), size, rotate)
    wiring = Wiring(seats=(SeatWiring(1, ButtonLines(4, 5, 6), display=place),))
    frame = Image.frombytes("1", (128, rows), Random(1).randbytes(16 * rows))
    with SimulatedWires(wiring) as wires:
        hardware = Hardware(wiring, wires)
        hardware.displays[1].show(frame)
        assert hardware.poll_displays(0.0) == []
        assert isinstance(wires.glasses[1], chip)
        assert wires.picture(1).tobytes() == frame.rotate(rotate).tobytes()
        hardware.close()
        assert not any(wires.glasses[1].ram)


@pytest.mark.parametrize("button", list(Button))
def test_a_button_pulls_its_line_low_and_the_pull_up_takes_it_back(
    wires: SimulatedWires, hardware: Hardware, button: Button
) -> None:
    line = {Button.LEFT: 8, Button.OK: 9, Button.RIGHT: 10}[button]
    assert wires.line(2, button) == (CHIP, line)
    assert wires.lgpio.level(CHIP, line) == 1
    wires.press(2, button)
    assert wires.lgpio.level(CHIP, line) == 0
    wires.release(2, button)
    assert wires.lgpio.level(CHIP, line) == 1


def test_a_tag_lies_in_the_field_of_the_reader_that_it_was_laid_on(wires: SimulatedWires) -> None:
    wires.place(reader_name(1), UID)
    assert wires.readers[reader_name(1)].field == [bytes.fromhex(UID)]
    assert wires.readers[reader_name(CommonRole.DEALING)].field == []


def test_one_of_two_tags_can_be_lifted_or_both(wires: SimulatedWires) -> None:
    reader = reader_name(1)
    for uid in (UID, "04A0025EC0DE80", "04A0035EC0DE80"):
        wires.place(reader, uid)
    wires.lift(reader, UID)
    assert len(wires.readers[reader].field) == 2
    wires.lift(reader)
    assert wires.readers[reader].field == []


def test_lifting_what_is_not_there_changes_nothing(wires: SimulatedWires) -> None:
    wires.place(reader_name(1), UID)
    wires.lift(reader_name(1), "04A0025EC0DE80")
    assert len(wires.readers[reader_name(1)].field) == 1


def test_a_display_off_its_bus_does_not_acknowledge_and_another_one_does(wires: SimulatedWires) -> None:
    wires.unplug_display(1)
    bus = wires.open_bus(1)
    with pytest.raises(OSError, match="Remote I/O error"):
        bus.write_i2c_block_data(ADDRESSES[0], 0x00, [0xE3])
    bus.write_i2c_block_data(ADDRESSES[1], 0x00, [0xE3])
    bus.close()


def test_a_display_that_is_plugged_in_again_is_freshly_powered(wires: SimulatedWires) -> None:
    wires.glasses[1].on = True
    wires.unplug_display(1)
    wires.plug_display(1)
    assert not wires.glasses[1].on


def test_nothing_can_be_unplugged_or_plugged_in_twice(wires: SimulatedWires) -> None:
    wires.unplug_display(1)
    with pytest.raises(KeyError):
        wires.unplug_display(1)
    wires.plug_display(1)
    with pytest.raises(FileExistsError, match="the display of seat 1"):
        wires.plug_display(1)
    wires.unplug_reader(reader_name(1))
    with pytest.raises(KeyError):
        wires.unplug_reader(reader_name(1))
    wires.plug_reader(reader_name(1))
    with pytest.raises(FileExistsError):
        wires.plug_reader(reader_name(1))


def test_a_seat_without_a_display_has_none_to_unplug(wires: SimulatedWires) -> None:
    with pytest.raises(KeyError, match="seat 3 has no display"):
        wires.unplug_display(3)


def test_leds_and_buzzer_are_seen_and_heard_as_their_lines_are(wires: SimulatedWires, hardware: Hardware) -> None:
    assert (wires.lit(1), wires.lit(2), wires.lit(3), wires.sounding()) == (False, False, False, False)
    line = hardware.leds[2]._line
    line.set(True, 0.0)
    assert (wires.lit(1), wires.lit(2)) == (False, True)
    assert hardware.buzzer is not None
    hardware.buzzer._line.set(True, 0.0)
    assert wires.sounding()


def test_the_trace_that_is_handed_in_is_told_what_passes_the_wires() -> None:
    trace = Trace()
    with SimulatedWires(WIRING, trace) as wires:
        hardware = Hardware(WIRING, wires)
        hardware.poll_displays(0.0)
        assert trace.on("i2c-1 3C")
        assert trace.on("i2c-1 3D")
        assert trace.on(f"gpiochip{CHIP} line 7")
        hardware.close()


def test_what_the_displays_showed_last_can_be_seen_after_the_end() -> None:
    wires = SimulatedWires(WIRING)
    wires.close()
    wires.close()
    assert wires.picture(1).getbbox() is None
