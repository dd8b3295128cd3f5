"""Readers of every kind over simulated wires: what each can see, stalls, resets, and what the counters say."""

import pytest
from at_wires import Stepped, kinds

from hal.em4100 import frame_of
from hal.events import DeviceBack, DeviceLost, Event, ReaderStalled, TagLifted, TagPlaced
from hal.reader import BOOT_TIME, CardReader
from hal.reader_kinds import CAPABILITIES, ReaderKind
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip, TalkerChip, typed
from hal.tags import Family, uid_text

NAME = "seat 2 reader"
TICK = 0.0625
ONE_SHOT = [ReaderKind.ID12LA, ReaderKind.KEYBOARD]
SEES_LIFTS = [ReaderKind.PN532, ReaderKind.RDM6300]
UIDS = {
    Family.TYPE_A: bytes.fromhex("04A1B2C3D4E5F6"),
    Family.EM4100: bytes.fromhex("62E3086CED"),
    Family.KEYS: bytes.fromhex("0006543210"),
}
OTHERS = {
    Family.TYPE_A: bytes.fromhex("01A0B0C0"),
    Family.EM4100: bytes.fromhex("0102030405"),
    Family.KEYS: bytes.fromhex("0006543211"),
}


def chip_of(kind: ReaderKind) -> Pn532Chip | TalkerChip:
    match kind:
        case ReaderKind.PN532:
            return Pn532Chip()
        case ReaderKind.KEYBOARD:
            return KeyboardChip()
        case _:
            return Em4100Chip(repeats=kind is ReaderKind.RDM6300)


class Pin:
    """A reset line: it puts the chip's own pin low while it is on."""

    def __init__(self, chip: Pn532Chip) -> None:
        self.chip = chip
        self.pulses: list[tuple[bool, float]] = []

    def set(self, level: bool, now: float) -> list[Event]:
        self.pulses.append((level, now))
        self.chip.pin(not level)
        return []


class Bench(Stepped):
    """A reader of some kind on a line without threads."""

    def __init__(self, kind: ReaderKind, release: float | None = None, settle: float = 0.0) -> None:
        family = CAPABILITIES[kind].family
        self.uid, self.other = UIDS[family], OTHERS[family]
        self.text = uid_text(self.uid, family)
        self.chip = chip_of(kind)
        self.line = DirectLine(self.chip)
        self.pin = Pin(self.chip) if isinstance(self.chip, Pn532Chip) else None
        self.reader = CardReader(NAME, "port", settle, self.line.open, kind, release)
        self.reader.enrol([self.text, uid_text(self.other, family)])
        super().__init__(lambda now: self.reader.poll(now), TICK)

    def tap(self, uid: bytes, seconds: float = 0.25) -> list[Event]:
        """Hold a tag to the reader and take it away."""
        self.chip.field = [uid]
        events = self.step(seconds)
        self.chip.field = []
        return events + self.step(seconds)


@pytest.fixture(params=list(ReaderKind))
def any_bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


# What is declared


def test_every_kind_declares_what_it_can_do() -> None:
    assert set(CAPABILITIES) == set(ReaderKind)
    assert [kind for kind, able in CAPABILITIES.items() if able.sees_lifts] == SEES_LIFTS
    assert [kind for kind, able in CAPABILITIES.items() if able.answers] == [ReaderKind.PN532]
    assert {kind: able.tags_at_once for kind, able in CAPABILITIES.items()} == {
        ReaderKind.PN532: 2, ReaderKind.RDM6300: 1, ReaderKind.ID12LA: 1, ReaderKind.KEYBOARD: 1,
    }  # fmt: skip


# Placed, still there, lifted


def test_a_card_that_lies_still_counts_once(any_bench: Bench) -> None:
    any_bench.step(0.5)
    any_bench.chip.field = [any_bench.uid]
    [event] = any_bench.step(30)
    assert isinstance(event, TagPlaced)
    assert event.uid == any_bench.text


@pytest.mark.parametrize("kind", SEES_LIFTS)
def test_a_card_that_leaves_is_lifted_where_that_can_be_seen(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.chip.field = [bench.uid]
    bench.step(1)
    bench.chip.field = []
    start = bench.now
    [event] = bench.step(2)
    assert isinstance(event, TagLifted)
    assert CAPABILITIES[kind].release <= event.at - start < CAPABILITIES[kind].release + 0.25


@pytest.mark.parametrize("kind", ONE_SHOT)
def test_where_lifts_cannot_be_seen_none_is_said(kind: ReaderKind) -> None:
    bench = Bench(kind)
    assert kinds(bench.tap(bench.uid, 5)) == [TagPlaced]


@pytest.mark.parametrize("kind", ONE_SHOT)
def test_a_card_that_is_lowered_in_fits_and_starts_counts_once(kind: ReaderKind) -> None:
    bench = Bench(kind)
    # The window runs from the last read, not from the one that counted.
    assert kinds([event for _ in range(20) for event in bench.tap(bench.uid)]) == [TagPlaced]
    bench.step(1.5)
    assert kinds(bench.tap(bench.uid)) == [TagPlaced]


@pytest.mark.parametrize("kind", ONE_SHOT)
def test_another_card_counts_at_once(kind: ReaderKind) -> None:
    bench = Bench(kind)
    events = bench.tap(bench.uid) + bench.tap(bench.other)
    assert kinds(events) == [TagPlaced, TagPlaced]


@pytest.mark.parametrize("kind", ONE_SHOT)
def test_a_card_taken_back_counts_again_within_the_window(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.tap(bench.uid)
    bench.reader.forget()
    assert kinds(bench.tap(bench.uid)) == [TagPlaced]


@pytest.mark.parametrize("kind", list(ReaderKind))
def test_the_release_time_can_be_set(kind: ReaderKind) -> None:
    bench = Bench(kind, release=3.0)
    bench.tap(bench.uid)
    bench.step(1.5)
    assert bench.tap(bench.uid) == []
    bench.step(4)
    assert TagPlaced in kinds(bench.tap(bench.uid))


@pytest.mark.parametrize("kind", SEES_LIFTS)
def test_the_settle_time_can_be_set(kind: ReaderKind) -> None:
    bench = Bench(kind, settle=0.5)
    assert bench.tap(bench.uid) == []
    bench.step(1)
    assert TagPlaced in kinds(bench.tap(bench.uid, 1))


# Faults of a field and of a wire

STILL = {
    ReaderKind.PN532: [
        {Fault.EVERY_SECOND_POLL_MISSES}, {Fault.GARBLED_FRAMES}, {Fault.CUT_FRAMES}, {Fault.NOISE},
        {Fault.TAG_STAYS_SELECTED},
    ],
    ReaderKind.RDM6300: [
        {Fault.EVERY_SECOND_POLL_MISSES}, {Fault.GARBLED_FRAMES}, {Fault.CUT_FRAMES}, {Fault.NOISE},
    ],
}  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("kind", "faults"),
    [(kind, faults) for kind, sets in STILL.items() for faults in sets],
    ids=lambda value: value if isinstance(value, str) else " and ".join(value),
)
def test_a_card_that_lies_still_counts_once_whatever_the_wire_does(kind: ReaderKind, faults: set[Fault]) -> None:
    bench = Bench(kind)
    bench.step(1)
    bench.chip.field, bench.chip.faults = [bench.uid], faults
    assert kinds(bench.step(60)) == [TagPlaced]
    assert bench.reader.presence_counts.lifted == 0


@pytest.mark.parametrize("kind", [ReaderKind.RDM6300, ReaderKind.ID12LA])
def test_phantoms_of_a_weak_reader_place_nothing(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.chip.faults = {Fault.PHANTOM}
    assert not [event for event in bench.step(60) if isinstance(event, TagPlaced)]


def test_an_answer_that_comes_late_is_not_taken_for_the_next_one() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.field, bench.chip.faults = [bench.uid], {Fault.LATE_ANSWER}
    assert bench.step(0.5) == []
    bench.chip.field, bench.chip.faults = [], set()
    assert bench.step(2) == []


def test_with_every_answer_late_the_reader_is_lost_and_comes_back() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.faults = {Fault.LATE_ANSWER}
    assert kinds(bench.step(20)) == [DeviceLost]
    bench.chip.faults = set()
    assert kinds(bench.step(20)) == [DeviceBack]


# A pile


def test_a_pile_is_said_once_and_when_it_is_gone_the_reader_reads_on() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.field, bench.chip.faults = [bench.uid, bench.other], {Fault.PILE_STALLS}
    [event] = bench.step(6)
    assert isinstance(event, ReaderStalled)
    assert event.at == pytest.approx(2.0, abs=0.1)
    assert bench.reader.connected
    bench.chip.field = []
    assert bench.step(1) == []
    assert kinds(bench.tap(bench.uid, 0.5)) == [TagPlaced, TagLifted]


def test_a_stalled_reader_is_started_anew_again_and_again() -> None:
    bench = Bench(ReaderKind.PN532)
    chip = bench.chip
    started: list[float] = []
    assert isinstance(chip, Pn532Chip)
    bench.step(1)
    configure = chip._commands[0x14]

    def noted(arguments: bytes) -> bytes | None:
        started.append(bench.now)
        return configure(arguments)

    chip._commands[0x14] = noted
    bench.chip.field, bench.chip.faults = [bench.uid, bench.other], {Fault.PILE_STALLS}
    bench.step(5)
    assert started == [2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_pile_that_stays_for_long_makes_a_lost_reader_that_comes_back_when_it_is_gone() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.field, bench.chip.faults = [bench.uid, bench.other], {Fault.PILE_STALLS}
    assert kinds(bench.step(60)) == [ReaderStalled, DeviceLost]
    bench.chip.field = []
    assert kinds(bench.step(20)) == [DeviceBack]


def test_two_tags_on_a_reader_that_cannot_tell_them_apart_are_said() -> None:
    bench = Bench(ReaderKind.RDM6300)
    bench.tap(bench.uid)
    bench.step(1)
    bench.chip.field = [bench.uid, bench.other]
    assert kinds(bench.step(5)) == [ReaderStalled]


@pytest.mark.parametrize(
    "garbage",
    [frame_of(bytes.fromhex("62E3086CED"))[1:], b"\x03\xff0D", bytes(20), b"\x0262E3086CED09\x03"],
    ids=["start lost", "noise", "line held low", "sum wrong"],
)
def test_what_nobody_understands_is_a_stall_and_lifts_no_card(garbage: bytes) -> None:
    bench = Bench(ReaderKind.RDM6300)
    bench.chip.field = [bench.uid]
    assert kinds(bench.step(1)) == [TagPlaced]
    said, bench.chip.feed = bench.chip.feed, lambda data: garbage  # type: ignore[method-assign]
    [event] = bench.step(5)
    assert isinstance(event, ReaderStalled)
    bench.chip.feed = said  # type: ignore[method-assign]
    assert bench.step(5) == []
    assert bench.reader.presence_counts.lifted == 0
    bench.chip.field = []
    assert kinds(bench.step(1)) == [TagLifted]


@pytest.mark.parametrize("kind", list(ReaderKind))
def test_a_reader_of_any_kind_that_is_not_understood_is_stalled_or_lost_and_then_reads_on(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.step(1)
    said = bench.chip.feed
    garbage = typed("1", enter=False) if kind is ReaderKind.KEYBOARD else bytes.fromhex("55 AA 0D")
    bench.chip.feed = lambda data: garbage  # type: ignore[method-assign]
    assert kinds(bench.step(6)) == [DeviceLost if kind is ReaderKind.PN532 else ReaderStalled]
    bench.chip.feed = said  # type: ignore[method-assign]
    bench.step(6)
    bench.tap(bench.other)  # of a reader that types, the first number is taken for a tail
    assert TagPlaced in kinds(bench.tap(bench.uid))


def test_a_card_laid_on_another_is_a_stall_and_lifts_none() -> None:
    bench = Bench(ReaderKind.RDM6300)
    bench.chip.field = [bench.uid]
    bench.step(1)
    bench.chip.field = [bench.uid, bench.other]
    assert kinds(bench.step(5)) == [ReaderStalled]
    bench.chip.field = [bench.uid]
    assert bench.step(2) == []


# Losing the port, and the chip


def test_a_reader_pulled_out_is_lost_once(any_bench: Bench) -> None:
    any_bench.step(1)
    any_bench.line.unplug()
    assert kinds(any_bench.step(10)) == [DeviceLost]
    assert not any_bench.reader.connected


@pytest.mark.parametrize("kind", [ReaderKind.PN532, ReaderKind.KEYBOARD])
def test_a_reader_that_can_show_what_it_is_is_back_by_itself(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.line.unplug()
    bench.step(1)
    bench.line.plug()
    assert kinds(bench.step(5)) == [DeviceBack]
    assert bench.reader.connected


@pytest.mark.parametrize("kind", [ReaderKind.RDM6300, ReaderKind.ID12LA])
def test_a_reader_that_only_speaks_when_a_card_comes_is_back_with_the_first_card(kind: ReaderKind) -> None:
    bench = Bench(kind)
    bench.line.unplug()
    bench.step(1)
    bench.line.plug()
    assert bench.step(15) == []
    assert not bench.reader.connected
    bench.chip.field = [bench.uid]
    assert kinds(bench.step(0.25)) == [DeviceBack, TagPlaced]
    assert bench.reader.connected


def test_a_card_that_lay_there_before_a_blip_does_not_count_again(any_bench: Bench) -> None:
    any_bench.chip.field = [any_bench.uid]
    any_bench.step(1)
    any_bench.line.unplug()
    any_bench.step(0.5)
    any_bench.line.plug()
    assert TagPlaced not in kinds(any_bench.step(5))


def with_pin(faults: set[Fault]) -> tuple[Bench, Pin]:
    bench = Bench(ReaderKind.PN532)
    assert bench.pin is not None
    bench.reader = CardReader(NAME, "port", open_port=bench.line.open, reset=bench.pin)
    bench.step(1)
    bench.chip.faults = faults
    return bench, bench.pin


def test_a_chip_that_only_its_pin_wakes_is_reset_and_back() -> None:
    bench, pin = with_pin({Fault.DEAF_UNTIL_RESET})
    assert kinds(bench.step(5)) == [DeviceLost, DeviceBack]
    (down, since), (up, until) = pin.pulses
    assert (down, up) == (True, False)
    assert until - since >= 0.5


def test_after_a_reset_the_chip_is_given_time_to_start() -> None:
    bench, pin = with_pin({Fault.DEAF_UNTIL_RESET})
    events = bench.step(5)
    assert events[-1].at - pin.pulses[-1][1] >= BOOT_TIME


def test_without_a_pin_such_a_chip_stays_lost_until_it_is_plugged_in_again() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.faults = {Fault.DEAF_UNTIL_RESET}
    assert kinds(bench.step(60)) == [DeviceLost]
    bench.line.unplug()
    bench.line.plug()
    assert kinds(bench.step(15)) == [DeviceBack]


def test_a_chip_that_is_broken_is_reset_at_every_try_and_told_once() -> None:
    bench, pin = with_pin({Fault.DEAF})
    assert kinds(bench.step(60)) == [DeviceLost]
    assert len(pin.pulses) >= 8


# Counters


def test_the_counters_tell_flicker_false_lifts_and_clean_polls() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.chip.field = [bench.uid]
    bench.chip.faults = {Fault.EVERY_SECOND_POLL_MISSES}
    bench.step(2)
    counts = bench.reader.presence_counts
    assert (counts.placed, counts.lifted, counts.false_lifts) == (1, 0, 0)
    assert counts.flickers >= 14
    bench.chip.faults = set()
    bench.chip.field = []
    bench.step(0.5)
    bench.chip.field = [bench.uid]
    bench.step(0.5)
    assert (counts.placed, counts.lifted, counts.false_lifts) == (2, 1, 1)
    assert bench.reader.counts.garbled == 0
    assert bench.reader.counts.clean > 30


def test_a_lift_after_which_the_card_stays_away_is_a_true_one() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.tap(bench.uid, 0.5)
    bench.step(2)
    bench.tap(bench.uid, 0.5)
    assert bench.reader.presence_counts.false_lifts == 0


def test_losses_and_stalls_are_counted() -> None:
    bench = Bench(ReaderKind.PN532)
    bench.step(1)
    bench.chip.field, bench.chip.faults = [bench.uid, bench.other], {Fault.PILE_STALLS}
    bench.step(20)
    assert (bench.reader.counts.stalls, bench.reader.counts.losses) == (1, 1)
    assert bench.reader.counts.garbled > 10
