"""The wiring of a table as a drawing to solder by: one sheet, made from the wiring file alone."""

from collections.abc import Iterator, Sequence

from firmware.svg import Part, Rect, Shape, Text, cut, document, wrapped
from firmware.wiring_marks import WIDTH, Colour, badge, frame, lines_of_text, resistor, title, wire, wire_colour
from firmware.wiring_modules import bus_parts, reader_parts
from firmware.wiring_parts import needed
from firmware.wiring_picture import advice_of, config_of, counted
from firmware.wiring_pins import chip_part, header_part
from firmware.wiring_seats import buzzer_part, seat_part, strip_part
from firmware.wiring_words import BUTTON_SIGNS, WiringWords
from hal.header import by_place
from hal.wiring import Wiring
from hal.wiring_lines import Use, UseKind

MARGIN, GAP = 20, 10
SHEET = (2 * MARGIN + 2 * WIDTH + GAP, 1485)
"""The width and the height of a sheet, in units: A4 upright."""
_TOP = 60


def drawing(wiring: Wiring, words: WiringWords, name: str) -> str:
    """The drawing as SVG. `name` is what the table is called at the top.

    The parts stand in two columns, in a fixed order, each in the column that is shorter then. What a sheet has no room
    for stands on the next one, below it; the last sheet is as high as it must be.
    """
    heights = [float(_TOP), float(_TOP)]
    placed: list[Part] = []
    end = float(SHEET[1])
    for part in _parts(wiring, words):
        column = heights.index(min(heights))
        if heights[column] + part.height > end - MARGIN:
            heights, column = [end + MARGIN, end + MARGIN], 0
            end += SHEET[1]
        placed.append(part.moved(MARGIN + column * (WIDTH + GAP), heights[column]))
        heights[column] += part.height + GAP
    height = max(heights) - GAP + MARGIN
    heading = Part("heading", _TOP, tuple(_heading(wiring, words, name)))
    return document(words.say("drawing.title", name=name), SHEET[0], height, [heading, *placed])


def _heading(wiring: Wiring, words: WiringWords, name: str) -> Iterator[Shape]:
    yield Text(MARGIN, 32, cut(words.say("drawing.title", name=name), 2 * WIDTH, 20, bold=True), 20, bold=True)
    yield Text(MARGIN, 50, counted(wiring, words), 11, colour="#5c636a")


def _parts(wiring: Wiring, words: WiringWords) -> Iterator[Part]:
    yield header_part(wiring, words)
    for chip in wiring.chips:
        yield chip_part(chip, wiring, words)
    for seat in wiring.seats:
        yield seat_part(seat, wiring, words)
    yield from bus_parts(wiring, words)
    yield from reader_parts(wiring, words)
    if wiring.buzzer is not None:
        yield buzzer_part(wiring.buzzer, wiring, words)
    if wiring.strip is not None:
        yield strip_part(wiring.strip, words)
    yield _bill(wiring, words)
    yield _legend(wiring, words)
    yield _lines("config", words.say("picture.config"), list(config_of(wiring, words)))
    yield _lines("advice", words.say("picture.advice"), list(advice_of(wiring, words)))


def _bill(wiring: Wiring, words: WiringWords) -> Part:
    """The parts, counted."""
    bill = list(needed(wiring))
    shapes: list[Shape] = []
    y = 40.0
    for part in bill:
        shapes.append(Text(38, y, f"{part.number}", 11, "end", bold=True))
        for line in wrapped(words.part(part), WIDTH - 60, 11):
            shapes.append(Text(48, y, line, 11))
            y += 16
    return Part("parts", y - 4, (frame(y - 4), *title(words.say("drawing.parts")), *shapes))


def _legend(wiring: Wiring, words: WiringWords) -> Part:
    """What the colours and the signs mean; of colours those that the drawing has."""
    shapes: list[Shape] = []
    rows = list(_colours(wiring, words))
    for index, (colour, meaning) in enumerate(rows):
        x, y = 10 + 245 * (index % 2), 38 + 18 * (index // 2)
        shapes += [*wire(colour, (x, y), (x + 30, y))]
        shapes.append(Text(x + 38, y + 4, meaning, 10))
    y = 38 + 18 * ((len(rows) + 1) // 2)
    shapes += [*badge(10, y + 2, 7), Text(42, y + 6, words.say("drawing.badge"), 10)]
    shapes += [*resistor(255, y + 2, "Ω"), Text(315, y + 6, words.say("drawing.resistor"), 10)]
    shapes += [Rect(15, y + 16, 14, 14, Colour.ORANGE), Text(42, y + 27, words.say("drawing.square"), 10)]
    height = y + 40
    return Part("legend", height, (frame(height), *title(words.say("drawing.legend")), *shapes))


def _colours(wiring: Wiring, words: WiringWords) -> Iterator[tuple[str, str]]:
    """The colours that occur, with their names and what they are for."""
    meanings = {Colour.ORANGE: "3V3", Colour.RED: "5V", Colour.BLACK: "GND"}
    for use in by_place(wiring).values():
        meanings.setdefault(wire_colour(use), _meaning(use, words))
    if any(True for _ in wiring.readers()):
        meanings.setdefault(Colour.PINK, words.say("drawing.serial"))
    for colour in Colour:
        if colour in meanings:
            yield colour, f"{words.say(f'drawing.wire-{colour.name.lower()}')}: {meanings[colour]}"


def _meaning(use: Use, words: WiringWords) -> str:
    match use.kind:
        case UseKind.BUTTON:
            return BUTTON_SIGNS[use.name]
        case UseKind.I2C:
            return use.name
        case UseKind.LED:
            return "LED"
        case UseKind.UART:
            return words.say("drawing.serial")
        case _:
            return words.say("drawing.other")


def _lines(name: str, heading: str, said: Sequence[str]) -> Part:
    """A part of text alone."""
    lines = [line for one in said for line in wrapped(one, WIDTH - 20, 10)]
    height = 30 + 14 * len(lines) + 4
    return Part(name, height, (frame(height), *title(heading), *lines_of_text(lines, 38)))
