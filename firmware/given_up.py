"""What a bot has given up: a card that is refused again and again is perhaps not the one that the table counts."""

from collections import Counter

from engine.asks import Ask
from engine.cards import PLAIN, Card
from engine.values import Refusal
from firmware.seatview import SeatView

TRIES = 2
"""Times that a card is shown which is refused."""


class GivenUp:
    """The cards that one bot has shown in its turn, by the question, and those that it shows no more."""

    def __init__(self) -> None:
        self._tries: Counter[tuple[str, Card]] = Counter()
        self._cards: set[tuple[str, Card]] = set()

    def clear(self) -> None:
        """Another turn: what was refused may be right then."""
        self._tries.clear()
        self._cards.clear()

    def tried(self, ask: Ask, card: Card) -> None:
        """A card is shown."""
        self._tries[ask.prompt, card] += 1

    def look(self, seen: SeatView, ask: Ask) -> None:
        """See what was refused."""
        if not isinstance(seen.message, Refusal) or seen.shown is None:
            return
        for (prompt, card), tries in self._tries.items():
            if prompt == ask.prompt and tries >= TRIES and PLAIN[card] == PLAIN[seen.shown]:
                self._cards.add((prompt, card))

    def has(self, ask: Ask, card: Card) -> bool:
        """Whether this very card is shown no more."""
        return (ask.prompt, card) in self._cards

    def has_equal(self, ask: Ask, card: Card) -> bool:
        """Whether one with this face is shown no more."""
        return any(prompt == ask.prompt and PLAIN[one] == PLAIN[card] for prompt, one in self._cards)
