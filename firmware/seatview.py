"""What one seat's display shows, as plain values: the view of the game, and what the seat is in the middle of."""

from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import Card
from engine.values import Fact, Notice, Refusal
from engine.view import View

RANK = "rank:"
"""How a choice begins that stands for all cards of a rank, in a list too long to show."""


def items_of(ask: Ask) -> tuple[Token, ...]:
    """What buttons pick from, in order: the choices, the end of the group where it may end, the cards."""
    return (*ask.choices, *([END] if ask.end else []), *ask.cards)


class TableText(NamedTuple):
    """A message of the table itself, by its code in the catalogue."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()
    bad: bool = False
    """Whether it tells of something that went wrong."""


Message = Refusal | Notice | TableText

MESSAGES = (
    "button-stuck",
    "cards-open",
    "counted-already",
    "deal-runs",
    "dealt-already",
    "deck-changed",
    "deck-not-saved",
    "deck-unfinished",
    "device-lost",
    "disk-full",
    "does-not-fit",
    "draw-again",
    "locked",
    "match-over",
    "name-taken",
    "not-asked",
    "not-of-this-game",
    "not-saved",
    "not-yours-to-undo",
    "one-at-a-time",
    "one-place",
    "options-clash",
    "other-deck",
    "pad-is-for-dealing",
    "seat-deals",
    "shown-already",
    "still-dealing",
    "tag-is-old",
    "tag-odd",
    "tag-of-deck",
    "tag-random",
    "tag-replaced",
    "tag-taken",
    "unknown-tag",
    "value-out-of-range",
    "withdrawn",
)
"""The codes of all that the table itself says to a seat while it runs."""


class Phrase(NamedTuple):
    """Words of the table on a sheet, by their code in the catalogue."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()


class Sheet(NamedTuple):
    """The table's own business with a seat, apart from the game: a question, and what stands above its choices.

    The words of the question's prompt are given `facts`. `labels` are the words of choices that no catalogue knows,
    such as names. `big` is a few words that stand above the sentence of `text`; `typed` is what was typed so far.
    `start` is the choice that is picked out at first, so that OK alone takes it; None: none is.
    """

    ask: Ask
    facts: tuple[tuple[str, Fact], ...] = ()
    big: Phrase | None = None
    text: Phrase | None = None
    typed: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    start: int | None = None


class DealingView(NamedTuple):
    """A deal in progress: who deals, to whom the next card goes (0: nobody, the dealer says when done).

    `counts` are the cards read so far by seat, `size` how many each gets; nothing about faces. `wanted` is the line of
    the deal that needs a card now, such as `turn-up`; `shown` is how many lie open. `again` is a seat and the number of
    its card, from 1, that is to be read once more before the deal goes on.
    """

    dealer: int
    next_seat: int
    counts: tuple[int, ...]
    size: int
    wanted: str | None = None
    shown: int = 0
    again: tuple[int, int] | None = None


class SeatView(NamedTuple):
    """Everything that a seat's display is drawn from, and everything that a player there may know.

    `seat` is 0 for a place at the table where nobody plays. `ask` is the question to this seat, `cursor` the place of
    the choice or card that is picked out (None: none, and private cards are not shown), `given` what it has given so
    far. `lost` names devices of this seat that are off.
    """

    seat: int
    view: View
    ask: Ask | None
    cursor: int | None
    given: tuple[Token, ...]
    message: Message | None
    dealing: DealingView | None
    peeking: bool
    tapping: bool
    """Whether the seat has a reader that cards can be shown to."""
    names: tuple[str, ...]
    lost: tuple[str, ...]
    sheet: Sheet | None = None
    """The table's own business with this seat, which goes before the game."""
    offered: tuple[Card, ...] = ()
    """The cards that may be given now, also where the question on the display is narrowed to their ranks."""
