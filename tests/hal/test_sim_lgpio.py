"""The simulated lgpio: gpiozero's real factory and devices run on it."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import LED, PWMLED, Button, DigitalInputDevice, DigitalOutputDevice, Factory

from hal.sim.gpiochip import BOTH_EDGES, FALLING_EDGE, RISING_EDGE, SimError
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import PI_5, installed
from hal.sim.trace import Trace

HEADER, EXPANDER = 0, 3
NO_PIPES = "/proc/self"  # a folder in which not even root makes files


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def lgpio(trace: Trace) -> SimLgpio:
    return SimLgpio({HEADER: ("pinctrl-bcm2711", 58), EXPANDER: ("mcp23017", 16)}, trace.note)


@pytest.fixture
def factory(lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Factory]:
    monkeypatch.chdir(tmp_path)
    with installed(lgpio):
        made = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory(chip=HEADER)
        made.pins = {}
        yield made
        made.close()


# gpiozero on it


def test_gpiozero_sees_a_pi_and_its_header(factory: Factory) -> None:
    assert factory.board_info.model == "4B"
    assert type(factory).__name__ == "LGPIOFactory"


def test_a_button_to_ground_reads_active_when_driven_low(lgpio: SimLgpio, factory: Factory) -> None:
    with DigitalInputDevice(17, pull_up=True, pin_factory=factory) as button:
        assert not button.is_active
        lgpio.drive(HEADER, 17, 0)
        assert button.is_active
        lgpio.drive(HEADER, 17, None)
        assert not button.is_active


def test_edges_reach_gpiozeros_callbacks_before_drive_returns(lgpio: SimLgpio, factory: Factory) -> None:
    seen = []
    with DigitalInputDevice(17, pull_up=True, pin_factory=factory) as button:
        button.when_activated = lambda: seen.append("down")
        button.when_deactivated = lambda: seen.append("up")
        lgpio.drive(HEADER, 17, 0)
        lgpio.drive(HEADER, 17, 0)  # no change, no edge
        lgpio.drive(HEADER, 17, None)
    assert seen == ["down", "up"]


def test_an_led_writes_its_levels_on_the_wire(lgpio: SimLgpio, factory: Factory, trace: Trace) -> None:
    with LED(22, pin_factory=factory) as led:
        led.on()
        assert lgpio.level(HEADER, 22) == 1
        led.off()
    assert [(entry.what, entry.data) for entry in trace.on("gpiochip0 line 22")] == [
        ("output", 0),
        ("write", 0),
        ("write", 1),
        ("write", 0),
        ("free", 0),
    ]


def test_dimming_is_seen_as_pwm(lgpio: SimLgpio, factory: Factory) -> None:
    with PWMLED(18, frequency=200, pin_factory=factory) as led:
        led.value = 0.25
        assert lgpio.chips[HEADER].lines[18].pwm == (200, 25)


def test_gpiozeros_bounce_time_is_lgpios_debounce(lgpio: SimLgpio, factory: Factory) -> None:
    seen = []
    with Button(17, bounce_time=0.020, pin_factory=factory) as button:
        button.when_pressed = lambda: seen.append("down")
        for at, level in ((0.000, 0), (0.003, None), (0.005, 0)):
            lgpio.drive(HEADER, 17, level, at)
        lgpio.pass_time(0.024)
        assert seen == []
        lgpio.pass_time(0.026)
        assert seen == ["down"]


def test_a_press_shorter_than_the_debounce_time_is_swallowed(lgpio: SimLgpio, factory: Factory) -> None:
    seen = []
    with Button(17, bounce_time=0.020, pin_factory=factory) as button:
        button.when_pressed = lambda: seen.append("down")
        button.when_released = lambda: seen.append("up")
        lgpio.pass_time(1.0)
        lgpio.drive(HEADER, 17, 0, 2.000)
        lgpio.drive(HEADER, 17, None, 2.010)
        lgpio.pass_time(3.0)
    assert "down" not in seen


# faults


def test_an_exception_in_one_callback_ends_all_callbacks_for_good(
    lgpio: SimLgpio, factory: Factory, trace: Trace
) -> None:
    seen = []

    def broken() -> None:
        raise RuntimeError("queue is closed")

    with (
        DigitalInputDevice(17, pull_up=True, pin_factory=factory) as one,
        DigitalInputDevice(27, pull_up=True, pin_factory=factory) as other,
    ):
        other.when_activated = lambda: seen.append("other")
        lgpio.drive(HEADER, 27, 0)
        lgpio.drive(HEADER, 27, None)
        one.when_activated = broken
        lgpio.drive(HEADER, 17, 0)  # the exception goes no further than the notify thread
        lgpio.drive(HEADER, 27, 0)
        assert other.is_active  # levels can be read as before
    assert seen == ["other"]
    assert isinstance(lgpio.notify_dead, RuntimeError)
    assert any("queue is closed" in entry.what for entry in trace)


def test_lost_edges_change_the_level_and_tell_nobody(lgpio: SimLgpio, factory: Factory) -> None:
    seen = []
    with DigitalInputDevice(17, pull_up=True, pin_factory=factory) as button:
        button.when_activated = lambda: seen.append("down")
        lgpio.lose_edges = True
        lgpio.drive(HEADER, 17, 0)
        assert button.is_active
    assert seen == []


def test_an_expander_off_its_bus_fails_reads_and_writes(lgpio: SimLgpio) -> None:
    handle = lgpio.gpiochip_open(EXPANDER)
    lgpio.gpio_claim_input(handle, 1)
    lgpio.gpio_claim_output(handle, 2)
    lgpio.chips[EXPANDER].absent = True
    with pytest.raises(SimError, match="bad GPIO read"):
        lgpio.gpio_read(handle, 1)
    with pytest.raises(SimError, match="bad GPIO write"):
        lgpio.gpio_write(handle, 2, 1)


def test_a_line_of_the_kernels_is_busy(lgpio: SimLgpio, factory: Factory) -> None:
    lgpio.occupy(HEADER, 8)
    with pytest.raises(SimError, match="GPIO busy"):
        DigitalInputDevice(8, pull_up=True, pin_factory=factory)


# lgpio's own manners


def test_a_line_has_one_owner(lgpio: SimLgpio) -> None:
    one, other = lgpio.gpiochip_open(HEADER), lgpio.gpiochip_open(HEADER)
    lgpio.gpio_claim_input(one, 5)
    for claim in (lgpio.gpio_claim_input, lgpio.gpio_claim_output, lgpio.gpio_read):
        with pytest.raises(SimError, match="GPIO busy"):
            claim(other, 5)
    lgpio.gpio_free(one, 5)
    lgpio.gpio_claim_output(other, 5)


def test_closing_the_chip_frees_its_lines_and_darkens_its_outputs(lgpio: SimLgpio) -> None:
    one = lgpio.gpiochip_open(HEADER)
    lgpio.gpio_claim_output(one, 5, 1)
    assert lgpio.level(HEADER, 5) == 1
    lgpio.gpiochip_close(one)
    assert lgpio.level(HEADER, 5) == 0
    lgpio.gpio_claim_input(lgpio.gpiochip_open(HEADER), 5)
    with pytest.raises(SimError, match="unknown handle"):
        lgpio.gpio_read(one, 5)


def test_an_input_keeps_its_pull_until_it_is_freed(lgpio: SimLgpio) -> None:
    handle = lgpio.gpiochip_open(HEADER)
    lgpio.gpio_claim_input(handle, 5, lgpio.SET_PULL_UP)
    lgpio.gpio_claim_input(handle, 5, lgpio.SET_PULL_DOWN)
    assert lgpio.gpio_read(handle, 5) == 1
    lgpio.gpio_free(handle, 5)
    lgpio.gpio_claim_input(handle, 5, lgpio.SET_PULL_DOWN)
    assert lgpio.gpio_read(handle, 5) == 0


def test_an_output_claimed_again_keeps_its_level(lgpio: SimLgpio) -> None:
    handle = lgpio.gpiochip_open(HEADER)
    lgpio.gpio_claim_output(handle, 5, 1)
    lgpio.gpio_claim_output(handle, 5, 0)
    assert lgpio.gpio_read(handle, 5) == 1


def test_the_mode_tells_direction_pull_and_owner(lgpio: SimLgpio) -> None:
    one, other = lgpio.gpiochip_open(HEADER), lgpio.gpiochip_open(HEADER)
    assert lgpio.gpio_get_mode(one, 5) == 0
    lgpio.gpio_claim_input(one, 5, lgpio.SET_PULL_UP)
    assert lgpio.gpio_get_mode(one, 5) == 1 | 32 | 256
    assert lgpio.gpio_get_mode(other, 5) == 1 | 32  # lgpio's own bits are for the owner
    lgpio.gpio_claim_output(one, 5)
    assert lgpio.gpio_get_mode(one, 5) == 1 | 2 | 512


@pytest.mark.parametrize(("edges", "levels"), [(RISING_EDGE, [1]), (FALLING_EDGE, [0]), (BOTH_EDGES, [1, 0])])
def test_only_the_claimed_edges_are_reported(lgpio: SimLgpio, edges: int, levels: list[int]) -> None:
    handle, seen = lgpio.gpiochip_open(HEADER), []
    lgpio.gpio_claim_alert(handle, 5, edges)
    lgpio.callback(handle, 5, RISING_EDGE, lambda chip, gpio, level, tick: seen.append((chip, gpio, level, tick)))
    lgpio.drive(HEADER, 5, 1, now=0.5)
    lgpio.drive(HEADER, 5, 0, now=0.5)
    assert seen == [(HEADER, 5, level, 500_000_000) for level in levels]


def test_the_same_line_of_another_chip_is_another_line(lgpio: SimLgpio) -> None:
    header, expander, seen = lgpio.gpiochip_open(HEADER), lgpio.gpiochip_open(EXPANDER), []
    for handle in (header, expander):
        lgpio.gpio_claim_alert(handle, 5, BOTH_EDGES)
        lgpio.callback(handle, 5, BOTH_EDGES, lambda chip, gpio, level, tick: seen.append(chip))
    lgpio.drive(EXPANDER, 5, 1)
    assert seen == [EXPANDER]
    assert lgpio.levels(HEADER, (4, 5)) == (0, 0)


def test_a_cancelled_callback_is_not_called(lgpio: SimLgpio) -> None:
    handle, seen = lgpio.gpiochip_open(HEADER), []
    lgpio.gpio_claim_alert(handle, 5, BOTH_EDGES)
    watch = lgpio.callback(handle, 5, BOTH_EDGES, lambda *alert: seen.append(alert))
    watch.cancel()
    watch.cancel()
    lgpio.drive(HEADER, 5, 1)
    assert seen == []


def test_a_debounced_edge_is_timed_when_it_became_stable(lgpio: SimLgpio) -> None:
    handle, seen = lgpio.gpiochip_open(HEADER), []
    lgpio.gpio_claim_alert(handle, 5, BOTH_EDGES)
    lgpio.gpio_set_debounce_micros(handle, 5, 20_000)
    lgpio.callback(handle, 5, BOTH_EDGES, lambda chip, gpio, level, tick: seen.append((level, tick)))
    lgpio.drive(HEADER, 5, 1, now=1.0)
    lgpio.drive(HEADER, 5, 0, now=2.0)  # the first one was stable by then
    assert seen == [(1, 1_020_000_000)]
    lgpio.pass_time(2.5)
    assert seen == [(1, 1_020_000_000), (0, 2_020_000_000)]


def test_a_bounce_back_to_the_reported_level_is_not_reported_again(lgpio: SimLgpio) -> None:
    handle, seen = lgpio.gpiochip_open(HEADER), []
    lgpio.gpio_claim_alert(handle, 5, BOTH_EDGES)
    lgpio.gpio_set_debounce_micros(handle, 5, 20_000)
    lgpio.callback(handle, 5, BOTH_EDGES, lambda chip, gpio, level, tick: seen.append(level))
    for now, level in ((1.0, 1), (2.0, 0), (2.001, 1)):
        lgpio.drive(HEADER, 5, level, now)
    lgpio.pass_time(3.0)
    assert seen == [1]


def test_a_free_line_can_neither_be_freed_nor_is_a_line_past_the_end(lgpio: SimLgpio) -> None:
    handle = lgpio.gpiochip_open(EXPANDER)
    with pytest.raises(SimError, match="GPIO not allocated"):
        lgpio.gpio_free(handle, 5)
    with pytest.raises(SimError, match="bad GPIO number"):
        lgpio.gpio_claim_input(handle, 16)


def test_there_is_no_chip_where_none_was_put(lgpio: SimLgpio) -> None:
    with pytest.raises(SimError, match="can not open gpiochip"):
        lgpio.gpiochip_open(1)
    assert lgpio.gpio_get_chip_info(lgpio.gpiochip_open(EXPANDER)) == [0, 16, "gpiochip3", "mcp23017"]


@pytest.mark.parametrize(
    ("frequency", "duty", "words"),
    [(0, 0, "PWM micros"), (0.05, 50, "PWM frequency"), (100, 101, "PWM dutycycle")],
)
def test_pwm_out_of_range_is_refused(lgpio: SimLgpio, frequency: float, duty: float, words: str) -> None:
    handle = lgpio.gpiochip_open(HEADER)
    with pytest.raises(SimError, match=words):
        lgpio.tx_pwm(handle, 5, frequency, duty)


# importing it


def test_importing_makes_the_notify_pipe_in_the_current_folder(
    lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LG_WD", raising=False)
    with installed(lgpio):
        assert importlib.import_module("lgpio") is lgpio
    assert [path.name for path in tmp_path.iterdir()] == [".lgd-nfy0"]


def test_importing_with_lg_wd_leaves_the_process_there(
    lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, target = tmp_path / "start", tmp_path / "run"
    start.mkdir()
    target.mkdir()
    monkeypatch.chdir(start)
    lgpio.start({"LG_WD": str(target)})
    assert os.getcwd() == str(target)  # noqa: PTH109 - the point is the process's folder
    assert (target / ".lgd-nfy0").is_fifo()


def test_a_folder_that_takes_no_pipe_fails_the_import(lgpio: SimLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NO_PIPES)
    monkeypatch.delenv("LG_WD", raising=False)
    with installed(lgpio), pytest.raises(FileNotFoundError, match=r"\.lgd-nfy-3"):
        importlib.import_module("lgpio")


def test_an_lg_wd_that_does_not_exist_fails_the_import(
    lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"\.lgd-nfy-3"):
        lgpio.start({"LG_WD": str(tmp_path / "missing")})


def test_afterwards_everything_is_as_before(lgpio: SimLgpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = {name: sys.modules.get(name) for name in ("lgpio", "gpiozero.pins.lgpio")}
    finders = list(sys.meta_path)
    with installed(lgpio, revision=PI_5):
        made = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory(chip=HEADER)
        assert made.board_info.model == "5B"
        made.close()
    assert {name: sys.modules.get(name) for name in before} == before
    assert sys.meta_path == finders


def test_two_outputs_of_one_chip_do_not_disturb_each_other(lgpio: SimLgpio, factory: Factory) -> None:
    with (
        DigitalOutputDevice(5, pin_factory=factory) as one,
        DigitalOutputDevice(6, active_high=False, pin_factory=factory) as other,
    ):
        one.on()
        assert lgpio.levels(HEADER, (5, 6)) == (1, 1)
        other.on()
        assert lgpio.levels(HEADER, (5, 6)) == (1, 0)
