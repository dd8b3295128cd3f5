"""luma.oled's ssd1306 and sh1106 with what they lack: partial updates, a quiet renewal, the registers against burn-in.

Sections are those of the SSD1306 datasheet, revision 1.1; the commands used here are the same for the SH1106.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from copy import copy
from functools import cache, partial
from typing import Any, Protocol

import luma.core.error
from luma.core.device import device
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageChops
from smbus2 import i2c_msg

from hal.gddram import Rect, changes, pages_of, part, patched, whole
from hal.panels import COLUMNS, MARK, Controller, Level, Look, Panel

ERRORS = (OSError, luma.core.error.Error)
"""What a write may raise. luma's command() turns a missing acknowledge into its own error, which is no OSError; its
data() does not."""

DIM = 0x08
"""Contrast, of 255, of a display that is dim; one that is set lower stays so."""

TRIES = 3
"""Tries of one transfer, or of a rectangle: on long wires now and then an acknowledge goes missing."""

_DATA = 0x40  # control byte: all that follows is data (section 8.1.5.2)
_COLUMNS, _PAGES = 0x21, 0x22
_PAGE, _LOW_COLUMN, _HIGH_COLUMN = 0xB0, 0x00, 0x10
_CONTRAST, _OFFSET = 0x81, 0xD3
_OFF, _ON = 0xAE, 0xAF

# A transfer that broke off may have left the chip waiting for the arguments of a command; luma sends two at
# most. It would take the first bytes of what comes next for them, and the rest of it in the wrong place. It may have
# these instead. As a command each sets the start line to 0 (section 10.1.6), where it always is: so what a swallowed
# byte has done to that is put right. As an argument it makes a contrast below half, and no offset; a NOP, E3, would
# make a glare.
_RESYNC = (0x40, 0x40)


class Bus(Protocol):
    """What is needed of an opened `smbus2.SMBus`."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Any, force: bool | None = None) -> None:
        """Write a register number and up to 32 bytes."""

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        """Carry several transfers, of any length each."""

    def close(self) -> None:
        """Close the handle."""


class _Wire(i2c):  # type: ignore[misc] # luma is untyped
    """luma's I²C interface over a bus that was opened elsewhere, with a frame's data in one transfer.

    luma does so itself only for a bus that it opens; over any other it sends blocks of 32 bytes, 6 % more.
    """

    def __init__(self, bus: Bus, address: int, failed: Callable[[], None]) -> None:
        super().__init__(bus=bus, address=address)
        self._opened = bus
        self._address = address
        self._failed = failed
        self._cut = True  # whether the chip may be in the middle of a command: who knows what another run left

    def data(self, data: Iterable[int]) -> None:
        self._opened.i2c_rdwr(i2c_msg.write(self._address, [_DATA, *data]))

    def resync(self) -> None:
        """Bring the chip to where a command begins, whatever was cut short."""
        self.command(*_RESYNC)
        self._cut = False

    def patiently(self, write: Callable[[], object]) -> None:
        """Write something, and again where an acknowledge goes missing; raises one of `ERRORS` at last. Nothing follows
        a transfer that broke off but a resync that went well.
        """
        for left in reversed(range(TRIES)):
            try:
                if self._cut:
                    self.resync()
                write()
                return
            except ERRORS:
                self._cut = True
                if not left:
                    raise
                self._failed()


def _never() -> bool:
    """Nothing comes first."""
    return False


class _Partial(device, ABC):  # type: ignore[misc] # luma is untyped
    """What comes between luma's drivers and its device: only what has changed is written.

    luma's device leaves a hook with atexit that keeps every device for ever and writes to the bus at exit, whichever
    thread owns it; a display that comes and goes would leave 130 KB each time. So its constructor is not called.
    """

    HEADER: int  # bytes on the wire beside the data of one rectangle, addresses and control bytes included
    WINDOWS: bool

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const = const
        self._serial_interface = serial_interface
        self._shadow: bytes | None = None
        self.set_up: tuple[int, ...] = ()
        self.waits: Callable[[], bool] = _never
        self.complete = True
        """Whether all of the last image has arrived; else `waits` held the rest of it back."""

    def begin(self, wire: _Wire) -> None:
        """Set the chip on this wire up as luma would, and clear it."""
        self._serial_interface = wire
        self._shadow = None
        self.command(*self.set_up)
        self.clear()

    def command(self, *cmd: int) -> None:
        self.set_up = self.set_up or cmd  # the first that luma sends sets the chip up
        self._serial_interface.patiently(lambda: self._serial_interface.command(*cmd))

    def contrast(self, level: int) -> None:
        """Nothing: luma's own contrast is too bright, and `Oled` sends another before the display goes on."""

    def show(self) -> None:
        """Nothing: luma would switch the display on at the end of its set-up, before its contrast is right."""

    def display(self, image: Image.Image) -> None:
        """Write what differs from the chip's memory, as far as nothing else comes first; all of it when that is not
        known.
        """
        new, old = pages_of(self.preprocess(image)), self._shadow
        self._shadow = None  # of what breaks off nobody knows how much has arrived
        if old is None:
            everything = whole(COLUMNS, new)
            rects = [everything] if self.WINDOWS else [everything._replace(top=page, bottom=page + 1)
                                                       for page in range(everything.bottom)]  # fmt: skip
            for rect in rects:
                self._send(new, rect)
            self._shadow, self.complete = new, True
        else:
            self._shadow, self.complete = self._change(old, new)

    def _change(self, old: bytes, new: bytes) -> tuple[bytes, bool]:
        """What the memory holds that held `old`, and whether that is `new`."""
        for rect in changes(old, new, COLUMNS, self.HEADER, windows=self.WINDOWS):
            if self.waits():
                return old, False
            self._send(new, rect)
            old = patched(old, new, COLUMNS, rect)
        return new, True

    def _send(self, new: bytes, rect: Rect) -> None:
        self._serial_interface.patiently(partial(self._write, new, rect))

    def _write(self, new: bytes, rect: Rect) -> None:
        """One rectangle, from where the chip is to put it on: so it can be written once more."""
        self._serial_interface.command(*self._pointer(rect))
        self._serial_interface.data(part(new, COLUMNS, rect))

    def forget(self) -> None:
        """Take the chip's memory for unknown."""
        self._shadow = None

    @abstractmethod
    def _pointer(self, rect: Rect) -> tuple[int, ...]:
        """The command that points at a rectangle of the chip's memory."""


class _Ssd1306(ssd1306, _Partial):  # type: ignore[misc] # luma is untyped
    """Horizontal addressing: a window of columns and pages (section 10.1.3)."""

    HEADER = 10
    WINDOWS = True

    def _pointer(self, rect: Rect) -> tuple[int, ...]:
        return _COLUMNS, rect.left, rect.right - 1, _PAGES, rect.top, rect.bottom - 1

    display = _Partial.display


class _Sh1106(sh1106, _Partial):  # type: ignore[misc] # luma is untyped
    """Page addressing alone: a page and its first column, of 132 of which the glass has the middle 128."""

    HEADER = 7
    WINDOWS = False

    def _pointer(self, rect: Rect) -> tuple[int, ...]:
        column = rect.left + self._page_address_offset
        return _PAGE | rect.top, _LOW_COLUMN | column & 0x0F, _HIGH_COLUMN | column >> 4

    display = _Partial.display


_DRIVERS: dict[Controller, Any] = {Controller.SSD1306: _Ssd1306, Controller.SH1106: _Sh1106}


def _marked(frame: Image.Image) -> Image.Image:
    """A copy of a frame with the mark of a beat: dark where it is lit and lit where it is dark, to be seen anywhere."""
    marked, corner = frame.copy(), frame.crop(MARK)
    lit = Image.new("1", corner.size, 1)  # a lit pixel is 1 or 255 there, so Pillow's invert would leave some lit
    marked.paste(ImageChops.logical_xor(corner, lit), MARK)
    return marked


class _Nowhere:
    """A wire that leads to no chip."""

    def patiently(self, write: Callable[[], object]) -> None:
        """Write nothing."""


@cache
def _pattern(panel: Panel) -> Any:
    """What luma works out for a panel, as a driver to be copied: that takes it longer than all else of a set-up."""
    return _DRIVERS[panel.controller](_Nowhere(), width=panel.size[0], height=panel.size[1], rotate=panel.rotate // 90)


class Oled:
    """One chip, set up, clear and off once this is made. Every method raises one of `ERRORS` when the chip does not
    answer; what the chip holds is then unknown, and another one is to be made. `failed` is called for each write that
    has to be tried again; `waits` is asked between rectangles whether what is left of a picture is to wait.
    """

    def __init__(
        self,
        bus: Bus,
        address: int,
        panel: Panel,
        failed: Callable[[], None] = lambda: None,
        waits: Callable[[], bool] = _never,
    ) -> None:
        self._wire = _Wire(bus, address, failed)
        self._driver = copy(_pattern(panel))
        self._driver.begin(self._wire)
        self._driver.waits = waits
        self._dark = Image.new("1", panel.size)
        self._on: bool | None = False
        self._registers: tuple[int, int] | None = None
        self._shown: tuple[Image.Image, Look] | None = None
        set_up = self._driver.set_up
        self._no_shift: int = set_up[set_up.index(_OFFSET) + 1]

    def show(self, frame: Image.Image, look: Look) -> bool:
        """Write what differs from what the glass shows; whether it shows all of it then, or had to wait. A frame that
        was shown is not to be drawn on: it is kept.

        One that is to be off is cleared first: some glasses keep their last picture while they are off, and none may
        bring it back. One that is off gets its frame before it goes on.
        """
        if (frame, look) == self._shown:
            return True  # at every poll but few
        self._shown = None
        if look.level is Level.OFF:
            if self._on is not False:
                self._driver.forget()  # all of it, whatever a glitch has left there
            self._driver.display(self._dark)
            self._switch(False)
        else:
            self._adjust(look)
            self._driver.display(_marked(frame) if look.beat else frame)
            if not self._driver.complete:
                return False
            self._switch(True)
        self._shown = frame, look
        return True

    def renew(self) -> None:
        """Send the set-up anew and forget what the chip holds; `show` is to follow.

        Unlike luma's own set-up this switches nothing off and clears nothing, so a display that is well does not
        flicker.
        """
        self._wire.patiently(self._wire.resync)
        off, *set_up = self._driver.set_up
        assert off == _OFF
        if self._registers is not None:  # a frame that is lowered stays so meanwhile
            set_up[set_up.index(_OFFSET) + 1] = self._registers[1]
        self._command(*set_up)
        self._registers = None
        self._driver.forget()
        self._on = None
        self._shown = None

    def _adjust(self, look: Look) -> None:
        """Contrast, and the display offset (section 10.1.15): rows that leave the glass below come in above."""
        contrast = min(look.contrast, DIM) if look.level is Level.DIM else look.contrast
        registers = (contrast, (self._no_shift - look.lower) % 64)
        if registers != self._registers:
            self._registers = None
            self._command(_CONTRAST, registers[0], _OFFSET, registers[1])
            self._registers = registers

    def _switch(self, on: bool) -> None:
        if on != self._on:
            self._command(_ON if on else _OFF)
            self._on = on

    def _command(self, *command: int) -> None:
        self._wire.patiently(lambda: self._wire.command(*command))
