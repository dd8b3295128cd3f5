"""A simulated `lgpio` module: gpiozero's real LGPIOFactory runs on it, claims, pulls, alerts and faults
included.

What it does is lgpio 0.2.2.0 as far as gpiozero's digital devices and software PWM use it; groups, waves,
I²C, SPI and serial are not there. It has no thread and no clock: `drive` puts a level on a line, and the
alert reaches the callbacks in the caller. As in reality one exception in a callback ends all callbacks for
good.
"""

import errno
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

from hal.sim.gpiochip import (
    BAD_GPIO_NUMBER,
    BAD_HANDLE,
    BAD_PWM_DUTY,
    BAD_PWM_FREQ,
    BAD_PWM_MICROS,
    BAD_READ,
    BAD_WRITE,
    BOTH_EDGES,
    CANNOT_OPEN_CHIP,
    CONSTANTS,
    ERROR_TEXTS,
    FALLING_EDGE,
    GPIO_BUSY,
    GPIO_NOT_ALLOCATED,
    KERNEL,
    MODE_ALERT,
    MODE_INPUT,
    MODE_OUTPUT,
    PULLS,
    RISING_EDGE,
    UNEXPECTED_ERROR,
    SimChip,
    SimError,
    SimLine,
    fail,
)
from hal.sim.trace import Note, unheard

Callback = Callable[[int, int, int, int], object]


@dataclass(slots=True)
class _Watcher:
    chip: int
    gpio: int
    func: Callback


class SimCallback:
    """What `callback` returns; `cancel` ends it."""

    def __init__(self, watchers: list[_Watcher], watcher: _Watcher) -> None:
        self._watchers = watchers
        self._watcher = watcher

    def cancel(self) -> None:
        """Deliver nothing more to this callback."""
        if self._watcher in self._watchers:
            self._watchers.remove(self._watcher)


class SimLgpio(ModuleType):
    """The module object. `chips` maps the number in /dev/gpiochipN to the chip's label and number of lines.

    The lower-case functions are lgpio's own, with its signatures; `drive`, `pass_time`, `occupy`, `level`,
    `start` and the public attributes are the simulation's.
    """

    error = SimError

    def __init__(self, chips: Mapping[int, tuple[str, int]], note: Note = unheard) -> None:
        super().__init__("lgpio", __doc__)
        self.__dict__.update(CONSTANTS)
        self.chips = {n: SimChip(label, [SimLine() for _ in range(lines)]) for n, (label, lines) in chips.items()}
        self.notify_dead: Exception | None = None
        """The exception in a callback that ended the notify thread; None while it lives."""
        self.lose_edges = False
        """A fault: levels change, but no alert is delivered."""
        self._note = note
        self._watchers: list[_Watcher] = []
        self._next_handle = 1  # the real module's notify pipe has handle 0

    # What importing the real module does.

    def start(self, environ: Mapping[str, str] = os.environ) -> None:
        """Do what importing the real lgpio does: go to the folder in LG_WD, if set, and make the notify pipe
        there.

        Raises FileNotFoundError, naming a pipe ``.lgd-nfy-3``, where there is no such folder or no pipe can
        be made.
        """
        try:
            if folder := environ.get("LG_WD"):
                os.chdir(folder)
            os.mkfifo(".lgd-nfy0")
        except FileExistsError:
            pass
        except OSError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), ".lgd-nfy-3") from None

    # lgpio's functions. Some of its parameters are named in mixed case.

    def gpiochip_open(self, gpiochip: int) -> int:
        """Open /dev/gpiochipN; the handle carries N in its upper half."""
        if gpiochip not in self.chips:
            raise fail(CANNOT_OPEN_CHIP)
        handle = self._next_handle | gpiochip << 16
        self._next_handle += 1
        self.chips[gpiochip].handles.add(handle)
        return handle

    def gpiochip_close(self, handle: int) -> int:
        """Close a chip; its lines become free."""
        chip = self._chip(handle)
        for number, line in enumerate(chip.lines):
            if line.owner == handle:
                self._free(handle, number, line)
        chip.handles.remove(handle)
        return 0

    def gpio_get_chip_info(self, handle: int) -> list[int | str]:
        """Status, number of lines, name and label."""
        chip = self._chip(handle)
        return [0, len(chip.lines), f"gpiochip{handle >> 16}", chip.label]

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        """The kernel's flags of a line, and lgpio's own above bit 7 when this handle owns it."""
        line = self._line(handle, gpio)
        mode = line.flags & PULLS
        mode |= 1 if line.owner is not None else 0
        mode |= 2 if line.mode & MODE_OUTPUT else 0
        return mode | (line.mode << 8 if line.owner == handle else 0)

    def gpio_claim_input(self, handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
        """Make a line an input. One that this handle already has as an input keeps its flags, as in reality."""
        line = self._line(handle, gpio)
        if line.owner == handle and line.mode & MODE_INPUT:
            return 0
        self._claim(handle, gpio, line, MODE_INPUT, lFlags)
        return 0

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:  # noqa: N803
        """Make a line an output. One that this handle already has as an output keeps its level, as in
        reality.
        """
        line = self._line(handle, gpio)
        if line.owner == handle and line.mode & MODE_OUTPUT:
            return 0
        self._claim(handle, gpio, line, MODE_OUTPUT, lFlags)
        line.out = int(bool(level))
        self._note(self._wire(handle, gpio), "output", line.out)
        return 0

    def gpio_claim_alert(
        self,
        handle: int,
        gpio: int,
        eFlags: int,  # noqa: N803
        lFlags: int = 0,  # noqa: N803
        notify_handle: int | None = None,
    ) -> int:
        """Make a line an input that reports the given edges."""
        line = self._line(handle, gpio)
        if not self._chip(handle).edges and line.owner in (None, handle):
            self._free(handle, gpio, line)  # lgpio gives the line up before it asks the kernel anew
            raise fail(UNEXPECTED_ERROR)
        self._claim(handle, gpio, line, MODE_ALERT, lFlags)
        line.edges, line.waiting, line.reported = eFlags, None, None
        return 0

    def gpio_free(self, handle: int, gpio: int) -> int:
        """Give a line up."""
        line = self._line(handle, gpio)
        if line.owner != handle:
            raise fail(GPIO_NOT_ALLOCATED)
        self._free(handle, gpio, line)
        return 0

    def gpio_read(self, handle: int, gpio: int) -> int:
        """The level of a line; a free one becomes an input first, as in reality."""
        line = self._line(handle, gpio)
        if line.owner != handle:
            self._claim(handle, gpio, line, MODE_INPUT, 0)
        if self._chip(handle).absent:
            raise fail(BAD_READ)
        return line.level

    def gpio_write(self, handle: int, gpio: int, level: int) -> int:
        """Write an output; a line that is none becomes one first, as in reality."""
        line = self._line(handle, gpio)
        if self._chip(handle).absent:
            raise fail(BAD_WRITE)
        if line.owner != handle or not line.mode & MODE_OUTPUT:
            return self.gpio_claim_output(handle, gpio, level)
        line.out = int(bool(level))
        self._note(self._wire(handle, gpio), "write", line.out)
        return 0

    def gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> int:
        """Report an edge only when the level was stable for longer than this; see `pass_time`."""
        self._line(handle, gpio).debounce = debounce_micros / 1e6
        return 0

    def tx_pwm(
        self,
        handle: int,
        gpio: int,
        pwm_frequency: float,
        pwm_duty_cycle: float,
        pulse_offset: int = 0,
        pulse_cycles: int = 0,
    ) -> int:
        """Start (frequency in Hz, duty in percent) or stop (frequency 0) PWM on a line."""
        line = self._line(handle, gpio)
        if pwm_frequency == 0:
            if line.pwm is None:
                raise fail(BAD_PWM_MICROS)
            line.pwm = None
        elif not 0.1 <= pwm_frequency <= 10_000:
            raise fail(BAD_PWM_FREQ)
        elif not 0 <= pwm_duty_cycle <= 100:
            raise fail(BAD_PWM_DUTY)
        else:
            self.gpio_claim_output(handle, gpio)
            line.pwm = (pwm_frequency, pwm_duty_cycle)
        self._note(self._wire(handle, gpio), f"pwm {pwm_frequency:g} Hz", int(pwm_duty_cycle))
        return 0

    def callback(self, handle: int, gpio: int, edge: int = RISING_EDGE, func: Callback | None = None) -> SimCallback:
        """Call `func(chip, gpio, level, tick)` for the alerts of a line. `edge` filters nothing, as in
        reality.
        """
        watcher = _Watcher(handle >> 16, gpio, func if func is not None else lambda *_: None)
        self._watchers.append(watcher)
        return SimCallback(self._watchers, watcher)

    def error_text(self, errnum: int) -> str:
        """The words of an error number."""
        return ERROR_TEXTS.get(errnum, "unknown error")

    # The other end of the wires.

    def drive(self, chip: int, gpio: int, level: int | None, now: float = 0.0) -> None:
        """Put a level on a line from outside, or let go of it (None: its pull decides), at `now` seconds.

        An alert that this causes reaches its callbacks before `drive` returns; what they raise ends the
        notify thread and goes no further.
        """
        line = self.chips[chip].lines[gpio]
        before = line.level
        line.driven = level
        if line.level != before and line.mode & MODE_ALERT and not self.lose_edges:
            self._edge(chip, gpio, line, line.level, now)

    def pass_time(self, now: float) -> None:
        """Deliver the debounced edges whose level has been stable for long enough at `now`."""
        for number, chip in self.chips.items():
            for gpio, line in enumerate(chip.lines):
                self._report_stable(number, gpio, line, now)

    def occupy(self, chip: int, gpio: int, consumer: str = "spi0 CS0") -> None:
        """Let the kernel or another program own a line, so that a claim finds it busy."""
        line = self.chips[chip].lines[gpio]
        line.owner, line.consumer = KERNEL, consumer

    def level(self, chip: int, gpio: int) -> int:
        """The level on a line."""
        return self.chips[chip].lines[gpio].level

    def levels(self, chip: int, gpios: Iterable[int]) -> tuple[int, ...]:
        """The levels on several lines."""
        return tuple(self.level(chip, gpio) for gpio in gpios)

    # Inside.

    def _chip(self, handle: int) -> SimChip:
        chip = self.chips.get(handle >> 16)
        if chip is None or handle not in chip.handles:
            raise fail(BAD_HANDLE)
        return chip

    def _line(self, handle: int, gpio: int) -> SimLine:
        lines = self._chip(handle).lines
        if not 0 <= gpio < len(lines):
            raise fail(BAD_GPIO_NUMBER)
        return lines[gpio]

    def _wire(self, handle: int, gpio: int) -> str:
        return f"gpiochip{handle >> 16} line {gpio}"

    def _claim(self, handle: int, gpio: int, line: SimLine, mode: int, flags: int) -> None:
        if line.owner not in (None, handle):
            raise fail(GPIO_BUSY)
        if line.owner == handle:
            self._free(handle, gpio, line)
        line.owner, line.consumer, line.mode, line.flags = handle, "lg", mode, flags

    def _free(self, handle: int, gpio: int, line: SimLine) -> None:
        if line.mode & MODE_OUTPUT:
            self._note(self._wire(handle, gpio), "free", 0)
        line.free()

    def _edge(self, chip: int, gpio: int, line: SimLine, level: int, now: float) -> None:
        if not line.edges & (RISING_EDGE if level else FALLING_EDGE):
            return
        if line.debounce:
            self._report_stable(chip, gpio, line, now)
            line.waiting = (level, now)
        else:
            self._deliver(chip, gpio, level, now)

    def _report_stable(self, chip: int, gpio: int, line: SimLine, now: float) -> None:
        if line.waiting is None or now - line.waiting[1] <= line.debounce:
            return
        level, since = line.waiting
        line.waiting = None
        if line.edges != BOTH_EDGES or level != line.reported:
            line.reported = level
            self._deliver(chip, gpio, level, since + line.debounce)

    def _deliver(self, chip: int, gpio: int, level: int, at: float) -> None:
        if self.notify_dead is not None:
            return
        for watcher in list(self._watchers):
            if (watcher.chip, watcher.gpio) == (chip, gpio):
                try:
                    watcher.func(chip, gpio, level, round(at * 1e9))
                except Exception as exc:  # the real thread dies of any exception whatever
                    self.notify_dead = exc
                    self._note("lgpio", f"notify thread died: {exc!r}", b"")
                    return
