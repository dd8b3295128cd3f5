"""What the dialogs about cards and their tags have in common: when they may go on, and how a card is named."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Generic, Protocol, TypeVar

from engine.cards import Card
from firmware.decks import Decks, Found, Kept
from firmware.desk import Desk
from firmware.dialogs import Close, Dialog, Outcome, Pick, Say, Shown
from firmware.seatview import TableText, Wording
from hal.cues import Cue
from hal.tags import RANDOM, Family, read_uid

DECK = "deck:"
"""How a choice begins that stands for a deck by its name."""
RANDOM_LENGTH = 4


class TagDesk(Protocol):
    """What such a dialog needs of the table."""

    @property
    def decks(self) -> Decks:
        """The decks of the table."""

    @property
    def quiet(self) -> bool:
        """Whether no card is in a hand."""


DeskT = TypeVar("DeskT", bound=TagDesk)


class OfTags(Dialog, Generic[DeskT]):
    """A dialog that is given tags, for as long as no card is in a hand: else it would betray one.

    The director's goes on then, too.
    """

    for_tags = True
    patience = 600.0

    def __init__(self, desk: DeskT, director: bool = False) -> None:
        self._desk = desk
        self._director = director

    @property
    def _may(self) -> bool:
        """Whether a card may be named now."""
        return self._director or self._desk.quiet

    def take(self, place: int, shown: Shown) -> Outcome:
        """A tag; while a deal runs it is no business of this dialog, which is over."""
        return self._take(shown) if self._may else Close(TableText("deal-runs", bad=True))

    def _take(self, shown: Shown) -> Outcome:
        raise NotImplementedError


def deck_fact(kept: Kept) -> tuple[str, str]:
    """The fact that names a deck."""
    return ("deck", f"{DECK}{kept.name}")


def named(card: Card, cards: Collection[Card]) -> Wording:
    """The words that name one of these cards: with its pack where there are two of it, a joker by its number."""
    if card.rank == "JK":
        jokers = sorted({card, *(one for one in cards if one.rank == "JK")})
        return Wording("joker-named", (("number", jokers.index(card) + 1),))
    if any(one.face == card.face and one != card for one in cards):
        return Wording("card-of-pack", (("card", card), ("pack", card.pack)))
    return Wording("card-named", (("card", card),))


def label(desk: Desk, card: Card, cards: Collection[Card]) -> str:
    """The same in the words of the table."""
    phrase = named(card, cards)
    return desk.words.short(phrase.code, **dict(phrase.facts))


def taken_by(found: Found, own: Kept) -> Say:
    """Which card a tag is in already."""
    if found.kept.name == own.name:
        return Say(TableText("tag-taken", (("card", found.card),), bad=True), Cue.DUPLICATE)
    return Say(TableText("tag-of-deck", (("card", found.card), deck_fact(found.kept)), bad=True), Cue.DUPLICATE)


class Doubts:
    """Tags that are to be shown twice before they are given to a card, for they are of another kind than the others."""

    def __init__(self) -> None:
        self._shown = ""

    def about(self, uid: str, own: Kept) -> Say | None:
        """What is said of a tag instead of taking it; None: it is well, or was shown once more."""
        data, family = read_uid(uid)
        if family is Family.TYPE_A and len(data) == RANDOM_LENGTH and data[0] == RANDOM:
            return Say(TableText("tag-random", bad=True))
        kinds = Counter((len(others), kind) for others, kind in map(read_uid, own.deck.cards))
        usual = max(kinds, key=kinds.__getitem__, default=None)
        if usual is None or usual == (len(data), family) or uid == self._shown:
            return None
        self._shown = uid
        return Say(TableText("tag-odd", (("size", len(data)), ("most", usual[0])), bad=True))


def pick_deck(prompt: str, names: Sequence[str], then: Callable[[str], Outcome]) -> Dialog:
    """A choice among decks."""
    return Pick(prompt, [f"{DECK}{name}" for name in names], lambda choice: then(choice.removeprefix(DECK)))
