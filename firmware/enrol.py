"""Enrolment: the walk through a pack, card by card, in which each card gets its tag.

Plain values: a step says what the deck becomes, and counts once that is on disk and `taken` is called.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.cards import CARD_COUNT, CARDS, FACES, Card, CardError, parse_card, physical
from engine.phrases import Phrase, said_by
from firmware.decks import Decks, Found, Kept

PACKS = {"52": (0, 52, 1), "54": (0, 54, 1), "104": (0, 52, 2), "108": (0, 54, 2)}
"""Whole packs by how many cards they have: the faces from one to another, and how many packs."""


def whole_pack(name: str) -> tuple[Card, ...]:
    """All cards of one pack or two, with jokers or without."""
    first, end, packs = PACKS[name]
    return tuple(CARDS[pack * FACES + face] for pack in range(packs) for face in range(first, end))


def cards_named(text: str) -> tuple[Card, ...]:
    """The cards that a text names: the size of a whole pack, or a list; raises ValueError."""
    if text.strip() in PACKS:
        return whole_pack(text.strip())
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        try:
            card = physical(parse_card(word))
        except CardError as error:
            raise ValueError(said_by(error)) from None
        if card >= CARD_COUNT or card in cards:
            twice = Phrase("{word} twice; expected each card once", word=word)
            raise ValueError(
                twice if card in cards else Phrase("{word} is no card; expected each card once", word=word)
            )
        cards.append(card)
    if not cards:
        raise ValueError(Phrase("no cards; expected {listed}, or a list such as 9C 10C JC", listed=", ".join(PACKS)))
    return tuple(cards)


class Step(NamedTuple):
    """What comes of a tag, or of going back: the deck as it is then, and the card that is asked for then."""

    kept: Kept
    at: int
    done: tuple[int, ...]


class Enrolment:
    """The walk through the cards of a pack, in order. Those that have a tag already are left out, unless the walk is
    `anew`: then all are asked for, and an old tag counts until its card was asked for.
    """

    def __init__(self, kept: Kept, cards: Iterable[Card], anew: bool = False) -> None:
        self.kept = kept
        self.cards = tuple(cards)
        held = kept.deck.held()
        self._asked = [card for card in self.cards if anew or card not in held]
        self._at = 0
        self._done: tuple[int, ...] = ()  # the places of those that got a tag or were skipped here, the newest last
        self._anew = anew

    @property
    def card(self) -> Card | None:
        """The card that is to be shown now; None when the walk is over."""
        return self._asked[self._at] if self._at < len(self._asked) else None

    @property
    def number(self) -> int:
        """Which card of the pack that is, from 1."""
        card = self.card
        return self.cards.index(card) + 1 if card is not None else len(self.cards)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards of the pack that have no tag."""
        held = self.kept.deck.held()
        return tuple(card for card in self.cards if card not in held)

    def whose(self, uid: str, decks: Decks) -> Found | None:
        """Whose this tag is already; None: it may be given to the card that is asked for."""
        own = self.kept.deck.card(uid)
        if own is not None:
            return None if self._is_stale(own) else Found(self.kept, own)
        found = decks.find(uid)
        return found if found is not None and found.kept.name != self.kept.name else None

    def _is_stale(self, card: Card) -> bool:
        """Whether a card is to be asked for yet, so that the tag it has is one of before."""
        return self._anew and card in self._asked[self._at :]

    def take(self, uid: str) -> Step:
        """The step in which the card that is asked for gets this tag."""
        card, own = self.card, self.kept.deck.card(uid)
        assert card is not None
        kept = self.kept.without(own) if own is not None and own != card else self.kept
        return self._step(kept.with_tag(card, uid), self._at + 1, (*self._done, self._at))

    def skip(self) -> Step:
        """The step past a card that cannot be shown now."""
        return self._step(self.kept, self._at + 1, (*self._done, self._at))

    def back(self) -> Step | None:
        """The step to the card before, whose tag is forgotten; None: this is the first."""
        if not self._done:
            return None
        at = self._done[-1]
        return self._step(self.kept.without(self._asked[at]), at, self._done[:-1])

    def _step(self, kept: Kept, at: int, done: tuple[int, ...]) -> Step:
        held = kept.deck.held()
        return Step(kept.marked(card for card in self.cards if card not in held), at, done)

    def taken(self, step: Step) -> None:
        """Note that a step is on disk."""
        self.kept, self._at, self._done = step


class Replacement(NamedTuple):
    """One card that gets another tag, as when its own is damaged; the old one is forgotten."""

    kept: Kept
    card: Card

    def whose(self, uid: str, decks: Decks) -> Found | None:
        """Whose this tag is already; None: it can be had. The card's own is another's, too: it is the damaged one."""
        found = decks.find(uid)
        own = self.kept.deck.card(uid)
        return Found(self.kept, own) if own is not None else found

    def take(self, uid: str) -> Kept:
        """The deck with the new tag."""
        kept = self.kept.with_tag(self.card, uid)
        return kept.marked(card for card in kept.missing if card != self.card)
