"""A list that is too long for the display: the picked one large in the middle, its neighbours at both sides.

A picked one that no font holds goes round in its box. Its neighbours are whole; where one has no room, arrows say that
there are more.
"""

from collections.abc import Sequence

from firmware.drawing import Align, Canvas
from firmware.glyphs import Font, width

_BETWEEN = 6
_EDGE = 8
"""Columns of an arrow at the edge."""


def draw_carousel(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """The choice under the cursor at `y` in a box, and as many before and after it as there is room for: the list goes
    round.
    """
    here = 0 if cursor is None else cursor
    picked, most = labels[here], canvas.columns - 8 - 2 * _EDGE
    font = next((font for font in (Font.BOLD, Font.TEXT) if width(picked, font) <= most), Font.TEXT)
    columns = min(width(picked, font), most) + 8
    left = (canvas.columns - columns) // 2
    lit = cursor is not None
    canvas.box(left, y, columns, Font.BOLD.height + 2, filled=lit)
    top = y + 1 + (Font.BOLD.height - font.height) // 2
    canvas.going_round(left + 4, top, picked, font, columns - 8, inverse=lit)
    middle, rows = y + (Font.BOLD.height - Font.TEXT.height) // 2 + 1, Font.BOLD.height + 2
    before, after = left - _BETWEEN, left + columns + _BETWEEN
    others = len(labels) - 1
    back = forth = 0
    open_left = open_right = others > 0
    while back + forth < others and (open_left or open_right):
        if open_right:
            text = labels[(here + forth + 1) % len(labels)]
            open_right = after + width(text, Font.TEXT) <= canvas.columns - _EDGE
            if open_right:
                canvas.text(after, middle, text, Font.TEXT)
                after, forth = after + width(text, Font.TEXT) + _BETWEEN, forth + 1
        if open_left and back + forth < others:
            text = labels[here - back - 1]
            open_left = before - width(text, Font.TEXT) >= _EDGE
            if open_left:
                canvas.text(before, middle, text, Font.TEXT, align=Align.RIGHT)
                before, back = before - width(text, Font.TEXT) - _BETWEEN, back + 1
    if back + forth < others:
        canvas.arrows(y + rows // 2)
