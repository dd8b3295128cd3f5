"""Pictures of cards: every card of a pack can be told from every other, in every size."""

from itertools import product

import pytest
from PIL import Image

from firmware.faces import FACE_DOWN, Size, face_picture, face_width
from firmware.glyphs import SUITS

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "В", "Д", "К", "Т")
PACK = [rank + suit for suit, rank in product(SUITS, RANKS) if rank != "К"]  # the two kings look the same

sizes = pytest.mark.parametrize("size", list(Size))
boxed = pytest.mark.parametrize("size", [Size.MEDIUM, Size.TALL])


def rows(picture: Image.Image) -> list[str]:
    return [
        "".join("#" if picture.getpixel((x, y)) else "." for x in range(picture.width)) for y in range(picture.height)
    ]


@sizes
def test_all_cards_of_a_pack_look_different(size: Size) -> None:
    pictures = {face: (face_picture(face, size).size, face_picture(face, size).tobytes()) for face in PACK}
    assert len(set(pictures.values())) == len(PACK)


@sizes
@pytest.mark.parametrize("face", [*PACK, "JK", FACE_DOWN, "", "♠", "😀", "Джокер"])
def test_a_picture_has_the_size_that_is_announced(size: Size, face: str) -> None:
    assert face_picture(face, size).size == (face_width(face, size), size.height)
    assert face_picture(face, size).mode == "1"


@boxed
@pytest.mark.parametrize("face", [*PACK, "JK", FACE_DOWN])
def test_a_selected_card_is_the_negative_inside_the_same_border(size: Size, face: str) -> None:
    usual, lit = face_picture(face, size), face_picture(face, size, selected=True)
    inner = (1, 1, usual.width - 1, usual.height - 1)
    swapped = [line.translate(str.maketrans("#.", ".#")) for line in rows(usual.crop(inner))]
    assert rows(lit.crop(inner)) == swapped
    assert rows(lit)[0] == rows(usual)[0] == "." + "#" * (usual.width - 2) + "."


def test_a_selected_small_card_is_the_negative_altogether() -> None:
    usual, lit = rows(face_picture("10♦", Size.SMALL)), rows(face_picture("10♦", Size.SMALL, selected=True))
    assert lit == [line.translate(str.maketrans("#.", ".#")) for line in usual]


@boxed
@pytest.mark.parametrize("face", [*PACK, "JK"])
def test_nothing_touches_the_border(size: Size, face: str) -> None:
    lines = rows(face_picture(face, size))
    assert {line[1] for line in lines[1:-1]} == {"."}
    assert {line[-2] for line in lines[1:-1]} == {"."}
    assert set(lines[1][1:-1]) == set(lines[-2][1:-1]) == {"."}


@boxed
@pytest.mark.parametrize("suit", SUITS)
def test_rank_and_suit_do_not_touch(size: Size, suit: str) -> None:
    lines = rows(face_picture(f"10{suit}", size))
    if size is Size.MEDIUM:
        lines = ["".join(column) for column in zip(*lines, strict=True)]
    inner = ["#" in line[1:-1] for line in lines[1:-1]]
    first, last = inner.index(True), len(inner) - inner[::-1].index(True)
    assert False in inner[first:last]


def test_a_tall_ten_is_as_bold_and_as_high_as_its_neighbours() -> None:
    ten, nine = rows(face_picture("10♠", Size.TALL)), rows(face_picture("9♠", Size.TALL))
    inked = [["#" in line[1:-1] for line in card[1:14]] for card in (ten, nine)]
    assert inked[0] == inked[1]
    # A bold upright stroke is two pixels wide: one stroke of the 1 and two of the 0.
    assert ten[7].strip("#").strip(".").split(".") == ["##", "##", "", "##"]


def test_eight_tall_cards_fill_the_width_of_a_display() -> None:
    assert 8 * face_width("10♠", Size.TALL) + 7 * Size.TALL.spacing <= 128


def test_a_small_card_is_one_page_high() -> None:
    assert Size.SMALL.height == 8


@boxed
def test_a_card_face_down_shows_a_pattern_and_no_question_mark(size: Size) -> None:
    picture = face_picture(FACE_DOWN, size)
    inner = rows(picture.crop((2, 2, picture.width - 2, picture.height - 2)))
    assert all("#" in line and "." in line for line in inner)
    assert all("##" not in line for line in inner)


def test_a_word_too_long_for_a_tall_card_is_cut() -> None:
    assert rows(face_picture("Джокер", Size.TALL)) == rows(face_picture("Д…", Size.TALL))


@pytest.mark.parametrize("suit", SUITS)
def test_a_suit_without_a_rank_stands_alone_in_the_middle_of_its_card(suit: str) -> None:
    lines = [line[1:-1] for line in rows(face_picture(suit, Size.TALL))[1:-1]]
    inked = [place for place, line in enumerate(lines) if "#" in line]
    assert len(inked) >= 9
    assert abs(inked[0] - (len(lines) - 1 - inked[-1])) <= 3
    assert all(line == line[::-1] for line in lines)
