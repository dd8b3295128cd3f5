"""The pins of a wiring drawing: the 40-pin header in its true shape, and further chips."""

from collections.abc import Iterator, Sequence

from firmware.svg import Dot, Part, Rect, Shape, Text
from firmware.wiring_marks import (
    FAINT,
    INK,
    PAPER,
    SIGNAL,
    SUPPLY,
    WIDTH,
    Colour,
    frame,
    tag,
    title,
    wire,
    wire_colour,
)
from firmware.wiring_words import WiringWords
from hal.header import HEADER_PINS, Pin, PinKind, address_levels, by_place, chip_pins
from hal.lines import LinePlace
from hal.wiring import ChipWiring, Wiring
from hal.wiring_lines import Use

_ROW = 17
_LEFT, _RIGHT = 246, 268
"""Where the two rows of pins are."""
_NAMES = 38
"""How far from a row of pins the names end."""


def header_part(wiring: Wiring, words: WiringWords) -> Part:
    """The header as it lies on the Pi, seen from above with the USB sockets below."""
    used = by_place(wiring)
    top = 74
    height = top + _ROW * 20 + 18
    shapes: list[Shape] = [
        frame(height),
        *title(words.say("drawing.header"), words.say("drawing.header-where")),
        # The board: the header lies at its right edge, a mounting hole above it.
        Rect(6, 30, _RIGHT + 9, height - 36, "#eef6ee", "#8fb48f", round=14),
        Dot((_LEFT + _RIGHT) / 2, 46, 8, PAPER, "#b8860b"),
        Rect(_LEFT - 13, top - 14, _RIGHT - _LEFT + 26, _ROW * 20 + 10, "#2f3437", round=2),
        Text(18, 50, "Raspberry Pi", 13, bold=True, colour="#3c6e3c"),
        Text(18, height - 14, words.say("drawing.usb"), 10, colour="#3c6e3c"),
    ]
    for index, (left, right) in enumerate(zip(HEADER_PINS[::2], HEADER_PINS[1::2], strict=True)):
        y = top + _ROW * index
        shapes += _pin(_LEFT, y, left, used, words, to_left=True)
        shapes += _pin(_RIGHT, y, right, used, words, to_left=False)
    return Part("header", height, tuple(shapes))


def _pin(
    x: float, y: float, pin: Pin, used: dict[LinePlace, Use], words: WiringWords, to_left: bool
) -> Iterator[Shape]:
    use = used.get(pin.place) if pin.place is not None else None
    colour: str = wire_colour(use) if use is not None else SUPPLY.get(pin.name, "#ced4da")
    yield from _pad(x, y, colour, square=pin.number == 1)
    yield from _outwards(x, y, pin, pin.name, to_left)
    if use is not None:
        yield from _tagged(x, y, words.use(use), colour, to_left)


def _pad(x: float, y: float, colour: str, square: bool = False) -> Iterator[Shape]:
    """A pad: square for pin 1."""
    if square:
        yield Rect(x - 7, y - 7, 14, 14, colour, PAPER)
    else:
        yield Dot(x, y, 7, colour, PAPER)


def _outwards(x: float, y: float, pin: Pin, name: str, to_left: bool) -> Iterator[Shape]:
    """The number and the name of a pin, beside its pad."""
    side = -1 if to_left else 1
    colour = SUPPLY.get(pin.name, INK) if pin.kind is not PinKind.OTHER else FAINT
    yield Text(x + side * 17, y + 4, str(pin.number), 11, "end" if to_left else "start", bold=True)
    yield Text(
        x + side * _NAMES, y + 4, name, 10, "end" if to_left else "start", bold=name in ("3V3", "5V"), colour=colour
    )


def _tagged(x: float, y: float, text: str, colour: str, to_left: bool, names: float = 49) -> Iterator[Shape]:
    """A wire at a pin, and what is at its other end."""
    side = -1 if to_left else 1
    start = x + side * (_NAMES + names)
    yield from wire(colour, (start, y), (start + side * 10, y))
    room = start - 10 - 12 if to_left else WIDTH - 8 - start - 10
    yield from tag(start + side * 10, y, text, colour, to_left, room)


def chip_part(chip: ChipWiring, wiring: Wiring, words: WiringWords) -> Part:
    """A further chip: an MCP23017 in its case, with what its own pins need; of another one the lines that are used."""
    used = by_place(wiring)
    where = words.say("drawing.chip-where", bus=chip.bus, address=f"0x{chip.address:02X}")
    heading = list(title(words.say("drawing.chip", chip=chip.name, label=chip.label), where))
    pins = chip_pins(chip)
    if not pins:
        return _unknown_chip(chip, used, words, heading)
    rows, top = len(pins) // 2, 46
    height = top + _ROW * rows + 6
    shapes: list[Shape] = [
        frame(height),
        *heading,
        Rect(_LEFT - 13, top - 14, _RIGHT - _LEFT + 26, _ROW * rows + 10, "#2f3437", round=2),
        Dot((_LEFT + _RIGHT) / 2, top - 13, 5, PAPER),
    ]
    ties = _ties(chip, words)
    for index, (left, right) in enumerate(zip(pins[:rows], reversed(pins[rows:]), strict=True)):
        for x, pin in ((_LEFT, left), (_RIGHT, right)):
            shapes += _chip_pin(x, top + _ROW * index, pin, used, ties, words)
    return Part(f"chip-{chip.name}", height, tuple(shapes))


def _ties(chip: ChipWiring, words: WiringWords) -> dict[str, tuple[str, str]]:
    """What the pins of a chip that carry no line are tied to, and the colour of that wire."""
    to = {"VDD": "3V3", "VSS": "GND", "RESET": "3V3"}
    to |= {name: "3V3" if high else "GND" for name, high in address_levels(chip).items()}
    ties: dict[str, tuple[str, str]] = {name: (level, SUPPLY[level]) for name, level in to.items()}
    for signal, colour in SIGNAL.items():
        ties[signal] = (words.say("use.i2c", bus=chip.bus, signal=signal), colour)
    if chip.interrupt is not None:
        ties["INTA"] = (f"GPIO{chip.interrupt}", Colour.WHITE)
    return ties


def _chip_pin(
    x: float, y: float, pin: Pin, used: dict[LinePlace, Use], ties: dict[str, tuple[str, str]], words: WiringWords
) -> Iterator[Shape]:
    use = used.get(pin.place) if pin.place is not None else None
    text, colour = ties.get(pin.name, ("", "#ced4da"))
    if use is not None:
        text, colour = words.use(use), wire_colour(use)
    yield from _pad(x, y, colour)
    yield from _outwards(x, y, pin, pin.name, x == _LEFT)
    if text:
        yield from _tagged(x, y, text, colour, x == _LEFT)


def _unknown_chip(chip: ChipWiring, used: dict[LinePlace, Use], words: WiringWords, heading: Sequence[Shape]) -> Part:
    rows = [use for place, use in sorted(used.items()) if place.chip == chip.name]
    height = 34 + _ROW * len(rows) + 6
    shapes: list[Shape] = [frame(height), *heading]
    for index, use in enumerate(rows):
        y = 42 + _ROW * index
        colour = wire_colour(use)
        shapes.append(Text(210, y + 4, str(use.place), 11, "end"))
        shapes += [*wire(colour, (216, y), (240, y)), *tag(240, y, words.use(use), colour, room=240)]
    return Part(f"chip-{chip.name}", height, tuple(shapes))
