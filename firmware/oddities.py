"""What is odd in a table file's wiring, as findings with their lines."""

from collections.abc import Iterator

from firmware.doctor import Finding, note
from hal.oddities import known_buses, oddly_labelled, on_unknown_buses, unused_muxes
from hal.toml_lines import KeyPath, TomlFile
from hal.wiring import Wiring
from hal.wiring_buses import Answer, AnswerKind


def check_oddities(file: TomlFile, wiring: Wiring) -> Iterator[Finding]:
    """Notes about what may be a slip of the pen; `wiring` is that of `file`."""
    known = known_buses(wiring)
    expected = ", ".join(map(str, known))
    for answer in on_unknown_buses(wiring):
        yield note("odd-bus", where=_where(file, _bus_path(file, answer)), what=answer, bus=answer.bus, known=expected)
    for mux in unused_muxes(wiring):
        path: KeyPath = ("mux", wiring.muxes.index(mux), "channels")
        channels = ", ".join(map(str, mux.channels))
        yield note("odd-mux", where=_where(file, path), address=f"0x{mux.address:02X}", channels=channels)
    for chip in oddly_labelled(wiring):
        yield note("odd-label", where=_where(file, ("chip", wiring.chips.index(chip), "label")), label=chip.label)


def _where(file: TomlFile, path: KeyPath) -> str:
    return f"{file.name}:{file.line(path)}"


def _bus_path(file: TomlFile, answer: Answer) -> KeyPath:
    """Where the bus of what answers stands. The seats of a wiring are in order; those of a file need not be."""
    if answer.kind is AnswerKind.DISPLAY:
        index = [seat["number"] for seat in file.data["seat"]].index(answer.of)
        return ("seat", index, "display", "bus")
    return (*answer.path[:-1], "bus")
