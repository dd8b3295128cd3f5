"""Players for a simulated table: they see what their seat's display is drawn from, and act on the wires alone.

A bot presses button lines and lays tags into fields, at a person's pace; now and then it makes a mistake. It knows no
rules: what it may do it reads off its view.
"""

from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import PLAIN, Card
from engine.values import Refusal
from engine.view import Hand, Trick, Turn
from firmware import bot_choices
from firmware.composer import RANK
from firmware.pack import Cards
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
        self._turning: DealingView | None = None
        self._drawn: Card | None = None
        self._given: list[Card] = []

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
                self._deal_unseen(seen.dealing, seen.ask, seen.cursor, now)
            else:
                self._answer(seen, seen.ask, now)
        else:
            self._wait(seen, now)

    # Dealing

    def _deal(self, dealing: DealingView, now: float) -> None:
        """Touch the next card to the pad; the one before must have been read."""
        done = sum(dealing.counts)
        if self._pad is None or not (dealing.next_seat or dealing.wanted):
            return
        if done == 0 and self._dealt != 0:
            self._cards.shuffle()
            self._dealt = 0
        if done == self._dealt:
            self._dealt += 1
            self._top = self._cards.deal(dealing.next_seat) if dealing.next_seat else None
        if dealing.wanted is not None and dealing != self._turning:
            self._turning, self._top = dealing, self._cards.turn_up()
        if self._top is not None:  # the next card, or the last once more because it was not read
            self._plan(now, 0.1, self._showing(self._pad, self._top))

    def _showing(self, reader: str, card: Card) -> list[_Step]:
        """Lay a card on a reader and take it away again."""
        tag = self._cards.tags[card]
        place, lift = partial(self._wires.place, reader, tag), partial(self._wires.lift, reader, tag)
        return [_Step(0, place), _Step(SHOW, lift)]

    def _deal_unseen(self, dealing: DealingView, ask: Ask, cursor: int | None, now: float) -> None:
        """Deal all cards before saying so; then turn up what the table asks for."""
        if dealing.wanted is None:
            self._cards.shuffle()
            for _ in range(dealing.size):
                for seat in range(1, len(dealing.counts) + 1):
                    self._cards.deal(seat)
            self._choose(ask, cursor, ask.choices[0], now)
            return
        if self._turning != dealing:
            self._turning, self._top = dealing, self._cards.turn_up()
        assert self._top is not None
        reader = self._pad or self._reader
        if reader is not None:
            self._plan(now, 0.5, self._showing(reader, self._top))
        else:
            self._choose(ask, cursor, self._top, now)

    # Playing

    def _answer(self, seen: SeatView, ask: Ask, now: float) -> None:
        self._take_back(seen)
        if ask.source == "stock":
            self._answer_drawing(seen, ask, now)
            return
        own = self._own(seen)
        self._drawn = None
        offered = {PLAIN[card] for card in ask.cards}
        wrong = [card for card in own if PLAIN[card] not in offered]
        if ask.cards and wrong and self._reader is not None and self._chance.random() < self.mistakes:
            self._show(self._chance.choice(wrong), now, 0.8)
            return
        verb = bot_choices.choice(ask, own, self._chance) if ask.choices else None
        card = bot_choices.card(ask, own, seen.view, self._chance)
        ranks = [choice for choice in ask.choices if choice.startswith(RANK)]
        if ranks:  # a long list, of which the bot knows what it wants by rank
            held = [card for card in own if f"{RANK}{card.rank}" in ranks]
            self._choose(ask, seen.cursor, self._chance.choice(held) if held else ranks[0], now)
        elif card is not None and (verb is None or verb in (*bot_choices.RELUCTANT, "draw")):
            self._give(ask, seen.cursor, card, now)
        elif verb is not None:
            self._choose(ask, seen.cursor, verb, now)
        elif ask.end:
            self._choose(ask, seen.cursor, END, now)
        else:  # the table offers cards that the bot knows not to be its own
            self._give(ask, seen.cursor, self._chance.choice(ask.cards), now)

    def _give(self, ask: Ask, cursor: int | None, card: Card, now: float) -> None:
        """Show a card to the reader, or pick it on the display."""
        if self._reader is not None and card in self._cards.tags:
            self._cards.leave(self.seat, card)
            self._given.append(card)
            self._show(card, now, 0.8)
        else:
            self._choose(ask, cursor, card, now)

    def _answer_drawing(self, seen: SeatView, ask: Ask, now: float) -> None:
        """Draw a card and show it; where hands are not known nobody does, and it stays unseen."""
        if len(ask.cards) == 1 and ask.end:  # from a pile that was turned over: everybody knows which card it is
            self._choose(ask, seen.cursor, END, now)
            return
        if self._drawn is None:
            self._drawn = self._cards.draw(self.seat, bot_choices.open_cards(seen.view))
        hand = self._own_block(seen)
        if self._reader is not None and hand is not None and not hand.unknown:
            self._show(self._drawn, now, 0.6)
        elif ask.end:
            self._choose(ask, seen.cursor, END, now)
        else:
            self._choose(ask, seen.cursor, self._drawn, now)

    def _take_back(self, seen: SeatView) -> None:
        """Cards that were refused go back into the hand."""
        if isinstance(seen.message, Refusal):
            for card in self._given:
                self._cards.hold(self.seat, card)
        if isinstance(seen.message, Refusal) or not seen.given:
            self._given = []

    def _own_block(self, seen: SeatView) -> Hand | None:
        hands = [block for block in seen.view.blocks if isinstance(block, Hand)]
        return next((hand for hand in hands if hand.seat == self.seat), None)

    def _own(self, seen: SeatView) -> list[Card]:
        """The own cards: those that the table shows to this seat, else those in the hand."""
        known, lying = self._own_block(seen), bot_choices.open_cards(seen.view)
        if known is None or known.unknown:
            held = [*(known.cards if known is not None else ()), *self._cards.hands.get(self.seat, ())]
            return [card for card in dict.fromkeys(held) if card not in lying]
        self._cards.match(self.seat, known.cards)
        return [card for card in self._cards.hands[self.seat] if PLAIN[card] not in map(_plain, seen.given)]

    def _show(self, card: Card, now: float, pause: float) -> None:
        assert self._reader is not None
        self._plan(now, pause, self._showing(self._reader, card))

    def _choose(self, ask: Ask, cursor: int | None, item: Token, now: float) -> None:
        """Press the shorter way to an item, then OK; of a long list of cards first to the rank."""
        items: list[Token] = [*ask.choices, *ask.cards, *([END] if ask.end else [])]
        if isinstance(item, Card) and f"{RANK}{item.rank}" in ask.choices:
            item = f"{RANK}{item.rank}"
        elif isinstance(item, Card):
            item = next(one for one in items if isinstance(one, Card) and PLAIN[one] == PLAIN[item])
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


def _plain(token: Token) -> int:
    """A card without its pack; a choice is none."""
    return PLAIN[token] if isinstance(token, Card) else -1
