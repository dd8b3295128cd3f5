"""What a browser at a simulated table may ask for: one JSON object for each thing that hands do. What is unknown or out
of bounds is refused before anything is done.
"""

import math
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware.web.world import DeedError

Seat = Annotated[int, Meta(ge=1, le=9)]
Number = Annotated[int, Meta(ge=0, le=999)]
Coordinate = Annotated[float, Meta(ge=-1.0, le=1.0)]
Name = Annotated[str, Meta(max_length=40)]


class Deed(msgspec.Struct, tag_field="do", forbid_unknown_fields=True, frozen=True):
    """One thing that is to be done; `do` says which."""


class Sit(Deed, tag="sit", frozen=True):
    """Look from this seat, 0: look on. `all`: see all hands, and move them."""

    seat: Annotated[int, Meta(ge=0, le=9)]
    all: bool = False


class Press(Deed, tag="press", frozen=True):
    """Push a button down, until `release`."""

    seat: Seat
    button: Literal["left", "ok", "right"]


class Release(Deed, tag="release", frozen=True):
    """Let a button go."""

    seat: Seat
    button: Literal["left", "ok", "right"]


class Pad(Deed, tag="pad", frozen=True):
    """Lay a card on a reader."""

    card: Number
    reader: Name


class Felt(Deed, tag="felt", frozen=True):
    """Lay a card anywhere on the table, as seen with seat 1 at the bottom."""

    card: Number
    x: Coordinate
    y: Coordinate
    open: bool = True


class Hand(Deed, tag="hand", frozen=True):
    """Take a card into a hand, at a place there."""

    card: Number
    seat: Seat
    index: Annotated[int, Meta(ge=0, le=120)] | None = None


class Put(Deed, tag="put", frozen=True):
    """Put a card onto the stock, under it, or onto the pile."""

    card: Number
    where: Literal["stock", "under", "pile"]


class Turn(Deed, tag="turn", frozen=True):
    """Turn over a card that lies on the felt."""

    card: Number


class Sort(Deed, tag="sort", frozen=True):
    """Put a hand in the order of the game."""

    seat: Seat


class Shuffle(Deed, tag="shuffle", frozen=True):
    """Gather all cards and shuffle them."""


class DealForMe(Deed, tag="deal", frozen=True):
    """Have the cards dealt, one after the other, as hands would."""


class Bot(Deed, tag="bot", frozen=True):
    """Let a bot sit down at a seat, or stand up."""

    seat: Seat
    on: bool


class Tidy(Deed, tag="tidy", frozen=True):
    """Whether cards go on by themselves from readers, once the table has counted or refused them."""

    on: bool


class Fault(Deed, tag="fault", frozen=True):
    """Switch a fault on or off, at a place that `drawer` lists."""

    name: Name
    place: Annotated[int, Meta(ge=0, le=99)]
    on: bool


class Restart(Deed, tag="restart", frozen=True):
    """Pull the plug and put it back."""


class Table(Deed, tag="table", frozen=True):
    """Have another table, made to order. `options` are those that differ from the rule set, as records write them;
    `names` has one for each seat, or none. Bots sit at these seats; at all but the first where nothing is said.
    `capture`: all that passes its wires is kept, until the plug is pulled.
    """

    game: Name
    rules: Name
    seats: Annotated[int, Meta(ge=1, le=8)]
    readers: Name = "seats"
    deal: Name = "pad"
    language: Literal["en", "ru"] = "en"
    options: Annotated[dict[Name, Annotated[str, Meta(max_length=20)]], Meta(max_length=40)] = {}
    names: Annotated[tuple[Annotated[str, Meta(max_length=24)], ...], Meta(max_length=8)] = ()
    bots: Annotated[tuple[Seat, ...], Meta(max_length=8)] | None = None
    capture: bool = False


class Capture(Deed, tag="capture", frozen=True):
    """Have the same table anew, with all that passes its wires kept until the plug is pulled."""


Wanted = (
    Table
    | Capture
    | Sit
    | Press
    | Release
    | Pad
    | Felt
    | Hand
    | Put
    | Turn
    | Sort
    | Shuffle
    | DealForMe
    | Bot
    | Tidy
    | Fault
    | Restart
)


def parse_deed(wanted: object) -> Wanted:
    """What a message asks for; raises `DeedError`."""
    try:
        deed: Wanted = msgspec.convert(wanted, Wanted)
    except msgspec.ValidationError as error:
        raise DeedError("unreadable", f"{error}"[:200]) from None
    if isinstance(deed, Felt) and not (math.isfinite(deed.x) and math.isfinite(deed.y)):
        raise DeedError("unreadable", "a place that is no number; expected -1 to 1")
    return deed
