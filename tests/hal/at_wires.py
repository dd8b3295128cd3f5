"""What tests of several modules set up alike: a table, tags, and somebody who polls."""

from collections.abc import Callable
from random import Random

from PIL import Image

from hal.events import Button, Event
from hal.pn532_frames import CHIP_TO_HOST, frame
from hal.sim.oled import SimOled
from hal.sim.smbus import SimI2cBus
from hal.wiring import ADDRESSES, ButtonLines, BuzzerWiring, CommonRole, DisplayPlace, ReaderWiring, SeatWiring, Wiring

HEADER, EXPANDER = 0, 3
"""The numbers of the gpiochips that the fixtures open."""
LINES = {Button.LEFT: 17, Button.OK: 27, Button.RIGHT: 22}
"""The lines of a seat's buttons."""

PORT = "/dev/simulated/"
WIRING = Wiring(
    seats=(
        SeatWiring(1, ButtonLines(4, 5, 6), led=7, display=DisplayPlace(1, ADDRESSES[0]), reader=f"{PORT}1"),
        SeatWiring(2, ButtonLines(8, 9, 10), led=11, display=DisplayPlace(1, ADDRESSES[1])),
        SeatWiring(3, ButtonLines(12, 13, 16)),
    ),
    common_readers=(ReaderWiring(role=CommonRole.DEALING, port=f"{PORT}dealing"),),
    buzzer=BuzzerWiring(20),
)
"""A table with something of everything."""
UID = "04A0015EC0DE80"
"""A tag of its deck."""

FOUR, SEVEN, THIRD = (bytes.fromhex(text) for text in ("01A0B0C0", "04A1B2C3D4E5F6", "04112233445566"))
"""Tags of type A: a UID of four bytes, and two of seven."""


def answer(hex_body: str) -> bytes:
    """A frame of a PN532."""
    return frame(CHIP_TO_HOST, bytes.fromhex(hex_body))


class Stepped:
    """Polls something at even times, `tick` seconds apart."""

    def __init__(self, poll: Callable[[float], list[Event]], tick: float) -> None:
        self._poll = poll
        self._tick = tick
        self.now = 0.0

    def step(self, seconds: float | None = None) -> list[Event]:
        """What is reported in so many seconds; by default at the next poll."""
        events: list[Event] = []
        for _ in range(1 if seconds is None else round(seconds / self._tick)):
            self.now += self._tick
            events += self._poll(self.now)
        return events


def kinds(events: list[Event]) -> list[type[Event]]:
    """What happened, without where and when."""
    return [type(event) for event in events]


def command(chip: SimOled, *commands: int) -> None:
    """Write commands to a display's chip."""
    chip.write(bytes([0x00, *commands]))


def data(chip: SimOled, *values: int) -> None:
    """Write data to a display's chip."""
    chip.write(bytes([0x40, *values]))


def lit(chip: SimOled) -> list[tuple[int, int]]:
    """The lit pixels as (x, y)."""
    picture = chip.picture()
    pixels = picture.load()
    assert pixels is not None
    return [(x, y) for y in range(picture.height) for x in range(picture.width) if pixels[x, y]]


def noise(seed: int, rows: int = 64) -> Image.Image:
    """A frame in which nothing is like anything else."""
    return Image.frombytes("1", (128, rows), Random(seed).randbytes(128 * rows // 8))


class AdafruitI2c:
    """The part of busio.I2C that adafruit_bus_device calls, over a simulated bus."""

    def __init__(self, bus: SimI2cBus) -> None:
        self._bus = bus

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def writeto(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        self._bus.write(address, bytes(buffer[start:end]))

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        buffer[start:end] = self._bus.read(address, len(buffer[start:end]))
