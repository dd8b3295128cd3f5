"""The buses and the readers of a wiring drawing."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from firmware.svg import Part, Rect, Shape, Text, cut, text_width
from firmware.wiring_marks import (
    FAINT,
    HEADER_PIN_OF,
    INK,
    SIGNAL,
    SUPPLY,
    WIDTH,
    Colour,
    badge,
    behind,
    frame,
    joint,
    place_mark,
    plate,
    resistor,
    title,
    wire,
)
from firmware.wiring_parts import at_header, at_usb, needs_adapter
from firmware.wiring_words import WiringWords
from hal.header import bus_pins
from hal.lines import LinePlace, place_of
from hal.reader_kinds import ReaderKind
from hal.wiring import ReaderPlace, Wiring
from hal.wiring_buses import Answer, AnswerKind, answers
from hal.wiring_lines import MAIN_BUS, UART_LINES

_TRUNKS = {"SDA": 38, "SCL": 58}
_DROPS = {"SDA": 176, "SCL": 190}
_ROW = 35


def bus_parts(wiring: Wiring, words: WiringWords) -> Iterator[Part]:
    """The buses in the order of their numbers, each with its pull-ups and all that answers on it."""
    found = list(answers(wiring))
    channels = {bus: (mux.address, n) for mux in wiring.muxes for n, bus in enumerate(mux.channels)}
    for number in sorted({answer.bus for answer in found} | {bus.number for bus in wiring.buses} | set(channels)):
        here = sorted((answer for answer in found if answer.bus == number), key=lambda answer: answer.address)
        yield _bus(number, here, channels.get(number), wiring, words)


def _bus(
    number: int, here: Sequence[Answer], channel: tuple[int, int] | None, wiring: Wiring, words: WiringWords
) -> Part:
    height = 70 + max(_ROW * len(here) + 4, 0)
    pull = "drawing.pull-ups-pi" if number == MAIN_BUS else "drawing.pull-ups"
    shapes: list[Shape] = [frame(height), *title(words.say("drawing.bus", bus=number), words.say(pull))]
    pins = bus_pins(number, wiring)
    for signal, y in _TRUNKS.items():
        shapes += _source(signal, y, pins, channel, number)
        shapes += wire(SIGNAL[signal], (130, y), (300, y))
        shapes += resistor(300, y, "1.8 kΩ" if number == MAIN_BUS else "4.7 kΩ")
        shapes += wire(SUPPLY["3V3"], (352, y), (380, y))
        shapes.append(Text(386, y + 4, "3V3", 10, bold=True, colour=SUPPLY["3V3"]))
    rows = [86 + _ROW * index for index in range(len(here))]
    for signal, x in _DROPS.items():
        if rows:
            below = -8 if signal == "SDA" else 8
            shapes += wire(SIGNAL[signal], (x, _TRUNKS[signal]), (x, rows[-1] + below))
            shapes.append(joint(x, _TRUNKS[signal]))
    for y, answer in zip(rows, here, strict=True):
        shapes += _module(y, answer, wiring, words)
    return Part(f"bus-{number}", height, tuple(shapes))


def _source(
    signal: str, y: float, pins: dict[str, int], channel: tuple[int, int] | None, number: int
) -> Iterator[Shape]:
    """Where a signal of a bus comes from: pins of the header, a channel of a multiplexer, or what the kernel has."""
    if pins:
        yield from badge(66, y, pins[signal])
        yield Text(96, y + 4, signal, 11)
    elif channel is not None:
        address, at = channel
        yield Text(124, y + 4, f"0x{address:02X} {'SD' if signal == 'SDA' else 'SC'}{at}", 11, "end")
    else:
        yield Text(124, y + 4, f"i2c-{number} {signal}", 11, "end")


def _module(y: float, answer: Answer, wiring: Wiring, words: WiringWords) -> Iterator[Shape]:
    """One that answers: its four wires, its name and its address."""
    left, width = 220, 220
    yield plate(left, y - 16, width, 32)
    for signal, below in (("SDA", -8), ("SCL", 8)):
        yield from wire(SIGNAL[signal], (_DROPS[signal], y + below), (left, y + below))
        yield joint(_DROPS[signal], y + below)
        yield Text(left + 5, y + below + 3, signal, 8, colour=FAINT)
    yield Text(left + 30, y - 2, cut(words.answer(answer), 146, 11, bold=True), 11, bold=True)
    yield Text(left + 30, y + 11, cut(_detail(answer, wiring), width - 36, 9), 9)
    yield Text(left + width - 6, y - 2, f"0x{answer.address:02X}", 11, "end", bold=True)
    for name, below in (("3V3", -8), ("GND", 8)):
        yield from wire(SUPPLY[name], (left + width, y + below), (left + width + 14, y + below))
        yield Text(left + width + 19, y + below + 4, name, 10, colour=SUPPLY[name])


def _detail(answer: Answer, wiring: Wiring) -> str:
    """What is to be known of a part on a bus: its make, and to what its address pins are tied."""
    levels = " ".join("3V3" if answer.address >> bit & 1 else "GND" for bit in range(3))
    match answer.kind:
        case AnswerKind.DISPLAY:
            display = next(seat.display for seat in wiring.seats if seat.number == answer.of)
            if display is None:
                return ""
            turned = ", 180°" if display.rotate else ""
            return f"{display.controller.upper()} {display.size.replace('x', '×')}{turned}"
        case AnswerKind.CHIP:
            return next(chip.label for chip in wiring.chips if chip.name == answer.of)
        case AnswerKind.MUX:
            return f"A0 A1 A2: {levels}"


_AT_USB = {
    ReaderKind.PN532: (("5V", "VCC"), ("GND", "GND"), ("RXD", "TXD"), ("TXD", "RXD")),
    ReaderKind.RDM6300: (("5V", "5V"), ("GND", "GND"), ("RXD", "TX")),
    ReaderKind.ID12LA: (("3V3", "VCC"), ("GND", "GND"), ("RXD", "D0"), ("GND", "7 FORM"), ("3V3", "RES")),
}
"""What goes from an adapter to a reader of each kind: the adapter's pin, the reader's."""
_AT_HEADER = {
    ReaderKind.PN532: (("3V3", "VCC"), ("GND", "GND"), ("RXD", "TXD"), ("TXD", "RXD")),
    ReaderKind.RDM6300: _AT_USB[ReaderKind.RDM6300],
    ReaderKind.ID12LA: _AT_USB[ReaderKind.ID12LA],
}


def reader_parts(wiring: Wiring, words: WiringWords) -> Iterator[Part]:
    """The readers: each at its port, and how a reader of each kind is wired to an adapter or to the header."""
    places = list(wiring.readers())
    if not places:
        return
    yield _ports(places, wiring, words)
    for place in places:
        if at_header(place) and place.kind in _AT_HEADER:
            yield _connection(place.kind, _AT_HEADER[place.kind], words, header=True)
    for kind, wires in _AT_USB.items():
        if any(place.kind is kind and needs_adapter(place) for place in places):
            yield _connection(kind, wires, words, header=False)


def _ports(places: Sequence[ReaderPlace], wiring: Wiring, words: WiringWords) -> Part:
    usb = [place for place in places if at_usb(place)]
    prefix = _common([place.port for place in usb])
    shapes: list[Shape] = []
    y = 40.0
    if prefix:
        shapes.append(Text(10, y, cut(f"{prefix}…", WIDTH - 20, 10), 10, colour=FAINT))
        y += 18
    hub = words.say("drawing.hub" if len(usb) > 1 else "drawing.socket")
    first = y
    for place in places:
        row: list[Shape] = []
        if at_usb(place):
            row += [*wire(Colour.GREY, (24, y), (44, y)), joint(24, y, Colour.GREY)]
        port = "…" + place.port.removeprefix(prefix) if at_usb(place) and prefix else place.port
        row.append(plate(44, y - 9, 270, 18))
        said = f"{words.reader(place)}: {words.reader_kind(place.kind)}"
        row.append(Text(52, y + 4, cut(said, 256, 11, bold=True), 11, bold=True))
        if text_width(port, 10) > 170:
            y += 17
            row.append(Text(52, y + 4, cut(port, 440, 9), 9))
        else:
            row.append(Text(322, y + 4, port, 10))
        y += 24
        if place.reset is not None:
            marks = place_mark(64, y - 3, place_of(place.reset), wiring, 130)
            row += [*marks, *wire(Colour.WHITE, (behind(marks), y - 3), (220, y - 3))]
            row.append(Text(228, y + 1, "RSTPDN", 10))
            y += 20
        shapes += row
    if usb:
        shapes += wire(Colour.GREY, (24, first), (24, y - 4))
        shapes.append(Rect(8, y - 4, WIDTH - 16, 20, "#f1f3f5", FAINT, round=3))
        shapes.append(Text(16, y + 10, cut(hub, WIDTH - 32, 11), 11))
        y += 30
    return Part("readers", y - 8, (frame(y - 8), *title(words.say("drawing.readers")), *shapes))


def _common(ports: Sequence[str]) -> str:
    """What all ports begin with, up to a sign that parts their names; nothing for one port."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*ports, strict=False))
    prefix = "".join(letters[0] for letters in same)
    prefix = prefix[: max(prefix.rfind(sign) for sign in "/:-.") + 1]
    return prefix if len(ports) > 1 and len(prefix) > len("/dev/serial/by-path/") else ""


def _connection(kind: ReaderKind, wires: Sequence[tuple[str, str]], words: WiringWords, header: bool) -> Part:
    """The wires between a reader and an adapter, or the header's own serial port."""
    height = 36 + 19 * len(wires) + 8
    advice = {ReaderKind.PN532: "drawing.hsu", ReaderKind.RDM6300: "drawing.coil", ReaderKind.ID12LA: "drawing.format"}
    where = words.say("drawing.at-header" if header else "drawing.at-adapter", kind=words.reader_kind(kind))
    shapes: list[Shape] = [
        frame(height),
        *title(where, words.say(advice[kind])),
        plate(60, 28, 130, height - 36),
        plate(310, 28, 130, height - 36),
    ]
    names = {signal: LinePlace("", line) for line, signal in UART_LINES.items()}
    for index, (ours, theirs) in enumerate(wires):
        y = 44 + 19 * index
        colour = SUPPLY.get(ours, Colour.PINK)
        shapes += [*wire(colour, (190, y), (310, y)), Text(318, y + 4, theirs, 11, bold=True)]
        shapes.append(Text(182, y + 4, ours, 11, "end", bold=True, colour=INK))
        if header and ours in names:
            shapes += badge(68, y, HEADER_PIN_OF[names[ours]])
        if header and theirs == "TX":
            shapes.append(Text(300, y - 6, words.say("drawing.divider"), 9, "end"))
    return Part(f"{'header' if header else 'adapter'}-{kind}", height, tuple(shapes))
