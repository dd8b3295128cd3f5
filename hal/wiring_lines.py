"""Which GPIO line is used for what: counted and compared before a table starts, and drawn for whoever builds it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hal.lines import HEADER_LINES, LinePlace, place_of
from hal.phrases import Phrase, either
from hal.taken import Taken
from hal.toml_lines import KeyPath, TomlFile
from hal.toml_types import shown

if TYPE_CHECKING:
    from hal.wiring import ReaderPlace, Wiring

MAIN_BUS = 1
"""The I²C bus on the header's own lines."""
MAIN_BUS_LINES = {2: "SDA", 3: "SCL"}
UART_LINES = {14: "TXD", 15: "RXD"}
PI_5_UART = "/dev/ttyAMA0"
HEADER_UARTS = ("/dev/serial0", PI_5_UART, "/dev/ttyS0")
"""Names of the serial port on the header's own lines, model by model."""
STRIP_LINES = {10: "MOSI", 11: "SCLK"}
"""The lines of SPI bus 0 that a strip of LEDs is wired to."""
SPI_LINES = {9: "MISO", 8: "CE0", 7: "CE1"}
"""Further lines that the kernel takes for SPI bus 0, unless its overlay leaves them out."""

OUTPUTS_ONLY = {"mcp23017": (7, 15)}
"""Lines that are no inputs, by the chip's label: GPA7 and GPB7 of an MCP23017 (Microchip DS20001952, revision D)."""


class UseKind(StrEnum):
    """What a line is used for."""

    BUTTON = "button"
    LED = "led"
    BUZZER = "buzzer"
    I2C = "i2c"
    UART = "uart"
    SPI = "spi"
    INTERRUPT = "interrupt"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Use:
    """One line and what it is for. `name` is the button, the signal, the chip that interrupts, or the reader that is
    reset; `of` the seat (0: none), the bus or the port that it belongs to. `path` is where the file says so.
    """

    place: LinePlace
    kind: UseKind
    name: str
    of: int | str
    path: KeyPath

    @property
    def words(self) -> str:
        """The use in words, for messages."""
        match self.kind:
            case UseKind.BUTTON:
                return Phrase("seat {seat} {button} button", seat=self.of, button=Phrase(self.name))
            case UseKind.LED:
                return Phrase("seat {seat} LED", seat=self.of)
            case UseKind.BUZZER:
                return Phrase("buzzer")
            case UseKind.I2C:
                return Phrase("{signal} of I²C bus {bus}", signal=self.name, bus=self.of)
            case UseKind.UART | UseKind.SPI:
                return Phrase("{signal} of {port}", signal=self.name, port=self.of)
            case UseKind.INTERRUPT:
                return Phrase("interrupt of chip {chip}", chip=self.name)
            case UseKind.RESET:
                return _reset_words(self)


def _reset_words(use: Use) -> Phrase:
    if use.of:
        return Phrase("seat {seat} reader reset", seat=use.of)
    return Phrase("{reader} reset", reader=Phrase(use.name))


def uses(wiring: "Wiring") -> Iterator[Use]:
    """Every line that is used: those that the kernel takes for buses and ports first, then the table's own."""
    yield from _bus_uses(wiring)
    yield from _port_uses(wiring)
    for index, chip in enumerate(wiring.chips):
        if chip.interrupt is not None:
            path: KeyPath = ("chip", index, "interrupt")
            yield Use(LinePlace("", chip.interrupt), UseKind.INTERRUPT, chip.name, "", path)
    for index, seat in enumerate(wiring.seats):
        for key in seat.buttons.__struct_fields__:
            path = ("seat", index, "buttons", key)
            yield Use(place_of(getattr(seat.buttons, key)), UseKind.BUTTON, key, seat.number, path)
        if seat.led is not None:
            yield Use(place_of(seat.led), UseKind.LED, "", seat.number, ("seat", index, "led"))
    for reader, path in _reader_paths(wiring):
        if reader.reset is not None:
            yield Use(place_of(reader.reset), UseKind.RESET, reader.name, reader.seat or 0, (*path, "reset"))
    if wiring.buzzer is not None:
        yield Use(place_of(wiring.buzzer.line), UseKind.BUZZER, "", "", ("buzzer", "line"))


def _bus_uses(wiring: "Wiring") -> Iterator[Use]:
    on_main: list[KeyPath] = [
        ("seat", index, "display", "bus")
        for index, seat in enumerate(wiring.seats)
        if seat.display is not None and seat.display.bus == MAIN_BUS
    ]
    on_main += [("chip", index) for index, chip in enumerate(wiring.chips) if chip.bus == MAIN_BUS]
    on_main += [("mux", index) for index, mux in enumerate(wiring.muxes) if mux.bus == MAIN_BUS]
    if on_main:
        for line, signal in MAIN_BUS_LINES.items():
            yield Use(LinePlace("", line), UseKind.I2C, signal, MAIN_BUS, on_main[0])
    for index, bus in enumerate(wiring.buses):
        yield Use(LinePlace("", bus.sda), UseKind.I2C, "SDA", bus.number, ("bus", index, "sda"))
        yield Use(LinePlace("", bus.scl), UseKind.I2C, "SCL", bus.number, ("bus", index, "scl"))


def _reader_paths(wiring: "Wiring") -> Iterator[tuple["ReaderPlace", KeyPath]]:
    seats = [seat.number for seat in wiring.seats]
    roles = [reader.role for reader in wiring.common_readers]
    for place in wiring.readers():
        if place.seat is not None:
            yield place, ("seat", seats.index(place.seat), "reader")
        elif place.role is not None:
            yield place, ("reader", roles.index(place.role))


def _port_uses(wiring: "Wiring") -> Iterator[Use]:
    for place, path in _reader_paths(wiring):
        if place.port in HEADER_UARTS:
            for line, signal in UART_LINES.items():
                yield Use(LinePlace("", line), UseKind.UART, signal, place.port, (*path, "port"))
            break  # a second name of the same port is refused as a port
    if wiring.strip is not None:
        lines = STRIP_LINES if wiring.strip.two_wires else STRIP_LINES | SPI_LINES
        for line, signal in lines.items():
            yield Use(LinePlace("", line), UseKind.SPI, signal, wiring.strip.port, ("strip", "port"))


@dataclass(frozen=True, slots=True)
class LineCount:
    """How many lines there are, and how many are used of them."""

    there: int
    used: int

    @property
    def missing(self) -> int:
        """How many lines there are too few; 0 when they suffice."""
        return max(0, self.used - self.there)


def count_lines(wiring: "Wiring") -> LineCount:
    """The lines of the header and of all chips together."""
    there = len(HEADER_LINES) + sum(chip.lines for chip in wiring.chips)
    return LineCount(there, sum(1 for _ in uses(wiring)))


def check_lines(file: TomlFile, wiring: "Wiring") -> None:
    """Raises WiringError when lines are missing, when one is on no chip of the file, or when two want the same."""
    count = count_lines(wiring)
    if count.missing:
        first_without = list(uses(wiring))[count.there]
        missing = Phrase("1 is missing") if count.missing == 1 else Phrase("{count} are missing", count=count.missing)
        have = Phrase("the header and the chips have") if wiring.chips else Phrase("the header has")
        raise file.error(
            first_without.path,
            Phrase(
                "{used} lines are used and {have} {there}: {missing}; expected fewer, or a [[chip]] with more lines",
                used=count.used,
                have=have,
                there=count.there,
                missing=missing,
            ),
        )
    sizes = {chip.name: chip.lines for chip in wiring.chips}
    taken = Taken(file)
    for use in uses(wiring):
        chip, number = use.place.chip, use.place.number
        if chip and chip not in sizes:
            known = either(f"{name}.0" for name in sizes) if sizes else Phrase("a [[chip]] of that name")
            raise file.error(
                use.path,
                Phrase("{place} is on no chip of the file; expected {known}", place=shown(str(use.place)), known=known),
            )
        if chip and number >= sizes[chip]:
            raise file.error(
                use.path,
                Phrase(
                    "{place} does not exist; expected {chip}.0 to {chip}.{last}",
                    place=use.place,
                    chip=chip,
                    last=sizes[chip] - 1,
                ),
            )
        label = next((one.label for one in wiring.chips if one.name == chip), "")
        if use.kind is UseKind.BUTTON and number in OUTPUTS_ONLY.get(label, ()):
            problem = Phrase("line {place} of an {label} can be an output only", place=use.place, label=label)
            raise file.error(use.path, Phrase("{problem}; expected another line for a button", problem=problem))
        taken.take(use.place, _words(use.place), use.words, use.path, Phrase("a line of its own"))
    if wiring.buzzer is not None and wiring.buzzer.tone is not None and place_of(wiring.buzzer.line).chip:
        problem = Phrase("tone on line {line}: a chip on a bus is too slow for a tone", line=wiring.buzzer.line)
        raise file.error(
            ("buzzer", "tone"), Phrase("{problem}; expected a line of the header, or an active buzzer", problem=problem)
        )


def _words(place: LinePlace) -> str:
    return Phrase("line {place}", place=place) if place.chip else Phrase("GPIO line {place}", place=place)
