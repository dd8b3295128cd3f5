"""The seats of a wiring drawing, with their buttons, LED, display and reader; and what is common to all seats."""

from collections.abc import Iterator

from firmware.svg import Dot, Part, Rect, Shape, Text, Wire, cut, text_width
from firmware.wiring_marks import (
    BUTTON,
    FAINT,
    HEADER_PIN_OF,
    INK,
    PAPER,
    Colour,
    badge,
    behind,
    frame,
    ground,
    joint,
    place_mark,
    plate,
    resistor,
    title,
    wire,
)
from firmware.wiring_words import BUTTON_SIGNS, WiringWords
from hal.lines import LinePlace, place_of
from hal.reader_wiring import settings_of
from hal.wiring import BuzzerWiring, SeatWiring, StripWiring, Wiring
from hal.wiring_lines import STRIP_LINES

_ROW = 21
_MARKS, _GROUND = 46, 292
"""Where the marks of a seat's lines begin, and where its common ground is."""


def seat_part(seat: SeatWiring, wiring: Wiring, words: WiringWords) -> Part:
    """A seat: each button between its line and ground, the LED with its resistor, and where display and reader are."""
    rows = 3 if seat.led is None else 4
    height = max(44 + _ROW * rows, 114)
    shapes: list[Shape] = [frame(height), *title(words.say("drawing.seat", seat=seat.number))]
    for index, key in enumerate(seat.buttons.__struct_fields__):
        y = 40 + _ROW * index
        marks = place_mark(_MARKS, y, place_of(getattr(seat.buttons, key)), wiring, 120)
        shapes += [Text(10, y + 4, BUTTON_SIGNS[key], 11, bold=True), *marks, *_button(y, BUTTON[key], behind(marks))]
    if seat.led is not None:
        y = 40 + _ROW * 3
        marks = place_mark(_MARKS, y, place_of(seat.led), wiring, 120)
        shapes += [Text(10, y + 4, "LED", 11, bold=True), *marks, *_led(y, behind(marks))]
    last = 40 + _ROW * (rows - 1)
    shapes += wire(Colour.BLACK, (_GROUND, 40), (_GROUND, last + 10))
    shapes += ground(_GROUND, last + 10)
    shapes.append(Text(_GROUND + 14, last + 17, "GND", 10))
    shapes += _modules(seat, words)
    return Part(f"seat-{seat.number}", height, tuple(shapes))


def _button(y: float, colour: str, start: float) -> Iterator[Shape]:
    """A push-button: two contacts, and what joins them."""
    left, right = 218, 246
    yield from wire(colour, (start, y), (left, y))
    yield from wire(Colour.BLACK, (right, y), (_GROUND, y))
    yield Wire(((left, y - 6), (right, y - 6)), INK, 2)
    yield Wire((((left + right) / 2, y - 6), ((left + right) / 2, y - 11)), INK, 2)
    yield Dot(left, y, 3, PAPER, INK)
    yield Dot(right, y, 3, PAPER, INK)
    yield joint(_GROUND, y)


def _led(y: float, start: float) -> Iterator[Shape]:
    yield from wire(Colour.GREY, (start, y), (180, y))
    yield from resistor(180, y, "330 Ω")
    yield from wire(Colour.GREY, (232, y), (246, y))
    yield Wire(((246, y - 7), (246, y + 7), (260, y), (246, y - 7)), INK, 1.5, "#ffe066")
    yield Wire(((260, y - 7), (260, y + 7)), INK, 2)
    yield from wire(Colour.BLACK, (260, y), (_GROUND, y))
    yield joint(_GROUND, y)


def _modules(seat: SeatWiring, words: WiringWords) -> Iterator[Shape]:
    x, width = 344, 146
    if seat.display is not None:
        yield plate(x, 30, width, 44)
        yield Rect(x + 8, 37, 40, 30, "#16181a", round=2)
        yield Text(x + 56, 49, words.say("drawing.display"), 11, bold=True)
        yield Text(x + 56, 65, f"I²C {seat.display.bus}, 0x{seat.display.address:02X}", 9)
    if seat.reader is not None:
        yield plate(x, 80, width, 26)
        kind = words.reader_kind(settings_of(seat.reader).kind)
        said = f"{words.say('drawing.reader')} {kind}"
        if text_width(said, 10, bold=True) > width - 10:
            said = cut(kind, width - 10, 10, bold=True)
        yield Text(x + width / 2, 97, said, 10, "middle", bold=True)


def buzzer_part(buzzer: BuzzerWiring, wiring: Wiring, words: WiringWords) -> Part:
    """The buzzer: a passive one at its line, an active one behind a transistor."""
    y, height = 46, 78
    shapes: list[Shape] = [
        frame(height),
        *title(words.say("drawing.buzzer" if buzzer.tone is None else "drawing.passive-buzzer", tone=buzzer.tone)),
        *(marks := place_mark(10, y, place_of(buzzer.line), wiring, 120)),
    ]
    ohms = "100 Ω" if buzzer.tone else "1 kΩ"
    shapes += [
        *wire(Colour.WHITE, (behind(marks), y), (158, y)),
        *resistor(158, y, ohms),
        *wire(Colour.WHITE, (210, y), (236, y)),
    ]
    if buzzer.tone:
        shapes += [Dot(252, y, 16, PAPER, INK), Dot(252, y, 3), *wire(Colour.BLACK, (268, y), (330, y), (330, y + 10))]
        shapes += [*ground(330, y + 10), Text(346, y + 14, "GND", 10)]
    else:
        shapes += [
            plate(236, y - 18, 84, 36), Text(278, y - 4, "NPN", 10, "middle", bold=True),
            Text(242, y + 11, "B", 9), Text(278, y + 13, "E", 9, "middle"), Text(314, y + 11, "C", 9, "end"),
            *wire(Colour.BLACK, (278, y + 18), (278, y + 22)), *ground(278, y + 22),
            *wire(Colour.WHITE, (320, y), (356, y)), Dot(372, y, 16, PAPER, INK), Dot(372, y, 3),
            *wire(Colour.RED, (388, y), (424, y)), Text(430, y + 4, "5V", 11, bold=True, colour=Colour.RED),
        ]  # fmt: skip
    return Part("buzzer", height, tuple(shapes))


def strip_part(strip: StripWiring, words: WiringWords) -> Part:
    """The strip of LEDs: its two signals through a level shifter, and a supply of its own."""
    height = 118
    shapes: list[Shape] = [
        frame(height),
        *title(words.say("drawing.strip", leds=strip.leds), words.say("drawing.strip-where", port=strip.port)),
        plate(212, 30, 90, 44), Text(257, 56, "74AHCT125", 10, "middle", bold=True),
        plate(380, 30, 110, 80), Text(484, 74, "APA102", 9, "end", bold=True),
    ]  # fmt: skip
    for index, (line, end) in enumerate(zip(STRIP_LINES, ("DI", "CI"), strict=True)):
        y = 42 + 20 * index
        shapes += [*badge(10, y, HEADER_PIN_OF[LinePlace("", line)]), Text(40, y + 4, f"GPIO{line}", 11)]
        shapes.append(Text(96, y + 4, STRIP_LINES[line], 10, colour=FAINT))
        shapes += [*wire(Colour.WHITE, (150, y), (212, y)), *wire(Colour.WHITE, (302, y), (380, y))]
        shapes.append(Text(386, y + 4, end, 10))
    for index, (name, end) in enumerate(
        (("5V", words.say("drawing.own-supply")), ("GND", words.say("drawing.joined")))
    ):
        y = 84 + 16 * index
        colour = Colour.RED if name == "5V" else Colour.BLACK
        shapes += [Text(330, y + 4, cut(end, 310, 10), 10, "end"), *wire(colour, (336, y), (380, y))]
        shapes.append(Text(386, y + 4, name, 10))
    return Part("strip", height, tuple(shapes))
