"""A deal in progress: which card went where, until the whole deal is one entry.

Tracked: each card is touched to the dealing pad and goes to the seat that is named next. Concealed: the dealer says
when all cards are dealt. Then come the cards that the game needs to see, such as a turn-up; they lie open, so any
reader takes them, or the dealer's buttons. Nothing here says which card a hand got.
"""

from engine import entries
from engine.asks import Ask, Token
from engine.cards import PLAIN, Card, cards_of, mask
from engine.game import Dealt
from engine.match import Table
from firmware.seatview import DealingView, TableText

DEALT = Ask("dealt", choices=("dealt",))


class Dealing:
    """The deal of one dealer."""

    def __init__(self, table: Table, dealer: int) -> None:
        self.table = table
        self.dealer = dealer
        self._rules = table.rules
        places = table.game.places(table.rules, dealer)
        self._order = tuple(seat for seat in places if seat)
        self._size = len(self._order) // table.seats
        self._pack = table.game.pack(table.rules)
        self._cards: list[Card] = []
        self._all_dealt = False
        self._shown: list[tuple[str, Card]] = []

    @property
    def wanted(self) -> str | None:
        """Which line of the deal needs a card now; None while the hands are dealt, and when nothing is missing."""
        return self.table.game.wanted(self._rules, self._dealt()) if self._hands_are_dealt else None

    @property
    def question(self) -> Ask | None:
        """What the dealer's buttons answer. Where hands are known a card shown to a reader must say what it is."""
        if self.table.tracked:
            return None
        if not self._all_dealt:
            return DEALT
        wanted = self.wanted
        if wanted is None:
            return None
        return Ask(wanted, cards=tuple(cards_of(mask(PLAIN[card] for card in self._pack))), source="stock")

    def give(self, token: Token) -> TableText | None:
        """Take what the dealer's buttons picked; gives what is wrong with it."""
        if isinstance(token, Card):
            lying = [*self._cards, *(card for _, card in self._shown)]
            free = [card for card in self._pack if PLAIN[card] == PLAIN[token] and card not in lying]
            return self.tap(free[0] if free else token)
        self._all_dealt = True
        return None

    def tap(self, card: Card) -> TableText | None:
        """Take a card that was shown; gives what is wrong with it, silent about its face."""
        if card in self._cards:
            seat = self._order[self._cards.index(card)]
            return TableText("dealt-already", (("seat", seat),), bad=True)
        if card in [shown for _, shown in self._shown]:
            return TableText("shown-already", bad=True)
        if card not in self._pack:
            return TableText("not-of-this-game", bad=True)
        wanted = self.wanted
        if wanted is not None:
            self._shown.append((wanted, card))
        else:
            self._cards.append(card)
        return None

    def back(self) -> bool:
        """Withdraw what was given last; whether there was anything."""
        if self._shown:
            self._shown.pop()
        elif self._cards:
            self._cards.pop()
        elif self._all_dealt:
            self._all_dealt = False
        else:
            return False
        return True

    @property
    def entry(self) -> entries.Deal | None:
        """The deal, once it is complete."""
        if not self._hands_are_dealt or self.wanted is not None:
            return None
        return entries.Deal(self.dealer, self._dealt())

    @property
    def _hands_are_dealt(self) -> bool:
        return len(self._cards) == len(self._order) if self.table.tracked else self._all_dealt

    def _dealt(self) -> Dealt:
        hands: tuple[tuple[Card, ...] | None, ...] = (None,) * self.table.seats
        if self.table.tracked:
            hands = tuple(
                tuple(card for card, place in zip(self._cards, self._order, strict=True) if place == seat)
                for seat in range(1, self.table.seats + 1)
            )
        buried = [card for line, card in self._shown if line == "buried"]
        return Dealt(
            hands, tuple(card for line, card in self._shown if line == "turn-up"), buried=buried[0] if buried else None
        )

    def view(self) -> DealingView:
        """How far the deal is."""
        done = self._order[: len(self._cards)]
        following = self._order[len(done)] if self.table.tracked and not self._hands_are_dealt else 0
        counts = tuple(done.count(seat) for seat in range(1, self.table.seats + 1))
        return DealingView(self.dealer, following, counts, self._size, self.wanted, len(self._shown))
