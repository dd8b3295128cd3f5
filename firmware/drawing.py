"""A canvas for the 1-bit displays: text, cards, choices, bars and rules on a picture of 128 by 64 pixels.

Everything is placed by its top left corner, in pixels. A display is written in pages of 8 rows, so what
changes together should share pages: a head line at `HEAD`, three rows of 16 at `ROWS` and a foot line at
`FOOT`, each a whole number of pages. Ink is lit pixels; "inverse" is dark ink in a lit box.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from PIL import Image, ImageDraw

from firmware.faces import Size, face_picture, face_width
from firmware.glyphs import Font, fit, render, width, wrap

HEAD: Final = 0
ROWS: Final = (8, 24, 40)
FOOT: Final = 56

_BETWEEN: Final = 24  # between the end of a text that goes round and its next beginning
_ARROW: Final = 5  # width of the triangle that says "more this way"
_GAP: Final = 2  # between neighbours in a row


class Align(StrEnum):
    """Which part of a text its `x` is."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


def page_of(widths: Sequence[int], selected: int, room: int, gap: int = _GAP) -> tuple[int, int]:
    """Which items of a row to show: (first, end) of the page that holds the selected one.

    The row is cut into pages from the left, so moving the selection inside a page moves nothing else. With
    more than one page, each leaves room for an arrow at both ends.
    """
    if sum(widths) + gap * (len(widths) - 1) <= room:
        return 0, len(widths)
    room -= 2 * (_ARROW + gap)
    first = 0
    used = 0
    for index, item in enumerate(widths):
        needed = item if index == first else used + gap + item
        if needed > room and index > first:
            if selected < index:
                return first, index
            first = index
            needed = item
        used = needed
    return first, len(widths)


class Canvas:
    """A picture to draw on. `image` is the result: mode "1", lit pixels set.

    `shift` is by how many pixels texts that go round have moved on; `round` is after how many the longest of those
    that were drawn is where it began (0: nothing goes round).
    """

    def __init__(self, columns: int = 128, rows: int = 64, shift: int = 0) -> None:
        self.image: Final = Image.new("1", (columns, rows))
        self.shift: Final = shift
        self.round = 0
        self._pen: Final = ImageDraw.Draw(self.image)

    @property
    def columns(self) -> int:
        """Width in pixels."""
        return self.image.width

    @property
    def rows(self) -> int:
        """Height in pixels."""
        return self.image.height

    def text(
        self,
        x: int,
        y: int,
        text: str,
        font: Font = Font.TEXT,
        *,
        align: Align = Align.LEFT,
        room: int | None = None,
        inverse: bool = False,
    ) -> int:
        """Write one line and return the column after it.

        `room` cuts the text with an ellipsis at so many pixels; without it the display's edge cuts it. The
        box of inverse text is a pixel wider on the left.
        """
        if room is not None:
            text = fit(text, font, room)
        mask = render(text, font)
        if align is Align.CENTRE:
            x -= mask.width // 2
        elif align is Align.RIGHT:
            x -= mask.width
        if inverse:
            self._fill(x - 1, y, mask.width + 1, mask.height, 1)
        self.image.paste(0 if inverse else 1, (x, y), mask)
        return x + mask.width

    def going_round(self, x: int, y: int, text: str, font: Font, room: int, *, inverse: bool = False) -> None:
        """Write one line in the middle of so many pixels; what is too long goes round there, by `shift`."""
        columns = width(text, font)
        if columns > room:
            self.round = max(self.round, columns + _BETWEEN)
        if columns <= room or not self.shift:
            text = fit(text, font, room)
            x += (room - width(text, font)) // 2
            self.image.paste(0 if inverse else 1, (x, y), render(text, font))
            return
        mask, whole = Image.new("1", (room, font.height)), render(text, font)
        start = -(self.shift % (columns + _BETWEEN))
        for left in (start, start + columns + _BETWEEN):
            mask.paste(whole, (left, 0))
        self.image.paste(0 if inverse else 1, (x, y), mask)

    def box(self, x: int, y: int, columns: int, rows: int, *, filled: bool) -> None:
        """A box with its four corner pixels left out."""
        self._box(x, y, columns, rows, filled=filled)

    def paragraph(
        self,
        x: int,
        y: int,
        text: str,
        font: Font = Font.TEXT,
        *,
        lines: int,
        room: int | None = None,
        align: Align = Align.LEFT,
        leading: int | None = None,
    ) -> int:
        """Write wrapped text in at most `lines` lines and return the row below it.

        `room` defaults to the display's right edge, `leading` (rows from line to line) to the font's height.
        """
        room = self.columns - x if room is None else room
        leading = font.height if leading is None else leading
        anchor = {Align.LEFT: x, Align.CENTRE: x + room // 2, Align.RIGHT: x + room}[align]
        for line in wrap(text, font, room, lines):
            self.text(anchor, y, line, font, align=align)
            y += leading
        return y

    def strip(self, y: int, left: str, right: str = "", font: Font = Font.TINY, *, inverse: bool = True) -> None:
        """A line over the whole width, as head or foot: `left` is cut to what `right` leaves of it."""
        if inverse:
            self._fill(0, y, self.columns, font.height, 1)
        ink = 0 if inverse else 1
        right = fit(right, font, self.columns - 2)
        start = self.columns - 1 - width(right, font)
        left = fit(left, font, start - 1 - (font.cell if right else 0))
        self.image.paste(ink, (1, y), render(left, font))
        self.image.paste(ink, (start, y), render(right, font))

    def rule(self, y: int, x: int = 0, length: int | None = None, *, dotted: bool = False) -> None:
        """A horizontal line, one pixel thick, to the right edge if no length is given."""
        end = self.columns if length is None else x + length
        for column in range(x, end, 2 if dotted else 1):
            self._pen.point((column, y), fill=1)

    def bar(self, x: int, y: int, columns: int, rows: int, fraction: float) -> None:
        """A framed bar that is full for 1 and empty for 0; values beyond are taken as these."""
        self._pen.rectangle((x, y, x + columns - 1, y + rows - 1), outline=1)
        filled = round(min(1.0, max(0.0, fraction)) * (columns - 4))
        self._fill(x + 2, y + 2, filled, rows - 4, 1)

    def chip(self, x: int, y: int, face: str, size: Size = Size.MEDIUM, *, selected: bool = False) -> int:
        """Draw a card and return the column after it. For `face` see `faces`; a selected card is lit as a whole."""
        picture = face_picture(face, size, selected=selected)
        self.image.paste(picture, (x, y))
        return x + picture.width

    def chips(
        self,
        x: int,
        y: int,
        faces: Sequence[str],
        size: Size = Size.MEDIUM,
        *,
        selected: int | None = None,
        room: int | None = None,
    ) -> None:
        """A row of cards; if wider than `room`, the page with the selected card, and arrows to the others."""
        widths = [face_width(face, size) for face in faces]
        for index, left in self._row(x, y, size.height, widths, selected, room, size.spacing):
            self.chip(left, y, faces[index], size, selected=index == selected)

    def hand(self, y: int, faces: Sequence[str], rows: int, *, selected: int | None = None) -> int:
        """All cards of a hand in a band `rows` high, in lines and as large as they fit; else one line by pages. The row
        below them.
        """
        for size in (Size.TALL, Size.MEDIUM, Size.SMALL):
            lines = self._flow(faces, size)
            if len(lines) * (size.height + 1) - 1 <= rows:
                break
        else:
            self.chips(0, y, faces, Size.MEDIUM, selected=selected)
            return y + Size.MEDIUM.height
        first = 0
        for line in lines:
            here = None if selected is None else selected - first
            self.chips(0, y, line, size, selected=here)
            first += len(line)
            y += size.height + 1
        return y - 1

    def _flow(self, faces: Sequence[str], size: Size) -> list[list[str]]:
        """The cards as lines that fit the width."""
        lines: list[list[str]] = []
        left = 0
        for face in faces:
            needed = face_width(face, size) + size.spacing
            if not lines or left + needed - size.spacing > self.columns:
                lines.append([])
                left = 0
            lines[-1].append(face)
            left += needed
        return lines

    def choices(
        self,
        y: int,
        labels: Sequence[str],
        selected: int | None,
        font: Font = Font.TEXT,
        *,
        x: int = 0,
        room: int | None = None,
    ) -> None:
        """A row of choices in boxes, the selected one inverse; by pages with arrows if they do not fit."""
        room = self.columns - x if room is None else room
        labels = [fit(label, font, room - 2 * (_ARROW + _GAP) - 6) for label in labels]
        widths = [width(label, font) + 6 for label in labels]
        for index, left in self._row(x, y, font.height + 2, widths, selected, room, _GAP):
            self._box(left, y, widths[index], font.height + 2, filled=index == selected)
            self.image.paste(0 if index == selected else 1, (left + 3, y + 1), render(labels[index], font))

    def mixed(self, y: int, labels: Sequence[str], faces: Sequence[str], selected: int | None) -> None:
        """Choices in boxes, then cards, in one row 14 rows high; by pages with arrows if they do not fit."""
        font, rows = Font.SMALL, Size.MEDIUM.height
        widths = [width(label, font) + 6 for label in labels] + [face_width(face, Size.MEDIUM) for face in faces]
        for index, left in self._row(0, y, rows, widths, selected, None, _GAP):
            if index >= len(labels):
                self.chip(left, y, faces[index - len(labels)], Size.MEDIUM, selected=index == selected)
                continue
            self._box(left, y, widths[index], rows, filled=index == selected)
            ink = 0 if index == selected else 1
            self.image.paste(ink, (left + 3, y + (rows - font.height) // 2), render(labels[index], font))

    def arrows(self, y: int) -> None:
        """Arrows at both edges: there is more this way and that way. `y` is their middle."""
        self._arrow(_ARROW - 1, y, -1)
        self._arrow(self.columns - _ARROW, y, 1)

    def _row(
        self,
        x: int,
        y: int,
        rows: int,
        widths: Sequence[int],
        selected: int | None,
        room: int | None,
        gap: int,
    ) -> Iterator[tuple[int, int]]:
        """Where the items of a row come: (index, x) of each one on the page shown. Draws the arrows."""
        room = self.columns - x if room is None else room
        first, end = page_of(widths, selected or 0, room, gap)
        if first > 0 or end < len(widths):
            middle = y + rows // 2
            if first > 0:
                self._arrow(x + _ARROW - 1, middle, -1)
            if end < len(widths):
                self._arrow(x + room - _ARROW, middle, 1)
            x += _ARROW + gap
        for index in range(first, end):
            yield index, x
            x += widths[index] + gap

    def _arrow(self, x: int, y: int, step: int) -> None:
        """A triangle whose base is at column `x`, pointing left for -1 and right for 1."""
        for column in range(_ARROW):
            reach = _ARROW - 1 - column
            self._pen.line((x + step * column, y - reach, x + step * column, y + reach), fill=1)

    def _box(self, x: int, y: int, columns: int, rows: int, *, filled: bool) -> None:
        """A box with its four corner pixels left out."""
        box = (x, y, x + columns - 1, y + rows - 1)
        self._pen.rectangle(box, outline=1, fill=1 if filled else 0)
        for corner in ((box[0], box[1]), (box[2], box[1]), (box[0], box[3]), (box[2], box[3])):
            self._pen.point(corner, fill=0)

    def _fill(self, x: int, y: int, columns: int, rows: int, ink: int) -> None:
        if columns > 0 and rows > 0:
            self._pen.rectangle((x, y, x + columns - 1, y + rows - 1), fill=ink)
