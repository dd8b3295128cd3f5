"""What one seat's display shows, as plain values: the view of the game, and what the seat is in the middle of."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import Card
from engine.values import Fact, Notice, Refusal
from engine.view import View
from firmware.ways import Way

PICK = "pick:"
"""How a choice begins that stands for cards in a list too long for one row: `pick:H`, `pick:2H-4H`, `pick:KH`."""


def verbs_of(ask: Ask) -> tuple[str, ...]:
    """The choices of a question that stand for no cards."""
    return tuple(choice for choice in ask.choices if not choice.startswith(PICK))


def picks_of(ask: Ask) -> tuple[str, ...]:
    """The choices of a question that stand for cards."""
    return tuple(choice for choice in ask.choices if choice.startswith(PICK))


def items_of(ask: Ask) -> tuple[Token, ...]:
    """What buttons pick from, in order: the choices, the end of the group where it may end, the cards, or what stands
    for them.
    """
    return (*verbs_of(ask), *([END] if ask.end else []), *picks_of(ask), *ask.cards)


class TableText(NamedTuple):
    """A message of the table itself, by its code in the catalogue."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()
    bad: bool = False
    """Whether it tells of something that went wrong."""


Message = Refusal | Notice | TableText

MESSAGES = (
    "asked-already",
    "assent-lost",
    "assent-void",
    "before-scanning",
    "button-stuck",
    "cards-given",
    "cards-open",
    "corrected",
    "counted-already",
    "deal-lost",
    "deal-runs",
    "dealt-already",
    "deck-changed",
    "deck-not-saved",
    "deck-reread",
    "deck-unfinished",
    "deck-unread",
    "device-lost",
    "director-card-wanted",
    "disk-full",
    "disk-low",
    "log-lost",
    "save-late",
    "does-not-fit",
    "draw-again",
    "gone-on",
    "hand-full",
    "in-your-hand",
    "journal-kept",
    "lies-elsewhere",
    "lift-first",
    "line-refused",
    "locked",
    "match-over",
    "misdeal",
    "missing",
    "moved-away",
    "name-taken",
    "no-score",
    "not-asked",
    "not-kept",
    "not-of-this-game",
    "not-saved",
    "noted",
    "one-at-a-time",
    "one-place",
    "options-clash",
    "other-deck",
    "own-reader",
    "pad-is-for-dealing",
    "pin-length",
    "pin-once-more",
    "pin-set",
    "pin-wait",
    "pins-differ",
    "played-by",
    "read-here",
    "read-there",
    "refused-by",
    "restarted",
    "seat-deals",
    "show-missing",
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
    "wish-withdrawn",
    "withdrawn",
    "wrong-pin",
)
"""The codes of all that the table itself says to a seat while it runs."""


class Wording(NamedTuple):
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
    big: Wording | None = None
    text: Wording | None = None
    typed: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    start: int | None = None
    table: bool = False
    """Whether what lies open on the table stands above the choices, as the game shows it."""


class DealingView(NamedTuple):
    """A deal in progress: who deals, to whom the next card goes (0: nobody, the dealer says when done).

    `counts` are the cards read so far by seat, `size` how many each gets; nothing about faces. `wanted` is the line of
    the deal that needs a card now, such as `turn-up`; `shown` is how many lie open. `again` is a seat and the number of
    its card, from 1, that is to be read once more before the deal goes on. `begun`: cards are no longer shuffled; with
    scan-in, seats that do not have `size` cards yet are to show them.
    """

    dealer: int
    next_seat: int
    counts: tuple[int, ...]
    size: int
    wanted: str | None = None
    shown: int = 0
    again: tuple[int, int] | None = None
    way: Way = Way.PAD
    begun: bool = False


def missing(counts: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """The seats that do not have their number of cards, and how many they miss."""
    return tuple((seat, size - count) for seat, count in enumerate(counts, 1) if count < size)


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
    """The cards that can be picked now, also where what is on the display stands for several of them."""
    shown: Card | None = None
    """The card that was shown to a reader and that `message` refuses."""
    under: Sheet | None = None
    """What this place comes back to when the sheet is done with; None: the game."""
    enter: int = 0
    """Where the cursor comes in: ▶ goes to this place of the row, ◀ to the one before it."""
    notice: Notice | None = None
    """What has just happened that the director will have to look at."""
    mirrored: bool = False
    """Whether the place is left-handed: its left button is ▶, its right one ◀."""
