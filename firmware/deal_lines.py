"""What every way of dealing has in common: the cards that lie open after the hands, and the deal as an entry."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from engine import entries
from engine.asks import Ask, Token
from engine.cards import Card
from engine.game import Dealt
from engine.match import Table
from firmware.seatview import DealingView, TableText, missing
from firmware.ways import Way

ANEW = "deal-anew"
PROGRESS = Ask("dealing", choices=("go-on", ANEW))
"""What the dealer can say while cards are still to come: nothing is picked until ◀ or ▶ opens it."""

Hands = tuple[tuple[Card, ...] | None, ...]


class DealInProgress(ABC):
    """The deal of one dealer, until the whole of it is one entry. Nothing that it says tells which card a hand got.

    Where a method takes a `seat`, None stands for the dealer.
    """

    way: Way
    by_seats = False
    """Whether the seats show their cards each for itself, and not one card after the other comes from the dealer."""

    def __init__(self, table: Table, dealer: int) -> None:
        self.table = table
        self.dealer = dealer
        self._rules = table.rules
        places = table.game.places(table.rules, dealer)
        self._order = tuple(seat for seat in places if seat)
        self._size = len(self._order) // table.seats
        self._pack = table.game.pack(table.rules)
        self._shown: list[tuple[str, Card]] = []
        self._told: list[tuple[int, TableText]] = []

    # What a way of dealing decides

    @property
    @abstractmethod
    def begun(self) -> bool:
        """Whether this deal has begun: before that, cards are gathered and shuffled."""

    @abstractmethod
    def closed(self, at: int | None, pad: bool) -> TableText | None:
        """Why the reader at a seat, or a common one that is the dealing `pad` or is not, takes no card now."""

    @abstractmethod
    def asked(self, seat: int) -> Ask | None:
        """What a seat's buttons answer."""

    @abstractmethod
    def give(self, token: Token, seat: int | None = None) -> TableText | None:
        """Take what a seat's buttons picked; gives what is wrong with it."""

    @abstractmethod
    def tap(self, card: Card, seat: int | None = None) -> TableText | None:
        """Take a card that was shown at a seat's reader; gives what is wrong with it, silent about its face."""

    @abstractmethod
    def settle(self, seat: int | None = None) -> bool:
        """Leave what is in doubt as it is; whether a card was to be shown again."""

    @abstractmethod
    def back(self, seat: int | None = None) -> bool:
        """Withdraw what this seat gave last; whether there was anything."""

    @property
    @abstractmethod
    def _hands_are_dealt(self) -> bool:
        """Whether nothing is missing in the hands."""

    @abstractmethod
    def _hands(self) -> Hands:
        """The hands as far as they are known."""

    @abstractmethod
    def view(self) -> DealingView:
        """How far the deal is."""

    # What is the same in all

    @property
    def wanted(self) -> str | None:
        """Which line of the deal needs a card now; None while the hands are dealt, and when nothing is missing."""
        return self.table.game.wanted(self._rules, self._dealt()) if self._hands_are_dealt else None

    @property
    def entry(self) -> entries.Deal | None:
        """The deal, once it is complete."""
        if not self._hands_are_dealt or self.wanted is not None:
            return None
        return entries.Deal(self.dealer, self._dealt())

    def waits(self, seat: int) -> bool:
        """Whether the deal cannot go on without this seat's buttons or reader."""
        return self.asked(seat) not in (None, PROGRESS)

    def retract(self, seat: int) -> None:
        """Withdraw the card that completed the deal, for it was not accepted."""
        if self._shown:
            self._shown.pop()
        else:
            self.back(seat)

    def missing(self) -> TableText:
        """Which seats miss how many cards."""
        return TableText("missing", (("missing", missing(self.view().counts, self._size)),), bad=True)

    def told(self) -> list[tuple[int, TableText]]:
        """What seats are to be told since the last time, though they did nothing."""
        told, self._told = self._told, []
        return told

    def _tell(self, seat: int, text: TableText) -> None:
        self._told.append((seat, text))

    def _unfit(self, card: Card) -> TableText | None:
        """Why a card cannot belong to this deal, whoever has it."""
        if card in [shown for _, shown in self._shown]:
            return TableText("shown-already", bad=True)
        return None if card in self._pack else TableText("not-of-this-game", bad=True)

    def _lying(self, line: str) -> Sequence[Card]:
        return [card for shown, card in self._shown if shown == line]

    def _dealt(self) -> Dealt:
        buried = self._lying("buried")
        return Dealt(self._hands(), tuple(self._lying("turn-up")), buried=buried[0] if buried else None)
