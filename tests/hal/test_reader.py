"""A card reader that is plugged in, goes deaf, vanishes and comes back. Stepped by hand in virtual time."""

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from at_wires import Stepped, kinds

from hal.events import DeviceBack, DeviceLost, SeveralTags, TagLifted, TagPlaced
from hal.pn532 import open_port
from hal.reader import CardReader
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine, SerialBench

NAME = "seat 2 reader"
CARD = bytes.fromhex("04A1B2C3D4E5F6")
OTHER = bytes.fromhex("01A0B0C0")
TICK = 0.125


class Bench(Stepped):
    """A reader on a line without threads, polled eight times a second."""

    def __init__(self, plugged: bool = True) -> None:
        self.chip = Pn532Chip()
        self.line = DirectLine(self.chip)
        if not plugged:
            self.line.unplug()
        self.reader = CardReader(NAME, "/dev/serial/by-path/two", open_port=self.line.open)
        super().__init__(self.reader.poll, TICK)


def test_a_reader_that_works_from_the_start_reports_only_cards() -> None:
    bench = Bench()
    assert bench.step(1) == []
    assert bench.reader.connected
    bench.chip.field = [CARD]
    assert bench.step() == [TagPlaced(NAME, "04A1B2C3D4E5F6", bench.now)]
    assert bench.step(5) == []
    bench.chip.field = []
    assert kinds(bench.step(1)) == [TagLifted]


def test_a_card_that_lies_there_at_the_start_counts() -> None:
    bench = Bench()
    bench.chip.field = [CARD]
    assert kinds(bench.step(1)) == [TagPlaced]


def test_two_cards_at_once_are_reported_and_do_not_count() -> None:
    bench = Bench()
    bench.chip.field = [CARD, OTHER]
    [event] = bench.step(2)
    assert event == SeveralTags(NAME, ("01A0B0C0", "04A1B2C3D4E5F6"), TICK)


def test_a_card_taken_back_counts_again_without_being_lifted() -> None:
    bench = Bench()
    bench.chip.field = [CARD]
    bench.step(1)
    bench.reader.forget()
    assert kinds(bench.step(1)) == [TagPlaced]


@pytest.mark.parametrize("fault", [Fault.EVERY_SECOND_POLL_MISSES, Fault.TAG_STAYS_SELECTED, Fault.NOISE])
def test_a_card_that_lies_still_counts_once_on_a_chip_with_moods(fault: Fault) -> None:
    bench = Bench()
    bench.chip.faults.add(fault)
    bench.chip.field = [CARD]
    assert kinds(bench.step(60)) == [TagPlaced]


# Losing the port


def test_a_reader_that_is_missing_at_the_start_is_lost_and_raises_nothing() -> None:
    bench = Bench(plugged=False)
    [event] = bench.step(60)
    assert isinstance(event, DeviceLost)
    assert (event.device, event.at) == (NAME, TICK)
    assert "no such file" in event.why
    assert not bench.reader.connected


def test_tries_to_open_a_lost_reader_grow_rare() -> None:
    bench = Bench(plugged=False)
    tries: list[float] = []
    while bench.now < 60:
        before = bench.line.opened
        bench.step()
        if bench.line.opened > before:
            tries.append(bench.now)
    assert [late - early for early, late in pairwise(tries)][:7] == [
        0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0,
    ]  # fmt: skip


def test_a_reader_pulled_out_is_lost_once_and_back_once() -> None:
    bench = Bench()
    bench.step(1)
    bench.line.unplug()
    assert kinds(bench.step(10)) == [DeviceLost]
    bench.line.plug()
    assert kinds(bench.step(10)) == [DeviceBack]
    bench.chip.field = [CARD]
    assert kinds(bench.step(1)) == [TagPlaced]


def test_after_a_return_the_next_loss_is_tried_again_soon() -> None:
    bench = Bench()
    bench.step(1)
    bench.line.unplug()
    bench.step(40)
    bench.line.plug()
    bench.step(10)
    bench.line.unplug()
    bench.step()
    bench.line.plug()
    assert kinds(bench.step(0.5)) == [DeviceBack]


def test_a_blip_of_the_port_does_not_make_a_card_that_lies_there_count_twice() -> None:
    bench = Bench()
    bench.chip.field = [CARD]
    bench.step(1)
    bench.line.unplug()
    bench.step(1)
    bench.line.plug()
    assert kinds(bench.step(10)) == [DeviceBack]


def test_a_card_taken_away_while_the_reader_was_lost_is_lifted_when_it_is_back() -> None:
    bench = Bench()
    bench.chip.field = [CARD]
    bench.step(1)
    bench.line.unplug()
    bench.step(1)
    bench.chip.field = []
    bench.line.plug()
    assert kinds(bench.step(10)) == [DeviceBack, TagLifted]


def test_a_port_that_another_process_has_is_a_lost_reader() -> None:
    bench = Bench()
    other = bench.line.open("the other process")
    [event] = bench.step(2)
    assert isinstance(event, DeviceLost)
    assert "exclusively" in event.why
    other.close()
    assert kinds(bench.step(10)) == [DeviceBack]


# A chip that does not answer


def test_a_port_without_a_pn532_behind_it_is_a_lost_reader() -> None:
    bench = Bench()
    bench.chip.faults.add(Fault.DEAF)
    [event] = bench.step(30)
    assert isinstance(event, DeviceLost)
    assert event.why == "no acknowledgement"
    bench.chip.faults.clear()
    assert kinds(bench.step(10)) == [DeviceBack]


@pytest.mark.parametrize("fault", [Fault.DEAF, Fault.BAD_CHECKSUM, Fault.LOST_ACK])
def test_a_short_failure_to_answer_is_not_worth_a_word(fault: Fault) -> None:
    bench = Bench()
    bench.chip.field = [CARD]
    bench.step(1)
    bench.chip.faults.add(fault)
    assert bench.step(1.5) == []
    bench.chip.faults.clear()
    assert bench.step(2) == []


@pytest.mark.parametrize("fault", [Fault.DEAF, Fault.BAD_CHECKSUM, Fault.LOST_ACK])
def test_a_chip_that_goes_deaf_is_lost_after_two_seconds_and_comes_back(fault: Fault) -> None:
    bench = Bench()
    bench.step(1)
    bench.chip.faults.add(fault)
    [event] = bench.step(60)
    assert isinstance(event, DeviceLost)
    assert event.at == 3.0
    assert event.why.startswith("no clean answer for 2.0 s: ")
    bench.chip.faults.clear()
    assert kinds(bench.step(20)) == [DeviceBack]


def test_a_pause_without_polls_is_not_deafness() -> None:
    bench = Bench()
    bench.step(1)
    bench.now += 100
    bench.chip.faults.add(Fault.DEAF)
    assert bench.step(2 * TICK) == []


def test_a_chip_that_tells_its_version_but_never_polls_does_not_come_and_go() -> None:
    bench = Bench()
    bench.step(1)
    del bench.chip._commands[0x4A]
    assert kinds(bench.step(60)) == [DeviceLost]


# Closing


def test_closing_turns_the_field_off_and_gives_the_port_back() -> None:
    bench = Bench()
    bench.step(1)
    bench.chip.field_on = True
    bench.reader.close()
    assert not bench.chip.field_on
    assert not bench.reader.connected
    bench.line.open("somebody else")


@pytest.mark.parametrize("fault", [Fault.DEAF, None])
def test_closing_a_reader_that_is_gone_or_deaf_raises_nothing(fault: Fault | None) -> None:
    bench = Bench()
    bench.step(1)
    if fault is None:
        bench.line.unplug()
    else:
        bench.chip.faults.add(fault)
    bench.reader.close()
    bench.reader.close()


# Over pyserial and a pseudo-terminal. The timeout is so long that a slow machine is not taken for a silent chip.

patient = partial(open_port, timeout=10.0)


@pytest.mark.threads
def test_pyserial_over_a_terminal_gives_the_same_events(tmp_path: Path) -> None:
    chip = Pn532Chip()
    with SerialBench(tmp_path) as wires:
        reader = CardReader(NAME, str(wires.plug("two", chip, chunk=1)), open_port=patient)
        assert reader.poll(0.0) == []
        chip.field = [CARD]
        assert reader.poll(0.1) == [TagPlaced(NAME, "04A1B2C3D4E5F6", 0.1)]
        wires.unplug("two")
        [lost] = reader.poll(0.2)
        assert isinstance(lost, DeviceLost)
        assert reader.poll(0.3) == []
        wires.plug("two", chip)
        assert reader.poll(0.8) == [DeviceBack(NAME, 0.8)]
        chip.field = []
        assert kinds([event for tick in range(9, 13) for event in reader.poll(tick / 10)]) == [TagLifted]
        reader.close()
        assert not chip.field_on


@pytest.mark.threads
def test_a_port_is_open_to_one_reader_alone(tmp_path: Path) -> None:
    with SerialBench(tmp_path) as wires:
        path = str(wires.plug("two", Pn532Chip()))
        first, second = (CardReader(name, path, open_port=patient) for name in ("first", "second"))
        assert first.poll(0.0) == []
        [lost] = second.poll(0.0)
        assert isinstance(lost, DeviceLost)
        first.close()
        assert second.poll(0.5) == [DeviceBack("second", 0.5)]
        second.close()
