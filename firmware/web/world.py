"""The cards of a simulated table in people's hands: taken up, laid on pads and felt, turned over, and tidied away.

What a person lays on a pad is a tag in that reader's field, and nothing else is ever told to the table.
"""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, NamedTuple

from engine.cards import Card
from engine.match import Match
from firmware.bench import Bench
from firmware.bot_hand import BotHand
from firmware.errors import TableError
from firmware.seatview import SeatView
from firmware.web.places import Place, places

SHOWN = 0.45
"""Seconds for which a card lies on a reader at least, before it is tidied away."""
EVERYBODY = -1
"""The viewer who sees all hands."""


class DeedError(TableError, ValueError):
    """Something that hands cannot do. `code` is what pages have words for."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class _Shown(NamedTuple):
    """A card on a reader: since when, and what the table showed the seat then."""

    seat: int
    since: float
    before: SeatView


class World:
    """The cards of one bench. `tidy`: cards go on by themselves once the table has counted or refused them."""

    def __init__(self, bench: Bench, chance: Random) -> None:
        self._bench = bench
        self._chance = chance
        self.tidy = True
        self._laid: dict[Card, Place] = {}
        self._shown: dict[Card, _Shown] = {}
        self._hands: dict[int, BotHand] = {}
        self._seen: dict[int, SeatView] = {}
        self._aside: dict[Card, int] = {}
        self._numbers: dict[Card, int] = {}
        self._shuffles = -1
        self._cards = bench.cards
        self._last: tuple[object, ...] = ()
        self.last_shown: Card | None = None
        """The card that somebody laid on a reader last."""
        self.places: dict[Card, Place] = {}
        self.version = 0
        """Goes up whenever something lies elsewhere."""
        if not bench.cards.shuffles:
            bench.cards.shuffle()
        self.poll()

    # As time goes on

    def poll(self) -> None:
        """See what the others have done with cards, and tidy away what the table has counted."""
        cards = self._bench.cards
        if cards is not self._cards or cards.shuffles != self._shuffles:
            self._gathered()
        if self.tidy:
            self._sync()
            self._tidy()
        match = self._bench.table.match
        now = (id(match), cards.stock, cards.pile, tuple((seat, *hand) for seat, hand in cards.hands.items()),
               tuple(self._laid.items()))  # fmt: skip
        if now != self._last:
            self._last, self._match = now, match
            self.places = places(cards, self._laid, match)
            self.version += 1

    _match: Match
    """Kept so that no other state takes its identity."""

    def _gathered(self) -> None:
        """All cards were gathered: nobody can tell any longer which is which."""
        for card in [*self._laid]:
            self._take_off(card)
        self._cards = self._bench.cards
        self._shuffles = self._cards.shuffles
        numbers = self._chance.sample(range(1000), len(self._cards.tags))
        self._numbers = dict(zip(self._cards.tags, numbers, strict=True))
        self._hands.clear()
        self._aside.clear()

    def _people(self) -> Iterator[int]:
        seats = self._bench.table.loop.table.seats
        return (seat for seat in range(1, seats + 1) if seat not in self._bench.bots)

    def _hand(self, seat: int) -> BotHand:
        if seat not in self._hands:
            self._hands[seat] = BotHand(seat, self._bench.cards)
        return self._hands[seat]

    def _look(self, seat: int) -> SeatView:
        return self._bench.table.loop.seat_view(seat)

    def _sync(self) -> None:
        for seat in self._people():
            seen = self._look(seat)
            if seen != self._seen.get(seat):
                self._seen[seat] = seen
                held = set(self._bench.cards.hands.get(seat, ()))
                self._hand(seat).sync(seen)
                for card in set(self._bench.cards.hands.get(seat, ())) - held:
                    if self._aside.get(card) == seat:
                        self._bench.cards.leave(seat, card)  # it lies there, whatever the table believes
                    else:
                        self._take_off(card)

    def _tidy(self) -> None:
        now = self._bench.table.clock.now()
        for card, shown in [*self._shown.items()]:
            after = self._look(shown.seat)
            if now >= shown.since + SHOWN and after != shown.before:
                self._go_on(card, shown.before, after)
                self._take_off(card)

    def _go_on(self, card: Card, before: SeatView, after: SeatView) -> None:
        """A card that was dealt over the pad goes to whom it was dealt, one that was turned up lies open."""
        dealing, then = before.dealing, after.dealing
        if dealing is None or not any(card in pile for pile in (self._bench.cards.stock, self._bench.cards.pile)):
            return
        if dealing.wanted is not None:
            if then is None or then.shown > dealing.shown:
                self._bench.cards.show(card)
        elif dealing.next_seat and (then is None or sum(then.counts) > sum(dealing.counts)):
            self._bench.cards.hold(dealing.next_seat, card)

    def _take_off(self, card: Card) -> None:
        place = self._laid.pop(card, None)
        self._shown.pop(card, None)
        self._aside.pop(card, None)
        if place is not None and place.kind == "pad":
            tag = self._cards.tags[card]
            self._bench.table.wires.lift(place.where, tag)

    # What hands do

    def card(self, number: int) -> Card:
        """The card with this number; raises `DeedError`."""
        card = next((card for card, one in self._numbers.items() if one == number), None)
        if card is None:
            raise DeedError("no-card", "no card with this number; they are numbered anew when they are shuffled")
        return card

    def number(self, card: Card) -> int:
        """The number that pages know a card by; it says nothing of its face."""
        return self._numbers[card]

    def check_may_take(self, card: Card, viewer: int) -> None:
        """Raise `DeedError` where a card is in somebody else's hand."""
        place = self.places[card]
        if place.kind == "hand" and place.seat in self._bench.bots:
            raise DeedError("of-bot", f"the bot at seat {place.seat} holds this card")
        if place.kind == "hand" and viewer not in (EVERYBODY, place.seat):
            raise DeedError("not-yours", f"seat {place.seat} holds this card")

    def lay_on_pad(self, card: Card, reader: str, viewer: int) -> None:
        """Lay a card on a reader; what a person forgot there is taken away first."""
        if reader not in self._bench.table.wires.readers:
            raise DeedError("no-reader", f"no reader {reader!r} at this table")
        if not self._cards.tags[card]:
            raise DeedError("no-tag", "the cards of this table have no tags")
        place = self.places[card]
        seat = place.seat if place.kind == "hand" else max(viewer, 0)
        self._take_off(card)
        if self.tidy:
            for other in [other for other, lies in self._laid.items() if lies.where == reader]:
                self._take_off(other)
        seat = self._whose(reader, seat)
        before = self._look(seat)
        if place.kind == "hand" and before.ask is not None and seat in self._people():
            self._hand(seat).let_go(card, before.ask.prompt)
        elif card in self._bench.cards.stock and before.dealing is None and seat in self._people():
            self._hand(seat).drawn = card
        self.last_shown = card
        self._laid[card] = Place("pad", seat if place.kind == "hand" else 0, where=reader)
        self._shown[card] = _Shown(seat, self._bench.table.clock.now(), before)
        self._bench.table.wires.place(reader, self._cards.tags[card])

    def _whose(self, reader: str, seat: int) -> int:
        """The seat whose display answers: the one that shows the card, else the reader's, else the first."""
        own = next((place.seat for place in self._bench.table.wires.wiring.readers() if place.name == reader), None)
        return seat or own or 1

    def lay_on_felt(self, card: Card, x: float, y: float, face_up: bool) -> None:
        """Lay a card anywhere on the table."""
        place = self.places[card]
        self._take_off(card)
        self._bench.cards.pick_up(card)
        self._laid[card] = Place("felt", x=x, y=y, open=face_up)
        if place.kind == "hand":
            self._aside[card] = place.seat

    def turn(self, card: Card) -> None:
        """Turn over a card that lies on the felt."""
        place = self._laid.get(card)
        if place is None or place.kind != "felt":
            raise DeedError("not-there", "only a card that lies on the felt can be turned over")
        self._laid[card] = place._replace(open=not place.open)

    def take(self, card: Card, seat: int, index: int | None = None) -> None:
        """Take a card into a hand; of the pile, with all that lie on it. `index` is its place there."""
        if seat in self._bench.bots and self._bench.table.loop.seat_view(seat).dealing is None:
            raise DeedError("of-bot", f"the bot at seat {seat} takes its cards itself")
        pile, on_it = self._bench.cards.pile, self.places[card].kind == "pile"
        for one in pile[pile.index(card) :] if card in pile and on_it else (card,):
            self._take_off(one)
            self._bench.cards.hold(seat, one)
        hand = self._bench.cards.hands[seat]
        if index is not None:
            hand.remove(card)
            hand.insert(min(index, len(hand)), card)

    def put(self, card: Card, where: str) -> None:
        """Put a card onto the stock, under it (`under`), or onto the pile."""
        self._take_off(card)
        self._bench.cards.put(card, where)

    def sort(self, seat: int, order: list[Card]) -> None:
        """Have the cards of a hand in this order."""
        self._bench.cards.hands[seat] = order

    def shuffle(self) -> None:
        """Gather all cards and shuffle them."""
        self._bench.shuffle_for_game()
        self._bench.cards.shuffle()
        self.poll()

    # What is seen

    def seen(self, viewer: int) -> dict[str, Any]:
        """All that a viewer sees of the cards: a seat, 0 for somebody who looks on, or `EVERYBODY`.

        Cards whose face the viewer may not see come in the order of their numbers, which say nothing.
        """
        own = partial(self._may_see, viewer=viewer)
        stock = self._bench.cards.stock
        shown = [card for card, place in self.places.items() if place.kind not in ("stock", "away")]
        shown += [card for card in stock[-1:] if self.places[card].kind == "stock"]
        cards = [self._card(card, self.places[card], open_to=own(self.places[card])) for card in shown]
        cards.sort(key=lambda one: (one["at"], one["seat"], one.get("index", 0), one.get("within", 0), one["id"]))
        away = sum(place.kind == "away" for place in self.places.values())
        return {"viewer": viewer, "cards": cards, "stock": len(stock), "away": away, "tidy": self.tidy}

    def _may_see(self, place: Place, viewer: int) -> bool:
        return place.open or (place.kind in ("hand", "pad") and place.seat > 0 and viewer in (EVERYBODY, place.seat))

    def _card(self, card: Card, place: Place, open_to: bool) -> dict[str, Any]:
        one: dict[str, Any] = {"id": self._numbers[card], "at": place.kind, "seat": place.seat}
        if open_to:
            one |= {"face": f"{card.rank}{card.suit}", "pack": card.pack, "index": place.order}
        if place.kind == "meld":
            one["within"] = place.within
        if place.kind == "pad":
            one["where"] = place.where
        if place.kind == "felt":
            one |= {"x": place.x, "y": place.y, "open": place.open}
        return one
