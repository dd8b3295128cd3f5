"""The pins of the parts that a table is soldered to: the 40-pin header of a Raspberry Pi, and an MCP23017."""

from dataclasses import dataclass
from enum import StrEnum

from hal.lines import LinePlace
from hal.wiring import ChipWiring, Wiring
from hal.wiring_lines import MAIN_BUS, MAIN_BUS_LINES, Use, uses


class PinKind(StrEnum):
    """What a pin is by itself."""

    SUPPLY = "supply"
    GROUND = "ground"
    LINE = "line"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin: its number on the part, its name, and the line of the table file that it carries."""

    number: int
    name: str
    kind: PinKind
    place: LinePlace | None = None


def _header_pin(number: int, what: str) -> Pin:
    if what.isdigit():
        return Pin(number, f"GPIO{what}", PinKind.LINE, LinePlace("", int(what)))
    kinds = {"3V3": PinKind.SUPPLY, "5V": PinKind.SUPPLY, "GND": PinKind.GROUND}
    return Pin(number, what, kinds.get(what, PinKind.OTHER))


_LEFT_ROW = "3V3 2 3 4 GND 17 27 22 3V3 10 9 11 GND ID_SD 5 6 13 19 26 GND"
_RIGHT_ROW = "5V 5V GND 14 15 18 GND 23 24 GND 25 8 7 ID_SC GND 12 GND 16 20 21"

HEADER_PINS = tuple(
    _header_pin(number, what)
    for number, what in enumerate(
        (what for row in zip(_LEFT_ROW.split(), _RIGHT_ROW.split(), strict=True) for what in row), start=1
    )
)
"""Pins 1 to 40, the same on every model since the B+. Odd ones are in one row, even ones in the other."""

MCP23017 = "mcp23017"
"""The label of an MCP23017, whose pins are known."""
MCP23017_LINES = 16


def chip_pins(chip: ChipWiring) -> tuple[Pin, ...]:
    """Pins 1 to 28 of an MCP23017 in its 28-pin case (Microchip DS20001952, section 2.0); none for a chip that is not
    known. The kernel counts its lines from GPA0 to GPA7, then from GPB0 to GPB7.
    """
    if chip.label != MCP23017 or chip.lines != MCP23017_LINES:
        return ()
    other: dict[int, tuple[str, PinKind]] = {
        9: ("VDD", PinKind.SUPPLY),
        10: ("VSS", PinKind.GROUND),
        11: ("NC", PinKind.OTHER),
        12: ("SCL", PinKind.OTHER),
        13: ("SDA", PinKind.OTHER),
        14: ("NC", PinKind.OTHER),
        18: ("RESET", PinKind.OTHER),
        19: ("INTB", PinKind.OTHER),
        20: ("INTA", PinKind.OTHER),
    }
    other |= {15 + bit: (f"A{bit}", PinKind.OTHER) for bit in range(3)}
    pins = {number: Pin(number, name, kind) for number, (name, kind) in other.items()}
    for bit in range(8):
        pins[1 + bit] = Pin(1 + bit, f"GPB{bit}", PinKind.LINE, LinePlace(chip.name, 8 + bit))
        pins[21 + bit] = Pin(21 + bit, f"GPA{bit}", PinKind.LINE, LinePlace(chip.name, bit))
    return tuple(pins[number] for number in sorted(pins))


def address_levels(chip: ChipWiring) -> dict[str, bool]:
    """To which level each address pin of an MCP23017 is tied, so that it answers at its address (section 3.3.1)."""
    return {f"A{bit}": bool(chip.address >> bit & 1) for bit in range(3)}


def by_place(wiring: Wiring) -> dict[LinePlace, Use]:
    """What each line is used for."""
    return {use.place: use for use in uses(wiring)}


def bus_pins(number: int, wiring: Wiring) -> dict[str, int]:
    """The header's pins with SDA and SCL of a bus; none for one that is behind a multiplexer."""
    lines = {signal: line for line, signal in MAIN_BUS_LINES.items()} if number == MAIN_BUS else {}
    for bus in wiring.buses:
        if bus.number == number:
            lines = {"SDA": bus.sda, "SCL": bus.scl}
    numbers = {pin.place.number: pin.number for pin in HEADER_PINS if pin.place is not None}
    return {signal: numbers[line] for signal, line in lines.items()}
