"""Partial updates against the simulated chips: exact whatever is drawn, and cheap. Bytes are counted on the wire."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from hal import oled
from hal.displays import SeatDisplay
from hal.events import DeviceBack
from hal.oled import DIM, ERRORS, Oled
from hal.panels import CONTRAST, MARK, Controller, Level, Look, Panel
from hal.sim.oled import SimOled
from hal.sim.sh1106 import Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306

ADDRESS = 0x3C
CHIPS: dict[Controller, type[SimOled]] = {Controller.SSD1306: Ssd1306, Controller.SH1106: Sh1106}
PANELS = [Panel(controller, rows, rotate) for controller in Controller for rows in (64, 32) for rotate in (0, 180)]
UPRIGHT = [panel for panel in PANELS if panel.rotate == 0]
LARGE = [panel for panel in UPRIGHT if panel.rows == 64]
FULL = {Controller.SSD1306: 1034, Controller.SH1106: 1080}
"""Bytes of a whole frame of 128 × 64, as luma's own drivers need at the least."""

box = st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(1, 128), st.integers(1, 64), st.booleans())


def named(panel: Panel) -> str:
    return f"{panel.controller}-{panel.rows}-{panel.rotate}"


class Glass:
    """A display with its chip and its bus."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.bus = SimI2cBus()
        self.chip = CHIPS[panel.controller](panel.rows)
        self.bus.attach(ADDRESS, self.chip)
        self.oled = Oled(self.bus.open(), ADDRESS, panel)

    def show(self, frame: Image.Image, look: Look | None = None) -> int:
        """Show a frame and give the bytes that it took."""
        sent = self.bus.bytes
        self.oled.show(frame, look or Look())
        return self.bus.bytes - sent

    def is_exact(self, frame: Image.Image) -> bool:
        return self.chip.picture().tobytes() == frame.rotate(self.panel.rotate).tobytes()


def frame_of(panel: Panel) -> Image.Image:
    return Image.new("1", panel.size)


def noise(panel: Panel, seed: int = 1) -> Image.Image:
    return Image.frombytes("1", panel.size, Random(seed).randbytes(128 * panel.rows // 8))


def with_box(frame: Image.Image, left: int, top: int, columns: int, rows: int, seed: int = 5) -> Image.Image:
    """A frame with noise in a box."""
    changed, patch = frame.copy(), noise(Panel(), seed).crop((0, 0, columns, rows))
    changed.paste(patch, (left, top))
    return changed


def random_changes(panel: Panel, seed: int, count: int) -> Iterator[Image.Image]:
    """Frames with a small change each, as a table makes them: a word, a bar, a few pixels."""
    chance, frame = Random(seed), frame_of(panel)
    for _ in range(count):
        frame = frame.copy()
        pen = ImageDraw.Draw(frame)
        x, y = chance.randrange(128), chance.randrange(panel.rows)
        match chance.randrange(3):
            case 0:
                pen.text((x, y // 8 * 8), str(chance.randrange(1000)), fill=chance.randrange(2))
            case 1:
                pen.rectangle((x, y, x + chance.randrange(20), y + chance.randrange(8)), fill=chance.randrange(2))
            case _:
                for _ in range(chance.randrange(5)):
                    pen.point((chance.randrange(128), chance.randrange(panel.rows)), fill=chance.randrange(2))
        yield frame


# exact


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_whole_frames_are_exact_and_no_command_is_undefined(panel: Panel) -> None:
    glass = Glass(panel)
    for seed in range(5):
        glass.show(noise(panel, seed))
        assert glass.is_exact(noise(panel, seed))
    assert glass.chip.complaints == []


@pytest.mark.few(2)
@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_random_small_changes_are_exact_and_cost_less_than_8_percent_of_whole_frames(panel: Panel) -> None:
    """Of frames of the same glass: 1.6 % on 64 rows, 3.3 % on 32. What changes in a dozen places far apart in one row
    costs 12.4 % of the half as large frame of 32 rows, and cannot do much better: each place has its header, or the
    columns to the next are written too.
    """
    glass = Glass(panel)
    whole = glass.show(noise(panel)) - 6  # less contrast and offset
    glass.show(frame_of(panel))
    sent, count = 0, 200
    for frame in random_changes(panel, seed=3, count=count):
        sent += glass.show(frame)
        assert glass.is_exact(frame)
    assert sent <= 0.08 * whole * count
    assert glass.chip.complaints == []


@pytest.mark.few(1)
@pytest.mark.parametrize("panel", PANELS, ids=named)
@settings(max_examples=40, deadline=None)
@given(boxes=st.lists(st.lists(box, min_size=1, max_size=4), min_size=1, max_size=6))
def test_any_series_of_frames_is_exact(panel: Panel, boxes: list[list[tuple[int, int, int, int, bool]]]) -> None:
    glass, frame = Glass(panel), frame_of(panel)
    for drawn in boxes:
        frame = frame.copy()
        for left, top, columns, rows, lit in drawn:
            frame.paste(int(lit), (left, top, left + columns, top + rows))
        glass.show(frame)
        assert glass.is_exact(frame)


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
@pytest.mark.parametrize("seed", range(4))
def test_frames_over_a_bus_on_which_acknowledges_go_missing_are_exact_in_the_end(panel: Panel, seed: int) -> None:
    bus, chance = SimI2cBus(), Random(seed)
    chip = CHIPS[panel.controller](panel.rows)
    chip.glitch(Random(seed))
    bus.attach(ADDRESS, chip)
    display, now = SeatDisplay("seat 1 display", bus.open, ADDRESS, panel), 0.0
    for frame in random_changes(panel, seed, 60):
        match chance.randrange(4):
            case 0:
                bus.nak_every = chance.randrange(2, 40)
            case 1:
                bus.cut[ADDRESS] = chance.randrange(200)
        now += 0.02
        display.show(frame)
        display.poll(now)
        bus.nak_every = 0
        bus.cut.clear()
        if not chance.randrange(3):
            now += 20.0
            display.poll(now)
            assert chip.picture().tobytes() == frame.tobytes()


# cheap


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_an_unchanged_frame_sends_nothing(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    assert glass.show(noise(panel)) == 0


def test_a_frame_that_is_on_the_glass_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Displays are polled fifty times a second, and most polls find nothing new."""
    glass, frame = Glass(Panel()), noise(Panel())
    looked: list[Image.Image] = []
    glass.show(frame)
    monkeypatch.setattr(oled, "pages_of", looked.append)
    assert glass.show(frame) == 0
    assert looked == []


@pytest.mark.parametrize("panel", LARGE, ids=named)
def test_a_line_of_60_by_8_on_a_page_takes_at_most_75_bytes(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    changed = noise(panel)
    changed.paste(noise(panel).crop((10, 16, 70, 24)).point(lambda value: 0 if value else 255), (10, 16))
    sent = glass.show(changed)
    assert sent == {Controller.SSD1306: 70, Controller.SH1106: 67}[panel.controller] <= 75
    assert glass.is_exact(changed)


@pytest.mark.parametrize("panel", LARGE, ids=named)
def test_a_whole_frame_takes_no_more_than_lumas(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel, 1))
    inverse = noise(panel, 1).point(lambda value: 0 if value else 255)
    assert glass.show(inverse) == FULL[panel.controller]


def test_a_number_over_three_pages_goes_in_one_window_where_the_chip_has_windows() -> None:
    glass = Glass(Panel())
    lit = frame_of(Panel())
    lit.paste(1, (40, 8, 88, 32))
    glass.show(frame_of(Panel()))
    transfers = glass.bus.transfers
    assert glass.show(lit) == 10 + 3 * 48
    assert glass.bus.transfers - transfers == 2


# what a glitch leaves


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_a_renewal_brings_back_a_chip_that_lost_its_supply(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    glass.chip.glitch(Random(7))
    glass.oled.renew()
    glass.show(noise(panel))
    assert glass.is_exact(noise(panel))
    assert glass.chip.contrast == CONTRAST


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_a_chip_that_lost_its_supply_never_shows_its_noise(panel: Panel) -> None:
    """All that it ever shows on the way back is dark or the frame: the random RAM is overwritten before it is on."""
    glass = Glass(panel)
    frame = noise(panel)
    glass.show(frame)
    glass.chip.glitch(Random(7))
    write, seen = glass.chip.write, set()

    def watched(data: bytes) -> None:
        write(data)
        seen.add(glass.chip.picture().tobytes())

    glass.chip.write = watched  # type: ignore[method-assign]
    glass.oled.renew()
    glass.show(frame)
    assert seen == {frame_of(panel).tobytes(), frame.tobytes()}


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
@pytest.mark.parametrize("look", [Look(), Look(Level.DIM, 2), Look(lower=1)], ids=str)
def test_from_power_on_no_chip_is_ever_on_with_another_contrast_or_place_than_its_own(panel: Panel, look: Look) -> None:
    """Set up, shown, renewed, after a dip of its supply and when another set-up follows: at each byte on the wire."""
    bus, chip = SimI2cBus(), CHIPS[panel.controller](panel.rows)
    chip.glitch(Random(7))
    bus.attach(ADDRESS, chip)
    take, seen = chip._take_command, set()

    def watched(byte: int) -> None:
        take(byte)
        if chip.on:
            seen.add((chip.contrast, chip.offset, chip.start_line, chip.multiplex))

    chip._take_command = watched  # type: ignore[method-assign]
    display = Oled(bus.open(), ADDRESS, panel)
    display.show(noise(panel), look)
    display.renew()
    display.show(noise(panel), look)
    chip.power_on()
    display.renew()
    display.show(noise(panel), look)
    Oled(bus.open(), ADDRESS, panel).show(noise(panel), look)
    assert [contrast for contrast, *_ in seen] == [CONTRAST if look.level is Level.FULL else DIM]


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
@pytest.mark.parametrize("look", [Look(), Look(Level.DIM, 2)], ids=str)
def test_a_renewal_of_a_display_that_is_well_is_not_seen(panel: Panel, look: Look) -> None:
    glass = Glass(panel)
    frame = noise(panel)
    glass.show(frame, look)
    shown = glass.chip.picture()
    write, seen = glass.chip.write, set()

    def watched(data: bytes) -> None:
        write(data)
        seen.add(glass.chip.picture().tobytes())

    glass.chip.write = watched  # type: ignore[method-assign]
    glass.oled.renew()
    glass.show(frame, look)
    assert seen == {shown.tobytes()}


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_small_changes_are_exact_on_a_chip_whose_write_pointer_a_glitch_has_moved(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    glass.chip.shift(0, columns=9)
    changed = with_box(noise(panel), 40, 5, 30, 20)
    glass.show(changed)
    assert glass.is_exact(changed)


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_a_moved_start_line_is_put_right_by_the_renewal(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    glass.chip.shift(5)
    assert not glass.is_exact(noise(panel))
    glass.oled.renew()
    glass.show(noise(panel))
    assert glass.is_exact(noise(panel))


# dim, off, lowered


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_dimming_is_one_short_transfer(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    assert glass.chip.contrast == CONTRAST
    assert glass.show(noise(panel), Look(Level.DIM)) == 6
    assert glass.chip.contrast == DIM
    assert glass.show(noise(panel), Look(Level.DIM)) == 0


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_a_lowered_frame_is_moved_by_the_chip_alone(panel: Panel) -> None:
    glass = Glass(panel)
    frame = noise(panel)
    glass.show(frame)
    assert glass.show(frame, Look(lower=2)) == 6
    turned = frame.rotate(panel.rotate)
    moved = glass.chip.picture()
    assert moved.crop((0, 2, 128, panel.rows)).tobytes() == turned.crop((0, 0, 128, panel.rows - 2)).tobytes()
    glass.show(frame, Look(lower=0))
    assert glass.is_exact(frame)


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_a_display_that_goes_off_is_cleared_first(panel: Panel) -> None:
    glass = Glass(panel)
    glass.chip.glows_when_off = True  # whatever is in its RAM would stay on the glass
    glass.show(noise(panel))
    glass.show(noise(panel), Look(Level.OFF))
    assert not glass.chip.on
    assert glass.chip.picture().getbbox() is None
    assert glass.show(noise(panel), Look(Level.OFF)) == 0


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_what_a_glitch_left_in_the_ram_goes_too_when_a_display_goes_off(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(frame_of(panel))
    glass.chip.ram[200:300] = b"\xff" * 100
    glass.show(frame_of(panel), Look(Level.OFF))
    glass.chip.on = True
    assert glass.chip.picture().getbbox() is None


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_a_display_that_comes_on_has_its_frame_already(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel, 1), Look(Level.OFF))
    write, seen = glass.chip.write, set()

    def watched(data: bytes) -> None:
        write(data)
        if glass.chip.on:
            seen.add(glass.chip.picture().tobytes())

    glass.chip.write = watched  # type: ignore[method-assign]
    glass.show(noise(panel, 2), Look(lower=1))
    assert len(seen) == 1
    assert glass.chip.on


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_a_renewal_leaves_a_display_off_that_is_off(panel: Panel) -> None:
    glass = Glass(panel)
    glass.show(noise(panel), Look(Level.OFF))
    glass.chip.on = True  # by a glitch
    glass.oled.renew()
    glass.show(noise(panel), Look(Level.OFF))
    assert not glass.chip.on
    assert not any(glass.chip.ram)


# errors


@pytest.mark.parametrize("panel", LARGE, ids=named)
@pytest.mark.parametrize("arrived", [0, 40, 100])
def test_after_an_error_nothing_is_taken_for_written(panel: Panel, arrived: int) -> None:
    glass = Glass(panel)
    glass.show(noise(panel))
    glass.bus.cut[ADDRESS] = arrived
    with pytest.raises(ERRORS):
        glass.show(noise(panel, 2))
    glass.bus.cut.clear()
    glass.show(noise(panel))  # the frame that was there before the error
    assert glass.is_exact(noise(panel))


def test_a_display_lost_while_it_was_dim_and_lowered_comes_back_so() -> None:
    bus = SimI2cBus()
    chip = Ssd1306()
    bus.attach(ADDRESS, chip)
    display = SeatDisplay("seat 1 display", bus.open, ADDRESS)
    display.dress(Look(Level.DIM, 2))
    display.show(noise(Panel()))
    display.poll(0.0)
    bus.nak.add(ADDRESS)
    display.show(noise(Panel(), 2))
    display.poll(1.0)
    chip.power_on()
    bus.nak.clear()
    assert display.poll(2.0) == [DeviceBack("seat 1 display", 2.0)]
    assert (chip.contrast, chip.offset) == (DIM, 62)


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_each_display_is_set_up_as_luma_does_it_and_holds_its_own_frame(panel: Panel) -> None:
    """What luma works out is kept for the next display of the kind; what a chip is told and holds is its own."""
    by_luma: list[bytes] = []
    bus = SimI2cBus(note=lambda wire, what, data: by_luma.append(bytes(data)))
    bus.attach(ADDRESS, CHIPS[panel.controller](panel.rows))
    wire = oled._Wire(bus.open(), ADDRESS, lambda: None)
    oled._DRIVERS[panel.controller](wire, width=128, height=panel.rows, rotate=panel.rotate // 90)
    ours: list[bytes] = []
    bus = SimI2cBus(note=lambda wire, what, data: ours.append(bytes(data)))
    bus.attach(ADDRESS, CHIPS[panel.controller](panel.rows))
    Oled(bus.open(), ADDRESS, panel)
    assert ours == by_luma
    one, other = Glass(panel), Glass(panel)
    one.show(noise(panel, 1))
    other.show(noise(panel, 2))
    one.show(noise(panel, 3))
    assert one.is_exact(noise(panel, 3))
    assert other.is_exact(noise(panel, 2))


# the mark of a table that lives


@pytest.mark.parametrize("panel", PANELS, ids=named)
def test_a_beat_turns_the_corner_over_and_costs_two_columns_of_one_page(panel: Panel) -> None:
    glass, frame = Glass(panel), noise(panel)
    glass.show(frame)
    marked = frame.copy()
    for place in product(range(MARK[0], MARK[2]), range(MARK[1], MARK[3])):
        marked.putpixel(place, not frame.getpixel(place))
    cost = {Controller.SSD1306: 12, Controller.SH1106: 9}[panel.controller]
    assert glass.show(frame, Look(beat=True)) == cost
    assert glass.is_exact(marked)
    assert glass.show(frame, Look(beat=True)) == 0
    assert glass.show(frame, Look(beat=False)) == cost
    assert glass.is_exact(frame)


@pytest.mark.parametrize("panel", UPRIGHT, ids=named)
def test_the_mark_of_a_beat_is_seen_on_lit_and_on_dark_glass_and_not_on_one_that_is_off(panel: Panel) -> None:
    lit = Image.new("1", panel.size, 1)
    for frame in (frame_of(panel), lit):
        glass = Glass(panel)
        glass.show(frame)
        glass.show(frame, Look(beat=True))
        shown = ImageChops.logical_xor(glass.chip.picture(), frame)
        assert shown.getbbox() == MARK
    glass.show(lit, Look(Level.OFF))
    assert glass.show(lit, Look(Level.OFF, beat=True)) == 0
    assert not any(glass.chip.ram)


@pytest.mark.parametrize("panel", PANELS, ids=named)
@pytest.mark.parametrize("contrast", [1, 0x60, 0xCF])
def test_a_contrast_is_sent_as_it_is_set_and_dim_is_never_brighter(panel: Panel, contrast: int) -> None:
    glass = Glass(panel)
    glass.show(frame_of(panel), Look(contrast=contrast))
    assert glass.chip.contrast == contrast
    glass.show(frame_of(panel), Look(Level.DIM, contrast=contrast))
    assert glass.chip.contrast == min(contrast, DIM)
