"""The simulated SH1106 against its datasheet and luma's driver, and where it differs from an SSD1306."""

from random import Random

import pytest
from at_wires import command, data, lit, noise
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306

from hal.sim.oled import PAGES, WIDTH, SimOled
from hal.sim.sh1106 import MARGIN, RAM_COLUMNS, Sh1106
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import Ssd1306

UPRIGHT = [0xA1, 0xC8, 0xAF]


@pytest.fixture
def chip() -> Sh1106:
    return Sh1106()


def bus_with(chip: SimOled) -> SimI2cBus:
    bus = SimI2cBus()
    bus.attach(0x3C, chip)
    return bus


# luma's driver


@pytest.mark.parametrize("rotate", [0, 2])
@pytest.mark.parametrize("rows", [64, 32])
def test_lumas_frames_are_exact_and_its_set_up_is_tolerated(rows: int, rotate: int) -> None:
    chip = Sh1106(rows)
    device = sh1106(i2c(bus=bus_with(chip).open(), address=0x3C), height=rows, rotate=rotate)
    device.persist = True  # nothing is sent at exit
    for seed in range(10):
        device.display(noise(seed, rows))
        assert chip.picture().tobytes() == noise(seed, rows).rotate(90 * rotate).tobytes()
    assert chip.complaints == []


def test_lumas_contrast_and_hide_are_seen(chip: Sh1106) -> None:
    device = sh1106(i2c(bus=bus_with(chip).open(), address=0x3C))
    device.persist = True
    device.contrast(7)
    device.display(noise(1))
    assert chip.contrast == 7
    device.hide()
    assert lit(chip) == []
    device.show()
    assert chip.picture().tobytes() == noise(1).tobytes()


def test_the_wrong_driver_is_noticed(chip: Sh1106) -> None:
    """An SH1106 takes an SSD1306's frame for one page, over and over: the rest stays as it was."""
    device = ssd1306(i2c(bus=bus_with(chip).open(), address=0x3C))
    device.persist = True
    device.display(noise(1))
    assert chip.picture().tobytes() != noise(1).tobytes()
    assert {page for page in range(PAGES) if any(chip.ram[page * RAM_COLUMNS : (page + 1) * RAM_COLUMNS])} == {0}
    assert "command 21" in chip.complaints


# what follows reset


def test_reset_is_unmirrored_and_off_with_the_converter_ready(chip: Sh1106) -> None:
    data(chip, *[0] * MARGIN, 0x01)
    assert lit(chip) == []
    command(chip, 0xAF)
    assert lit(chip) == [(WIDTH - 1, 63)]  # upside down on these modules


def test_without_its_converter_all_is_dark(chip: Sh1106) -> None:
    command(chip, *UPRIGHT, 0xA5)
    assert len(lit(chip)) == WIDTH * 64
    command(chip, 0xAD, 0x8A)
    assert lit(chip) == []
    command(chip, 0xAD, 0x8B)
    assert len(lit(chip)) == WIDTH * 64


# addressing


def test_the_glass_has_the_middle_of_132_columns(chip: Sh1106) -> None:
    command(chip, *UPRIGHT)
    data(chip, 0xFF, 0xFF, 0x01)
    command(chip, 0xB0, 0x01, 0x18)  # column 129, the last on the glass
    data(chip, 0x02, 0xFF, 0xFF)
    assert lit(chip) == [(0, 0), (127, 1)]


def test_the_column_stops_at_the_last_and_the_page_never_changes(chip: Sh1106) -> None:
    command(chip, 0xB3, 0x02, 0x18)  # column 130
    data(chip, 1, 2, 3, 4, 5)
    page = chip.ram[3 * RAM_COLUMNS : 4 * RAM_COLUMNS]
    assert list(page[-2:]) == [1, 5]
    assert sum(map(bool, chip.ram)) == 2


@pytest.mark.parametrize("order", [(0x0F, 0x17), (0x17, 0x0F)])
def test_both_halves_of_the_column_are_set_in_any_order(chip: Sh1106, order: tuple[int, int]) -> None:
    command(chip, 0x0F, 0x18)  # a column beyond the last, on the way
    command(chip, *order)
    assert chip.column == 0x7F


def test_the_remap_acts_on_what_is_there(chip: Sh1106) -> None:
    command(chip, 0xC8, 0xAF)
    data(chip, 0, 0, 0x01)
    assert lit(chip) == [(127, 0)]
    command(chip, 0xA1)
    assert lit(chip) == [(0, 0)]


# the bytes on the wire


@pytest.mark.parametrize(
    ("transfer", "complaint"),
    [
        ([0x02, 0xAF], "control byte 02"),
        ([0x00, 0x21], "command 21"),
        ([0x00, 0xB8], "command B8"),
        ([0x00, 0x2E], "command 2E"),
        ([0x00, 0xA8, 0x05], "command A8 05"),
        ([0x00, 0xAD, 0x10], "command AD 10"),
        ([0x00, 0xDA, 0x02], "command DA 02"),
        ([0x00, 0xD3, 0x40], "command D3 40"),
    ],
)
def test_what_the_chip_does_not_define_is_complained_about(chip: Sh1106, transfer: list[int], complaint: str) -> None:
    chip.write(bytes(transfer))
    assert chip.complaints == [complaint]


@pytest.mark.parametrize("accepted", [[0xE3], [0x20], [0x8D], [0x32], [0xD5, 0x80], [0xD9, 0x22], [0xDB, 0x20]])
def test_settings_that_cannot_be_seen_are_accepted(chip: Sh1106, accepted: list[int]) -> None:
    command(chip, *accepted)
    assert chip.complaints == []


def test_the_status_byte_tells_whether_the_display_is_on(chip: Sh1106) -> None:
    assert chip.read(1) == b"\x40"
    command(chip, 0xAF)
    assert chip.read(1) == b"\x00"


# faults


@pytest.mark.parametrize("kind", [Ssd1306, Sh1106])
def test_a_glass_that_glows_keeps_its_picture_while_it_is_off(kind: type[SimOled]) -> None:
    chip = kind()
    driver = {Ssd1306: ssd1306, Sh1106: sh1106}[kind]
    device = driver(i2c(bus=bus_with(chip).open(), address=0x3C))
    device.persist = True
    device.display(noise(1))
    chip.glows_when_off = True
    device.hide()
    assert chip.picture().tobytes() == noise(1).tobytes()


def test_after_a_glitch_the_chip_answers_and_its_ram_is_noise(chip: Sh1106) -> None:
    command(chip, *UPRIGHT)
    chip.glitch(Random(1))
    assert lit(chip) == []
    command(chip, *UPRIGHT)
    assert len(lit(chip)) > 1000


def test_a_shift_moves_the_picture_and_the_pointer(chip: Sh1106) -> None:
    command(chip, *UPRIGHT, 0xB1, 0x02)
    data(chip, 0x01)
    chip.shift(3, 4)
    assert lit(chip) == [(0, 5)]
    data(chip, 0x02)
    assert lit(chip) == [(0, 5), (5, 6)]
