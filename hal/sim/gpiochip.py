"""The lines of simulated gpiochips, and the numbers and words of lgpio that go with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hal.gpio import I2cPlace

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
GPIO_BUSY, GPIO_NOT_ALLOCATED, BAD_GPIO_NUMBER, CANNOT_OPEN_CHIP = -79, -80, -73, -78
BAD_HANDLE, BAD_READ, BAD_WRITE = -5, -76, -77
BAD_PWM_MICROS, BAD_PWM_FREQ, BAD_PWM_DUTY = -86, -102, -103
UNEXPECTED_ERROR = -85

CONSTANTS: dict[str, int] = {
    "LOW": 0,
    "HIGH": 1,
    "TIMEOUT": 2,
    "OKAY": 0,
    "SET_ACTIVE_LOW": 4,
    "SET_OPEN_DRAIN": 8,
    "SET_OPEN_SOURCE": 16,
    "SET_PULL_UP": SET_PULL_UP,
    "SET_PULL_DOWN": SET_PULL_DOWN,
    "SET_PULL_NONE": SET_PULL_NONE,
    "RISING_EDGE": RISING_EDGE,
    "FALLING_EDGE": FALLING_EDGE,
    "BOTH_EDGES": BOTH_EDGES,
    "TX_PWM": 0,
    "BAD_HANDLE": BAD_HANDLE,
    "BAD_GPIO_NUMBER": BAD_GPIO_NUMBER,
    "BAD_READ": BAD_READ,
    "BAD_WRITE": BAD_WRITE,
    "CANNOT_OPEN_CHIP": CANNOT_OPEN_CHIP,
    "GPIO_BUSY": GPIO_BUSY,
    "GPIO_NOT_ALLOCATED": GPIO_NOT_ALLOCATED,
    "UNEGPECTED_ERROR": UNEXPECTED_ERROR,
    "BAD_PWM_MICROS": BAD_PWM_MICROS,
    "BAD_PWM_FREQ": BAD_PWM_FREQ,
    "BAD_PWM_DUTY": BAD_PWM_DUTY,
}
"""The real module's constants that this one has, with their values."""

ERROR_TEXTS: dict[int, str] = {
    BAD_HANDLE: "unknown handle",
    BAD_GPIO_NUMBER: "bad GPIO number",
    BAD_READ: "bad GPIO read",
    BAD_WRITE: "bad GPIO write",
    CANNOT_OPEN_CHIP: "can not open gpiochip",
    GPIO_BUSY: "GPIO busy",
    GPIO_NOT_ALLOCATED: "GPIO not allocated",
    UNEXPECTED_ERROR: "unexpected error",
    BAD_PWM_MICROS: "bad PWM micros",
    BAD_PWM_FREQ: "bad PWM frequency",
    BAD_PWM_DUTY: "bad PWM dutycycle",
}

MODE_INPUT, MODE_OUTPUT, MODE_ALERT = 1, 2, 4
PULLS = SET_PULL_UP | SET_PULL_DOWN | SET_PULL_NONE
KERNEL = -1


class SimError(Exception):
    """What the simulated module raises under the name `error`: a text without a code, as the real one."""

    def __init__(self, value: str) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


def fail(code: int) -> SimError:
    return SimError(ERROR_TEXTS[code])


@dataclass(slots=True)
class SimLine:
    """One line of a chip: who owns it, how it is set up, and what is connected to it."""

    owner: int | None = None
    consumer: str = ""
    mode: int = 0
    flags: int = 0
    out: int = 0
    driven: int | None = None
    edges: int = 0
    debounce: float = 0.0
    pwm: tuple[float, float] | None = None
    waiting: tuple[int, float] | None = None
    reported: int | None = None

    @property
    def level(self) -> int:
        """The level on the line: what an output writes, else what drives it, else its pull; low when
        floating.
        """
        if self.mode & MODE_OUTPUT:
            return self.out
        if self.driven is not None:
            return self.driven
        return int(bool(self.flags & SET_PULL_UP))

    def free(self) -> None:
        """Give the line up; what drives it from outside stays."""
        self.owner, self.consumer, self.mode, self.flags, self.pwm, self.waiting = None, "", 0, 0, None, None


@dataclass(slots=True)
class SimChip:
    """One gpiochip: its label, as `gpiodetect` prints it, and its lines. `absent` makes every access fail; without
    `edges` it has no interrupt line, and no alert can be claimed."""

    label: str
    lines: list[SimLine]
    absent: bool = False
    edges: bool = True
    handles: set[int] = field(default_factory=set)


def link_chips(root: Path, places: Mapping[int, I2cPlace]) -> Path:
    """What a kernel shows under /sys/bus/gpio/devices for chips on I²C buses: in a folder of `root`, which it gives."""
    folder = root / "gpio"
    folder.mkdir()
    for number, place in places.items():
        device = root / "devices" / f"i2c-{place.bus}" / str(place) / f"gpiochip{number}"
        device.mkdir(parents=True)
        (folder / device.name).symlink_to(device)
    return folder
