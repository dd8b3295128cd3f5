"""The GPIO lines that a table file can name: those of the header, and those of further chips."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

HEADER_LINES = range(2, 28)
"""The header's lines, by BCM number. Lines 0 and 1 belong to the EEPROM of an add-on board."""

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chip behind the 40-pin header: Pi 5, Pi 4, and the models before (the Zero 2 W too)."""

HeaderLine = Annotated[int, Meta(ge=HEADER_LINES[0], le=HEADER_LINES[-1])]
"""A line of the 40-pin header, by its BCM number."""
ChipName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]*$")]
"""What the file calls a further chip."""
Line = HeaderLine | Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]*\.\d{1,2}$")]
"""A line of the header, or one of a further chip: ``mcp.5``."""


@dataclass(frozen=True, slots=True, order=True)
class LinePlace:
    """A line of a chip. `chip` is the chip's name in the file; empty for the one behind the header."""

    chip: str
    number: int

    def __str__(self) -> str:
        return f"{self.chip}.{self.number}" if self.chip else str(self.number)


def place_of(line: int | str) -> LinePlace:
    """Where a line of the file lies. `line` is a `Line`."""
    if isinstance(line, int):
        return LinePlace("", line)
    chip, _, number = line.rpartition(".")
    return LinePlace(chip, int(number))
