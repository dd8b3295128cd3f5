"""A list that is too long for the display: the picked one large in the middle, its neighbours at both sides.

A picked one that no font holds goes round in its box; its neighbours are cut, for they come to the middle themselves.
"""

from collections.abc import Sequence

from firmware.drawing import Align, Canvas
from firmware.glyphs import Font, width

_BETWEEN = 6


def draw_carousel(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """The choice under the cursor at `y` in a box, and as many before and after it as there is room for: the list goes
    round.
    """
    here = 0 if cursor is None else cursor
    picked, most = labels[here], canvas.columns - 8
    font = next((font for font in (Font.BOLD, Font.TEXT) if width(picked, font) <= most), Font.TEXT)
    columns = min(width(picked, font), most) + 8
    left = (canvas.columns - columns) // 2
    lit = cursor is not None
    canvas.box(left, y, columns, Font.BOLD.height + 2, filled=lit)
    top = y + 1 + (Font.BOLD.height - font.height) // 2
    canvas.going_round(left + 4, top, picked, font, columns - 8, inverse=lit)
    middle = y + (Font.BOLD.height - Font.TEXT.height) // 2 + 1
    before, after, step = left - _BETWEEN, left + columns + _BETWEEN, 1
    while step < len(labels) and before > 0 and after < canvas.columns:
        previous, following = labels[(here - step) % len(labels)], labels[(here + step) % len(labels)]
        canvas.text(before, middle, previous, Font.TEXT, align=Align.RIGHT, room=before)
        canvas.text(after, middle, following, Font.TEXT, room=canvas.columns - after)
        before -= width(previous, Font.TEXT) + _BETWEEN
        after += width(following, Font.TEXT) + _BETWEEN
        step += 1
