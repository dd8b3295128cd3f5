"""Everything that can be entered into a match: a deal, an action, an undo, a director's ruling."""

from typing import NamedTuple

from engine.cards import Card
from engine.game import Dealt
from engine.values import Action


class Deal(NamedTuple):
    """Cards were dealt by this seat; None: by the seat that the rotation gives."""

    dealer: int | None
    dealt: Dealt


class Undo(NamedTuple):
    """The last accepted entry is taken back, at the wish of a seat or of the director (None)."""

    seat: int | None


class SetScore(NamedTuple):
    """A side (its lowest seat) has this score."""

    side: int
    score: int


class VoidDeal(NamedTuple):
    """The deal is thrown in; the same dealer deals again."""


class VoidMatch(NamedTuple):
    """The match ends without a winner."""


class SetDealer(NamedTuple):
    """This deal's dealer was this seat."""

    seat: int


class SetTurn(NamedTuple):
    """This seat is to act now."""

    seat: int


class SetHand(NamedTuple):
    """What this seat really holds."""

    seat: int
    cards: tuple[Card, ...]


class SetName(NamedTuple):
    """Who sits there."""

    seat: int
    name: str


class Accept(NamedTuple):
    """The director signs the oldest irregularity of this code that is not signed yet."""

    code: str


class Penalty(NamedTuple):
    """The director's choice for the irregularities of this code in the running deal."""

    code: str
    choice: str


Ruled = SetScore | VoidDeal | VoidMatch | SetDealer | SetTurn | SetHand | SetName | Accept | Penalty
Entry = Deal | Action | Undo | Ruled
