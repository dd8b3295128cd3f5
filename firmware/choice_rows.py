"""Choices and cards to choose from on a display: in tidy rows, as large as they fit, the picked one lit."""

from collections.abc import Sequence

from firmware.drawing import Canvas
from firmware.faces import Size, face_width
from firmware.glyphs import SUITS, Font, suit_width, width

_TALL_ROW, _MEDIUM_ROW = 28, 37
_ARROWS = 20
"""Columns that arrows and its box take from a choice that has a page to itself."""
_MARGIN = 2
"""Columns that stay free at either edge."""


def draw_choices(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """Choices in one row at `y`, or in two around it where one is too short."""
    if columns_of(labels, Font.TEXT) <= room_of(canvas):
        _draw_row(canvas, y, labels, cursor, Font.TEXT)
        return
    first = _first_row(labels)
    _draw_row(canvas, y - 7, labels[:first], cursor, Font.SMALL)
    _draw_row(canvas, y + 7, labels[first:], None if cursor is None else cursor - first, Font.SMALL)


def draw_one_row(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """Choices in one row at `y`, by pages where it is too short."""
    canvas.choices(y, labels, cursor, Font.TEXT, x=max(0, (canvas.columns - columns_of(labels, Font.TEXT)) // 2))


def row_holds(canvas: Canvas, labels: Sequence[str]) -> bool:
    """Whether each of these choices is shown whole in one row by pages."""
    return all(width(label, Font.TEXT) <= canvas.columns - _ARROWS for label in labels)


def room_of(canvas: Canvas) -> int:
    """Columns for what stands in the middle: at the edge of the glass letters are hard to read."""
    return canvas.columns - 2 * _MARGIN


def draw_cards(canvas: Canvas, faces: Sequence[str], cursor: int | None, tall: bool) -> None:
    """A row of cards above the foot line: tall ones where they may be and all fit, else lower ones."""
    size = Size.TALL
    if not tall or row_width(faces, size) > canvas.columns:
        draw_low_cards(canvas, _MEDIUM_ROW, faces, cursor)
        return
    canvas.chips(max(0, (canvas.columns - row_width(faces, size)) // 2), _TALL_ROW, faces, size, selected=cursor)


def draw_low_cards(canvas: Canvas, y: int, faces: Sequence[str], cursor: int | None) -> None:
    """A row of cards 14 rows high; where they do not fit, the suit once if it is one, else by pages."""
    size = Size.MEDIUM
    left = (canvas.columns - row_width(faces, size)) // 2
    if left < 0 and len({face[-1] for face in faces}) == 1 and faces[0][-1] in SUITS:
        draw_ranks(canvas, y, faces, cursor)
        return
    canvas.chips(max(0, left), y, faces, size, selected=cursor)


def draw_ranks(canvas: Canvas, y: int, faces: Sequence[str], cursor: int | None) -> None:
    """Cards of one suit, single ones or several together, in a row 14 rows high: the suit, then their ranks."""
    suit, ranks = faces[0][-1], [face.rstrip(SUITS) for face in faces]
    left = suit_width(Font.TITLE) + 2 * Size.MEDIUM.spacing + 2
    x = max(0, (canvas.columns - left - row_width(ranks, Size.MEDIUM)) // 2)
    canvas.text(x, y, suit, Font.TITLE)
    canvas.chips(x + left, y, ranks, Size.MEDIUM, selected=cursor)


def row_width(faces: Sequence[str], size: Size) -> int:
    """Width of cards beside each other, in pixels."""
    return sum(face_width(face, size) + size.spacing for face in faces) - size.spacing


def columns_of(labels: Sequence[str], font: Font) -> int:
    """Width of a row of choices, in pixels: each in a box, two pixels apart."""
    return sum(width(label, font) + 8 for label in labels) - 2


def _draw_row(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None, font: Font) -> None:
    """Choices in the middle of a line; the cursor may be in another row."""
    here = cursor if cursor is not None and 0 <= cursor < len(labels) else None
    x = max(0, (canvas.columns - columns_of(labels, font)) // 2)
    canvas.choices(y, labels, here, font, x=x)


def _first_row(labels: Sequence[str]) -> int:
    """How many choices stand in the first of two rows, so that the wider row is as narrow as can be."""

    def wider(place: int) -> int:
        return max(columns_of(labels[:place], Font.SMALL), columns_of(labels[place:], Font.SMALL))

    return min(range(1, len(labels)), key=wider, default=len(labels))
