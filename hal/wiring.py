"""The hardware part of a table file: which seat has which lines, displays and readers.

`read_wiring` gives it as typed values that fit together, or says in one line what is wrong where. Device
names, by which events and logs call a device, are made here alone.
"""

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from hal.panels import Controller, Panel
from hal.toml_lines import KeyPath, TomlFile, read_toml
from hal.toml_types import shown, typed

ADDRESSES = (0x3C, 0x3D)
"""The two I²C addresses that a display of this kind can be set to."""
MAIN_BUS = 1
"""The I²C bus on the header's own lines."""
MAIN_BUS_LINES = {2: "SDA", 3: "SCL"}
UART_LINES = {14: "TXD", 15: "RXD"}
HEADER_UARTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Names of the serial port on the header's own lines, model by model."""

_MOVING_PORT = re.compile(r"/dev/tty(USB|ACM)\d+")

Line = Annotated[int, Meta(ge=2, le=27)]
"""A GPIO line of the header, by its BCM number. Lines 0 and 1 belong to the EEPROM of an add-on board."""


class CommonRole(StrEnum):
    """What a reader is for that belongs to no seat."""

    DEALING = "dealing"
    CENTRE = "centre"


class _Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: no key but those named."""


class ButtonLines(_Strict, frozen=True):
    """The lines of a seat's three buttons."""

    left: Line
    ok: Line
    right: Line


class DisplayPlace(_Strict, frozen=True):
    """A display's I²C bus (the N of /dev/i2c-N) and address, its chip and size, and how it is mounted.

    `rotate` is in degrees. A channel of a multiplexer that the kernel serves is a bus as any other.
    """

    bus: Annotated[int, Meta(ge=1)]
    address: int
    controller: Controller = Controller.SSD1306
    size: Literal["128x64", "128x32"] = "128x64"
    rotate: Literal[0, 180] = 0

    @property
    def panel(self) -> Panel:
        """What kind of display it is."""
        return Panel(self.controller, int(self.size.partition("x")[2]), self.rotate)


class SeatWiring(_Strict, frozen=True):
    """What a seat has. `reader` is the path of its reader's serial port."""

    number: Annotated[int, Meta(ge=1)]
    buttons: ButtonLines
    led: Line | None = None
    display: DisplayPlace | None = None
    reader: str | None = None


class ReaderWiring(_Strict, frozen=True):
    """A reader that belongs to no seat."""

    role: CommonRole
    port: str


class BusWiring(_Strict, frozen=True):
    """A further I²C bus that the kernel makes of two lines. A bus behind a multiplexer has none and is not
    named."""

    number: Annotated[int, Meta(ge=2)]
    sda: Line
    scl: Line


class BuzzerWiring(_Strict, frozen=True):
    """The line of the table's buzzer."""

    line: Line


@dataclass(frozen=True, slots=True)
class ReaderPlace:
    """One reader of the table: at a seat (then `role` is None) or common to all (then `seat` is None)."""

    name: str
    port: str
    seat: int | None = None
    role: CommonRole | None = None


class Wiring(_Strict, frozen=True):
    """All devices of a table; seats in the order of their numbers."""

    seats: Annotated[tuple[SeatWiring, ...], Meta(min_length=1)] = field(name="seat")
    common_readers: tuple[ReaderWiring, ...] = field(name="reader", default=())
    buses: tuple[BusWiring, ...] = field(name="bus", default=())
    buzzer: BuzzerWiring | None = None

    def readers(self) -> Iterator[ReaderPlace]:
        """Every reader: those of the seats first, then the common ones."""
        for seat in self.seats:
            if seat.reader is not None:
                yield ReaderPlace(reader_name(seat.number), seat.reader, seat=seat.number)
        for reader in self.common_readers:
            yield ReaderPlace(reader_name(reader.role), reader.port, role=reader.role)


BUZZER = "buzzer"
"""The name of the table's buzzer."""


def reader_name(place: int | CommonRole) -> str:
    """The name of the reader of a seat, or of a common one: "seat 2 reader", "dealing reader"."""
    return f"{place} reader" if isinstance(place, CommonRole) else f"seat {place} reader"


def display_name(seat: int) -> str:
    """The name of a seat's display."""
    return f"seat {seat} display"


def buttons_name(seat: int) -> str:
    """The name of a seat's three buttons together."""
    return f"seat {seat} buttons"


def led_name(seat: int) -> str:
    """The name of a seat's LED."""
    return f"seat {seat} LED"


_LINE = "the BCM number of a line, 2 to 27"
_EXPECTED = {
    "": "seat, reader, bus or buzzer",
    "seat": "[[seat]] tables, one or more, with number, buttons and perhaps led, display, reader",
    "number": "a whole number: seats count from 1, further buses from 2",
    "buttons": "a table with left, ok and right",
    "left": _LINE,
    "ok": _LINE,
    "right": _LINE,
    "led": _LINE,
    "display": "a table with bus and address and perhaps controller, size, rotate",
    "bus": "the number of an I²C bus, or [[bus]] tables with number, sda and scl",
    "address": "0x3C or 0x3D",
    "controller": '"ssd1306" or "sh1106"',
    "size": '"128x64" or "128x32"',
    "rotate": "0 or 180",
    "reader": "the path of a serial port at a seat, or [[reader]] tables with role and port",
    "role": '"dealing" or "centre"',
    "port": "the path of a serial port",
    "sda": _LINE,
    "scl": _LINE,
    "buzzer": "a [buzzer] table with line",
    "line": _LINE,
}


def read_wiring(path: Path, others: Collection[str] = ()) -> Wiring:
    """Read the table file at `path`. Tables named in `others` belong to somebody else and are not looked at.

    Raises WiringError at the first thing that is wrong, OSError when the file cannot be read.
    """
    return wiring_of(read_toml(path), others)


def wiring_of(file: TomlFile, others: Collection[str] = ()) -> Wiring:
    """The wiring in a file that is read already; as `read_wiring` in all else."""
    own = {key: value for key, value in file.data.items() if key not in others}
    also = "".join(f", {name}" for name in sorted(others))
    wiring = typed(file, own, Wiring, _EXPECTED | {"": _EXPECTED[""] + also})
    _check_seats(file, wiring)
    _check_lines(file, wiring)
    _check_displays(file, wiring)
    _check_ports(file, wiring)
    in_order = tuple(sorted(wiring.seats, key=lambda seat: seat.number))
    return Wiring(in_order, wiring.common_readers, wiring.buses, wiring.buzzer)


class _Taken:
    """Who has what, to find two that want the same."""

    def __init__(self, file: TomlFile) -> None:
        self._file = file
        self._owners: dict[object, tuple[str, KeyPath]] = {}

    def take(self, thing: object, words: str, owner: str, path: KeyPath, expected: str) -> None:
        """Give `thing` to `owner`, as `path` says. Raises WiringError when another has it."""
        if thing in self._owners:
            first, first_path = self._owners[thing]
            where = f"line {self._file.line(first_path)} of the file"
            raise self._file.error(path, f"{words} is taken by {first} ({where}); expected {expected}")
        self._owners[thing] = (owner, path)


def _check_seats(file: TomlFile, wiring: Wiring) -> None:
    taken = _Taken(file)
    count = len(wiring.seats)
    expected = f"the numbers 1 to {count}, each once"
    for index, seat in enumerate(wiring.seats):
        path = ("seat", index, "number")
        if seat.number > count:
            raise file.error(path, f"seat {seat.number} of {count}; expected {expected}")
        taken.take(seat.number, f"number {seat.number}", "another seat", path, expected)


def _check_lines(file: TomlFile, wiring: Wiring) -> None:
    taken = _Taken(file)
    for line, owner, path in (*_system_lines(wiring), *_own_lines(wiring)):
        taken.take(line, f"GPIO line {line}", owner, path, "a line of its own")


def _system_lines(wiring: Wiring) -> Iterator[tuple[int, str, KeyPath]]:
    """Lines that the kernel uses for buses and serial ports of this table."""
    for index, seat in enumerate(wiring.seats):
        if seat.display is not None and seat.display.bus == MAIN_BUS:
            for line, signal in MAIN_BUS_LINES.items():
                yield line, f"{signal} of I²C bus {MAIN_BUS}", ("seat", index, "display", "bus")
            break
    for index, bus in enumerate(wiring.buses):
        yield bus.sda, f"SDA of I²C bus {bus.number}", ("bus", index, "sda")
        yield bus.scl, f"SCL of I²C bus {bus.number}", ("bus", index, "scl")
    for port, path in _ports(wiring):
        if port in HEADER_UARTS:
            for line, signal in UART_LINES.items():
                yield line, f"{signal} of {port}", path
            break  # a second name of the same port is refused as a port


def _own_lines(wiring: Wiring) -> Iterator[tuple[int, str, KeyPath]]:
    for index, seat in enumerate(wiring.seats):
        for key in ButtonLines.__struct_fields__:
            line: int = getattr(seat.buttons, key)
            yield line, f"seat {seat.number} {key} button", ("seat", index, "buttons", key)
        if seat.led is not None:
            yield seat.led, led_name(seat.number), ("seat", index, "led")
    if wiring.buzzer is not None:
        yield wiring.buzzer.line, BUZZER, ("buzzer", "line")


def _check_displays(file: TomlFile, wiring: Wiring) -> None:
    buses, places = _Taken(file), _Taken(file)
    for index, bus in enumerate(wiring.buses):
        path: KeyPath = ("bus", index, "number")
        buses.take(bus.number, f"bus {bus.number}", "another [[bus]]", path, "a number of its own")
    for index, seat in enumerate(wiring.seats):
        if seat.display is None:
            continue
        bus_number, address = seat.display.bus, seat.display.address
        path = ("seat", index, "display", "address")
        if address not in ADDRESSES:
            raise file.error(path, f"address is 0x{address:02X}; expected {_EXPECTED['address']}")
        words = f"address 0x{address:02X} on bus {bus_number}"
        expected = "the other address, or another bus"
        places.take((bus_number, address), words, display_name(seat.number), path, expected)


def _ports(wiring: Wiring) -> Iterator[tuple[str, KeyPath]]:
    for index, seat in enumerate(wiring.seats):
        if seat.reader is not None:
            yield seat.reader, ("seat", index, "reader")
    for index, reader in enumerate(wiring.common_readers):
        yield reader.port, ("reader", index, "port")


def _check_ports(file: TomlFile, wiring: Wiring) -> None:
    devices, roles = _Taken(file), _Taken(file)
    for port, path in _ports(wiring):
        problem = _port_problem(port)
        if problem is not None:
            raise file.error(path, problem)
        # Two names of one device are found too, where the device is there.
        device = "the header's" if port in HEADER_UARTS else os.path.realpath(port)
        devices.take(device, f"serial port {port}", "another reader", path, "a port for each reader")
    for index, reader in enumerate(wiring.common_readers):
        path = ("reader", index, "role")
        roles.take(reader.role, f'role "{reader.role}"', "another reader", path, "one reader of each role")


def _port_problem(port: str) -> str | None:
    if not port.startswith("/") or "\0" in port:
        return f"port is {shown(port)}; expected a path, such as /dev/serial/by-path/…"
    if _MOVING_PORT.fullmatch(port):
        return f"{port} can be another device after a restart; expected its name under /dev/serial/by-path"
    return None
