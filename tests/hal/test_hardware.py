"""All devices of a table, opened as its wiring says, stepped as one, and left dark."""

import pytest
from at_wires import UID, WIRING
from PIL import Image

from hal.cues import Cue
from hal.displays import SeatDisplay
from hal.events import Button, DeviceBack, DeviceLost, Event, Pressed, Released, TagPlaced
from hal.gpio import GpioError, LineBusyError
from hal.hardware import Hardware
from hal.reader_group import READER_INTERVAL, REST_AFTER
from hal.sim.board import CHIP, SimulatedWires
from hal.wiring import ADDRESSES, CommonRole, Wiring, display_name, reader_name

LIT = Image.new("1", (128, 64), 1)


def polled(hardware: Hardware, start: float, end: float) -> list[Event]:
    """What is reported when everything is looked at every 10 ms."""
    events: list[Event] = []
    for step in range(round(start * 100), round(end * 100)):
        now = step / 100
        events += hardware.poll_lines(now) + hardware.poll_readers(now) + hardware.poll_displays(now)
    return events


def test_every_seat_has_the_devices_that_are_wired_to_it(hardware: Hardware) -> None:
    assert set(hardware.buttons) == {1, 2, 3}
    assert set(hardware.leds) == set(hardware.displays) == {1, 2}
    assert set(hardware.readers) == {reader_name(1), reader_name(CommonRole.DEALING)}
    assert hardware.buzzer is not None


def test_displays_of_one_bus_are_polled_together(hardware: Hardware) -> None:
    assert list(hardware.buses) == [1]
    assert hardware.buses[1].displays == tuple(hardware.displays.values())


def test_what_a_crash_left_on_the_displays_is_gone_before_the_table_does_anything(wires: SimulatedWires) -> None:
    for address in ADDRESSES:  # the displays keep their supply while the program ends and starts
        before = SeatDisplay("before", lambda: wires.open_bus(1), address)
        before.show(LIT)
        before.poll(0.0)
    assert wires.picture(1).tobytes() == LIT.tobytes()
    after = Hardware(WIRING, wires)
    assert [wires.picture(seat).getbbox() for seat in (1, 2)] == [None, None]
    after.close()


def test_a_table_without_a_buzzer_has_none(wires: SimulatedWires) -> None:
    hardware = Hardware(Wiring(WIRING.seats, common_readers=WIRING.common_readers), wires)
    assert hardware.buzzer is None
    assert hardware.poll_lines(0.0) == []
    hardware.close()


def test_a_press_is_reported_with_its_seat(wires: SimulatedWires, hardware: Hardware) -> None:
    hardware.poll_lines(0.0)
    wires.press(2, Button.OK)
    down = polled(hardware, 0.01, 0.1)
    wires.release(2, Button.OK)
    up = polled(hardware, 0.1, 0.2)
    assert [(type(event), event.seat) for event in down if isinstance(event, Pressed)] == [(Pressed, 2)]
    assert [(event.seat, event.held) for event in up if isinstance(event, Released)] == [(2, False)]


def test_hardware_is_busy_while_a_button_is_down(wires: SimulatedWires, hardware: Hardware) -> None:
    polled(hardware, 0.0, 0.1)
    busy = [hardware.busy]
    wires.press(1, Button.LEFT)
    polled(hardware, 0.1, 0.2)
    busy.append(hardware.busy)
    wires.release(1, Button.LEFT)
    polled(hardware, 0.2, 0.3)
    busy.append(hardware.busy)
    assert busy == [False, True, False]


def test_a_tag_is_reported_with_its_reader(wires: SimulatedWires, hardware: Hardware) -> None:
    wires.place(reader_name(CommonRole.DEALING), UID)
    placed = [event for event in polled(hardware, 0.0, 0.3) if isinstance(event, TagPlaced)]
    assert [(event.reader, event.uid) for event in placed] == [(reader_name(CommonRole.DEALING), UID)]


def test_readers_are_not_polled_more_often_than_they_can_answer(wires: SimulatedWires, hardware: Hardware) -> None:
    hardware.poll_readers(0.0)
    chip = wires.readers[reader_name(1)]
    before = chip.polls
    for step in range(1, 8):
        hardware.poll_readers(step * READER_INTERVAL / 8)
    assert chip.polls == before
    hardware.poll_readers(READER_INTERVAL)
    assert chip.polls > before


def test_a_press_ends_the_rest_of_the_whole_table(wires: SimulatedWires, hardware: Hardware) -> None:
    polled(hardware, 0.0, REST_AFTER + 1.0)
    assert hardware.at_rest(REST_AFTER + 1.0)
    wires.press(2, Button.OK)
    polled(hardware, REST_AFTER + 1.0, REST_AFTER + 1.1)
    assert not hardware.at_rest(REST_AFTER + 1.1)
    assert not any(group.rests(REST_AFTER + 1.1) for group in hardware.reader_groups)


def test_a_table_that_blinks_or_sounds_is_not_at_rest(hardware: Hardware) -> None:
    polled(hardware, 0.0, REST_AFTER + 1.0)
    assert hardware.buzzer is not None
    hardware.buzzer.sound(Cue.UNKNOWN_TAG, REST_AFTER + 1.0)
    assert not hardware.at_rest(REST_AFTER + 1.0)
    polled(hardware, REST_AFTER + 1.0, REST_AFTER + 6.0)
    assert hardware.at_rest(REST_AFTER + 6.0)
    hardware.leds[1].show(Cue.REFUSED, REST_AFTER + 6.0)
    assert not hardware.at_rest(REST_AFTER + 6.0)


def test_what_is_shown_reaches_the_glass_at_the_next_poll(wires: SimulatedWires, hardware: Hardware) -> None:
    hardware.displays[2].show(LIT)
    assert wires.picture(2).getbbox() is None
    assert hardware.poll_displays(0.0) == []
    assert wires.picture(2).tobytes() == LIT.tobytes()
    assert wires.picture(1).getbbox() is None


def test_cues_are_stepped_with_the_lines(wires: SimulatedWires, hardware: Hardware) -> None:
    hardware.leds[1].show(Cue.YOUR_TURN, 0.0)
    assert hardware.buzzer is not None
    hardware.buzzer.sound(Cue.UNKNOWN_TAG, 0.0)
    assert not wires.lit(1)
    hardware.poll_lines(0.0)
    assert (wires.lit(1), wires.lit(2), wires.sounding()) == (True, False, True)


def test_a_display_that_is_not_there_is_lost_once_and_comes_back_by_itself(
    wires: SimulatedWires, hardware: Hardware
) -> None:
    wires.unplug_display(1)
    lost = [event for event in polled(hardware, 0.0, 1.0) if isinstance(event, DeviceLost)]
    assert [event.device for event in lost] == [display_name(1)]
    wires.plug_display(1)
    back = [event for event in polled(hardware, 1.0, 12.0) if isinstance(event, DeviceBack)]
    assert [event.device for event in back] == [display_name(1)]


def test_a_reader_that_is_not_there_at_the_start_raises_nothing(wires: SimulatedWires) -> None:
    wires.unplug_reader(reader_name(1))
    hardware = Hardware(WIRING, wires)
    lost = [event for event in polled(hardware, 0.0, 0.3) if isinstance(event, DeviceLost)]
    assert [event.device for event in lost] == [reader_name(1)]
    hardware.close()


def test_the_loss_of_one_device_leaves_the_others_working(wires: SimulatedWires, hardware: Hardware) -> None:
    polled(hardware, 0.0, 0.2)
    wires.unplug_display(1)
    wires.unplug_reader(reader_name(1))
    hardware.displays[2].show(LIT)
    wires.place(reader_name(CommonRole.DEALING), UID)
    events = polled(hardware, 0.2, 0.6)
    assert wires.picture(2).getbbox() is not None
    assert [event.uid for event in events if isinstance(event, TagPlaced)] == [UID]


def test_a_line_that_is_taken_is_named_and_everything_is_given_back(wires: SimulatedWires) -> None:
    wires.lgpio.occupy(CHIP, 9)
    with pytest.raises(LineBusyError, match="9"):
        Hardware(WIRING, wires)
    assert not wires.lgpio.chips[CHIP].handles
    assert isinstance(LineBusyError("x"), GpioError)


def test_closing_leaves_everything_dark_and_gives_it_up(wires: SimulatedWires) -> None:
    hardware = Hardware(WIRING, wires)
    hardware.displays[1].show(LIT)
    hardware.leds[1].show(Cue.YOUR_TURN, 0.0)
    assert hardware.buzzer is not None
    hardware.buzzer.sound(Cue.UNKNOWN_TAG, 0.0)
    polled(hardware, 0.0, 0.1)
    assert wires.lit(1)
    hardware.close()
    assert wires.picture(1).getbbox() is None
    assert not wires.glasses[1].on
    assert not wires.lit(1)
    assert not wires.sounding()
    assert not wires.lgpio.chips[CHIP].handles
    hardware.close()


def test_an_edge_wakes_whoever_waits_for_the_lines(wires: SimulatedWires) -> None:
    woken: list[bool] = []
    hardware = Hardware(WIRING, wires, lambda: woken.append(True))
    wires.press(1, Button.OK)
    assert woken
    hardware.close()


def test_seats_keep_their_numbers_whatever_their_order_in_the_wiring(wires: SimulatedWires) -> None:
    turned = Wiring(tuple(reversed(WIRING.seats)), buzzer=WIRING.buzzer)
    hardware = Hardware(turned, wires)
    wires.press(2, Button.OK)
    events = polled(hardware, 0.0, 0.1)
    assert [event.seat for event in events if isinstance(event, Pressed)] == [2]
    hardware.close()
