"""The simulated world's faults by name: each does what its row says, is seeded, and goes when it is mended."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from hal.errors import TablerefHardwareError
from hal.events import Button, DeviceLost, Event, Pressed, Released, TagPlaced
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.faults import Fault
from hal.sim.named_faults import NAMED, At, FaultError, NamedFaults, Place, named
from hal.sim.tag_talkers import Em4100Chip
from hal.wiring import ButtonLines, DisplayPlace, SeatWiring, Wiring

READER = Place(At.READER, reader="seat 1 reader")
DISPLAY, BUTTONS = Place(At.DISPLAY, seat=1), Place(At.BUTTONS, seat=1)
TAG = "04A1B2C3D4E5F6"


class World:
    """One seat, stepped by hand."""

    def __init__(self, seed: int = 0) -> None:
        wiring = Wiring(
            seats=(
                SeatWiring(
                    number=1,
                    buttons=ButtonLines(left=4, ok=5, right=6),
                    display=DisplayPlace(bus=1, address=0x3C),
                    reader="/dev/simulated/seat-1",
                ),
            )
        )
        self.wires = SimulatedWires(wiring, pause=lambda seconds: None)
        self.disk = SimDisk(lambda seconds: None)
        self.faults = NamedFaults(self.wires, self.disk, seed)
        self.hardware = Hardware(wiring, self.wires)
        self.now = 0.0
        self.levels: list[tuple[float, tuple[int, ...]]] = []

    def wait(self, seconds: float) -> list[Event]:
        end, events = self.now + seconds, []
        while self.now < end - 1e-9:
            due = self.faults.due
            step = min(end, self.now + 0.01)
            self.now = step if due is None else min(step, max(due, self.now + 0.0001))
            self.faults.poll(self.now)
            self.levels.append((self.now, self.wires.lgpio.levels(0, (4, 5, 6))))
            events += self.hardware.poll_lines(self.now)
            events += self.hardware.poll_readers(self.now) + self.hardware.poll_displays(self.now)
        return events

    def press(self, button: Button) -> list[Event]:
        self.wires.press(1, button, self.now)
        events = self.wait(0.1)
        self.wires.release(1, button, self.now)
        return events + self.wait(0.1)

    def close(self) -> None:
        self.hardware.close()
        self.wires.close()


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.close()


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def test_every_fault_of_a_reader_s_chip_is_in_the_table() -> None:
    assert {fault.value for fault in Fault} <= set(NAMED)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", NAMED)
def test_a_fault_that_was_mended_has_left_nothing_behind(world: World, name: str) -> None:
    world.wait(0.5)
    for place in world.faults.places(name):
        world.faults.begin(name, place)
    world.wait(0.5)
    assert [one for one, _ in world.faults.on] == [name] * len(world.faults.places(name))
    world.faults.mend(name)
    world.wait(25.0)
    chip = world.wires.readers["seat 1 reader"]
    assert (world.faults.on, chip.faults, chip.field) == ([], set(), [])
    assert (world.disk.full, world.disk.slow, world.disk.clock_step) == (False, 0.0, 0.0)
    assert kinds(world.press(Button.OK)) == [Pressed, Released]
    world.wires.place("seat 1 reader", TAG)
    assert kinds(world.wait(0.5)) == [TagPlaced]


def test_a_bouncing_contact_changes_many_times_and_is_one_press(world: World) -> None:
    world.faults.begin("bounce", BUTTONS)
    assert kinds(world.press(Button.OK)) == [Pressed, Released]
    ok = [levels[1] for _, levels in world.levels]
    assert sum(before != after for before, after in pairwise(ok)) > 4


def test_glitches_are_shorter_than_any_press(world: World) -> None:
    world.faults.begin("glitch", BUTTONS)
    assert world.wait(30.0) == []
    assert sum(0 in levels for _, levels in world.levels) > 10


def test_where_time_goes_in_long_steps_a_glitch_is_over_in_one(world: World) -> None:
    world.wires.contacts.coarse = True
    world.faults.begin("glitch", BUTTONS)
    world.wait(30.0)
    assert {levels for _, levels in world.levels} == {(1, 1, 1)}


def test_a_stuck_button_is_down_whatever_the_finger_does(world: World) -> None:
    world.faults.begin("stuck-button", BUTTONS._replace(button=Button.LEFT))
    assert Released not in kinds(world.press(Button.LEFT))
    assert [event.device for event in world.wait(61.0) if isinstance(event, DeviceLost)] == ["seat 1 left button"]


@pytest.mark.parametrize("name", ["garbled", "cut", "phantom", "nak", "glitch", "bounce"])
def test_the_same_seed_is_the_same_course(name: str) -> None:
    def course(seed: int) -> list[object]:
        world = World(seed)
        try:
            for place in world.faults.places(name):
                world.faults.begin(name, place)
            world.wires.place("seat 1 reader", TAG)
            events = world.wait(3.0) + world.press(Button.OK)
            polls = world.hardware.readers["seat 1 reader"].counts
            return [events, str(polls), world.wires.buses[1].bytes, world.levels]
        finally:
            world.close()

    first = course(1)
    assert first == course(1)
    if name in ("glitch", "bounce", "nak"):  # of the others the driver mends what differs
        assert first != course(2)


def test_a_second_time_a_fault_gets_the_new_amount(world: World) -> None:
    disk = Place(At.DISK)
    world.faults.begin("slow-disk", disk)
    world.faults.begin("slow-disk", disk, 0.5)
    assert (world.disk.slow, len(world.faults.on)) == (0.5, 1)


def test_mending_is_for_a_fault_a_place_or_all(world: World) -> None:
    for name, place in (("noise", READER), ("cut", READER), ("nak", DISPLAY), ("bounce", BUTTONS)):
        world.faults.begin(name, place)
    assert world.faults.mend("noise") == 1
    assert world.faults.mend(place=READER) == 1
    assert world.faults.mend() == 2
    assert world.faults.mend() == 0


def test_what_cannot_be_is_refused_with_what_was_expected(world: World) -> None:
    with pytest.raises(FaultError, match="no fault 'x'; expected one of bounce"):
        named("x")
    with pytest.raises(FaultError, match="deaf is no fault of a display; expected one of reader"):
        world.faults.begin("deaf", DISPLAY)
    with pytest.raises(FaultError, match="no seat 2 display at this table"):
        world.faults.begin("nak", Place(At.DISPLAY, seat=2))
    assert issubclass(FaultError, TablerefHardwareError)
    assert issubclass(FaultError, ValueError)


def test_a_reader_that_speaks_by_itself_has_no_acknowledgement_to_lose(world: World) -> None:
    world.wires.readers["seat 1 reader"] = Em4100Chip()
    assert world.faults.places("lost-ack") == []
    with pytest.raises(FaultError, match="seat 1 reader cannot have lost-ack"):
        world.faults.begin("lost-ack", READER)
