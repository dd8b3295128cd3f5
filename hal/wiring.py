"""The hardware part of a table file: which seat has which lines, displays and readers.

`read_wiring` gives it as typed values that fit together, or says in one line what is wrong where. Device
names, by which events and logs call a device, are made here alone.
"""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from hal.lines import ChipName, HeaderLine, Line
from hal.panels import Controller, Panel
from hal.phrases import Phrase, either
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import EXPECTED as READER_EXPECTED
from hal.reader_wiring import READER_KEYS, ReaderSettings, check, settings_of
from hal.taken import Taken as _Taken
from hal.toml_lines import KeyPath, TomlFile, read_toml
from hal.toml_types import shown, typed
from hal.wiring_buses import check_buses
from hal.wiring_lines import HEADER_UARTS, MAIN_BUS, check_lines

ADDRESSES = (0x3C, 0x3D)
"""The two I²C addresses that a display of this kind can be set to."""
SPI_PORTS = ("/dev/spidev0.0", "/dev/spidev0.1")
"""The ports of SPI bus 0, whose lines are on every header."""


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


BusNumber = Annotated[int, Meta(ge=1, le=999)]
"""The number of an I²C bus: the kernel gives small ones."""
FurtherBusNumber = Annotated[int, Meta(ge=2, le=999)]


class DisplayPlace(_Strict, frozen=True):
    """A display's I²C bus (the N of /dev/i2c-N) and address, its chip and size, and how it is mounted.

    `rotate` is in degrees. A channel of a multiplexer that the kernel serves is a bus as any other.
    """

    bus: BusNumber
    address: int
    controller: Controller = Controller.SSD1306
    size: Literal["128x64", "128x32"] = "128x64"
    rotate: Literal[0, 180] = 0

    @property
    def panel(self) -> Panel:
        """What kind of display it is."""
        return Panel(self.controller, int(self.size.partition("x")[2]), self.rotate)


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
    """A further I²C bus that the kernel makes of two lines. A bus behind a multiplexer has none: see `MuxWiring`."""

    number: FurtherBusNumber
    sda: HeaderLine
    scl: HeaderLine


Address = Annotated[int, Meta(ge=0x08, le=0x77)]
"""An I²C address that is not reserved (NXP UM10204, section 3.1.12)."""


class MuxWiring(_Strict, frozen=True):
    """An I²C multiplexer that the kernel serves: each channel is a bus of its own. `channels` are the numbers of these
    buses, from channel 0 on."""

    channels: Annotated[tuple[FurtherBusNumber, ...], Meta(min_length=1, max_length=8)]
    bus: BusNumber = MAIN_BUS
    address: Address = 0x70


class ChipWiring(_Strict, frozen=True):
    """A further chip with GPIO lines, such as an MCP23017. The kernel shows it as a gpiochip with this label, and
    serves it on a bus at an address, by which chips of one label are told apart. `interrupt` is the line of the header
    at its INTA, if that is wired."""

    name: ChipName
    label: Annotated[str, Meta(min_length=1)]
    lines: Annotated[int, Meta(ge=1, le=28)]
    bus: BusNumber = MAIN_BUS
    address: Address = 0x20
    interrupt: HeaderLine | None = None


class BuzzerWiring(_Strict, frozen=True):
    """The line of the table's buzzer. `tone` is the frequency, in hertz, that a passive one is fed with; None: an
    active one, which has its own."""

    line: Line
    tone: Annotated[int, Meta(ge=100, le=5000)] | None = None


class StripWiring(_Strict, frozen=True):
    """A strip of APA102 LEDs on SPI bus 0, shared by the seats in order, as many LEDs each. `brightness` is 1 to 31.
    `two_wires`: the kernel's overlay takes lines 10 and 11 alone, and leaves 7, 8 and 9 free."""

    leds: Annotated[int, Meta(ge=1, le=300)]
    port: str = SPI_PORTS[0]
    brightness: Annotated[int, Meta(ge=1, le=31)] = 8
    two_wires: bool = False


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
    chips: tuple[ChipWiring, ...] = field(name="chip", default=())
    muxes: tuple[MuxWiring, ...] = field(name="mux", default=())
    strip: StripWiring | None = None

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


_HEADER_LINE = Phrase("the BCM number of a line, 2 to 27")
_LINE = Phrase('{header_line}, or a line of a [[chip]], such as "mcp.5"', header_line=_HEADER_LINE)
_EXPECTED = {
    "": Phrase("seat, reader, bus, mux, chip, buzzer or strip"),
    "seat": Phrase("[[seat]] tables, one or more, with number, buttons and perhaps led, display, reader"),
    "number": Phrase("a whole number: seats count from 1, further buses from 2"),
    "buttons": Phrase("a table with left, ok and right"),
    "left": _LINE,
    "ok": _LINE,
    "right": _LINE,
    "led": _LINE,
    "display": Phrase("a table with bus and address and perhaps controller, size, rotate"),
    "bus": Phrase("the number of an I²C bus, or [[bus]] tables with number, sda and scl"),
    "address": Phrase("0x3C or 0x3D for a display, 0x08 to 0x77 for a chip or a multiplexer"),
    "controller": Phrase('"ssd1306" or "sh1106"'),
    "size": Phrase('"128x64" or "128x32"'),
    "rotate": Phrase("0 or 180"),
    "reader": Phrase(
        "the path of a serial port or a table with {keys} at a seat, or [[reader]] tables with role, {keys}",
        keys=READER_KEYS,
    ),
    "role": Phrase('"dealing" or "centre"'),
    "sda": _HEADER_LINE,
    "scl": _HEADER_LINE,
    "buzzer": Phrase("a [buzzer] table with line and perhaps tone"),
    "line": _LINE,
    "tone": Phrase("a frequency in hertz, 100 to 5000, for a buzzer that has none of its own"),
    "chip": Phrase("[[chip]] tables with name, label, lines and perhaps bus, address, interrupt"),
    "name": Phrase("a name of small letters and digits"),
    "label": Phrase("the chip's label, as gpiodetect shows it"),
    "lines": Phrase("how many lines the chip has, 1 to 28"),
    "interrupt": _HEADER_LINE,
    "mux": Phrase("[[mux]] tables with channels and perhaps bus, address"),
    "channels": Phrase("the numbers of one to eight buses, 2 or more each"),
    "strip": Phrase("a [strip] table with leds and perhaps port, brightness, two_wires"),
    "leds": Phrase("how many LEDs the strip has, 1 to 300"),
    "brightness": Phrase("1 to 31"),
    "two_wires": Phrase("true or false"),
} | READER_EXPECTED


def read_wiring(path: Path, others: Collection[str] = ()) -> Wiring:
    """Read the table file at `path`. Tables named in `others` belong to somebody else and are not looked at.

    Raises WiringError at the first thing that is wrong, OSError when the file cannot be read.
    """
    return wiring_of(read_toml(path), others)


def wiring_of(file: TomlFile, others: Collection[str] = ()) -> Wiring:
    """The wiring in a file that is read already; as `read_wiring` in all else."""
    own = {key: value for key, value in file.data.items() if key not in others}
    also = Phrase("{own}{others}", own=_EXPECTED[""], others="".join(f", {name}" for name in sorted(others)))
    wiring = typed(file, own, Wiring, _EXPECTED | {"": also})
    _check_seats(file, wiring)
    check_lines(file, wiring)
    _check_displays(file, wiring)
    check_buses(file, wiring)
    _check_ports(file, wiring)
    _check_strip(file, wiring)
    in_order = tuple(sorted(wiring.seats, key=lambda seat: seat.number))
    return replace(wiring, seats=in_order)


def _check_seats(file: TomlFile, wiring: Wiring) -> None:
    taken = _Taken(file)
    count = len(wiring.seats)
    expected = Phrase("the numbers 1 to {count}, each once", count=count)
    for index, seat in enumerate(wiring.seats):
        path = ("seat", index, "number")
        if seat.number > count:
            raise file.error(
                path,
                Phrase(
                    "seat {number} of {count}; expected {expected}", number=seat.number, count=count, expected=expected
                ),
            )
        taken.take(seat.number, Phrase("number {number}", number=seat.number), Phrase("another seat"), path, expected)


def _check_strip(file: TomlFile, wiring: Wiring) -> None:
    if wiring.strip is None:
        return
    seats = len(wiring.seats)
    if wiring.strip.leds % seats:
        problem = (
            Phrase("1 LED does not go round {seats} seats", seats=seats)
            if wiring.strip.leds == 1
            else Phrase("{leds} LEDs do not go round {seats} seats", leds=wiring.strip.leds, seats=seats)
        )
        raise file.error(
            ("strip", "leds"), Phrase("{problem}; expected a multiple of {seats}", problem=problem, seats=seats)
        )
    if wiring.strip.port not in SPI_PORTS:
        raise file.error(
            ("strip", "port"),
            Phrase("port is {port}; expected {ports}", port=shown(wiring.strip.port), ports=either(SPI_PORTS)),
        )


def _check_displays(file: TomlFile, wiring: Wiring) -> None:
    buses, places = _Taken(file), _Taken(file)
    for index, bus in enumerate(wiring.buses):
        path: KeyPath = ("bus", index, "number")
        buses.take(
            bus.number,
            Phrase("bus {number}", number=bus.number),
            Phrase("another [[bus]]"),
            path,
            Phrase("a number of its own"),
        )
    for index, seat in enumerate(wiring.seats):
        if seat.display is None:
            continue
        bus_number, address = seat.display.bus, seat.display.address
        if seat.display.controller is Controller.SH1106 and seat.display.size != "128x64":
            problem = Phrase("size is {size} with an sh1106", size=shown(seat.display.size))
            raise file.error(
                ("seat", index, "display", "size"),
                Phrase('{problem}; expected "128x64", or an ssd1306', problem=problem),
            )
        path = ("seat", index, "display", "address")
        if address not in ADDRESSES:
            raise file.error(path, Phrase("address is 0x{address:02X}; expected 0x3C or 0x3D", address=address))
        words = Phrase("address 0x{address:02X} on bus {bus}", address=address, bus=bus_number)
        expected = Phrase("the other address, or another bus")
        places.take((bus_number, address), words, Phrase("seat {seat} display", seat=seat.number), path, expected)


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
        words = Phrase("device {port}", port=port) if "/input/" in port else Phrase("serial port {port}", port=port)
        devices.take(device, words, Phrase("another reader"), path, Phrase("a port for each reader"))
    for index, reader in enumerate(wiring.common_readers):
        path = ("reader", index, "role")
        roles.take(
            reader.role,
            Phrase('role "{role}"', role=reader.role),
            Phrase("another reader"),
            path,
            Phrase("one reader of each role"),
        )
