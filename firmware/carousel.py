"""A list that is too long for the display: the picked one large in the middle, its neighbours at both sides."""

from collections.abc import Sequence

from firmware.drawing import Align, Canvas
from firmware.glyphs import Font, fit, width

_BETWEEN = 6


def draw_carousel(canvas: Canvas, y: int, labels: Sequence[str], cursor: int | None) -> None:
    """The choice under the cursor at `y` in a box, and as many before and after it as there is room for: the list goes
    round.
    """
    here = 0 if cursor is None else cursor
    picked = fit(labels[here], Font.BOLD, canvas.columns - 24)
    columns = width(picked, Font.BOLD) + 8
    left = (canvas.columns - columns) // 2
    canvas.choices(y, [picked], None if cursor is None else 0, Font.BOLD, x=left)
    middle = y + (Font.BOLD.height - Font.TEXT.height) // 2 + 1
    before, after, step = left - _BETWEEN, left + columns + _BETWEEN, 1
    while step < len(labels) and before > 0 and after < canvas.columns:
        previous, following = labels[(here - step) % len(labels)], labels[(here + step) % len(labels)]
        canvas.text(before, middle, previous, Font.TEXT, align=Align.RIGHT, room=before)
        canvas.text(after, middle, following, Font.TEXT, room=canvas.columns - after)
        before -= width(previous, Font.TEXT) + _BETWEEN
        after += width(following, Font.TEXT) + _BETWEEN
        step += 1
