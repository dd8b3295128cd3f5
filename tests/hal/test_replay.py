"""Replayed wires do what the captured ones did at that time, however often and exactly when they are asked."""

import errno
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from at_wires import UID, WIRING
from gpiozero import DigitalInputDevice
from PIL import Image
from smbus2 import i2c_msg

from hal.capture import Capture, Entry, read_capture
from hal.captured import Health, Touches, error_of
from hal.clock import SteppedClock
from hal.events import Button, DeviceBack, DeviceLost, Event, Held, Pressed, Released, TagLifted, TagPlaced
from hal.gpio import I2cPlace
from hal.hardware import Hardware
from hal.pn532 import Port
from hal.reader_drivers import Opener
from hal.recorder import Recorder
from hal.recording import RecordingWires
from hal.replay import ReplayWires
from hal.sim.board import CHIP, SimulatedWires
from hal.sim.faults import Fault
from hal.sim.serialport import DirectLine
from hal.sim.trace import Trace
from hal.wiring import ReaderPlace

READER = "seat 1 reader"
LIT = Image.new("1", (128, 64), 1)
Happening = tuple[float, Callable[[SimulatedWires], object]]
"""What a person does at a simulated table, and when."""


class Table(SimulatedWires):
    """A simulated table whose readers hang on lines without threads: a chip that is deaf costs no time."""

    def __init__(self) -> None:
        super().__init__(WIRING)
        self.lines = {name: DirectLine(chip) for name, chip in self.readers.items()}

    def port_opener(self, place: ReaderPlace) -> Opener:
        return self.lines[place.name].open

    def unplug_reader(self, reader: str) -> None:
        self.lines[reader].unplug()

    def plug_reader(self, reader: str) -> None:
        self.lines[reader].plug()


def captured(folder: Path, seconds: float, *happenings: Happening, step: float = 0.02) -> tuple[Capture, list[Event]]:
    """The capture of a table at which this happens, and what its devices reported. Displays are lit after a second."""
    path, clock, events = folder / "one.capture", SteppedClock(), []
    left = list(happenings)
    with Table() as sim:
        recorder = Recorder(path.open("w", encoding="utf-8"), clock, {})
        hardware = Hardware(WIRING, RecordingWires(sim, recorder))
        for number in range(1, round(seconds / step) + 1):
            now = clock.time = number * step
            events += looked_at(hardware, now)
            while left and left[0][0] <= now:
                left.pop(0)[1](sim)
        recorder.end()
        hardware.close()
    return read_capture(path), events


def looked_at(hardware: Hardware, now: float) -> list[Event]:
    if now >= 1:
        for display in hardware.displays.values():
            display.show(LIT)
    return hardware.poll_lines(now) + hardware.poll_readers(now) + hardware.poll_displays(now)


def replayed(capture: Capture, step: float = 0.02) -> list[Event]:
    """What the devices report on the wires of a capture, looked at at even times that may be others than captured."""
    clock, events = SteppedClock(), []
    wires = ReplayWires(capture, clock)
    hardware = Hardware(WIRING, wires)
    for number in range(1, round(capture.seconds / step) + 1):
        now = clock.time = number * step
        wires.advance(now)
        events += looked_at(hardware, now)
    hardware.close()
    return events


def untimed(events: list[Event]) -> list[tuple[Any, ...]]:
    """The events of each device by themselves: those of two devices may come in another order when asked otherwise, and
    which of its polls tells a tag depends on how often there is one.
    """
    left_out = ("at", "why", "look", "looks")
    fields = [
        (type(event).__name__, *(getattr(event, name) for name in type(event).__slots__ if name not in left_out))
        for event in events
    ]
    return sorted(fields, key=lambda event: str(event[1]))


def place(sim: SimulatedWires) -> None:
    sim.place(READER, UID)


def lift(sim: SimulatedWires) -> None:
    sim.lift(READER)


def mood(*faults: Fault) -> Callable[[SimulatedWires], None]:
    def change(sim: SimulatedWires) -> None:
        sim.readers[READER].faults = set(faults)

    return change


def pull(sim: SimulatedWires) -> None:
    sim.unplug_reader(READER)


def plug(sim: SimulatedWires) -> None:
    sim.plug_reader(READER)


def nak(sim: SimulatedWires) -> None:
    sim.buses[1].nak.add(0x3C)


def ack(sim: SimulatedWires) -> None:
    sim.buses[1].nak.clear()


def press(sim: SimulatedWires) -> None:
    sim.press(2, Button.OK)


def release(sim: SimulatedWires) -> None:
    sim.release(2, Button.OK)


def absent(there: bool) -> Callable[[SimulatedWires], None]:
    def change(sim: SimulatedWires) -> None:
        sim.lgpio.chips[CHIP].absent = not there

    return change


STORIES: dict[str, tuple[float, tuple[Happening, ...], list[type[Event]]]] = {
    "a card is shown": (3, ((1.0, place), (1.5, lift)), [TagPlaced, TagLifted]),
    "a card lies there from the start": (2, ((0.0, place),), [TagPlaced]),
    "a card is shown twice": (
        5, ((1.0, place), (1.5, lift), (3.0, place), (3.5, lift)), [TagPlaced, TagLifted, TagPlaced, TagLifted]
    ),
    "a reader is pulled out and put back": (
        9, ((1.0, pull), (4.0, plug), (7.0, place)), [DeviceLost, DeviceBack, TagPlaced]
    ),
    "a reader is not there at the start": (6, ((0.0, lambda sim: None), (0.5, pull)), [DeviceLost]),
    "a reader goes deaf and hears again": (
        12, ((1.0, mood(Fault.DEAF)), (5.0, mood()), (9.0, place)), [DeviceLost, DeviceBack, TagPlaced]
    ),
    "a reader talks rubbish with a card on it": (
        12, ((1.0, place), (2.0, mood(Fault.BAD_CHECKSUM)), (7.0, mood())), [TagPlaced, DeviceLost, DeviceBack]
    ),
    "a display does not acknowledge": (6, ((0.5, nak), (3.0, ack)), [DeviceLost, DeviceBack]),
    "a button is pressed": (2, ((1.0, press), (1.2, release)), [Pressed, Released]),
    "a button is held": (4, ((1.0, press), (2.2, release)), [Pressed, Held, Released]),
    "a button is down at the start": (2, ((0.0, press), (1.5, release)), [Pressed, Held, Released]),
    "the chip of the lines fails and comes back": (6, ((1.0, absent(there=False)), (2.0, absent(there=True))), []),
}  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("step", [pytest.param(0.007, marks=pytest.mark.soak), 0.017])
def test_the_drivers_report_what_they_reported_however_often_they_look(tmp_path: Path, story: str, step: float) -> None:
    seconds, happenings, kinds = STORIES[story]
    capture, events = captured(tmp_path, seconds, *happenings)
    assert events
    if kinds:
        assert [type(event) for event in events] == kinds
    assert untimed(replayed(capture, step)) == untimed(events)


@pytest.mark.few(1)
@pytest.mark.parametrize("story", STORIES)
def test_at_the_captured_times_all_happens_within_a_step(tmp_path: Path, story: str) -> None:
    seconds, happenings, _ = STORIES[story]
    capture, events = captured(tmp_path, seconds, *happenings)
    again = replayed(capture)
    assert untimed(again) == untimed(events)
    assert [event.at for event in again] == pytest.approx([event.at for event in events], abs=0.05)


def test_a_capture_that_is_cut_gives_what_happened_until_then(tmp_path: Path) -> None:
    capture, events = captured(tmp_path, 4, (1.0, place), (1.5, lift), (2.4, press), (3.0, place))
    cut = capture._replace(entries=tuple(entry for entry in capture.entries if entry.at <= 2.5))
    assert untimed(replayed(cut)) == untimed([event for event in events if event.at <= cut.seconds])
    assert 2 < cut.seconds <= 2.5


def test_leds_and_displays_are_told_what_they_were_told(tmp_path: Path) -> None:
    capture, _ = captured(tmp_path, 2)
    clock, trace = SteppedClock(), Trace()
    hardware = Hardware(WIRING, ReplayWires(capture, clock, trace.note))
    for number in range(1, 101):
        clock.time = number / 50
        looked_at(hardware, clock.time)
    told = [entry.data for entry in trace.on("i2c-1 3C")]
    hardware.close()
    assert len(told) == sum(1 for entry in capture.entries if (entry.wire, entry.kind) == ("i2c-1 3C", "write"))
    assert any(entry.what == "output" for entry in trace.on("gpiochip"))


# One wire


def entries(*told: tuple[float, str, Any], wire: str = READER) -> list[Entry]:
    return [Entry(at, wire, kind, data) for at, kind, data in told]


def error(number: int | None = errno.EIO, kind: str = "OSError") -> list[Any]:
    return ["read", kind, number, "Input/output error"]


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


def port(clock: SteppedClock, *told: tuple[float, str, Any]) -> Port:
    wires = ReplayWires(Capture("one", {}, tuple(entries(*told))), clock)
    wires.close()
    return wires.port_opener(ReaderPlace(READER, "/dev/one", seat=1))("/dev/one")


def test_a_command_is_answered_as_at_that_time(clock: SteppedClock) -> None:
    one = port(
        clock, (1.0, "exchange", ["4a", "01", 0]), (2.0, "exchange", ["4a", "02", 0]), (3.0, "exchange", ["4a", "", 0])
    )
    given = []
    for clock.time in (0.5, 1.0, 1.9, 2.0, 2.5, 3.0, 9.0):
        one.write(b"\x4a")
        given.append(one.read(10).hex())
    assert given == ["01", "01", "01", "02", "02", "", ""]


def test_a_command_that_the_capture_does_not_know_is_met_with_silence(clock: SteppedClock) -> None:
    one = port(clock, (1.0, "exchange", ["4a", "01", 0]))
    one.write(b"\x4b")
    assert one.read(10) == b""


def test_what_came_unasked_comes_at_its_time_and_once(clock: SteppedClock) -> None:
    one = port(clock, (1.0, "came", "0262"), (1.5, "came", "e303"))
    given = []
    for clock.time in (0.9, 1.0, 1.2, 1.5, 2.0):
        given.append(one.read(one.in_waiting or 1).hex())
    assert given == ["", "0262", "", "e303", ""]


def test_a_read_gives_no_more_than_it_is_asked_for(clock: SteppedClock) -> None:
    one = port(clock, (1.0, "exchange", ["4a", "010203", 0]))
    one.write(b"\x4a")
    assert (one.in_waiting, one.read(2), one.read(2)) == (3, b"\x01\x02", b"\x03")
    one.write(b"\x4a")
    one.reset_input_buffer()
    assert one.read(2) == b""


def test_a_port_fails_with_the_captured_error_and_can_be_opened_again(clock: SteppedClock) -> None:
    told = (1.0, "exchange", ["4a", "01", 0]), (2.0, "error", error(kind="termios.error")), (4.0, "open", None)
    one = port(clock, *told)
    clock.time = 2.0
    with pytest.raises(termios.error):
        one.reset_input_buffer()
    with pytest.raises(termios.error):
        port(clock, *told)
    clock.time = 3.5
    port(clock, *told).close()


def test_errors_are_of_a_class_that_the_drivers_know() -> None:
    assert isinstance(error_of(error(kind="serial.serialutil.SerialException", number=None)), OSError)
    assert isinstance(error_of(error(kind="lgpio.error", number=None)), OSError)
    assert isinstance(error_of(error(kind="termios.error")), termios.error)
    found = error_of(error(errno.EREMOTEIO))
    assert isinstance(found, OSError)
    assert found.errno == errno.EREMOTEIO


@pytest.mark.parametrize(
    ("told", "failing"),
    [
        ([(1.0, "write", ""), (2.0, "write", "")], []),
        ([(1.0, "write", ""), (2.0, "error", error()), (2.001, "write", "")], []),  # the second try got through
        ([(1.0, "write", ""), (2.0, "error", error()), (4.0, "write", "")], [1.6, 2.0, 2.9]),
        ([(1.0, "error", error()), (2.0, "error", error())], [0.1, 1.0, 2.0, 5.0]),
        # What was sent just before the error went out in one go with it, when the device was away already.
        ([(1.0, "write", ""), (2.0, "write", ""), (2.001, "error", error())], [1.6, 2.0, 2.001, 5.0]),
    ],
)
def test_a_device_fails_from_half_way_to_half_way(told: list[tuple[float, str, Any]], failing: list[float]) -> None:
    health, found = Health(entries(*told)), []
    for now in (0.1, 1.0, 1.4, 1.6, 2.0, 2.001, 2.9, 3.1, 4.0, 5.0):
        try:
            health.check(now)
        except OSError:
            found.append(now)
    assert set(failing) <= set(found)
    if not failing:
        assert not found
    assert 1.4 not in found or failing[0] < 1.4


def test_a_read_on_a_bus_gives_what_was_read_then(clock: SteppedClock) -> None:
    told = entries((1.0, "read", "43"), (2.0, "read", "03"), wire="i2c-1 3C")
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock)
    wires.close()
    given = []
    for clock.time in (0.5, 1.0, 2.5):
        message = i2c_msg.read(0x3C, 1)
        wires.open_bus(1).i2c_rdwr(message)
        given.append(bytes(message).hex())
    assert given == ["43", "43", "03"]


def test_a_command_that_is_repeated_within_a_poll_is_answered_as_the_repetition_was(clock: SteppedClock) -> None:
    told = (1.0, "exchange", ["4a", "01", 0]), (1.0, "exchange", ["4a", "02", 1])
    wires = ReplayWires(Capture("one", {}, tuple(entries(*told))), clock)
    wires.close()
    one = wires.port_opener(ReaderPlace(READER, "/dev/one", seat=1))("/dev/one")
    given = []
    for clock.time in (1.0, 2.0):
        wires.looked(READER, clock.time)
        for _ in range(3):
            one.write(b"\x4a")
            given.append(one.read(10).hex())
    assert given == ["01", "02", "02"] * 2


def test_a_strip_is_written_to_and_fails_as_it_did(clock: SteppedClock) -> None:
    told = entries((1.0, "open", None), (1.0, "write", "00"), (2.0, "error", error()), (3.0, "open", None),
                   wire="spidev0.0")  # fmt: skip
    trace = Trace()
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock, trace.note)
    wires.close()
    clock.time = 1.0
    spi = wires.open_spi("/dev/spidev0.0")
    spi.write(b"\x00")
    clock.time = 2.0
    with pytest.raises(OSError, match=r"Input/output error"):
        spi.write(b"\x00")
    with pytest.raises(OSError, match=r"Input/output error"):
        wires.open_spi("/dev/spidev0.0")
    clock.time = 3.0
    wires.open_spi("/dev/spidev0.0").write(b"\x01")
    spi.close()
    assert [entry.data for entry in trace.on("spidev0.0")] == [b"\x00", b"\x01"]


# When to look


def test_a_display_is_polled_when_the_captured_one_was_written_to_and_seldom_far_from_that() -> None:
    touches = Touches(
        entries((0.5, "open", None), (1.0, "write", ""), (1.0, "write", ""), (2.0, "error", error())), 0.5
    )
    assert [now / 10 for now in range(6, 21) if touches.due(now / 10)] == [1.0, 2.0]
    assert [now / 10 for now in range(21, 31) if touches.due(now / 10)] == [2.3, 2.6, 2.9]


# Lines


@pytest.fixture
def lines(clock: SteppedClock) -> Iterator[ReplayWires]:
    told = entries(
        (1.0, "level", 1), (2.0, "edge", 0), (2.1, "level", 0), (3.0, "edge", 1), (3.001, "edge", 0), (3.1, "level", 0),
        (4.0, "level", 1),
        wire="line 9 of pinctrl-bcm2711",
    )  # fmt: skip
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock)
    yield wires
    wires.close()


def test_a_line_has_its_level_and_its_edges_are_reported_even_too_quick_ones(lines: ReplayWires) -> None:
    chip = lines.open_chip()
    device, edges = chip.input(9), []
    device.when_activated = lambda: edges.append("down")
    device.when_deactivated = lambda: edges.append("up")
    found = []
    for now in (1.0, 2.0, 2.1, 3.1, 4.0):
        lines.advance(now)
        found.append((now, device.is_active, "".join(edges)))
        edges.clear()
    chip.close()
    assert found == [
        (1.0, False, ""), (2.0, True, "down"), (2.1, True, ""), (3.1, True, "updown"), (4.0, False, ""),
    ]  # fmt: skip


def test_the_chip_has_the_label_that_it_had(lines: ReplayWires) -> None:
    chip = lines.open_chip()
    assert chip.label == "pinctrl-bcm2711"
    assert isinstance(chip.input(9), DigitalInputDevice)
    chip.close()


def test_further_chips_have_their_lines_and_report_edges_where_they_did(clock: SteppedClock) -> None:
    told = [
        *entries((1.0, "level", 1), (2.0, "level", 0), wire="line 2 of first"),
        *entries((1.0, "level", 1), (2.0, "edge", 0), (2.1, "level", 0), wire="line 2 of the second"),
    ]
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock)
    header, first, second, unused = (wires.open_chip(label) for label in (None, "first", "the second", "third"))
    inputs = [chip.input(2) for chip in (header, first, second, unused)]
    assert [isinstance(device, DigitalInputDevice) for device in inputs] == [True, False, True, True]
    wires.advance(2.1)
    assert [device.is_active for device in inputs] == [False, True, True, False]
    for opened in (*inputs, header, first, second, unused):
        opened.close()
    wires.close()


def test_a_tone_fails_when_the_captured_one_did_and_sounds_else(clock: SteppedClock) -> None:
    told = entries((1.0, "output", 1), (2.0, "error", error()), wire="line 18 of pinctrl-rp1")
    trace = Trace()
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock, trace.note)
    chip = wires.open_chip()
    tone = chip.tone(18, 2400)
    clock.time = 1.0
    tone.on()
    tone.off()
    assert [entry.what for entry in trace.on("gpiochip") if "2400" in entry.what]
    clock.time = 2.0
    with pytest.raises(OSError, match="Input/output error"):
        tone.on()
    tone.close()
    chip.close()
    wires.close()


def test_chips_of_one_label_have_the_lines_of_their_own_places(clock: SteppedClock) -> None:
    told = [
        *entries((1.0, "level", 0), wire="line 2 of mcp23017 1-0020"),
        *entries((1.0, "level", 1), wire="line 2 of mcp23017 1-0021"),
    ]
    wires = ReplayWires(Capture("one", {}, tuple(told)), clock)
    chips = [wires.open_chip("mcp23017", I2cPlace(1, address), twin=True) for address in (0x20, 0x21)]
    wires.advance(1.0)
    assert [chip.input(2).is_active for chip in chips] == [True, False]
    for chip in chips:
        chip.close()
    wires.close()
