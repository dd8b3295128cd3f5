"""A deal in progress: which card went where, until the whole deal is one entry.

Tracked: each card is touched to the dealing pad and goes to the seat that is named next. Concealed: the dealer says
when all cards are dealt. Then come the cards that the game needs to see, such as a turn-up; they lie open, so any
reader takes them, or the dealer's buttons. Nothing here says which card a hand got.

When a card seems to be dealt twice, the earlier read may have been the wrong one: both are in doubt. The dealer is
told which it was, and can show that card again; what it says now takes the place of what was read then.
"""

from engine import entries
from engine.asks import Ask, Token
from engine.cards import PLAIN, Card, cards_of, mask
from engine.game import Dealt
from engine.match import Table
from firmware.seatview import DealingView, TableText

DEALT = Ask("dealt", choices=("dealt",))
DOUBT = Ask("doubt", choices=("show-again", "go-on"))


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
        self._doubt: int | None = None  # the place in the deal of the earlier of two reads of one card
        self._again = False  # that card is to be shown once more

    @property
    def wanted(self) -> str | None:
        """Which line of the deal needs a card now; None while the hands are dealt, and when nothing is missing."""
        return self.table.game.wanted(self._rules, self._dealt()) if self._hands_are_dealt else None

    @property
    def question(self) -> Ask | None:
        """What the dealer's buttons answer. Where hands are known a card shown to a reader must say what it is."""
        if self.table.tracked:
            return DOUBT if self._doubt is not None and not self._again else None
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
        if self._doubt is None:
            self._all_dealt = True
        elif token == "show-again":
            self._again = True
        else:
            self._doubt = None
        return None

    def tap(self, card: Card) -> TableText | None:
        """Take a card that was shown; gives what is wrong with it, silent about its face."""
        place = self._doubt if self._again else None
        if card in self._cards and self._cards.index(card) != place:
            self._doubt = self._doubt if self._again else self._cards.index(card)
            return self._dealt_already(self._cards.index(card))
        if card in [shown for _, shown in self._shown]:
            return TableText("shown-already", bad=True)
        if card not in self._pack:
            return TableText("not-of-this-game", bad=True)
        wanted = self.wanted
        if place is not None:
            self._cards[place] = card
        elif wanted is not None:
            self._shown.append((wanted, card))
        else:
            self._cards.append(card)
        self.settle()
        return None

    def _dealt_already(self, place: int) -> TableText:
        """Where and when a card was read first: as which card of which seat, and how many cards ago."""
        facts = (*zip(("seat", "place"), self._whose(place), strict=True), ("back", len(self._cards) - place))
        return TableText("dealt-already", facts, bad=True)

    def _whose(self, place: int) -> tuple[int, int]:
        """The seat that the card at a place of the deal went to, and which of its cards that is, from 1."""
        seat = self._order[place]
        return seat, self._order[: place + 1].count(seat)

    def settle(self) -> bool:
        """Leave what is in doubt as it is; whether a card was to be shown again."""
        again, self._doubt, self._again = self._again, None, False
        return again

    def back(self) -> bool:
        """Withdraw what was given last; whether there was anything."""
        self.settle()
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
        again = self._whose(self._doubt) if self._again and self._doubt is not None else None
        return DealingView(self.dealer, following, counts, self._size, self.wanted, len(self._shown), again)
