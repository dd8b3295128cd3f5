"""The physical cards of a simulated table: stock, pile and hands, as people would handle them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random

from engine.cards import PLAIN, Card


class Cards:
    """The pack on the table. Face down, but the tags can be read."""

    def __init__(self, tags: Mapping[Card, str], chance: Random) -> None:
        self.tags = tags
        self._chance = chance
        self._stock: list[Card] = []
        """The stock, its top card last."""
        self._pile: list[Card] = []
        """What was laid open, the newest last."""
        self.hands: dict[int, list[Card]] = {}
        self.shuffles = 0
        """How often they were gathered and shuffled."""
        self.movers: list[Callable[[], None]] = []
        """Those who move cards some time after the table has counted them."""

    def tag(self, card: Card) -> str | None:
        """The tag of a card, or of one with the same face; None where there is none, as for an unknown one."""
        equal = (tag for other, tag in self.tags.items() if PLAIN[other] == PLAIN[card])
        return self.tags.get(card) or next(equal, None)

    def settle(self) -> None:
        """Let everybody move what the table has counted, before somebody looks where the cards lie."""
        for move in self.movers:
            move()

    def shuffle(self) -> None:
        """Gather all cards and shuffle them."""
        self._stock = sorted(self.tags)
        self._chance.shuffle(self._stock)
        self._pile = []
        self.hands = {}
        self.shuffles += 1

    def stack(self, cards: Iterable[Card]) -> None:
        """Gather all cards and put these on top, in this order."""
        self.shuffle()
        top = list(cards)
        self._stock = [*(card for card in self._stock if card not in top), *reversed(top)]

    def dealt(self, seats: int, size: int) -> bool:
        """Whether each seat holds so many cards: a table that is told so may have been told too early."""
        return all(len(self.hands.get(seat, ())) == size for seat in range(1, seats + 1))

    def deal(self, seat: int) -> Card:
        """Give the top card to a seat; where no stock lies, people make one of what nobody holds, or of all cards."""
        if not self._stock:
            self._gather()
        card = self._stock.pop()
        self.hands.setdefault(seat, []).append(card)
        return card

    def _gather(self) -> None:
        held = {card for hand in self.hands.values() for card in hand}
        if held >= set(self.tags):
            self.shuffle()
            return
        self._stock = sorted(set(self.tags) - held)
        self._chance.shuffle(self._stock)
        self._pile = []

    # Laying open

    def turn_up(self, line: str) -> Card:
        """The card that a line of the deal asks for: the top card, or for `buried` the one under the stock.

        A card that was turned up before goes back into the middle of the stock: it was one that must not lie there.
        """
        if not self._stock:
            self._gather()
        if line == "buried":
            return self._stock.pop(0)
        if self._pile:
            self._stock.insert(len(self._stock) - len(self._stock) // 2, self._pile.pop())
        self._pile = [self._stock.pop()]
        return self._pile[0]

    def show(self, card: Card) -> None:
        """Lay this card open, wherever it is."""
        self._stock = [other for other in self._stock if other != card]
        self._pile = [card]

    # Moving

    def top(self) -> Card | None:
        """The top card of the stock; where none is left, the pile under its top card is turned over."""
        if not self._stock:
            self._stock, self._pile = self._pile[-2::-1], self._pile[-1:]
        return self._stock[-1] if self._stock else None

    def lies(self, card: Card) -> bool:
        """Whether a card lies in the stock or on the pile."""
        return card in self._stock or card in self._pile

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, its top card last."""
        return tuple(self._stock)

    @property
    def pile(self) -> tuple[Card, ...]:
        """What was laid open on the pile, the newest last."""
        return tuple(self._pile)

    def newest(self) -> Card | None:
        """The card on the pile."""
        return self._pile[-1] if self._pile else None

    def draw(self, seat: int) -> None:
        """The top card into the seat's hand, if there is one."""
        if self.top() is not None:
            self.deal(seat)

    def lay(self, seat: int, card: Card) -> None:
        """A card from the seat's hand onto the pile."""
        self.leave(seat, card)
        self._pile.append(card)

    def bury(self, seat: int, card: Card) -> None:
        """A card from the seat's hand under the stock."""
        self.leave(seat, card)
        self._stock.insert(0, card)

    def take(self, seat: int, card: Card) -> list[Card]:
        """The top of the pile into the seat's hand, down to the newest one equal to `card`; the deepest first."""
        taken: list[Card] = []
        while self._pile and not (taken and PLAIN[taken[0]] == PLAIN[card]):
            taken.insert(0, self._pile.pop())
            self.hold(seat, taken[0])
        return taken

    def leave(self, seat: int, card: Card) -> None:
        """The seat's hand lets go of a card, if it holds it."""
        hand = self.hands.get(seat, [])
        if card in hand:
            hand.remove(card)

    def pick_up(self, card: Card) -> None:
        """Take a card from wherever it lies: it is in no hand, and neither in the stock nor on the pile."""
        for place in (self._pile, self._stock, *self.hands.values()):
            if card in place:
                place.remove(card)

    def swap(self, one: Card, other: Card) -> None:
        """Two cards change places, wherever they are."""
        change = {one: other, other: one}
        for place in (self._pile, self._stock, *self.hands.values()):
            place[:] = [change.get(card, card) for card in place]

    def put(self, card: Card, place: str) -> None:
        """A card from wherever it is: onto the `stock`, under it (`under`), or onto the `pile`."""
        self.pick_up(card)
        if place == "under":
            self._stock.insert(0, card)
        else:
            (self._pile if place == "pile" else self._stock).append(card)

    def hold_all(self, seat: int, cards: Collection[Card]) -> list[Card]:
        """The seat takes cards into the hand; gives them as they lay, the deepest of the pile first."""
        order = {card: place for place, card in enumerate(self._pile)}
        ordered = sorted(cards, key=lambda card: order.get(card, -1))
        for card in ordered:
            self.hold(seat, card)
        return ordered

    def hold(self, seat: int, card: Card) -> None:
        """The seat takes a card into the hand, from wherever it lies."""
        self.pick_up(card)
        self.hands.setdefault(seat, []).append(card)
