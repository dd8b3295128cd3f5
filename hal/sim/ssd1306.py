"""A simulated SSD1306 with its glass of 128 × 64 or 128 × 32, at the level of the bytes that reach it over I²C.

Sections are those of the SSD1306 datasheet, revision 1.1. Scrolling is not simulated, and complained about.
"""

from typing import ClassVar

from hal.sim.oled import PAGES, WIDTH, SimOled

HEIGHT = 64

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2


class Ssd1306(SimOled):
    """The chip: 128 columns of RAM, three ways of addressing it, and a charge pump without which all is dark."""

    RAM_COLUMNS = WIDTH
    ARGUMENTS: ClassVar = {
        0x20: 1,  # memory addressing mode
        0x21: 2,  # column window
        0x22: 2,  # page window
        0x23: 1,  # fade and blink (SSD1306B)
        0x26: 6,  # scrolling
        0x27: 6,
        0x29: 5,
        0x2A: 5,
        0x81: 1,  # contrast
        0x8D: 1,  # charge pump
        0xA3: 2,  # scroll area
        0xA8: 1,  # multiplex ratio
        0xAD: 1,  # internal current reference (SSD1306B)
        0xD3: 1,  # display offset
        0xD5: 1,  # clock
        0xD6: 1,  # zoom (SSD1306B)
        0xD9: 1,  # pre-charge period
        0xDA: 1,  # COM pins
        0xDB: 1,  # VCOMH
    }
    # stop scrolling, analogue settings, NOP
    ACCEPTED = frozenset({0x2E, 0xAD, 0xD5, 0xD9, 0xDB, 0xE3})

    def power_on(self) -> None:
        """Take the register values after reset (section 8.9); the RAM is left as it is."""
        super().power_on()
        self.mode = PAGE
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        self.charge_pump = False

    # The glass.

    def _driven(self) -> bool:
        return super()._driven() and self.charge_pump

    def _seen(self, page: int) -> bytes:
        # Segment 127 is the left edge.
        return bytes(self.ram[page * WIDTH : (page + 1) * WIDTH][::-1])

    # Data.

    def _store(self, data: bytes) -> None:
        while data:
            run = data[: self._run()]
            data = data[len(run) :]
            start = self.page * WIDTH
            # The remap acts on what is written, not on what is there (section 10.1.8).
            if self.segments_remapped:
                end = start + WIDTH - self.column
                self.ram[end - len(run) : end] = run[::-1]
            else:
                self.ram[start + self.column : start + self.column + len(run)] = run
            self.column += len(run) - 1
            self._advance()

    def _run(self) -> int:
        """How many bytes fit side by side before the pointer leaves the page."""
        if self.mode == VERTICAL:
            return 1
        last = self.columns[1] if self.mode == HORIZONTAL else WIDTH - 1
        return max(1, last - self.column + 1)

    def _advance(self) -> None:
        """Move the pointer on (section 10.1.3)."""
        if self.mode == PAGE:
            self.column = (self.column + 1) % WIDTH
        elif self.mode == HORIZONTAL:
            self.column, wrapped = _next(self.column, self.columns)
            if wrapped:
                self.page, _ = _next(self.page, self.pages)
        else:
            self.page, wrapped = _next(self.page, self.pages)
            if wrapped:
                self.column, _ = _next(self.column, self.columns)

    # Commands (section 9).

    def _simple(self, command: int) -> bool:
        if not (command <= 0x1F or 0xB0 <= command <= 0xB7):
            return False
        # These set the pointer in page mode only.
        if self.mode != PAGE:
            self.complaints.append(f"command {command:02X} outside page mode")
        elif command <= 0x0F:
            self.column = self.column & 0x70 | command & 0x0F
        elif command <= 0x1F:
            self.column = (command & 0x07) << 4 | self.column & 0x0F
        else:
            self.page = command & 0x07
        return True

    def _set(self, command: int, arguments: list[int]) -> bool:
        value, last = arguments[0], arguments[-1]
        match command:
            case 0x20:
                self.mode = min(value & 3, PAGE)
                return value <= PAGE
            case 0x21:
                if not value <= last < WIDTH or self.mode == PAGE:
                    return False
                self.columns, self.column = (value, last), value
            case 0x22:
                if not value <= last < PAGES or self.mode == PAGE:
                    return False
                self.pages, self.page = (value, last), value
            case 0x8D:
                self.charge_pump = bool(value & 0x04)
                return value & ~0x04 == 0x10
            case 0xDA:
                # A glass of 64 rows has its COM lines in the alternative order, one of 32 in sequence; any other
                # setting would shuffle the rows.
                return value == (0x12 if self.rows == HEIGHT else 0x02)
            case 0x23 | 0x26 | 0x27 | 0x29 | 0x2A | 0xA3 | 0xD6:
                self.complaints.append(f"command {command:02X} is not simulated")
            case _:
                return super()._set(command, arguments)
        return True


def _next(value: int, window: tuple[int, int]) -> tuple[int, bool]:
    """The value after this one in a window, and whether it began anew."""
    start, end = window
    return (start, True) if value == end else ((value + 1) & 0x7F, False)
