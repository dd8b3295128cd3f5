"""A deck: which tag is in which card. A text file with a line `UID, CARD` for each; `#` starts a comment.

A third field may be the deck's name, and a heading `uid,card,deck` may stand at the top.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.cards import UNKNOWN, Card, parse_card, physical
from engine.phrases import Phrase, said_by
from firmware.errors import FileError
from hal.small_files import read_small
from hal.tags import read_uid, uid_text


class Deck(NamedTuple):
    """The cards of a deck by the canonical text of their tags: upper-case hex, two digits a byte, after
    the mark of the readers' family where it has one (`hal.tags`)."""

    cards: dict[str, Card]

    def card(self, uid: str) -> Card | None:
        """The card with this tag, or None for a tag of no card here."""
        return self.cards.get(uid)

    def uid(self, card: Card) -> str:
        """The tag in a card; raises KeyError for a card that is not in the deck."""
        return {held: uid for uid, held in self.cards.items()}[card]

    def held(self) -> set[Card]:
        """The cards of the deck."""
        return set(self.cards.values())


def simulated_deck(cards: Iterable[Card], number: int = 0) -> Deck:
    """A deck whose tags are made up, for a simulated table; those of another `number` are others."""
    return Deck({f"04A{number}{int(card):02X}5EC0DE80": card for card in cards})


class Row(NamedTuple):
    """A line of a deck file: a tag, its card, and the name of the deck, empty where none is said."""

    uid: str
    card: Card
    deck: str = ""


def read_deck(path: Path) -> Deck:
    """The deck in a file; raises `FileError` with the line, or OSError."""
    return deck_of(read_text(path), str(path))


def deck_of(text: str, name: str) -> Deck:
    """The deck that the text of the file `name` writes; raises `FileError` with the line."""
    cards: dict[str, Card] = {}
    lines: dict[str | Card, int] = {}
    named: tuple[str, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        row = read_row(name, number, line)
        if row is None:
            continue
        uid, card, deck = row
        if uid in lines:
            other = cards[uid]
            problem = Phrase(
                "tag {uid} is in {other} already (line {lines}); expected one card for each tag",
                uid=uid,
                other=other,
                lines=lines[uid],
            )
            raise FileError(name, number, problem)
        if card in lines:
            problem = Phrase(
                "{card} has a tag already (line {lines}); expected one tag a card", card=card, lines=lines[card]
            )
            raise FileError(name, number, problem)
        if named is not None and deck != named[0]:
            problem = Phrase(
                "deck {deck!r}, where line {line} says {other!r}; expected one deck a file (`tableref deck import` "
                "makes a file of each)",
                deck=deck,
                line=named[1],
                other=named[0],
            )
            raise FileError(name, number, problem)
        named = named or (deck, number)
        lines[uid] = lines[card] = number
        cards[uid] = card
    return Deck(cards)


def read_text(path: Path) -> str:
    """The text of a deck file, with the ends of its lines as they are; raises `FileError`, or OSError."""
    data = read_small(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            str(path), line, Phrase("not UTF-8 ({reason}); expected lines `UID, CARD`", reason=Phrase(error.reason))
        ) from None


def deck_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a deck file by number; raises `FileError`, or OSError."""
    yield from enumerate(read_text(path).splitlines(), 1)


def read_row(name: str, number: int, line: str) -> Row | None:
    """What a line says; None where it says nothing, as the heading of a table does. Raises `FileError`."""
    row = line.partition("#")[0].strip()
    fields = [part.strip() for part in row.split(",")]
    if not row or [field.lower() for field in fields[:2]] == ["uid", "card"]:
        return None
    if len(fields) not in (2, 3):
        problem = Phrase("cannot read {row!r}; expected `UID, CARD`, perhaps with a deck's name behind", row=row)
        raise FileError(name, number, problem)
    try:
        uid = uid_text(*read_uid(fields[0]))
        card = parse_card(fields[1])
    except ValueError as error:
        raise FileError(name, number, said_by(error)) from None
    if card == UNKNOWN:
        raise FileError(name, number, Phrase("a tag belongs to a known card; expected one such as 9D"))
    if len(fields) > 2 and _is_card(fields[2]):
        problem = Phrase("{field} is a second card; expected one, or a deck's name behind it", field=fields[2])
        raise FileError(name, number, problem)
    return Row(uid, physical(card), fields[2] if len(fields) > 2 else "")


def _is_card(text: str) -> bool:
    try:
        parse_card(text)
    except ValueError:
        return False
    return True
