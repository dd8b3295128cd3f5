"""A deal that comes from the dealer: over the dealing pad, or concealed.

Over the pad: each card is touched to the dealing pad and goes to the seat that is named next. Concealed: the dealer
says when all cards are dealt. Then come the cards that the game needs to see, such as a turn-up; they lie open, so any
reader takes them, or the dealer's buttons. Nothing here says which card a hand got.

When a card seems to be dealt twice, the earlier read may have been the wrong one: both are in doubt. The dealer is
told which it was, and can show that card again; what it says now takes the place of what was read then.
"""

from engine.asks import Ask, Token
from engine.cards import PLAIN, Card, cards_of, mask
from engine.match import Table
from firmware.deal_lines import PROGRESS, DealInProgress, Hands
from firmware.seatview import DealingView, TableText
from firmware.ways import Way

DEALT = Ask("dealt", choices=("dealt",))
DOUBT = Ask("doubt", choices=("show-again", "go-on"))


class Dealing(DealInProgress):
    """The deal of one dealer. `tracked` hands go over the pad."""

    def __init__(self, table: Table, dealer: int) -> None:
        super().__init__(table, dealer)
        self.way = Way.PAD if table.tracked else Way.CONCEALED
        self._cards: list[Card] = []
        self._all_dealt = False
        self._doubt: int | None = None  # the place in the deal of the earlier of two reads of one card
        self._again = False  # that card is to be shown once more

    @property
    def begun(self) -> bool:
        """The first card at the pad begins it, or the dealer who says that all is dealt."""
        return bool(self._cards) or self._all_dealt

    def closed(self, at: int | None, pad: bool) -> TableText | None:
        """While hands are dealt only the pad takes cards; what lies open is taken by any reader."""
        if self.wanted is not None or (self.table.tracked and pad):
            return None
        if self.table.tracked:
            return TableText("still-dealing", bad=True)
        return TableText("seat-deals", (("seat", self.dealer), ("size", self._size)), bad=True)

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

    def asked(self, seat: int) -> Ask | None:
        """Only the dealer is asked."""
        if seat != self.dealer:
            return None
        return self.question or (PROGRESS if self.begun else None)

    def give(self, token: Token, seat: int | None = None) -> TableText | None:
        """Take what the dealer's buttons picked; gives what is wrong with it."""
        if isinstance(token, Card):
            lying = [*self._cards, *(card for _, card in self._shown)]
            free = [card for card in self._pack if PLAIN[card] == PLAIN[token] and card not in lying]
            return self.tap(free[0] if free else token)
        if self._doubt is None:
            if self.table.tracked:
                return self.missing() if self.wanted is None else None
            self._all_dealt = True
        elif token == "show-again":
            self._again = True
        else:
            self._doubt = None
        return None

    def tap(self, card: Card, seat: int | None = None) -> TableText | None:
        """Take a card that was shown; gives what is wrong with it, silent about its face."""
        place = self._doubt if self._again else None
        if card in self._cards and self._cards.index(card) != place:
            self._doubt = self._doubt if self._again else self._cards.index(card)
            return self._dealt_already(self._cards.index(card))
        unfit = self._unfit(card)
        if unfit is not None:
            return unfit
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

    def settle(self, seat: int | None = None) -> bool:
        """Leave what is in doubt as it is; whether a card was to be shown again."""
        if seat not in (None, self.dealer):
            return False
        again, self._doubt, self._again = self._again, None, False
        return again

    def back(self, seat: int | None = None) -> bool:
        """Withdraw what the dealer gave last; whether there was anything."""
        if seat not in (None, self.dealer):
            return False
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
    def _hands_are_dealt(self) -> bool:
        return len(self._cards) == len(self._order) if self.table.tracked else self._all_dealt

    def _hands(self) -> Hands:
        if not self.table.tracked:
            return (None,) * self.table.seats
        return tuple(
            tuple(card for card, place in zip(self._cards, self._order, strict=True) if place == seat)
            for seat in range(1, self.table.seats + 1)
        )

    def view(self) -> DealingView:
        """How far the deal is."""
        done = self._order[: len(self._cards)]
        following = self._order[len(done)] if self.table.tracked and not self._hands_are_dealt else 0
        counts = tuple(done.count(seat) for seat in range(1, self.table.seats + 1))
        again = self._whose(self._doubt) if self._again and self._doubt is not None else None
        shown = len(self._shown)
        return DealingView(self.dealer, following, counts, self._size, self.wanted, shown, again, self.way, self.begun)
