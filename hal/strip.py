"""A strip of APA102 LEDs on an SPI port: each seat has a run of them, as a light in colours.

The chip takes a start frame of 32 zero bits, 32 bits an LED, and at the end half a clock for each LED (APA102C
datasheet, "cascade data structure"). Nothing answers on such a strip: whether it is there, no program can tell.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from fcntl import ioctl
from struct import pack
from typing import Protocol

from hal.backoff import Backoff
from hal.cues import LED_BASE, LED_PATTERNS, Cue, Player
from hal.events import DeviceBack, DeviceLost, Event
from hal.phrases import said_by

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

DARK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
COLOURS: Mapping[Cue, Colour] = {
    Cue.OFF: DARK,
    Cue.YOUR_TURN: WHITE,
    Cue.ACCEPTED: (0, 255, 0),
    Cue.REFUSED: (255, 0, 0),
    Cue.DUPLICATE: (255, 160, 0),
    Cue.UNKNOWN_TAG: (255, 0, 255),
    Cue.DEVICE_LOST: (0, 0, 255),
}
"""The colour of a cue, while its pattern is on."""

SPEED = 1_000_000
"""Bits a second: far below what the chip takes, for the sake of long wires."""
RESEND = 2.0
"""Seconds after which an unchanged strip is written again: it may have lost its supply, or caught a spike."""
STRIP = "strip"
"""The name of the strip."""

_WR_MAX_SPEED_HZ = 0x40046B04  # SPI_IOC_WR_MAX_SPEED_HZ of linux/spi/spidev.h


class SpiPort(Protocol):
    """What is needed of an opened SPI port."""

    def write(self, data: bytes) -> None:
        """Clock `data` out; raises OSError."""

    def close(self) -> None:
        """Give the port up."""


class SpiDevice:
    """A /dev/spidev port, which a plain write clocks out. Raises OSError."""

    def __init__(self, path: str, speed: int = SPEED) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            ioctl(self._descriptor, _WR_MAX_SPEED_HZ, pack("I", speed))
        except OSError:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        """Clock `data` out; raises OSError."""
        os.write(self._descriptor, data)

    def close(self) -> None:
        """Give the port up."""
        os.close(self._descriptor)


class ReopenedSpi:
    """A port that is opened at the first write, and anew after one that failed. Raises OSError."""

    def __init__(self, open_port: Callable[[], SpiPort]) -> None:
        self._open_port = open_port
        self._port: SpiPort | None = None

    def write(self, data: bytes) -> None:
        """Clock `data` out; raises OSError."""
        if self._port is None:
            self._port = self._open_port()
        try:
            self._port.write(data)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Give the port up, until the next write."""
        if self._port is not None:
            port, self._port = self._port, None
            port.close()


def frame(colours: list[Colour], brightness: int) -> bytes:
    """The bytes that make a strip show `colours`, from its beginning, at `brightness` 0 to 31."""
    leds = b"".join(bytes((0xE0 | brightness, blue, green, red)) for red, green, blue in colours)
    # The end: half a bit an LED pushes the last colours through. Zeros, where the datasheet has ones: these
    # would light one LED more on a strip that is longer than it was said to be.
    return bytes(4) + leds + bytes(4 + (len(colours) + 15) // 16)


class SeatGlow:
    """A seat's run of LEDs. `show` takes the cues of a seat's LED."""

    def __init__(self) -> None:
        self._base = Cue.OFF
        self._cue = Cue.OFF
        self._player = Player()

    def show(self, cue: Cue, now: float) -> None:
        """Show a cue from `now` on, as `hal.cues.SeatLed.show` does."""
        if cue in LED_BASE:
            self._base = cue
        else:
            self._cue = cue
            self._player.play(LED_PATTERNS[cue], now)

    def end(self, now: float) -> None:
        """End a pattern that plays, as `hal.cues.SeatLed.end` does."""
        self._player.play((), now)

    def plays(self, now: float) -> bool:
        """Whether a pattern plays."""
        return self._player.level(now) is not None

    def colour(self, now: float) -> Colour:
        """The colour that is due at `now`."""
        level = self._player.level(now)
        if level is None:
            return COLOURS[self._base]
        return COLOURS[self._cue] if level else DARK


class Strip:
    """The whole strip. A port that fails is lost, and tried again. `brightness`, 0 to 31, may be set at any time."""

    def __init__(self, port: SpiPort, seats: int, leds: int, brightness: int) -> None:
        self.name = STRIP
        self.glows = {seat: SeatGlow() for seat in range(1, seats + 1)}
        self._port: SpiPort | None = port
        self._run = leds // seats
        self.brightness = brightness
        self._written: bytes | None = None
        self._written_at = 0.0
        self._backoff = Backoff()

    def plays(self, now: float) -> bool:
        """Whether a pattern plays at a seat."""
        return any(glow.plays(now) for glow in self.glows.values())

    def poll(self, now: float) -> list[Event]:
        """Write the colours that are due at `now`, if they differ from what was written or that was long ago."""
        if self._port is None or not self._backoff.due(now):
            return []
        colours = [glow.colour(now) for glow in self.glows.values() for _ in range(self._run)]
        data = frame(colours, self.brightness)
        if data == self._written and now - self._written_at < RESEND:
            return []
        try:
            self._port.write(data)
        except OSError as exc:
            self._written = None
            return [DeviceLost(self.name, said_by(exc), now)] if self._backoff.failed(now) else []
        self._written, self._written_at = data, now
        return [DeviceBack(self.name, now)] if self._backoff.worked() else []

    def close(self) -> None:
        """Leave the strip dark and give its port up. Closing again does nothing."""
        if self._port is None:
            return
        port, self._port = self._port, None
        with suppress(OSError):  # if it cannot be reached, nothing more will be tried
            port.write(frame([DARK] * (self._run * len(self.glows)), 0))
        port.close()
