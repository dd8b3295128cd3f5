"""Where drivers meet wires: the one place that differs between a real table and a simulated one."""

from typing import Protocol

from smbus2 import SMBus

from hal.displays import Bus
from hal.gpio import GpioChip, open_chip
from hal.reader_drivers import Opener, opener
from hal.wiring import ReaderPlace


class Wires(Protocol):
    """What the drivers of a table are opened on."""

    def open_chip(self) -> GpioChip:
        """Open the gpiochip behind the header; raises `GpioError`."""

    def open_bus(self, number: int) -> Bus:
        """Open /dev/i2c-N; raises OSError."""

    def serial_path(self, place: ReaderPlace) -> str:
        """What to open for a reader."""

    def port_opener(self, place: ReaderPlace) -> Opener:
        """How to open it."""

    def close(self) -> None:
        """Give up what is not a driver's."""


class RealWires:
    """The wires of the machine that this runs on."""

    def open_chip(self) -> GpioChip:
        """Open the gpiochip behind the header; raises `GpioError`."""
        return open_chip()

    def open_bus(self, number: int) -> Bus:
        """Open /dev/i2c-N; raises OSError."""
        bus: Bus = SMBus(number)
        return bus

    def serial_path(self, place: ReaderPlace) -> str:
        """The path in the wiring file."""
        return place.port

    def port_opener(self, place: ReaderPlace) -> Opener:
        """As its kind is opened."""
        return opener(place.kind, grab=place.grab)

    def close(self) -> None:
        """Nothing is kept here."""
