"""The strip of LEDs as it comes out of the last wire, and the port that it hangs on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.cues import LED_PATTERNS, Cue
from hal.events import DeviceBack, DeviceLost
from hal.hardware import Hardware
from hal.sim.apa102 import SimStrip
from hal.sim.board import SimulatedWires
from hal.sim.trace import Trace
from hal.strip import COLOURS, DARK, RESEND, WHITE, Colour, ReopenedSpi, SpiDevice, Strip, frame
from hal.wiring import ButtonLines, SeatWiring, StripWiring, Wiring

GREEN, RED = COLOURS[Cue.ACCEPTED], COLOURS[Cue.REFUSED]
WIRING = Wiring(
    seats=(SeatWiring(1, ButtonLines(4, 5, 6)), SeatWiring(2, ButtonLines(12, 13, 16))), strip=StripWiring(leds=6)
)


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def leds(trace: Trace) -> SimStrip:
    return SimStrip(6, note=trace.note)


@pytest.fixture
def strip(leds: SimStrip) -> Strip:
    return Strip(leds, seats=2, leds=6, brightness=8)


# The frame


def test_the_frame_is_that_of_the_datasheet() -> None:
    assert frame([(1, 2, 3), (255, 0, 128)], 31) == bytes.fromhex("00000000 FF030201 FF8000FF 00000000 00")


@pytest.mark.parametrize("count", [1, 16, 17, 64, 144, 300])
def test_the_last_led_of_a_strip_of_any_length_gets_its_colour(count: int) -> None:
    leds = SimStrip(count)
    colours: list[Colour] = [(n % 256, n // 2 % 256, 255 - n % 256) for n in range(count)]
    leds.write(frame(colours, 5))
    assert leds.colours == colours
    assert set(leds.brightness) == {5}
    assert leds.complaints == []


def test_a_strip_that_is_longer_than_it_was_said_to_be_stays_dark_at_its_end() -> None:
    leds = SimStrip(8)
    leds.write(frame([WHITE] * 6, 8))
    assert leds.colours[6:] == [DARK] * 2


def test_the_simulated_strip_misses_a_start_and_an_end() -> None:
    leds = SimStrip(64)
    leds.write(frame([WHITE] * 64, 8)[4:])
    leds.write(frame([WHITE] * 64, 8)[:-8])
    assert leds.complaints == ["no start frame", "0 clocks at the end for 64 LEDs"]


# What it shows


def test_a_seat_whose_turn_it_is_has_its_own_run_lit(strip: Strip, leds: SimStrip) -> None:
    strip.glows[2].show(Cue.YOUR_TURN, 0.0)
    assert strip.poll(0.0) == []
    assert leds.colours == [DARK] * 3 + [WHITE] * 3
    assert set(leds.brightness) == {8}


@pytest.mark.parametrize("cue", LED_PATTERNS)
def test_every_cue_blinks_in_its_colour_and_the_turn_is_back_afterwards(strip: Strip, leds: SimStrip, cue: Cue) -> None:
    strip.glows[1].show(Cue.YOUR_TURN, 0.0)
    strip.glows[1].show(cue, 0.0)
    seen = set()
    for hundredth in range(300):
        strip.poll(hundredth / 100)
        seen.add(leds.colours[0])
    assert seen == {DARK, COLOURS[cue], WHITE}
    assert leds.colours == [WHITE] * 3 + [DARK] * 3


def test_no_two_cues_have_one_colour() -> None:
    assert set(COLOURS) == set(Cue)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_an_unchanged_strip_is_written_again_now_and_then_only(strip: Strip, trace: Trace) -> None:
    for tenth in range(101):
        strip.poll(tenth / 10)
    assert len(trace.on("spidev0.0")) == 1 + int(10 / RESEND)


def test_a_strip_that_lost_its_colours_has_them_back_soon(strip: Strip, leds: SimStrip) -> None:
    strip.glows[1].show(Cue.YOUR_TURN, 0.0)
    strip.poll(0.0)
    leds.colours = [(9, 9, 9)] * 6
    strip.poll(RESEND)
    assert leds.colours == [WHITE] * 3 + [DARK] * 3


def test_a_closed_strip_is_dark(strip: Strip, leds: SimStrip) -> None:
    strip.glows[1].show(Cue.YOUR_TURN, 0.0)
    strip.poll(0.0)
    strip.close()
    strip.close()
    assert leds.colours == [DARK] * 6
    assert strip.poll(5.0) == []


# A port that fails


def test_a_port_that_fails_is_lost_once_and_comes_back_with_the_colours(strip: Strip, leds: SimStrip) -> None:
    strip.poll(0.0)
    leds.unplugged = True
    strip.glows[1].show(Cue.YOUR_TURN, 0.1)
    (lost,) = strip.poll(0.1)
    assert isinstance(lost, DeviceLost)
    assert lost.device == "strip"
    assert strip.poll(0.7) == []
    leds.unplugged = False
    assert strip.poll(1.9) == [DeviceBack("strip", 1.9)]
    assert leds.colours[0] == WHITE


def test_a_port_that_failed_is_opened_anew(leds: SimStrip) -> None:
    opened: list[SimStrip] = []

    def open_port() -> SimStrip:
        opened.append(leds)
        return leds

    port = ReopenedSpi(open_port)
    port.write(frame([RED] * 6, 1))
    port.write(frame([GREEN] * 6, 1))
    assert len(opened) == 1
    leds.unplugged = True
    with pytest.raises(OSError, match="Input/output error"):
        port.write(b"")
    leds.unplugged = False
    port.write(frame([RED] * 6, 1))
    assert len(opened) == 2
    port.close()
    port.close()


def test_a_port_that_is_not_there_is_no_error_at_the_start(trace: Trace) -> None:
    def no_port() -> SimStrip:
        raise FileNotFoundError("/dev/spidev0.0")

    strip = Strip(ReopenedSpi(no_port), 2, 6, 8)
    (lost,) = strip.poll(0.0)
    assert isinstance(lost, DeviceLost)
    assert "/dev/spidev0.0" in lost.why
    strip.close()


def test_a_file_that_is_no_spi_port_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        SpiDevice(str(path))


# At the table


@pytest.fixture
def wires(trace: Trace) -> Iterator[SimulatedWires]:
    with SimulatedWires(WIRING, trace) as made:
        yield made


def test_a_table_with_a_strip_lights_it(wires: SimulatedWires) -> None:
    hardware = Hardware(WIRING, wires)
    for light in hardware.lights(2):
        light.show(Cue.YOUR_TURN, 0.0)
    assert hardware.poll_lines(0.0) == []
    assert wires.strip is not None
    assert wires.strip.colours == [DARK] * 3 + [WHITE] * 3
    hardware.close()
    assert wires.strip.colours == [DARK] * 6


def test_a_table_without_one_has_no_port_to_open(wires: SimulatedWires) -> None:
    with SimulatedWires(Wiring(seats=WIRING.seats)) as bare, pytest.raises(FileNotFoundError):
        bare.open_spi("/dev/spidev0.0")


def test_a_new_brightness_is_written_at_the_next_poll(strip: Strip, leds: SimStrip) -> None:
    strip.poll(10.0)
    strip.brightness = 3
    strip.poll(10.1)
    assert set(leds.brightness) == {3}


def test_a_pattern_that_is_ended_leaves_the_lasting_colour(strip: Strip, leds: SimStrip) -> None:
    strip.glows[1].show(Cue.YOUR_TURN, 10.0)
    strip.glows[1].show(Cue.DEVICE_LOST, 10.0)
    strip.glows[1].end(10.35)
    strip.poll(10.4)
    assert leds.colours[0] == WHITE
