"""The seats' OLEDs: luma.oled's ssd1306, fed whole frames, with loss and return as events.

A display is polled by the one thread that owns its bus; `show` may be called from another.
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import luma.core.error
from luma.core.device import device
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image
from smbus2 import i2c_msg

from hal.backoff import Backoff
from hal.events import DeviceBack, DeviceLost, Event

SIZE = (128, 64)
"""Width and height in pixels."""

_DARK = Image.new("1", SIZE).tobytes()
_DATA = 0x40  # control byte: all that follows is data (SSD1306 datasheet, section 8.1.5.2)

# A transfer that broke off may have left the chip waiting for the arguments of a command; luma sends two at
# most. It would take the first bytes of the set-up for them, and the rest of it in the wrong place. It may
# have NOPs instead.
_RESYNC = (0xE3, 0xE3)

# luma's command() turns a missing acknowledge into its own error, which is no OSError; its data() does not.
_ERRORS = (OSError, luma.core.error.Error)


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

    def __init__(self, bus: Bus, address: int) -> None:
        super().__init__(bus=bus, address=address)
        self._opened = bus
        self._address = address

    def data(self, data: Iterable[int]) -> None:
        self._opened.i2c_rdwr(i2c_msg.write(self._address, [_DATA, *data]))

    def cleanup(self) -> None:
        self._opened.close()


class _Unregistered(device):  # type: ignore[misc] # luma is untyped
    """luma's device without the hook that it leaves with atexit.

    The hook keeps every device for ever and writes to the bus at exit, whichever thread owns it. A display
    that comes and goes would leave 130 KB each time; `close` darkens it instead.
    """

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const = const
        self._serial_interface = serial_interface


class _Panel(ssd1306, _Unregistered):  # type: ignore[misc] # luma is untyped
    """luma's ssd1306, set up and dark once it is made. Raises OSError or luma's Error when the chip does not
    answer.
    """

    def __init__(self, wire: _Wire, rotate: int) -> None:
        ssd1306.__init__(self, wire, width=SIZE[0], height=SIZE[1], rotate=rotate)


class SeatDisplay:
    """One display. `show` keeps the newest frame, `poll` writes it when it differs from what is on the glass.

    `open_bus` opens /dev/i2c-N anew; every display has its own handle, so that one that fails leaves its
    neighbours alone. `rotate` is in quarter turns; 2 is for a module that is mounted upside down.
    """

    def __init__(self, name: str, open_bus: Callable[[], Bus], address: int, rotate: int = 0) -> None:
        self.name = name
        self._open_bus = open_bus
        self._address = address
        self._rotate = rotate
        self._frame = Image.new("1", SIZE)
        self._written: bytes | None = None
        self._panel: _Panel | None = None
        self._backoff = Backoff()
        self._refresh = False
        self._closed = False

    def show(self, image: Image.Image) -> None:
        """Keep a copy of this '1' image of 128 × 64 as what is to be shown. Raises ValueError for any other
        image.
        """
        if image.mode != "1" or image.size != SIZE:
            raise ValueError(f"a frame is a '1' image of {SIZE}, not a {image.mode!r} image of {image.size}")
        self._frame = image.copy()

    def refresh(self) -> None:
        """Set the chip up anew and write the whole frame at the next poll.

        After a dip of its supply a chip acknowledges as before and shows nothing or noise: no error tells. So
        this is called now and then, at every deal for example.
        """
        self._refresh = True

    def poll(self, now: float) -> list[Event]:
        """Write the newest frame, if it is not on the glass, at `now`.

        A bus error gives `DeviceLost` once; the display is then tried again at growing intervals, from the
        set-up on, and `DeviceBack` follows when it has the newest frame.
        """
        if self._closed or not self._backoff.due(now):
            return []
        try:
            self._write()
        except _ERRORS as exc:
            self._drop()
            return [DeviceLost(self.name, str(exc), now)] if self._backoff.failed(now) else []
        return [DeviceBack(self.name, now)] if self._backoff.worked() else []

    def close(self) -> None:
        """Leave the display dark: cleared, then off. One that fails now is left as it is. Closing again does
        nothing.
        """
        self._closed = True
        if self._panel is None:
            return
        try:
            self._panel.clear()
            self._panel.hide()
        except _ERRORS:
            pass  # it cannot be reached, and nothing more will be tried
        self._drop()

    def _write(self) -> None:
        if self._refresh:
            self._refresh = False
            self._drop()
        if self._panel is None:
            self._panel = self._open()
            self._written = _DARK
        frame = self._frame  # may be replaced by another thread at any time
        data = frame.tobytes()
        if data != self._written:
            self._panel.display(frame)
            self._written = data

    def _open(self) -> _Panel:
        bus = self._open_bus()
        try:
            wire = _Wire(bus, self._address)
            wire.command(*_RESYNC)
            return _Panel(wire, self._rotate)
        except _ERRORS:
            bus.close()
            raise

    def _drop(self) -> None:
        panel, self._panel, self._written = self._panel, None, None
        if panel is not None:
            panel._serial_interface.cleanup()


class DisplayBus:
    """The displays of one bus, for the one thread that owns it."""

    def __init__(self, displays: Iterable[SeatDisplay]) -> None:
        self.displays = tuple(displays)

    def poll(self, now: float) -> list[Event]:
        """Poll every display in turn."""
        return [event for display in self.displays for event in display.poll(now)]

    def close(self) -> None:
        """Leave all displays dark."""
        for display in self.displays:
            display.close()
