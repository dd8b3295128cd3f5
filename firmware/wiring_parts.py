"""What has to be bought for the wiring of a table file, counted."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hal.reader_kinds import ReaderKind
from hal.wiring import ReaderPlace, Wiring
from hal.wiring_lines import HEADER_UARTS


class Needed(NamedTuple):
    """Some parts of one kind. Its words are those of `part.CODE`; `what` is the make, where the file names it."""

    number: int
    code: str
    what: str = ""


def at_header(place: ReaderPlace) -> bool:
    """Whether a reader is at the header's own serial port."""
    return place.port in HEADER_UARTS


def at_usb(place: ReaderPlace) -> bool:
    """Whether a reader is at USB: by its own plug, or by an adapter."""
    return not place.port.startswith(("/dev/ttyAMA", "/dev/ttyS", "/dev/serial0", "/dev/serial1"))


def needs_adapter(place: ReaderPlace) -> bool:
    """Whether a USB-serial adapter lies between a reader and the Pi."""
    return at_usb(place) and place.kind is not ReaderKind.KEYBOARD


def needed(wiring: Wiring) -> Iterator[Needed]:
    """The parts of a table, a line for each kind. Wire, cards, tags and the supply are no part of the wiring."""
    yield Needed(1, "pi")
    yield Needed(3 * len(wiring.seats), "button")
    leds = sum(seat.led is not None for seat in wiring.seats)
    displays = Counter(
        f"{seat.display.controller.upper()} {seat.display.size.replace('x', '×')}"
        for seat in wiring.seats
        if seat.display is not None
    )
    places = list(wiring.readers())
    usb = sum(at_usb(place) for place in places)
    kinds = Counter(place.kind for place in places)
    chips = Counter(chip.label.upper() for chip in wiring.chips)
    counted = [
        Needed(leds, "led"),
        Needed(leds, "led-resistor"),
        *(Needed(count, "display", what) for what, count in sorted(displays.items())),
        *(Needed(count, "reader", kind) for kind, count in sorted(kinds.items())),
        Needed(sum(needs_adapter(place) for place in places), "adapter"),
        Needed(int(usb > 1), "hub"),
        *(Needed(count, "chip", what) for what, count in sorted(chips.items())),
        Needed(len(wiring.muxes), "mux"),
    ]
    if wiring.buzzer is not None:
        passive = wiring.buzzer.tone is not None
        counted.append(Needed(1, "passive-buzzer" if passive else "buzzer"))
        counted.append(Needed(1, "buzzer-resistor" if passive else "transistor"))
    if wiring.strip is not None:
        counted += [Needed(wiring.strip.leds, "strip-led"), Needed(1, "shifter"), Needed(1, "strip-supply")]
    yield from (part for part in counted if part.number)
