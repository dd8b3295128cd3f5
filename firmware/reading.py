"""Reading a display as a person would: is this text to be seen on the picture?

The text is drawn in every font that the displays use and looked for pixel by pixel, bright on dark and dark on
bright. A text that is broken over two lines is found a line at a time.
"""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from firmware.glyphs import Font, render


def shows(picture: Image.Image, text: str) -> bool:
    """Whether the text can be read on this '1' picture; words may stand on lines that follow each other."""
    bright = _rows(picture)
    dark = tuple(row.translate(_INVERSE) for row in bright)
    return any(
        all(any(_holds(rows, line, font) for rows in (bright, dark) for font in Font) for line in lines)
        for lines in _breaks(text.split())
    )


_INVERSE = str.maketrans("01", "10")


def _breaks(words: list[str]) -> Iterator[list[str]]:
    """The text in one line, then in two, broken at each word."""
    yield [" ".join(words)]
    for place in range(1, len(words)):
        yield [" ".join(words[:place]), " ".join(words[place:])]


def _rows(picture: Image.Image) -> tuple[str, ...]:
    """Each row as a string of a `1` for each lit pixel and a `0` for each dark one."""
    data, length = picture.tobytes(), (picture.width + 7) // 8
    return tuple(
        "".join(f"{byte:08b}" for byte in data[start : start + length])[: picture.width]
        for start in range(0, len(data), length)
    )


@lru_cache(maxsize=512)
def _ink(text: str, font: Font) -> tuple[tuple[str, ...], int]:
    """The rows of a text without the empty space around it, and which of them has most ink."""
    mask = render(text, font)
    box = mask.getbbox()
    if box is None:
        return (), 0
    ink = _rows(mask.crop(box).convert("1"))
    return ink, max(range(len(ink)), key=lambda row: ink[row].count("1"))


def _holds(rows: tuple[str, ...], text: str, font: Font) -> bool:
    """Whether the text stands in these rows, pixel by pixel."""
    ink, fullest = _ink(text, font)
    if not ink:
        return False
    everything, length = "\n".join(rows), len(rows[0]) + 1
    place = everything.find(ink[fullest])
    while place >= 0:
        top, column = place // length - fullest, place % length
        if 0 <= top <= len(rows) - len(ink) and all(
            rows[top + row].startswith(line, column) for row, line in enumerate(ink)
        ):
            return True
        place = everything.find(ink[fullest], place + 1)
    return False
