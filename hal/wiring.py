"""The hardware part of a table file: which seat has which lines, displays and readers.

`read_wiring` gives it as typed values that fit together, or says in one line what is wrong where. Device
names, by which events and logs call a device, are made here alone.
"""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field

from hal.reader_kinds import ReaderKind
from hal.reader_wiring import EXPECTED as READER_EXPECTED
from hal.reader_wiring import READER_KEYS, ReaderSettings, check, settings_of
from hal.toml_lines import KeyPath, TomlFile, read_toml
from hal.toml_types import typed

ADDRESSES = (0x3C, 0x3D)
"""The two I²C addresses that a display of this kind can be set to."""
MAIN_BUS = 1
"""The I²C bus on the header's own lines."""
MAIN_BUS_LINES = {2: "SDA", 3: "SCL"}
UART_LINES = {14: "TXD", 15: "RXD"}
HEADER_UARTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Names of the serial port on the header's own lines, model by model."""

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
    """A display's I²C bus (the N of /dev/i2c-N) and address."""

    bus: Annotated[int, Meta(ge=1)]
    address: int


class SeatWiring(_Strict, frozen=True):
    """What a seat has. `reader` may be the path of a PN532's serial port alone."""

    number: Annotated[int, Meta(ge=1)]
    buttons: ButtonLines
    led: Line | None = None
    display: DisplayPlace | None = None
    reader: str | ReaderSettings | None = None


class ReaderWiring(ReaderSettings, frozen=True, kw_only=True):
    """A reader that belongs to no seat."""

    role: CommonRole


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
    kind: ReaderKind = ReaderKind.PN532
    reset: int | None = None
    settle: float | None = None
    release: float | None = None
    grab: bool = True
    apart: bool = False


def reader_place(reader: str | ReaderSettings, place: int | CommonRole) -> ReaderPlace:
    """The reader of a seat, or a common one, as the file gives it."""
    of = settings_of(reader)
    seat, role = (None, place) if isinstance(place, CommonRole) else (place, None)
    return ReaderPlace(
        reader_name(place), of.port, seat, role, of.kind, of.reset, of.settle, of.release, of.grab, of.apart
    )


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
                yield reader_place(seat.reader, seat.number)
        for reader in self.common_readers:
            yield reader_place(reader, reader.role)


BUZZER = "buzzer"
"""The name of the table's buzzer."""


def reader_name(place: int | CommonRole) -> str:
    """The name of the reader of a seat, or of a common one: "seat 2 reader", "dealing reader"."""
    return f"{place} reader" if isinstance(place, CommonRole) else f"seat {place} reader"


def reset_name(reader: str) -> str:
    """The name of the line to a reader's reset pin."""
    return f"{reader} reset"


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
    "display": "a table with bus and address",
    "bus": "the number of an I²C bus, or [[bus]] tables with number, sda and scl",
    "address": "0x3C or 0x3D",
    "reader": f"the path of a serial port or a table with {READER_KEYS} at a seat, or [[reader]] tables with role, "
    + READER_KEYS,
    "role": '"dealing" or "centre"',
    "sda": _LINE,
    "scl": _LINE,
    "buzzer": "a [buzzer] table with line",
    "line": _LINE,
} | READER_EXPECTED


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
    for place, _, reader_path, _ in _readers(wiring):
        if place.reset is not None:
            yield place.reset, reset_name(place.name), (*reader_path, "reset")
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


def _readers(wiring: Wiring) -> Iterator[tuple[ReaderPlace, ReaderSettings, KeyPath, bool]]:
    """Every reader with its settings, its place in the file, and whether it stands there as a table."""
    for index, seat in enumerate(wiring.seats):
        if seat.reader is not None:
            settings = settings_of(seat.reader)
            path = ("seat", index, "reader")
            yield reader_place(settings, seat.number), settings, path, settings is seat.reader
    for index, reader in enumerate(wiring.common_readers):
        yield reader_place(reader, reader.role), reader, ("reader", index), True


def _ports(wiring: Wiring) -> Iterator[tuple[str, KeyPath]]:
    for place, _, path, table in _readers(wiring):
        yield place.port, (*path, "port") if table else path


def _check_ports(file: TomlFile, wiring: Wiring) -> None:
    devices, roles = _Taken(file), _Taken(file)
    for _, settings, reader_path, table in _readers(wiring):
        check(file, settings, reader_path, table=table)
    for port, path in _ports(wiring):
        # Two names of one device are found too, where the device is there.
        device = "the header's" if port in HEADER_UARTS else os.path.realpath(port)
        words = f"{'device' if '/input/' in port else 'serial port'} {port}"
        devices.take(device, words, "another reader", path, "a port for each reader")
    for index, reader in enumerate(wiring.common_readers):
        path = ("reader", index, "role")
        roles.take(reader.role, f'role "{reader.role}"', "another reader", path, "one reader of each role")
