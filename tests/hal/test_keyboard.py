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
        (EVENT.pack(0, 0, EV_KEY, 16, 1) + typed(NUMBER), "key 16 is no digit"),
        (typed("12", enter=False) + EVENT.pack(0, 0, EV_SYN, SYN_DROPPED, 0) + typed("34"), "keys were lost"),
    ],
)
def test_what_is_no_number_is_garbled(data: bytes, why: str) -> None:
    assert why in garbled(data)


def test_after_a_number_that_was_none_the_next_one_counts() -> None:
    assert parsed(typed("123") + typed(NUMBER))[1:] == [UID]


def test_half_a_number_is_not_the_beginning_of_the_next() -> None:
    parser = KeyParser()
    assert parser.feed(typed("0006", enter=False), 0.0) == []
    first, second = parser.feed(typed(NUMBER), PARTIAL_TIME + 0.1)
    assert isinstance(first, Garbled)
    assert second == UID


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
