"""What is odd in a wiring and may be right all the same: buses that nothing in the file gives, labels of no driver."""

import re
from collections.abc import Iterator

from hal.wiring import ChipWiring, MuxWiring, Wiring
from hal.wiring_buses import Answer, answers
from hal.wiring_lines import MAIN_BUS

LABELS = frozenset(
    {
        "mcp23008",
        "mcp23017",
        "mcp23018",
        "mcp23s08",
        "mcp23s17",
        "mcp23s18",
        "pcf8574",
        "pcf8574a",
        "pca8574",
        "pca9670",
        "pca9672",
        "pca9674",
        "pcf8575",
        "pca8575",
        "pca9671",
        "pca9673",
        "pca9675",
        "max7328",
        "max7329",
    }
)
"""Labels that drivers of the kernel give: pinctrl-mcp23s08 and gpio-pcf857x."""
_BY_PLACE = re.compile(r"\d+-[0-9a-f]{4}")
"""The label that gpio-pca953x gives, by bus and address: ``1-0020``."""


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


def oddly_labelled(wiring: Wiring) -> Iterator[tuple[ChipWiring, str]]:
    """Chips with a label that no driver is known to give, and one that may be meant; empty where none is like it."""
    for chip in wiring.chips:
        if chip.label not in LABELS and not _BY_PLACE.fullmatch(chip.label):
            meant = re.sub(r"[^a-z0-9]", "", chip.label.lower())
            yield chip, meant if meant in LABELS else ""
