"""What all parts of a wiring drawing share: the colours of wires, and the marks of pins, resistors and names."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from firmware.svg import Dot, Rect, Shape, Text, Wire, cut, text_width
from hal.events import Button
from hal.header import HEADER_PINS, chip_pins
from hal.lines import LinePlace
from hal.wiring import Wiring
from hal.wiring_lines import Use, UseKind

WIDTH = 500
"""How wide each part of a drawing is."""
INK, FAINT, PAPER = "#1b1b1b", "#5c636a", "#ffffff"


class Colour(StrEnum):
    """The colours of wires, as they are on every ribbon cable; the words of each are `drawing.wire-NAME`."""

    RED = "#d62828"
    ORANGE = "#f08c00"
    BLACK = "#1b1b1b"
    BLUE = "#1971c2"
    YELLOW = "#f2c037"
    GREEN = "#2b8a3e"
    VIOLET = "#7b2cbf"
    BROWN = "#8d5524"
    GREY = "#868e96"
    WHITE = "#f1f3f5"
    PINK = "#d6336c"


SUPPLY = {"5V": Colour.RED, "3V3": Colour.ORANGE, "GND": Colour.BLACK, "VDD": Colour.ORANGE, "VSS": Colour.BLACK}
SIGNAL = {"SDA": Colour.BLUE, "SCL": Colour.YELLOW}
BUTTON = {Button.LEFT.value: Colour.GREEN, Button.OK.value: Colour.VIOLET, Button.RIGHT.value: Colour.BROWN}
_KINDS = {UseKind.LED: Colour.GREY, UseKind.UART: Colour.PINK}
_PALE = (Colour.YELLOW, Colour.ORANGE, Colour.WHITE)


def wire_colour(use: Use) -> Colour:
    """The colour of the wire at a line."""
    match use.kind:
        case UseKind.BUTTON:
            return BUTTON[use.name]
        case UseKind.I2C:
            return SIGNAL[use.name]
        case _:
            return _KINDS.get(use.kind, Colour.WHITE)


def ink_on(colour: str) -> str:
    """What can be read on a colour."""
    return INK if colour in _PALE else PAPER


HEADER_PIN_OF = {pin.place: pin.number for pin in HEADER_PINS if pin.place is not None}
"""The pin of the header at which a line is."""


def badge(x: float, y: float, number: int) -> Iterator[Shape]:
    """A pin of the header by its number: a dark plate, 24 wide, whose middle is at `y`."""
    yield Rect(x, y - 8, 24, 16, INK, round=3)
    yield Text(x + 12, y + 4, str(number), 11, "middle", bold=True, colour=PAPER)


def place_mark(x: float, y: float, place: LinePlace, wiring: Wiring, room: float) -> list[Shape]:
    """Where a line is: the plate of its pin on the header and its name, or its name on a further chip."""
    if not place.chip:
        return [*badge(x, y, HEADER_PIN_OF[place]), Text(x + 30, y + 4, f"GPIO{place.number}", 11)]
    chip = next(chip for chip in wiring.chips if chip.name == place.chip)
    pin = next((pin for pin in chip_pins(chip) if pin.place == place), None)
    text = str(place) if pin is None else f"{place} ({pin.number} {pin.name})"
    return [Text(x, y + 4, cut(text, room, 11), 11)]


def behind(shapes: Sequence[Shape]) -> float:
    """Where a wire begins behind marks."""
    return max(shape.box.right for shape in shapes if isinstance(shape, Text | Rect)) + 8


def tag(x: float, y: float, text: str, colour: str, to_left: bool = False, room: float = 150) -> Iterator[Shape]:
    """A name on a plate of the colour of its wire. `x` is its left edge, with `to_left` its right one."""
    size = next((size for size in (11, 10, 9) if text_width(text, size) + 10 <= room), 8)
    text = cut(text, room - 10, size)
    width = text_width(text, size) + 10
    left = x - width if to_left else x
    stroke = FAINT if colour in (Colour.WHITE, Colour.YELLOW) else "none"
    yield Rect(left, y - 8, width, 16, colour, stroke, round=3)
    yield Text(left + width / 2, y + 4, text, size, "middle", colour=ink_on(colour))


def wire(colour: str, *points: tuple[float, float]) -> Iterator[Wire]:
    """A wire; pale ones have a dark edge, so that they are seen on paper."""
    if colour in (Colour.WHITE, Colour.YELLOW):
        yield Wire(points, FAINT, 4)
    yield Wire(points, colour, 2.5)


def resistor(x: float, y: float, ohms: str) -> Iterator[Shape]:
    """A resistor, 52 wide, whose middle line is at `y`."""
    yield Rect(x, y - 8, 52, 16, PAPER, INK)
    yield Text(x + 26, y + 4, ohms, 10, "middle")


def ground(x: float, y: float) -> Iterator[Shape]:
    """The sign of ground, below the end of a wire."""
    for step, half in enumerate((9, 6, 3)):
        yield Wire(((x - half, y + 3 * step), (x + half, y + 3 * step)), Colour.BLACK, 1.5)


def joint(x: float, y: float, colour: str = INK) -> Dot:
    """Where wires are joined."""
    return Dot(x, y, 3.5, colour)


def title(text: str, beside: str = "") -> Iterator[Shape]:
    """The heading of a part, and what is to be said at its right."""
    room = WIDTH - 20.0
    if beside:
        beside = cut(beside, room * 0.7, 10)
        yield Text(WIDTH - 10, 17, beside, 10, "end", colour=FAINT)
        room -= text_width(beside, 10) + 10
    yield Text(10, 18, cut(text, room, 14, bold=True), 14, bold=True)


def frame(height: float) -> Rect:
    """The edge of a part."""
    return Rect(0, 0, WIDTH, height, PAPER, "#adb5bd", round=6)


def plate(x: float, y: float, width: float, height: float) -> Rect:
    """A board or a module."""
    return Rect(x, y, width, height, "#e7f1fb", "#41607f", round=4)


def lines_of_text(lines: Sequence[str], top: float, size: float = 10, step: float = 14) -> Iterator[Text]:
    """Lines below each other, at the left of a part."""
    for index, line in enumerate(lines):
        yield Text(10, top + step * index, line, size)
