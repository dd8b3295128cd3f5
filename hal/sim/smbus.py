"""A simulated I²C bus, and what stands for `smbus2.SMBus` on it.

The bus is the wires with the chips on them; each `open()` gives one more handle to it, as each open of
/dev/i2c-N does.
"""

import errno
import os
from collections.abc import Sequence
from random import Random
from typing import Protocol

from smbus2 import i2c_msg

from hal.sim.trace import Note, unheard

_READ = 0x0001  # I2C_M_RD
_BLOCK_MAX = 32

FLAKY = 8
"""Of so many transfers to a flaky address one is not acknowledged."""


class Chip(Protocol):
    """What can be attached to a bus."""

    def write(self, data: bytes) -> None:
        """Take the bytes of one transfer, without the address."""

    def read(self, count: int) -> bytes:
        """Give `count` bytes."""


class SimI2cBus:
    """One I²C bus. Faults are switches: set them, and clear them to mend the bus.

    `nak` holds the addresses that do not acknowledge; `cut` maps an address to the number of bytes of a
    transfer after which it stops acknowledging; `gone` takes the whole adapter away. `no_ack` is the error
    number that the adapter's kernel driver gives for a missing acknowledge: EREMOTEIO (121) on a Pi, ENXIO
    (6) with i2c-gpio and others. `nak_every` = n lets every n-th transfer go unacknowledged, as long wires do;
    `flaky` holds addresses that miss one transfer in `FLAKY`, by a chance of their own.
    """

    def __init__(self, name: str = "i2c-1", note: Note = unheard, no_ack: int = errno.EREMOTEIO) -> None:
        self.name = name
        self.chips: dict[int, Chip] = {}
        self.nak: set[int] = set()
        self.cut: dict[int, int] = {}
        self.gone = False
        self.nak_every = 0
        self.flaky: dict[int, Random] = {}
        self.no_ack = no_ack
        self.bytes = 0
        """Bytes on the wire so far, addresses included."""
        self.transfers = 0
        self._note = note

    def attach(self, address: int, chip: Chip) -> None:
        """Put a chip on the bus."""
        self.chips[address] = chip

    def detach(self, address: int) -> None:
        """Take a chip off the bus."""
        del self.chips[address]

    def open(self) -> "SimSMBus":
        """A handle to the bus. Raises FileNotFoundError while the adapter is gone."""
        if self.gone:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), f"/dev/{self.name}")
        return SimSMBus(self)

    def write(self, address: int, data: bytes) -> None:
        """Carry one write transfer. Raises OSError as the kernel does."""
        chip = self._address(address)
        acknowledged = data[: self.cut.get(address, len(data))]
        self.bytes += len(acknowledged)
        if acknowledged:
            self._note(f"{self.name} {address:02X}", "write", acknowledged)
            chip.write(acknowledged)
        if len(acknowledged) < len(data):
            raise self._error(self.no_ack)

    def read(self, address: int, count: int) -> bytes:
        """Carry one read transfer. Raises OSError as the kernel does."""
        data = self._address(address).read(count)
        self.bytes += count
        self._note(f"{self.name} {address:02X}", "read", data)
        return data

    def _address(self, address: int) -> Chip:
        if self.gone:
            raise self._error(errno.ENODEV)
        self.transfers += 1
        self.bytes += 1
        missed = self.nak_every > 0 and self.transfers % self.nak_every == 0
        if address in self.flaky:
            missed |= self.flaky[address].randrange(FLAKY) == 0
        if address not in self.chips or address in self.nak or missed:
            raise self._error(self.no_ack)
        return self.chips[address]

    def _error(self, number: int) -> OSError:
        return OSError(number, os.strerror(number))


class SimSMBus:
    """The methods of `smbus2.SMBus` that a display driver may use, with their signatures."""

    def __init__(self, bus: SimI2cBus) -> None:
        self._bus: SimI2cBus | None = bus

    def __enter__(self) -> "SimSMBus":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the handle; the bus goes on."""
        self._bus = None

    def write_quick(self, i2c_addr: int, force: bool | None = None) -> None:
        """Address a chip and write nothing."""
        self._wires().write(i2c_addr, b"")

    def read_byte(self, i2c_addr: int, force: bool | None = None) -> int:
        """Read one byte."""
        return self._wires().read(i2c_addr, 1)[0]

    def write_byte(self, i2c_addr: int, value: int, force: bool | None = None) -> None:
        """Write one byte."""
        self._wires().write(i2c_addr, bytes([value]))

    def write_byte_data(self, i2c_addr: int, register: int, value: int, force: bool | None = None) -> None:
        """Write a register number and one byte."""
        self._wires().write(i2c_addr, bytes([register, value]))

    def write_i2c_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> None:
        """Write a register number and up to 32 bytes. Raises ValueError for more."""
        if len(data) > _BLOCK_MAX:
            raise ValueError(f"Data length cannot exceed {_BLOCK_MAX} bytes")
        self._wires().write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        """Carry several transfers, of any length each, in one go."""
        wires = self._wires()
        for message in i2c_msgs:
            if message.flags & _READ:
                for index, byte in enumerate(wires.read(message.addr, message.len)):
                    message.buf[index] = bytes([byte])
            else:
                wires.write(message.addr, bytes(message))

    def _wires(self) -> SimI2cBus:
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._bus
