"""Choices and cards to choose from on a display: in tidy rows, as large as they fit, the picked one lit."""

from collections.abc import Sequence

from firmware.drawing import Canvas
from firmware.faces import Size, face_width
from firmware.glyphs import Font, width

_TALL_ROW, _MEDIUM_ROW = 28, 37


def draw_choices(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """Choices in one row at `y`, or in two around it where one is too short."""
    if columns_of(labels, Font.TEXT) <= canvas.columns:
        _draw_row(canvas, y, labels, cursor, Font.TEXT)
        return
    first = _first_row(labels)
    _draw_row(canvas, y - 7, labels[:first], cursor, Font.SMALL)
    _draw_row(canvas, y + 7, labels[first:], None if cursor is None else cursor - first, Font.SMALL)


def draw_cards(canvas: Canvas, faces: Sequence[str], cursor: int | None, tall: bool) -> None:
    """A row of cards above the foot line: tall ones where they may be and all fit, else by pages."""
    size, y = Size.TALL, _TALL_ROW
    if not tall or row_width(faces, size) > canvas.columns:
        size, y = Size.MEDIUM, _MEDIUM_ROW
    canvas.chips(max(0, (canvas.columns - row_width(faces, size)) // 2), y, faces, size, selected=cursor)


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
