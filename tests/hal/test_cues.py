"""Lights and sounds as they reach the line, by a clock that is handed in."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest
from at_wires import EXPANDER

from hal.cues import (
    BUZZER_PATTERNS,
    LED_BASE,
    LED_PATTERNS,
    Buzzer,
    Cue,
    OutputLine,
    Pattern,
    SeatLed,
    level_at,
)
from hal.events import DeviceBack, DeviceLost
from hal.gpio import GpioChip, LineBusyError, open_chip
from hal.sim.lgpio import SimLgpio
from hal.sim.trace import Trace

LED_LINE, BUZZER_LINE = 5, 6


@pytest.fixture
def chip(lgpio: SimLgpio) -> Iterator[GpioChip]:
    opened = open_chip("mcp23017")
    yield opened
    opened.close()


@pytest.fixture
def led(chip: GpioChip) -> SeatLed:
    return SeatLed(OutputLine("seat 1 LED", chip, LED_LINE))


@pytest.fixture
def buzzer(chip: GpioChip) -> Buzzer:
    return Buzzer(OutputLine("buzzer", chip, BUZZER_LINE))


class Wire:
    """What is written on the two lines from now on."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.mark = trace.seq

    def writes(self, line: int) -> list[bytes | int]:
        name = f"gpiochip{EXPANDER} line {line}"
        return [entry.data for entry in self.trace.since(self.mark) if entry.wire == name]


@pytest.fixture
def wire(trace: Trace, led: SeatLed, buzzer: Buzzer) -> Wire:
    return Wire(trace)


def run(device: SeatLed | Buzzer, start: float, seconds: float, step: float = 0.01) -> list[tuple[int, bool | None]]:
    """Poll a device every `step` seconds; give the level changes as (milliseconds after start, level)."""
    changes, before = [], None
    for n in range(round(seconds / step) + 1):
        now = start + n * step
        assert device.poll(now) == []
        level = device._line._level
        if before is not None and level != before:
            changes.append((round((now - start) * 1000), level))
        before = level
    return changes


# patterns


def test_a_level_is_that_of_the_step_the_time_lies_in() -> None:
    pattern = ((0.1, True), (0.2, False))
    assert [level_at(pattern, at) for at in (0.0, 0.099, 0.1, 0.299)] == [True, True, False, False]
    assert level_at(pattern, 0.31) is None
    assert level_at((), 0.0) is None


@pytest.mark.parametrize("cue", Cue)
def test_every_cue_has_a_light(cue: Cue) -> None:
    assert (cue in LED_BASE) != (cue in LED_PATTERNS)


@pytest.mark.parametrize("cue", LED_PATTERNS)
def test_light_patterns_begin_and_end_dark_so_that_they_show_on_a_lit_led(cue: Cue) -> None:
    pattern = LED_PATTERNS[cue]
    assert pattern[0][1] is False
    assert pattern[-1][1] is False
    assert all(one[1] != other[1] for one, other in pairwise(pattern))


@pytest.mark.parametrize("patterns", [LED_PATTERNS, BUZZER_PATTERNS])
def test_patterns_differ_from_each_other_and_no_step_is_too_short_to_be_seen(patterns: Mapping[Cue, Pattern]) -> None:
    assert len(set(patterns.values())) == len(patterns)
    assert all(seconds >= 0.05 for pattern in patterns.values() for seconds, _ in pattern)


def test_a_refusal_is_three_blinks_and_two_short_sounds() -> None:
    assert [level for _, level in LED_PATTERNS[Cue.REFUSED]].count(True) == 3
    assert [level for _, level in BUZZER_PATTERNS[Cue.REFUSED]].count(True) == 2
    assert [level for _, level in LED_PATTERNS[Cue.ACCEPTED]].count(True) == 1


# the LED


def test_your_turn_is_a_steady_light_written_once(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    run(led, 10.0, 5.0)
    assert wire.writes(LED_LINE) == [1]
    led.show(Cue.OFF, 15.0)
    run(led, 15.0, 5.0)
    assert wire.writes(LED_LINE) == [1, 0]


def test_nothing_is_written_before_the_poll(led: SeatLed, buzzer: Buzzer, wire: Wire) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    buzzer.sound(Cue.REFUSED, 10.0)
    assert wire.writes(LED_LINE) == []
    assert wire.writes(BUZZER_LINE) == []


def test_a_blink_on_a_dark_led_comes_and_goes(led: SeatLed, wire: Wire) -> None:
    led.poll(9.0)
    led.show(Cue.ACCEPTED, 10.0)
    changes = run(led, 10.0, 2.0)
    assert [level for _, level in changes] == [True, False]
    assert [at for at, _ in changes] == pytest.approx([80, 200], abs=11)
    assert wire.writes(LED_LINE) == [1, 0]


def test_three_blinks_on_a_lit_led_end_lit(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.YOUR_TURN, 9.0)
    led.poll(9.0)
    led.show(Cue.REFUSED, 10.0)
    run(led, 10.0, 2.0)
    assert wire.writes(LED_LINE) == [1, 0, 1, 0, 1, 0, 1, 0, 1]


def test_the_base_may_change_while_a_pattern_plays(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.ACCEPTED, 10.0)
    led.poll(10.0)
    led.show(Cue.YOUR_TURN, 10.01)
    run(led, 10.01, 2.0)
    assert wire.writes(LED_LINE) == [1, 0, 1]


def test_a_new_pattern_takes_the_place_of_the_old(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.REFUSED, 10.0)
    run(led, 10.0, 0.15)
    led.show(Cue.ACCEPTED, 10.15)
    run(led, 10.15, 2.0)
    assert wire.writes(LED_LINE) == [1, 0, 1, 0]


def test_a_cue_that_is_told_a_little_late_is_whole(led: SeatLed, buzzer: Buzzer, wire: Wire) -> None:
    led.show(Cue.REFUSED, 10.0)
    buzzer.sound(Cue.REFUSED, 10.0)
    run(led, 10.35, 3.0)
    run(buzzer, 10.35, 3.0)
    assert wire.writes(LED_LINE) == [1, 0, 1, 0, 1, 0]
    assert wire.writes(BUZZER_LINE) == [1, 0, 1, 0]


def test_a_late_poll_skips_what_is_over(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.REFUSED, 10.0)
    led.poll(20.0)
    assert wire.writes(LED_LINE) == []


# the buzzer


@pytest.mark.parametrize(
    ("cue", "writes"),
    [
        (Cue.REFUSED, [1, 0, 1, 0]),
        (Cue.DUPLICATE, [1, 0]),
        (Cue.UNKNOWN_TAG, [1, 0]),
        (Cue.DEVICE_LOST, [1, 0]),
        (Cue.ACCEPTED, [1, 0, 1, 0]),
        (Cue.YOUR_TURN, [1, 0, 1, 0]),
    ],
)
def test_sounds_begin_and_end(buzzer: Buzzer, wire: Wire, cue: Cue, writes: list[int]) -> None:
    buzzer.sound(cue, 10.0)
    run(buzzer, 10.0, 3.0)
    assert wire.writes(BUZZER_LINE) == writes


def test_off_ends_a_sound(buzzer: Buzzer, wire: Wire) -> None:
    buzzer.sound(Cue.DEVICE_LOST, 10.0)
    buzzer.poll(10.0)
    assert wire.writes(BUZZER_LINE) == [1]
    buzzer.sound(Cue.OFF, 10.2)
    buzzer.poll(10.2)
    assert wire.writes(BUZZER_LINE) == [1, 0]


def test_whose_turn_it_is_sounds_after_what_was_accepted_and_once_for_all(buzzer: Buzzer) -> None:
    buzzer.sound(Cue.ACCEPTED, 10.0)
    for _ in range(3):
        buzzer.sound(Cue.YOUR_TURN, 10.0)
    accepted, turn = (BUZZER_PATTERNS[cue] for cue in (Cue.ACCEPTED, Cue.YOUR_TURN))
    times, at = [], 0.0
    for seconds, _ in (*accepted, (0.2, False), *turn):
        at += seconds
        times.append(round(at * 1000))
    assert [at for at, _ in run(buzzer, 10.0, 3.0)] == pytest.approx(times, abs=10)


def test_of_a_sound_that_has_begun_the_rest_is_heard_before_the_turn(buzzer: Buzzer) -> None:
    buzzer.sound(Cue.DEVICE_LOST, 10.0)
    buzzer.poll(10.0)
    buzzer.sound(Cue.YOUR_TURN, 10.5)
    assert [at for at, _ in run(buzzer, 10.5, 0.4)] == pytest.approx([300], abs=10)


def test_a_pattern_that_is_ended_leaves_the_lasting_light(led: SeatLed, wire: Wire) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    led.show(Cue.DEVICE_LOST, 10.0)
    led.poll(10.0)
    led.end(10.1)
    led.poll(10.1)
    assert wire.writes(LED_LINE) == [1]


# lines


def test_a_line_that_fails_is_lost_once_and_shows_the_newest_when_it_is_back(lgpio: SimLgpio, led: SeatLed) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    lgpio.chips[EXPANDER].absent = True
    (lost,) = led.poll(10.0)
    assert lost == DeviceLost("seat 1 LED", "'bad GPIO write'", 10.0)
    assert [led.poll(at) for at in (10.1, 10.5, 11.0)] == [[], [], []]
    lgpio.chips[EXPANDER].absent = False
    assert led.poll(11.4) == []  # not yet: the second wait is a second
    assert led.poll(11.6) == [DeviceBack("seat 1 LED", 11.6)]
    assert lgpio.level(EXPANDER, LED_LINE) == 1


def test_a_line_that_failed_while_going_dark_is_written_dark_later(lgpio: SimLgpio, led: SeatLed) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    led.poll(10.0)
    lgpio.chips[EXPANDER].absent = True
    led.show(Cue.OFF, 11.0)
    assert [type(event) for event in led.poll(11.0)] == [DeviceLost]
    lgpio.chips[EXPANDER].absent = False
    assert [type(event) for event in led.poll(12.0)] == [DeviceBack]
    assert lgpio.level(EXPANDER, LED_LINE) == 0


def test_a_line_is_back_even_when_it_is_to_have_its_old_level(lgpio: SimLgpio, led: SeatLed) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    led.poll(10.0)
    lgpio.chips[EXPANDER].absent = True
    led.show(Cue.OFF, 11.0)
    led.poll(11.0)
    lgpio.chips[EXPANDER].absent = False
    led.show(Cue.YOUR_TURN, 11.1)
    assert led.poll(12.0) == [DeviceBack("seat 1 LED", 12.0)]
    assert lgpio.level(EXPANDER, LED_LINE) == 1


def test_closing_leaves_led_and_buzzer_off_and_their_lines_free(
    lgpio: SimLgpio, chip: GpioChip, led: SeatLed, buzzer: Buzzer, wire: Wire
) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    buzzer.sound(Cue.UNKNOWN_TAG, 10.0)
    led.poll(10.0)
    buzzer.poll(10.0)
    assert lgpio.levels(EXPANDER, (LED_LINE, BUZZER_LINE)) == (1, 1)
    for device in (led, buzzer, led, buzzer):
        device.close()
    assert lgpio.levels(EXPANDER, (LED_LINE, BUZZER_LINE)) == (0, 0)
    assert wire.writes(LED_LINE) == wire.writes(BUZZER_LINE) == [1, 0, 0]  # written off, then freed
    assert led.poll(11.0) == []
    chip.input(LED_LINE)


def test_closing_a_line_that_fails_raises_nothing(lgpio: SimLgpio, led: SeatLed) -> None:
    led.show(Cue.YOUR_TURN, 10.0)
    led.poll(10.0)
    lgpio.chips[EXPANDER].absent = True
    led.close()


def test_an_active_low_led_is_off_when_high(lgpio: SimLgpio, chip: GpioChip) -> None:
    led = SeatLed(OutputLine("seat 2 LED", chip, 7, active_high=False))
    assert lgpio.level(EXPANDER, 7) == 1
    led.show(Cue.YOUR_TURN, 10.0)
    led.poll(10.0)
    assert lgpio.level(EXPANDER, 7) == 0
    led.close()


def test_a_busy_line_is_named(lgpio: SimLgpio, chip: GpioChip) -> None:
    lgpio.occupy(EXPANDER, 9)
    with pytest.raises(LineBusyError, match="line 9 of mcp23017"):
        OutputLine("seat 3 LED", chip, 9)
