"""Readers of every kind on the simulated board: opened as the wiring says, with pins, plugs and grabs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from at_wires import kinds

from hal.events import DeviceBack, DeviceLost, Event, TagConflict, TagLifted, TagPlaced
from hal.hardware import Hardware
from hal.reader import CardReader
from hal.reader_drivers import open_listening, opener
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import ReaderSettings
from hal.sim.board import SimulatedWires
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import SerialBench
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip
from hal.wires import RealWires
from hal.wiring import ButtonLines, CommonRole, ReaderWiring, SeatWiring, Wiring, reader_name, reader_place

UID, EM, KB = "04A1B2C3D4E5F6", "EM-62E3086CED", "KB-0006543210"
KIND = ReaderKind


def seat(number: int, settings: ReaderSettings) -> SeatWiring:
    first = 4 * number
    return SeatWiring(number, ButtonLines(first, first + 1, first + 2), reader=settings)


WIRING = Wiring(
    (
        seat(1, ReaderSettings(port="/sim/1", reset=7)),
        seat(2, ReaderSettings(port="/sim/2")),
        seat(3, ReaderSettings(port="/sim/3", kind=KIND.RDM6300, apart=True)),
        seat(4, ReaderSettings(port="/sim/4", kind=KIND.KEYBOARD)),
    ),
    (ReaderWiring(role=CommonRole.CENTRE, kind=KIND.ID12LA, port="/sim/5", release=2.0),),
)
PLACES = {1: UID, 2: UID, 3: EM, 4: KB, CommonRole.CENTRE: EM}


@pytest.fixture
def hardware(hardware: Hardware) -> Hardware:
    hardware.enrol([UID, EM, KB])
    return hardware


@pytest.fixture
def polled(hardware: Hardware) -> Callable[[float], list[Event]]:
    """Lets so many seconds pass; gives what the readers report."""
    time = [0.0]

    def let(seconds: float) -> list[Event]:
        events: list[Event] = []
        for _ in range(round(seconds / 0.02)):
            time[0] += 0.02
            events += hardware.poll_readers(time[0])
        return events

    return let


Polled = Callable[[float], list[Event]]


@pytest.mark.parametrize("place", list(PLACES), ids=str)
def test_a_card_is_read_by_the_reader_of_any_kind(
    wires: SimulatedWires, polled: Polled, place: int | CommonRole
) -> None:
    polled(0.1)
    wires.place(reader_name(place), PLACES[place])
    [event] = polled(0.5)
    assert isinstance(event, TagPlaced)
    assert (event.reader, event.uid) == (reader_name(place), PLACES[place])
    wires.lift(reader_name(place))
    assert all(isinstance(event, TagLifted) for event in polled(1))


@pytest.mark.parametrize("place", list(PLACES), ids=str)
def test_any_reader_can_be_pulled_out_and_put_back(
    wires: SimulatedWires, polled: Polled, place: int | CommonRole
) -> None:
    name = reader_name(place)
    polled(0.1)
    wires.unplug_reader(name)
    with pytest.raises(KeyError):
        wires.unplug_reader(name)
    assert [type(event) for event in polled(1)] == [DeviceLost]
    wires.plug_reader(name)
    with pytest.raises(FileExistsError):
        wires.plug_reader(name)
    wires.place(name, PLACES[place])
    assert [type(event) for event in polled(3)] == [DeviceBack, TagPlaced]


def test_the_reset_line_in_the_wiring_reaches_the_chip_of_that_reader(
    wires: SimulatedWires, hardware: Hardware
) -> None:
    chips = [wires.readers[reader_name(number)] for number in (1, 2)]
    for chip in chips:
        chip.faults.add(Fault.DEAF_UNTIL_RESET)
    line = hardware.readers[reader_name(1)]._reset
    assert line is not None
    assert hardware.readers[reader_name(2)]._reset is None
    line.set(True, 0.0)
    assert isinstance(chips[0], Pn532Chip)
    held = [chips[0].held]
    line.set(False, 1.0)
    assert [*held, chips[0].held] == [True, False]
    assert [chip.faults for chip in chips] == [set(), {Fault.DEAF_UNTIL_RESET}]


def test_the_reset_line_is_high_while_all_is_well_and_is_given_back(wires: SimulatedWires) -> None:
    hardware = Hardware(WIRING, wires)
    assert wires.lgpio.level(0, 7) == 1
    chip = wires.readers[reader_name(1)]
    assert isinstance(chip, Pn532Chip)
    assert not chip.held
    hardware.close()
    assert not wires.lgpio.chips[0].handles


def test_readers_that_stand_apart_are_no_neighbours(hardware: Hardware) -> None:
    assert [list(group.readers) for group in hardware.reader_groups] == [
        [reader_name(1), reader_name(2), reader_name(4), reader_name(CommonRole.CENTRE)],
        [reader_name(3)],
    ]


def test_cross_talk_between_two_seats_is_a_conflict(wires: SimulatedWires, polled: Polled) -> None:
    polled(0.1)
    wires.readers[reader_name(1)].faults.add(Fault.CROSS_TALK)
    wires.place(reader_name(2), UID)
    [event] = polled(1)
    assert isinstance(event, TagConflict)
    assert set(event.readers) == {reader_name(1), reader_name(2)}


def test_what_a_grabbed_keyboard_types_reaches_no_console(
    wires: SimulatedWires, hardware: Hardware, polled: Polled
) -> None:
    chip = wires.readers[reader_name(4)]
    assert isinstance(chip, KeyboardChip)
    grabbed = [chip.grabbed]
    polled(0.1)
    grabbed.append(chip.grabbed)  # by the driver, which asks the kernel for it
    wires.place(reader_name(4), KB)
    assert kinds(polled(0.5)) == [TagPlaced]
    assert chip.console == ""
    hardware.close()
    assert [*grabbed, chip.grabbed] == [False, True, False]


def test_a_keyboard_that_was_pulled_out_is_grabbed_again(wires: SimulatedWires, polled: Polled) -> None:
    polled(0.1)
    wires.unplug_reader(reader_name(4))
    polled(1)
    wires.plug_reader(reader_name(4))
    polled(3)
    wires.place(reader_name(4), KB)
    polled(0.5)
    chip = wires.readers[reader_name(4)]
    assert isinstance(chip, KeyboardChip)
    assert (chip.grabbed, chip.console) == (True, "")


def test_a_keyboard_that_the_wiring_leaves_to_the_console_types_there_and_is_read() -> None:
    left = Wiring((seat(4, ReaderSettings(port="/sim/4", kind=KIND.KEYBOARD, grab=False)),))
    with SimulatedWires(left) as wires:
        hardware = Hardware(left, wires)
        hardware.enrol([KB])
        wires.place(reader_name(4), KB)
        assert kinds([event for step in range(20) for event in hardware.poll_readers(step * 0.1)]) == [TagPlaced]
        chip = wires.readers[reader_name(4)]
        assert isinstance(chip, KeyboardChip)
        assert chip.console == "0006543210\n"
        hardware.close()


def test_after_the_game_went_back_only_readers_without_lifts_count_a_card_anew(
    wires: SimulatedWires, hardware: Hardware, polled: Polled
) -> None:
    polled(0.1)
    wires.place(reader_name(2), UID)
    wires.place(reader_name(4), KB)
    polled(0.5)
    wires.lift(reader_name(4))
    polled(0.2)
    hardware.forget_taps()
    wires.place(reader_name(4), KB)
    assert [(type(event), event.uid) for event in polled(0.5) if isinstance(event, TagPlaced)] == [(TagPlaced, KB)]


# The real openers


def test_real_wires_open_each_kind_in_its_own_way() -> None:
    wires = RealWires()
    openers = {
        kind: wires.port_opener(reader_place(ReaderSettings(kind=kind, port="/dev/x", grab=False), 1)) for kind in KIND
    }
    assert openers[KIND.RDM6300] is openers[KIND.ID12LA] is open_listening
    keyboard = openers[KIND.KEYBOARD]
    assert isinstance(keyboard, partial)
    assert keyboard.keywords == {"grab": False}
    assert opener(KIND.PN532) is openers[KIND.PN532]
    wires.close()


@pytest.mark.parametrize("kind", list(KIND))
def test_a_device_that_is_not_there_is_a_lost_reader(kind: ReaderKind, tmp_path: Path) -> None:
    reader = CardReader("a reader", str(tmp_path / "none"), kind=kind)
    [event] = reader.poll(0.0)
    assert isinstance(event, DeviceLost)


def test_what_is_no_event_device_is_a_lost_reader_and_the_reason_is_the_console(tmp_path: Path) -> None:
    (tmp_path / "kbd").touch()
    [event] = CardReader("a reader", str(tmp_path / "kbd"), kind=KIND.KEYBOARD).poll(0.0)
    assert isinstance(event, DeviceLost)
    assert "typed on the console" in event.why


@pytest.mark.threads
@pytest.mark.parametrize("kind", [KIND.PN532, KIND.RDM6300, KIND.ID12LA])
def test_a_serial_port_is_opened_for_one_reader_alone(kind: ReaderKind, tmp_path: Path) -> None:
    with SerialBench(tmp_path) as bench:
        path = str(bench.plug("one", Em4100Chip()))
        first = opener(kind)(path)
        with pytest.raises(OSError, match="lock"):
            opener(kind)(path)
        lost = CardReader("a reader", path, kind=kind).poll(0.0)
        assert kinds(lost) == [DeviceLost]
        first.close()
        opener(kind)(path).close()


@pytest.mark.threads
def test_an_rdm6300_over_pyserial_and_a_terminal(tmp_path: Path) -> None:
    chip = Em4100Chip()
    with SerialBench(tmp_path) as bench:
        reader = CardReader("a reader", str(bench.plug("one", chip, chunk=3)), kind=KIND.RDM6300)
        reader.enrol([EM])
        assert reader.poll(0.0) == []
        chip.field = [bytes.fromhex("62E3086CED")]
        events: list[Event] = []
        while not events:
            bench.nudge()
            events = reader.poll(0.1)
        assert events == [TagPlaced("a reader", EM, 0.1)]
        bench.unplug("one")
        [lost] = reader.poll(0.2)
        assert isinstance(lost, DeviceLost)
        reader.close()
