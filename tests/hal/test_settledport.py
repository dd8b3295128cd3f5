"""Reads in vain that cost no real time: they end when nothing more can come, and no sooner."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.pn532 import PORT_FAULTS, READ_TIMEOUT, WAKE_UP, Pn532, open_port
from hal.pn532_frames import ACK, HOST_TO_CHIP, frame
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.settledport import THROUGH, SettledBench, SettledPort
from hal.tags import Garbled, Nothing, Tags

TAG = bytes.fromhex("04A1B2C3D4E5F6")


class Line:
    """A chip behind a pseudo-terminal, and what its reads have waited in vain."""

    def __init__(self, folder: Path) -> None:
        self.bench = SettledBench(folder)
        self.chip = Pn532Chip()
        self.path = self.bench.plug("reader", self.chip, chunk=3)
        self.waits: list[float] = []
        self.port = self.open()

    def open(self) -> SettledPort:
        return SettledPort(self.bench, "reader", open_port(str(self.path)), self.waits.append)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path)
    yield made
    made.port.close()
    made.bench.close()


def test_an_answer_in_pieces_is_read_to_its_end(line: Line) -> None:
    driver = Pn532(line.port)
    driver.start()
    line.chip.field = [TAG]
    assert [driver.poll() for _ in range(20)] == [Tags((TAG,))] * 20
    assert line.waits == []


def test_a_deaf_chip_costs_the_table_its_time_and_nobody_real_time(line: Line) -> None:
    driver = Pn532(line.port)
    driver.start()
    line.chip.faults.add(Fault.DEAF)
    for _ in range(50):  # 25 s, if they were real
        assert isinstance(driver.poll(), Garbled)
    assert line.waits == [READ_TIMEOUT] * 100
    line.chip.faults.clear()
    assert driver.poll() == Nothing()


def test_what_was_not_read_is_gone_for_whoever_opens_the_port_next(line: Line) -> None:
    line.port.write(b"\x55" * 16 + bytes.fromhex("0000FF03FDD414011700"))
    line.port.close()
    line.port = line.open()
    assert (line.port.in_waiting, line.port.read(1)) == (0, b"")


def test_a_port_whose_device_was_pulled_fails_as_it_does_at_a_table(line: Line) -> None:
    line.bench.unplug("reader")
    with pytest.raises(PORT_FAULTS):
        line.port.read(1)
    with pytest.raises(PORT_FAULTS):
        line.port.reset_input_buffer()


def test_all_that_a_chip_has_said_is_waiting_at_once(line: Line) -> None:
    line.port.write(WAKE_UP + frame(HOST_TO_CHIP, b"\x02"))
    assert line.port.in_waiting == len(ACK) + 13
    assert line.port.read(99).startswith(ACK)
    assert line.port.in_waiting == 0


def test_a_search_that_waits_is_answered_when_a_tag_is_laid_down(line: Line) -> None:
    line.port.write(WAKE_UP + frame(HOST_TO_CHIP, b"\x14\x01\x14\x01") + frame(HOST_TO_CHIP, b"\x4a\x01\x00"))
    said = line.port.in_waiting
    line.chip.field = [TAG]
    assert line.port.in_waiting == said
    line.bench.nudge()
    assert line.port.in_waiting > said
    assert TAG in line.port.read(99)


# Beside the terminal


def polled(line: Line) -> Pn532:
    """A driver whose port has carried what goes through the terminal."""
    driver = Pn532(line.port)
    driver.start()
    for _ in range(THROUGH):
        assert driver.poll() == Nothing()
    return driver


def test_what_sets_a_reader_up_passes_the_terminal_and_the_polls_after_it_do_not(line: Line) -> None:
    plugged = line.bench.plugged("reader")
    Pn532(line.port).start()
    after_start = plugged.taken
    assert after_start > 0
    driver = polled(line)
    through = plugged.taken
    assert through > after_start
    driver.poll()
    assert plugged.taken == through


def test_a_port_that_is_pulled_between_polls_fails_at_whatever_is_asked_of_it(line: Line) -> None:
    polled(line)
    line.port.write(WAKE_UP + frame(HOST_TO_CHIP, b"\x02"))
    line.bench.unplug("reader")
    for ask in (lambda: line.port.in_waiting, lambda: line.port.read(1), line.port.reset_input_buffer):
        with pytest.raises(PORT_FAULTS):
            ask()
    with pytest.raises(PORT_FAULTS):
        line.port.write(ACK)


def test_a_search_between_polls_is_answered_when_a_tag_is_laid_down(line: Line) -> None:
    polled(line)
    line.port.write(frame(HOST_TO_CHIP, b"\x32\x05\xff\x01\xff") + frame(HOST_TO_CHIP, b"\x4a\x01\x00"))
    assert TAG not in line.port.read(99)
    line.chip.field = [TAG]
    assert line.port.in_waiting == 0
    line.bench.nudge()
    assert TAG in line.port.read(99)


def test_what_was_said_between_polls_is_gone_when_it_is_flushed_and_when_the_port_is_opened_anew(line: Line) -> None:
    polled(line)
    asked = frame(HOST_TO_CHIP, b"\x02")
    line.port.write(asked)
    assert line.port.in_waiting == len(ACK) + 13
    line.port.reset_input_buffer()
    assert line.port.in_waiting == 0
    line.port.write(asked)
    line.port.close()
    line.port = line.open()
    assert (line.port.in_waiting, line.port.read(1)) == (0, b"")
    polled(line)


def test_nobody_but_who_waits_carries_the_bytes(tmp_path: Path) -> None:
    threads = threading.active_count()
    bench = SettledBench(tmp_path)
    bench.plug("reader", Pn532Chip())
    assert threading.active_count() == threads
    bench.close()
    bench.close()
    assert list(tmp_path.iterdir()) == []
