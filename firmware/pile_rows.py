"""Piles, discard lines and melds on a display: what lies on the table in games that are not played in tricks."""

from collections.abc import Sequence

from engine.cards import CARDS, Card
from engine.pieces import piece_card, piece_face
from engine.view import Hand, Line, Piles
from firmware.choice_rows import row_width
from firmware.drawing import Align, Canvas
from firmware.faces import Size, face_width
from firmware.glyphs import Font, width
from firmware.words import Length, Words

_TOP = 9
_BESIDE = 20
"""The column where texts beside a tall top card begin."""


def draw_piles(canvas: Canvas, words: Words, piles: Piles, line: Line | None, counts: str) -> None:
    """The top card, or the end of the discard line with the newest card last, and what is left to draw from."""
    stock = "" if piles.stock is None else words.table("stock", Length.OLED, count=piles.stock)
    if line is not None and len(line.cards) > 1:
        _draw_line(canvas, words, line.cards)
        if width(stock, Font.SMALL) + width(counts, Font.TINY) > canvas.columns - 8:
            stock = str(piles.stock)
        canvas.text(1, _TOP + 15, stock, Font.SMALL)
        _draw_counts(canvas, words, width(stock, Font.SMALL) + 8, counts)
        return
    if piles.top is not None:
        canvas.chip(1, _TOP, words.card(piles.top), Size.TALL)
    canvas.text(_BESIDE, _TOP, stock, Font.TEXT)
    _draw_counts(canvas, words, _BESIDE, counts)


def _draw_counts(canvas: Canvas, words: Words, x: int, counts: str) -> None:
    """How many cards the seats hold at the right, and what that is as far as there is room for it after `x`."""
    said, y = words.table("hands", Length.OLED), _TOP + 17
    left = canvas.columns - 1 - width(counts, Font.TINY)
    canvas.text(left, y, counts, Font.TINY)
    if counts and left - 4 - width(said, Font.TINY) >= x:
        canvas.text(left - 4 - width(said, Font.TINY), y, said, Font.TINY)


def draw_piles_small(canvas: Canvas, words: Words, piles: Piles, line: Line | None) -> None:
    """The same in one row, while the seat chooses something."""
    if line is not None and len(line.cards) > 1:
        _draw_line(canvas, words, line.cards)
    elif piles.top is not None:
        canvas.chip(1, _TOP, words.card(piles.top), Size.MEDIUM)
        if piles.stock is not None:
            stock = words.table("stock", Length.OLED, count=piles.stock)
            canvas.text(127, _TOP + 2, stock, Font.SMALL, align=Align.RIGHT)


def _draw_line(canvas: Canvas, words: Words, cards: Sequence[Card]) -> None:
    """The end of a line of cards: as many as fit; what is further back is hinted at by dots."""
    faces = [words.card(card) for card in cards]
    room, shown = canvas.columns - 8, len(faces)
    while shown > 1 and row_width(faces[-shown:], Size.MEDIUM) > room:
        shown -= 1
    x = canvas.columns - row_width(faces[-shown:], Size.MEDIUM)
    if shown < len(faces):
        canvas.text(x - 8, _TOP + 2, "…", Font.SMALL)
    for face in faces[-shown:]:
        canvas.chip(x, _TOP, face, Size.MEDIUM)
        x += face_width(face, Size.MEDIUM) + Size.MEDIUM.spacing


def hand_counts(hands: Sequence[Hand]) -> str:
    """How many cards each seat holds, the viewer's first."""
    return ":".join(str(len(hand.cards) + hand.unknown) for hand in hands)


def meld_name(words: Words, number: int, pieces: Sequence[int]) -> str:
    """An own meld by its number, and the first and the last card that it stands for."""
    faces = [words.card(face if (face := piece_face(piece)) is not None else CARDS[piece_card(piece)])
             for piece in pieces]  # fmt: skip
    return f"{number}: {faces[0]}–{faces[-1]}"
