"""The simulated PN532 and its wires: true to the chip in what drivers rely on, also in an independent driver's eyes."""

import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from adafruit_pn532.uart import PN532_UART
from at_wires import FOUR, SEVEN, THIRD, answer
from hypothesis import given
from hypothesis import strategies as st

from hal.pn532 import IN_LIST_PASSIVE_TARGET, WAKE_UP
from hal.pn532_frames import ACK, ERROR_FRAME, HOST_TO_CHIP, NACK, Parser, frame
from hal.sim.faults import Fault
from hal.sim.pn532 import NOISE, Pn532Chip
from hal.sim.serialport import DirectLine, SerialBench

PATIENCE = 10.0
"""A read's timeout where the chip is bound to answer: so long that a slow machine does not fail the test."""


def command(hex_body: str) -> bytes:
    return frame(HOST_TO_CHIP, bytes.fromhex(hex_body))


SAM = command("14 01 14 01")
ONE_TRY = command("32 05 FF 01 00")
VERSION = command("02")
FIND_ONE, FIND_TWO = command("4A 01 00"), command("4A 02 00")
NO_TAG = answer("4B 00")


@pytest.fixture
def chip() -> Pn532Chip:
    """A chip that is awake, configured, and searches once a command."""
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM + ONE_TRY)
    return chip


# Waking


def test_a_chip_sleeps_until_it_is_woken() -> None:
    chip = Pn532Chip()
    assert chip.feed(VERSION) == b""
    assert chip.feed(WAKE_UP) == b""
    assert chip.feed(VERSION) == ACK + answer("03 32 01 06 07")


def test_the_command_right_behind_the_wake_up_is_heard() -> None:
    assert Pn532Chip().feed(WAKE_UP + SAM) == ACK + answer("15")


def test_a_chip_refuses_to_search_until_sam_configuration() -> None:
    chip = Pn532Chip()
    assert chip.feed(WAKE_UP + FIND_ONE) == ACK + ERROR_FRAME


def test_power_down_puts_the_chip_to_sleep_after_its_answer(chip: Pn532Chip) -> None:
    assert chip.feed(command("16 10")) == ACK + answer("17 00")
    assert chip.feed(VERSION) == b""
    assert chip.feed(WAKE_UP + VERSION) != b""


def test_power_off_forgets_everything_but_the_tags(chip: Pn532Chip) -> None:
    chip.field = [FOUR]
    chip.feed(FIND_ONE)
    chip.reset()
    assert chip.asleep
    assert not chip.field_on
    assert chip.feed(WAKE_UP + FIND_ONE) == ACK + ERROR_FRAME
    assert chip.field == [FOUR]


# Frames


def test_commands_may_come_byte_by_byte(chip: Pn532Chip) -> None:
    assert b"".join(chip.feed(bytes([byte])) for byte in VERSION) == ACK + answer("03 32 01 06 07")


def test_a_damaged_command_is_not_even_acknowledged(chip: Pn532Chip) -> None:
    assert chip.feed(VERSION[:-2] + b"\x00\x00") == b""
    assert chip.feed(VERSION) != b""


@pytest.mark.parametrize("body", ["FE", "32", "32 05 FF", "4A 01", "4A 00 00", "00 05", "14"])
def test_what_the_chip_does_not_understand_gets_the_error_frame(chip: Pn532Chip, body: str) -> None:
    assert chip.feed(command(body)) == ACK + ERROR_FRAME


def test_a_frame_in_the_wrong_direction_gets_the_error_frame(chip: Pn532Chip) -> None:
    assert chip.feed(answer("02")) == ACK + ERROR_FRAME


def test_the_host_can_ask_for_the_last_answer_again(chip: Pn532Chip) -> None:
    chip.feed(VERSION)
    assert chip.feed(NACK) == answer("03 32 01 06 07")


def test_the_line_test_sends_a_long_frame_back(chip: Pn532Chip) -> None:
    body = "00 00 " + bytes(range(256)).hex()
    assert chip.feed(command(body)) == ACK + answer("01 00 " + bytes(range(256)).hex())


@given(data=st.lists(st.binary(max_size=30), max_size=20))
def test_no_bytes_at_all_can_break_the_chip(data: list[bytes]) -> None:
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM)
    for piece in data:
        chip.feed(piece)
    chip.feed(bytes(300))  # ends whatever frame had begun
    assert chip.feed(WAKE_UP + VERSION).endswith(answer("03 32 01 06 07"))


@given(body=st.binary(max_size=8))
def test_every_command_is_acknowledged_and_nothing_breaks_the_chip(body: bytes) -> None:
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM)
    assert chip.feed(frame(HOST_TO_CHIP, body)).startswith(ACK)


# Searching


@pytest.mark.parametrize(
    ("field", "search", "found"),
    [
        ([], FIND_TWO, "4B 00"),
        ([FOUR], FIND_TWO, "4B 01 01 00 04 08 04 01 A0 B0 C0"),
        ([SEVEN], FIND_ONE, "4B 01 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6"),
        ([FOUR, SEVEN], FIND_ONE, "4B 01 01 00 04 08 04 01 A0 B0 C0"),
        (
            [FOUR, SEVEN, THIRD],
            FIND_TWO,
            "4B 02 01 00 04 08 04 01 A0 B0 C0 02 00 44 00 07 04 A1 B2 C3 D4 E5 F6",
        ),
    ],
    ids=["none", "4 bytes", "7 bytes", "two, one asked for", "three: two at most"],
)
def test_a_search_lists_the_tags(chip: Pn532Chip, field: list[bytes], search: bytes, found: str) -> None:
    chip.field = field
    assert chip.feed(search) == ACK + answer(found)


def test_asking_for_more_than_two_tags_gives_two(chip: Pn532Chip) -> None:
    chip.field = [FOUR, SEVEN, THIRD]
    assert chip.feed(command("4A 03 00")) == chip.feed(FIND_TWO)


def test_a_search_for_another_kind_of_tag_finds_none(chip: Pn532Chip) -> None:
    chip.field = [FOUR]
    assert chip.feed(command("4A 01 03 00")) == ACK + NO_TAG  # type B


def test_as_delivered_a_search_ends_only_when_a_tag_comes() -> None:
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM)
    assert chip.feed(FIND_ONE) == ACK
    assert chip.feed(b"") == b""
    chip.field = [FOUR]
    assert chip.feed(b"") == answer("4B 01 01 00 04 08 04 01 A0 B0 C0")
    assert chip.feed(b"") == b""


@pytest.mark.parametrize("abort", [ACK, VERSION], ids=["acknowledgement", "new command"])
def test_the_host_can_abort_a_search(abort: bytes) -> None:
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM + FIND_ONE)
    chip.feed(abort)
    chip.field = [FOUR]
    assert chip.feed(b"") == b""


def test_searching_turns_the_field_on_and_the_host_turns_it_off(chip: Pn532Chip) -> None:
    on = [chip.field_on]
    chip.feed(FIND_ONE)
    on.append(chip.field_on)
    assert chip.feed(command("32 01 00")) == ACK + answer("33")
    on.append(chip.field_on)
    assert on == [False, True, False]


# Faults


def test_a_deaf_chip_says_nothing_and_hears_nothing(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.DEAF)
    assert chip.feed(command("32 01 01") + VERSION[:4]) == b""
    chip.faults.clear()
    assert not chip.field_on
    assert chip.feed(VERSION) == ACK + answer("03 32 01 06 07")


def test_with_bad_checksums_the_acknowledgement_is_right_and_the_answer_wrong(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.BAD_CHECKSUM)
    got = chip.feed(VERSION)
    assert got.startswith(ACK)
    assert got[len(ACK) : -2] == answer("03 32 01 06 07")[:-2]
    assert got[-2] != answer("03 32 01 06 07")[-2]


def test_a_lost_acknowledgement_leaves_the_answer(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.LOST_ACK)
    assert chip.feed(VERSION) == answer("03 32 01 06 07")


def test_every_second_poll_misses(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.EVERY_SECOND_POLL_MISSES)
    chip.field = [FOUR]
    missed = [chip.feed(FIND_ONE).endswith(NO_TAG) for _ in range(6)]
    assert missed == [False, True] * 3


def test_a_tag_that_stays_selected_is_missed_unless_the_field_was_off(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.TAG_STAYS_SELECTED)
    chip.field = [FOUR]
    assert [chip.feed(FIND_ONE).endswith(NO_TAG) for _ in range(4)] == [False, True, False, True]
    chip.feed(FIND_ONE)
    chip.feed(command("32 01 00"))
    assert not chip.feed(FIND_ONE).endswith(NO_TAG)


def test_a_selected_tag_that_was_away_answers_again(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.TAG_STAYS_SELECTED)
    chip.field = [FOUR]
    chip.feed(FIND_ONE)
    chip.field = []
    chip.feed(FIND_ONE)
    chip.field = [FOUR]
    assert not chip.feed(FIND_ONE).endswith(NO_TAG)


def test_a_released_tag_answers_again(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.TAG_STAYS_SELECTED)
    chip.field = [FOUR]
    chip.feed(FIND_ONE)
    assert chip.feed(command("52 00")) == ACK + answer("53 00")
    assert not chip.feed(FIND_ONE).endswith(NO_TAG)


def test_noise_goes_before_each_frame_and_holds_a_false_start(chip: Pn532Chip) -> None:
    chip.faults.add(Fault.NOISE)
    assert chip.feed(VERSION) == NOISE + ACK + NOISE + answer("03 32 01 06 07")
    assert b"\x00\xff" in NOISE
    assert len(Parser().feed(NOISE)) == 1


# An independent driver


class FramePort(serial.Serial):  # type: ignore[misc]  # pyserial is untyped
    """A serial port whose reads end with a frame. That driver asks for 73 bytes whatever comes, and would wait for
    the port's timeout at every tag.
    """

    def read(self, size: int = 1) -> bytes:
        parser = Parser()
        data = b""
        while len(data) < size:
            data += super().read(1)
            if parser.feed(data[-1:]):
                data += super().read(1)  # the last 00 of the frame
                break
        return data


@pytest.fixture(params=[0, *range(1, 20)], ids=lambda chunk: f"cut every {chunk}" if chunk else "whole")
def cut(request: pytest.FixtureRequest) -> int:
    """The size of the pieces in which answers come; 0: in one."""
    size: int = request.param
    return size


@pytest.fixture
def wires(tmp_path: Path) -> Iterator[SerialBench]:
    with SerialBench(tmp_path) as bench:
        yield bench


@pytest.mark.few(7)
@pytest.mark.threads
@pytest.mark.parametrize(
    ("field", "uid"), [([FOUR], FOUR), ([SEVEN], SEVEN), ([SEVEN, FOUR], SEVEN)], ids=["4", "7", "two"]
)
def test_adafruits_driver_starts_the_chip_and_reads_tags(
    wires: SerialBench, field: list[bytes], uid: bytes, cut: int
) -> None:
    chip = Pn532Chip()
    path = str(wires.plug("reader", chip, chunk=cut))
    chip.field = field
    with FramePort(path, 115_200, timeout=PATIENCE) as port:
        driver = PN532_UART(port)
        assert driver.firmware_version == (0x32, 1, 6, 7)
        assert driver.read_passive_target(timeout=PATIENCE) == uid


@pytest.mark.threads
def test_adafruits_driver_sees_no_tag_where_there_is_none(wires: SerialBench) -> None:
    path = str(wires.plug("reader", Pn532Chip()))
    with serial.Serial(path, 115_200, timeout=PATIENCE) as port:
        driver = PN532_UART(port)
        assert driver.read_passive_target(timeout=0.05) is None
        assert driver.firmware_version == (0x32, 1, 6, 7)  # the search that still runs is no hindrance


@pytest.mark.threads
def test_a_search_that_waits_is_answered_when_a_tag_is_laid_down(wires: SerialBench) -> None:
    chip = Pn532Chip()
    path = str(wires.plug("reader", chip))
    with FramePort(path, 115_200, timeout=PATIENCE) as port:
        driver = PN532_UART(port)
        assert driver.listen_for_passive_target(timeout=PATIENCE)
        chip.field = [SEVEN]
        wires.nudge()
        assert driver.get_passive_target(timeout=PATIENCE) == SEVEN


def test_two_tags_at_most_are_shown_to_a_driver_that_asks_for_one(chip: Pn532Chip) -> None:
    # Adafruit's driver reports "more than one card" by the count alone, which the chip never lets exceed MaxTg.
    chip.field = [FOUR, SEVEN]
    found = chip.feed(FIND_ONE)[len(ACK) :]
    assert found[6] == IN_LIST_PASSIVE_TARGET + 1
    assert found[7] == 1


# The wires


@pytest.mark.threads
def test_a_port_that_is_pulled_out_fails_as_a_real_one_does(wires: SerialBench) -> None:
    port = serial.Serial(str(wires.plug("reader", Pn532Chip())), timeout=PATIENCE)
    wires.unplug("reader")
    with pytest.raises(serial.SerialException, match="returned no data"):
        port.read(1)
    with pytest.raises(OSError, match="Input/output error"):
        _ = port.in_waiting
    with pytest.raises(serial.SerialException):
        port.write(b"x")
    with pytest.raises(termios.error):
        port.reset_input_buffer()
    port.close()


def test_a_direct_line_that_is_pulled_out_fails_in_the_same_ways() -> None:
    line = DirectLine(Pn532Chip())
    port = line.open("port")
    line.unplug()
    with pytest.raises(serial.SerialException, match="returned no data"):
        port.read(1)
    with pytest.raises(OSError, match="Input/output error"):
        _ = port.in_waiting
    with pytest.raises(serial.SerialException):
        port.write(b"x")
    with pytest.raises(termios.error):
        port.reset_input_buffer()
    with pytest.raises(serial.SerialException, match="could not open"):
        line.open("port")
    line.plug()
    with pytest.raises(serial.SerialException):
        port.write(b"x")  # the old opening stays dead
    port.close()
    line.open("port").write(b"x")


@pytest.mark.threads
def test_a_port_is_not_there_until_it_is_plugged_in_and_comes_back_under_its_name(wires: SerialBench) -> None:
    assert not wires.path("reader").exists()
    path = wires.plug("reader", Pn532Chip())
    assert path == wires.path("reader")
    wires.unplug("reader")
    assert not path.is_symlink()
    assert wires.plug("other", Pn532Chip()).exists()
    assert wires.plug("reader", Pn532Chip()) == path
    assert path.exists()


@pytest.mark.threads
def test_power_comes_with_the_plug(wires: SerialBench) -> None:
    chip = Pn532Chip()
    chip.feed(WAKE_UP + SAM)
    wires.plug("reader", chip)
    assert chip.asleep


@pytest.mark.threads
def test_a_name_is_taken_while_it_is_plugged_in(wires: SerialBench) -> None:
    wires.plug("reader", Pn532Chip())
    with pytest.raises(FileExistsError):
        wires.plug("reader", Pn532Chip())


@pytest.mark.threads
def test_each_chip_hears_its_own_port_alone(wires: SerialBench) -> None:
    chips = [Pn532Chip() for _ in range(4)]
    for number, chip in enumerate(chips):
        chip.field = [bytes([1, 0, 0, number])]
        wires.plug(str(number), chip, chunk=1)
    ports = [serial.Serial(str(wires.path(str(number))), timeout=PATIENCE) for number in range(4)]
    for port in ports:
        port.write(WAKE_UP + SAM + FIND_ONE)
    length = len(ACK + answer("15") + ACK + answer("4B 01 01 00 04 08 04 01 00 00 00"))
    tags = [port.read(length)[-6:-2] for port in ports]
    assert tags == [bytes([1, 0, 0, number]) for number in range(4)]
    for port in ports:
        port.close()


@pytest.mark.threads
def test_a_reader_nobody_reads_from_does_not_stop_the_others(wires: SerialBench) -> None:
    path = str(wires.plug("ignored", Pn532Chip()))
    other = str(wires.plug("read", Pn532Chip()))
    with serial.Serial(path, timeout=PATIENCE) as ignored, serial.Serial(other, timeout=PATIENCE) as port:
        ignored.write(WAKE_UP + SAM + VERSION * 1000)
        port.write(WAKE_UP + SAM)
        assert port.read(15) == ACK + answer("15")


@pytest.mark.threads
def test_closing_the_bench_twice_is_no_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    bench = SerialBench(tmp_path)
    bench.plug("one", Pn532Chip())
    bench.close()
    bench.close()
    bench.nudge()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.threads
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_chip_that_breaks_the_thread_leaves_nobody_waiting(tmp_path: Path) -> None:
    class Broken(Pn532Chip):
        def feed(self, data: bytes) -> bytes:
            return b"" if not data else bytes(1 // 0)

    bench = SerialBench(tmp_path)
    with serial.Serial(str(bench.plug("broken", Broken())), timeout=PATIENCE) as port:
        port.write(b"x")
        with pytest.raises(serial.SerialException):
            port.read(1)
        bench.unplug("broken")
        bench.close()
