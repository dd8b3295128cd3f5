"""A deal in progress: which card went where, until the whole deal is one entry.

Tracked: each card is touched to the dealing pad and goes to the seat that is named next. Concealed: the dealer says
when all cards are dealt. Nothing here says which card it was.
"""

from engine import entries
from engine.cards import Card
from engine.game import Dealt
from engine.match import Table
from firmware.seatview import DealingView, TableText


class Dealing:
    """The deal of one dealer."""

    def __init__(self, table: Table, dealer: int) -> None:
        self.table = table
        self.dealer = dealer
        places = table.game.places(table.rules, dealer)
        self._order = tuple(seat for seat in places if seat)
        self._size = len(self._order) // table.seats
        self._cards: list[Card] = []

    def tap(self, card: Card) -> TableText | None:
        """Take the card that was touched to the pad; gives what is wrong with it, silent about its face."""
        if card in self._cards:
            seat = self._order[self._cards.index(card)]
            return TableText("dealt-already", (("seat", seat),), bad=True)
        if card not in self.table.game.pack(self.table.rules):
            return TableText("not-of-this-game", bad=True)
        self._cards.append(card)
        return None

    def back(self) -> bool:
        """Withdraw the last card; whether there was one."""
        if not self._cards:
            return False
        self._cards.pop()
        return True

    @property
    def entry(self) -> entries.Deal | None:
        """The deal, once it is complete; a concealed one is whenever the dealer says so."""
        if not self.table.tracked:
            return entries.Deal(self.dealer, Dealt((None,) * self.table.seats))
        if len(self._cards) < len(self._order):
            return None
        hands = tuple(
            tuple(card for card, place in zip(self._cards, self._order, strict=True) if place == seat)
            for seat in range(1, self.table.seats + 1)
        )
        return entries.Deal(self.dealer, Dealt(hands))

    def view(self) -> DealingView:
        """How far the deal is."""
        done = self._order[: len(self._cards)]
        following = self._order[len(self._cards)] if self.table.tracked and self.entry is None else 0
        counts = tuple(done.count(seat) for seat in range(1, self.table.seats + 1))
        return DealingView(self.dealer, following, counts, self._size)
