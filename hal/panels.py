"""What kind of display a seat has, and how it is to look: plain values that neither know a bus nor a clock."""

from dataclasses import dataclass
from enum import StrEnum

COLUMNS = 128
"""Width of every display in pixels."""
MARK = (COLUMNS - 2, 0, COLUMNS, 3)
"""The mark of a beat: left, top, and after right and bottom; in one page, so that a beat is two bytes for the chip's
memory. At the top, for the lowest rows of a frame that stands lower come in above."""


CONTRAST = 0x8F
"""Contrast, of 255, of a display where nothing else is said: about half of luma's own current. It reads as well and
burns in later."""
LEAST_CONTRAST, MOST_CONTRAST = 1, 0xCF
"""What a contrast may be. The highest is what the makers of modules set; 0 is not dark, and more burns in."""


class Controller(StrEnum):
    """The chip behind the glass."""

    SSD1306 = "ssd1306"
    SH1106 = "sh1106"


@dataclass(frozen=True, slots=True)
class Panel:
    """One kind of display. `rotate` is in degrees, 0 or 180 for a module that is mounted upside down."""

    controller: Controller = Controller.SSD1306
    rows: int = 64
    rotate: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return COLUMNS, self.rows


class Level(StrEnum):
    """How bright a display is."""

    FULL = "full"
    DIM = "dim"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Look:
    """How a display shows its frame: how bright, and how many rows lower than drawn, so that nothing burns in.

    `contrast` is that of a display that is not dim, `LEAST_CONTRAST` to `MOST_CONTRAST`.

    `beat` goes to and fro while somebody decides; a display shows it as a mark in the corner of its frame. A picture
    whose mark stands still is one of a table that hangs.
    """

    level: Level = Level.FULL
    lower: int = 0
    beat: bool = False
    contrast: int = CONTRAST
