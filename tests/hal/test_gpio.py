"""Opening gpiochips: found by label, one factory each, and errors that name the line."""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hal.errors import TablerefHardwareError
from hal.gpio import GpioChip, GpioError, LgpioMissingError, LineBusyError, find_chip, load_lgpio, open_chip
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import installed

HEADER, EXPANDER = 0, 3
NO_PIPES = Path("/proc/self")  # a folder in which not even root makes files


@pytest.fixture
def lgpio() -> Iterator[SimLgpio]:
    sim = SimLgpio({HEADER: ("pinctrl-bcm2711", 58), 1: ("raspberrypi-exp-gpio", 8), EXPANDER: ("mcp23017", 16)})
    with installed(sim):
        yield sim


# loading


def test_loading_leaves_the_process_where_it_was_and_no_pipe_behind(
    lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_lgpio() is lgpio
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_loading_comes_back_from_lg_wd(lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "run"
    run.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LG_WD", str(run))
    load_lgpio()
    assert Path.cwd() == tmp_path
    assert (run / ".lgd-nfy0").is_fifo()


def test_loading_works_from_a_folder_that_cannot_be_written(lgpio: SimLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NO_PIPES)
    assert load_lgpio() is lgpio


def test_a_folder_of_ones_own_holds_the_pipe(lgpio: SimLgpio, tmp_path: Path) -> None:
    load_lgpio(tmp_path)
    assert (tmp_path / ".lgd-nfy0").is_fifo()


def test_a_folder_that_takes_no_pipe_is_named(lgpio: SimLgpio) -> None:
    with pytest.raises(GpioError, match="notify pipe in /proc/self"):
        load_lgpio(NO_PIPES)


def test_the_empty_wheel_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(LgpioMissingError, match=r"empty wheel 0\.0\.0\.2.*python3-lgpio"):
        open_chip()


def test_no_lgpio_at_all_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(LgpioMissingError, match="python3-lgpio"):
        open_chip()


def test_errors_are_of_this_room_and_of_the_standard_type() -> None:
    assert issubclass(LgpioMissingError, TablerefHardwareError)
    assert issubclass(LgpioMissingError, ImportError)
    assert issubclass(LineBusyError, GpioError)
    assert issubclass(GpioError, TablerefHardwareError)
    assert issubclass(GpioError, OSError)


# finding


def test_chips_are_found_by_label_whatever_their_number(lgpio: SimLgpio) -> None:
    assert find_chip(lgpio, ["mcp23017"]) == (EXPANDER, "mcp23017")
    assert find_chip(lgpio, ["pinctrl-rp1", "pinctrl-bcm2711"]) == (HEADER, "pinctrl-bcm2711")


@pytest.mark.parametrize(("number", "label"), [(0, "pinctrl-rp1"), (4, "pinctrl-rp1"), (0, "pinctrl-bcm2835")])
def test_the_header_is_found_on_every_model(number: int, label: str) -> None:
    with installed(SimLgpio({number: (label, 54), 10: ("gpio-brcmstb@107d508500", 32)})):
        chip = open_chip()
        assert (chip.number, chip.label) == (number, label)
        chip.close()


def test_a_missing_label_is_answered_with_those_that_are_there(lgpio: SimLgpio) -> None:
    with pytest.raises(GpioError, match=r"pcf8575; found: pinctrl-bcm2711 \(gpiochip0\), .*mcp23017 \(gpiochip3\)"):
        open_chip("pcf8575")


def test_no_chip_at_all_is_said() -> None:
    with installed(SimLgpio({})), pytest.raises(GpioError, match="found: none"):
        open_chip()


def test_looking_for_a_chip_leaves_none_open(lgpio: SimLgpio) -> None:
    find_chip(lgpio, ["mcp23017"])
    assert all(not chip.handles for chip in lgpio.chips.values())


# lines


def test_the_same_line_of_two_chips_is_two_lines(lgpio: SimLgpio) -> None:
    header, expander = open_chip(), open_chip("mcp23017")
    one, other = header.output(5), expander.output(5)
    other.on()
    assert (lgpio.level(HEADER, 5), lgpio.level(EXPANDER, 5)) == (0, 1)
    one.on()
    other.off()
    assert (lgpio.level(HEADER, 5), lgpio.level(EXPANDER, 5)) == (1, 0)
    header.close()
    expander.close()


def test_an_input_is_pulled_up_and_active_low(lgpio: SimLgpio) -> None:
    chip = open_chip()
    button = chip.input(17)
    assert lgpio.level(HEADER, 17) == 1
    assert not button.is_active
    lgpio.drive(HEADER, 17, 0)
    assert button.is_active
    chip.close()


def test_an_output_for_an_led_to_the_supply_is_on_when_low(lgpio: SimLgpio) -> None:
    chip = open_chip()
    led = chip.output(22, active_high=False)
    assert lgpio.level(HEADER, 22) == 1
    led.on()
    assert lgpio.level(HEADER, 22) == 0
    chip.close()


@pytest.mark.parametrize("claim", [GpioChip.input, GpioChip.output])
def test_a_line_that_another_owns_is_named(lgpio: SimLgpio, claim: Callable[[GpioChip, int], object]) -> None:
    lgpio.occupy(HEADER, 8, "spi0 CS0")
    chip = open_chip()
    with pytest.raises(LineBusyError, match="line 8 of pinctrl-bcm2711 is in use by another program"):
        claim(chip, 8)
    chip.close()
    gc.collect()  # what gpiozero left half made raises nothing when it goes


def test_a_line_that_is_wired_twice_is_named(lgpio: SimLgpio) -> None:
    chip = open_chip()
    chip.input(17)
    kept = chip.input(18)
    with pytest.raises(LineBusyError, match="line 18 of pinctrl-bcm2711 is wired twice"):
        chip.output(18)
    assert not kept.closed
    chip.close()


@pytest.mark.parametrize(("label", "line"), [("mcp23017", 16), ("pinctrl-bcm2711", 99)])
def test_a_line_that_does_not_exist_is_named(lgpio: SimLgpio, label: str, line: int) -> None:
    chip = open_chip(label)
    with pytest.raises(GpioError, match=f"line {line} of {label}"):
        chip.input(line)
    chip.close()


def test_closing_the_chip_darkens_its_leds_and_frees_its_lines(lgpio: SimLgpio) -> None:
    chip = open_chip()
    led = chip.output(22)
    led.on()
    chip.close()
    chip.close()
    assert lgpio.level(HEADER, 22) == 0
    again = open_chip()
    again.input(22)
    again.close()
