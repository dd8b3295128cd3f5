"""The simulated I²C bus: what smbus2 callers send, what it costs, and how it fails."""

import errno
import inspect
from collections.abc import Callable

import pytest
import smbus2
from smbus2 import i2c_msg

from hal.sim.smbus import SimI2cBus, SimSMBus
from hal.sim.trace import Trace

METHODS = ["write_quick", "read_byte", "write_byte", "write_byte_data", "write_i2c_block_data", "i2c_rdwr", "close"]


class Listener:
    """A chip that keeps what is written to it and reads as a count."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.heard.append(data)

    def read(self, count: int) -> bytes:
        return bytes(range(count))


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def bus(trace: Trace) -> SimI2cBus:
    bus = SimI2cBus("i2c-1", trace.note)
    bus.attach(0x3C, Listener())
    bus.attach(0x3D, Listener())
    return bus


def heard(bus: SimI2cBus, address: int) -> list[bytes]:
    chip = bus.chips[address]
    assert isinstance(chip, Listener)
    return chip.heard


@pytest.mark.parametrize("name", METHODS)
def test_methods_have_smbus2s_signatures(name: str) -> None:
    def shape(owner: type[SimSMBus] | type[smbus2.SMBus]) -> list[tuple[str, object, object]]:
        return [
            (parameter.name, parameter.default, parameter.kind)
            for parameter in inspect.signature(getattr(owner, name)).parameters.values()
        ]

    assert shape(SimSMBus) == shape(smbus2.SMBus)


@pytest.mark.parametrize(
    ("send", "data"),
    [
        (lambda bus: bus.write_quick(0x3C), b""),
        (lambda bus: bus.write_byte(0x3C, 0xE3), b"\xe3"),
        (lambda bus: bus.write_byte_data(0x3C, 0x00, 0xAF), b"\x00\xaf"),
        (lambda bus: bus.write_i2c_block_data(0x3C, 0x40, [1, 2, 3]), b"\x40\x01\x02\x03"),
        (lambda bus: bus.i2c_rdwr(i2c_msg.write(0x3C, [0x40, *range(100)])), b"\x40" + bytes(range(100))),
    ],
)
def test_a_transfer_reaches_the_addressed_chip_and_costs_its_bytes_and_the_address(
    bus: SimI2cBus, trace: Trace, send: Callable[[SimSMBus], None], data: bytes
) -> None:
    with bus.open() as handle:
        send(handle)
    assert b"".join(heard(bus, 0x3C)) == data
    assert heard(bus, 0x3D) == []
    assert (bus.bytes, bus.transfers) == (len(data) + 1, 1)
    assert [(entry.wire, entry.what, entry.data) for entry in trace] == [("i2c-1 3C", "write", data)][: len(data)]


def test_several_messages_go_in_order(bus: SimI2cBus, trace: Trace) -> None:
    bus.open().i2c_rdwr(i2c_msg.write(0x3C, b"\x01"), i2c_msg.write(0x3D, b"\x02"), i2c_msg.write(0x3C, b"\x03"))
    assert [entry.data for entry in trace] == [b"\x01", b"\x02", b"\x03"]


def test_reading_fills_the_message(bus: SimI2cBus) -> None:
    handle, message = bus.open(), i2c_msg.read(0x3D, 4)
    handle.i2c_rdwr(message)
    assert bytes(message) == b"\x00\x01\x02\x03"
    assert handle.read_byte(0x3D) == 0
    assert bus.bytes == 5 + 2


def test_a_block_of_more_than_32_bytes_is_refused_as_smbus2_does(bus: SimI2cBus) -> None:
    with pytest.raises(ValueError, match="32"):
        bus.open().write_i2c_block_data(0x3C, 0x40, [0] * 33)


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.ENXIO])
def test_an_address_without_a_chip_is_not_acknowledged(number: int) -> None:
    bus = SimI2cBus(no_ack=number)
    with pytest.raises(OSError, match=rf"\[Errno {number}\]"):
        bus.open().write_byte(0x3C, 0)
    assert bus.bytes == 1  # the address went out


def test_a_chip_that_does_not_acknowledge_hears_nothing_until_it_does(bus: SimI2cBus) -> None:
    handle = bus.open()
    bus.nak.add(0x3C)
    for _ in range(2):
        with pytest.raises(OSError, match="Remote I/O"):
            handle.write_byte(0x3C, 1)
    handle.write_byte(0x3D, 1)
    bus.nak.clear()
    handle.write_byte(0x3C, 2)
    assert heard(bus, 0x3C) == [b"\x02"]


def test_a_transfer_that_is_cut_short_has_reached_the_chip_in_part(bus: SimI2cBus) -> None:
    bus.cut[0x3C] = 3
    with pytest.raises(OSError, match="Remote I/O"):
        bus.open().i2c_rdwr(i2c_msg.write(0x3C, bytes(range(10))))
    assert heard(bus, 0x3C) == [b"\x00\x01\x02"]
    assert bus.bytes == 4
    bus.open().write_byte(0x3C, 1)  # a short one still fits


def test_on_long_wires_every_nth_transfer_is_not_acknowledged(bus: SimI2cBus) -> None:
    bus.nak_every = 3
    handle, missed = bus.open(), []
    for number in range(1, 10):
        try:
            handle.write_byte(0x3C, number)
        except OSError:
            missed.append(number)
    assert missed == [3, 6, 9]
    chip = bus.chips[0x3C]
    assert isinstance(chip, Listener)
    assert chip.heard == [bytes([number]) for number in (1, 2, 4, 5, 7, 8)]


def test_an_unplugged_adapter_can_neither_be_used_nor_opened(bus: SimI2cBus) -> None:
    handle = bus.open()
    bus.gone = True
    with pytest.raises(OSError, match="No such device"):
        handle.write_byte(0x3C, 1)
    with pytest.raises(FileNotFoundError, match="/dev/i2c-1"):
        bus.open()
    bus.gone = False
    bus.open().write_byte(0x3C, 1)


def test_a_chip_taken_off_the_bus_is_not_there(bus: SimI2cBus) -> None:
    bus.detach(0x3D)
    with pytest.raises(OSError, match="Remote I/O"):
        bus.open().write_byte(0x3D, 1)


def test_a_closed_handle_is_of_no_use_and_its_neighbour_is(bus: SimI2cBus) -> None:
    one, other = bus.open(), bus.open()
    one.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        one.write_byte(0x3C, 1)
    other.write_byte(0x3C, 1)
