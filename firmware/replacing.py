"""One card gets another tag, as when its own is damaged, and the deck need not be enrolled anew."""

from engine.asks import Ask, Token
from engine.cards import SUITS, Card
from firmware.decks import Kept
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Leave, Open, Outcome, Pick, Say, Shown, Stay, Write
from firmware.enrol import Replacement
from firmware.seatview import Sheet, TableText, Wording
from firmware.tag_dialogs import Doubts, OfTags, TagDesk, deck_fact, label, named, pick_deck, taken_by

JOKER = "joker"


def replace_card(desk: Desk) -> Dialog:
    """Pick the card: its deck where there are several, its suit, the card."""
    kept = [kept for kept in desk.decks.kept if kept.deck.cards]
    if len(kept) == 1:
        return _pick_suit(desk, kept[0])
    return pick_deck("replace-card", [one.name for one in kept], lambda name: _in_deck(desk, name))


def _in_deck(desk: Desk, name: str) -> Outcome:
    kept = desk.decks.get(name)
    return Open(_pick_suit(desk, kept)) if kept is not None else Close()


def _pick_suit(desk: Desk, kept: Kept) -> Dialog:
    held = kept.deck.held()
    there = [suit for suit in SUITS if any(card.suit == suit for card in held)]
    jokers = [JOKER] if any(card.rank == "JK" for card in held) else []
    return Pick("replace-card", (*there, *jokers, GO_ON), lambda suit: _pick_card(desk, kept, suit))


def _pick_card(desk: Desk, kept: Kept, suit: str) -> Outcome:
    held = sorted(kept.deck.held())
    cards = {f"card:{card}": card for card in held if card.suit == ("" if suit == JOKER else suit)}

    def labels() -> dict[str, str]:
        return {code: label(desk, card, held) for code, card in cards.items()}

    def picked(code: str) -> Outcome:
        return Open(Replacing(desk, kept.name, cards[code]))

    return Open(Pick("replace-card", (*cards, GO_ON), picked, labels=labels))


class Replacing(OfTags[TagDesk]):
    """The card that is held to the reader next is the one that was picked, with its new tag."""

    def __init__(self, desk: TagDesk, deck: str, card: Card) -> None:
        super().__init__(desk)
        self._deck = deck
        self._card = card
        self._doubts = Doubts()

    def sheet(self, place: int) -> Sheet | None:
        """The card that is wanted."""
        kept = self._desk.decks.get(self._deck)
        if kept is None:
            return None
        big = named(self._card, kept.deck.held())
        return Sheet(Ask("replace-tag"), (deck_fact(kept),), big, Wording("replace-tap"))

    def give(self, place: int, token: Token) -> Outcome:
        """There is nothing to choose."""
        return Stay()

    def _take(self, shown: Shown) -> Outcome:
        kept = self._desk.decks.get(self._deck)
        if kept is None:
            return Close()
        replacement = Replacement(kept, self._card)
        found = replacement.whose(shown.uid, self._desk.decks)
        if found is not None and found.kept is kept and found.card == self._card:
            return Say(TableText("tag-is-old", (("card", self._card),), bad=True))
        if found is not None:
            return taken_by(found, kept)
        doubt = self._doubts.about(shown.uid, kept)
        if doubt is not None:
            return doubt
        replaced = TableText("tag-replaced", (("card", self._card),))
        return Write(replacement.take(shown.uid), kept, lambda: Leave(replaced))
