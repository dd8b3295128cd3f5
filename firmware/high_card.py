"""The first dealer by the highest card: each player shows one, and who has the highest deals."""

from engine.asks import Ask, Token
from engine.cards import Card
from firmware.dialogs import Close, Dialog, Outcome, Say, Shown, Start, Stay
from firmware.seatview import Sheet, TableText, Wording

_RISING = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "JK")


def highest(cards: dict[int, Card]) -> int | None:
    """The place with the highest card: by rank, the ace high and jokers above it; among equals spades before hearts,
    diamonds and clubs. None where equal cards of two packs, or two jokers, are the highest.
    """

    def height(card: Card) -> tuple[int, int]:
        return _RISING.index(card.rank), "CDHS".find(card.suit)

    top = max(map(height, cards.values()))
    places = [place for place, card in cards.items() if height(card) == top]
    return places[0] if len(places) == 1 else None


class HighCard(Dialog):
    """Each player draws a card and shows it. `start` is how the match begins, but for who deals."""

    lasts = True

    def __init__(self, start: Start, back: Dialog) -> None:
        self._start = start
        self._back = back
        self._cards: dict[int, Card] = {}

    def sheet(self, place: int) -> Sheet:
        """What this place has shown, or that it is to show a card."""
        setup = self._start.setup
        missing = len(setup.places) - len(self._cards)
        ask = Ask("draw-for-deal")
        if place in setup.places and place not in self._cards:
            return Sheet(ask, big=Wording("show-a-card"), text=Wording("high-card-deals"))
        awaited = "one-card-missing" if missing == 1 else "cards-missing"
        return Sheet(ask, big=Wording(awaited, (("count", missing),)), text=Wording("high-card-deals"))

    def give(self, place: int, token: Token) -> Outcome:
        """There is nothing to choose."""
        return Stay()

    def take(self, place: int, shown: Shown) -> Outcome | None:
        """Take a card for the place, or at a common reader for the next that has none."""
        setup = self._start.setup
        if shown.card is None:
            return None
        owner = place if shown.owned else next((one for one in setup.places if one not in self._cards), place)
        if owner not in setup.places or owner in self._cards or shown.card in self._cards.values():
            return Say(TableText("counted-already", (("card", shown.card),)))
        self._cards[owner] = shown.card
        if len(self._cards) < len(setup.places):
            return Stay()
        dealer = highest(self._cards)
        if dealer is None:
            self._cards.clear()
            return Say(TableText("draw-again"))
        return self._start._replace(setup=setup._replace(dealer=setup.seat(dealer)))

    def back(self, place: int) -> Outcome:
        """Back to the lobby."""
        return Close(dialog=self._back)
