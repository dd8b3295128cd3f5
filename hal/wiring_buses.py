"""The I²C buses of a table: what answers where. Two that answer at one address are found before a table starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hal.chip_labels import meant
from hal.lines import HEADER_LABELS
from hal.phrases import Phrase
from hal.taken import Taken
from hal.toml_lines import KeyPath, TomlFile
from hal.wiring_lines import MAIN_BUS

if TYPE_CHECKING:
    from hal.wiring import Wiring


class AnswerKind(StrEnum):
    """What answers on a bus."""

    DISPLAY = "display"
    CHIP = "chip"
    MUX = "mux"


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers at an address of a bus. `of` is the display's seat or the chip's name."""

    bus: int
    address: int
    kind: AnswerKind
    of: int | str
    path: KeyPath

    @property
    def words(self) -> str:
        """In words, for messages."""
        match self.kind:
            case AnswerKind.DISPLAY:
                return Phrase("seat {seat} display", seat=self.of)
            case AnswerKind.CHIP:
                return Phrase("chip {chip}", chip=self.of)
            case AnswerKind.MUX:
                return Phrase("a multiplexer")


def answers(wiring: "Wiring") -> Iterator[Answer]:
    """Everything on the buses, by kind."""
    for index, seat in enumerate(wiring.seats):
        if seat.display is not None:
            path: KeyPath = ("seat", index, "display", "address")
            yield Answer(seat.display.bus, seat.display.address, AnswerKind.DISPLAY, seat.number, path)
    for index, chip in enumerate(wiring.chips):
        yield Answer(chip.bus, chip.address, AnswerKind.CHIP, chip.name, ("chip", index, "address"))
    for index, mux in enumerate(wiring.muxes):
        yield Answer(mux.bus, mux.address, AnswerKind.MUX, "", ("mux", index, "address"))


def main_bus_of(bus: int, wiring: "Wiring") -> int:
    """The bus that all of a bus goes over: itself, or the one that the multiplexer is on whose channel it is."""
    above = {channel: mux.bus for mux in wiring.muxes for channel in mux.channels}
    passed: set[int] = set()
    while bus in above and bus not in passed:
        passed.add(bus)
        bus = above[bus]
    return bus


def check_buses(file: TomlFile, wiring: "Wiring") -> None:
    """Raises WiringError for two chips or buses of one name, for a label that no chip can have, and for an address at
    which two would answer: on one bus, or on a bus and behind a multiplexer on it, which lets everything through to the
    channel that is open.
    """
    names, numbers, places = Taken(file), Taken(file), Taken(file)
    for index, chip in enumerate(wiring.chips):
        if chip.label in HEADER_LABELS:
            problem = Phrase(
                "label {label} is that of the header itself; expected that of a further chip", label=chip.label
            )
            raise file.error(("chip", index, "label"), problem)
        if wanted := meant(chip.label):
            problem = Phrase(
                "no driver in the kernel gives a chip the label {label}; expected {wanted}",
                label=chip.label,
                wanted=wanted,
            )
            raise file.error(("chip", index, "label"), problem)
        names.take(
            chip.name,
            Phrase("name {name}", name=chip.name),
            Phrase("another chip"),
            ("chip", index, "name"),
            Phrase("a name of its own"),
        )
    numbers.take(MAIN_BUS, Phrase("bus {number}", number=MAIN_BUS), Phrase("the header"), (), "")
    for index, bus in enumerate(wiring.buses):
        path: KeyPath = ("bus", index, "number")
        numbers.take(
            bus.number,
            Phrase("bus {number}", number=bus.number),
            Phrase("another [[bus]]"),
            path,
            Phrase("a number of its own"),
        )
    for index, mux in enumerate(wiring.muxes):
        for channel, number in enumerate(mux.channels):
            path = ("mux", index, "channels", channel)
            numbers.take(
                number,
                Phrase("bus {number}", number=number),
                Phrase("another bus"),
                path,
                Phrase("a number of its own"),
            )
    for answer in answers(wiring):
        words = Phrase("address 0x{address:02X} on bus {bus}", address=answer.address, bus=answer.bus)
        expected = Phrase("another address, or another bus")
        places.take((answer.bus, answer.address), words, answer.words, answer.path, expected)
    _check_channels(file, wiring)


def _check_channels(file: TomlFile, wiring: "Wiring") -> None:
    by_place = {(answer.bus, answer.address): answer for answer in answers(wiring)}
    above = {channel: mux.bus for mux in wiring.muxes for channel in mux.channels}
    for index, mux in enumerate(wiring.muxes):
        bus, behind = mux.bus, {mux.bus}
        while (bus := above.get(bus, 0)) and bus not in behind:
            behind.add(bus)
        if bus in behind:
            problem = Phrase("bus {bus} is reached through the multiplexer itself", bus=mux.bus)
            raise file.error(
                ("mux", index, "bus"), Phrase("{problem}; expected a bus before its channels", problem=problem)
            )
    for answer in answers(wiring):
        bus, passed = answer.bus, {answer.bus}
        while bus in above and above[bus] not in passed:
            bus = above[bus]
            passed.add(bus)
            other = by_place.get((bus, answer.address))
            if other is not None:
                words = Phrase(
                    "address 0x{address:02X} behind a multiplexer is that of {other} on bus {bus} too",
                    address=answer.address,
                    other=other.words,
                    bus=bus,
                )
                where = Phrase("line {line} of the file", line=file.line(other.path))
                raise file.error(
                    answer.path, Phrase("{words} ({where}); expected another address there", words=words, where=where)
                )
