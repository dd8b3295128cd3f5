"""A simulated strip of APA102 LEDs behind an SPI port: what is clocked in comes out as colours."""

import errno
import os

from hal.sim.trace import Note, unheard
from hal.strip import Colour


class SimStrip:
    """The strip and its port. `unplugged` makes every write fail, as a port whose driver is gone does."""

    def __init__(self, leds: int, wire: str = "spidev0.0", note: Note = unheard) -> None:
        self.colours: list[Colour] = [(0, 0, 0)] * leds
        self.brightness = [0] * leds
        self.unplugged = False
        self.complaints: list[str] = []
        """What the chips would not have understood."""
        self._wire = wire
        self._note = note

    def write(self, data: bytes) -> None:
        """Clock bytes in. The first chip takes the first 32 bits that begin with three ones, and so on."""
        if self.unplugged:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._note(self._wire, "write", data)
        if data[:4] != bytes(4):
            self.complaints.append("no start frame")
            return
        body = data[4:]
        taken = 0
        while taken < len(self.colours) and len(body) >= 4 * (taken + 1) and body[4 * taken] >= 0xE0:
            lead, blue, green, red = body[4 * taken : 4 * taken + 4]
            self.brightness[taken], self.colours[taken] = lead & 0x1F, (red, green, blue)
            taken += 1
        clocks = 8 * (len(body) - 4 * taken)
        if clocks < taken / 2:  # each chip delays what it passes on by half a clock
            self.complaints.append(f"{clocks} clocks at the end for {taken} LEDs")

    def close(self) -> None:
        """Nothing is kept."""
