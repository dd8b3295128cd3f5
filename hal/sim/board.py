"""The simulated board: chips and lines as a wiring file names them, and hands to press, tap and unplug with."""

import errno
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from PIL import Image

from hal.events import Button
from hal.gpio import HEADER_LABELS, GpioChip, I2cPlace, open_chip
from hal.lines import place_of
from hal.oled import Bus
from hal.panels import Controller
from hal.pn532 import Port
from hal.reader_drivers import Opener, opener
from hal.reader_kinds import ReaderKind
from hal.sim.apa102 import SimStrip
from hal.sim.contacts import Contacts
from hal.sim.gpiochip import link_chips
from hal.sim.keyline import KeyPort
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import installed
from hal.sim.oled import SimOled
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine, SerialBench
from hal.sim.settledport import Pause, SettledBench, SettledPort
from hal.sim.sh1106 import Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip, TalkerChip
from hal.sim.trace import Trace
from hal.strip import SpiPort
from hal.tags import read_uid
from hal.wiring import ReaderPlace, SeatWiring, Wiring

_CHIPS: dict[Controller, type[SimOled]] = {Controller.SSD1306: Ssd1306, Controller.SH1106: Sh1106}

CHIP = 0
"""The number of the gpiochip behind the simulated header."""


HandsNote = Callable[[str, str | int, str], None]
"""Told what hands do: `press` and `release` of a seat's button; `place` and `lift` at a reader, with a tag's text."""


class SimulatedWires:
    """The wires of a simulated table (`hal.wires.Wires`), and everything that a person does to a real one.

    With `pause`, reads of serial readers wait no real time in vain; see `hal.sim.settledport`. Closing them ends the
    simulation. What the displays last showed stays readable.
    """

    def __init__(self, wiring: Wiring, trace: Trace | None = None, pause: Pause | None = None) -> None:
        self.wiring = wiring
        self._pause = pause
        self.trace = Trace(limit=10_000) if trace is None else trace
        self.hands_told: HandsNote = lambda what, where, which: None
        self._numbers = {"": CHIP} | {chip.name: number for number, chip in enumerate(wiring.chips, CHIP + 1)}
        further = {self._numbers[chip.name]: (chip.label, chip.lines) for chip in wiring.chips}
        self._resets: dict[str, Pn532Chip] = {}  # by the wire to their reset pins
        self.lgpio = SimLgpio({CHIP: (HEADER_LABELS[0], 58), **further}, self._note)
        for chip in wiring.chips:
            self.lgpio.chips[self._numbers[chip.name]].edges = chip.interrupt is not None
        self.strip: SimStrip | None = None
        if wiring.strip is not None:
            self.strip = SimStrip(wiring.strip.leds, wiring.strip.port.rpartition("/")[2], self.trace.note)
        self.buses: dict[int, SimI2cBus] = {}
        self.glasses: dict[int, SimOled] = {}
        for seat in wiring.seats:
            if seat.display is not None:
                number = seat.display.bus
                bus = self.buses.setdefault(number, SimI2cBus(f"i2c-{number}", self.trace.note))
                self.glasses[seat.number] = _CHIPS[seat.display.controller](seat.display.panel.rows)
                bus.attach(seat.display.address, self.glasses[seat.number])
        self.contacts = Contacts(self._drive)
        self._close = ExitStack()
        self._close.enter_context(installed(self.lgpio))
        self._folder = TemporaryDirectory(prefix="tableref-")
        self._close.callback(self._folder.cleanup)
        places = {self._numbers[chip.name]: I2cPlace(chip.bus, chip.address) for chip in wiring.chips}
        self.gpio_links = link_chips(Path(self._folder.name), places)
        """What stands for /sys/bus/gpio/devices."""
        self._settled = None if pause is None else SettledBench(Path(self._folder.name))
        self._bench = self._settled or SerialBench(Path(self._folder.name))
        self._close.callback(self._bench.close)
        self.readers: dict[str, Pn532Chip | TalkerChip] = {}
        self._lines: dict[str, DirectLine] = {}  # those of readers that speak by themselves
        for place in wiring.readers():
            self._connect(place)
        near = [reader for reader in self.readers.values() if isinstance(reader, Pn532Chip)]
        for reader in near:
            reader.neighbours = [other for other in near if other is not reader]

    def _connect(self, place: ReaderPlace) -> None:
        match place.kind:
            case ReaderKind.PN532:
                chip = self.readers[place.name] = Pn532Chip()
                self._bench.plug(place.name, chip)
                if place.reset is not None:
                    self._resets[f"gpiochip{CHIP} line {place.reset}"] = chip
            case ReaderKind.RDM6300 | ReaderKind.ID12LA:
                self._listen(place.name, Em4100Chip(repeats=place.kind is ReaderKind.RDM6300))
            case ReaderKind.KEYBOARD:
                self._listen(place.name, KeyboardChip())

    def _listen(self, name: str, chip: TalkerChip) -> None:
        self.readers[name] = chip
        self._lines[name] = DirectLine(chip)

    def _note(self, wire: str, what: str, data: bytes | int) -> None:
        self.trace.note(wire, what, data)
        if wire in self._resets and isinstance(data, int):
            self._resets[wire].pin(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What the drivers open.

    def open_chip(self, label: str | None = None, place: I2cPlace | None = None, *, twin: bool = False) -> GpioChip:
        """The chip with this label, or the one behind the header, by the real drivers."""
        labels = HEADER_LABELS if label is None else label
        return open_chip(labels, place=place, twin=twin, system=self.gpio_links)

    def open_bus(self, number: int) -> Bus:
        """The bus; raises OSError while it is unplugged."""
        return self.buses[number].open()

    def open_spi(self, path: str) -> SpiPort:
        """The strip's port."""
        if self.strip is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return self.strip

    def serial_path(self, place: ReaderPlace) -> str:
        """The pseudo-terminal that stands for the reader's port."""
        return str(self._bench.path(place.name))

    def port_opener(self, place: ReaderPlace) -> Opener:
        """The real one at the pseudo-terminal; a line without terminal for a reader that speaks by itself, so that
        the table's own time decides when."""
        if place.name not in self._lines:
            if self._settled is None or self._pause is None:
                return opener(place.kind)
            return partial(self._open_settled, place, self._settled, self._pause)
        chip = self.readers[place.name]
        if isinstance(chip, KeyboardChip):
            folder = Path(self._folder.name)
            return lambda path: KeyPort(self._lines[place.name], chip, folder, path, grab=place.grab)
        return self._lines[place.name].open

    def looked(self, device: str, now: float) -> None:
        """Nobody records."""

    def _open_settled(self, place: ReaderPlace, bench: SettledBench, pause: Pause, path: str) -> Port:
        port = opener(place.kind)(path)
        try:
            return SettledPort(bench, place.name, port, pause)
        except KeyError:
            port.close()
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None

    def close(self) -> None:
        """End the simulation. Closing again does nothing."""
        self._close.close()

    # What a person does.

    def press(self, seat: int, button: Button, now: float = 0.0) -> None:
        """Push a button down."""
        self.hands_told("press", seat, button.value)
        self.contacts.move(seat, button, True, now)

    def release(self, seat: int, button: Button, now: float = 0.0) -> None:
        """Let a button go."""
        self.hands_told("release", seat, button.value)
        self.contacts.move(seat, button, False, now)

    def _drive(self, seat: int, button: Button, down: bool, now: float) -> None:
        self.lgpio.drive(*self.line(seat, button), 0 if down else None, now)

    def line(self, seat: int, button: Button) -> tuple[int, int]:
        """The numbers of the gpiochip and of the line that a button lies on."""
        return self._at(getattr(self._seat(seat).buttons, button.value))

    def place(self, reader: str, uid: str) -> None:
        """Lay a tag into a reader's field."""
        self.hands_told("place", reader, uid)
        self.readers[reader].field.append(read_uid(uid)[0])
        self._bench.nudge()

    def lift(self, reader: str, uid: str | None = None) -> None:
        """Take a tag, or all of them, out of a reader's field."""
        self.hands_told("lift", reader, uid or "")
        field = self.readers[reader].field
        if uid is None:
            field.clear()
        else:
            with suppress(ValueError):
                field.remove(read_uid(uid)[0])

    def unplug_reader(self, reader: str) -> None:
        """Pull a reader's cable; raises KeyError when it is out already."""
        line = self._lines.get(reader)
        if line is None:
            self._bench.unplug(reader)
        elif line.plugged:
            line.unplug()
        else:
            raise KeyError(reader)

    def plug_reader(self, reader: str) -> None:
        """Put the cable back; raises FileExistsError when it is in."""
        line = self._lines.get(reader)
        if line is None:
            self._bench.plug(reader, self.readers[reader])
        elif not line.plugged:
            line.plug()
        else:
            raise FileExistsError(reader)

    def unplug_display(self, seat: int) -> None:
        """Take a display off its bus and its supply; raises KeyError when it is off or the seat has none."""
        bus, address = self.display_bus(seat)
        bus.detach(address)
        self.glasses[seat].power_off()

    def plug_display(self, seat: int) -> None:
        """Put a display back, freshly powered; raises FileExistsError when it is there."""
        bus, address = self.display_bus(seat)
        if address in bus.chips:
            raise FileExistsError(f"the display of seat {seat} is plugged in")
        self.glasses[seat].power_on()
        bus.attach(address, self.glasses[seat])

    # What a person sees and hears.

    def picture(self, seat: int) -> Image.Image:
        """What the seat's display shows."""
        return self.glasses[seat].picture()

    def lit(self, seat: int) -> bool:
        """Whether the seat's LED is on."""
        led = self._seat(seat).led
        return led is not None and bool(self.lgpio.level(*self._at(led)))

    def sounding(self) -> bool:
        """Whether the buzzer is to be heard: an active one on its level, a passive one on its tone."""
        if self.wiring.buzzer is None:
            return False
        chip, line = self._at(self.wiring.buzzer.line)
        if self.wiring.buzzer.tone is None:
            return bool(self.lgpio.level(chip, line))
        pwm = self.lgpio.chips[chip].lines[line].pwm
        return pwm is not None and 0 < pwm[1] < 100

    def _at(self, line: int | str) -> tuple[int, int]:
        place = place_of(line)
        return self._numbers[place.chip], place.number

    def _seat(self, seat: int) -> SeatWiring:
        return self.wiring.seats[seat - 1]

    def display_bus(self, seat: int) -> tuple[SimI2cBus, int]:
        """The bus of a seat's display, and its address there; raises KeyError where there is none."""
        place = self._seat(seat).display
        if place is None:
            raise KeyError(f"seat {seat} has no display")
        return self.buses[place.bus], place.address
