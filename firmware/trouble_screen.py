"""The pictures of a table that cannot start: what is wrong and what to do, page by page."""

from PIL import Image

from firmware.drawing import Canvas
from firmware.glyphs import Font, wrap
from hal.panels import Panel

HEAD, FOOT = 9, 8
"""Rows of the head line with a gap, and of the foot line."""
_MANY = 99


def trouble_pages(title: str, texts: tuple[str, ...], foot: str, panel: Panel) -> list[Image.Image]:
    """All pages for a display. On 32 rows there is no foot line: the text needs the room."""
    columns, rows = panel.size
    low = rows < 64
    room = rows - HEAD - (0 if low else FOOT)
    font = Font.TINY if low else Font.SMALL
    lines = [line for text in texts for line in wrap(text, font, columns - 2, _MANY)]
    most = max(1, room // font.height)
    pages = [lines[start : start + most] for start in range(0, len(lines), most)] or [[]]
    pictures = []
    for number, page in enumerate(pages, 1):
        canvas = Canvas(columns, rows)
        canvas.strip(0, title, f"{number}/{len(pages)}" if len(pages) > 1 else "")
        for place, line in enumerate(page):
            canvas.text(1, HEAD + place * font.height, line, font)
        if not low:
            canvas.strip(rows - FOOT, foot, inverse=False)
        pictures.append(canvas.image)
    return pictures
