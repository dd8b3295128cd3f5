"""The 125 kHz readers: frames out of a stream that begins anywhere, and a sum that is not to be trusted."""

from random import Random

import pytest

from hal.em4100 import ID12LA_END, PARTIAL_TIME, RDM6300_END, TWICE_TIME, Em4100Driver, FrameParser, Heard, frame_of
from hal.sim.faults import Fault
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import Em4100Chip
from hal.tags import Garbled, Nothing, PollResult, Tags

UID = bytes.fromhex("62E3086CED")
OTHER = bytes.fromhex("4C00A1B2C3")
GOLDEN = b"\x0262E3086CED08\x03"
GOLDEN_ID12LA = b"\x0262E3086CED08\r\n\x03"


def heard(data: bytes, end: bytes = RDM6300_END, now: float = 0.0) -> list[Heard | Garbled]:
    return FrameParser(end).feed(data, now)


def uids(found: list[Heard | Garbled]) -> list[bytes]:
    return [one.uid for one in found if isinstance(one, Heard)]


# Frames


@pytest.mark.parametrize(("data", "end"), [(GOLDEN, RDM6300_END), (GOLDEN_ID12LA, ID12LA_END)])
def test_golden_frames(data: bytes, end: bytes) -> None:
    assert heard(data, end) == [Heard(UID)]
    assert frame_of(UID, end) == data


@pytest.mark.parametrize(
    "data",
    [
        b"\x0262E3086CED09\x03",  # the sum
        b"\x0262E3086CEC08\x03",  # a digit
        b"\x0262E3086CED08\x04",  # the end
        b"\x0262e3086ced08\x03",  # lower case: bit 5 of four digits flipped
        b"\x0262E3086CEG08\x03",
        b"\x0262E3086CED08\r",
        b"\x02000000000000\x03",  # phantoms: their sums are right
        b"\x02FFFFFFFFFFFF\x03",
    ],
)
def test_golden_frames_that_are_wrong(data: bytes) -> None:
    [found] = heard(data)
    assert isinstance(found, Garbled)


def test_the_first_byte_belongs_to_the_sum_and_to_the_number() -> None:
    assert uids(heard(frame_of(bytes.fromhex("0100000001")))) == [bytes.fromhex("0100000001")]


@pytest.mark.parametrize("size", range(1, 15))
def test_frames_may_be_cut_anywhere(size: int) -> None:
    parser, data = FrameParser(), GOLDEN + frame_of(OTHER)
    found = [one for at in range(0, len(data), size) for one in parser.feed(data[at : at + size], 0.0)]
    assert found == [Heard(UID), Heard(OTHER)]


def test_a_start_in_the_middle_of_a_frame_begins_the_true_one() -> None:
    assert uids(heard(GOLDEN[:7] + GOLDEN)) == [UID]


def test_a_stream_that_begins_in_the_middle_of_a_frame_is_understood_from_the_next_on() -> None:
    assert heard(GOLDEN[5:] + GOLDEN) == [Heard(UID)]


def test_a_frame_without_end_is_given_up_at_its_length() -> None:
    parser = FrameParser()
    found = parser.feed(b"\x02" + b"0" * 1000, 0.0)
    assert len(found) == 1
    assert not parser._buffer
    assert parser.feed(GOLDEN, 0.0) == [Heard(UID)]


def test_half_a_frame_does_not_wait_for_ever_for_its_other_half() -> None:
    parser = FrameParser()
    assert parser.feed(GOLDEN[:6], 0.0) == []
    [lost] = parser.feed(GOLDEN[6:], PARTIAL_TIME + 0.1)
    assert isinstance(lost, Garbled)
    assert parser.feed(GOLDEN, 1.0) == [Heard(UID)]


def test_half_a_frame_waits_long_enough_for_a_slow_adapter() -> None:
    parser = FrameParser()
    assert parser.feed(GOLDEN[:6], 0.0) == []
    assert parser.feed(GOLDEN[6:], 0.1) == [Heard(UID)]


def test_noise_between_frames_costs_no_frame() -> None:
    chance, parser = Random(6), FrameParser()
    for number in range(2000):
        uid = chance.randbytes(4) + b"\x01"
        noise = bytes(byte for byte in chance.randbytes(chance.randrange(30)) if byte != 0x02)
        assert Heard(uid) in parser.feed(noise + frame_of(uid), number / 10)


@pytest.mark.parametrize(
    "data",
    [b"\xff", GOLDEN[1:], b"\x03" + GOLDEN[1:], GOLDEN_ID12LA[1:] * 3, b"62E3086CED08", bytes(200)],
    ids=["a byte", "start lost", "start damaged", "three without start", "digits alone", "line held low"],
)
@pytest.mark.parametrize("end", [RDM6300_END, ID12LA_END])
def test_bytes_without_any_start_are_no_silence(data: bytes, end: bytes) -> None:
    parser = FrameParser(end)
    for now in (0.0, 0.08):
        [found] = parser.feed(data, now)
        assert isinstance(found, Garbled)
    assert parser.feed(b"", 0.16) == []


def test_two_streams_do_not_mix() -> None:
    first, second = FrameParser(), FrameParser()
    mixed: list[tuple[list[Heard | Garbled], list[Heard | Garbled]]] = [
        (first.feed(bytes([a]), 0.0), second.feed(bytes([b]), 0.0))
        for a, b in zip(frame_of(UID), frame_of(OTHER), strict=True)
    ]
    assert mixed[-1] == ([Heard(UID)], [Heard(OTHER)])


# The driver


class Reader:
    """A driver over a chip, polled every 80 ms."""

    def __init__(self, chip: Em4100Chip, enrolled: tuple[bytes, ...] = (UID,)) -> None:
        end = RDM6300_END if chip._repeats else ID12LA_END
        self.driver = Em4100Driver(DirectLine(chip).open("port"), enrolled.__contains__, end)
        self.driver.start(0.0)
        self.now = 0.0

    def poll(self) -> PollResult:
        self.now += 0.08
        return self.driver.poll(self.now)

    def polls(self, count: int) -> list[PollResult]:
        return [self.poll() for _ in range(count)]


def test_an_rdm6300_repeats_an_id12la_tells_once() -> None:
    repeating, once = Em4100Chip(), Em4100Chip(repeats=False)
    repeating.field, once.field = [UID], [UID]
    assert Reader(repeating).polls(4) == [Tags((UID,))] * 4
    assert Reader(once).polls(4) == [Tags((UID,)), *[Nothing()] * 3]


def test_silence_is_nothing_and_proves_nothing() -> None:
    reader = Reader(Em4100Chip())
    assert reader.polls(3) == [Nothing()] * 3
    assert not reader.driver.proven


def test_a_frame_proves_that_a_reader_is_there() -> None:
    chip = Em4100Chip()
    reader = Reader(chip)
    chip.field = [UID]
    reader.poll()
    assert reader.driver.proven


def test_a_tag_of_the_table_counts_by_one_frame_and_another_by_two() -> None:
    chip = Em4100Chip()
    reader = Reader(chip)
    chip.field = [OTHER]
    first, second = reader.polls(2)
    assert isinstance(first, Garbled)
    assert second == Tags((OTHER,))


def test_two_frames_far_apart_do_not_confirm_each_other() -> None:
    chip = Em4100Chip(repeats=False)
    reader = Reader(chip)
    for _ in range(2):
        chip.field = [OTHER]
        assert isinstance(reader.poll(), Garbled)
        chip.field = []
        reader.poll()
        reader.now += TWICE_TIME


def test_damaged_frames_never_make_a_tag_that_is_not_there() -> None:
    wrong = 0
    for seed in range(20):
        chip = Em4100Chip(seed=seed)
        chip.faults = {Fault.GARBLED_FRAMES, Fault.CUT_FRAMES}
        chip.field = [UID]
        results = Reader(chip).polls(200)
        wrong += sum(isinstance(result, Garbled) for result in results)
        assert {result.uids for result in results if isinstance(result, Tags)} == {(UID,)}
    assert wrong > 100


def test_phantoms_of_one_frame_are_no_tags() -> None:
    chip = Em4100Chip(seed=3)
    chip.faults = {Fault.PHANTOM}
    results = Reader(chip).polls(500)
    assert not any(isinstance(result, Tags) for result in results)
    assert any(isinstance(result, Garbled) for result in results)


def test_two_tags_on_one_reader_are_garbled_and_neither_is_guessed() -> None:
    chip = Em4100Chip()
    chip.field = [UID, OTHER]
    results = Reader(chip, (UID, OTHER)).polls(20)
    assert not any(isinstance(result, Tags) for result in results)


def test_noise_beside_frames_makes_nothing_late() -> None:
    chip = Em4100Chip()
    chip.faults = {Fault.NOISE}
    reader = Reader(chip)
    chip.field = [UID]
    assert reader.polls(20) == [Tags((UID,))] * 20
    chip.field = []
    assert reader.poll() == Nothing()


def test_frames_that_begin_and_never_end_are_garbled_at_every_poll_from_the_first_that_fails() -> None:
    class Collision(Em4100Chip):
        def feed(self, data: bytes) -> bytes:
            return (GOLDEN[:-3], GOLDEN[1:-3], GOLDEN[:4])[self.chance.randrange(3)]

    assert all(isinstance(result, Garbled) for result in Reader(Collision()).polls(50)[2:])


def test_a_frame_that_comes_in_two_polls_is_not_garbled() -> None:
    class Halves(Em4100Chip):
        def feed(self, data: bytes) -> bytes:
            self.polls += 1
            return GOLDEN[:7] if self.polls % 2 else GOLDEN[7:]

    assert Reader(Halves()).polls(6) == [Nothing(), Tags((UID,))] * 3


def test_two_tags_at_once_garble_now_and_then_the_start_of_their_frames_too() -> None:
    chip = Em4100Chip()
    chip.field = [UID, OTHER]
    assert {chip.feed(b"")[:1] == b"\x02" for _ in range(40)} == {True, False}


def test_what_came_before_anybody_listened_is_dropped() -> None:
    chip = Em4100Chip(repeats=False)
    chip.field = [UID]
    port = DirectLine(chip).open("port")
    assert port.in_waiting  # the frame has come and lies there
    driver = Em4100Driver(port, {UID}.__contains__, ID12LA_END)
    driver.start(0.0)
    assert driver.poll(0.1) == Nothing()


def test_a_line_that_never_falls_silent_does_not_hold_the_thread() -> None:
    class Babble(Em4100Chip):
        def feed(self, data: bytes) -> bytes:
            return b"\x02" * 10_000

    reader = Reader(Babble())
    assert isinstance(reader.poll(), Garbled)
