"""Reading a display: what was drawn is found, in every font and both ways; what was not drawn is not."""

import pytest
from PIL import Image, ImageChops

from firmware.drawing import Canvas
from firmware.glyphs import Font
from firmware.reading import shows

TEXTS = ("Your turn", "9♣", "10♥ Q♦", "Ваш ход", "0:0", "Must follow ♠")


def drawn(text: str, font: Font = Font.TEXT, *, x: int = 3, y: int = 5, inverse: bool = False) -> Image.Image:
    canvas = Canvas(200, 64)
    canvas.text(x, y, text, font, inverse=inverse)
    return canvas.image


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_found_in_every_font_bright_or_dark(text: str, font: Font, inverse: bool) -> None:
    assert shows(drawn(text, font, inverse=inverse), text)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (1, 0), (71, 33), (7, 51)])
def test_it_is_found_wherever_it_stands(x: int, y: int) -> None:
    assert shows(drawn("Your turn", x=x, y=y), "Your turn")


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("9♣", "9♠"),
        ("9♥", "9♦"),
        ("Your turn", "Your tern"),
        ("Your turn", "Your turns"),
        ("Must follow ♠", "Must follow ♣"),
        ("read 3 of 6", "read 4 of 6"),
        ("0:6", "6:0"),
    ],
)
def test_what_is_not_there_is_not_found(text: str, other: str, font: Font) -> None:
    assert not shows(drawn(text, font), other)


def test_part_of_a_text_is_found() -> None:
    assert shows(drawn("Take A♥ back, follow ♣"), "follow ♣")
    assert shows(drawn("Take A♥ back, follow ♣"), "A♥ back,")


def test_nothing_is_on_a_dark_display_nor_on_one_that_is_all_lit() -> None:
    assert not shows(Image.new("1", (128, 64)), "Your turn")
    assert not shows(Image.new("1", (128, 64), 1), "Your turn")


def test_a_text_that_has_no_ink_is_nowhere() -> None:
    assert not shows(drawn("Your turn"), " ")
    assert not shows(drawn("Your turn"), "")


# Over two lines


def test_a_text_may_go_on_in_the_next_line() -> None:
    canvas = Canvas()
    canvas.paragraph(1, 34, "Take 10♥ back, follow ♣", lines=2, room=126)
    assert shows(canvas.image, "Take 10♥ back, follow ♣")
    assert shows(canvas.image, "back, follow")


def test_the_lines_may_be_of_different_fonts() -> None:
    canvas = Canvas()
    canvas.text(10, 10, "Must follow", Font.BOLD)
    canvas.text(10, 40, "clubs", Font.SMALL, inverse=True)
    assert shows(canvas.image, "Must follow clubs")


def test_half_of_a_broken_text_is_not_enough() -> None:
    canvas = Canvas()
    canvas.text(1, 20, "Take 10♥ back,")
    assert not shows(canvas.image, "Take 10♥ back, follow ♣")


def test_the_ends_of_the_display_are_read_too() -> None:
    canvas = Canvas()
    canvas.text(128 - 18, 64 - 13, "end")
    canvas.text(0, 0, "top")
    assert shows(canvas.image, "end")
    assert shows(canvas.image, "top")


# As it is drawn on screens


def test_choices_cards_and_strips_are_read() -> None:
    canvas = Canvas()
    canvas.strip(0, "Ann: 4 ♠", "12:30")
    canvas.choices(20, ["pass", "big"], 1)
    canvas.chips(0, 37, ["9♣", "10♦"], selected=0)
    canvas.strip(56, "◀ ▶ choose", inverse=False)
    for text in ("Ann: 4 ♠", "12:30", "pass", "big", "9♣", "10♦", "choose"):
        assert shows(canvas.image, text), text
    for text in ("9♠", "10♥", "little"):
        assert not shows(canvas.image, text), text


def test_a_scratched_text_is_not_read() -> None:
    picture = drawn("Your turn")
    box = picture.getbbox()
    assert box is not None
    picture.putpixel((box[0], box[1]), 0 if picture.getpixel((box[0], box[1])) else 1)
    for x in range(box[0], box[2], 7):
        picture.putpixel((x, box[1] + 3), 0 if picture.getpixel((x, box[1] + 3)) else 1)
    assert not shows(picture, "Your turn")


def test_a_text_that_leaves_the_picture_at_one_edge_and_comes_in_at_the_other_is_not_found() -> None:
    canvas = Canvas()
    canvas.text(40, 20, "Bid 4", Font.LARGE)
    assert shows(canvas.image, "Bid 4")
    ink = canvas.image.getbbox()
    assert ink is not None
    for columns, rows in ((0, -(ink[1] + ink[3]) // 2), (-(ink[0] + ink[2]) // 2, 0)):
        assert not shows(ImageChops.offset(canvas.image, columns, rows), "Bid 4")
