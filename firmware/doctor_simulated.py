"""The system of a simulated table, for a try of the doctor on a PC: every device file is there, and all is well."""

import time
from pathlib import Path

from firmware.doctor import System
from hal.wiring import Wiring
from hal.wiring_buses import answers

FREE = 8_000_000_000


def make_root(root: Path, wiring: Wiring) -> None:
    """Write the files of a healthy Pi 5 that has what `wiring` names: the simulated lines are those of a Pi 5, too."""
    texts = {
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0 (simulated)\0",
        "proc/cmdline": "console=tty1 root=PARTUUID=0 rootwait\n",
        "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled": "0\n",
        "run/systemd/timesync/synchronized": "",
        "sys/class/thermal/thermal_zone0/temp": "47200\n",
        "dev/gpiochip0": "",
    }
    for name, text in texts.items():
        _file(root / name).write_text(text, encoding="utf-8")
    for bus in {answer.bus for answer in answers(wiring)}:
        _file(root / f"dev/i2c-{bus}").touch()
        for kind in ("i2c-adapter", "i2c-dev"):
            (root / f"sys/class/{kind}/i2c-{bus}").mkdir(parents=True, exist_ok=True)
    speed = root / "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"
    _file(speed).write_bytes((400_000).to_bytes(4, "big"))
    ports = [place.port for place in wiring.readers()]
    ports += [wiring.strip.port] if wiring.strip is not None else []
    for port in ports:
        _file(root / port.lstrip("/")).touch()


def _file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def simulated_system(root: Path, wiring: Wiring) -> System:
    """A healthy machine below the folder `root`."""
    make_root(root, wiring)
    return System(root, 0, frozenset(), lambda folder: FREE, time.monotonic, time.sleep)
