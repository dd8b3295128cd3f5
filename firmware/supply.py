"""What a Pi tells of its supply and its heat: under-voltage, throttling, now and since it was switched on; degrees."""

from firmware.doctor import System

THROTTLED = {0: "voltage-now", 2: "throttled-now", 3: "hot-now", 16: "voltage-before", 18: "throttled-before"}
"""Bits of the firmware's answer, and what they say; the upper half is since the Pi was switched on."""


def supply_codes(system: System) -> tuple[str, ...] | None:
    """What is, or was, wrong with the supply, as codes for `WiringWords`; None where nothing tells."""
    told = None
    for path in system.names("/sys/devices/platform/soc*/*firmware/get_throttled"):
        try:
            flags = int(system.text(path) or "", 16)
        except ValueError:
            continue
        told = tuple(code for bit, code in THROTTLED.items() if flags >> bit & 1)
    if told is not None:
        return told
    for path in system.names("/sys/class/hwmon/hwmon*/in0_lcrit_alarm"):
        if system.text(path.replace("in0_lcrit_alarm", "name")) == "rpi_volt":
            return ("voltage-now",) if system.text(path) == "1" else ()
    return None


def degrees(system: System) -> float | None:
    """How warm the warmest part is that the kernel tells of, in degrees Celsius; None where nothing tells."""
    found = []
    for path in system.names("/sys/class/thermal/thermal_zone*/temp"):
        try:
            found.append(int(system.text(path) or "") / 1000)  # thousandths (sysfs-class-thermal)
        except ValueError:
            continue
    return max(found, default=None)
