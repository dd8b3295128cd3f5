"""A drawing as plain SVG: shapes, texts whose width is known beforehand, and the same bytes each time.

Coordinates are in units of a fifth of a millimetre, from the upper left; five of them to a millimetre on paper.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Literal, NamedTuple

FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
"""Common fonts, the widest first: what fits in that fits in the others."""
UNITS = 5
"""How many units a millimetre has on paper."""

Anchor = Literal["start", "middle", "end"]

_NARROW, _WIDE = "fijlt.,:;'’!|()[]/ -–·", "mwMW%@—½ЖМФШЩЮжмфшщю▶◀●○Ω→←"
_NARROW_WIDTH, _WIDE_WIDTH, _CAPITAL_WIDTH, _OTHER_WIDTH = 0.4, 1.0, 0.78, 0.65
_BOLD = 1.12
_ASCENT, _DESCENT = 0.78, 0.24


class Box(NamedTuple):
    """An area: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether both have some area in common; boxes that only touch do not meet."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )  # fmt: skip

    def holds(self, other: "Box") -> bool:
        """Whether the other is wholly within this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is at the most, in units; `size` is the font's."""
    widths = (
        _NARROW_WIDTH
        if letter in _NARROW
        else _WIDE_WIDTH
        if letter in _WIDE
        else _CAPITAL_WIDTH
        if letter.isupper()
        else _OTHER_WIDTH
        for letter in text
    )
    return sum(widths) * size * (_BOLD if bold else 1)


def cut(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, or as much of it as fits, with `…` behind it."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit; a word that does not is cut."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(cut(word, width, size))
    return lines


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `y` is its base line."""

    x: float
    y: float
    text: str
    size: float = 12
    anchor: Anchor = "start"
    bold: bool = False
    colour: str = "#1b1b1b"

    def moved(self, x: float, y: float) -> "Text":
        """The same elsewhere."""
        return replace(self, x=self.x + x, y=self.y + y)

    @property
    def box(self) -> Box:
        """The area that it takes at the most."""
        width = text_width(self.text, self.size, self.bold)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return Box(left, self.y - _ASCENT * self.size, left + width, self.y + _DESCENT * self.size)

    @property
    def svg(self) -> str:
        """The element."""
        anchor = "" if self.anchor == "start" else f' text-anchor="{self.anchor}"'
        weight = ' font-weight="bold"' if self.bold else ""
        return (
            f'<text x="{_said(self.x)}" y="{_said(self.y)}" font-size="{_said(self.size)}" fill="{self.colour}"'
            f"{anchor}{weight}>{escape(self.text, quote=False)}</text>"
        )


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; `round` is the radius of its corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    round: float = 0
    thick: float = 1

    def moved(self, x: float, y: float) -> "Rect":
        """The same elsewhere."""
        return replace(self, x=self.x + x, y=self.y + y)

    @property
    def box(self) -> Box:
        """Its area."""
        return Box(self.x, self.y, self.x + self.width, self.y + self.height)

    @property
    def svg(self) -> str:
        """The element."""
        corners = f' rx="{_said(self.round)}"' if self.round else ""
        return (
            f'<rect x="{_said(self.x)}" y="{_said(self.y)}" width="{_said(self.width)}" height="{_said(self.height)}"'
            f'{corners} fill="{self.fill}" stroke="{self.stroke}" stroke-width="{_said(self.thick)}"/>'
        )


@dataclass(frozen=True, slots=True)
class Wire:
    """A line through points; with `fill` an area with these corners."""

    points: tuple[tuple[float, float], ...]
    colour: str = "#1b1b1b"
    thick: float = 2
    fill: str = "none"

    def moved(self, x: float, y: float) -> "Wire":
        """The same elsewhere."""
        return replace(self, points=tuple((left + x, top + y) for left, top in self.points))

    @property
    def boxes(self) -> Iterator[Box]:
        """The area of each stretch of it."""
        half = self.thick / 2
        for (left, top), (right, bottom) in zip(self.points, self.points[1:], strict=False):
            yield Box(
                min(left, right) - half, min(top, bottom) - half, max(left, right) + half, max(top, bottom) + half
            )

    @property
    def svg(self) -> str:
        """The element."""
        points = " ".join(f"{_said(x)},{_said(y)}" for x, y in self.points)
        look = f'fill="{self.fill}" stroke="{self.colour}" stroke-width="{_said(self.thick)}"'
        return f'<polyline points="{points}" {look}/>'


@dataclass(frozen=True, slots=True)
class Dot:
    """A disc, or with `stroke` a ring."""

    x: float
    y: float
    radius: float
    fill: str = "#1b1b1b"
    stroke: str = "none"

    def moved(self, x: float, y: float) -> "Dot":
        """The same elsewhere."""
        return replace(self, x=self.x + x, y=self.y + y)

    @property
    def svg(self) -> str:
        """The element."""
        return (
            f'<circle cx="{_said(self.x)}" cy="{_said(self.y)}" r="{_said(self.radius)}"'
            f' fill="{self.fill}" stroke="{self.stroke}"/>'
        )


Shape = Text | Rect | Wire | Dot


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a drawing, drawn from its own upper left corner: a group of that name in the SVG."""

    name: str
    height: float
    shapes: tuple[Shape, ...]

    def moved(self, x: float, y: float) -> "Part":
        """The same elsewhere."""
        return replace(self, shapes=tuple(shape.moved(x, y) for shape in self.shapes))

    @property
    def svg(self) -> Iterator[str]:
        """The lines of the group."""
        yield f'<g id="{escape(self.name)}">'
        yield from (shape.svg for shape in self.shapes)
        yield "</g>"


def document(title: str, width: float, height: float, parts: Iterable[Part]) -> str:
    """The whole file, on white paper."""
    size = f'width="{_said(width / UNITS)}mm" height="{_said(height / UNITS)}mm"'
    view = f'viewBox="0 0 {_said(width)} {_said(height)}" role="img" font-family="{FONT}" stroke-linejoin="round"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>',
        f"<title>{escape(title, quote=False)}</title>",
        f'<rect width="{_said(width)}" height="{_said(height)}" fill="#ffffff"/>',
        *(line for part in parts for line in part.svg),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _said(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
