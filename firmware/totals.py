"""How the match stands, as long as there is room: the own side before the others, and the score that ends it.

A sentence goes before it. Beside one that leaves little room stands the own total alone; all of them are there whenever
the player peeks, and when the match is over.
"""

from engine.view import Score
from firmware.glyphs import Font, width

_MANY = 2
"""Sides beyond which not all totals have room beside a sentence."""
_BETWEEN = 7
"""Columns that part a text from the totals beside it, and both from the edges."""


def totals_of(score: Score, seat: int) -> tuple[str, ...]:
    """The totals, the own side first."""
    pairs = zip(score.sides, score.totals, strict=True)
    return tuple(str(total) for _, total in sorted(pairs, key=lambda pair: seat not in pair[0]))


def forms_of(score: Score, seat: int) -> tuple[str, ...]:
    """What can be said of the score, from all of it to nothing."""
    totals = totals_of(score, seat)
    every, own = ":".join(totals), totals[0] if any(seat in side for side in score.sides) else ""
    return (f"{every}→{score.target}", every, *([f"{own}→{score.target}", own] if own else []), "")


def totals_beside(score: Score, seat: int, text: str, columns: int) -> str:
    """The most of the score that has room on one line of small letters beside a text, whole or not at all."""
    room = columns - _BETWEEN - width(text, Font.TINY)
    return next((form for form in forms_of(score, seat) if width(form, Font.TINY) <= room), "")


def room_beside(score: Score, seat: int, columns: int) -> int:
    """Columns for a text whose names may be cut for the totals: all of two sides, of more the own one alone."""
    every, own = (forms_of(score, seat)[1], totals_of(score, seat)[0])
    return columns - _BETWEEN - 1 - width(own if len(score.sides) > _MANY else every, Font.TINY)


def final_lines(score: Score, seat: int, columns: int) -> tuple[list[str], Font]:
    """All totals in one line as large as it fits, else in two; and their font."""
    totals = totals_of(score, seat)
    for font in (Font.LARGE, Font.TITLE, Font.BOLD, Font.TEXT, Font.SMALL):
        line = " : ".join(totals)
        if width(line, font) <= columns:
            return [line], font
    half = (len(totals) + 1) // 2
    return [" : ".join(totals[:half]), " : ".join(totals[half:])], Font.SMALL
