"""The memory of a display's chip, a byte for eight rows of a column, and the least of it that has to be written.

A page is eight rows (SSD1306 datasheet, section 8.7; SH1106: "Page address circuit"). Everything here is a value and
knows no bus.
"""

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image


class Rect(NamedTuple):
    """Columns from `left` to before `right`, in the pages from `top` to before `bottom`."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def size(self) -> int:
        """Bytes of data."""
        return (self.right - self.left) * (self.bottom - self.top)


def pages_of(image: Image.Image) -> bytes:
    """A '1' image, whose height is whole pages, as memory: by page, then column; bit 0 is the top row of a page."""
    count = image.height // 8
    # Turned by a quarter, eight rows of a column lie in one byte, and the pages of a column side by side.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[count - 1 - page :: count] for page in range(count))


def whole(width: int, data: bytes) -> Rect:
    """All of a memory of that width."""
    return Rect(0, width, 0, len(data) // width)


def changes(old: bytes, new: bytes, width: int, header: int, *, windows: bool) -> list[Rect]:
    """What to write so that a memory holds `new` instead of `old`.

    `header` is what each rectangle costs beside its data, in bytes on the wire: a gap that is no longer than that is
    written too. `windows` says whether the chip takes rectangles of several pages.
    """
    done: list[Rect] = []
    above: list[Rect] = []  # those that end where this page begins
    for page in range(len(new) // width):
        start, end = page * width, (page + 1) * width
        runs = [Rect(left, right, page, page + 1) for left, right in _runs(old[start:end], new[start:end], header)]
        if windows:
            runs = [_joined(run, above, header) for run in runs]
        done += above
        above = runs
    return done + above


def part(data: bytes, width: int, rect: Rect) -> bytes:
    """The data of a rectangle, page by page."""
    left, right, top, bottom = rect
    return b"".join(data[page * width + left : page * width + right] for page in range(top, bottom))


def patched(old: bytes, new: bytes, width: int, rect: Rect) -> bytes:
    """What the memory holds that held `old`, once this rectangle of `new` was written."""
    memory = bytearray(old)
    for page in range(rect.top, rect.bottom):
        run = slice(page * width + rect.left, page * width + rect.right)
        memory[run] = new[run]
    return bytes(memory)


def _runs(old: bytes, new: bytes, header: int) -> Iterator[tuple[int, int]]:
    """The changed columns of one page; a gap is bridged when that costs no more than another header."""
    if old == new:
        return
    left = right = -1
    for column, (before, after) in enumerate(zip(old, new, strict=True)):
        if before == after:
            continue
        if left < 0:
            left = column
        elif column - right > header:
            yield left, right
            left = column
        right = column + 1
    yield left, right


def _joined(run: Rect, above: list[Rect], header: int) -> Rect:
    """A run together with the rectangle above it, when one rectangle costs no more than both; taken off `above`."""
    for index, upper in enumerate(above):
        both = Rect(min(run.left, upper.left), max(run.right, upper.right), upper.top, run.bottom)
        if both.size <= run.size + upper.size + header:
            del above[index]
            return both
    return run
