"""Wires that play a capture back: the true drivers run on them, on a clock that is stepped by hand.

What a wire does depends on the time alone, not on how often or exactly when it is asked: a command on a serial port is
answered with what the same command was answered with at that time of the capture, bytes that came unasked come at their
time, levels change at theirs, and devices fail at theirs (`hal.captured`).
"""

import re
from bisect import bisect_right
from contextlib import ExitStack
from typing import Any

from smbus2 import i2c_msg

from hal.capture import Capture, Entry, unpack
from hal.captured import NEARLY, Health, SerialLine
from hal.clock import Clock
from hal.gpio import HEADER_LABELS, GpioChip, I2cPlace, open_chip, twin_label
from hal.oled import Bus
from hal.pn532 import Port
from hal.reader_drivers import Opener
from hal.recording import bus_wire, display_wire, spi_wire
from hal.sim.gpiochip import SimChip, SimLine
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import installed
from hal.sim.trace import Note, unheard
from hal.strip import SpiPort
from hal.wiring import ReaderPlace

_LINES = 58
_READ = 0x0001  # I2C_M_RD
_GPIO = re.compile(r"line (\d+) of (.+)")


class _ReplayedPort:
    """One opening of a serial port. A read never waits: what has not come does not come during it."""

    def __init__(self, line: SerialLine, clock: Clock) -> None:
        self._line = line
        self._clock = clock
        self._buffer = bytearray()
        line.health.check(clock.now())
        self._next = bisect_right([at for at, _ in line.came], clock.now() - NEARLY)

    @property
    def in_waiting(self) -> int:
        self._receive()
        return len(self._buffer)

    def read(self, size: int, /) -> bytes:
        self._receive()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def write(self, data: bytes, /) -> int:
        self._receive()
        self._buffer += self._line.answer(bytes(data), self._clock.now())
        return len(data)

    def reset_input_buffer(self) -> None:
        """Throw away what was answered and not read. What comes unasked at this time is still to be read: it was."""
        self._line.health.check(self._clock.now())
        self._buffer.clear()

    def close(self) -> None:
        self._buffer.clear()

    def _receive(self) -> None:
        now = self._clock.now()
        self._line.health.check(now)
        while self._next < len(self._line.came) and self._line.came[self._next][0] <= now + NEARLY:
            self._buffer += self._line.came[self._next][1]
            self._next += 1


class _ReplayedBus:
    """An I²C bus that takes everything, and fails when the captured one did."""

    def __init__(self, wire: str, wires: "ReplayWires") -> None:
        self._wire = wire
        self._wires = wires
        wires.check(wire)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Any, force: bool | None = None) -> None:
        self._write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        for message in i2c_msgs:
            if not message.flags & _READ:
                self._write(message.addr, bytes(message))
            else:
                name = self._name(message.addr)
                self._wires.check(name)
                for index, byte in enumerate(self._wires.last_read(name)[: message.len]):
                    message.buf[index] = bytes([byte])

    def close(self) -> None:
        """Nothing is kept here."""

    def _write(self, address: int, data: bytes) -> None:
        self._wires.check(self._name(address))
        self._wires.note(self._name(address), "write", data)

    def _name(self, address: int) -> str:
        return display_wire(self._wire, address)


class _ReplayedSpi:
    """An SPI port that takes everything, and fails when the captured one did."""

    def __init__(self, wire: str, wires: "ReplayWires") -> None:
        self._wire = wire
        self._wires = wires
        wires.check(wire)

    def write(self, data: bytes) -> None:
        self._wires.check(self._wire)
        self._wires.note(self._wire, "write", data)

    def close(self) -> None:
        """Nothing is kept here."""


class ReplayWires:
    """The wires of a capture (`hal.wires.Wires`). `advance` moves the lines to a time; `clock` must be there too.

    `note` is told what is written to displays, LEDs and the buzzer.
    """

    def __init__(self, capture: Capture, clock: Clock, note: Note = unheard) -> None:
        self._clock = clock
        self.note = note
        self._wires = capture.wires()
        self._serial: dict[str, SerialLine] = {}
        self._health: dict[str, Health] = {}
        self._places: dict[str, tuple[int, int]] = {}
        labels: list[str] = []
        for wire in self._wires:
            found = _GPIO.fullmatch(wire)
            if found is not None and int(found[1]) < _LINES:
                if found[2] not in labels:
                    labels.append(found[2])
                self._places[wire] = (labels.index(found[2]), int(found[1]))
        if not set(labels) & set(HEADER_LABELS):
            labels.append(HEADER_LABELS[0])
        self.lgpio = SimLgpio({number: (label, _LINES) for number, label in enumerate(labels)}, note)
        self._levels = [
            entry for entry in capture.entries if entry.wire in self._places and entry.kind in ("level", "edge")
        ]
        with_edges = {self._places[entry.wire][0] for entry in self._levels if entry.kind == "edge"}
        for number, chip in self.lgpio.chips.items():
            # One without an interrupt line has none, and its lines are read at every poll.
            chip.edges = chip.label in HEADER_LABELS or number in with_edges
        self._moved = 0
        self._close = ExitStack()
        self._close.enter_context(installed(self.lgpio))

    def open_chip(self, label: str | None = None, place: I2cPlace | None = None, *, twin: bool = False) -> GpioChip:
        """The chip with this label, or the one behind the header, by the real drivers."""
        if label is not None and place is not None and twin:
            label = twin_label(label, place)
        if label is not None and all(chip.label != label for chip in self.lgpio.chips.values()):
            # Nothing happened on any of its lines.
            self.lgpio.chips[len(self.lgpio.chips)] = SimChip(label, [SimLine() for _ in range(_LINES)])
        return _ReplayedChip(open_chip(HEADER_LABELS if label is None else label), self)

    def open_bus(self, number: int) -> Bus:
        """The bus; raises OSError when the captured one did."""
        return _ReplayedBus(bus_wire(number), self)

    def open_spi(self, path: str) -> SpiPort:
        """The port; raises OSError when the captured one did."""
        return _ReplayedSpi(spi_wire(path), self)

    def serial_path(self, place: ReaderPlace) -> str:
        """The path that the wiring names; nothing is opened there."""
        return place.port

    def port_opener(self, place: ReaderPlace) -> Opener:
        """What opens the captured port."""
        line = self._serial[place.name] = SerialLine(self._wires.get(place.name, []))

        def open_replayed(path: str) -> Port:
            return _ReplayedPort(line, self._clock)

        return open_replayed

    def looked(self, device: str, now: float) -> None:
        """A reader is polled now."""
        if device in self._serial:
            self._serial[device].look()

    def close(self) -> None:
        """End the replay. Closing again does nothing."""
        self._close.close()

    def advance(self, now: float) -> None:
        """Let the lines have the levels that were read by a time, by way of every edge before that."""
        while self._moved < len(self._levels) and self._levels[self._moved].at <= now + NEARLY:
            self._drive(self._levels[self._moved])
            self._moved += 1

    def _drive(self, entry: Entry) -> None:
        chip, line = self._places[entry.wire]
        level = entry.data
        changes = self.lgpio.level(chip, line) != level
        if entry.kind == "level":
            self.lgpio.lose_edges = True  # an edge, if there was one, has an entry of its own
        elif not changes:
            self.lgpio.drive(chip, line, 1 - level, entry.at)  # the edge back was too quick to be seen
        self.lgpio.drive(chip, line, level, entry.at)
        self.lgpio.lose_edges = False

    def check(self, wire: str) -> None:
        """Raise the error that this wire has now, if it has one."""
        if wire not in self._health:
            self._health[wire] = Health(self._wires.get(wire, []))
        self._health[wire].check(self._clock.now())

    def last_read(self, wire: str) -> bytes:
        """What was read last on an I²C wire by now."""
        reads = [entry for entry in self._wires.get(wire, []) if entry.kind == "read"]
        before = [entry for entry in reads if entry.at <= self._clock.now() + NEARLY]
        return unpack((before[-1:] or reads)[0].data) if reads else b""


class _ReplayedChip(GpioChip):
    """A gpiochip whose lines fail when the captured ones did."""

    def __init__(self, chip: GpioChip, wires: ReplayWires) -> None:
        vars(self).update(vars(chip))  # it is this chip, opened already
        self._wires = wires

    def input(self, line: int) -> Any:
        return _Failing(super().input(line), self.name(line), self._wires)

    def output(self, line: int, active_high: bool = True) -> Any:
        return _Failing(super().output(line, active_high), self.name(line), self._wires)

    def tone(self, line: int, frequency: int) -> Any:
        return _Failing(super().tone(line, frequency), self.name(line), self._wires)


class _Failing:
    """A gpiozero device; what reads or writes its line raises the error that the wire has at that time."""

    def __init__(self, device: Any, wire: str, wires: ReplayWires) -> None:
        self.__dict__.update(_device=device, _wire=wire, _wires=wires)

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # a button asks whether its device can report edges
        return type(self._device)

    def __getattr__(self, name: str) -> Any:
        if name in ("is_active", "on", "off"):
            self._wires.check(self._wire)
        return getattr(self._device, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._device, name, value)
