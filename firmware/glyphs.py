"""Fonts of the small displays: measuring text, cutting it to a width, and each character's picture.

All fonts are fixed pitch. Suits are no font characters: every ♠♥♦♣ is drawn from a sprite, the black suits
filled and the red ones outlined, because font glyphs of ♠ and ♣ look alike at 12 pixels and below. Names may
be written in any script, so nothing here ever raises for a character: one that the fonts lack is shown as an
empty box. Characters stand in the order of the text; Arabic is not joined and nothing runs from right to
left.
"""

import unicodedata
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

ELLIPSIS: Final = "…"
SUITS: Final = "♠♥♦♣"
NO_BREAK_SPACE: Final = "\u00a0"

_NOWHERE: Final = "\uffff"  # a noncharacter: no font has it, so it shows how a font draws what it lacks


class Font(StrEnum):
    """A font by its use; the value is the file's name in `fonts`."""

    TINY = "5x8"
    """One page (8 pixels) high: head and foot lines."""
    SMALL = "6x10"
    TEXT = "6x13"
    STRONG = "6x13B"
    """For digits and single capitals: small letters run into each other."""
    WIDE = "9x15"
    BOLD = "ter-u14b"
    TITLE = "ter-u16b"
    LARGE = "ter-u20b"
    """Three lines fill a display of 64 rows: scores, "Your turn"."""

    @property
    def cell(self) -> int:
        """Advance of one character, in pixels."""
        return _CELLS[self][0]

    @property
    def height(self) -> int:
        """Height of a line, in pixels: ascent and descent."""
        return _CELLS[self][1]

    @property
    def ascent(self) -> int:
        """Rows from the top of the line down to the baseline."""
        return _CELLS[self][2]

    @property
    def capital(self) -> int:
        """Height of a capital letter, in pixels."""
        return _CELLS[self][3]


# cell, height, ascent, capital height
_CELLS: Final[dict[Font, tuple[int, int, int, int]]] = {
    Font.TINY: (5, 8, 7, 6),
    Font.SMALL: (6, 10, 8, 7),
    Font.TEXT: (6, 13, 11, 9),
    Font.STRONG: (6, 13, 11, 9),
    Font.WIDE: (9, 15, 12, 10),
    Font.BOLD: (8, 14, 12, 10),
    Font.TITLE: (8, 16, 12, 10),
    Font.LARGE: (10, 20, 16, 13),
}

# These have a cross three pixels wide for a dot, which reads as a plus in "7.2": drawn as a square instead.
_CROSSED_DOTS: Final = (Font.TINY, Font.SMALL, Font.TEXT, Font.STRONG)

# One block a size, suits side by side in the order of SUITS.
_SPRITES_7: Final = """
...#... .##.##. ...#... ..###..
..###.. #..#..# ..#.#.. ..###..
.#####. #.....# .#...#. ##.#.##
####### #.....# #.....# #######
####### .#...#. .#...#. ##.#.##
.#.#.#. ..#.#.. ..#.#.. ...#...
..###.. ...#... ...#... ..###..
"""
_SPRITES_9: Final = """
....#.... .##...##. ....#.... ...###...
...###... ####.#### ...###... ...###...
..#####.. ##.###.## ..##.##.. ...###...
.#######. ##..#..## .##...##. .##.#.##.
######### ##.....## ##.....## #########
######### .##...##. .##...##. #########
###.#.### ..##.##.. ..##.##.. .##.#.##.
....#.... ...###... ...###... ....#....
...###... ....#.... ....#.... ...###...
"""
_SPRITES_11: Final = """
.....#..... ........... .....#..... ....###....
....###.... ..##...##.. ....###.... ...#####...
...#####... .####.####. ...##.##... ...#####...
..#######.. ###.###.### ..##...##.. ....###....
.#########. ##...#...## .##.....##. .##..#..##.
########### ##.......## ##.......## ####.#.####
########### ##.......## ##.......## ###########
########### .##.....##. .##.....##. ####.#.####
.###.#.###. ..##...##.. ..##...##.. .##..#..##.
.....#..... ...##.##... ...##.##... .....#.....
....###.... ....###.... ....###.... ....###....
...#####... .....#..... .....#..... ...#####...
"""


def bitmap(block: str) -> Image.Image:
    """A picture in mode "1" from lines of `#` (ink) and `.`; blank lines around it are left out."""
    lines = block.split()
    picture = Image.new("1", (len(lines[0]), len(lines)))
    picture.putdata([dot == "#" for line in lines for dot in line])
    return picture


def _sprites(block: str) -> dict[str, Image.Image]:
    rows = [line.split() for line in block.strip().splitlines()]
    return {suit: bitmap("\n".join(row[column] for row in rows)) for column, suit in enumerate(SUITS)}


_SPRITES: Final = {7: _sprites(_SPRITES_7), 9: _sprites(_SPRITES_9), 11: _sprites(_SPRITES_11)}


def suit_width(font: Font) -> int:
    """Width of a suit's sprite beside `font`, in pixels: 7, 9 or 11; about as tall as a capital."""
    if font.height <= Font.SMALL.height:
        return 7
    return 9 if font.height <= Font.TITLE.height else 11


def suit_sprite(suit: str, width: int) -> Image.Image:
    """The picture of one of ♠♥♦♣ in mode "1", ink set.

    `width` is 7, 9 or 11 pixels. KeyError for another width or character. Do not draw on it.
    """
    return _SPRITES[width][suit]


@cache
def _face(font: Font) -> ImageFont.FreeTypeFont:
    data = resources.files("firmware").joinpath("fonts", f"{font}.pcf.gz").read_bytes()
    return ImageFont.truetype(BytesIO(data), font.height)


def _drawn(char: str, font: Font) -> Image.Image:
    picture = Image.new("1", (font.cell, font.height))
    pen = ImageDraw.Draw(picture)
    if char in ".:" and font in _CROSSED_DOTS:
        dots = (font.ascent - 2,) if char == "." else (font.ascent - 2, font.ascent - font.capital + 1)
        for y in dots:
            pen.rectangle((1, y, 2, y + 1), fill=1)
    else:
        pen.text((0, 0), char, font=_face(font), fill=1)
    return picture


@lru_cache(maxsize=512)
def has(char: str, font: Font) -> bool:
    """Whether the font itself draws this character. A suit always counts: it has a sprite."""
    # Terminus shows "?" for what it lacks, so there "?" looks like a character that is missing.
    return char in SUITS or char == "?" or _drawn(char, font).tobytes() != _lacking(font)


@cache
def _lacking(font: Font) -> bytes:
    """What the font draws for what it lacks."""
    return _drawn(_NOWHERE, font).tobytes()


@lru_cache(maxsize=2048)
def glyph(char: str, font: Font) -> Image.Image:
    """The picture of one character, as high as the line and as wide as its advance; mode "1", ink set.

    A character that `font` lacks is taken from 6x13, which knows more scripts, if the line is tall enough;
    else it is an empty box. Do not draw on it: it is kept.
    """
    picture = Image.new("1", (_advance(char, font), font.height))
    if char in SUITS:
        sprite = suit_sprite(char, suit_width(font))
        picture.paste(sprite, (1, max(0, font.ascent - max(font.capital, sprite.height))))
    elif has(char, font):
        picture = _drawn(char, font)
    elif font.ascent >= Font.TEXT.ascent and has(char, Font.TEXT):
        picture.paste(_drawn(char, Font.TEXT), (0, font.ascent - Font.TEXT.ascent))
    else:
        box = (0, font.ascent - font.capital, font.cell - 2, font.ascent - 1)
        ImageDraw.Draw(picture).rectangle(box, outline=1)
    return picture


def _advance(char: str, font: Font) -> int:
    return suit_width(font) + 2 if char in SUITS else font.cell


@lru_cache(maxsize=1024)
def clean(text: str) -> str:
    """The characters that get a place on a line.

    Letters are composed (NFC), spaces are plain or no-break ones; controls, combining marks and joiners are
    left out.
    """
    kept = []
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if char in (NO_BREAK_SPACE, "\u202f"):
            kept.append(NO_BREAK_SPACE)
        elif char.isspace():
            kept.append(" ")
        elif kind not in ("Cc", "Cf", "Mn", "Me"):
            kept.append(char)
    return "".join(kept)


def width(text: str, font: Font) -> int:
    """Width of `text` on one line, in pixels."""
    text = clean(text)
    suits = sum(map(text.count, SUITS))
    return (len(text) - suits) * font.cell + suits * (suit_width(font) + 2)


@lru_cache(maxsize=1024)
def render(text: str, font: Font) -> Image.Image:
    """One line of text as a picture, ink set; mode "1", `width(text, font)` by `font.height`. Do not draw on it: it is
    kept, for most of what a table says it says again.
    """
    text = clean(text)
    picture = Image.new("1", (width(text, font), font.height))
    x = 0
    for char in text:
        picture.paste(glyph(char, font), (x, 0))
        x += _advance(char, font)
    return picture


def fit(text: str, font: Font, room: int) -> str:
    """`text`, cut with an ellipsis if it is wider than `room` pixels; empty if even that has no room."""
    text = clean(text)
    if width(text, font) <= room:
        return text
    left = room - _advance(ELLIPSIS, font)
    if left < 0:
        return ""
    return _head(text, font, left).rstrip() + ELLIPSIS


def _head(text: str, font: Font, room: int) -> str:
    """The longest beginning of a cleaned text that is no wider than `room` pixels."""
    for count, char in enumerate(text):
        room -= _advance(char, font)
        if room < 0:
            return text[:count]
    return text


def wrap(text: str, font: Font, room: int, lines: int) -> list[str]:
    """`text` as at most `lines` lines no wider than `room` pixels, broken at spaces and at newlines.

    A word wider than a line is broken inside; what does not fit the last line is cut with an ellipsis.
    """
    found: list[str] = []
    for paragraph in text.splitlines():
        rest = clean(paragraph).strip(" ")
        while rest:
            line = _line(rest, font, room)
            if not line:  # narrower than one character: nothing can be shown
                return []
            found.append(line)
            rest = rest[len(line) :].strip(" ")
            if len(found) > lines:
                break
    if len(found) <= lines:
        return found
    if lines <= 0:
        return []
    # More follows, so the last line ends in an ellipsis even if it has room for all of its own words.
    last = _head(found[lines - 1], font, room - _advance(ELLIPSIS, font)).rstrip()
    return [*found[: lines - 1], last + ELLIPSIS]


def _line(text: str, font: Font, room: int) -> str:
    """The words of a cleaned text that fit one line; part of the first word if not even that fits."""
    head = _head(text, font, room)
    if len(head) == len(text) or text[len(head)] == " ":
        return head.rstrip(" ")
    words, space, _ = head.rpartition(" ")
    return words.rstrip(" ") if space else head
