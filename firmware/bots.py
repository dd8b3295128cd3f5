"""Players for a simulated table: they see what their seat's display is drawn from, and act on the wires alone.

A bot presses button lines and lays tags into fields, at a person's pace; now and then it makes a mistake. It knows no
rules: what it may do it reads off its view.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import Random
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import Card
from engine.view import Hand, Trick, Turn
from firmware.seatview import DealingView, SeatView
from hal.events import Button
from hal.sim.board import SimulatedWires
from hal.wiring import CommonRole, ReaderPlace

SHOW = 0.18
"""Seconds for which a card is held to a reader."""
PRESS = 0.08
"""Seconds that a press lasts, and that follow it."""
PATIENCE = 1.0
"""Seconds after which a bot tries again when nothing has come of what it did."""

_IGNORED = ("menu", "next-match")


class Cards:
    """The pack on the table, and who holds which of its cards in the hand."""

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
        """Give the top card to a seat; face down, but its tag can be read."""
        card = self._stock.pop()
        self.hands.setdefault(seat, []).append(card)
        return card


def seat_bot(
    seat: int,
    readers: Iterable[ReaderPlace],
    look: Callable[[], SeatView],
    wires: SimulatedWires,
    cards: Cards,
    chance: Random,
    mistakes: float = 0.0,
    pace: float = 1.0,
) -> "Bot":
    """A bot that shows its cards to the reader at its seat, or to the one in the middle, if there is one."""
    places = {place.seat or place.role: place.name for place in readers}
    reader, pad = places.get(seat, places.get(CommonRole.CENTRE)), places.get(CommonRole.DEALING)
    return Bot(seat, look, wires, cards, chance, reader, pad, mistakes, pace)


class _Step(NamedTuple):
    """Something that hands do, so many seconds after the step before."""

    after: float
    act: Callable[[], None]


class Bot:
    """One player. `look` gives what its display is drawn from; `reader` is where it shows cards, if anywhere.

    `mistakes` is the share of cards that are wrong at first; `pace` 1 thinks like a person, less is quicker.
    """

    def __init__(
        self,
        seat: int,
        look: Callable[[], SeatView],
        wires: SimulatedWires,
        cards: Cards,
        chance: Random,
        reader: str | None = None,
        pad: str | None = None,
        mistakes: float = 0.0,
        pace: float = 1.0,
    ) -> None:
        self.seat = seat
        self._look = look
        self._wires = wires
        self._cards = cards
        self._chance = chance
        self._reader = reader
        self._pad = pad
        self.mistakes = mistakes
        self._pace = pace
        self._steps: list[_Step] = []
        self._due = 0.0
        self._answered: SeatView | None = None
        self._patience = 0.0
        self._turn: tuple[int, ...] = ()
        self._dealt = -1
        self._top: Card | None = None

    def poll(self, now: float) -> None:
        """Do what is due at `now`."""
        while now >= self._due:
            if not self._steps:
                self._think(now)
                return
            step = self._steps.pop(0)
            step.act()
            self._due = now + (self._steps[0].after if self._steps else 0.05)
            self._patience = now + PATIENCE

    def _plan(self, now: float, pause: float, steps: list[_Step]) -> None:
        self._steps = steps
        self._due = now + pause * self._pace * self._chance.uniform(0.7, 1.3)

    def _think(self, now: float) -> None:
        seen = self._look()
        self._due = now + 0.05
        if seen == self._answered and now < self._patience:
            return
        self._answered = seen
        if seen.dealing is not None and seen.dealing.dealer == self.seat and seen.ask is None:
            self._deal(seen.dealing, now)
        elif seen.ask is not None and seen.ask.prompt not in _IGNORED:
            if seen.dealing is not None:
                self._deal_unseen(seen.dealing)
            self._answer(seen, seen.ask, now)
        else:
            self._wait(seen, now)

    # Dealing

    def _deal(self, dealing: DealingView, now: float) -> None:
        """Touch the next card to the pad; the one before must have been read."""
        done = sum(dealing.counts)
        if self._pad is None or not dealing.next_seat:
            return
        if done == 0 and self._dealt != 0:
            self._cards.shuffle()
            self._dealt = 0
        if done == self._dealt:
            self._dealt += 1
            self._top = self._cards.deal(dealing.next_seat)
        if self._top is not None:  # the next card, or the last once more because it was not read
            self._plan(now, 0.1, self._showing(self._pad, self._top))

    def _showing(self, reader: str, card: Card) -> list[_Step]:
        """Lay a card on a reader and take it away again."""
        tag = self._cards.tags[card]
        place, lift = partial(self._wires.place, reader, tag), partial(self._wires.lift, reader, tag)
        return [_Step(0, place), _Step(SHOW, lift)]

    def _deal_unseen(self, dealing: DealingView) -> None:
        """Deal all cards before saying so."""
        self._cards.shuffle()
        for _ in range(dealing.size):
            for seat in range(1, len(dealing.counts) + 1):
                self._cards.deal(seat)

    # Playing

    def _answer(self, seen: SeatView, ask: Ask, now: float) -> None:
        if not ask.cards:
            self._choose(ask, ask.choices, seen.cursor, self._pick(seen, ask.choices), now)
            return
        own = self._own(seen)
        wrong = [card for card in own if card not in ask.cards]
        if wrong and self._reader is not None and self._chance.random() < self.mistakes:
            self._show(self._chance.choice(wrong), now, 0.8)
            return
        right = [card for card in own if card in ask.cards] or list(ask.cards)
        card = self._chance.choice(_of_led_suit(seen, right))
        if self._reader is not None:
            self._show(card, now, 0.8)
        else:
            self._choose(ask, ask.cards, seen.cursor, card, now)

    def _own(self, seen: SeatView) -> list[Card]:
        """The own cards: those that the table shows to this seat, else those in the hand."""
        hands = [block for block in seen.view.blocks if isinstance(block, Hand)]
        known = next((hand for hand in hands if hand.seat == self.seat), None)
        if known is not None and not known.unknown:
            return list(known.cards)
        return list(self._cards.hands.get(self.seat, ()))

    def _show(self, card: Card, now: float, pause: float) -> None:
        assert self._reader is not None
        self._plan(now, pause, self._showing(self._reader, card))

    def _choose(self, ask: Ask, items: tuple[Token, ...], cursor: int | None, item: Token, now: float) -> None:
        """Press the shorter way to an item, then OK."""
        wanted, count = items.index(item), len(items)
        if len(items) == 1 and not ask.cards:
            presses = []
        else:
            right = wanted + 1 if cursor is None else (wanted - cursor) % count
            left = count - wanted if cursor is None else (cursor - wanted) % count
            presses = [Button.RIGHT] * right if right <= left else [Button.LEFT] * left
        steps: list[_Step] = []
        for button in [*presses, Button.OK]:
            steps.append(_Step(PRESS, partial(self._wires.press, self.seat, button)))
            steps.append(_Step(PRESS, partial(self._wires.release, self.seat, button)))
        self._plan(now, 0.6, steps)

    def _pick(self, seen: SeatView, choices: tuple[str, ...]) -> str:
        """A choice: a bid by the strength of the hand, the longest suit, or any."""
        own = self._own(seen)
        bids = [choice for choice in choices if choice.isdigit()]
        if "pass" in choices:
            strength = sum(card.rank in ("A", "J") for card in own) + self._chance.choice((0, 0, 1))
            good = [bid for bid in bids if int(bid) <= strength]
            return good[-1] if good and self._chance.random() < 0.7 else good[0] if good else "pass"
        suits = [choice for choice in choices if choice in ("C", "D", "H", "S")]
        if suits:
            return max(suits, key=lambda suit: sum(card.suit == suit for card in own))
        return self._chance.choice(choices)

    # Waiting

    def _wait(self, seen: SeatView, now: float) -> None:
        """Now and then a player who is not to act shows a card all the same."""
        turn = next((block.seats for block in seen.view.blocks if isinstance(block, Turn)), ())
        changed, self._turn = turn != self._turn, turn
        trick = next((block for block in seen.view.blocks if isinstance(block, Trick)), None)
        if not changed or self._reader is None or seen.dealing is not None or trick is None or not trick.plays:
            return
        own = self._own(seen)
        if own and self._chance.random() < self.mistakes / 5:
            self._show(self._chance.choice(own), now, 0.2)


def _of_led_suit(seen: SeatView, cards: list[Card]) -> list[Card]:
    """Those of the suit that was led, if there are any: what a player does whose hand the table does not know."""
    trick = next((block for block in seen.view.blocks if isinstance(block, Trick)), None)
    if trick is None or not trick.plays:
        return cards
    led = trick.plays[0][1].suit
    return [card for card in cards if card.suit == led] or cards
