"""The state of one deal of Vazhushal."""

from enum import StrEnum
from typing import NamedTuple

from engine.melds import Meld, MeldRules
from engine.values import Outcome
from engine.vazhushal.knowledge import Places
from engine.vazhushal.settings import Settings


class Phase(StrEnum):
    """What a deal waits for."""

    DRAW = "draw"
    """Step 1 of a turn."""
    TAKEN = "taken"
    """Cards of the line were taken; nothing has been melded since, and the deepest of them has to be."""
    DUTY = "duty"
    """A pure first meld has come between; the deepest card taken still has to be melded."""
    MELD = "meld"
    """Steps 2 and 3."""
    LAST = "last"
    """The stock is exhausted: each seat melds once more (rule 13)."""
    OVER = "over"
    OUT = "out"
    """Over: a seat has put its last card face down on the line, and no rule turns it up (rule 12)."""


DRAW, TAKEN, DUTY, MELD, LAST, OVER, OUT = Phase
"""The phases by themselves: to look one up in its class takes longer than to compare it."""


class Deal(NamedTuple):
    """One deal.

    `line`: the discards, oldest first. `joker_first`: the line still begins with the joker that was turned up. `melds`:
    by seat, seat 1 first. `taken`: the cards of a take that may still be returned, or whose deepest, `duty` (-1: none),
    has to be melded. `rest`: how many seats have to pass yet, once the stock is exhausted. `made`: how many actions
    were made. `claims`: whether a double may be shown before them. `looked`: whether the table has looked for doubles
    itself. `negative`: the negative joker, -1: none.
    """

    settings: Settings
    melding: MeldRules
    dealer: int
    phase: Phase
    turn: int
    places: Places
    line: tuple[int, ...]
    melds: tuple[tuple[Meld, ...], ...]
    joker_first: bool = False
    taken: tuple[int, ...] = ()
    duty: int = -1
    rest: int = 0
    made: int = 0
    claims: bool = False
    looked: bool = False
    negative: int = -1
    outcome: Outcome | None = None
