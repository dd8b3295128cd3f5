"""Opening the GPIO lines: one gpiozero factory a gpiochip, chosen explicitly and found by its label.

gpiozero's default chain of factories is never used: off a Pi it ends in four warnings and an error that names
none of the causes, and it cannot open a second chip.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from gpiozero import DigitalInputDevice, DigitalOutputDevice, InputDevice, PWMOutputDevice
from gpiozero.exc import GPIOPinInUse, GPIOZeroError, PinInvalidPin

from hal.chip_labels import meant
from hal.errors import TablerefHardwareError
from hal.lines import HEADER_LABELS as HEADER_LABELS
from hal.phrases import Phrase, either, listing, said_by

_CHIP_NUMBERS = range(32)

SYSTEM = Path("/sys/bus/gpio/devices")
"""Where the kernel has a link for each gpiochip, to a folder in that of the device that it belongs to."""
_I2C_DEVICE = re.compile(r"(\d+)-([0-9a-f]{4})")

Device = TypeVar("Device")


class I2cPlace(NamedTuple):
    """Where on the I²C buses a chip is."""

    bus: int
    address: int

    def __str__(self) -> str:
        """As the kernel names the device: `1-0020`."""
        return f"{self.bus}-{self.address:04x}"


class GpioError(TablerefHardwareError, OSError):
    """A gpiochip or one of its lines cannot be used. The words name the chip and the line."""


class LineBusyError(GpioError):
    """A GPIO line has an owner already: this program, another one, or a kernel driver."""


class LgpioMissingError(TablerefHardwareError, ImportError):
    """There is no usable lgpio module."""


def load_lgpio(work_dir: Path | None = None) -> Any:
    """Import lgpio and return the module. `work_dir` is a writable folder; by default one that is removed
    again.

    The import makes a named pipe in the current folder, and fails where that is not writable; with LG_WD set
    it leaves the process in another folder. So it is done elsewhere, and the current folder is as before
    afterwards. The pipe is open on both ends by then, and its name is not needed any more.

    Raises `LgpioMissingError` where lgpio is not installed or is the empty wheel, `GpioError` where the pipe
    cannot be made.
    """
    try:
        if work_dir is not None:
            with chdir(work_dir):
                lgpio = import_module("lgpio")
        else:
            with TemporaryDirectory(prefix="tableref-") as folder, chdir(folder):
                lgpio = import_module("lgpio")
    except ImportError as exc:
        raise LgpioMissingError(
            Phrase("lgpio is not installed: apt install python3-lgpio, or pip install tableref[pi]")
        ) from exc
    except OSError as exc:
        raise GpioError(
            Phrase(
                "lgpio cannot make its notify pipe in {work_dir}: {exc}",
                work_dir=work_dir or Phrase("the temporary folder"),
                exc=said_by(exc),
            )
        ) from exc
    if not hasattr(lgpio, "gpiochip_open"):
        raise LgpioMissingError(
            Phrase(
                "lgpio is the empty wheel 0.0.0.2, which pip picks where no real one fits this Python: "
                "pip uninstall lgpio, then apt install python3-lgpio"
            )
        )
    return lgpio


def find_chip(
    lgpio: Any,
    labels: Sequence[str],
    place: I2cPlace | None = None,
    *,
    twin: bool = False,
    system: Path = SYSTEM,
) -> tuple[int, str]:
    """The number and label of the gpiochip that has one of the labels. Numbers move between kernels; labels do not.
    Of several with one label, it is the one at `place`; without a place, the first: so the header is found, which a
    kernel may show under two numbers. One that is known to be at another place is none of them. A single one of which
    no place is known will do, unless it is a `twin`: there are several, and it may be another of them.

    Raises `GpioError` that lists the labels found, or the places of the chips with this label.
    """
    there = list(_chips(lgpio))
    found = [chip for chip in there if chip[1] in labels]
    if not found:
        listed = ", ".join(f"{label} (gpiochip{number})" for number, label in there) or Phrase("none")
        alike = next((wanted for one in labels if (wanted := meant(one, {label for _, label in there}))), "")
        problem = Phrase("no gpiochip is labelled {labels}; found: {there}", labels=either(labels), there=listed)
        if alike:
            problem = Phrase(
                "{problem}; labels are compared letter by letter: expected {alike}", problem=problem, alike=alike
            )
        raise GpioError(problem)
    if place is None:
        return found[0]
    places = {number: place_of_chip(number, system) for number, _ in found}
    for number, label in found:
        if places[number] == place:
            return number, label
    number, label = found[0]
    if len(found) == 1 and not twin:
        if places[number] is None:
            return number, label
        raise GpioError(
            Phrase(
                "gpiochip{number} ({label}) is at {found} (bus and address); expected it at {place}, where the table "
                "file has it: change its bus or address there, or its address pins",
                number=number,
                label=label,
                found=places[number],
                place=place,
            )
        )
    known = listing(
        Phrase("{place} (gpiochip{number})", place=where or Phrase("no known place"), number=number)
        for number, where in places.items()
    )
    raise GpioError(
        Phrase(
            "several gpiochips may be labelled {label}, and none is known to be at address 0x{address:02X} "
            "of I2C bus {bus}; found: {known}",
            label=found[0][1],
            address=place.address,
            bus=place.bus,
            known=known,
        )
    )


def _chips(lgpio: Any) -> Iterator[tuple[int, str]]:
    for number in _CHIP_NUMBERS:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            continue  # no such chip, or no right to open it
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        yield number, label


def place_of_chip(number: int, system: Path = SYSTEM) -> I2cPlace | None:
    """Where on the I²C buses gpiochip `number` is, by the device that the kernel made it for; None for any other."""
    found = _I2C_DEVICE.fullmatch(Path(os.path.realpath(system / f"gpiochip{number}")).parent.name)
    return None if found is None else I2cPlace(int(found[1]), int(found[2], 16))


class Tone:
    """A line that carries a square wave while it is on: for a passive buzzer."""

    def __init__(self, device: PWMOutputDevice) -> None:
        self._device = device

    def on(self) -> None:
        """Start the tone."""
        self._device.value = 0.5

    def off(self) -> None:
        """End the tone."""
        self._device.value = 0

    def close(self) -> None:
        """Give the line up."""
        self._device.close()


class EdgeFlag:
    """Whether an edge has come on a line since that was asked last. Set in lgpio's thread, taken in the polling one."""

    def __init__(self) -> None:
        self._flag = False

    def set(self) -> None:
        """An edge has come."""
        self._flag = True

    def is_set(self) -> bool:
        """Whether one has come; it stays noted."""
        return self._flag

    def take(self) -> bool:
        """Whether one has come. An edge from here on counts for the next time."""
        if not self._flag:
            return False  # and nothing is cleared: one that comes right now stays noted
        self._flag = False
        return True


class GpioChip:
    """One opened gpiochip. Its devices close before it does; closing it sets its lines free, which darkens
    LEDs.

    `errors` are the exceptions by which a line that worked before may fail.
    """

    def __init__(self, lgpio: Any, number: int, label: str) -> None:
        from gpiozero.pins.lgpio import LGPIOFactory  # imports lgpio, so only after `load_lgpio`

        self.number = number
        self.label = label
        self.errors: tuple[type[Exception], ...] = (OSError, GPIOZeroError, lgpio.error)
        self._lgpio_error: type[Exception] = lgpio.error
        self.factory = LGPIOFactory(chip=number)
        # gpiozero keeps one register of pins for all local factories, as if there were one chip only: line 5
        # of a second chip would be line 5 of the first.
        self.factory.pins = {}
        self.factory._reservations = defaultdict(list)
        self.factory._res_lock = Lock()

    def name(self, line: int) -> str:
        """The words for one of its lines, for messages."""
        return Phrase("line {line} of {label}", line=line, label=self.label)

    def input(self, line: int) -> InputDevice:
        """Claim a line as an input pulled up, active low, with no debounce but the caller's. It is a
        `DigitalInputDevice` where the chip can report edges; one without an interrupt line to the Pi cannot.

        Raises `LineBusyError` when it has an owner, `GpioError` when there is no such line.
        """

        def claim() -> InputDevice:
            try:
                return DigitalInputDevice(line, pull_up=True, bounce_time=None, pin_factory=self.factory)
            except self._lgpio_error as exc:
                if "busy" in str(exc):
                    raise
                return InputDevice(line, pull_up=True, pin_factory=self.factory)  # the chip has no edges to report

        return self._claim(line, claim)

    def edges(self, line: int) -> EdgeFlag:
        """What the caller may note the edges of an input in."""
        return EdgeFlag()

    def output(self, line: int, active_high: bool = True) -> DigitalOutputDevice:
        """Claim a line as an output, off at first. Raises as `input` does."""
        return self._claim(
            line,
            lambda: DigitalOutputDevice(line, active_high=active_high, pin_factory=self.factory),
        )

    def tone(self, line: int, frequency: int) -> Tone:
        """Claim a line as an output for a tone of `frequency` hertz, silent at first. Raises as `input` does.

        lgpio makes the wave in software, which is good enough to be heard.
        """
        return Tone(
            self._claim(line, lambda: PWMOutputDevice(line, frequency=frequency, pin_factory=self.factory)),
        )

    def close(self) -> None:
        """Set all lines free. Closing again does nothing."""
        self.factory.close()

    def _claim(self, line: int, make: Callable[[], Device]) -> Device:
        try:
            return make()
        except GPIOPinInUse as exc:
            raise LineBusyError(Phrase("{name} is wired twice: {exc}", name=self.name(line), exc=said_by(exc))) from exc
        except PinInvalidPin as exc:
            raise GpioError(Phrase("{name} does not exist", name=self.name(line))) from exc
        except self._lgpio_error as exc:
            if "busy" in str(exc):
                raise LineBusyError(
                    Phrase(
                        "{name} is in use by another program or a kernel driver: {exc}",
                        name=self.name(line),
                        exc=said_by(exc),
                    )
                ) from exc
            raise GpioError(Phrase("{name} cannot be claimed: {exc}", name=self.name(line), exc=said_by(exc))) from exc


def twin_label(label: str, place: I2cPlace) -> str:
    """What a chip is called whose label another one has, too: `mcp23017 1-0021`."""
    return f"{label} {place}"


def open_chip(
    labels: str | Sequence[str] = HEADER_LABELS,
    work_dir: Path | None = None,
    place: I2cPlace | None = None,
    *,
    twin: bool = False,
    system: Path = SYSTEM,
) -> GpioChip:
    """Open the gpiochip that has this label, or one of these; by default the one behind the header. Of several with
    one label, it is the one at `place`; one that is a `twin` is never another one, and its label then says where it is.

    Raises `LgpioMissingError` or `GpioError` when that cannot be.
    """
    lgpio = load_lgpio(work_dir)
    wanted = [labels] if isinstance(labels, str) else labels
    number, label = find_chip(lgpio, wanted, place, twin=twin, system=system)
    return GpioChip(lgpio, number, twin_label(label, place) if twin and place else label)
