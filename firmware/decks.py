"""The decks of a table: which there are, where they are kept, and which one is in use.

A tag belongs to one card of one deck. A deck that comes in place of another is on disk before it counts.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from engine.cards import Card
from engine.phrases import Phrase
from firmware.deck import Deck, deck_of, read_row, read_text
from firmware.deck_text import unfinished, with_card, with_unfinished, without
from firmware.errors import FileError
from firmware.whole import write_whole

IN_USE = "deck"
"""The setting that says which deck was picked."""
COLOURS = ("red", "blue", "green", "black", "yellow", "white")
"""Names of decks that are enrolled at the table, in this order."""
ENDING = ".csv"


class Kept(NamedTuple):
    """A deck with its name, and the text of the file that it is kept in; without `path` it is kept in memory alone."""

    name: str
    deck: Deck
    text: str = ""
    path: Path | None = None

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that are still to get a tag, as its file says."""
        return unfinished(self.text)

    def with_tag(self, card: Card, uid: str) -> "Kept":
        """The deck with a tag in this card; what the card had before is forgotten."""
        return self._with(with_card(self.text, card, uid))

    def without(self, *cards: Card) -> "Kept":
        """The deck without the tags of these cards."""
        return self._with(without(self.text, cards))

    def marked(self, missing: Iterable[Card]) -> "Kept":
        """The deck with a note of the cards that are still to get a tag, in the order of the pack."""
        return self._with(with_unfinished(self.text, sorted(missing)))

    def _with(self, text: str) -> "Kept":
        return self._replace(text=text, deck=deck_of(text, str(self.path or self.name)))


class Shelf(NamedTuple):
    """The decks that a table starts with; `grows`: further ones can be enrolled there, and go into the `folder`."""

    kept: tuple[Kept, ...] = ()
    folder: Path | None = None
    grows: bool = False


class Found(NamedTuple):
    """Whose a tag is."""

    kept: Kept
    card: Card


def all_cards(shelf: Shelf) -> Deck | None:
    """The tags of all decks as one; None where there is no deck."""
    cards = {uid: card for kept in shelf.kept for uid, card in kept.deck.cards.items()}
    return Deck(cards) if shelf.kept else None


def made_up(deck: Deck, name: str) -> Kept:
    """A deck that no file has, kept in memory."""
    return Kept(name, deck, "".join(f"{uid}, {card}\n" for uid, card in deck.cards.items()))


def load(path: Path) -> Kept:
    """The deck in a file; raises `FileError` with the line, or OSError."""
    text = read_text(path)
    deck = deck_of(text, str(path))
    rows = (read_row(str(path), number, line) for number, line in enumerate(text.splitlines(), 1))
    named = next((row.deck for row in rows if row is not None), "")
    return Kept(named or path.stem, deck, text, path)


def load_all(paths: Iterable[Path]) -> tuple[Kept, ...]:
    """The decks in several files; raises `FileError` for a tag or a name that two of them have, or OSError."""
    loaded: list[Kept] = []
    for path in paths:
        kept = load(path)
        for other in loaded:
            check_apart(kept, other)
        loaded.append(kept)
    return tuple(loaded)


def check_apart(kept: Kept, other: Kept) -> None:
    """Raise `FileError` where two decks have a tag or a name in common."""
    if kept.name == other.name:
        problem = Phrase(
            "a second deck of the name {name!r}, as in {file}; expected a name for each deck",
            name=kept.name,
            file=other.path,
        )
        raise FileError(str(kept.path), 0, problem)
    twice = next((uid for uid in kept.deck.cards if uid in other.deck.cards), None)
    if twice is not None:
        line = _line_of(other, twice)
        first = Phrase("{card} of {file}:{line}", card=other.deck.cards[twice], file=other.path, line=line)
        problem = Phrase("tag {uid} is in {first} already; expected each tag in one deck", uid=twice, first=first)
        raise FileError(str(kept.path), _line_of(kept, twice), problem)


def _line_of(kept: Kept, uid: str) -> int:
    lines = enumerate(kept.text.splitlines(), 1)
    return next(number for number, line in lines if (row := read_row("", number, line)) and row.uid == uid)


def save(kept: Kept, before: Kept | None) -> None:
    """Have a deck on disk, whole or not at all, in place of the one `before`. Raises OSError, and `FileError` where the
    file is no longer as it was read: somebody else has changed it.
    """
    path = kept.path
    if path is None:
        return
    now = read_text(path) if path.exists() else None
    if now != (before.text if before is not None else None):
        raise FileError(str(path), 0, Phrase("changed by somebody else meanwhile; expected it as it was read"))
    write_whole(path, kept.text)


class Decks:
    """The decks of a table that runs."""

    def __init__(self, shelf: Shelf, in_use: str = "") -> None:
        self.shelf = shelf
        self.changes = 0
        """How often one was changed or taken into use."""
        self._kept = {kept.name: kept for kept in shelf.kept}
        self._in_use = in_use if in_use in self._kept else next(iter(self._kept), "")

    @property
    def kept(self) -> tuple[Kept, ...]:
        """All of them."""
        return tuple(self._kept.values())

    @property
    def in_use(self) -> Kept | None:
        """The one that is played with."""
        return self._kept.get(self._in_use)

    def get(self, name: str) -> Kept | None:
        """The deck of this name."""
        return self._kept.get(name)

    def find(self, uid: str) -> Found | None:
        """Whose a tag is: a card of the deck in use, or of another."""
        for kept in self._kept.values():
            card = kept.deck.card(uid)
            if card is not None:
                return Found(kept, card)
        return None

    def tags(self) -> list[str]:
        """The tags of all decks."""
        return [uid for kept in self._kept.values() for uid in kept.deck.cards]

    def put(self, kept: Kept) -> None:
        """Take a deck in place of the one of its name, or as a further one; the first one is in use."""
        self._kept[kept.name] = kept
        self._in_use = self._in_use or kept.name
        self.changes += 1

    def use(self, name: str) -> None:
        """Play with this deck from now on."""
        self._in_use = name
        self.changes += 1

    def free_names(self) -> list[str]:
        """Names that a further deck can have."""
        return [name for name in COLOURS if name not in self._kept] if self.shelf.grows else []

    def begun(self, name: str) -> Kept:
        """A further deck with no card yet."""
        folder = self.shelf.folder
        return Kept(name, Deck({}), "", folder / f"{name}{ENDING}" if folder is not None else None)
