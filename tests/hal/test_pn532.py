"""The PN532 driver: what it sends, what it makes of answers, and that nothing can hold it."""

from collections.abc import Iterable

import pytest
from at_wires import FOUR, SEVEN, THIRD, answer

from hal.errors import ReaderError, TablerefHardwareError
from hal.pn532 import READ_TIMEOUT, Firmware, Pn532, tags_of
from hal.pn532_frames import ACK, ERROR_FRAME, NACK, frame
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine, DirectPort
from hal.tags import Garbled, Nothing, Tags, uid_text


class ScriptedPort:
    """A port whose reads are written down beforehand; b"" is a timeout that passes."""

    def __init__(self, reads: Iterable[bytes] = ()) -> None:
        self.reads = list(reads)
        self.written: list[bytes] = []
        self.flushes = 0

    @property
    def in_waiting(self) -> int:
        return len(self.reads[0]) if self.reads else 0

    def read(self, size: int) -> bytes:
        return self.reads.pop(0) if self.reads else b""

    def write(self, data: bytes) -> int:
        self.written.append(data)
        return len(data)

    def reset_input_buffer(self) -> None:
        self.flushes += 1

    def close(self) -> None:
        raise AssertionError("the driver does not own the port")


def started(chip: Pn532Chip, chunk: int = 0) -> Pn532:
    driver = Pn532(DirectLine(chip, chunk).open("port"))
    driver.start()
    return driver


FIELD_IS_OFF = ACK + answer("33")


# Starting


def test_a_sleeping_chip_is_woken_and_named() -> None:
    chip = Pn532Chip()
    assert Pn532(DirectLine(chip).open("port")).start() == Firmware(version=1, revision=6, support=7)
    assert not chip.asleep


def test_a_chip_that_is_awake_already_can_be_started_again() -> None:
    chip = Pn532Chip()
    started(chip)
    assert Pn532(DirectLine(chip).open("port")).start().version == 1


def test_a_search_left_over_from_an_earlier_run_is_aborted() -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.feed(frame(0xD4, bytes.fromhex("32 05 FF 01 FF")) + frame(0xD4, bytes.fromhex("4A 01 00")))
    assert driver.start().version == 1
    assert driver.poll() == Nothing()


def test_the_field_is_off_until_the_first_poll() -> None:
    chip = Pn532Chip()
    started(chip)
    assert not chip.field_on
    assert chip.polls == 0


def test_silence_at_the_start_is_an_error_of_this_room() -> None:
    chip = Pn532Chip()
    chip.faults.add(Fault.DEAF)
    with pytest.raises(ReaderError, match="no acknowledgement") as caught:
        started(chip)
    assert isinstance(caught.value, TablerefHardwareError)
    assert isinstance(caught.value, OSError)


def test_another_chip_is_not_taken_for_a_pn532() -> None:
    other = answer("03 33 01 06 07")
    with pytest.raises(ReaderError, match="not a PN532: version answer 33 01 06 07"):
        Pn532(ScriptedPort([ACK + answer("15"), ACK + other])).start()


def test_an_echo_of_what_was_sent_is_not_an_answer() -> None:
    class Loop(ScriptedPort):
        def write(self, data: bytes) -> int:
            self.reads.append(data)
            return len(data)

    with pytest.raises(ReaderError, match="no a"):
        Pn532(Loop()).start()


# Polling


@pytest.mark.parametrize("chunk", [0, 1, 2, 3, 5, 6, 7, 11])
@pytest.mark.parametrize(
    ("field", "result"),
    [
        ([], Nothing()),
        ([FOUR], Tags((FOUR,))),
        ([SEVEN], Tags((SEVEN,))),
        ([FOUR, SEVEN], Tags((FOUR, SEVEN))),
        ([SEVEN, THIRD, FOUR], Tags((SEVEN, THIRD))),
    ],
    ids=["none", "4 bytes", "7 bytes", "two", "three: two are seen"],
)
def test_a_poll_tells_the_tags_however_the_answer_is_cut(field: list[bytes], result: object, chunk: int) -> None:
    chip = Pn532Chip()
    driver = started(chip, chunk)
    chip.field = field
    assert driver.poll() == result
    assert driver.poll() == result


@pytest.mark.parametrize("field", [[], [SEVEN]])
def test_the_field_is_off_between_polls(field: list[bytes]) -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.field = field
    driver.poll()
    assert chip.polls == 1
    assert not chip.field_on


def test_a_tag_that_stays_selected_is_found_by_every_poll() -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.field, chip.faults = [SEVEN], {Fault.TAG_STAYS_SELECTED}
    assert [driver.poll() for _ in range(4)] == [Tags((SEVEN,))] * 4


def test_noise_before_every_frame_does_no_harm() -> None:
    chip = Pn532Chip()
    chip.faults.add(Fault.NOISE)
    for chunk in (0, 1, 4):
        driver = started(chip, chunk)
        chip.field = [FOUR]
        assert driver.poll() == Tags((FOUR,))


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (Fault.DEAF, "no acknowledgement"),
        (Fault.BAD_CHECKSUM, "damaged frame"),
        (Fault.LOST_ACK, "no acknowledgement"),
    ],
)
def test_a_poll_without_clean_answer_is_garbled_and_not_empty(fault: Fault, why: str) -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.field, chip.faults = [SEVEN], {fault}
    result = driver.poll()
    assert isinstance(result, Garbled)
    assert why in result.why
    chip.faults.clear()
    assert driver.poll() == Tags((SEVEN,))


def damaged(hex_body: str) -> bytes:
    whole = bytearray(answer(hex_body))
    whole[-3] ^= 0x04
    return bytes(whole)


class AnsweringPort(ScriptedPort):
    """A port whose far end says the next of its answers when it is written to; a read in vain is noted."""

    def __init__(self, answers: Iterable[bytes]) -> None:
        super().__init__()
        self.answers = list(answers)
        self.waits = 0

    def read(self, size: int) -> bytes:
        self.waits += not self.reads
        return super().read(size)

    def write(self, data: bytes) -> int:
        if self.answers:
            self.reads.append(self.answers.pop(0))
        return super().write(data)


def test_an_answer_whose_sum_is_wrong_is_asked_for_anew_at_once() -> None:
    port = AnsweringPort([ACK + damaged("4B 00"), answer("4B 00"), FIELD_IS_OFF])
    assert Pn532(port).poll() == Nothing()
    assert port.written[1].endswith(NACK)
    assert (len(port.written), port.waits) == (3, 0)


def test_an_answer_that_was_cut_off_is_asked_for_anew_when_nothing_more_comes() -> None:
    port = ScriptedPort([ACK + answer("4B 00")[:6], b"", answer("4B 00"), FIELD_IS_OFF])
    assert Pn532(port).poll() == Nothing()
    assert port.written[1].endswith(NACK)


def test_what_is_damaged_time_and_again_is_given_up() -> None:
    port = AnsweringPort([ACK + damaged("4B 00"), damaged("4B 00"), damaged("4B 00"), FIELD_IS_OFF])
    result = Pn532(port).poll()
    assert isinstance(result, Garbled)
    assert [sent.endswith(NACK) for sent in port.written] == [False, True, True, False, False]
    assert port.written[3] == ACK


def test_noise_with_the_true_answer_behind_it_is_not_asked_for_anew() -> None:
    port = ScriptedPort([ACK + damaged("4B 00"), answer("4B 00"), FIELD_IS_OFF])
    port.reads[0:2] = [port.reads[0] + port.reads[1]]
    assert Pn532(port).poll() == Nothing()
    assert len(port.written) == 2


def test_silence_is_not_asked_for_anew() -> None:
    port = ScriptedPort([ACK, b"", FIELD_IS_OFF])
    Pn532(port).poll()
    assert not any(sent.endswith(NACK) for sent in port.written)


def test_tags_that_were_read_count_though_turning_the_field_off_failed() -> None:
    port = ScriptedPort([ACK + answer("4B 01 01 00 04 08 04 01 A0 B0 C0")])
    assert Pn532(port).poll() == Tags((FOUR,))


def test_an_empty_field_is_not_believed_when_turning_it_off_failed() -> None:
    port = ScriptedPort([ACK + answer("4B 00")])
    assert isinstance(Pn532(port).poll(), Garbled)


def test_input_is_flushed_before_each_command() -> None:
    port = ScriptedPort([ACK + answer("4B 00"), FIELD_IS_OFF])
    assert Pn532(port).poll() == Nothing()
    assert port.flushes == len(port.written) == 2


def test_a_late_answer_to_an_earlier_poll_is_dropped() -> None:
    late = answer("4B 01 01 00 04 08 04 01 A0 B0 C0")
    port = ScriptedPort([late + ACK, answer("4B 00"), FIELD_IS_OFF])
    assert Pn532(port).poll() == Nothing()


def test_an_answer_to_another_command_is_passed_over() -> None:
    port = ScriptedPort([ACK + answer("33") + answer("4B 00"), FIELD_IS_OFF])
    assert Pn532(port).poll() == Nothing()


def test_an_unanswered_search_is_aborted_by_an_acknowledgement() -> None:
    port = ScriptedPort([ACK, b"", FIELD_IS_OFF])
    result = Pn532(port).poll()
    assert result == Garbled("no answer", alive=True)
    assert port.written[1] == ACK


def test_a_refusal_is_garbled_and_says_which_command() -> None:
    port = ScriptedPort([ACK + ERROR_FRAME, FIELD_IS_OFF])
    assert Pn532(port).poll() == Garbled("command 4A refused")


def test_noise_without_end_cannot_hold_a_poll() -> None:
    class Babble(ScriptedPort):
        def read(self, size: int) -> bytes:
            return b"\xaa" * 16

    result = Pn532(Babble()).poll()
    assert isinstance(result, Garbled)
    assert "no answer among them" in result.why


class DribblingPort(ScriptedPort):
    """A port on which a byte comes every so many seconds, whatever is sent; a read waits for all that it asks for, as
    pyserial's does, but no longer than the port's timeout."""

    def __init__(self, every: float, noise: bytes = b"\xaa", early: bytes = b"") -> None:
        super().__init__()
        self.every, self.noise, self.early = every, noise, early
        self.seconds = 0.0
        self.taken = 0

    @property
    def in_waiting(self) -> int:
        return len(self.early)

    def read(self, size: int) -> bytes:
        if self.early:
            data, self.early = self.early[:size], self.early[size:]
            return data
        due = int((self.seconds + READ_TIMEOUT) / self.every) - int(self.seconds / self.every)
        count = min(size, due)
        self.seconds += READ_TIMEOUT if count < size else count * self.every
        self.taken += count
        return (self.noise * count)[:count]


@pytest.mark.parametrize("early", [b"", ACK, ACK + b"\x00\xff\x08"], ids=["at once", "after the ack", "in the answer"])
@pytest.mark.parametrize("noise", [b"\xaa", b"\x00", b"\xff", b"\x00\xff"], ids=lambda noise: noise.hex())
@pytest.mark.parametrize("every", [0.15, 0.2, 0.24, 0.3])
def test_noise_that_dribbles_in_cannot_hold_a_poll_for_longer_than_a_second(
    every: float, noise: bytes, early: bytes
) -> None:
    """A byte or two before each timeout: no silence ever tells that nothing more will come."""
    port = DribblingPort(every, noise, early)
    assert isinstance(Pn532(port).poll(), Garbled)
    assert port.seconds <= 1.0


def test_noise_that_comes_as_fast_as_it_is_waited_for_ends_too() -> None:
    port = DribblingPort(0.05)
    assert isinstance(Pn532(port).poll(), Garbled)
    assert port.seconds <= 5.0


def test_a_poll_that_was_held_up_still_turns_the_field_off() -> None:
    port = DribblingPort(0.2)
    Pn532(port).poll()
    assert sum(b"\xd4\x32\x01\x00" in sent for sent in port.written) == 1


def test_frames_without_end_cannot_hold_a_poll() -> None:
    class Babble(ScriptedPort):
        def read(self, size: int) -> bytes:
            return ACK + answer("33")

    result = Pn532(Babble()).poll()
    assert isinstance(result, Garbled)


def test_each_frame_keeps_a_millisecond_from_the_answer_before() -> None:
    port = ScriptedPort([ACK + answer("4B 00"), FIELD_IS_OFF])
    Pn532(port).poll()
    for sent in port.written:
        lead_in = len(sent) - len(sent.lstrip(b"\0"))
        assert lead_in * 10 / 115_200 >= 0.001  # ten bit times a byte


def test_two_readers_whose_bytes_come_interleaved_keep_their_own_tags() -> None:
    chips = [Pn532Chip(), Pn532Chip()]
    drivers = [started(chip, chunk=1) for chip in chips]
    chips[0].field, chips[1].field = [FOUR], [SEVEN]
    assert [driver.poll() for driver in drivers * 2] == [Tags((FOUR,)), Tags((SEVEN,))] * 2


def test_stopping_turns_the_field_off() -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.feed(frame(0xD4, bytes.fromhex("32 01 01")))
    assert chip.field_on
    driver.stop()
    assert not chip.field_on


def test_a_failing_port_is_left_to_the_caller() -> None:
    line = DirectLine(Pn532Chip())
    port: DirectPort = line.open("port")
    driver = Pn532(port)
    driver.start()
    line.unplug()
    with pytest.raises(Exception, match="Input/output error") as caught:
        driver.poll()
    assert not isinstance(caught.value, OSError)  # flushing a port that is gone raises termios.error


# Lists of tags


@pytest.mark.parametrize(
    ("answer_hex", "result"),
    [
        ("00", Nothing()),
        ("01 01 00 04 08 04 01 A0 B0 C0", Tags((FOUR,))),
        ("01 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6", Tags((SEVEN,))),
        # The manual's example of two: a UID of 4 bytes each
        ("02 01 00 04 08 04 01 A0 B0 C0 02 00 04 08 04 92 2E 58 32", Tags((FOUR, bytes.fromhex("922E5832")))),
        # SEL_RES 20: an ATS of 6 bytes follows
        ("01 01 03 44 20 07 04 A1 B2 C3 D4 E5 F6 06 75 77 81 02 80", Tags((SEVEN,))),
        (
            "02 01 03 44 20 07 04 A1 B2 C3 D4 E5 F6 06 75 77 81 02 80 02 00 04 08 04 01 A0 B0 C0",
            Tags((SEVEN, FOUR)),
        ),
        ("01 01 00 04 08 0A 01 02 03 04 05 06 07 08 09 0A", Tags((bytes(range(1, 11)),))),
    ],
)
def test_a_list_of_tags_is_read_as_the_manual_writes_it(answer_hex: str, result: object) -> None:
    assert tags_of(bytes.fromhex(answer_hex)) == result


@pytest.mark.parametrize(
    "answer_hex",
    [
        "",
        "01",
        "01 01 00 04 08",
        "01 01 00 04 08 04 01 A0 B0",
        "01 02 00 04 08 04 01 A0 B0 C0",
        "02 01 00 04 08 04 01 A0 B0 C0",
        "01 01 00 04 08 00",
        "01 01 00 04 08 05 01 A0 B0 C0 D0",
        "01 01 03 44 20 07 04 A1 B2 C3 D4 E5 F6 06 75 77",
        "02 01 00 04 08 04 01 A0 B0 C0 02 00 04 08 04 01 A0 B0 C0",
        "03 01 00 04 08 04 01 A0 B0 C0 02 00 04 08 04 01 A0 B0 C1 03 00 04 08 04 01 A0 B0 C2",
        "01 01 00 04 08 04 01 A0 B0 C0 FF FF FF",
        "01 01 00 04 08 04 01 A0 B0 C0 02 00 04 08 04 01 A0 B0 C1",
        "01 01 03 44 20 07 04 A1 B2 C3 D4 E5 F6 06 75 77 81 02 80 00",
        "00 FF",
        "FF",
    ],
)
def test_a_list_of_tags_that_cannot_be_is_garbled(answer_hex: str) -> None:
    assert isinstance(tags_of(bytes.fromhex(answer_hex)), Garbled)


def test_no_list_of_tags_that_breaks_off_raises_anything() -> None:
    whole = bytes.fromhex("02 01 03 44 20 07 04 A1 B2 C3 D4 E5 F6 06 75 77 81 02 80 02 00 04 08 04 01 A0 B0 C0")
    for length in range(len(whole)):
        assert isinstance(tags_of(whole[:length]), Garbled), length


@pytest.mark.parametrize("uid", ["00000000", "FFFFFFFF", "00000000000000", "FFFFFFFFFFFFFF"])
def test_a_uid_of_zeros_or_ones_alone_is_noise(uid: str) -> None:
    chip = Pn532Chip()
    driver = started(chip)
    chip.field = [bytes.fromhex(uid)]
    result = driver.poll()
    assert isinstance(result, Garbled)
    assert result.why.startswith(f"impossible UID {uid}: ")
    assert result.alive


def test_the_text_of_a_uid_keeps_its_zeros_and_so_its_length() -> None:
    assert uid_text(bytes.fromhex("04 00 0a ff")) == "04000AFF"
    assert uid_text(bytes.fromhex("04 00 0a ff 00 00 00")) == "04000AFF000000"
