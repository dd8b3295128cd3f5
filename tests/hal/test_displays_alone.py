"""Displays are on I²C and need no GPIO library: on a model that has none they load and show all the same."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEAST = (2, 6)
"""The first luma.core that does not ask for RPi.GPIO, which no Pi 5 has."""

PROGRAM = """
import sys
for name in ("RPi", "RPi.GPIO", "lgpio", "gpiozero", "spidev"):
    sys.modules[name] = None  # importing it raises ImportError
from PIL import Image
from hal.displays import SeatDisplay
from hal.panels import Controller, Panel
from hal.sim.sh1106 import Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306
for controller, chip in ((Controller.SSD1306, Ssd1306(64)), (Controller.SH1106, Sh1106(64))):
    bus = SimI2cBus()
    bus.attach(0x3C, chip)
    display = SeatDisplay("seat 1 display", bus.open, 0x3C, Panel(controller))
    frame = Image.new("1", (128, 64), 1)
    display.show(frame)
    assert display.poll(0.0) == []
    assert chip.picture().tobytes() == frame.tobytes()
    display.close()
    assert chip.picture().getbbox() is None
print("shown")
"""


def test_displays_load_and_show_where_no_gpio_library_can_be_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("shown\n", "")


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def test_no_older_luma_core_will_do() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [line for line in project["dependencies"] if line.startswith("luma.core")]
    assert [line.split(">=")[0] for line in wanted] == ["luma.core"]
    assert numbers(wanted[0].split(">=")[1])[:2] >= LEAST
    assert numbers(version("luma.core"))[:2] >= LEAST


def test_the_luma_core_that_is_installed_asks_for_no_gpio_library() -> None:
    unconditional = [line for line in requires("luma.core") or [] if "extra ==" not in line]
    assert not [line for line in unconditional if re.match(r"(?i)rpi|lgpio|gpiozero|spidev", line)]
