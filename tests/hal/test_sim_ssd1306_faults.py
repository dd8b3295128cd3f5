"""Adafruit's driver on the simulated SSD1306 with every named fault of a display: it sees what it would on a real bus.

This driver sends each byte of a command in a transfer of its own and brings nothing back into step, so it suffers
where the table's own does not: that shows the faults are those of a wire and a chip, not of one driver.
"""

import errno
from collections.abc import Iterator

import pytest
from adafruit_ssd1306 import SSD1306_I2C
from at_wires import AdafruitI2c, noise

from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.named_faults import NAMED, SHIFTED_AGAIN, At, NamedFaults, Place
from hal.wiring import ButtonLines, DisplayPlace, SeatWiring, Wiring

DISPLAY = Place(At.DISPLAY, seat=1)
ROWS = 64
TRANSFERS = 7
"""Of one frame: the window of columns and that of pages byte by byte, and the data."""
WITHIN_A_COMMAND = {1, 2, 4, 5}
"""After so many of them the chip waits for an argument."""


class PatientI2c(AdafruitI2c):
    """A bus that sends again what was not acknowledged."""

    missed = 0

    def writeto(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        while True:
            try:
                super().writeto(address, buffer, start=start, end=end)
                return
            except OSError:
                self.missed += 1


class Bench:
    """One display on its bus, this driver, and the switches of the named faults."""

    def __init__(self, seed: int = 0) -> None:
        seat = SeatWiring(
            number=1, buttons=ButtonLines(left=4, ok=5, right=6), display=DisplayPlace(bus=1, address=0x3C)
        )
        self.wires = SimulatedWires(Wiring(seats=(seat,)))
        self.faults = NamedFaults(self.wires, SimDisk(lambda seconds: None), seed)
        self.driver = SSD1306_I2C(128, ROWS, AdafruitI2c(self.wires.buses[1]), addr=0x3C)

    def show(self, seed: int) -> int | None:
        """Show a frame; the number of the error that the driver raises, if it does."""
        self.driver.image(noise(seed, ROWS))
        try:
            self.driver.show()
        except OSError as error:
            return error.errno
        return None

    def set_up_anew(self) -> None:
        """Twice: the chip may take the first byte for the argument of a command that was cut short."""
        self.driver.init_display()
        self.driver.init_display()

    def is_exact(self, seed: int) -> bool:
        return self.wires.picture(1).tobytes() == noise(seed, ROWS).tobytes()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    with bench.wires:
        assert bench.show(0) is None
        assert bench.is_exact(0)
        yield bench


def test_every_named_fault_of_a_display_is_tried_here() -> None:
    assert {name for name, fault in NAMED.items() if At.DISPLAY in fault.at} == {"unplugged", "nak", "shifted"}


def test_unplugged_no_transfer_is_acknowledged_and_plugged_in_it_is_dark_until_set_up(bench: Bench) -> None:
    bench.faults.begin("unplugged", DISPLAY)
    assert bench.wires.picture(1).getbbox() is None
    assert [bench.show(seed) for seed in (1, 2, 3)] == [errno.EREMOTEIO] * 3
    bench.faults.mend("unplugged", DISPLAY)
    bench.show(4)
    assert bench.wires.picture(1).getbbox() is None  # off, as after power-on
    bench.set_up_anew()
    assert bench.show(5) is None
    assert bench.is_exact(5)


def test_missing_acknowledges_are_errors_of_some_frames_and_none_when_mended(bench: Bench) -> None:
    bench.faults.begin("nak", DISPLAY)
    told = [bench.show(seed) for seed in range(60)]
    assert set(told) == {None, errno.EREMOTEIO}
    assert 20 < told.count(errno.EREMOTEIO) < 55  # of seven transfers a frame, one in eight is missed
    bench.faults.mend("nak", DISPLAY)
    bench.set_up_anew()
    assert [bench.show(seed) for seed in range(20)] == [None] * 20
    assert bench.is_exact(19)


def test_a_transfer_that_was_not_acknowledged_did_not_arrive_and_can_be_sent_again(bench: Bench) -> None:
    bench.driver.i2c_device.i2c = PatientI2c(bench.wires.buses[1])
    bench.faults.begin("nak", DISPLAY)
    for seed in range(60):
        assert bench.show(seed) is None
        assert bench.is_exact(seed)
    assert bench.driver.i2c_device.i2c.missed > 20
    assert bench.wires.glasses[1].complaints == []


def test_after_a_command_that_was_cut_short_the_next_frame_goes_wrong_without_any_error() -> None:
    """Its first byte is the argument that was missing. Where none was missing, the next frame is well."""
    seen = set()
    for seed in range(40):
        bench = Bench(seed)
        with bench.wires:
            bench.faults.begin("nak", DISPLAY)
            begun = bench.wires.buses[1].transfers
            while bench.show(1) is None:
                begun = bench.wires.buses[1].transfers
            arrived = bench.wires.buses[1].transfers - begun - 1
            bench.faults.mend("nak", DISPLAY)
            assert bench.show(2) is None
            assert bench.is_exact(2) == (arrived not in WITHIN_A_COMMAND)
            seen.add(arrived)
    assert seen == set(range(TRANSFERS))


def test_a_shifted_picture_is_no_error_and_stays_shifted_until_the_chip_is_set_up(bench: Bench) -> None:
    bench.faults.begin("shifted", DISPLAY)
    assert not bench.is_exact(0)
    assert bench.show(0) is None
    assert not bench.is_exact(0)  # a frame says nothing of the line at which the glass begins
    bench.set_up_anew()
    assert bench.show(1) is None
    assert bench.is_exact(1)
    bench.faults.poll(SHIFTED_AGAIN[1])
    assert not bench.is_exact(1)
    bench.faults.mend("shifted", DISPLAY)
    bench.set_up_anew()
    bench.faults.poll(3 * SHIFTED_AGAIN[1])
    assert bench.show(2) is None
    assert bench.is_exact(2)
