"""What the simulated SSD1306 and SH1106 have in common: the bytes of a transfer, and a glass of 128 columns.

Sections are those of the SSD1306 datasheet, revision 1.1; the SH1106's says the same of what is here. What a chip is
told and does not define is kept in `complaints`.
"""

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar

from PIL import Image

WIDTH, PAGES = 128, 8
RAM_ROWS = 64

_STATUS_OFF = 0x40
_BITS = tuple(bytes(b"01"[value >> bit & 1] for value in range(256)) for bit in range(8))


class SimOled(ABC):
    """A chip behind its glass. `write` takes what follows the address in one I²C transfer; `picture` is what the eye
    sees.

    `rows` are the rows of the glass, 64 or 32. The glass is wired as on the common modules: with segments remapped
    (A1) and COM scanned backwards (C8) the picture is upright.
    """

    RAM_COLUMNS: ClassVar[int]
    ARGUMENTS: ClassVar[dict[int, int]]
    """Commands that take arguments, and how many."""
    ACCEPTED: ClassVar[frozenset[int]]
    """Commands whose effect cannot be seen."""
    SWITCHES: ClassVar[dict[int, tuple[str, bool]]] = {
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

    def __init__(self, rows: int = RAM_ROWS) -> None:
        if rows not in (32, 64):
            raise ValueError(f"a glass has 32 or 64 rows, not {rows}")
        self.rows = rows
        self.complaints: list[str] = []
        self.ram = bytearray(self.RAM_COLUMNS * PAGES)
        """GDDRAM by page, then column; bit 0 is the top row of a page."""
        self.glows_when_off = False
        """A fault: the last picture stays on the glass while the display is off, as some SH1106 modules do."""
        self.power_on()

    def power_off(self) -> None:
        """Lose the supply: nothing drives the glass."""
        self.on = False

    def power_on(self) -> None:
        """Take the register values after reset (section 8.9); the RAM is left as it is."""
        self.on = False
        self.inverted = False
        self.all_on = False
        self.contrast = 0x7F
        self.column = 0
        self.page = 0
        self.start_line = 0
        self.offset = 0
        self.multiplex = RAM_ROWS
        self.segments_remapped = False
        self.com_backwards = False
        self._pending: list[int] = []

    # Faults.

    def glitch(self, random: Random) -> None:
        """A fault: the supply dips. The chip answers as before, but its registers are reset and its RAM is
        noise.
        """
        self.power_on()
        self.ram[:] = random.randbytes(len(self.ram))

    def shift(self, rows: int, columns: int = 0) -> None:
        """A fault: a disturbed wire moves the picture up by `rows`, and the write pointer on by `columns`."""
        self.start_line = (self.start_line + rows) % RAM_ROWS
        self.column = (self.column + columns) % self.RAM_COLUMNS

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

    @property
    def state(self) -> tuple[object, ...]:
        """All that the picture depends on; while it is the same, so is the picture."""
        shape = (self.rows, self.start_line, self.offset, self.multiplex, self.segments_remapped, self.com_backwards)
        return bytes(self.ram), self._driven(), self.all_on, self.inverted, self.contrast, shape

    def picture(self) -> Image.Image:
        """What the glass shows, as a '1' image as large as the glass; all dark while nothing drives it."""
        rows = bytearray()
        for y in range(self.rows):
            row = self._row(self._top_com() - y)
            if row is None:
                bits = 0
            elif self.all_on:
                bits = (1 << WIDTH) - 1
            else:
                bits = int(self._seen(row // 8).translate(_BITS[row % 8]), 2)
                bits ^= (1 << WIDTH) - 1 if self.inverted else 0
            rows += bits.to_bytes(WIDTH // 8, "big")
        return Image.frombytes("1", (WIDTH, self.rows), bytes(rows))

    def _row(self, com: int) -> int | None:
        """The RAM row behind a COM line, None for a dark one (sections 10.1.6, 10.1.11, 10.1.15, tables 10-1,
        10-2).
        """
        if not self._driven():
            return None
        row = (self.multiplex - 1 - com if self.com_backwards else com) + self.offset
        row %= RAM_ROWS
        return (row + self.start_line) % RAM_ROWS if row < self.multiplex else None

    def _top_com(self) -> int:
        """The COM line of the topmost row of the glass."""
        return self.rows - 1

    def _driven(self) -> bool:
        """Whether the glass gets its voltage."""
        return self.on or self.glows_when_off

    @abstractmethod
    def _seen(self, page: int) -> bytes:
        """The bytes of a page behind the glass, from left to right."""

    # Data and commands.

    def _take_data(self, data: bytes) -> None:
        if data and self._pending:
            self.complaints.append(f"data inside command {bytes(self._pending).hex(' ').upper()}")
            self._pending = []
        if data:
            self._store(data)

    @abstractmethod
    def _store(self, data: bytes) -> None:
        """Put data into the RAM from the pointer on."""

    def _take_command(self, byte: int) -> None:
        self._pending.append(byte)
        command, *arguments = self._pending
        if len(arguments) < self.ARGUMENTS.get(command, 0):
            return
        self._pending = []
        if arguments:
            if not self._set(command, arguments):
                self.complaints.append(f"command {bytes([command, *arguments]).hex(' ').upper()}")
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif command in self.SWITCHES:
            name, value = self.SWITCHES[command]
            setattr(self, name, value)
        elif not self._simple(command) and command not in self.ACCEPTED:
            self.complaints.append(f"command {command:02X}")

    @abstractmethod
    def _simple(self, command: int) -> bool:
        """Obey a command of one byte that is the chip's own; whether it is one."""

    def _set(self, command: int, arguments: list[int]) -> bool:
        """Obey a command with arguments; whether they are defined (section 9)."""
        value = arguments[0]
        match command:
            case 0x81:
                self.contrast = value
            case 0xA8:
                if not 15 <= value < RAM_ROWS:
                    return False
                self.multiplex = value + 1
            case 0xD3:
                self.offset = value & 0x3F
                return value < RAM_ROWS
            case _:
                return command in self.ACCEPTED
        return True
