"""A deck: which tag is in which card. A text file with a line `UID, CARD` for each; `#` starts a comment."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.cards import UNKNOWN, Card, parse_card, physical
from engine.phrases import Phrase, said_by
from firmware.errors import FileError
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


def simulated_deck(cards: Iterable[Card]) -> Deck:
    """A deck whose tags are made up: for a simulated table."""
    return Deck({f"04A0{int(card):02X}5EC0DE80": card for card in cards})


def read_deck(path: Path) -> Deck:
    """The deck in a file; raises `FileError` with the line, or OSError."""
    cards: dict[str, Card] = {}
    lines: dict[str | Card, int] = {}
    for number, line in deck_lines(path):
        row = read_row(str(path), number, line)
        if row is None:
            continue
        uid, card = row
        if uid in lines:
            other = cards[uid]
            problem = Phrase(
                "tag {uid} is in {other} already (line {lines}); expected one card for each tag",
                uid=uid,
                other=other,
                lines=lines[uid],
            )
            raise FileError(str(path), number, problem)
        if card in lines:
            raise FileError(
                str(path),
                number,
                Phrase(
                    "{card} has a tag already (line {lines}); expected one tag a card", card=card, lines=lines[card]
                ),
            )
        lines[uid] = lines[card] = number
        cards[uid] = card
    return Deck(cards)


def deck_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a deck file by number; raises `FileError`, or OSError."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            str(path), line, Phrase("not UTF-8 ({reason}); expected lines `UID, CARD`", reason=Phrase(error.reason))
        ) from None
    yield from enumerate(text.splitlines(), 1)


def read_row(name: str, number: int, line: str) -> tuple[str, Card] | None:
    """The tag and the card in a line; None where there is none. Raises `FileError`."""
    row = line.partition("#")[0].strip()
    if not row:
        return None
    uid, comma, word = (part.strip() for part in row.partition(","))
    if not comma:
        raise FileError(name, number, Phrase("cannot read {row!r}; expected `UID, CARD`", row=row))
    try:
        uid = uid_text(*read_uid(uid))
        card = parse_card(word)
    except ValueError as error:
        raise FileError(name, number, said_by(error)) from None
    if card == UNKNOWN:
        raise FileError(name, number, Phrase("a tag belongs to a known card; expected one such as 9D"))
    return uid, physical(card)
