"""Pictures of cards in three sizes, from the words on them: "10♦", "К♥", "JK", or "??" for a card face down."""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from firmware.glyphs import SUITS, Font, bitmap, fit, render, suit_sprite, width

FACE_DOWN: Final = "??"


class Size(StrEnum):
    """Sizes of a card."""

    SMALL = "small"
    """No box, one page (8 pixels) high: rank and suit only."""
    MEDIUM = "medium"
    """Rank beside suit in a box 14 pixels high."""
    TALL = "tall"
    """Rank above suit in a box 15 by 27 pixels: eight fit beside each other."""

    @property
    def height(self) -> int:
        """Height of a card, in pixels."""
        return _HEIGHTS[self]

    @property
    def spacing(self) -> int:
        """Pixels to leave between neighbours."""
        return 3 if self is Size.SMALL else 1


_HEIGHTS: Final = {Size.SMALL: 8, Size.MEDIUM: 14, Size.TALL: 27}
_TALL_WIDTH: Final = 15

# Two digits of the bold font are a pixel wider than a tall card has room for.
_TEN: Final = bitmap("""
.##..####.
###.##..##
.##.##..##
.##.##..##
.##.##..##
.##.##..##
.##.##..##
.##.##..##
.##.##..##
.##..####.
""")


def face_width(face: str, size: Size) -> int:
    """Width of that card's picture, in pixels."""
    if size is Size.TALL:
        return _TALL_WIDTH
    font = Font.TINY if size is Size.SMALL else _beside(face)
    return width(face, font) + (1 if size is Size.SMALL else 3)


@lru_cache(maxsize=512)
def face_picture(face: str, size: Size, *, selected: bool = False) -> Image.Image:
    """The card as a finished picture in mode "1": ink on dark ground, or dark on lit if it is selected.

    A face is a rank and one of ♠♥♦♣, a suit alone, or any short word; what is too long for a tall card is cut. Do not
    draw on it: it is kept.
    """
    picture = Image.new("1", (face_width(face, size), size.height), 1 if selected else 0)
    ink = 0 if selected else 1
    if size is Size.SMALL:
        picture.paste(ink, (1, 0), render(face, Font.TINY))
        return picture
    _edge(picture)
    if face == FACE_DOWN:
        _hatch(picture, ink)
    elif size is Size.MEDIUM:
        picture.paste(ink, (2, 0), render(face, _beside(face)))
    else:
        _upright(picture, face, ink)
    return picture


def _split(face: str) -> tuple[str, str]:
    """Rank and suit; a word without a suit is all rank."""
    return (face[:-1], face[-1]) if face and face[-1] in SUITS else (face, "")


def _beside(face: str) -> Font:
    """Bold for a rank beside its suit; the letters of a word would run into each other in it."""
    return Font.STRONG if _split(face)[1] else Font.TEXT


def _upright(picture: Image.Image, face: str, ink: int) -> None:
    rank, suit = _split(face)
    if not rank and suit:
        picture.paste(ink, (2, 8), suit_sprite(suit, 11))
        return
    if rank == "10":
        mask, ascent = _TEN, _TEN.height
    else:
        font = Font.BOLD if len(rank) == 1 else Font.TEXT
        mask, ascent = render(fit(rank, font, _TALL_WIDTH - 2), font), font.ascent
    # Centred by its ink, as letters do not fill their cells evenly.
    left, _, right, _ = mask.getbbox() or (0, 0, 0, 0)
    baseline = 13 if suit else 18
    picture.paste(ink, ((_TALL_WIDTH - (right - left)) // 2 - left, baseline - ascent), mask)
    if suit:
        picture.paste(ink, (3, 15), suit_sprite(suit, 9))


def _edge(picture: Image.Image) -> None:
    """A lit border whose four corner pixels are left out."""
    pen = ImageDraw.Draw(picture)
    right, bottom = picture.width - 1, picture.height - 1
    pen.rectangle((0, 0, right, bottom), outline=1)
    pen.point([(0, 0), (right, 0), (0, bottom), (right, bottom)], fill=0)


def _hatch(picture: Image.Image, ink: int) -> None:
    """The back of a card."""
    for y in range(2, picture.height - 2):
        for x in range(2, picture.width - 2):
            if (x + y) % 3 == 0:
                picture.putpixel((x, y), ink)
