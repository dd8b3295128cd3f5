"""What it costs to change a display: `python -m benchmarks.displays`.

Bytes on the I²C wire, addresses and control bytes included, counted by the simulated bus; beside them what luma.oled's
own driver sends for any change at all. A byte takes nine clocks; a transfer one more for its start, one for its stop.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageDraw
from smbus2 import i2c_msg

from firmware.drawing import Canvas
from firmware.glyphs import Font
from hal.oled import Oled
from hal.panels import Controller, Look, Panel
from hal.sim.oled import SimOled
from hal.sim.sh1106 import Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306

FRAMES = 400
"""Frames of random small changes."""
SEED = 1
KHZ = 400

_ADDRESS = 0x3C
_CHIPS: dict[Controller, type[SimOled]] = {Controller.SSD1306: Ssd1306, Controller.SH1106: Sh1106}
_LUMA = {Controller.SSD1306: ssd1306, Controller.SH1106: sh1106}


class Change(NamedTuple):
    """Two frames, the one before the other."""

    name: str
    before: Image.Image
    after: Image.Image


class Figure(NamedTuple):
    """What a change takes on the wire."""

    controller: Controller
    name: str
    bytes: int
    transfers: int

    @property
    def milliseconds(self) -> float:
        """On the bus."""
        return (self.bytes * 9 + self.transfers * 2) / KHZ


def changes() -> Iterator[Change]:
    """The changes that a table makes most."""
    yield _boxes("a line of 60 × 8 on a page", (10, 16, 60, 8))
    yield _boxes("a line of 60 × 8 across two pages", (10, 20, 60, 8))
    yield _boxes("a line of 128 × 8", (0, 56, 128, 8))
    yield _boxes("a number of 48 × 24", (40, 16, 48, 24))
    yield Change("a total, 1250 to 1275", _text("Pot: 1250"), _text("Pot: 1275"))
    yield Change("a bar two columns shorter", _bar(80), _bar(78))


def figures() -> Iterator[Figure]:
    """Every change on both chips, after luma's whole frame and the own one."""
    for controller in Controller:
        everything = _boxes("a whole frame", (0, 0, 128, 64))
        yield _lumas(controller, everything)
        for change in (everything, *changes()):
            yield _own(controller, change)


def random_share(controller: Controller, frames: int = FRAMES, seed: int = SEED) -> float:
    """Bytes for random small changes, in percent of luma's whole frames."""
    chance, bus = Random(seed), SimI2cBus()
    oled = _oled(bus, controller)
    frame = Image.new("1", Panel().size)
    oled.show(frame.copy(), Look())
    start = bus.bytes
    for _ in range(frames):
        pen = ImageDraw.Draw(frame)
        x, y = chance.randrange(128), chance.randrange(64)
        match chance.randrange(3):
            case 0:
                pen.text((x, y // 8 * 8), str(chance.randrange(1000)), fill=chance.randrange(2))
            case 1:
                pen.rectangle((x, y, x + chance.randrange(20), y + chance.randrange(8)), fill=chance.randrange(2))
            case _:
                pen.point([(chance.randrange(128), chance.randrange(64)) for _ in range(4)], fill=chance.randrange(2))
        oled.show(frame.copy(), Look())
    whole = _lumas(controller, _boxes("", (0, 0, 128, 64))).bytes
    return (bus.bytes - start) / (frames * whole) * 100


def _own(controller: Controller, change: Change) -> Figure:
    bus = SimI2cBus()
    oled = _oled(bus, controller)
    oled.show(change.before, Look())
    return _counted(controller, change.name, bus, lambda: oled.show(change.after, Look()))


def _lumas(controller: Controller, change: Change) -> Figure:
    """luma's own driver, over a bus of which it believes that it has opened it: then it sends the longest blocks."""
    bus = SimI2cBus()
    bus.attach(_ADDRESS, _CHIPS[controller]())
    wire = i2c(bus=bus.open(), address=_ADDRESS)
    wire._managed, wire._i2c_msg_write = True, i2c_msg.write
    driver = _LUMA[controller](wire)
    driver.persist = True  # nothing is sent at exit
    return _counted(controller, "luma's frame, whatever changes", bus, lambda: driver.display(change.after))


def _oled(bus: SimI2cBus, controller: Controller) -> Oled:
    bus.attach(_ADDRESS, _CHIPS[controller]())
    return Oled(bus.open(), _ADDRESS, Panel(controller))


def _counted(controller: Controller, name: str, bus: SimI2cBus, show: Callable[[], object]) -> Figure:
    sent, transfers = bus.bytes, bus.transfers
    show()
    return Figure(controller, name, bus.bytes - sent, bus.transfers - transfers)


def _boxes(name: str, box: tuple[int, int, int, int]) -> Change:
    """A box of noise whose every pixel changes."""
    left, top, columns, rows = box
    before = Image.frombytes("1", Panel().size, Random(SEED).randbytes(1024))
    after = before.copy()
    part = before.crop((left, top, left + columns, top + rows))
    after.paste(part.point(lambda value: 0 if value else 255), (left, top))
    return Change(name, before, after)


def _text(text: str) -> Image.Image:
    canvas = Canvas()
    canvas.text(30, 16, text, Font.TEXT)
    return canvas.image


def _bar(columns: int) -> Image.Image:
    canvas = Canvas()
    canvas.image.paste(1, (10, 40, 10 + columns, 48))
    return canvas.image


def main() -> None:
    """Print the figures."""
    for figure in figures():
        cost = f"{figure.bytes:5} bytes  {figure.transfers:3} transfers  {figure.milliseconds:6.2f} ms at {KHZ} kHz"
        print(f"{figure.controller:8} {figure.name:34} {cost}")
    for controller in Controller:
        share = f"{random_share(controller):.1f} % of luma's bytes"
        print(f"{controller:8} {f'{FRAMES} random small changes':34} {share}")


if __name__ == "__main__":
    main()
