"""Opening gpiochips: found by label, one factory each, and errors that name the line."""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hal.errors import TablerefHardwareError
from hal.gpio import (
    GpioChip,
    GpioError,
    I2cPlace,
    LgpioMissingError,
    LineBusyError,
    find_chip,
    load_lgpio,
    open_chip,
    place_of_chip,
)
from hal.sim.gpiochip import link_chips
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


# chips of one label


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Path]:
    """Two expanders, and a kernel that says where they are; a third that is on no I²C bus."""
    chips = {HEADER: ("pinctrl-rp1", 58), 2: ("mcp23017", 16), 5: ("mcp23017", 16), 7: ("mcp23017", 16)}
    with installed(SimLgpio(chips)):
        yield link_chips(tmp_path, {2: I2cPlace(1, 0x21), 5: I2cPlace(11, 0x20)})


def test_a_chip_is_where_the_kernel_says_that_its_device_is(twins: Path) -> None:
    assert [place_of_chip(number, twins) for number in (2, 5, 7, 9)] == [
        I2cPlace(1, 0x21),
        I2cPlace(11, 0x20),
        None,
        None,
    ]


def test_of_chips_with_one_label_each_is_found_by_its_address_whatever_its_number(twins: Path) -> None:
    first = open_chip("mcp23017", place=I2cPlace(11, 0x20), twin=True, system=twins)
    second = open_chip("mcp23017", place=I2cPlace(1, 0x21), twin=True, system=twins)
    assert [(chip.number, chip.name(3)) for chip in (first, second)] == [
        (5, "line 3 of mcp23017 11-0020"), (2, "line 3 of mcp23017 1-0021"),
    ]  # fmt: skip
    first.input(3), second.input(3)  # one line of each
    first.close()
    second.close()


def test_several_chips_where_the_table_has_one_are_told_apart_too(twins: Path) -> None:
    chip = open_chip("mcp23017", place=I2cPlace(11, 0x20), system=twins)
    assert (chip.number, chip.label) == (5, "mcp23017")
    chip.close()


@pytest.mark.parametrize("twin", [True, False])
def test_no_chip_is_taken_for_another_one(twins: Path, twin: bool) -> None:
    said = (
        r"several gpiochips may be labelled mcp23017, and none is known to be at address 0x27 of I2C bus 1; found: "
        r"1-0021 \(gpiochip2\), 11-0020 \(gpiochip5\), no known place \(gpiochip7\)"
    )
    with pytest.raises(GpioError, match=said):
        open_chip("mcp23017", place=I2cPlace(1, 0x27), twin=twin, system=twins)


def test_the_one_that_is_left_of_two_is_not_taken_for_the_other(lgpio: SimLgpio, tmp_path: Path) -> None:
    system = link_chips(tmp_path, {EXPANDER: I2cPlace(1, 0x21)})
    with pytest.raises(GpioError, match=r"none is known to be at address 0x20 of I2C bus 1; found: 1-0021"):
        open_chip("mcp23017", place=I2cPlace(1, 0x20), twin=True, system=system)
    with pytest.raises(GpioError, match="no known place"):
        open_chip("mcp23017", place=I2cPlace(1, 0x20), twin=True, system=tmp_path / "nothing")


def test_the_only_one_is_not_taken_where_the_kernel_has_it_at_another_place(lgpio: SimLgpio, tmp_path: Path) -> None:
    system = link_chips(tmp_path, {EXPANDER: I2cPlace(1, 0x21)})
    with pytest.raises(
        GpioError, match=r"gpiochip3 \(mcp23017\) is at 1-0021 \(bus and address\); expected it at 1-0020"
    ):
        open_chip("mcp23017", place=I2cPlace(1, 0x20), system=system)
    chip = open_chip("mcp23017", place=I2cPlace(1, 0x21), system=system)
    assert (chip.number, chip.label) == (EXPANDER, "mcp23017")
    chip.close()


def test_a_label_of_another_case_finds_nothing_and_is_told_which_is_meant(lgpio: SimLgpio) -> None:
    with pytest.raises(GpioError, match=r"labelled MCP23017; found: .*; labels are compared .*: expected mcp23017$"):
        open_chip("MCP23017")


def test_the_only_one_is_found_by_its_label_alone(lgpio: SimLgpio, tmp_path: Path) -> None:
    """Its address is what the picture and config.txt need; a chip on another kind of bus has none."""
    chip = open_chip("mcp23017", place=I2cPlace(1, 0x20), system=tmp_path)
    assert chip.number == EXPANDER
    chip.close()
