"""What the doctor looks at in the operating system: device files and rights, buses, supply, disk and clock."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.phrases import reason
from firmware.doctor import Code, Finding, System, fail, note, ok
from firmware.supply import degrees, supply_codes
from firmware.wall_clock import is_clock_set
from hal.overlays import uart_line
from hal.wiring import Wiring
from hal.wiring_buses import answers, main_bus_of
from hal.wiring_lines import HEADER_UARTS, PI_5_UART

LEAST_FREE = 50_000_000
"""Bytes that must be left for the journal: it grows by some hundred kilobytes an evening."""
FEW_FREE = 500_000_000
WARM, TOO_HOT = 70, 80
"""Degrees Celsius; from 80 on a Pi slows itself down."""
GOOD_SPEED = 400_000
"""Bits a second that an SSD1306 takes at most, and at which a whole picture takes 24 ms."""
_ADAPTERS = ("/sys/class/i2c-adapter", "/sys/bus/i2c/devices")
_I2C_DEV = "/sys/class/i2c-dev"  # is there with the module that makes /dev/i2c-N, built in or loaded
_DEBUG_UART = "ttyAMA10"  # of a Pi 5: the small socket beside those for HDMI
_BLUETOOTH = "/dev/serial1"
PICTURE_BITS = 9 * 1060
"""What one whole picture is on the bus, near enough: nine bits a byte."""


def check_model(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """Which Pi this is."""
    model = system.text("/proc/device-tree/model")
    yield ok("model", model=model) if model else note("no-model")


def check_files(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """The device files that are needed: there, and open to this user. Names the group that is missing."""
    needed = {"/dev/gpiochip0": "gpio"} | dict.fromkeys(system.names("/dev/gpiochip*"), "gpio")
    needed |= {f"/dev/i2c-{answer.bus}": "i2c" for answer in answers(wiring)}
    needed |= {place.port: "port" for place in wiring.readers()}
    if wiring.strip is not None:
        needed[wiring.strip.port] = "spi"
    well = []
    for path, kind in needed.items():
        if path in HEADER_UARTS and not system.at(path).exists():
            yield fail("missing-uart", path=path, line=uart_line(path))
        elif kind == "i2c" and not system.at(path).exists():
            yield fail(_missing_bus(system, path), path=path)
        elif not system.at(path).exists():
            here = ", ".join(system.names("/dev/serial/by-path/*")) if kind == "port" else ""
            yield fail(f"missing-{kind}", path=path, here=here or Code("no-ports"))
        elif not system.may_use(path):
            yield fail("no-right", path=path, group=system.group(path))
        else:
            well.append(path)
    if well:
        yield ok("files", count=len(well))


def _missing_bus(system: System, path: str) -> str:
    """Why a bus has no device file: the kernel does not serve it, or nothing makes files for those that it serves."""
    if any(system.at(f"{folder}/{path.rpartition('/')[2]}").exists() for folder in _ADAPTERS):
        return "missing-i2c-dev"
    return "missing-i2c" if system.at(_I2C_DEV).exists() else "missing-i2c-both"


def check_uart(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """A reader at the header's serial port is at that of this model: its name on one is that of something else on
    another. The links that the kernel's names are tell.
    """
    for port in (place.port for place in wiring.readers() if place.port in HEADER_UARTS):
        here = system.at(port).resolve()
        if here.name == _DEBUG_UART:
            yield fail("uart-debug", port=port, line=uart_line(PI_5_UART), header=PI_5_UART)
        elif here == system.at(_BLUETOOTH).resolve():
            yield fail("uart-bluetooth", port=port, line=uart_line("/dev/serial0"), header="/dev/serial0")


def check_console(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """No login console on the header's serial port when a reader is there."""
    if any(place.port in HEADER_UARTS for place in wiring.readers()):
        consoles = re.findall(r"console=((?:serial|ttyAMA|ttyS)\d+)", system.text("/proc/cmdline") or "")
        yield fail("console", port=consoles[0]) if consoles else ok("no-console")


def check_speed(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """How fast the buses are that pictures go over; those of all channels of a multiplexer go over the bus it is on."""
    displays = [seat.display for seat in wiring.seats if seat.display is not None]
    for bus in sorted({main_bus_of(display.bus, wiring) for display in displays}):
        data = system.data(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
        if len(data) != 4:  # a big-endian word of the device tree; a bus made of two lines has none
            continue
        speed = int.from_bytes(data, "big")
        facts = {"bus": bus, "speed": speed // 1000, "picture": round(1000 * PICTURE_BITS / max(speed, 1))}
        yield ok("speed", **facts) if speed >= GOOD_SPEED else note("slow", **facts)


def check_supply(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """Under-voltage and throttling, where the Pi tells of them."""
    codes = supply_codes(system)
    if codes is not None:
        yield from [fail(code) if code.endswith("now") else note(code) for code in codes] or [ok("supply")]


def check_heat(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """How warm the processor is, where anything tells."""
    warm = degrees(system)
    if warm is not None:
        facts = {"degrees": round(warm)}
        yield (
            fail("heat-bad", **facts)
            if warm >= TOO_HOT
            else note("heat-warm", **facts)
            if warm >= WARM
            else ok("heat", **facts)
        )


def check_disk(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """Room for the journal."""
    try:
        free = system.free(folder)
    except OSError as error:
        yield fail("no-folder", folder=folder, why=reason(error))
        return
    facts = {"folder": folder, "free": free // 1_000_000}
    if free < LEAST_FREE:
        yield fail("disk", **facts)
    else:
        yield note("disk", **facts) if free < FEW_FREE else ok("disk", **facts)


def check_clock(system: System, wiring: Wiring, folder: Path) -> Iterator[Finding]:
    """Whether the clock was set. Play does not need it; records carry its time as a label."""
    yield ok("clock") if is_clock_set(system.root) else note("clock-unset")


SYSTEM_CHECKS: tuple[Callable[[System, Wiring, Path], Iterator[Finding]], ...] = (
    check_model,
    check_files,
    check_uart,
    check_console,
    check_speed,
    check_supply,
    check_heat,
    check_disk,
    check_clock,
)
