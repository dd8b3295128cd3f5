"""What is odd in a wiring and may be right all the same: buses that nothing in the file gives, labels of no driver."""

from collections.abc import Iterator

from hal.chip_labels import is_known
from hal.wiring import ChipWiring, MuxWiring, Wiring
from hal.wiring_buses import Answer, answers
from hal.wiring_lines import MAIN_BUS


def known_buses(wiring: Wiring) -> list[int]:
    """The numbers of the buses that the header and the file give."""
    further = [bus.number for bus in wiring.buses]
    return sorted({MAIN_BUS, *further, *(channel for mux in wiring.muxes for channel in mux.channels)})


def on_unknown_buses(wiring: Wiring) -> Iterator[Answer]:
    """What is on a bus that neither the header nor the file gives; the system may have it of itself."""
    known = known_buses(wiring)
    return (answer for answer in answers(wiring) if answer.bus not in known)


def unused_muxes(wiring: Wiring) -> Iterator[MuxWiring]:
    """Multiplexers behind which nothing is, on whatever channel."""
    used = {answer.bus for answer in answers(wiring)}
    return (mux for mux in wiring.muxes if used.isdisjoint(mux.channels))


def oddly_labelled(wiring: Wiring) -> Iterator[ChipWiring]:
    """Chips with a label that no driver is known to give."""
    return (chip for chip in wiring.chips if not is_known(chip.label))
