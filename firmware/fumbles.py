"""What hands do to cards and readers without meaning it, by name: for table scripts, and for bots that are clumsy.

A fumble is a row of touches: which tag comes onto which reader or leaves it, and how long that takes.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

BRUSH = 0.05
"""Seconds that a card touches a reader which only brushes past it: less than any reader's settle time."""
SHOWN = 0.3
"""Seconds that a card is held to a reader."""
APART = 0.6
"""Seconds after which a card that was taken away has left for certain."""
STRANGERS = ("04FFF001", "04FFF002", "04FFF003")
"""Tags of cards of another deck."""


class Fumble(StrEnum):
    """The fumbles by their names in table scripts."""

    BUMPED_CARD = "bumped-card"
    """A card brushes past the reader."""
    LIFTED_TOO_EARLY = "lifted-too-early"
    """A card is taken away before it is read, and shown again."""
    PUT_BACK = "put-back"
    """A card is shown, taken away, and shown once more."""
    TWO_CARDS = "two-cards"
    """Two cards are held to the reader together; then they are taken away."""
    NEIGHBOURS_PAD = "neighbours-pad"
    """A card is shown to the reader of another seat."""
    WRONG_DECK = "wrong-deck"
    """A card of another deck is shown."""
    PILE = "pile"
    """A pile is laid down on the reader, and taken up again."""

    @property
    def cards(self) -> int:
        """How many cards of the deck it needs."""
        return _CARDS.get(self, 1)


_CARDS = {Fumble.TWO_CARDS: 2, Fumble.WRONG_DECK: 0, Fumble.PILE: 0}


class Touch(NamedTuple):
    """After so many seconds tags are laid on a reader, or taken off it."""

    after: float
    reader: str
    tags: tuple[str, ...]
    down: bool


def touches(fumble: Fumble, reader: str, tags: Sequence[str], other: str = "") -> tuple[Touch, ...]:
    """What happens on the readers: at `reader`, with the tags of the cards; `other` is the neighbour's reader. The
    first touch comes at once, and after the last one the cards have left for certain.
    """

    def shown(*held: str, seconds: float = SHOWN, at: str = reader, after: float = 0.0) -> tuple[Touch, Touch]:
        return Touch(after, at, held, down=True), Touch(seconds, at, held, down=False)

    match fumble:
        case Fumble.BUMPED_CARD:
            return shown(tags[0], seconds=BRUSH)
        case Fumble.LIFTED_TOO_EARLY:
            return *shown(tags[0], seconds=BRUSH), *shown(tags[0], after=APART)
        case Fumble.PUT_BACK:
            return *shown(tags[0]), *shown(tags[0], after=APART)
        case Fumble.TWO_CARDS:
            return shown(*tags[:2])
        case Fumble.NEIGHBOURS_PAD:
            return shown(tags[0], at=other)
        case Fumble.WRONG_DECK:
            return shown(STRANGERS[0])
        case Fumble.PILE:
            return shown(*STRANGERS, seconds=1.0)


def act_out(touched: Sequence[Touch], place: Callable[[str, str], None], lift: Callable[[str, str], None],
            wait: Callable[[float], None]) -> None:  # fmt: skip
    """Do all of it, and let the time pass that it takes, until the cards have left."""
    for touch in touched:
        wait(touch.after)
        for tag in touch.tags:
            (place if touch.down else lift)(touch.reader, tag)
    wait(APART)
