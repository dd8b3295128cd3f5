"""A simulated SH1106 with its glass of 128 × 64 or 128 × 32, at the level of the bytes that reach it over I²C.

Sections are those of the SH1106 datasheet, version 2.3. It differs from the SSD1306 in 132 columns of RAM, of which the
glass has the middle 128; in one way of addressing, page by page; and in a DC-DC converter that is on after reset.
"""

from typing import ClassVar

from hal.sim.oled import WIDTH, SimOled

RAM_COLUMNS = 132
MARGIN = 2
"""Columns of RAM on either side that no glass shows."""


class Sh1106(SimOled):
    """The chip. Commands that only an SSD1306 has (20, 8D) are ignored, as drivers for both send them."""

    RAM_COLUMNS = RAM_COLUMNS
    ARGUMENTS: ClassVar = {
        0x81: 1,  # contrast
        0xA8: 1,  # multiplex ratio
        0xAD: 1,  # DC-DC converter
        0xD3: 1,  # display offset
        0xD5: 1,  # clock
        0xD9: 1,  # pre-charge period
        0xDA: 1,  # COM pads
        0xDB: 1,  # VCOM
    }
    # undefined ones that luma sends, pump voltage, analogue settings, NOP
    ACCEPTED = frozenset({0x20, 0x8D, 0x30, 0x31, 0x32, 0x33, 0xD5, 0xD9, 0xDB, 0xE3})

    def power_on(self) -> None:
        """Take the register values after reset (section "Reset"); the RAM is left as it is."""
        super().power_on()
        self.dc_dc = True

    # The glass.

    def _driven(self) -> bool:
        return super()._driven() and self.dc_dc

    def _top_com(self) -> int:
        # A glass of 32 rows lies on the middle COM lines: so luma's set-up for it (offset 0F) has it upright.
        return super()._top_com() if self.rows == 64 else 47

    def _seen(self, page: int) -> bytes:
        # The remap turns the order of the segments, so it acts on what is there.
        columns = bytes(self.ram[page * RAM_COLUMNS + MARGIN :][:WIDTH])
        return columns if self.segments_remapped else columns[::-1]

    # Data.

    def _store(self, data: bytes) -> None:
        for byte in data:
            # The counter stops at the last column (section "Column address circuit"), and the page never changes.
            self.column = min(self.column, RAM_COLUMNS - 1)
            self.ram[self.page * RAM_COLUMNS + self.column] = byte
            self.column += 1

    # Commands (section "Commands").

    def _simple(self, command: int) -> bool:
        if command <= 0x1F:
            low, high = self.column & 0x0F, self.column & 0xF0
            self.column = high | command if command <= 0x0F else (command & 0x0F) << 4 | low
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 0x07
        else:
            return False
        return True

    def _set(self, command: int, arguments: list[int]) -> bool:
        value = arguments[0]
        match command:
            case 0xAD:
                self.dc_dc = value == 0x8B
                return value in (0x8A, 0x8B)
            case 0xDA:
                # The alternative order of the COM pads; any other setting would shuffle the rows.
                return value == 0x12
            case _:
                return super()._set(command, arguments)
