"""What a viewer may see of a table: a closed vocabulary of blocks that screens, terminal and web pages draw.

A block holds plain values only. Seats are numbered from 1, sides by their lowest seat.
"""

from typing import NamedTuple

from engine.asks import Ask
from engine.cards import Card
from engine.values import Notice

PUBLIC = 0
"""The viewer that sees what lies open on the table."""

DIRECTOR = -1
"""The viewer that sees all that the table knows."""


class Turn(NamedTuple):
    """Who is to act (`seats`), in which phase of the deal (a code of the game), and who dealt."""

    seats: tuple[int, ...]
    phase: str
    dealer: int


class Hand(NamedTuple):
    """The cards of one seat that the viewer may see, and the number of those that it may not."""

    seat: int
    cards: tuple[Card, ...]
    unknown: int


class Auction(NamedTuple):
    """The calls so far, oldest first (seat and code), the standing bid, and the trump once it is named."""

    calls: tuple[tuple[int, str], ...]
    bidder: int | None
    bid: str | None
    trump: str | None


class Trick(NamedTuple):
    """The running trick (`plays`, first the lead), the last finished one and its winner, and tricks won by seat."""

    number: int
    plays: tuple[tuple[int, Card], ...]
    last: tuple[tuple[int, Card], ...]
    winner: int | None
    won: tuple[int, ...]


class Piles(NamedTuple):
    """How many cards lie in the stock (None: this game has none) and in the discard pile, and its top card."""

    stock: int | None
    discards: int
    top: Card | None


class Line(NamedTuple):
    """The discards where every card stays visible, oldest first."""

    cards: tuple[Card, ...]


class Melds(NamedTuple):
    """What a seat has melded, in the order of making: of each meld its pieces (`engine.pieces.piece_card`)."""

    seat: int
    melds: tuple[tuple[int, ...], ...]


class Score(NamedTuple):
    """The totals by side, the sides' seats, the score that ends the match, and the winning sides once there are any."""

    sides: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    target: int
    deals: int
    over: bool
    winners: tuple[int, ...]


class Notices(NamedTuple):
    """What the last accepted action brought about."""

    notices: tuple[Notice, ...]


Block = Turn | Hand | Auction | Trick | Piles | Line | Melds | Score | Notices | Ask


class View(NamedTuple):
    """Everything that one viewer may see."""

    viewer: int
    blocks: tuple[Block, ...]
