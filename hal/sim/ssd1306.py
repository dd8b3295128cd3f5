"""A simulated SSD1306 with its 128 × 64 glass, at the level of the bytes that reach it over I²C.

Sections are those of the SSD1306 datasheet, revision 1.1. What the chip is told and does not define is kept
in `complaints`. Scrolling is not simulated, and complained about.
"""

from collections.abc import Callable
from random import Random

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2

_ARGUMENTS = {
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
_ACCEPTED = {0x2E, 0xAD, 0xD5, 0xD9, 0xDB, 0xE3}  # stop scrolling, analogue settings, NOP: nothing to be seen
_STATUS_OFF = 0x40


class Ssd1306:
    """The chip. `write` takes what follows the address in one I²C transfer; `picture` is what the eye sees.

    The glass is wired as on the common 0.96 inch modules: with segments remapped (A1) and COM scanned
    backwards (C8) the picture is upright.
    """

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.ram = bytearray(WIDTH * PAGES)
        """GDDRAM by page, then segment; bit 0 is the top row of a page."""
        self.power_on()

    def power_on(self) -> None:
        """Take the register values after reset (section 8.9); the RAM is left as it is."""
        self.on = False
        self.inverted = False
        self.all_on = False
        self.contrast = 0x7F
        self.mode = PAGE
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        self.column = 0
        self.page = 0
        self.start_line = 0
        self.offset = 0
        self.multiplex = HEIGHT
        self.segments_remapped = False
        self.com_backwards = False
        self.charge_pump = False
        self._pending: list[int] = []

    def glitch(self, random: Random) -> None:
        """A fault: the supply dips. The chip answers as before, but its registers are reset and its RAM is
        noise.
        """
        self.power_on()
        self.ram[:] = random.randbytes(len(self.ram))

    def shift(self, rows: int, columns: int = 0) -> None:
        """A fault: a disturbed wire moves the picture up by `rows`, and the write pointer on by `columns`."""
        self.start_line = (self.start_line + rows) % HEIGHT
        self.column = (self.column + columns) % WIDTH

    # The bus.

    def write(self, data: bytes) -> None:
        """Take the bytes of one transfer: control bytes, commands and data (section 8.1.5.2).

        A control byte has Co in bit 7 (one byte follows, then another control byte; else all that follows
        belongs to it) and D/C# in bit 6 (data; else commands). A command's arguments may come in a later
        transfer.
        """
        position = 0
        while position < len(data):
            control = data[position]
            if control & 0x3F:
                self.complaints.append(f"control byte {control:02X}")
            end = position + 2 if control & 0x80 else len(data)
            if control & 0x40:
                self._take_data(data[position + 1 : end])
            else:
                for byte in data[position + 1 : end]:
                    self._take_command(byte)
            position = end

    def read(self, count: int) -> bytes:
        """The status byte: bit 6 is set while the display is off (section 9.1)."""
        return bytes([0 if self.on else _STATUS_OFF] * count)

    # The glass.

    def picture(self) -> Image.Image:
        """What the glass shows, as a '1' image of 128 × 64; all dark while the display or its charge pump is
        off.
        """
        rows = bytearray()
        for y in range(HEIGHT):
            row = self._row(HEIGHT - 1 - y)
            bits = 0
            for x in range(WIDTH):
                bits = bits << 1 | (self._lit(row, WIDTH - 1 - x) if row is not None else 0)
            rows += bits.to_bytes(WIDTH // 8, "big")
        return Image.frombytes("1", (WIDTH, HEIGHT), bytes(rows))

    def _row(self, com: int) -> int | None:
        """The RAM row behind a COM line, None for a dark one (sections 10.1.6, 10.1.11, 10.1.15, tables 10-1,
        10-2).
        """
        if not self.on or not self.charge_pump:
            return None
        row = (self.multiplex - 1 - com if self.com_backwards else com) + self.offset
        row %= HEIGHT
        return (row + self.start_line) % HEIGHT if row < self.multiplex else None

    def _lit(self, row: int, segment: int) -> int:
        bit = self.ram[row // 8 * WIDTH + segment] >> row % 8 & 1
        return 1 if self.all_on else bit ^ self.inverted

    # Data.

    def _take_data(self, data: bytes) -> None:
        if data and self._pending:
            self.complaints.append(f"data inside command {bytes(self._pending).hex(' ').upper()}")
            self._pending = []
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

    def _take_command(self, byte: int) -> None:
        self._pending.append(byte)
        command, *arguments = self._pending
        if len(arguments) < _ARGUMENTS.get(command, 0):
            return
        self._pending = []
        if arguments:
            self._set(command, arguments)
        else:
            self._simple(command)

    def _simple(self, command: int) -> None:
        if command <= 0x1F or 0xB0 <= command <= 0xB7:
            self._point(command)
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif command in _SWITCHES:
            name, value = _SWITCHES[command]
            setattr(self, name, value)
        elif command not in _ACCEPTED:
            self.complaints.append(f"command {command:02X}")

    def _point(self, command: int) -> None:
        """Set the pointer, which these commands do in page mode only."""
        if self.mode != PAGE:
            self.complaints.append(f"command {command:02X} outside page mode")
        elif command <= 0x0F:
            self.column = self.column & 0x70 | command & 0x0F
        elif command <= 0x1F:
            self.column = (command & 0x07) << 4 | self.column & 0x0F
        else:
            self.page = command & 0x07

    def _set(self, command: int, arguments: list[int]) -> None:
        setter = _SETTERS.get(command)
        if setter is not None:
            if not setter(self, arguments):
                self.complaints.append(f"command {bytes([command, *arguments]).hex(' ').upper()}")
        elif command not in _ACCEPTED:
            self.complaints.append(f"command {command:02X} is not simulated")

    def _set_mode(self, arguments: list[int]) -> bool:
        self.mode = min(arguments[0] & 3, PAGE)
        return arguments[0] <= PAGE

    def _set_columns(self, arguments: list[int]) -> bool:
        start, end = arguments
        if not start <= end < WIDTH or self.mode == PAGE:
            return False
        self.columns, self.column = (start, end), start
        return True

    def _set_pages(self, arguments: list[int]) -> bool:
        start, end = arguments
        if not start <= end < PAGES or self.mode == PAGE:
            return False
        self.pages, self.page = (start, end), start
        return True

    def _set_contrast(self, arguments: list[int]) -> bool:
        self.contrast = arguments[0]
        return True

    def _set_charge_pump(self, arguments: list[int]) -> bool:
        self.charge_pump = bool(arguments[0] & 0x04)
        return arguments[0] & ~0x04 == 0x10

    def _set_multiplex(self, arguments: list[int]) -> bool:
        if not 15 <= arguments[0] < HEIGHT:
            return False
        self.multiplex = arguments[0] + 1
        return True

    def _set_offset(self, arguments: list[int]) -> bool:
        self.offset = arguments[0] & 0x3F
        return arguments[0] < HEIGHT

    def _set_com_pins(self, arguments: list[int]) -> bool:
        # A glass of 64 rows has its COM lines in the alternative order; any other setting would shuffle the
        # rows.
        return arguments[0] == 0x12


def _next(value: int, window: tuple[int, int]) -> tuple[int, bool]:
    """The value after this one in a window, and whether it began anew."""
    start, end = window
    return (start, True) if value == end else ((value + 1) & 0x7F, False)


_SWITCHES: dict[int, tuple[str, bool]] = {
    0xA0: ("segments_remapped", False),
    0xA1: ("segments_remapped", True),
    0xA4: ("all_on", False),
    0xA5: ("all_on", True),
    0xA6: ("inverted", False),
    0xA7: ("inverted", True),
    0xAE: ("on", False),
    0xAF: ("on", True),
    0xC0: ("com_backwards", False),
    0xC8: ("com_backwards", True),
}

_SETTERS: dict[int, Callable[[Ssd1306, list[int]], bool]] = {
    0x20: Ssd1306._set_mode,
    0x21: Ssd1306._set_columns,
    0x22: Ssd1306._set_pages,
    0x81: Ssd1306._set_contrast,
    0x8D: Ssd1306._set_charge_pump,
    0xA8: Ssd1306._set_multiplex,
    0xD3: Ssd1306._set_offset,
    0xDA: Ssd1306._set_com_pins,
}
