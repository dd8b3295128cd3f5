"""The simulated SSD1306 against its datasheet, and against two drivers that were written by others."""

from random import Random

import pytest
from adafruit_ssd1306 import SSD1306_I2C
from at_wires import AdafruitI2c, command, data, lit, noise
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from hal.sim.oled import WIDTH
from hal.sim.smbus import SimI2cBus
from hal.sim.ssd1306 import HEIGHT, Ssd1306

UPRIGHT = [0x8D, 0x14, 0xA1, 0xC8, 0xAF]


@pytest.fixture
def chip() -> Ssd1306:
    return Ssd1306()


# other people's drivers


@pytest.mark.parametrize("rotate", [0, 2])
@pytest.mark.parametrize("rows", [64, 32])
def test_lumas_frames_are_exact(rows: int, rotate: int) -> None:
    bus, chip = SimI2cBus(), Ssd1306(rows)
    bus.attach(0x3C, chip)
    device = ssd1306(i2c(bus=bus.open(), address=0x3C), height=rows, rotate=rotate)
    device.persist = True  # nothing is sent at exit
    for seed in range(10):
        frame = noise(seed, rows)
        device.display(frame)
        assert chip.picture().tobytes() == frame.rotate(90 * rotate).tobytes()
    assert chip.complaints == []


def test_lumas_contrast_hide_and_invert_are_seen(chip: Ssd1306) -> None:
    bus = SimI2cBus()
    bus.attach(0x3C, chip)
    device = ssd1306(i2c(bus=bus.open(), address=0x3C))
    device.persist = True
    device.contrast(7)
    assert chip.contrast == 7
    device.display(noise(1))
    device.hide()
    assert lit(chip) == []
    device.show()
    assert chip.picture().tobytes() == noise(1).tobytes()


@pytest.fixture
def adafruit(chip: Ssd1306) -> SSD1306_I2C:
    bus = SimI2cBus()
    bus.attach(0x3D, chip)
    return SSD1306_I2C(WIDTH, HEIGHT, AdafruitI2c(bus), addr=0x3D)


def test_adafruits_frames_are_exact(chip: Ssd1306, adafruit: SSD1306_I2C) -> None:
    for seed in range(10):
        frame = noise(seed)
        adafruit.image(frame)
        adafruit.show()
        assert chip.picture().tobytes() == frame.tobytes()
    assert chip.complaints == []


def test_adafruits_frames_are_exact_on_a_glass_of_32_rows() -> None:
    bus, chip = SimI2cBus(), Ssd1306(32)
    bus.attach(0x3C, chip)
    driver = SSD1306_I2C(WIDTH, 32, AdafruitI2c(bus))
    for seed in range(10):
        driver.image(noise(seed, 32))
        driver.show()
        assert chip.picture().tobytes() == noise(seed, 32).tobytes()
    assert chip.complaints == []


def test_adafruits_rotation_turns_the_picture_when_it_is_shown_again(chip: Ssd1306, adafruit: SSD1306_I2C) -> None:
    frame = noise(3)
    adafruit.image(frame)
    adafruit.show()
    adafruit.rotate(False)
    # The COM direction acts at once, the segment remap only on what is written from then on.
    assert chip.picture().tobytes() == frame.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes()
    adafruit.show()
    assert chip.picture().tobytes() == frame.rotate(180).tobytes()


def test_adafruits_invert_and_power_are_seen(chip: Ssd1306, adafruit: SSD1306_I2C) -> None:
    adafruit.pixel(5, 9, 1)
    adafruit.show()
    assert lit(chip) == [(5, 9)]
    adafruit.invert(True)
    assert len(lit(chip)) == WIDTH * HEIGHT - 1
    adafruit.poweroff()
    assert lit(chip) == []


# what follows reset


def test_a_chip_that_was_not_set_up_shows_nothing(chip: Ssd1306) -> None:
    data(chip, *[0xFF] * 1024)
    assert lit(chip) == []
    command(chip, 0xAF)
    assert lit(chip) == []  # the charge pump is still off
    command(chip, 0x8D, 0x14)
    assert lit(chip) != []


def test_reset_is_page_mode_and_unmirrored(chip: Ssd1306) -> None:
    command(chip, 0x8D, 0x14, 0xAF)
    data(chip, 0x01)
    assert lit(chip) == [(WIDTH - 1, HEIGHT - 1)]  # upside down on these modules


# the bytes on the wire


def test_commands_and_data_may_alternate_in_one_transfer(chip: Ssd1306) -> None:
    chip.write(bytes([0x80, 0x8D, 0x80, 0x14, 0x80, 0xA1, 0x80, 0xC8, 0xC0, 0x01, 0x80, 0xAF, 0x40, 0x02, 0x04]))
    assert lit(chip) == [(0, 0), (1, 1), (2, 2)]
    assert chip.complaints == []


def test_arguments_may_come_in_later_transfers(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0x20, 0x00, 0x21)
    command(chip, 10)
    chip.write(bytes([0x80, 20]))
    assert chip.columns == (10, 20)
    assert chip.complaints == []


def test_an_empty_transfer_is_a_probe(chip: Ssd1306) -> None:
    chip.write(b"")
    assert chip.complaints == []


@pytest.mark.parametrize(
    ("transfer", "complaint"),
    [
        ([0x01, 0xAF], "control byte 01"),
        ([0x00, 0xE0], "command E0"),
        ([0x00, 0xB8], "command B8"),
        ([0x00, 0x20, 0x03], "command 20 03"),
        ([0x00, 0x20, 0x10], "command 20 10"),
        ([0x00, 0x20, 0x00, 0x21, 0x20, 0x10], "command 21 20 10"),
        ([0x00, 0x20, 0x00, 0x21, 0x00, 0x80], "command 21 00 80"),
        ([0x00, 0x20, 0x00, 0x22, 0x00, 0x08], "command 22 00 08"),
        ([0x00, 0x21, 0x00, 0x7F], "command 21 00 7F"),  # page mode has no window
        ([0x00, 0x20, 0x00, 0xB1], "command B1 outside page mode"),
        ([0x00, 0xA8, 0x0E], "command A8 0E"),
        ([0x00, 0xDA, 0x02], "command DA 02"),
        ([0x00, 0x8D, 0x00], "command 8D 00"),
        ([0x00, 0xD3, 0x40], "command D3 40"),
        ([0x00, 0x26, 0, 0, 0, 7, 0, 0xFF], "command 26 is not simulated"),
        ([0x00, 0x2F], "command 2F"),
    ],
)
def test_what_the_chip_does_not_define_is_complained_about(chip: Ssd1306, transfer: list[int], complaint: str) -> None:
    chip.write(bytes(transfer))
    assert chip.complaints == [complaint]


def test_data_in_the_middle_of_a_command_is_complained_about(chip: Ssd1306) -> None:
    command(chip, 0x20, 0x00, 0x21, 0x05)
    data(chip, 0xFF)
    assert chip.complaints == ["data inside command 21 05"]


@pytest.mark.parametrize("accepted", [[0x2E], [0xE3], [0xD5, 0x80], [0xD9, 0xF1], [0xDB, 0x40], [0xAD, 0x30]])
def test_settings_that_cannot_be_seen_are_accepted(chip: Ssd1306, accepted: list[int]) -> None:
    command(chip, *accepted)
    assert chip.complaints == []


def test_the_status_byte_tells_whether_the_display_is_on(chip: Ssd1306) -> None:
    assert chip.read(1) == b"\x40"
    command(chip, 0xAF)
    assert chip.read(2) == b"\x00\x00"


# addressing


def test_page_mode_stays_in_its_page(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0xB2, 0x0E, 0x17)
    data(chip, 0x01, 0x02, 0x04)
    assert lit(chip) == [(126, 16), (127, 17), (0, 18)]


def test_horizontal_mode_goes_through_its_window_line_by_line(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0x20, 0x00, 0x21, 5, 6, 0x22, 1, 2)
    data(chip, 0x01, 0x02, 0x04, 0x08, 0x10)  # the fifth begins anew
    assert lit(chip) == [(6, 9), (5, 12), (5, 18), (6, 19)]


def test_vertical_mode_goes_through_its_window_column_by_column(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0x20, 0x01, 0x21, 5, 6, 0x22, 1, 2)
    data(chip, 0x01, 0x02, 0x04, 0x08)
    assert lit(chip) == [(5, 8), (6, 10), (5, 17), (6, 19)]


# the glass


def test_the_start_line_scrolls_the_picture_up(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0xB1, 0x45)
    data(chip, 0x01)
    assert lit(chip) == [(0, 3)]


@pytest.mark.parametrize(("direction", "y"), [(0xC8, 56), (0xC0, 7)])
def test_the_offset_moves_rows_towards_com0(chip: Ssd1306, direction: int, y: int) -> None:
    # Row 0 moves from COM 63 to COM 7 (remapped), from COM 0 round to COM 56 (normal); COM 63 is the top of
    # the glass.
    command(chip, *UPRIGHT, direction, 0xD3, 0x08)
    data(chip, 0x01)
    assert lit(chip) == [(0, y)]


def test_rows_beyond_the_multiplex_ratio_are_dark(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0x20, 0x00, 0xA8, 31)
    data(chip, *[0xFF] * 1024)
    assert {y for _, y in lit(chip)} == set(range(32, 64))


def test_com_pins_that_are_wired_otherwise_are_complained_about() -> None:
    chip = Ssd1306(32)
    command(chip, 0xDA, 0x02)
    assert chip.complaints == []
    command(chip, 0xDA, 0x12)
    assert chip.complaints == ["command DA 12"]


def test_the_offset_pushes_rows_off_a_glass_of_32() -> None:
    chip = Ssd1306(32)
    command(chip, *UPRIGHT, 0xDA, 0x02, 0xA8, 31, 0xD3, 62, 0x20, 0x00)
    data(chip, 0x01)  # the row at the top, two lower now
    picture = chip.picture()
    assert picture.size == (128, 32)
    assert picture.getbbox() == (0, 2, 1, 3)


@pytest.mark.parametrize("rows", [0, 16, 128])
def test_there_is_no_other_glass(rows: int) -> None:
    with pytest.raises(ValueError, match="a glass has 32 or 64 rows"):
        Ssd1306(rows)


def test_all_on_shows_no_ram(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0xA5)
    assert len(lit(chip)) == WIDTH * HEIGHT
    command(chip, 0xA4)
    assert lit(chip) == []


# faults


def test_after_a_glitch_the_chip_answers_and_shows_nothing_until_it_is_set_up(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT)
    chip.glitch(Random(1))
    data(chip, 0x01)
    assert lit(chip) == []
    command(chip, *UPRIGHT)
    assert len(lit(chip)) > 1000  # noise


def test_a_shift_moves_the_picture(chip: Ssd1306) -> None:
    command(chip, *UPRIGHT, 0xB1)
    data(chip, 0x01)
    chip.shift(3)
    assert lit(chip) == [(0, 5)]
