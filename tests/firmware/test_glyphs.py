"""Fonts, measuring and cutting. Widths are in pixels; names may be in any script."""

import string
from importlib import resources
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.glyphs import (
    ELLIPSIS,
    NO_BREAK_SPACE,
    SUITS,
    Font,
    bitmap,
    clean,
    fit,
    glyph,
    has,
    render,
    suit_sprite,
    suit_width,
    width,
    wrap,
)

CYRILLIC = "".join(map(chr, range(ord("А"), ord("я") + 1))) + "Ёё"
OTHER_SCRIPTS = "ناديا 山田太郎 😀👍🏽 नमस्ते 한국 ₽ \ue000 \U0010ffff"

fonts = pytest.mark.parametrize("font", list(Font))


def rows(picture: Image.Image) -> list[str]:
    """A picture as lines of `#` and `.`, to be compared and read."""
    return [
        "".join("#" if picture.getpixel((x, y)) else "." for x in range(picture.width)) for y in range(picture.height)
    ]


def ink(picture: Image.Image) -> int:
    return sum(line.count("#") for line in rows(picture))


def different(one: Image.Image, other: Image.Image) -> int:
    return sum(
        a != b for left, right in zip(rows(one), rows(other), strict=True) for a, b in zip(left, right, strict=True)
    )


@fonts
@pytest.mark.parametrize("text", [string.ascii_letters + string.digits + string.punctuation, CYRILLIC, "…–«»№×"])
def test_every_font_has_latin_cyrillic_and_common_signs(font: Font, text: str) -> None:
    assert [char for char in text if not has(char, font)] == []


@pytest.mark.few(3)
@fonts
def test_every_character_but_space_leaves_ink(font: Font) -> None:
    assert [
        char for char in string.ascii_letters + string.digits + CYRILLIC + SUITS if not ink(glyph(char, font))
    ] == []


@fonts
def test_letters_differ_from_each_other(font: Font) -> None:
    pictures = {char: glyph(char, font).tobytes() for char in string.ascii_letters + string.digits}
    assert len(set(pictures.values())) == len(pictures)


@fonts
def test_the_declared_cell_is_that_of_the_font_file(font: Font) -> None:
    for char in "WgЩ█":
        picture = glyph(char, font)
        assert picture.size == (font.cell, font.height)
        assert picture.mode == "1"


@fonts
def test_capitals_stand_on_the_declared_baseline_at_the_declared_height(font: Font) -> None:
    for char in "HEТП":
        box = glyph(char, font).getbbox()
        assert box is not None
        assert (box[1], box[3]) == (font.ascent - font.capital, font.ascent)


def test_a_tiny_line_is_one_page_high() -> None:
    assert Font.TINY.height == 8


def test_no_font_file_lies_unused_and_licences_lie_beside_them() -> None:
    files = {entry.name for entry in resources.files("firmware").joinpath("fonts").iterdir()}
    assert {name for name in files if name.endswith(".pcf.gz")} == {f"{font}.pcf.gz" for font in Font}
    assert {"LICENCE-misc-fixed.txt", "LICENCE-terminus.txt", "README.md"} <= files


@pytest.mark.parametrize("font", [Font.TINY, Font.SMALL, Font.TEXT, Font.STRONG])
def test_dots_are_squares_and_not_crosses(font: Font) -> None:
    assert [line.strip(".") for line in rows(glyph(".", font)) if "#" in line] == ["##", "##"]
    assert ink(glyph(":", font)) == 8
    assert rows(glyph(":", font))[font.ascent - 2 :] == rows(glyph(".", font))[font.ascent - 2 :]


# Suits


@pytest.mark.parametrize("size", [7, 9, 11])
@pytest.mark.parametrize(("one", "other"), list(combinations(SUITS, 2)))
def test_any_two_suits_differ_in_a_sixth_of_their_pixels(size: int, one: str, other: str) -> None:
    first, second = suit_sprite(one, size), suit_sprite(other, size)
    # Of the pair that fonts confuse, outlines matter more than pixels: see the next test.
    enough = 8 if {one, other} == {"♠", "♣"} else first.width * first.height / 6
    assert different(first, second) >= enough


@pytest.mark.parametrize("size", [7, 9, 11])
def test_a_spade_widens_from_its_point_and_a_club_has_a_round_top_and_gaps_between_leaves(size: int) -> None:
    spade, club = rows(suit_sprite("♠", size)), rows(suit_sprite("♣", size))
    # The leaf on top ends where gaps open to its left and right.
    waist = next(number for number, line in enumerate(club) if "." in line.strip("."))
    assert spade[0].count("#") == 1
    assert club[0].count("#") >= 3
    assert all(len(line.strip(".")) < size / 2 for line in club[:waist])
    assert not any("." in line.strip(".") for line in spade[: waist + 2])
    widths = [line.count("#") for line in spade[: waist + 2]]
    assert widths == sorted(widths)


@pytest.mark.parametrize("size", [7, 9, 11])
def test_black_suits_are_filled_and_red_ones_outlined(size: int) -> None:
    middle = {suit: rows(suit_sprite(suit, size))[size // 2 + 1][size // 2] for suit in SUITS}
    assert middle == {"♠": "#", "♥": ".", "♦": ".", "♣": "#"}
    assert max(ink(suit_sprite(suit, size)) for suit in "♥♦") < min(ink(suit_sprite(suit, size)) for suit in "♠♣")


@pytest.mark.parametrize("size", [7, 9, 11])
@pytest.mark.parametrize("suit", SUITS)
def test_suits_are_symmetric_and_fill_their_width(size: int, suit: str) -> None:
    lines = rows(suit_sprite(suit, size))
    assert [line[::-1] for line in lines] == lines
    assert any(line[0] == "#" for line in lines)


def test_an_unknown_suit_has_no_sprite() -> None:
    with pytest.raises(KeyError):
        suit_sprite("★", 7)


@fonts
def test_suits_in_text_are_the_sprites_with_air_on_both_sides(font: Font) -> None:
    for suit in SUITS:
        picture = glyph(suit, font)
        assert picture.size == (suit_width(font) + 2, font.height)
        sprite = suit_sprite(suit, suit_width(font))
        box, inner = picture.getbbox(), sprite.getbbox()
        assert box is not None
        assert inner is not None
        assert rows(picture.crop(box)) == rows(sprite.crop(inner))
        assert (box[0], box[2]) == (1, picture.width - 1)
        assert box[3] <= font.ascent


# Characters that fonts lack


@fonts
def test_characters_of_other_scripts_never_raise(font: Font) -> None:
    assert render(OTHER_SCRIPTS, font).width == width(OTHER_SCRIPTS, font)


@given(st.text(st.characters(exclude_categories=())), st.sampled_from(Font))
def test_no_text_at_all_raises(text: str, font: Font) -> None:
    assert render(text, font).size == (width(text, font), font.height)


@fonts
def test_a_missing_character_is_a_hollow_box_as_tall_as_a_capital(font: Font) -> None:
    assert not has("😀", font)
    lines = rows(glyph("😀", font))
    box = lines[font.ascent - font.capital : font.ascent]
    inner = font.cell - 1
    edge = "#" * inner + "."
    assert box == [edge, *["#" + "." * (inner - 2) + "#."] * (font.capital - 2), edge]
    assert ink(glyph("😀", font)) == sum(line.count("#") for line in box)


@pytest.mark.parametrize("font", [Font.BOLD, Font.TITLE, Font.LARGE])
def test_the_question_mark_is_not_taken_for_a_missing_character(font: Font) -> None:
    # Terminus shows "?" where it has nothing.
    assert has("?", font)
    assert rows(glyph("?", font)) != rows(glyph("😀", font))


def test_a_character_that_terminus_lacks_comes_from_the_wider_font() -> None:
    thai = "ก"
    assert not has(thai, Font.BOLD)
    assert has(thai, Font.TEXT)
    borrowed = glyph(thai, Font.BOLD)
    drop = Font.BOLD.ascent - Font.TEXT.ascent
    assert rows(borrowed)[drop:] == [line + ".." for line in rows(glyph(thai, Font.TEXT))]


def test_decomposed_letters_are_composed_and_stray_marks_take_no_place() -> None:
    assert clean("и\u0306ж е\u0308ж") == "йж ёж"
    assert clean("♠\ufe0f") == "♠"
    assert clean("a\u200db\u202ec") == "abc"


def test_line_breaks_and_odd_spaces_are_spaces_and_controls_vanish() -> None:
    assert clean("a\nb\tc\u3000d") == "a b c d"
    assert clean("a\x1b[31mb\x00") == "a[31mb"
    assert clean("4\u202f♠ 4\u00a0♠") == f"4{NO_BREAK_SPACE}♠ 4{NO_BREAK_SPACE}♠"


# Measuring and cutting


def test_width_counts_cells_and_suits() -> None:
    assert width("", Font.TEXT) == 0
    assert width("Ваш ход", Font.TEXT) == 7 * 6
    assert width("Bid 4♠", Font.TEXT) == 5 * 6 + 11
    assert width("♠♥♦♣", Font.TINY) == 4 * 9


def test_text_that_fits_is_left_alone() -> None:
    assert fit("Anna", Font.TEXT, 24) == "Anna"


def test_text_one_pixel_too_wide_is_cut_with_an_ellipsis() -> None:
    assert fit("Anna", Font.TEXT, 23) == "An…"


def test_no_space_stands_before_the_ellipsis() -> None:
    assert fit("Anna Maria", Font.TEXT, 36) == "Anna…"


@pytest.mark.parametrize(("room", "expected"), [(6, "…"), (5, ""), (0, ""), (-3, "")])
def test_where_nothing_else_fits_the_ellipsis_or_nothing_is_left(room: int, expected: str) -> None:
    assert fit("Anna", Font.TEXT, room) == expected


@given(st.text(max_size=60), st.sampled_from(Font), st.integers(-5, 140))
def test_cut_text_is_never_wider_than_the_room_and_is_a_beginning(text: str, font: Font, room: int) -> None:
    cut = fit(text, font, room)
    assert width(cut, font) <= max(0, room)
    whole = clean(text)
    assert cut == whole or whole.startswith(cut.removesuffix(ELLIPSIS))


def test_words_are_wrapped_at_spaces() -> None:
    assert wrap("Must follow ♣ or take back", Font.TEXT, 72, 4) == ["Must follow", "♣ or take", "back"]


def test_a_word_that_ends_at_the_edge_stays() -> None:
    assert wrap("Must follow it", Font.TEXT, 66, 2) == ["Must follow", "it"]


def test_a_no_break_space_keeps_the_bid_together() -> None:
    assert wrap(f"Bid of 4{NO_BREAK_SPACE}♠", Font.TEXT, 54, 2) == ["Bid of", f"4{NO_BREAK_SPACE}♠"]


def test_a_word_wider_than_a_line_is_broken_inside() -> None:
    assert wrap("Превосходительство", Font.TEXT, 60, 2) == ["Превосходи", "тельство"]


def test_what_does_not_fit_the_last_line_is_cut_with_an_ellipsis() -> None:
    assert wrap("Must follow suit, take back", Font.TEXT, 72, 2) == ["Must follow", "suit, take…"]
    assert wrap("Must follow suit", Font.TEXT, 66, 1) == ["Must follo…"]


def test_newlines_break_lines_and_a_last_line_says_that_more_follows() -> None:
    assert wrap("Pass\nBid", Font.TEXT, 120, 2) == ["Pass", "Bid"]
    assert wrap("Pass\nBid", Font.TEXT, 120, 1) == ["Pass…"]


@pytest.mark.parametrize(("text", "room", "lines"), [("", 100, 3), ("word", 5, 3), ("word", 100, 0), (" \n ", 50, 2)])
def test_nothing_to_show_gives_no_lines(text: str, room: int, lines: int) -> None:
    assert wrap(text, Font.TEXT, room, lines) == []


@given(st.text(max_size=80), st.sampled_from(Font), st.integers(0, 140), st.integers(0, 5))
def test_wrapped_lines_are_few_and_narrow_enough(text: str, font: Font, room: int, lines: int) -> None:
    found = wrap(text, font, room, lines)
    assert len(found) <= lines
    assert all(0 < width(line, font) <= room for line in found)


@given(st.text("абв ♠", max_size=40))
def test_wrapping_loses_no_word_when_there_is_room(text: str) -> None:
    assert " ".join(wrap(text, Font.TINY, 5 * 41 * 2, 1)) == text.strip()
    assert "".join(wrap(text, Font.TINY, 30, 40)).replace(" ", "") == text.replace(" ", "")


def test_a_line_is_the_pictures_of_its_characters_beside_each_other() -> None:
    line = rows(render("К♥", Font.BOLD))
    assert line == [a + b for a, b in zip(rows(glyph("К", Font.BOLD)), rows(glyph("♥", Font.BOLD)), strict=True)]


def test_a_bitmap_is_read_as_it_is_written() -> None:
    assert rows(bitmap("\n#..\n.##\n")) == ["#..", ".##"]
