"""Changes in the text of a deck file: single lines are added, replaced or taken out, all others stay as they are."""

import re
from collections.abc import Callable, Iterable, Sequence

from engine.cards import Card, CardError, parse_card, physical
from firmware.deck import Row, read_row
from firmware.errors import FileError

_UNFINISHED = re.compile(r"\s*#\s*unfinished\s*:(.*)", re.IGNORECASE)
_UID = re.compile(r"(\s*)([^,#]*?)(\s*,.*)", re.DOTALL)


def with_card(text: str, card: Card, uid: str) -> str:
    """The text with this tag in a card: in the card's line where it has one, else in a new one behind all others."""
    lines = text.splitlines(keepends=True)
    deck = ""
    for place, line in enumerate(lines):
        row = _row(line)
        if row is None:
            continue
        deck = row.deck
        if row.card == card:
            lines[place] = _UID.sub(lambda found: f"{found[1]}{uid}{found[3]}", line, count=1)
            return "".join(lines)
    return _added(lines, f"{uid}, {card}" + (f", {deck}" if deck else ""))


def without(text: str, cards: Iterable[Card]) -> str:
    """The text without the lines of these cards."""
    gone = {*cards}
    return _kept(text, lambda line: (row := _row(line)) is None or row.card not in gone)


def with_unfinished(text: str, missing: Sequence[Card]) -> str:
    """The text with a comment that says which cards are still to get a tag; without one when none is."""
    rest = _kept(text, lambda line: _UNFINISHED.match(line) is None)
    if not missing:
        return rest
    lines = rest.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    return f"# unfinished: {' '.join(map(str, missing))}{end}{rest}"


def unfinished(text: str) -> tuple[Card, ...]:
    """The cards that the text says are still to get a tag; what it says of no card there is, is left out."""
    found = [match[1] for line in text.splitlines() if (match := _UNFINISHED.match(line))]
    cards: list[Card] = []
    for word in found[0].split() if found else ():
        try:
            cards.append(physical(parse_card(word)))
        except CardError:
            continue
    return tuple(cards)


def _row(line: str) -> Row | None:
    try:
        return read_row("", 0, line)
    except FileError:
        return None


def _kept(text: str, wanted: Callable[[str], bool]) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if wanted(line))


def _added(lines: list[str], line: str) -> str:
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines = [*lines[:-1], lines[-1] + end]
    return "".join([*lines, line + end])
