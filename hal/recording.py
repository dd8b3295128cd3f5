"""Recording wires: they pass everything on to true or simulated ones, and write down what passes (`hal.capture`)."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from smbus2 import i2c_msg

from hal.capture import I2C, LINES, pack
from hal.gpio import EdgeFlag, GpioChip, I2cPlace
from hal.oled import Bus
from hal.pn532 import PORT_FAULTS, Port
from hal.reader_drivers import Opener
from hal.recorder import Recorder
from hal.strip import SpiPort
from hal.wires import Wires
from hal.wiring import ReaderPlace

_READ = 0x0001  # I2C_M_RD
_MOST_EDGES = 64  # of one line between two looks: more bounces tell nothing more


class RecordingWires:
    """Wires (`hal.wires.Wires`) whose traffic is written down."""

    def __init__(self, wires: Wires, recorder: Recorder) -> None:
        self._wires = wires
        self._recorder = recorder

    def open_chip(self, label: str | None = None, place: I2cPlace | None = None, *, twin: bool = False) -> GpioChip:
        """Open the gpiochip with this label, or the one behind the header; raises `GpioError`."""
        return _RecordedChip(self._wires.open_chip(label, place, twin=twin), self._recorder)

    def open_bus(self, number: int) -> Bus:
        """Open /dev/i2c-N; raises OSError."""
        wire = bus_wire(number)
        with _noted(self._recorder, wire, "open", (OSError,), wire):
            bus = self._wires.open_bus(number)
        self._recorder.note(wire, "open", at=self._recorder.last_look(wire))
        return _RecordedBus(bus, wire, self._recorder)

    def open_spi(self, path: str) -> SpiPort:
        """Open an SPI port; raises OSError. Nothing ever comes from there."""
        wire = spi_wire(path)
        with _noted(self._recorder, wire, "open", (OSError,), LINES):
            port = self._wires.open_spi(path)
        self._recorder.note(wire, "open", at=self._recorder.last_look(LINES))
        return _RecordedSpi(port, wire, self._recorder)

    def serial_path(self, place: ReaderPlace) -> str:
        """What to open for a reader."""
        return self._wires.serial_path(place)

    def port_opener(self, place: ReaderPlace) -> Opener:
        """How to open it."""
        inner = self._wires.port_opener(place)

        def open_recorded(path: str) -> Port:
            with _noted(self._recorder, place.name, "open", PORT_FAULTS, place.name):
                port = inner(path)
            self._recorder.note(place.name, "open", at=self._recorder.last_look(place.name))
            return _RecordedPort(port, place.name, self._recorder)

        return open_recorded

    def looked(self, device: str, now: float) -> None:
        """A reader, all lines, or the displays of a bus are polled now. Of displays, what counts is what was sent."""
        self._recorder.looked(device, now, told=not device.startswith(I2C))

    def close(self) -> None:
        """Give up what is not a driver's."""
        self._wires.close()


def bus_wire(number: int) -> str:
    """The name of an I²C bus in a capture: `i2c-1`."""
    return f"{I2C}{number}"


def display_wire(bus: str, address: int) -> str:
    """The name of what is at an address of a bus: `i2c-1 3C`."""
    return f"{bus} {address:02X}"


def spi_wire(path: str) -> str:
    """The name of an SPI port in a capture: `spidev0.0`."""
    return PurePosixPath(path).name


@contextmanager
def _noted(
    recorder: Recorder, wire: str, operation: str, errors: tuple[type[Exception], ...], device: str = ""
) -> Iterator[None]:
    """Write down an error, now or at the time of the last look at `device`, and let it go on."""
    try:
        yield
    except errors as error:
        at = recorder.last_look(device) if device else None
        recorder.note(wire, "error", [operation, *error_words(error)], at)
        raise


def error_words(error: Exception) -> tuple[str, int | None, str]:
    """An exception of a wire as plain values: its class, its errno, its words."""
    number = getattr(error, "errno", None)
    if number is None and len(error.args) > 1 and isinstance(error.args[0], int):  # termios.error
        number = error.args[0]
    kind = type(error)
    words = str(error.args[1]) if number is not None and len(error.args) > 1 else str(error)
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins."), number, words


class _RecordedPort:
    """A serial port. What is written, with what is read after it, is one exchange: it ends with a read that finds
    nothing, or with the next write or flush. What comes without an exchange has come unasked. All has the time of the
    poll that did it.
    """

    def __init__(self, port: Port, wire: str, recorder: Recorder) -> None:
        self._port = port
        self._wire = wire
        self._recorder = recorder
        self._written: bytes | None = None
        self._answer = bytearray()
        self._number = 0
        self._at = 0.0

    @property
    def in_waiting(self) -> int:
        with self._passing("in_waiting"):
            count = self._port.in_waiting
        if not count and self._written is None:
            self._quiet()  # some drivers read only what is there
        return count

    def read(self, size: int, /) -> bytes:
        with self._passing("read"):
            data = self._port.read(size)
        if self._written is None:
            if data:
                self._recorder.note(self._wire, "came", pack(data), self._recorder.last_look(self._wire))
            else:
                self._quiet()
            return data
        self._answer += data
        if not data:
            self._finish()
        return data

    def write(self, data: bytes, /) -> int | None:
        self._finish()
        number = self._recorder.asked(self._wire, bytes(data))
        with self._passing("write"):
            count = self._port.write(data)
        self._written, self._number, self._at = bytes(data), number, self._recorder.last_look(self._wire)
        return count

    def reset_input_buffer(self) -> None:
        self._finish()
        with self._passing("reset_input_buffer"):
            self._port.reset_input_buffer()

    def close(self) -> None:
        self._finish()
        with self._passing("close"):
            self._port.close()

    @contextmanager
    def _passing(self, operation: str) -> Iterator[None]:
        try:
            with _noted(self._recorder, self._wire, operation, PORT_FAULTS, self._wire):
                yield
        except PORT_FAULTS:
            self._written = None  # a command in the middle of which the port went was not answered
            raise

    def _quiet(self) -> None:
        self._recorder.quiet(self._wire, self._recorder.last_look(self._wire))

    def _finish(self) -> None:
        if self._written is not None:
            self._recorder.exchange(self._wire, self._written, bytes(self._answer), self._number, self._at)
        self._written = None
        self._answer.clear()


class _RecordedSpi:
    """An SPI port: what is written to it."""

    def __init__(self, port: SpiPort, wire: str, recorder: Recorder) -> None:
        self._port = port
        self._wire = wire
        self._recorder = recorder

    def write(self, data: bytes) -> None:
        with _noted(self._recorder, self._wire, "write", (OSError,), LINES):
            self._port.write(data)
        self._recorder.note(self._wire, "write", pack(data), self._recorder.last_look(LINES))

    def close(self) -> None:
        self._port.close()


class _RecordedBus:
    """An I²C bus. Each address on it is a wire of its own: `i2c-1 3C`."""

    def __init__(self, bus: Bus, wire: str, recorder: Recorder) -> None:
        self._bus = bus
        self._wire = wire
        self._recorder = recorder

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Any, force: bool | None = None) -> None:
        wire = self._name(i2c_addr)
        with _noted(self._recorder, wire, "write", (OSError,), self._wire):
            self._bus.write_i2c_block_data(i2c_addr, register, data, force)
        self._recorder.note(wire, "write", pack(bytes([register, *data])), self._recorder.last_look(self._wire))

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        names = [self._name(message.addr) for message in i2c_msgs]
        with _noted(self._recorder, names[0] if names else self._wire, "write", (OSError,), self._wire):
            self._bus.i2c_rdwr(*i2c_msgs)
        for wire, message in zip(names, i2c_msgs, strict=True):
            kind = "read" if message.flags & _READ else "write"
            self._recorder.note(wire, kind, pack(bytes(message)), self._recorder.last_look(self._wire))

    def close(self) -> None:
        self._bus.close()

    def _name(self, address: int) -> str:
        return display_wire(self._wire, address)


class _RecordedChip(GpioChip):
    """A gpiochip whose inputs and outputs are written down."""

    def __init__(self, chip: GpioChip, recorder: Recorder) -> None:
        vars(self).update(vars(chip))  # it is this chip, opened already
        self._recorder = recorder
        self._inputs: dict[int, _RecordedInput] = {}

    def input(self, line: int) -> Any:
        made = self._inputs[line] = _RecordedInput(super().input(line), self.name(line), self._recorder, self.errors)
        return made

    def edges(self, line: int) -> EdgeFlag:
        return _RecordedEdges(self._inputs[line])

    def output(self, line: int, active_high: bool = True) -> Any:
        return _RecordedOutput(super().output(line, active_high), self.name(line), self._recorder, self.errors)

    def tone(self, line: int, frequency: int) -> Any:
        return _RecordedOutput(super().tone(line, frequency), self.name(line), self._recorder, self.errors)


class _RecordedEdges(EdgeFlag):
    """What the caller took for an edge is an edge of the capture, at that look and at no other."""

    def __init__(self, line: "_RecordedInput") -> None:
        super().__init__()
        self._line = line

    def take(self) -> bool:
        self._line.took = super().take()
        return self._line.took


class _RecordedInput:
    """An input: the edges that lgpio reports, and each level that was read after one or differs from the last. Both
    have the time of the look that found them: an edge tells nothing before the next look.

    Inputs are pulled up and active when low (`GpioChip.input`).
    """

    def __init__(self, device: Any, wire: str, recorder: Recorder, errors: tuple[type[Exception], ...]) -> None:
        self._device = device
        self._wire = wire
        self._recorder = recorder
        self._errors = errors
        self._level: int | None = None
        self._edges: deque[int] = deque(maxlen=_MOST_EDGES)  # appended to in lgpio's thread
        self.took = False
        """Whether the caller knows of an edge now."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # a button asks whether its device can report edges
        return type(self._device)

    @property
    def pin(self) -> Any:
        return self._device.pin

    @property
    def is_active(self) -> bool:
        at, came = self._recorder.last_look(LINES), list[int]()
        while self.took and self._edges:
            came.append(self._edges.popleft())
        try:
            with _noted(self._recorder, self._wire, "read", self._errors, LINES):
                level = int(not self._device.is_active)
        except self._errors:
            self._level = None
            raise
        for edge in came or [level] * self.took:  # one that came meanwhile may have been written down already
            self._recorder.note(self._wire, "edge", edge, at)
        if self.took or level != self._level:
            self._level = level
            self._recorder.note(self._wire, "level", level, at)
        else:
            self._recorder.quiet(self._wire, at)
        return not level

    @property
    def when_activated(self) -> Any:
        return self._device.when_activated

    @when_activated.setter
    def when_activated(self, call: Callable[[], None] | None) -> None:
        self._device.when_activated = None if call is None else self._noting(0, call)

    @property
    def when_deactivated(self) -> Any:
        return self._device.when_deactivated

    @when_deactivated.setter
    def when_deactivated(self, call: Callable[[], None] | None) -> None:
        self._device.when_deactivated = None if call is None else self._noting(1, call)

    def close(self) -> None:
        self._device.close()

    def _noting(self, level: int, call: Callable[[], None]) -> Callable[[], None]:
        def note_edge() -> None:
            self._edges.append(level)
            call()

        return note_edge


class _RecordedOutput:
    """An output: each level that is written; 1 is a tone that sounds."""

    def __init__(self, device: Any, wire: str, recorder: Recorder, errors: tuple[type[Exception], ...]) -> None:
        self._device = device
        self._wire = wire
        self._recorder = recorder
        self._errors = errors

    def on(self) -> None:
        with _noted(self._recorder, self._wire, "write", self._errors, LINES):
            self._device.on()
        self._recorder.note(self._wire, "output", 1, self._recorder.last_look(LINES))

    def off(self) -> None:
        with _noted(self._recorder, self._wire, "write", self._errors, LINES):
            self._device.off()
        self._recorder.note(self._wire, "output", 0, self._recorder.last_look(LINES))

    def close(self) -> None:
        self._device.close()
