"""A seat's display: luma over a simulated bus, polled by a clock that is handed in."""

import atexit
import errno
from random import Random

import pytest
from at_wires import noise
from PIL import Image

from hal.displays import RENEWAL, TRIES, DisplayBus, SeatDisplay
from hal.events import DeviceBack, DeviceLost
from hal.panels import Level, Look, Panel
from hal.sim.smbus import Chip, SimI2cBus, SimSMBus
from hal.sim.ssd1306 import Ssd1306
from hal.sim.trace import Trace

SIZE = (128, 64)
FULL_FRAME = 1034  # address, control byte, 6 bytes of windows; address, control byte, 1024 bytes of data
NAME = "seat 1 display"


@pytest.fixture
def bus(trace: Trace) -> SimI2cBus:
    bus = SimI2cBus("i2c-1", trace.note)
    for address in (0x3C, 0x3D):
        bus.attach(address, Ssd1306())
    return bus


@pytest.fixture
def chip(bus: SimI2cBus) -> Ssd1306:
    return chip_at(bus, 0x3C)


@pytest.fixture
def display(bus: SimI2cBus) -> SeatDisplay:
    return SeatDisplay(NAME, bus.open, 0x3C)


def chip_at(bus: SimI2cBus, address: int) -> Ssd1306:
    chip = bus.chips[address]
    assert isinstance(chip, Ssd1306)
    return chip


def shows(chip: Ssd1306, frame: Image.Image) -> bool:
    return chip.picture().tobytes() == frame.tobytes()


# frames


@pytest.mark.parametrize("seed", range(5))
def test_a_frame_is_on_the_glass_after_the_poll(display: SeatDisplay, chip: Ssd1306, seed: int) -> None:
    display.show(noise(seed))
    assert display.poll(0.0) == []
    assert shows(chip, noise(seed))


def test_a_module_mounted_upside_down_shows_it_upright_for_the_reader(bus: SimI2cBus, chip: Ssd1306) -> None:
    display = SeatDisplay(NAME, bus.open, 0x3C, panel=Panel(rotate=180))
    display.show(noise(1))
    display.poll(0.0)
    assert shows(chip, noise(1).rotate(180))


def test_nothing_reaches_the_bus_before_the_poll(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.show(noise(1))
    assert bus.transfers == 0


def test_an_unchanged_frame_sends_nothing(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.show(noise(1))
    display.poll(0.0)
    sent = bus.bytes
    display.show(noise(1))
    display.poll(0.1)
    display.poll(0.2)
    assert bus.bytes == sent


def test_a_changed_frame_costs_one_frame_in_two_transfers(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    sent, transfers = bus.bytes, bus.transfers
    display.show(noise(1))
    display.poll(0.1)
    assert (bus.bytes - sent, bus.transfers - transfers) == (FULL_FRAME, 2)


def test_only_the_newest_of_several_frames_is_sent(display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306) -> None:
    display.poll(0.0)
    sent = bus.bytes
    for seed in range(5):
        display.show(noise(seed))
    display.poll(0.1)
    assert bus.bytes - sent == FULL_FRAME
    assert shows(chip, noise(4))


def test_a_display_that_was_shown_nothing_is_dark_and_set_up_once(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306
) -> None:
    display.poll(0.0)
    sent = bus.bytes
    display.poll(0.1)
    assert bus.bytes == sent
    assert chip.on
    assert shows(chip, Image.new("1", SIZE))


def test_a_frame_that_is_drawn_on_after_show_stays_as_it_was_shown(display: SeatDisplay, chip: Ssd1306) -> None:
    frame = noise(1)
    display.show(frame)
    frame.paste(1, (0, 0, 128, 64))
    display.poll(0.0)
    assert shows(chip, noise(1))


@pytest.mark.parametrize("image", [Image.new("L", SIZE), Image.new("1", (64, 128)), Image.new("1", (128, 32))])
def test_any_other_image_is_refused(display: SeatDisplay, image: Image.Image) -> None:
    with pytest.raises(ValueError, match="a frame is a '1' image"):
        display.show(image)


# loss and return


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.ENXIO])
def test_a_display_that_is_not_there_at_the_start_is_lost_once_and_comes_later(number: int) -> None:
    bus = SimI2cBus(no_ack=number)
    display = SeatDisplay(NAME, bus.open, 0x3C)
    display.show(noise(1))
    (lost,) = display.poll(0.0)
    assert isinstance(lost, DeviceLost)
    assert (lost.device, lost.at) == (NAME, 0.0)
    assert [display.poll(at) for at in (0.1, 0.5, 0.6)] == [[], [], []]
    bus.attach(0x3C, Ssd1306())
    assert display.poll(1.6) == [DeviceBack(NAME, 1.6)]
    assert shows(chip_at(bus, 0x3C), noise(1))


@pytest.mark.parametrize("fault", ["nak", "cut in the data", "gone"])
def test_a_display_that_fails_comes_back_with_the_newest_frame(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306, fault: str
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    match fault:
        case "nak":
            bus.nak.add(0x3C)
        case "cut in the data":
            bus.cut[0x3C] = 500
        case "gone":
            bus.gone = True
    display.show(noise(2))
    (lost,) = display.poll(1.0)
    assert isinstance(lost, DeviceLost)
    assert lost.why != ""
    display.show(noise(3))
    assert display.poll(1.5) == []
    bus.nak.clear()
    bus.cut.clear()
    bus.gone = False
    assert display.poll(2.6) == [DeviceBack(NAME, 2.6)]
    assert shows(chip, noise(3))


@pytest.mark.parametrize("arrived", range(8))
def test_a_command_that_was_cut_short_does_not_swallow_the_set_up(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306, arrived: int
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    bus.cut[0x3C] = arrived  # of the control byte, 21 00 7F and 22 00 07
    display.show(noise(2))
    display.poll(1.0)
    bus.cut.clear()
    display.poll(2.0)
    assert shows(chip, noise(2))
    assert all("40" in complaint for complaint in chip.complaints)  # commands cut short, completed by the resync


@pytest.mark.parametrize("fails", [1, 2, 3])
@pytest.mark.parametrize("arrived", range(8))
def test_nothing_follows_a_command_that_was_cut_short_until_a_resync_went_well(
    display: SeatDisplay, chip: Ssd1306, arrived: int, fails: int
) -> None:
    """What brings the chip back to where a command begins may fail too. The picture is right, or the display lost."""
    display.show(noise(1))
    display.poll(0.0)
    write, left = chip.write, fails

    def failing(data: bytes) -> None:
        nonlocal left
        left -= 1
        if left == fails - 1:
            write(data[:arrived])
        if left >= 0:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        write(data)

    chip.write = failing  # type: ignore[method-assign]
    frame = noise(1)
    frame.paste(0, (30, 16, 106, 24))
    display.show(frame)
    assert display.poll(1.0) == []
    assert shows(chip, frame)
    assert chip.start_line == 0
    assert display.counts.failed == fails


def test_a_resync_straightens_a_start_line_that_a_swallowed_command_has_set(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306, monkeypatch: pytest.MonkeyPatch
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    chip.start_line = 21
    write, left = chip.write, 1

    def failing(data: bytes) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        write(data)

    monkeypatch.setattr(chip, "write", failing)
    display.show(noise(2))
    assert display.poll(1.0) == []
    assert shows(chip, noise(2))


def test_a_frame_that_was_cut_short_is_sent_again_even_when_the_old_one_is_wanted(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    bus.cut[0x3C] = 500
    display.show(noise(2))
    display.poll(1.0)
    bus.cut.clear()
    display.show(noise(1))
    display.poll(2.0)
    assert shows(chip, noise(1))


def test_tries_become_rarer_up_to_ten_seconds(display: SeatDisplay, bus: SimI2cBus) -> None:
    bus.nak.add(0x3C)
    tries, before = [], bus.transfers
    for tenth in range(600):
        display.poll(tenth / 10)
        if bus.transfers != before:
            tries.append(tenth / 10)
            before = bus.transfers
    assert tries == [0.0, 0.5, 1.5, 3.5, 7.5, 15.5, 25.5, 35.5, 45.5, 55.5]


def test_a_lost_display_leaves_no_handle_open(display: SeatDisplay, bus: SimI2cBus) -> None:
    handles: list[SimSMBus] = []

    def counting_open() -> SimSMBus:
        handles.append(bus.open())
        return handles[-1]

    display = SeatDisplay(NAME, counting_open, 0x3C)
    display.poll(0.0)
    bus.nak.add(0x3C)
    display.show(noise(1))
    for at in (1.0, 2.0, 4.0, 9.0):
        display.poll(at)
    assert len(handles) == TRIES + 3
    assert all(handle._bus is None for handle in handles)


@pytest.mark.parametrize("missing", range(1, TRIES))
def test_an_acknowledge_that_goes_missing_now_and_then_is_no_loss(
    monkeypatch: pytest.MonkeyPatch, display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306, missing: int
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    failures = missing
    address = bus._address

    def fail_at_first(number: int) -> Chip:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return address(number)

    monkeypatch.setattr(bus, "_address", fail_at_first)
    display.show(noise(2))
    assert display.poll(1.0) == []
    assert shows(chip, noise(2))


def test_with_every_20th_acknowledge_missing_the_display_stays(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306
) -> None:
    bus.nak_every = 20
    for seed in range(50):
        display.show(noise(seed))
        assert display.poll(seed / 10) == []
        assert shows(chip, noise(seed))


# dips of the supply, which no error tells


def test_a_refresh_brings_back_a_chip_that_lost_its_setting(display: SeatDisplay, chip: Ssd1306) -> None:
    display.show(noise(1))
    display.poll(0.0)
    chip.glitch(Random(9))
    assert display.poll(1.0) == []
    assert not shows(chip, noise(1))
    display.refresh()
    assert display.poll(2.0) == []
    assert shows(chip, noise(1))


def test_a_refresh_straightens_a_shifted_picture(display: SeatDisplay, chip: Ssd1306) -> None:
    display.show(noise(1))
    display.poll(0.0)
    chip.shift(8, 5)
    display.refresh()
    display.poll(1.0)
    assert shows(chip, noise(1))


def test_a_refresh_happens_once(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    display.refresh()
    display.poll(1.0)
    sent = bus.bytes
    display.poll(2.0)
    assert bus.bytes == sent


def test_once_a_minute_it_happens_by_itself(display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306) -> None:
    display.show(noise(1))
    display.poll(5.0)
    chip.glitch(Random(9))
    chip.shift(3)
    display.poll(5.0 + RENEWAL - 0.1)
    assert not shows(chip, noise(1))
    display.poll(5.0 + RENEWAL)
    assert shows(chip, noise(1))
    sent = bus.bytes
    display.poll(5.0 + 2 * RENEWAL - 0.1)
    assert bus.bytes == sent
    display.poll(5.0 + 2 * RENEWAL)
    assert bus.bytes > sent


def test_a_renewal_costs_one_frame_and_less_than_50_bytes(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.show(noise(1))
    display.poll(0.0)
    sent = bus.bytes
    display.refresh()
    display.poll(1.0)
    assert FULL_FRAME < bus.bytes - sent < FULL_FRAME + 50


def test_a_refresh_of_a_display_that_fails_is_a_loss(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    bus.nak.add(0x3C)
    display.refresh()
    assert [type(event) for event in display.poll(1.0)] == [DeviceLost]


# before the first poll, and while nobody plays


def test_what_a_crash_left_on_the_glass_goes_before_anything_else(bus: SimI2cBus, chip: Ssd1306) -> None:
    before = SeatDisplay(NAME, bus.open, 0x3C)
    before.show(noise(1))
    before.poll(0.0)
    display = SeatDisplay(NAME, bus.open, 0x3C)
    display.show(noise(2))
    display.darken()
    assert not any(chip.ram)
    display.poll(0.0)
    assert shows(chip, noise(2))


def test_a_display_that_is_not_there_to_be_darkened_is_reported_by_the_first_poll(bus: SimI2cBus) -> None:
    display = SeatDisplay(NAME, bus.open, 0x3C)
    bus.gone = True
    display.darken()
    assert [type(event) for event in display.poll(0.0)] == [DeviceLost]
    bus.gone = False
    assert display.poll(1.0) == [DeviceBack(NAME, 1.0)]


def test_a_display_is_dressed_at_the_next_poll(display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306) -> None:
    display.show(noise(1))
    display.poll(0.0)
    display.dress(Look(Level.OFF))
    display.poll(0.1)
    assert not chip.on
    assert not any(chip.ram)
    sent = bus.bytes
    display.show(noise(2))
    display.poll(0.2)
    assert bus.bytes == sent  # nothing is written while it is off
    display.dress(Look())
    display.poll(0.3)
    assert shows(chip, noise(2))


# the end


def test_closing_clears_the_ram_and_then_switches_off(display: SeatDisplay, chip: Ssd1306, trace: Trace) -> None:
    display.show(noise(1))
    display.poll(0.0)
    mark = trace.seq
    display.close()
    assert not chip.on
    assert not any(chip.ram)
    assert trace.since(mark)[-1].data == b"\x00\xae"
    chip.write(b"\x00\xaf")
    assert shows(chip, Image.new("1", SIZE))  # nothing comes back when it is switched on


def test_a_closed_display_sends_nothing_more(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    display.close()
    sent = bus.bytes
    display.show(noise(1))
    assert display.poll(1.0) == []
    display.close()
    assert bus.bytes == sent


def test_a_display_that_is_lost_when_the_table_ends_does_not_keep_its_hand(
    display: SeatDisplay, bus: SimI2cBus, chip: Ssd1306
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    bus.nak.add(0x3C)
    display.show(noise(2))
    assert [type(event) for event in display.poll(1.0)] == [DeviceLost]
    bus.nak.clear()  # within the time until it is tried again
    display.close()
    assert not chip.on
    assert not any(chip.ram)


@pytest.mark.parametrize("missing", [3, 4])
def test_a_display_that_fails_while_it_is_left_dark_is_tried_from_the_set_up_on(
    display: SeatDisplay, chip: Ssd1306, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    display.show(noise(1))
    display.poll(0.0)
    write, left = chip.write, missing

    def failing(data: bytes) -> None:
        nonlocal left
        left -= 1
        if left >= 0:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        write(data)

    monkeypatch.setattr(chip, "write", failing)
    display.close()
    assert not chip.on
    assert not any(chip.ram)


def test_a_display_that_cannot_be_reached_holds_nobody_up_at_the_end(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    bus.nak.add(0x3C)
    display.show(noise(1))
    display.poll(1.0)
    before = bus.transfers
    display.close()
    assert bus.transfers - before <= TRIES
    display.close()
    assert bus.transfers - before <= TRIES


def test_closing_a_display_that_fails_raises_nothing(display: SeatDisplay, bus: SimI2cBus) -> None:
    display.poll(0.0)
    bus.nak.add(0x3C)
    display.close()


def test_closing_a_display_that_was_never_there_raises_nothing(bus: SimI2cBus) -> None:
    bus.detach(0x3C)
    display = SeatDisplay(NAME, bus.open, 0x3C)
    display.poll(0.0)
    display.close()


def test_no_display_leaves_anything_to_be_done_at_exit(bus: SimI2cBus) -> None:
    before = atexit._ncallbacks()
    display = SeatDisplay(NAME, bus.open, 0x3C)
    for at in range(5):
        display.refresh()
        display.poll(float(at))
    display.close()
    assert atexit._ncallbacks() == before


# several on one bus


@pytest.fixture
def pair(bus: SimI2cBus) -> DisplayBus:
    one, other = (SeatDisplay(f"seat {n} display", bus.open, 0x3B + n) for n in (1, 2))
    return DisplayBus([one, other])


def test_two_displays_on_one_bus_show_their_own_frames(pair: DisplayBus, bus: SimI2cBus) -> None:
    for seed, display in enumerate(pair.displays):
        display.show(noise(seed))
    assert pair.poll(0.0) == []
    assert shows(chip_at(bus, 0x3C), noise(0))
    assert shows(chip_at(bus, 0x3D), noise(1))


def test_a_display_that_fails_leaves_its_neighbour_alone(pair: DisplayBus, bus: SimI2cBus) -> None:
    pair.poll(0.0)
    bus.nak.add(0x3C)
    for seed, display in enumerate(pair.displays):
        display.show(noise(seed))
    (lost,) = pair.poll(1.0)
    assert isinstance(lost, DeviceLost)
    assert lost.device == "seat 1 display"
    assert shows(chip_at(bus, 0x3D), noise(1))
    bus.nak.clear()
    assert pair.poll(2.0) == [DeviceBack("seat 1 display", 2.0)]
    assert shows(chip_at(bus, 0x3C), noise(0))


def test_closing_the_bus_darkens_all_its_displays(pair: DisplayBus, bus: SimI2cBus) -> None:
    for display in pair.displays:
        display.show(noise(1))
    pair.poll(0.0)
    bus.nak.add(0x3C)  # the first cannot be reached any more
    pair.close()
    assert not chip_at(bus, 0x3D).on
