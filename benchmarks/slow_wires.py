"""Simulated wires that take as long as true ones, and tell when something has passed them.

An I²C byte takes nine clocks, a transfer two more for its start and stop; a byte of a serial port ten bits. Whoever
writes waits for that, as the kernel lets it. How long a chip searches for tags is not modelled.
"""

import time
from collections.abc import Callable
from threading import Lock

from hal.pn532 import Port
from hal.reader_drivers import Opener
from hal.sim.board import SimulatedWires
from hal.sim.smbus import SimI2cBus
from hal.wiring import ReaderPlace, Wiring

BAUD = 115_200
_SELECT = 2
"""Bytes that tell a multiplexer which of its channels is meant: its address, and a byte."""


def _oversleep() -> float:
    """Seconds that a sleep takes longer here than it is asked to, at least: no part of what passes a wire."""
    return min(_overslept(0.0005) for _ in range(50))


def _overslept(seconds: float) -> float:
    began = time.monotonic()
    time.sleep(seconds)
    return time.monotonic() - began - seconds


class Adapter:
    """The host's side of one bus or, behind a multiplexer, of several: one transfer at a time. Any thread may ask."""

    def __init__(self, hertz: int) -> None:
        self._hertz = hertz
        self._oversleep = _oversleep()
        self._lock = Lock()
        self._channel = ""
        self.shared = False
        """Whether it has channels to choose between."""

    def carry(self, channel: str, count: int) -> None:
        """Wait as long as a transfer of so many bytes takes, the address among them."""
        with self._lock:
            clocks = 9 * count + 2
            if self.shared and channel != self._channel:
                clocks += 9 * _SELECT + 2
                self._channel = channel
            time.sleep(max(0.0, clocks / self._hertz - self._oversleep))


class SlowBus(SimI2cBus):
    """A bus behind an adapter. `last` tells by address when the last byte of a write has passed."""

    def __init__(self, fast: SimI2cBus, adapter: Adapter) -> None:
        super().__init__(fast.name)
        self.chips = fast.chips
        self._adapter = adapter
        self.last: dict[int, float] = {}

    def write(self, address: int, data: bytes) -> None:
        """Carry one write transfer. Raises OSError as the kernel does."""
        self._adapter.carry(self.name, len(data) + 1)
        super().write(address, data)
        self.last[address] = time.monotonic()


class _SlowPort:
    """A reader's port. `came` is called when the last byte that is read has come."""

    def __init__(self, port: Port, came: Callable[[], None]) -> None:
        self._port = port
        self._came = came

    @property
    def in_waiting(self) -> int:
        return self._port.in_waiting

    def read(self, size: int, /) -> bytes:
        data = self._port.read(size)
        time.sleep(len(data) * 10 / BAUD)
        if data:
            self._came()
        return data

    def write(self, data: bytes, /) -> int | None:
        time.sleep(len(data) * 10 / BAUD)
        return self._port.write(data)

    def reset_input_buffer(self) -> None:
        self._port.reset_input_buffer()

    def close(self) -> None:
        self._port.close()


class SlowWires(SimulatedWires):
    """A table's wires at their true pace: `hertz` of the buses, which are each on their own or channels of `one`.

    `laid` tells, by reader and tag, when a tag came into the field; `newest` when the last byte came from any reader.
    """

    def __init__(self, wiring: Wiring, hertz: int, one: bool) -> None:
        super().__init__(wiring)
        shared = Adapter(hertz)
        shared.shared = True
        self.slow = {number: SlowBus(bus, shared if one else Adapter(hertz)) for number, bus in self.buses.items()}
        self.buses.update(self.slow)
        self.laid: dict[tuple[str, str], float] = {}
        self.newest = 0.0

    def port_opener(self, place: ReaderPlace) -> Opener:
        """The real one, with a port that takes its time."""
        opener = super().port_opener(place)
        return lambda path: _SlowPort(opener(path), self._came)

    def place(self, reader: str, uid: str) -> None:
        """Lay a tag into a reader's field."""
        self.laid[reader, uid] = time.monotonic()
        super().place(reader, uid)

    def _came(self) -> None:
        self.newest = time.monotonic()

    def display(self, seat: int) -> tuple[SlowBus, int]:
        """The bus of a seat's display, and its address there; raises KeyError where there is none."""
        place = self._seat(seat).display
        if place is None:
            raise KeyError(f"seat {seat} has no display")
        return self.slow[place.bus], place.address
