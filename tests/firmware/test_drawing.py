"""The canvas: where ink lands on a display of 128 by 64, and what happens when something does not fit."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.drawing import FOOT, HEAD, ROWS, Align, Canvas, page_of
from firmware.faces import Size, face_picture, face_width
from firmware.glyphs import Font, render, width

EIGHT = ["9♠", "10♠", "J♠", "9♥", "10♥", "A♦", "K♦", "9♣"]


def rows(picture: Image.Image, box: tuple[int, int, int, int] | None = None) -> list[str]:
    """A part of a picture as lines of `#` and `.`."""
    part = picture.crop(box) if box else picture
    return ["".join("#" if part.getpixel((x, y)) else "." for x in range(part.width)) for y in range(part.height)]


def negative(lines: list[str]) -> list[str]:
    return [line.translate(str.maketrans("#.", ".#")) for line in lines]


def holds(canvas: Canvas, picture: Image.Image, x: int, y: int) -> bool:
    return rows(canvas.image, (x, y, x + picture.width, y + picture.height)) == rows(picture)


def test_a_canvas_starts_dark_with_the_size_of_the_display() -> None:
    assert Canvas().image.getbbox() is None
    assert (Canvas().columns, Canvas().rows, Canvas().image.mode) == (128, 64, "1")
    assert Canvas(128, 32).image.size == (128, 32)


def test_head_rows_and_foot_are_whole_pages_that_fill_a_display() -> None:
    assert [HEAD, *ROWS, FOOT] == [0, 8, 24, 40, 56]
    assert FOOT + Font.TINY.height == 64
    assert all(size.height <= 16 for size in (Size.SMALL, Size.MEDIUM))


# Text


def test_text_lands_where_it_was_asked_for_and_says_where_it_ends() -> None:
    canvas = Canvas()
    assert canvas.text(10, 8, "Bid 4♠") == 10 + width("Bid 4♠", Font.TEXT)
    assert holds(canvas, render("Bid 4♠", Font.TEXT), 10, 8)


@pytest.mark.parametrize(("align", "left"), [(Align.LEFT, 64), (Align.CENTRE, 64 - 12), (Align.RIGHT, 64 - 24)])
def test_alignment_says_which_part_of_the_text_x_is(align: Align, left: int) -> None:
    canvas = Canvas()
    canvas.text(64, 0, "Анна", align=align)
    assert holds(canvas, render("Анна", Font.TEXT), left, 0)


def test_inverse_text_is_dark_in_a_lit_box() -> None:
    canvas = Canvas()
    canvas.text(10, 8, "Pass", inverse=True)
    assert canvas.image.getbbox() == (9, 8, 10 + 24, 8 + 13)
    assert rows(canvas.image, (10, 8, 34, 21)) == negative(rows(render("Pass", Font.TEXT)))


def test_text_with_room_is_cut_with_an_ellipsis() -> None:
    canvas = Canvas()
    assert canvas.text(0, 0, "Konstantin", room=36) == 36
    assert holds(canvas, render("Konst…", Font.TEXT), 0, 0)


@pytest.mark.parametrize(("x", "y"), [(-20, -5), (120, 60), (500, 500), (-500, 0)])
def test_text_over_the_edge_is_clipped_and_never_raises(x: int, y: int) -> None:
    Canvas().text(x, y, "Konstantin ♠", Font.LARGE, inverse=True)


def test_a_paragraph_returns_the_row_below_its_last_line() -> None:
    canvas = Canvas()
    assert canvas.paragraph(0, 8, "Must follow ♣, take back 9♦", Font.BOLD, lines=3, leading=16) == 8 + 2 * 16
    assert holds(canvas, render("Must follow ♣,", Font.BOLD), 0, 8)
    assert holds(canvas, render("take back 9♦", Font.BOLD), 0, 24)


@pytest.mark.parametrize(("align", "left"), [(Align.LEFT, 28), (Align.CENTRE, 52), (Align.RIGHT, 76)])
def test_a_paragraph_is_aligned_inside_its_room(align: Align, left: int) -> None:
    canvas = Canvas()
    canvas.paragraph(28, 0, "Анна", lines=1, room=72, align=align)
    assert holds(canvas, render("Анна", Font.TEXT), left, 0)


def test_a_paragraph_without_words_takes_no_space() -> None:
    assert Canvas().paragraph(0, 8, "", lines=3) == 8


def test_a_strip_is_lit_over_the_whole_width_with_both_texts_dark() -> None:
    canvas = Canvas()
    canvas.strip(HEAD, "Your turn", "12:9")
    assert canvas.image.getbbox() == (0, 0, 128, 8)
    assert rows(canvas.image, (1, 0, 46, 8)) == negative(rows(render("Your turn", Font.TINY)))
    assert rows(canvas.image, (107, 0, 127, 8)) == negative(rows(render("12:9", Font.TINY)))


def test_a_strip_that_is_not_inverse_has_lit_text_on_dark() -> None:
    canvas = Canvas()
    canvas.strip(FOOT, "choose", "OK", inverse=False)
    assert holds(canvas, render("choose", Font.TINY), 1, FOOT)
    assert holds(canvas, render("OK", Font.TINY), 117, FOOT)


def test_a_long_left_text_gives_way_to_the_right_one() -> None:
    canvas = Canvas()
    canvas.strip(0, "Константинопольский to play", "12:9", inverse=False)
    assert holds(canvas, render("12:9", Font.TINY), 107, 0)
    assert holds(canvas, render("Константинопольский…", Font.TINY), 1, 0)
    assert rows(canvas.image, (101, 0, 107, 8)) == ["......"] * 8


def test_left_and_right_text_keep_a_letter_apart() -> None:
    canvas = Canvas()
    canvas.strip(0, "W" * 21, "12:9", inverse=False)
    assert holds(canvas, render("W" * 19 + "…", Font.TINY), 1, 0)
    full = Canvas()
    full.strip(0, "W" * 25, inverse=False)
    assert holds(full, render("W" * 25, Font.TINY), 1, 0)


def test_a_right_text_too_long_for_the_strip_is_cut_too() -> None:
    canvas = Canvas()
    canvas.strip(0, "left", "x" * 40, inverse=False)
    assert holds(canvas, render("x" * 24 + "…", Font.TINY), 2, 0)


# Lines and bars


def test_a_rule_is_one_pixel_thick_and_goes_to_the_edge() -> None:
    canvas = Canvas()
    canvas.rule(30)
    assert canvas.image.getbbox() == (0, 30, 128, 31)
    assert rows(canvas.image, (0, 30, 128, 31)) == ["#" * 128]


def test_a_dotted_rule_lights_every_other_pixel_of_its_length() -> None:
    canvas = Canvas()
    canvas.rule(3, 4, 8, dotted=True)
    assert rows(canvas.image, (0, 3, 16, 4)) == ["....#.#.#.#....."]


@pytest.mark.parametrize(
    ("fraction", "filled"), [(0, 0), (0.5, 10), (1, 20), (-1, 0), (7.5, 20), (0.01, 0), (0.99, 20)]
)
def test_a_bar_is_filled_to_its_fraction_and_not_beyond_its_frame(fraction: float, filled: int) -> None:
    canvas = Canvas()
    canvas.bar(10, 20, 24, 7, fraction)
    edge, blank = "#" * 24, "#" + "." * 22 + "#"
    inner = "#." + "#" * filled + "." * (20 - filled) + ".#"
    assert rows(canvas.image, (10, 20, 34, 27)) == [edge, blank, inner, inner, inner, blank, edge]


# Cards


@pytest.mark.parametrize("size", list(Size))
@pytest.mark.parametrize("selected", [False, True])
def test_a_card_is_put_where_it_was_asked_for_and_says_where_it_ends(size: Size, selected: bool) -> None:
    canvas = Canvas()
    assert canvas.chip(5, 9, "10♦", size, selected=selected) == 5 + face_width("10♦", size)
    assert holds(canvas, face_picture("10♦", size, selected=selected), 5, 9)


def test_cards_stand_beside_each_other_and_only_the_selected_one_is_lit() -> None:
    canvas = Canvas()
    canvas.chips(0, 0, EIGHT, Size.TALL, selected=2)
    for number, face in enumerate(EIGHT):
        assert holds(canvas, face_picture(face, Size.TALL, selected=number == 2), number * 16, 0)


def test_cards_that_do_not_fit_are_paged_with_the_selected_one_in_view() -> None:
    canvas = Canvas()
    canvas.chips(0, 0, EIGHT, selected=6)
    shown = [face_picture(face, Size.MEDIUM, selected=face == "K♦") for face in EIGHT[5:]]
    x = 6
    for picture in shown:
        assert holds(canvas, picture, x, 0)
        x += picture.width + 1
    assert canvas.image.getbbox() == (0, 0, x - 1, 14)


def arrows(canvas: Canvas, y: int) -> str:
    """Which arrows a row shows, by the tips of the triangles in its middle line."""
    left = canvas.image.getpixel((0, y)) and canvas.image.getpixel((4, y - 4))
    right = canvas.image.getpixel((127, y)) and canvas.image.getpixel((123, y - 4))
    return ("<" if left else "") + (">" if right else "")


@pytest.mark.parametrize(
    ("selected", "expected"), [(0, ">"), (3, ">"), (4, "<>"), (7, "<>"), (8, "<"), (10, "<"), (None, ">")]
)
def test_arrows_point_to_where_more_choices_are(selected: int | None, expected: str) -> None:
    canvas = Canvas()
    canvas.choices(40, [f"{number}♣" for number in range(1, 12)], selected)
    assert arrows(canvas, 40 + 15 // 2) == expected


def test_choices_that_fit_show_no_arrow() -> None:
    canvas = Canvas()
    canvas.choices(0, ["Pass", "Bid"], 0)
    assert arrows(canvas, 7) == ""
    assert canvas.image.getbbox() == (0, 0, 30 + 2 + 24, 15)


def test_the_selected_choice_is_inverse_and_the_others_are_boxed() -> None:
    canvas = Canvas()
    canvas.choices(0, ["Pass", "Bid"], 1)
    assert rows(canvas.image, (3, 1, 27, 14)) == rows(render("Pass", Font.TEXT))
    assert rows(canvas.image, (35, 1, 53, 14)) == negative(rows(render("Bid", Font.TEXT)))


def test_moving_the_selection_inside_a_page_moves_nothing_else() -> None:
    labels = ["Пас", "2♠", "3♠", "4♠", "5♠", "6♠", "7♠"]
    one, other = Canvas(), Canvas()
    one.choices(0, labels, 0)
    other.choices(0, labels, 1)
    assert rows(one.image, (60, 0, 128, 15)) == rows(other.image, (60, 0, 128, 15))
    assert rows(one.image, (0, 0, 60, 15)) != rows(other.image, (0, 0, 60, 15))


def test_a_choice_wider_than_the_display_is_cut_with_an_ellipsis() -> None:
    canvas = Canvas()
    canvas.choices(0, ["Declare a slam without the widow", "Pass"], 0)
    assert rows(canvas.image, (10, 1, 118, 14)) == negative(rows(render("Declare a slam wi…", Font.TEXT)))
    assert arrows(canvas, 7) == ">"


@pytest.mark.parametrize(
    "draw",
    [
        lambda canvas: canvas.choices(0, [], 0),
        lambda canvas: canvas.chips(0, 0, [], selected=0),
        lambda canvas: canvas.hand(0, [], 27),
    ],
    ids=["choices", "chips", "hand"],
)
def test_nothing_to_show_draws_nothing(draw: Callable[[Canvas], None]) -> None:
    canvas = Canvas()
    draw(canvas)
    assert canvas.image.getbbox() is None


@given(st.lists(st.integers(1, 140), max_size=20), st.data(), st.integers(20, 128))
def test_every_item_is_on_exactly_one_page(widths: list[int], data: st.DataObject, room: int) -> None:
    pages = {page_of(widths, number, room) for number in range(len(widths))}
    assert sorted(number for first, end in pages for number in range(first, end)) == list(range(len(widths)))
    for number in range(len(widths)):
        first, end = page_of(widths, number, room)
        assert first <= number < end
        assert end - first == 1 or sum(widths[first:end]) + 2 * (end - first - 1) <= room


# Hands


def test_a_short_hand_is_shown_in_tall_cards() -> None:
    canvas = Canvas()
    canvas.hand(8, EIGHT, 48, selected=7)
    assert holds(canvas, face_picture("9♠", Size.TALL), 0, 8)
    assert holds(canvas, face_picture("9♣", Size.TALL, selected=True), 7 * 16, 8)


def test_a_longer_hand_is_shown_in_lines_of_smaller_cards() -> None:
    canvas = Canvas()
    canvas.hand(8, [*EIGHT, "Q♥", "Q♦", "Q♣", "??"], 48, selected=6)
    assert holds(canvas, face_picture("9♠", Size.MEDIUM), 0, 8)
    assert holds(canvas, face_picture("K♦", Size.MEDIUM, selected=True), face_width("A♦", Size.MEDIUM) + 1, 23)


def test_a_long_hand_is_shown_whole_without_boxes() -> None:
    canvas = Canvas()
    canvas.hand(8, EIGHT * 2, 48, selected=15)
    assert holds(canvas, face_picture("9♠", Size.SMALL), 0, 8)
    assert arrows(canvas, 8 + 4) == ""
    lit = face_picture("9♣", Size.SMALL, selected=True)
    assert any(holds(canvas, lit, x, 8 + 2 * 9) for x in range(128))


def test_a_hand_too_long_for_its_band_is_paged() -> None:
    canvas = Canvas()
    canvas.hand(8, EIGHT * 3, 16, selected=23)
    assert arrows(canvas, 8 + 7) == "<"
    shown = face_picture("9♣", Size.MEDIUM, selected=True)
    assert any(holds(canvas, shown, x, 8) for x in range(128))
    box = canvas.image.getbbox()
    assert box is not None
    assert box[1::2] == (8, 8 + 14)


@given(st.lists(st.sampled_from([*EIGHT, "??", "JK"]), max_size=30), st.integers(14, 64))
def test_a_hand_never_leaves_its_band(faces: list[str], band: int) -> None:
    canvas = Canvas()
    canvas.hand(0, faces, band, selected=len(faces) // 2 if faces else None)
    box = canvas.image.getbbox()
    assert box is None or box[3] <= band
