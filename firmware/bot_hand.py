"""The physical hand of one bot: what its player meant to do with cards is done once the table has counted it."""

from collections import Counter
from collections.abc import Callable

from engine.cards import PLAIN, Card, very
from engine.pieces import piece_card
from engine.values import Refusal
from engine.view import Hand, Line, Melds, Piles
from firmware.pack import Cards
from firmware.seatview import Message, SeatView

_ONTO_THE_PILE = ("turn", "drawn", "play", "play-on", "discard", "out")
_UNDER_THE_STOCK = ("exchange", "bury")
_STAYING = ("show", "double", "name-hand")


class BotHand:
    """The cards of one seat, among all `cards` of the table, and what is under way with them."""

    def __init__(self, seat: int, cards: Cards) -> None:
        self.seat = seat
        self.cards = cards
        self.drawn: Card | None = None
        """The top card of the stock, while it is being drawn."""
        self.taking: Card | None = None
        """The card of the pile down to which it is being taken."""
        self._taken: list[Card] = []
        self._leaving: dict[Card, Callable[[int, Card], None]] = {}
        self._confirmed: list[int] = []
        self._said: Message | None = None
        """What the display said last: a refusal stays there while the next card is shown."""
        self._discards = 0
        """How many discards there were last: where fewer lie, somebody has taken of them."""

    # What the player means to do

    def forget(self) -> None:
        """Nothing is under way: it was refused, or it is done."""
        self._leaving, self._confirmed, self.drawn, self.taking = {}, [], None, None

    def let_go(self, card: Card, prompt: str) -> None:
        """A card is given as an answer: it leaves the hand when the table has counted it, if it does not stay there."""
        if prompt not in _STAYING:
            self._leaving.pop(card, None)  # given once more, it is the last one
            self._leaving[card] = self._way_out(prompt)

    def said(self, verb: str) -> None:
        """A verb is chosen; cards that were counted before it leave the hand as it says."""
        if verb == "take":
            self.taking = self.cards.newest()
        for card in self._leaving:
            if PLAIN[card] in self._confirmed:
                self._leaving[card] = self._way_out(verb)
        if verb == "return":
            self._leaving = dict.fromkeys(self._taken, self.cards.lay)

    def _way_out(self, prompt: str) -> Callable[[int, Card], None]:
        """Where a card goes that this is asked for."""
        if prompt in _ONTO_THE_PILE:
            return self.cards.lay
        return self.cards.bury if prompt in _UNDER_THE_STOCK else self.cards.leave

    def own(self, seen: SeatView) -> list[Card]:
        """The cards that the table has not taken as part of an action: by pack where it has been told that."""
        given = [token for token in seen.given if isinstance(token, Card)]
        own = [card for card in self._held if very(card) not in given]
        own.sort(key=lambda card: card not in self._leaving)
        for token in given:
            if token != very(token):
                equal = [card for card in own if PLAIN[card] == PLAIN[token]]
                own = [card for card in own if card not in equal[:1]]
        return own

    # What the table has counted

    @property
    def _held(self) -> list[Card]:
        return self.cards.hands.setdefault(self.seat, [])

    def sync(self, seen: SeatView) -> None:
        """Move the cards as the table has counted them: what was given has left the hand, or was refused."""
        hand, refused = own_block(seen, self.seat), isinstance(seen.message, Refusal) and seen.message is not self._said
        self._said = seen.message
        if seen.dealing is not None:
            self._discards = 0
            self.forget()
            return
        if hand is not None and not hand.unknown:
            self._sync_known(hand, seen)
        if refused:
            self.forget()
        if seen.given or (hand is not None and not hand.unknown):
            self._confirmed = [PLAIN[token] for token in seen.given if isinstance(token, Card)]
        elif hand is not None and hand.unknown:
            self._sync_unknown(hand)
        self._discards = _discarded(seen)

    def sort_out(self, seen: SeatView) -> None:
        """Of equal cards hold the ones that the table means, as players do who compare their cards with what it shows
        after it was started anew.
        """
        hand = own_block(seen, self.seat)
        meant = hand.cards if hand is not None else ()
        for card in meant:
            equal = [one for one in self._held if PLAIN[one] == PLAIN[card] and one not in meant]
            if card not in self._held and equal:
                self.cards.swap(card, equal[0])

    def _sync_known(self, hand: Hand, seen: SeatView) -> None:
        """By the cards that the table shows to this seat: those of the hand, and those that lie open.

        Some games tell the cards of several packs apart, others do not: then the packs in the view mean nothing.
        """
        gone, come = self._gone(hand), self._come(hand, taken=_discarded(seen) < self._discards)
        swapped = [card for card in self._leaving if card in self._held and card not in hand.cards]
        if not gone and not come and swapped and self.drawn in hand.cards and self.drawn not in self._held:
            gone, come = swapped, [self.drawn]  # a card was exchanged for its equal
        discards = _discards(seen)
        for card in sorted(gone, key=lambda card: discards.index(card) if card in discards else -1):
            self._put(card, discards, seen)
        taken = self.cards.hold_all(self.seat, come)
        if come and self.taking is not None:
            self._taken = taken
        if gone or come:
            self.forget()

    def _gone(self, hand: Hand) -> list[Card]:
        """The cards that have left the hand; of equal ones those that were given, or are not shown."""
        stay = Counter(PLAIN[card] for card in hand.cards)
        gone = []
        for card in sorted(self._held, key=lambda card: (card in self._leaving, card not in hand.cards)):
            stay[PLAIN[card]] -= 1
            if stay[PLAIN[card]] < 0:
                gone.append(card)
        return gone

    def _come(self, hand: Hand, taken: bool = False) -> list[Card]:
        """The cards that have come into the hand; of equal ones the one that was drawn, or that lies where it could:
        on the pile, where cards of it were `taken`.
        """
        missing = Counter(PLAIN[card] for card in hand.cards)
        missing.subtract(PLAIN[card] for card in self._held)
        others = [card for card in self.cards.tags if missing[PLAIN[card]] > 0 and card not in self._held]
        come = []
        others.sort(key=lambda card: (card != self.drawn, self._farness(card, taken), card not in hand.cards))
        for card in others:
            if missing[PLAIN[card]] > 0:
                missing[PLAIN[card]] -= 1
                come.append(card)
        return come

    def _farness(self, card: Card, taken: bool) -> int:
        """How far a card is from where the next one comes from: the top of the stock, or of the pile if `taken`."""
        stock, pile = self.cards.stock, self.cards.pile
        if taken or self.taking is not None:
            return pile[::-1].index(card) if card in pile else len(pile) + (card not in stock)
        return 0 if card in stock[-1:] else 1 if card in stock or card in pile else 2

    def _put(self, card: Card, discards: list[Card], seen: SeatView) -> None:
        """A card that has left the hand, to where it lies; one that lies nowhere open goes where it was meant to go."""
        meant = {PLAIN[leaving]: way for leaving, way in self._leaving.items()}.get(PLAIN[card], self.cards.leave)
        piles = any(isinstance(block, Piles) for block in seen.view.blocks)
        if card in discards:
            self.cards.lay(self.seat, card)
        elif meant != self.cards.leave:
            meant(self.seat, card)
        elif discards and PLAIN[discards[-1]] == PLAIN[card]:
            self.cards.lay(self.seat, card)
        elif piles and PLAIN[card] not in _melded(seen):
            self.cards.bury(self.seat, card)  # where else, if nobody sees it
        else:
            self.cards.leave(self.seat, card)

    def _sync_unknown(self, hand: Hand) -> None:
        """By the number of cards, and those of them that the table shows; an exchange leaves the number as it is."""
        come, shown = self._come(hand), {PLAIN[card] for card in hand.cards}
        leaving = [card for card in self._leaving if card in self._held and PLAIN[card] not in shown]
        exchanged = self.drawn is not None and self.drawn not in come and bool(leaving)
        excess = len(self._held) + len(come) + exchanged - len(hand.cards) - hand.unknown
        if not come and not excess and not exchanged:
            return
        counted = [card for card in leaving if PLAIN[card] in self._confirmed or card == leaving[-1]]
        others = [card for card in self._held if card not in counted and PLAIN[card] not in shown]
        for card in [*counted, *others][: max(0, excess)]:
            self._leaving.get(card, self.cards.leave)(self.seat, card)
        self.cards.hold_all(self.seat, come)
        if excess < 0 and self.taking is not None:
            self._taken = self.cards.take(self.seat, self.taking)
        else:
            for _ in range(exchanged - min(0, excess)):
                self.cards.draw(self.seat)
        self.forget()


def own_block(seen: SeatView, seat: int) -> Hand | None:
    """What a seat sees of its own hand."""
    hands = [block for block in seen.view.blocks if isinstance(block, Hand)]
    return next((hand for hand in hands if hand.seat == seat), None)


def _discards(seen: SeatView) -> list[Card]:
    """The cards that lie open on the pile, as far as they can be seen, the newest last."""
    line = [card for block in seen.view.blocks if isinstance(block, Line) for card in block.cards]
    top = [block.top for block in seen.view.blocks if isinstance(block, Piles) and block.top is not None]
    return line or top


def _discarded(seen: SeatView) -> int:
    """How many discards lie there."""
    return next((block.discards for block in seen.view.blocks if isinstance(block, Piles)), 0)


def _melded(seen: SeatView) -> set[int]:
    """The faces of the cards that lie in melds."""
    melds = [meld for block in seen.view.blocks if isinstance(block, Melds) for meld in block.melds]
    return {PLAIN[piece_card(piece)] for meld in melds for piece in meld}
