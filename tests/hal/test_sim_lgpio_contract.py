"""The simulated lgpio against the real wheel: names, numbers, words, signatures and what an import does."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest

from hal.gpio import load_lgpio
from hal.sim.gpiochip import CONSTANTS, ERROR_TEXTS, SimError
from hal.sim.lgpio import SimLgpio

SIMULATION_ONLY = {"drive", "pass_time", "occupy", "level", "levels", "start"}


@pytest.fixture(scope="module")
def real() -> ModuleType:
    pytest.importorskip("_lgpio", reason="the real lgpio is not installed")
    module: ModuleType = load_lgpio()
    assert hasattr(module, "gpiochip_open")
    return module


@pytest.fixture
def sim() -> SimLgpio:
    return SimLgpio({0: ("pinctrl-bcm2711", 58)})


def functions() -> list[str]:
    return sorted(
        name
        for name, member in vars(SimLgpio).items()
        if inspect.isfunction(member) and not name.startswith("_") and name not in SIMULATION_ONLY
    )


@pytest.mark.parametrize("name", sorted(CONSTANTS))
def test_constants_have_the_real_values(real: ModuleType, sim: SimLgpio, name: str) -> None:
    assert getattr(sim, name) == getattr(real, name)


@pytest.mark.parametrize("code", sorted(ERROR_TEXTS))
def test_errors_have_the_real_words(real: ModuleType, sim: SimLgpio, code: int) -> None:
    assert sim.error_text(code) == real.error_text(code)


def test_an_unknown_error_has_the_real_words_too(real: ModuleType, sim: SimLgpio) -> None:
    assert sim.error_text(-999) == real.error_text(-999)


@pytest.mark.parametrize("name", functions())
def test_functions_have_the_real_signatures(real: ModuleType, sim: SimLgpio, name: str) -> None:
    def shape(function: Callable[..., object]) -> list[tuple[str, object, object]]:
        return [
            (parameter.name, parameter.default, parameter.kind)
            for parameter in inspect.signature(function).parameters.values()
        ]

    assert shape(getattr(sim, name)) == shape(getattr(real, name))


def test_the_functions_are_those_that_the_hardware_needs() -> None:
    assert len(functions()) == 14


def test_an_error_reads_as_a_real_one(real: ModuleType) -> None:
    ours, theirs = SimError("GPIO busy"), real.error("GPIO busy")
    assert (str(ours), ours.value, ours.args) == (str(theirs), theirs.value, theirs.args)
    assert isinstance(theirs, Exception)
    assert not isinstance(theirs, OSError)
    assert not isinstance(ours, OSError)


def test_a_missing_chip_raises_the_same_in_both(real: ModuleType, sim: SimLgpio) -> None:
    for module in (real, sim):
        with pytest.raises(module.error, match="can not open gpiochip"):
            module.gpiochip_open(31)
        with pytest.raises(module.error, match="unknown handle"):
            module.gpio_read(31 << 16, 3)


def test_a_callback_can_be_cancelled_in_both(real: ModuleType, sim: SimLgpio) -> None:
    for module in (real, sim):
        watch = module.callback(1, 3, module.BOTH_EDGES, print)
        watch.cancel()
        watch.cancel()


def test_everything_that_gpiozeros_digital_pins_use_is_there(sim: SimLgpio) -> None:
    source = (Path(gpiozero.__file__).parent / "pins" / "lgpio.py").read_text()
    pins = source[: source.index("class LGPIOHardwareSPI")]
    used = set(re.findall(r"\blgpio\.([A-Za-z_]+)", pins.split('"""', 2)[0] + pins)) - {"html", "py"}
    old_names = {name for name in used if name.startswith("SET_BIAS")}  # for lg before 0.2
    assert {name for name in used - old_names if not hasattr(sim, name)} <= {"LGPIOFactory"}


def run(script: str, folder: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


def test_the_real_import_litters_the_current_folder(real: ModuleType, tmp_path: Path) -> None:
    assert run("import lgpio", tmp_path).returncode == 0
    assert (tmp_path / ".lgd-nfy0").is_fifo()


def test_the_real_import_goes_to_the_folder_in_lg_wd(real: ModuleType, tmp_path: Path) -> None:
    done = run("import lgpio, os; print(os.getcwd())", "/", LG_WD=str(tmp_path))
    assert done.stdout.strip() == str(tmp_path)
    assert (tmp_path / ".lgd-nfy0").is_fifo()


@pytest.mark.parametrize("environ", [{}, {"LG_WD": "/proc/self/missing"}])
def test_the_real_import_fails_where_no_pipe_can_be_made(real: ModuleType, environ: dict[str, str]) -> None:
    done = run("import lgpio", "/proc/self", **environ)
    assert "FileNotFoundError" in done.stderr
    assert ".lgd-nfy-3" in done.stderr


def test_the_real_notify_thread_dies_of_an_exception(real: ModuleType, tmp_path: Path) -> None:
    done = run(
        "import lgpio, struct\n"
        "def broken(*alert): raise RuntimeError('in a callback')\n"
        "lgpio.callback(0, 3, lgpio.BOTH_EDGES, broken)\n"
        "with open('.lgd-nfy0', 'wb') as pipe: pipe.write(struct.pack('QBBBBI', 0, 0, 3, 1, 0, 0))\n"
        "lgpio._notify_thread.join(30)\n"
        "print(lgpio._notify_thread.is_alive())\n",
        tmp_path,
    )
    assert done.stdout.strip() == "False"
    assert "in a callback" in done.stderr


def test_the_real_module_is_loaded_without_a_trace_in_the_current_folder(real: ModuleType, tmp_path: Path) -> None:
    done = run(
        "import os\n"
        "from hal.gpio import load_lgpio\n"
        "lgpio = load_lgpio()\n"
        "print(os.getcwd(), os.listdir(), lgpio._notify_thread.is_alive())\n",
        tmp_path,
        PYTHONPATH=str(Path(__file__).parents[2]),
        TMPDIR=str(tmp_path),
    )
    assert done.stdout.strip() == f"{tmp_path} [] True"
