"""The wiring as a picture in a terminal: the header with what goes where, further chips, buses and ports."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firmware.wiring_words import WiringWords
from hal.header import HEADER_PINS, Pin, PinKind, address_levels, bus_pins, by_place, chip_pins
from hal.lines import HEADER_LINES, LinePlace
from hal.overlays import config_lines, has_overlay, uart_line
from hal.reader_kinds import ReaderKind
from hal.wiring import ChipWiring, Wiring
from hal.wiring_buses import answers
from hal.wiring_lines import HEADER_UARTS, PI_5_UART, Use, UseKind, count_lines

_COLOURS = {
    UseKind.BUTTON: "36",
    UseKind.LED: "32",
    UseKind.BUZZER: "35",
    UseKind.I2C: "94",
    UseKind.UART: "95",
    UseKind.SPI: "95",
    UseKind.INTERRUPT: "94",
    UseKind.RESET: "95",
}
_SUPPLY = {"5V": "31", "3V3": "33", "VDD": "33"}
_GROUND, _FREE, _TITLE = "", "2", "1"
_SIGNS = {PinKind.SUPPLY: "+", PinKind.GROUND: "−", PinKind.LINE: "○", PinKind.OTHER: "·"}
_USED = "●"
_READERS = {
    ReaderKind.PN532: "advice.hsu",
    ReaderKind.RDM6300: "advice.coil",
    ReaderKind.ID12LA: "advice.format",
}
"""What is to be known of the pins and the supply of a reader."""
_NOTCHED = "┌────╮  ╭────┐"


class _Side(NamedTuple):
    """One pin in a picture."""

    pin: Pin
    text: str
    sign: str
    colour: str


def picture(wiring: Wiring, words: WiringWords, colour: bool = False, odd: Sequence[str] = ()) -> list[str]:
    """The lines of the picture. With `colour` they carry ANSI codes. `odd` is what is to be noted about the wiring."""
    paint = _Paint(colour)
    used = by_place(wiring)
    lines = [paint(words.say("picture.header"), _TITLE), ""]
    rows = list(zip(HEADER_PINS[::2], HEADER_PINS[1::2], strict=True))
    lines += _part([(_side(left, used, words), _side(right, used, words)) for left, right in rows], paint)
    lines += ["", words.say("picture.signs"), counted(wiring, words)]
    for chip in wiring.chips:
        lines += ["", paint(_chip_title(chip, words), _TITLE), "", *_chip(chip, wiring, words, paint)]
    lines += _section(words.say("picture.buses"), _buses(wiring, words), paint)
    ports = [(words.reader(place), place.port) for place in wiring.readers()]
    width = max((len(name) for name, _ in ports), default=0)
    lines += _section(words.say("picture.ports"), [f"  {name:<{width}}  {port}" for name, port in ports], paint)
    lines += _section(words.say("picture.config"), [f"  {line}" for line in config_of(wiring, words)], paint)
    lines += _section(words.say("picture.advice"), [f"  {line}" for line in advice_of(wiring, words)], paint)
    lines += _section(words.say("picture.odd"), [f"  {line}" for line in odd], paint)
    return [line.rstrip() for line in lines]


class _Paint:
    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._colour and code else text


def _section(title: str, lines: Sequence[str], paint: _Paint) -> list[str]:
    return ["", paint(title, _TITLE), *lines] if lines else []


def _side(pin: Pin, used: dict[LinePlace, Use], words: WiringWords) -> _Side:
    use = used.get(pin.place) if pin.place is not None else None
    if use is not None:
        return _Side(pin, words.use(use), _USED, _COLOURS[use.kind])
    colour = {PinKind.SUPPLY: _SUPPLY.get(pin.name, ""), PinKind.GROUND: _GROUND}.get(pin.kind, _FREE)
    return _Side(pin, "", _SIGNS[pin.kind], colour)


def _part(rows: Sequence[tuple[_Side, _Side]], paint: _Paint, top: str = "┌────────────┐") -> list[str]:
    """A part with two rows of pins, seen from above."""
    sides = [side for row in rows for side in row]
    text = max(len(left.text) for left, _ in rows)
    name = max(len(side.pin.name) for side in sides)
    margin = " " * (text + name + 3)
    lines = [f"{margin}{top}"]
    for left, right in rows:
        before = paint(f"{left.text:>{text}}  {left.pin.name:>{name}}", left.colour)
        after = paint(f"{right.pin.name:<{name}}  {right.text}".rstrip(), right.colour)
        signs = f"{paint(left.sign, left.colour)}  {paint(right.sign, right.colour)}"
        lines.append(f"{before} │ {left.pin.number:>2} {signs} {right.pin.number:<2} │ {after}")
    lines.append(f"{margin}└────────────┘")
    return lines


def counted(wiring: Wiring, words: WiringWords) -> str:
    """How many lines there are, and which are free."""
    count = count_lines(wiring)
    used = by_place(wiring)
    free = " ".join(str(line) for line in HEADER_LINES if LinePlace("", line) not in used)
    said = words.say("picture.count", there=count.there, used=count.used, free=count.there - count.used)
    return f"{said} {words.say('picture.free-lines', lines=free)}" if free else said


def _chip_title(chip: ChipWiring, words: WiringWords) -> str:
    return words.say("picture.chip", chip=chip.name, label=chip.label, bus=chip.bus, address=f"0x{chip.address:02X}")


def _chip(chip: ChipWiring, wiring: Wiring, words: WiringWords, paint: _Paint) -> list[str]:
    used = by_place(wiring)
    pins = chip_pins(chip)
    if not pins:
        lines = []
        for number in range(chip.lines):
            use = used.get(LinePlace(chip.name, number))
            text = paint(words.use(use), _COLOURS[use.kind]) if use is not None else ""
            lines.append(f"  {f'{chip.name}.{number}':>{len(chip.name) + 4}}  {_USED if use else '○'}  {text}")
        return lines
    ties = {name: "3V3" if high else "GND" for name, high in address_levels(chip).items()}
    ties |= {"VDD": "3V3", "VSS": "GND", "RESET": "3V3"}
    ties |= {signal: words.say("use.i2c", bus=chip.bus, signal=signal) for signal in ("SDA", "SCL")}
    if chip.interrupt is not None:
        ties["INTA"] = f"GPIO{chip.interrupt}"
    sides = [_tied(_side(_named(pin), used, words), ties) for pin in pins]
    half = len(sides) // 2
    return _part(list(zip(sides[:half], reversed(sides[half:]), strict=True)), paint, _NOTCHED)


def _named(pin: Pin) -> Pin:
    """The pin with the table file's name of its line beside its own."""
    return pin if pin.place is None else Pin(pin.number, f"{pin.place} {pin.name}", pin.kind, pin.place)


def _tied(side: _Side, ties: dict[str, str]) -> _Side:
    tie = ties.get(side.pin.name)
    if tie is None:
        return side
    colour = {"3V3": _SUPPLY["3V3"], "GND": _GROUND}.get(tie, _COLOURS[UseKind.I2C])
    sign = side.sign if side.pin.kind in (PinKind.SUPPLY, PinKind.GROUND) else _USED
    return _Side(side.pin, tie, sign, colour)


def _buses(wiring: Wiring, words: WiringWords) -> list[str]:
    found = list(answers(wiring))
    channels = {bus: (mux.address, n) for mux in wiring.muxes for n, bus in enumerate(mux.channels)}
    numbers = {answer.bus for answer in found} | {bus.number for bus in wiring.buses} | set(channels)
    lines = []
    for number in sorted(numbers):
        pins = bus_pins(number, wiring)
        if pins:
            where = words.say("bus.pins", bus=number, sda=pins["SDA"], scl=pins["SCL"])
        elif number in channels:
            address, channel = channels[number]
            where = words.say("bus.channel", bus=number, channel=channel, address=f"0x{address:02X}")
        else:
            where = words.say("bus.other", bus=number)
        here = sorted((answer for answer in found if answer.bus == number), key=lambda answer: answer.address)
        lines.append(f"  {where}")
        lines += [f"    0x{answer.address:02X}  {words.answer(answer)}" for answer in here]
    return lines


def config_of(wiring: Wiring, words: WiringWords) -> Iterator[str]:
    """The lines of config.txt, and as comments what only the builder knows the line for."""
    yield from config_lines(wiring)
    for chip in wiring.chips:
        if not has_overlay(chip):
            yield words.say("picture.no-overlay", chip=chip.name, label=chip.label, bus=chip.bus,
                            address=f"0x{chip.address:02X}")  # fmt: skip
    for mux in wiring.muxes:
        if not has_overlay(mux):
            yield words.say("picture.no-mux-overlay", bus=mux.bus, address=f"0x{mux.address:02X}")
    for port in dict.fromkeys(place.port for place in wiring.readers() if place.port in HEADER_UARTS):
        code = "picture.uart-pi-5" if port == PI_5_UART else "picture.uart"
        yield words.say(code, port=port, line=uart_line(PI_5_UART), header=PI_5_UART)


def advice_of(wiring: Wiring, words: WiringWords) -> Iterator[str]:
    """What is to be known when soldering."""
    yield words.say("advice.buttons")
    if any(seat.led is not None for seat in wiring.seats):
        yield words.say("advice.led")
    if wiring.buzzer is not None:
        yield words.say("advice.passive-buzzer" if wiring.buzzer.tone else "advice.buzzer")
    if any(answers(wiring)):
        yield words.say("advice.i2c")
    for mux in wiring.muxes:
        levels = {f"a{bit}": "3V3" if mux.address >> bit & 1 else "GND" for bit in range(3)}
        yield words.say("advice.mux", address=f"0x{mux.address:02X}", **levels)
    if wiring.strip is not None:
        yield words.say("advice.strip")
    kinds = {place.kind for place in wiring.readers()}
    for kind, code in _READERS.items():
        if kind in kinds:
            yield words.say(code)
    if any(use.kind is UseKind.UART for use in by_place(wiring).values()):
        yield words.say("advice.uart")
