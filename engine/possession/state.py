"""The state of one deal of Possession."""

from enum import StrEnum
from typing import NamedTuple

from engine.hands import Hands
from engine.melds import Meld
from engine.possession.claims import Claims
from engine.possession.settings import Settings
from engine.stock import Stock
from engine.values import Outcome


class Phase(StrEnum):
    """What a deal waits for."""

    SHOW = "show"
    """Who starts is not known: the seats show their nearest cards (rule 2)."""
    BUILD = "build"
    """A turn: play, draw or pass (rule 3)."""
    DRAWN = "drawn"
    """The card drawn may be played, or not (`play_drawn_card`)."""
    STEP = "step"
    """Step 1 of a melding turn: draw or take (rule 9)."""
    MELD = "meld"
    """Steps 2 and 3: meld, add, discard (rule 9)."""
    OVER = "over"


SHOW, BUILD, DRAWN, STEP, MELD, OVER = Phase
"""The phases by themselves: to look one up in its class takes longer than to compare it."""


class Showing(NamedTuple):
    """How far the shows are: the seats still in, and by seat the farthest distance shown and the show of this round.

    `owing`: the seats that still owe the show of this round; one that has shown all it can owes none.
    A distance is -1 before the first show; a show is compared as a whole (nearer, then more, then more in the
    turn-up's colour), and empty before it is made.
    """

    tied: tuple[int, ...]
    reach: tuple[int, ...]
    shows: tuple[tuple[int, ...], ...]
    owing: tuple[int, ...]


class Deal(NamedTuple):
    """One deal. Tuples by seat begin with seat 1; 0 stands for no seat; cards are physical ones.

    `discards`: oldest first, the last is the top. `refills`: how often the stock was filled again. `passes`: how many
    passes in a row. `made`: how many actions the deal has had. `drawn`: the mask of the cards that the one just drawn
    may be (`play_drawn_card`). `taken`: the mask of the card taken from the discards and not yet used. `melds` and
    `claims` are by seat. `open`: the mask of the cards that everybody saw going where they are now.
    """

    settings: Settings
    dealer: int
    phase: Phase
    turn: int
    hands: Hands
    stock: Stock
    discards: tuple[int, ...]
    refills: int
    passes: int
    made: int
    drawn: int
    taken: int
    melds: tuple[tuple[Meld, ...], ...]
    claims: tuple[Claims, ...]
    open: int = 0
    showing: Showing | None = None
    outcome: Outcome | None = None
