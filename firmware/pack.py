"""The physical cards of a simulated table: which lie in the stock, face down and not seen, and who holds which."""

from collections.abc import Iterable, Mapping
from random import Random

from engine.cards import PLAIN, Card


class Cards:
    """The pack on the table. Face down, but the tags can be read."""

    def __init__(self, tags: Mapping[Card, str], chance: Random) -> None:
        self.tags = tags
        self._chance = chance
        self._stock: list[Card] = []
        self.hands: dict[int, list[Card]] = {}

    def shuffle(self) -> None:
        """Gather all cards and shuffle them."""
        self._stock = sorted(self.tags)
        self._chance.shuffle(self._stock)
        self.hands = {}

    def stack(self, cards: Iterable[Card]) -> None:
        """Gather all cards and put these on top, in this order."""
        self.shuffle()
        top = list(cards)
        self._stock = [*(card for card in self._stock if card not in top), *reversed(top)]

    def deal(self, seat: int) -> Card:
        """Give the top card to a seat."""
        card = self._stock.pop()
        self.hands.setdefault(seat, []).append(card)
        return card

    def turn_up(self) -> Card:
        """The top card, laid open on the table."""
        return self._stock.pop()

    def show(self, card: Card) -> None:
        """Lay this card open, wherever it is."""
        self._stock = [other for other in self._stock if other != card]

    def draw(self, seat: int, open_cards: Iterable[Card]) -> Card:
        """A card that nobody has seen, into the seat's hand.

        Where none is left, those are shuffled that are in no hand and do not lie open: a pile that was turned over.
        """
        if not self._stock:
            held = {card for hand in self.hands.values() for card in hand} | set(open_cards)
            self._stock = sorted(card for card in self.tags if card not in held)
            self._chance.shuffle(self._stock)
        return self.deal(seat)

    def match(self, seat: int, cards: Iterable[Card]) -> None:
        """The seat's hand as the table knows it, where a display does not tell equal cards apart: which they are."""
        held, elsewhere = self.hands.get(seat, []), {card for hand in self.hands.values() for card in hand}
        matched: list[Card] = []
        for card in cards:
            own = [one for one in held if PLAIN[one] == PLAIN[card] and one not in matched]
            free = [one for one in self.tags if PLAIN[one] == PLAIN[card] and one not in elsewhere]
            matched.append((own or [one for one in free if one not in matched] or [card])[0])
        self.hands[seat] = matched

    def leave(self, seat: int, card: Card) -> None:
        """The seat's hand lets go of a card, if it holds it."""
        hand = self.hands.get(seat, [])
        if card in hand:
            hand.remove(card)

    def hold(self, seat: int, card: Card) -> None:
        """The seat takes a card into the hand."""
        hand = self.hands.setdefault(seat, [])
        if card not in hand:
            hand.append(card)
