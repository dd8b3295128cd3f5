"""Neighbouring readers over simulated wires: fields that couple, and one that is deaf."""

from functools import partial

import pytest
from at_wires import Stepped, kinds

from hal.conflicts import TELL_TIME
from hal.em4100 import ID12LA_END, RDM6300_END, frame_of
from hal.events import DeviceBack, DeviceLost, Event, ReaderStalled, TagConflict, TagPlaced
from hal.reader import CardReader
from hal.reader_group import REST_AFTER, REST_INTERVAL, ReaderGroup
from hal.reader_kinds import ReaderKind
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine

UID = bytes.fromhex("04A1B2C3D4E5F6")
TEXT = "04A1B2C3D4E5F6"
EM, EM_TEXT = bytes.fromhex("62E3086CED"), "EM-62E3086CED"
TICK = 1 / 64


class Bench(Stepped):
    """Four readers side by side, one of which is polled at a time, as their thread does."""

    def __init__(self) -> None:
        self.chips = {name: Pn532Chip() for name in ("north", "east", "south", "west")}
        for chip in self.chips.values():
            chip.neighbours = [other for other in self.chips.values() if other is not chip]
        self.lines = {name: DirectLine(chip) for name, chip in self.chips.items()}
        self.group = ReaderGroup(CardReader(name, name, open_port=line.open) for name, line in self.lines.items())
        super().__init__(lambda now: self.group.poll(now) or [], TICK)


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    assert made.step(1) == []
    return made


def test_a_card_counts_at_its_reader_within_one_round(bench: Bench) -> None:
    start = bench.now
    bench.chips["east"].field = [UID]
    [event] = bench.step(0.25)
    assert isinstance(event, TagPlaced)
    assert (event.reader, event.uid) == ("east", TEXT)
    assert event.at - start < 0.1


def test_a_table_at_rest_polls_less_and_the_first_card_is_seen_in_time_all_the_same(bench: Bench) -> None:
    bench.step(REST_AFTER)
    before = bench.chips["east"].polls
    bench.step(4)
    assert bench.chips["east"].polls - before <= 4 / REST_INTERVAL + 1
    for moment in range(13):  # wherever in the round it comes
        bench.step(REST_AFTER + moment * TICK)
        start = bench.now
        bench.chips["east"].field = [UID]
        [event] = bench.step(0.5)
        assert event.at - start <= REST_INTERVAL + 2 * TICK
        before = bench.chips["east"].polls
        bench.step(4)
        assert bench.chips["east"].polls - before > 4 / REST_INTERVAL + 10, "a card has come: it is at rest no more"
        bench.chips["east"].field = []
        bench.step(1)


def test_a_card_that_lies_there_all_evening_keeps_no_table_from_its_rest(bench: Bench) -> None:
    bench.chips["east"].field = [UID]
    bench.step(REST_AFTER + 1)
    assert bench.group.rests(bench.now)
    bench.chips["east"].field = []
    bench.step(2 * REST_INTERVAL)
    assert not bench.group.rests(bench.now), "it was missed"


def test_neighbours_look_at_once_when_a_card_waits_for_them(bench: Bench) -> None:
    held = []
    for _ in range(20):
        bench.chips["east"].field = [UID]
        events: list[Event] = []
        while not events:
            events = bench.step(TICK)
        held.append(bench.now - events[0].at)
        bench.chips["east"].field = []
        bench.step(0.5)
    assert max(held) <= 9 * TICK  # one turn for each of the three at once, and one in their order


def test_a_reader_in_trouble_holds_its_neighbours_up_less_and_less_often(bench: Bench) -> None:
    bench.chips["north"].faults = {Fault.PILE_STALLS}
    bench.chips["north"].field = [UID, bytes.fromhex("01A0B0C0")]
    bench.step(1)
    before = {name: chip.polls for name, chip in bench.chips.items()}
    bench.step(5)
    polls = {name: chip.polls - before[name] for name, chip in bench.chips.items()}
    assert 8 <= polls["north"] <= 12
    assert min(polls[name] for name in ("east", "south", "west")) > 50


def test_no_field_is_on_while_another_one_is(bench: Bench) -> None:
    bench.chips["east"].field = [UID]
    bench.step(5)
    assert all(chip.polls > 50 for chip in bench.chips.values())
    assert [chip.clashes for chip in bench.chips.values()] == [0] * 4


def test_a_chip_that_leaves_its_field_on_would_be_seen() -> None:
    bench = Bench()
    bench.step(1)
    bench.chips["west"].field_on = True
    bench.step(0.25)
    assert any(chip.clashes for chip in bench.chips.values())


@pytest.mark.parametrize("ghost", ["north", "east", "west"])
def test_a_card_that_the_neighbour_sees_too_is_one_conflict_and_no_card(bench: Bench, ghost: str) -> None:
    bench.chips[ghost].faults = {Fault.CROSS_TALK}
    bench.chips["south"].field = [UID]
    [event] = bench.step(5)
    assert isinstance(event, TagConflict)
    assert set(event.readers) == {"south", ghost}
    assert event.uid == TEXT
    bench.chips["south"].field = []
    assert bench.step(2) == []


def test_a_card_held_away_from_the_neighbour_then_counts(bench: Bench) -> None:
    bench.chips["north"].faults = {Fault.CROSS_TALK}
    bench.chips["south"].field = [UID]
    bench.step(1)
    bench.chips["north"].faults.clear()
    [event] = bench.step(1)
    assert isinstance(event, TagPlaced)
    assert event.reader == "south"


@pytest.mark.few(1)
@pytest.mark.parametrize("misses", ["south", "north"])
def test_a_card_that_one_of_two_readers_sees_at_every_second_poll_only_counts_at_neither(misses: str) -> None:
    for phase in range(40):
        bench = Bench()
        bench.step(1 + phase * TICK)
        bench.chips["north"].faults = {Fault.CROSS_TALK}
        bench.chips[misses].faults.add(Fault.EVERY_SECOND_POLL_MISSES)
        bench.chips["south"].field = [UID]
        assert kinds(bench.step(3)) == [TagConflict]


class Heard:
    """Two readers that speak by themselves, and the frames that come from them."""

    def __init__(self, kind: ReaderKind, *others: ReaderKind) -> None:
        self.waiting = [b"", b""]
        ports = [ScriptedPort(self.waiting, number) for number in (0, 1)]
        readers = [
            CardReader(name, name, kind=kind, open_port=partial(lambda port, path: port, port))
            for name, port in zip("ab", ports, strict=True)
        ]
        for number, other in enumerate(others):
            readers.append(CardReader(f"c{number}", "c", kind=other, open_port=DirectLine(Pn532Chip()).open))
        for reader in readers:
            reader.enrol([EM_TEXT])
        self.group = ReaderGroup(readers)
        self.kind = kind
        self.now = 0.0

    def run(self, seconds: float, frames: dict[float, int]) -> list[tuple[float, Event]]:
        """What is reported, and when; `frames`: at which time which reader tells the tag."""
        start = self.now
        out: list[tuple[float, Event]] = []
        due = sorted((start + at, reader) for at, reader in frames.items())
        while self.now < start + seconds:
            while due and due[0][0] <= self.now:
                end = RDM6300_END if self.kind is ReaderKind.RDM6300 else ID12LA_END
                self.waiting[due.pop(0)[1]] += frame_of(EM, end)
            out += [(self.now, event) for event in self.group.poll_all(self.now)]
            self.now += min(max(self.group.wait(self.now), 0.001), 0.02)
        return out


class ScriptedPort:
    """A port from which comes what lies in one place of a list."""

    def __init__(self, waiting: list[bytes], number: int) -> None:
        self._waiting, self._number = waiting, number

    @property
    def in_waiting(self) -> int:
        return len(self._waiting[self._number])

    def read(self, size: int) -> bytes:
        data = self._waiting[self._number]
        self._waiting[self._number] = data[size:]
        return data[:size]

    def write(self, data: bytes) -> int:
        return len(data)

    def reset_input_buffer(self) -> None:
        self._waiting[self._number] = b""

    def close(self) -> None:
        pass


TALKERS = [ReaderKind.RDM6300, ReaderKind.ID12LA]


@pytest.mark.parametrize("kind", TALKERS)
@pytest.mark.parametrize("lag", [0.0, 0.005, 0.03, 0.1, 0.2, 0.28])
def test_the_first_card_of_the_evening_that_two_readers_tell_at_different_times_is_a_conflict(
    kind: ReaderKind, lag: float
) -> None:
    for first in (0, 1):
        heard = Heard(kind)
        heard.run(1, {})
        [(_, event)] = heard.run(0.9, {0.01 * first: first, 0.01 * first + lag + 0.001: 1 - first})
        assert isinstance(event, TagConflict)


@pytest.mark.parametrize("kind", TALKERS)
def test_where_readers_speak_by_themselves_a_card_waits_a_third_of_a_second_and_no_longer(kind: ReaderKind) -> None:
    for phase in range(8):
        heard = Heard(kind)
        heard.run(1 + phase * 0.011, {})
        [(told, event)] = heard.run(0.45, {0.0: 0})
        assert isinstance(event, TagPlaced)
        assert TELL_TIME - 0.001 <= told - event.at <= 0.35


def test_a_reader_without_neighbours_makes_nobody_wait(bench: Bench) -> None:
    chip = Pn532Chip()
    alone = ReaderGroup([CardReader("alone", "alone", open_port=DirectLine(chip).open)])
    alone.poll(0.0)
    chip.field = [UID]
    assert kinds(alone.poll(0.1) or []) == [TagPlaced]


def test_polls_of_readers_of_another_family_end_no_wait_and_no_dispute() -> None:
    heard = Heard(ReaderKind.RDM6300, ReaderKind.PN532)
    heard.run(1, {})
    again = {0.065 * number: number % 2 for number in range(60)}
    assert kinds([event for _, event in heard.run(3.9, again)]) == [TagConflict]


def test_phantoms_of_one_poll_do_not_keep_a_card_from_counting(bench: Bench) -> None:
    bench.chips["north"].faults = {Fault.PHANTOM}
    bench.chips["south"].field = [UID]
    events = bench.step(3)
    assert [event.reader for event in events if isinstance(event, TagPlaced) and event.uid == TEXT] == ["south"]


def test_a_reader_that_is_gone_or_deaf_does_not_keep_the_others_from_reading(bench: Bench) -> None:
    bench.lines["north"].unplug()
    bench.chips["east"].faults = {Fault.DEAF}
    events = bench.step(4)
    assert [event.device for event in events if isinstance(event, DeviceLost)] == ["north", "east"]
    bench.chips["south"].field = [UID]
    assert [type(event) for event in bench.step(0.25)] == [TagPlaced]
    bench.lines["north"].plug()
    assert [type(event) for event in bench.step(10)] == [DeviceBack]


def test_unplugged_and_plugged_in_mid_trick_nothing_is_lost_and_nothing_counts_twice(bench: Bench) -> None:
    bench.chips["east"].field = [UID]
    bench.step(0.5)
    bench.lines["east"].unplug()
    bench.step(0.5)
    bench.lines["east"].plug()
    assert [type(event) for event in bench.step(5)] == [DeviceBack]
    bench.chips["east"].field = [bytes.fromhex("01A0B0C0")]
    assert [event.uid for event in bench.step(0.5) if isinstance(event, TagPlaced)] == ["01A0B0C0"]


def test_a_pile_on_one_reader_is_said_and_the_others_read_on(bench: Bench) -> None:
    bench.chips["north"].faults = {Fault.PILE_STALLS}
    bench.chips["north"].field = [UID, bytes.fromhex("01A0B0C0"), bytes.fromhex("04112233445566")]
    stalled = bench.step(2)
    assert [type(event) for event in stalled] == [ReaderStalled]
    bench.chips["west"].field = [bytes.fromhex("04778899AABBCC")]
    assert [type(event) for event in bench.step(0.25)] == [TagPlaced]
