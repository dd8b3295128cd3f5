"""Readers that type: numbers out of key records, and no number on anybody's console."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.keyboard import (
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGRAB,
    LONGEST,
    PARTIAL_TIME,
    SYN_DROPPED,
    EventDevice,
    KeyboardDriver,
    KeyParser,
)
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import KeyboardChip, typed
from hal.tags import Garbled, Nothing, Tags

NUMBER = "0006543210"
UID = bytes.fromhex(NUMBER)


def parsed(data: bytes) -> list[bytes | Garbled]:
    return KeyParser().feed(data, 0.0)


def garbled(data: bytes) -> str:
    [found] = parsed(data)
    assert isinstance(found, Garbled)
    return found.why


# Numbers


def test_ten_digits_and_enter_are_the_records_that_such_a_reader_sends() -> None:
    assert len(typed(NUMBER)) == 44 * EVENT.size
    assert parsed(typed(NUMBER)) == [UID]


def test_a_key_as_the_kernel_of_a_64_bit_machine_writes_it() -> None:
    if EVENT.size != 24:
        pytest.skip("records have 16 bytes here")
    key = bytes.fromhex("0102030405060708 1112131415161718 0100 0b00 01000000")
    assert EVENT.unpack(key)[2:] == (EV_KEY, 11, 1)


@pytest.mark.parametrize("size", [1, 7, 24, 25, 100])
def test_records_may_be_cut_anywhere(size: int) -> None:
    parser, data = KeyParser(), typed(NUMBER) + typed("04A1")
    found = [one for at in range(0, len(data), size) for one in parser.feed(data[at : at + size], 0.0)]
    assert found == [UID, bytes.fromhex("04A1")]


def test_the_keypad_and_shifted_letters_type_the_same_digits() -> None:
    keypad = b"".join(EVENT.pack(0, 0, EV_KEY, code, 1) for code in (82, 42, 30, 75, 33, 96))
    assert parsed(keypad) == [bytes.fromhex("0A4F")]


def test_repeats_and_releases_of_a_key_type_nothing() -> None:
    keys = [(2, 1), (2, 2), (2, 2), (2, 0), (3, 1), (3, 0), (2, 1), (3, 1), (28, 1)]
    assert parsed(b"".join(EVENT.pack(0, 0, EV_KEY, *key) for key in keys)) == [bytes.fromhex("1212")]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (typed("123"), "3 digits"),
        (typed("0000000000"), "impossible number 0000000000"),
        (typed("1" * (LONGEST + 2)), f"more than {LONGEST} digits"),
        (typed("00"), "impossible number 00"),
        (typed("12"), "1 bytes"),
        (typed("FFFFFFFF"), "impossible number FFFFFFFF"),
        (typed("000654321"), "9 digits"),
        (EVENT.pack(0, 0, EV_KEY, 16, 1) + typed(NUMBER), "key 16 is no digit"),
        (typed("12", enter=False) + EVENT.pack(0, 0, EV_SYN, SYN_DROPPED, 0) + typed("34"), "keys were lost"),
    ],
)
def test_what_is_no_number_is_garbled(data: bytes, why: str) -> None:
    assert why in garbled(data)


def test_after_a_number_that_was_none_the_next_one_counts() -> None:
    assert parsed(typed("123") + typed(NUMBER))[1:] == [UID]


def words(found: list[bytes | Garbled]) -> list[str]:
    """What was found, every number in digits and for all that is none its reason."""
    return [one.why if isinstance(one, Garbled) else one.hex().upper() for one in found]


LOST = EVENT.pack(0, 0, EV_SYN, SYN_DROPPED, 0)


def test_half_a_number_is_not_the_beginning_of_the_next_and_its_tail_is_none() -> None:
    parser = KeyParser()
    assert parser.feed(typed("0006", enter=False), 0.0) == []
    assert words(parser.feed(b"", PARTIAL_TIME + 0.01)) == ["no Enter after 4 digits"]
    assert parser.feed(b"", 0.4) == []
    assert words(parser.feed(typed("543210"), 0.6)) == ["no Enter after 4 digits, and this may be their tail"]
    assert words(parser.feed(typed(NUMBER), 1.0)) == [NUMBER]


@pytest.mark.parametrize("first", ["00065432", "0006543210"])
@pytest.mark.parametrize("polls", [(), (0.08, 0.16, 0.24)], ids=["at once", "polled"])
def test_a_number_without_enter_and_the_next_one_are_no_number(first: str, polls: tuple[float, ...]) -> None:
    parser = KeyParser()
    found = parser.feed(typed(first, enter=False), 0.0)
    for now in polls:
        found += parser.feed(b"", now)
    found += parser.feed(typed("0012345678"), 0.3)
    assert len(found) == 2
    assert all(isinstance(one, Garbled) for one in found)
    assert words(parser.feed(typed(NUMBER), 1.0)) == [NUMBER]


def test_the_tail_of_a_number_whose_keys_were_lost_is_none_however_late_it_comes() -> None:
    parser = KeyParser()
    assert words(parser.feed(typed("0006", enter=False) + LOST, 0.0)) == ["keys were lost"]
    assert parser.feed(b"", 5.0) == []
    assert words(parser.feed(typed("3210"), 5.1)) == ["keys were lost"]
    assert words(parser.feed(typed(NUMBER), 5.2)) == [NUMBER]


def test_keys_without_end_are_no_silence() -> None:
    parser = KeyParser()
    parser.feed(typed("1" * LONGEST, enter=False), 0.0)
    for step in range(1, 20):
        [found] = parser.feed(typed("11", enter=False), step * 0.08)
        assert isinstance(found, Garbled)


def keys_at(digits: str, pause: float, start: float = 1_700_000_000.0) -> list[tuple[float, bytes]]:
    """The records of a number and Enter, each key `pause` seconds after the last, and when it goes down."""
    whole = typed(digits)
    size = 4 * EVENT.size
    keys = [whole[at : at + size] for at in range(0, len(whole), size)]
    stamped = []
    for number, key in enumerate(keys):
        at = start + number * pause
        fields = [(int(at), int(at % 1 * 1e6), *rest) for _, _, *rest in EVENT.iter_unpack(key)]
        stamped.append((at - start, b"".join(EVENT.pack(*record) for record in fields)))
    return stamped


@pytest.mark.parametrize("pause", [0.002, 0.03, 0.06, 0.1, 0.2])
def test_a_slow_reader_is_read_too(pause: float) -> None:
    parser, keys, now = KeyParser(), keys_at(NUMBER, pause), 0.0
    found: list[bytes | Garbled] = []
    while now < 3:
        now += 0.08
        found += parser.feed(b"".join(data for at, data in keys if now - 0.08 <= at < now), now)
    assert found == [UID]


def test_a_number_that_is_read_late_is_one_by_the_times_of_its_keys() -> None:
    parser = KeyParser()
    keys = [data for _, data in keys_at(NUMBER, 0.02)]
    assert parser.feed(b"".join(keys[:4]), 0.0) == []
    assert parser.feed(b"".join(keys[4:]), 0.8) == [UID]  # a neighbour held the thread meanwhile


def test_two_halves_that_are_read_together_are_none_by_the_times_of_their_keys() -> None:
    first = [data for _, data in keys_at(NUMBER, 0.02)][:-1]
    second = [data for _, data in keys_at("0012345678", 0.02, 1_700_000_000.6)]
    assert all(isinstance(one, Garbled) for one in KeyParser().feed(b"".join(first + second), 0.0))


def test_enter_alone_is_nothing() -> None:
    assert parsed(typed("")) == []


# The device


class FakeIoctl:
    """The kernel's side of EVIOCGRAB for one device; `busy`: another process has it."""

    def __init__(self, busy: bool = False) -> None:
        self.busy = busy
        self.calls: list[tuple[int, int]] = []

    def __call__(self, fd: int, request: int, value: int) -> int:
        self.calls.append((request, value))
        if self.busy:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return 0


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A named pipe in place of /dev/input/…, and its writing end."""
    path = tmp_path / "event-kbd"
    os.mkfifo(path)
    keep = os.open(path, os.O_RDWR)
    yield path, keep
    os.close(keep)


def test_the_device_is_taken_for_this_program_alone_and_given_back(wire: tuple[Path, int]) -> None:
    ioctl = FakeIoctl()
    device = EventDevice(str(wire[0]), ioctl=ioctl)
    assert ioctl.calls == [(EVIOCGRAB, 1)]
    device.close()
    assert ioctl.calls == [(EVIOCGRAB, 1), (EVIOCGRAB, 0)]


def test_a_device_that_cannot_be_taken_is_not_read_and_the_reason_is_given(wire: tuple[Path, int]) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError, match="typed on the console") as caught:
        EventDevice(str(wire[0]), ioctl=FakeIoctl(busy=True))
    assert caught.value.errno == errno.EBUSY
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_true_kernel_refuses_to_take_what_is_no_event_device(wire: tuple[Path, int]) -> None:
    with pytest.raises(OSError, match="typed on the console"):
        EventDevice(str(wire[0]))


def test_a_device_is_read_untaken_only_when_that_is_asked_for(wire: tuple[Path, int]) -> None:
    ioctl = FakeIoctl(busy=True)
    EventDevice(str(wire[0]), grab=False, ioctl=ioctl).close()
    assert ioctl.calls == []


def test_the_driver_reads_numbers_from_the_device_and_drops_what_came_before(wire: tuple[Path, int]) -> None:
    path, far = wire
    device = EventDevice(str(path), ioctl=FakeIoctl())
    os.write(far, typed("9999"))
    driver = KeyboardDriver(device)
    driver.start(0.0)
    assert driver.poll(0.1) == Nothing()
    os.write(far, typed(NUMBER))
    assert driver.poll(0.2) == Tags((UID,))
    assert driver.poll(0.3) == Nothing()
    device.close()


def test_the_tail_of_a_number_that_began_before_anybody_listened_is_none(wire: tuple[Path, int]) -> None:
    path, far = wire
    device = EventDevice(str(path), ioctl=FakeIoctl())
    os.write(far, typed("9999") + typed("0006", enter=False))
    driver = KeyboardDriver(device)
    driver.start(0.0)
    assert isinstance(driver.poll(0.05), Garbled)
    assert driver.poll(0.06) == Nothing()
    os.write(far, typed("543210"))
    assert isinstance(driver.poll(0.1), Garbled)
    os.write(far, typed(NUMBER))
    assert driver.poll(0.2) == Tags((UID,))
    device.close()


def test_a_number_that_is_half_read_when_the_reader_is_started_anew_is_none(wire: tuple[Path, int]) -> None:
    path, far = wire
    device = EventDevice(str(path), ioctl=FakeIoctl())
    driver = KeyboardDriver(device)
    driver.start(0.0)
    os.write(far, typed("0006", enter=False))
    driver.poll(0.05)
    driver.start(0.06)
    os.write(far, typed("543210"))
    assert isinstance(driver.poll(0.1), Garbled)
    device.close()


def test_a_device_that_ends_is_an_error_of_the_port(tmp_path: Path) -> None:
    path = tmp_path / "event-kbd"
    os.mkfifo(path)
    device = EventDevice(str(path), ioctl=FakeIoctl())  # nobody writes: the pipe is at its end
    with pytest.raises(OSError, match="has ended"):
        KeyboardDriver(device).poll(0.1)
    device.close()


def test_a_simulated_reader_that_nobody_took_types_on_the_console() -> None:
    chip = KeyboardChip()
    driver = KeyboardDriver(DirectLine(chip).open("port"))
    chip.field = [UID]
    assert driver.poll(0.1) == Tags((UID,))
    assert chip.console == f"{NUMBER}\n"
