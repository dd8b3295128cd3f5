"""Where drivers meet wires: the one place that differs between a real table and a simulated one."""

from typing import Protocol

from smbus2 import SMBus

from hal.gpio import HEADER_LABELS, GpioChip, I2cPlace, open_chip
from hal.oled import Bus
from hal.reader_drivers import Opener, opener
from hal.strip import SpiDevice, SpiPort
from hal.wiring import ReaderPlace


class Wires(Protocol):
    """What the drivers of a table are opened on."""

    def open_chip(self, label: str | None = None, place: I2cPlace | None = None, *, twin: bool = False) -> GpioChip:
        """Open the gpiochip with this label, or the one behind the header; raises `GpioError`. `place` and `twin` tell
        chips of one label apart (`hal.gpio.open_chip`).
        """

    def open_bus(self, number: int) -> Bus:
        """Open /dev/i2c-N; raises OSError."""

    def open_spi(self, path: str) -> SpiPort:
        """Open an SPI port; raises OSError."""

    def serial_path(self, place: ReaderPlace) -> str:
        """What to open for a reader."""

    def port_opener(self, place: ReaderPlace) -> Opener:
        """How to open it."""

    def looked(self, device: str, now: float) -> None:
        """Be told what is polled now: a reader by its name, all lines (`hal.capture.LINES`), or the displays of a bus
        (`i2c-1`). For a recording.
        """

    def close(self) -> None:
        """Give up what is not a driver's."""


class RealWires:
    """The wires of the machine that this runs on."""

    def open_chip(self, label: str | None = None, place: I2cPlace | None = None, *, twin: bool = False) -> GpioChip:
        """Open the gpiochip with this label, or the one behind the header; raises `GpioError`."""
        return open_chip(HEADER_LABELS if label is None else label, place=place, twin=twin)

    def open_bus(self, number: int) -> Bus:
        """Open /dev/i2c-N; raises OSError."""
        bus: Bus = SMBus(number)
        return bus

    def open_spi(self, path: str) -> SpiPort:
        """Open an SPI port; raises OSError."""
        return SpiDevice(path)

    def serial_path(self, place: ReaderPlace) -> str:
        """The path in the wiring file."""
        return place.port

    def port_opener(self, place: ReaderPlace) -> Opener:
        """As its kind is opened."""
        return opener(place.kind, grab=place.grab)

    def looked(self, device: str, now: float) -> None:
        """Nobody records."""

    def close(self) -> None:
        """Nothing is kept here."""
