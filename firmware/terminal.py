"""Displays shown in a terminal: pictures as braille, in panels, with the log beside or below them.

A braille cell holds two by four pixels, so a display of 128 by 64 takes 64 by 16 cells and the whole of it,
with its border, fits a terminal of 80 by 24 with six lines to spare. All functions make lines of text; only
`Screen` writes to a stream.
"""

import os
import unicodedata
from collections.abc import Sequence
from typing import Final, Self, TextIO

from PIL import Image

_BRAILLE: Final = 0x2800
# Bit of each dot, by row and then column: Unicode numbers dots 1-3 and 7 down the left, 4-6 and 8 down the right.
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

_LOG_LINES: Final = 4  # no second row of displays is opened if fewer lines than this are left below it
_LOG_COLUMNS: Final = 28  # narrowest log worth putting beside the displays
_GAP: Final = 1

_ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # other screen, no cursor, no wrapping
_LEAVE: Final = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
_CLEAR: Final = "\x1b[2J"


def braille(image: Image.Image) -> list[str]:
    """A 1-bit picture as lines of braille, a dot for a lit pixel; what lacks to a whole cell is dark."""
    columns, rows = (image.width + 1) // 2, (image.height + 3) // 4
    padded = Image.new("1", (columns * 2, rows * 4))
    padded.paste(image.convert("1"), (0, 0))
    lit = padded.convert("L").tobytes()
    stride = columns * 2
    lines = []
    for row in range(rows):
        line = ""
        for column in range(columns):
            dots = 0
            for down in range(4):
                at = (row * 4 + down) * stride + column * 2
                left, right = _DOTS[down]
                dots |= (left if lit[at] else 0) | (right if lit[at + 1] else 0)
            line += chr(_BRAILLE + dots)
        lines.append(line)
    return lines


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes: wide East Asian characters two, combining marks none."""
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def plain(text: str) -> str:
    """`text` without control characters, so that no name or message can steer the terminal."""
    return "".join(
        " " if char.isspace() else char
        for char in text
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    )


def clip(text: str, columns: int) -> str:
    """`text` filled up with spaces, or cut with an ellipsis, to exactly so many columns."""
    text = plain(text)
    used = cells(text)
    if used <= columns:
        return text + " " * (columns - used)
    left = columns - 1
    kept = ""
    for char in text:
        left -= _cells(char)
        if left < 0:
            break
        kept += char
    kept += "…" if columns > 0 else ""
    return kept + " " * (columns - cells(kept))


def panel(image: Image.Image, title: str, led_on: bool) -> list[str]:
    """One display in a border: the title and the seat's LED (● lit, ○ dark) in its top line."""
    picture = braille(image)
    inner = len(picture[0])
    head = f" {'●' if led_on else '○'} {plain(title)} "
    if cells(head) > inner - 1:
        head = clip(head.rstrip(), inner - 1)
    top = "╭─" + head + "─" * (inner - 1 - cells(head)) + "╮"
    return [top, *(f"│{line}│" for line in picture), "╰" + "─" * inner + "╯"]


def layout(panels: Sequence[Sequence[str]], log: Sequence[str], columns: int, rows: int, first: int = 0) -> list[str]:
    """The whole terminal as exactly `rows` lines of `columns` columns.

    As many panels as fit are shown in their order, starting with number `first` (the acting seat) and going
    round the table; the newest log lines come beside them if the terminal is wide enough, else below. A
    terminal too small for one panel shows its top left part.
    """
    if columns <= 0 or rows <= 0:
        return []
    if not panels:
        return _log(log, columns, rows)
    wide, high = cells(panels[0][0]), len(panels[0])
    across, down = grid(len(panels), wide, high, columns, rows)
    order = [panels[(first + step) % len(panels)] for step in range(min(len(panels), across * down))]
    shown = []
    for row in range(0, len(order), across):
        beside = order[row : row + across]
        shown += [(" " * _GAP).join(parts) for parts in zip(*beside, strict=True)]
    used = min(across, len(order)) * (wide + _GAP) - _GAP
    hidden = len(panels) - len(order)
    title = f"+{hidden}" if hidden else ""
    side = columns - used - _GAP
    if side >= _LOG_COLUMNS:
        beside_log = _log(log, side, rows, title)
        shown = [clip(line, used) for line in [*shown, *[""] * rows][:rows]]
        return [left + " " * _GAP + right for left, right in zip(shown, beside_log, strict=True)]
    shown = [clip(line, columns) if used <= columns else line[:columns] for line in shown[:rows]]
    return shown + _log(log, columns, rows - len(shown), title)


def grid(count: int, wide: int, high: int, columns: int, rows: int) -> tuple[int, int]:
    """How many panels of `wide` by `high` to put (across, down): at least one, no more rows than needed."""
    across = max(1, min(count, (columns + _GAP) // (wide + _GAP)))
    side = columns - across * (wide + _GAP)
    free = rows if side >= _LOG_COLUMNS else rows - _LOG_LINES
    down = max(1, min(free // high, -(-count // across)))
    return across, down


def _log(log: Sequence[str], columns: int, rows: int, title: str = "") -> list[str]:
    """The newest entries under a rule with `title`, filled up to `rows`; long ones are broken, not cut."""
    if rows <= 0:
        return []
    head = f"─ {title} " if title else ""
    lines: list[str] = []
    for entry in reversed(log):
        more = _broken(plain(entry), columns)
        if len(lines) + len(more) > rows - 1:
            # Whole entries only; but the newest one is shown as far as it goes.
            lines = lines or more[: rows - 1]
            break
        lines = more + lines
    return [
        clip(head + "─" * (columns - cells(head)), columns),
        *(clip(line, columns) for line in lines),
        *[" " * columns] * (rows - 1 - len(lines)),
    ]


def _broken(text: str, columns: int) -> list[str]:
    """`text` in lines of at most so many columns, at spaces where possible; later lines are set in by two."""
    lines = []
    indent = ""
    while cells(indent + text) > columns > 2:
        room = columns - len(indent)
        count = 0
        while cells(text[: count + 1]) <= room:
            count += 1
        count = max(1, count)
        space = text.rfind(" ", 1, count + 1)
        if space > 0:
            count = space
        lines.append(indent + text[:count].rstrip())
        text = text[count:].lstrip()
        indent = "  "
    return [*lines, indent + text]


class Screen:
    """Draws lines on a terminal, sending only those that changed since the last time.

    A context manager: leaving it, for whatever reason, gives back the former screen, cursor and wrapping. It
    holds no thread and no signal handler; the caller turns signals into exceptions and asks for the `size`
    before each draw.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._size = (0, 0)
        self._lines: list[str] = []
        self._open = False

    @property
    def size(self) -> os.terminal_size:
        """The columns and lines of the terminal as it is now; 80 by 24 where there is none. Asked of the stream itself:
        `shutil` asks the one that the process was started with, which may have been taken apart.
        """
        try:
            return os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError):
            return os.terminal_size((80, 24))

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Take the terminal over: other screen, cursor hidden. Nothing happens if it is open."""
        if not self._open:
            # Set first: if the write is interrupted half way, closing must still restore.
            self._open = True
            self._write(_ENTER)

    def draw(self, lines: Sequence[str], columns: int, rows: int) -> None:
        """Show `lines` from the top of a terminal of that size; at another size than before all is drawn anew.

        OSError if the terminal is gone.
        """
        # Full width: erasing to the end of the line would take the last column's character with it.
        lines = [clip(line, columns) for line in lines[:rows]]
        parts = []
        if (columns, rows) != self._size:
            parts.append(_CLEAR)
            self._lines = []
        blank = " " * columns
        before = self._lines + [blank] * (len(lines) - len(self._lines))
        for number, (old, new) in enumerate(zip(before, lines, strict=False), start=1):
            if old != new:
                parts.append(f"\x1b[{number};1H{new}")
        parts += [f"\x1b[{number};1H\x1b[2K" for number in range(len(lines) + 1, len(self._lines) + 1)]
        if parts:
            # Forgotten until all of it is written, so that a write that fails is followed by a full one.
            self._size = (0, 0)
            self._write("".join(parts))
        self._size = (columns, rows)
        self._lines = list(lines)

    def close(self) -> None:
        """Restore the terminal. Nothing happens if it is closed; a terminal that is gone needs no restoring."""
        if self._open:
            self._open = False
            self._size = (0, 0)
            try:
                self._write(_LEAVE)
            except OSError:
                return

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
