"""A deal that is scanned in: all cards are dealt first, then each seat shows its own hand to its own reader.

The dealer says when all hold their hands; until then cards are gathered and shuffled, and none counts. Then every
card that a reader sees is one of that seat's. When every seat has its number come the cards that lie open.

A card that is shown a second time is in one place only. At the same seat it was perhaps counted already, or another
one was misread: the hand can be scanned anew. At another seat it is either here now, and the earlier read counts no
more, or it stays where it was read. Which of them is true the seat that shows it says.
"""

from engine.asks import Ask, Token
from engine.cards import Card
from engine.match import Table
from firmware.deal_lines import PROGRESS, DealInProgress, Hands
from firmware.seatview import DealingView, TableText
from firmware.ways import Way

SCAN = Ask("scan", choices=("scan",))
SCANNING = Ask("dealing", choices=("go-on",))
"""What a seat can say while cards are still to come."""
READ_HERE = Ask("doubt", choices=("scan-anew", "go-on"))
READ_THERE = Ask("doubt", choices=("mine", "go-on"))


class Scanning(DealInProgress):
    """The deal of one dealer, read seat by seat."""

    way = Way.SCAN_IN
    by_seats = True

    def __init__(self, table: Table, dealer: int) -> None:
        super().__init__(table, dealer)
        self._read: dict[int, list[Card]] = {seat: [] for seat in range(1, table.seats + 1)}
        self._scanning = False
        self._doubts: dict[int, Card] = {}
        """Cards that were read before, by the seat that showed them last."""

    @property
    def begun(self) -> bool:
        """The dealer says so."""
        return self._scanning

    def closed(self, at: int | None, pad: bool) -> TableText | None:
        """Only the seats' own readers take cards of hands; common ones take what lies open."""
        if not self._scanning:
            return TableText("before-scanning", (("seat", self.dealer),), bad=True)
        if self.wanted is not None or at is not None:
            return None
        return TableText("own-reader", bad=True)

    # Buttons

    def asked(self, seat: int) -> Ask | None:
        """The dealer begins; then seats are asked about what they showed twice, and can ask what is missing."""
        if not self._scanning:
            return SCAN if seat == self.dealer else None
        if seat in self._doubts:
            return READ_HERE if self._owner(self._doubts[seat]) == seat else READ_THERE
        if seat == self.dealer:
            return PROGRESS
        return SCANNING if self._misses(seat) else None

    def waits(self, seat: int) -> bool:
        """Seats that miss cards, or are in doubt; the dealer before the first card and for what lies open."""
        if seat in self._doubts or (self._scanning and self._misses(seat)):
            return True
        return seat == self.dealer and (not self._scanning or self._hands_are_dealt)

    def give(self, token: Token, seat: int | None = None) -> TableText | None:
        """Take what a seat's buttons picked; gives what is wrong with it, such as cards that are missing."""
        seat = seat or self.dealer
        card = self._doubts.pop(seat, None)
        if token == "scan-anew":
            self._read[seat].clear()
        elif token == "mine" and card is not None:
            return self._move(card, seat)
        elif not self._scanning:
            self._scanning = True
        elif card is None and not self._hands_are_dealt:
            return self.missing()
        return None

    def _move(self, card: Card, seat: int) -> TableText | None:
        """The card counts at this seat; the read at another one does not."""
        if not self._misses(seat):
            return TableText("hand-full", (("size", self._size),), bad=True)
        owner = self._owner(card)
        if owner is not None:
            self._strike(owner, card)
            self._tell(owner, TableText("moved-away", (("seat", seat),)))
        self._read[seat].append(card)
        return None

    # Cards

    def tap(self, card: Card, seat: int | None = None) -> TableText | None:
        """Take a card that was shown at a seat's reader; gives what is wrong with it, silent about its face."""
        seat = seat or self.dealer
        self._doubts.pop(seat, None)
        owner = self._owner(card)
        wanted = self.wanted
        if owner is not None:
            if wanted is None:
                self._doubts[seat] = card
            return self._read_already(owner, self._read[owner].index(card) + 1, seat)
        unfit = self._unfit(card)
        if unfit is not None:
            return unfit
        if wanted is not None and seat == self.dealer:  # at another seat it is one too many in that hand
            self._shown.append((wanted, card))
            self._doubts.clear()
        elif self._misses(seat):
            self._read[seat].append(card)
        else:
            return TableText("hand-full", (("size", self._size),), bad=True)
        return None

    def _read_already(self, owner: int, place: int, seat: int) -> TableText:
        """As which card of this seat, or at which other one, a card was read."""
        if owner == seat:
            return TableText("read-here", (("place", place),))
        return TableText("read-there", (("seat", owner),), bad=True)

    def _owner(self, card: Card) -> int | None:
        """The seat at which a card was read."""
        return next((seat for seat, cards in self._read.items() if card in cards), None)

    def _misses(self, seat: int) -> bool:
        return len(self._read[seat]) < self._size

    def _strike(self, seat: int, card: Card) -> None:
        """The read of a card counts no more, so nobody can be in doubt about it."""
        self._read[seat].remove(card)
        self._doubts = {doubter: doubt for doubter, doubt in self._doubts.items() if doubt != card}

    def settle(self, seat: int | None = None) -> bool:
        """Leave what a seat is in doubt about as it is; no card is to be shown again here."""
        self._doubts.pop(seat or self.dealer, None)
        return False

    def back(self, seat: int | None = None) -> bool:
        """Withdraw what a seat showed last; whether there was anything. What lies open only the dealer withdraws, and
        as long as something does, no hand changes."""
        seat = seat or self.dealer
        self.settle(seat)
        if self._shown:
            if seat != self.dealer:
                return False
            self._shown.pop()
        elif self._read[seat]:
            self._strike(seat, self._read[seat][-1])
        elif self._scanning and seat == self.dealer and not any(self._read.values()):
            self._scanning = False
        else:
            return False
        return True

    @property
    def _hands_are_dealt(self) -> bool:
        return not any(map(self._misses, self._read))

    def _hands(self) -> Hands:
        return tuple(map(tuple, self._read.values()))

    def view(self) -> DealingView:
        """How far the deal is."""
        counts, shown = tuple(map(len, self._read.values())), len(self._shown)
        return DealingView(self.dealer, 0, counts, self._size, self.wanted, shown, way=self.way, begun=self._scanning)
