"""Who has just done something sees the answer first: the other displays let that picture pass."""

import pytest
from at_wires import noise
from PIL import Image

from hal.displays import DisplayBus, SeatDisplay
from hal.events import DeviceLost
from hal.gddram import changes, patched
from hal.panels import Controller, Panel
from hal.right_of_way import LONGEST, RightOfWay
from hal.sim.sh1106 import Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306

SIZE = (128, 64)


class Wires:
    """Two displays on one bus. `meanwhile` tells after how many transfers a display is to be first."""

    def __init__(self, panel: Panel | None = None) -> None:
        panel = panel or Panel()
        self.time = 0.0
        self.freed = 0
        self.written: list[int] = []
        self.meanwhile: dict[int, SeatDisplay] = {}
        self.bus = SimI2cBus("i2c-1", self._note)
        self.way = RightOfWay(lambda: self.time, self._free)
        chip = Ssd1306 if panel.controller is Controller.SSD1306 else Sh1106
        for address in (0x3C, 0x3D):
            self.bus.attach(address, chip())
        self.one, self.other = (SeatDisplay(f"seat {n} display", self.bus.open, 0x3B + n, panel) for n in (1, 2))
        self.pair = DisplayBus([self.one, self.other])
        self.pair.poll(0.0)
        for display in (self.one, self.other):
            display.way = self.way
        self.written.clear()

    def _free(self) -> None:
        self.freed += 1

    def _note(self, wire: str, what: str, data: bytes | int) -> None:
        self.written.append(int(wire[-2:], 16))
        display = self.meanwhile.pop(len(self.written), None)
        if display is not None:
            display.show(noise(7), first=True)

    def cost(self, image: Image.Image) -> int:
        """Bytes that a dark display takes to show this."""
        sent = self.bus.bytes
        self.one.show(image)
        self.one.poll(2.0)
        return self.bus.bytes - sent

    def shows(self, address: int, image: Image.Image) -> bool:
        chip = self.bus.chips[address]
        assert isinstance(chip, Ssd1306 | Sh1106)
        return chip.picture().tobytes() == image.tobytes()


def bars(*pages: int) -> Image.Image:
    """A short bar on each of these pages: a rectangle each."""
    image = Image.new("1", SIZE)
    for page in pages:
        image.paste(1, (8 * page, 8 * page, 8 * page + 9, 8 * page + 4))
    return image


@pytest.fixture
def wires() -> Wires:
    return Wires()


def test_on_one_bus_the_first_is_written_before_the_others(wires: Wires) -> None:
    wires.one.show(noise(1))
    wires.other.show(noise(2), first=True)
    wires.pair.poll(1.0)
    assert wires.written[0] == 0x3D
    assert wires.shows(0x3D, noise(2))
    assert wires.shows(0x3C, noise(1))  # and then the others, in the same round


def test_on_another_bus_a_display_waits_until_the_first_is_on_its_glass(wires: Wires) -> None:
    alone = DisplayBus([wires.one])
    wires.one.show(noise(1))
    wires.other.show(noise(2), first=True)
    alone.poll(1.0)
    assert (wires.written, alone.waits) == ([], True)
    wires.other.poll(1.0)
    assert (wires.freed, alone.waits) == (1, False)
    alone.poll(1.0)
    assert wires.shows(0x3C, noise(1))


@pytest.mark.parametrize("controller", Controller)
def test_a_picture_that_is_being_written_is_held_back_between_two_rectangles_and_finished_later(
    controller: Controller,
) -> None:
    wires = Wires(Panel(controller=controller))
    wires.meanwhile[2] = wires.other  # the first rectangle is a command and its data
    wires.one.show(bars(1, 3, 5))
    wires.one.poll(1.0)
    assert wires.written == [0x3C] * 2
    assert wires.shows(0x3C, bars(1))
    sent = wires.bus.bytes
    wires.pair.poll(1.1)
    assert wires.written[2] == 0x3D
    assert wires.shows(0x3D, noise(7))
    assert wires.shows(0x3C, bars(1, 3, 5))
    rest = wires.bus.bytes - sent - Wires(Panel(controller=controller)).cost(noise(7))
    assert rest == Wires(Panel(controller=controller)).cost(bars(3, 5))  # what was written is not written again


def test_of_a_picture_that_was_held_back_the_newest_is_written(wires: Wires) -> None:
    wires.meanwhile[2] = wires.other
    wires.one.show(bars(1, 3, 5))
    wires.one.poll(1.0)
    wires.one.show(bars(2))
    wires.pair.poll(1.1)
    assert wires.shows(0x3C, bars(2))


def test_a_whole_picture_for_a_chip_whose_memory_is_not_known_is_not_held_back(wires: Wires) -> None:
    wires.one.refresh()
    wires.meanwhile[6] = wires.other
    wires.one.show(noise(1))
    wires.one.poll(1.0)
    assert wires.way.is_first(wires.other)
    assert wires.shows(0x3C, noise(1))


def test_a_display_that_is_shown_another_picture_while_it_is_written_stays_first(wires: Wires) -> None:
    wires.meanwhile[2] = wires.one
    wires.one.show(bars(1), first=True)
    wires.one.poll(1.0)
    assert wires.way.is_first(wires.one)
    wires.one.poll(1.0)
    assert not wires.way.is_first(wires.one)
    assert wires.shows(0x3C, noise(7))


def test_a_display_that_cannot_be_reached_holds_nobody_up(wires: Wires) -> None:
    wires.bus.nak.add(0x3D)
    wires.one.show(noise(1))
    wires.other.show(noise(2), first=True)
    (lost,) = wires.pair.poll(1.0)
    assert isinstance(lost, DeviceLost)
    assert wires.shows(0x3C, noise(1))
    wires.other.show(noise(3), first=True)  # nor while it is not tried
    wires.one.show(noise(4))
    wires.pair.poll(1.01)
    assert wires.shows(0x3C, noise(4))


def test_a_display_whose_bus_hangs_holds_the_others_up_for_a_moment_only(wires: Wires) -> None:
    alone = DisplayBus([wires.one])
    wires.one.show(noise(1))
    wires.other.show(noise(2), first=True)
    wires.time += LONGEST - 0.001
    alone.poll(1.0)
    assert not wires.shows(0x3C, noise(1))
    wires.time += 0.002
    alone.poll(1.0)
    assert wires.shows(0x3C, noise(1))


def test_where_one_thread_polls_all_displays_nobody_waits() -> None:
    bus = SimI2cBus()
    bus.attach(0x3C, Ssd1306())
    display = SeatDisplay("seat 1 display", bus.open, 0x3C)
    display.show(noise(1), first=True)
    assert (display.first, display.waits) == (False, False)
    assert display.poll(0.0) == []


def test_a_memory_in_which_each_rectangle_was_written_holds_the_new_picture() -> None:
    old, new = bytes(1024), bytes(range(256)) * 4
    memory = old
    for rect in changes(old, new, 128, 10, windows=True):
        memory = patched(memory, new, 128, rect)
    assert memory == new
