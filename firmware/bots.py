"""Players for a simulated table: they see what their seat's display is drawn from, and act on the wires alone.

A bot presses button lines and lays tags into fields, at a person's pace; now and then it makes a mistake. It knows no
rules: what it may do it reads off its view.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import PLAIN, Card
from engine.values import Refusal
from engine.view import Hand, Piles, Trick, Turn
from firmware import bot_choices
from firmware.pack import Cards
from firmware.seatview import RANK, DealingView, SeatView, items_of
from hal.events import Button
from hal.sim.board import SimulatedWires
from hal.wiring import CommonRole, ReaderPlace

SHOW = 0.18
"""Seconds for which a card is held to a reader."""
PRESS = 0.08
"""Seconds that a press lasts, and that follow it."""
BACK = 1.0
"""Seconds for which a button is held to go back."""
PATIENCE = 3.0
"""Seconds after which a bot tries again when nothing has come of what it did."""

_ONTO_THE_PILE = ("turn", "drawn", "play", "play-on", "discard", "out")
_UNDER_THE_STOCK = ("exchange", "bury")
_STAYING = ("show", "double", "name-hand")
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
    bot = Bot(seat, look, wires, cards, chance, reader, pad, mistakes, pace)
    bot.shares_reader = seat not in places
    return bot


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
        cards.movers.append(self._look_and_sync)
        self._chance = chance
        self._reader = reader
        self.shares_reader = False
        """Whether the reader is not this seat's own."""
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
        self._taking: Card | None = None
        self._taken: list[Card] = []
        self._leaving: dict[Card, Callable[[int, Card], None]] = {}
        self._meld: list[Card] = []
        self._failed: list[list[Card]] = []
        self._useless: set[str] = set()
        self._confirmed: list[int] = []
        self._size = 0

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

    def _acts(self, seen: SeatView) -> bool:
        """Whether the table waits for this seat: others may be asked too, and need not answer."""
        turn = next((block.seats for block in seen.view.blocks if isinstance(block, Turn)), ())
        if self.shares_reader and self._reader is not None:
            turn = turn[:1]  # what a reader in the middle is shown counts as this seat's
        return seen.dealing is not None or self.seat in turn

    def _plan(self, now: float, pause: float, steps: list[_Step]) -> None:
        self._steps = steps
        self._due = now + pause * self._pace * self._chance.uniform(0.7, 1.3)

    def _think(self, now: float) -> None:
        seen = self._look()
        self._due = now + 0.05
        self._sync(seen)
        if seen == self._answered and now < self._patience:
            return
        self._answered = seen
        self._cards.settle()
        if seen.dealing is not None and seen.dealing.dealer == self.seat and seen.ask is None:
            self._deal(seen.dealing, now)
        elif seen.ask is not None and seen.ask.prompt not in _IGNORED and self._acts(seen):
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
            self._dealt, self._turning = 0, None
        if done == self._dealt:
            self._dealt += 1
            self._top = self._cards.deal(dealing.next_seat) if dealing.next_seat else None
        if dealing.wanted is not None and dealing != self._turning:
            self._turning, self._top = dealing, self._cards.turn_up(dealing.wanted)
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
            self._turning = None
            for _ in range(dealing.size):
                for seat in range(1, len(dealing.counts) + 1):
                    self._cards.deal(seat)
            self._choose(ask, cursor, ask.choices[0], now)
            return
        if self._turning != dealing:
            self._turning, self._top = dealing, self._cards.turn_up(dealing.wanted)
        assert self._top is not None
        reader = self._pad or self._reader
        if reader is not None:
            self._plan(now, 0.5, self._showing(reader, self._top))
        else:
            self._choose(ask, cursor, self._top, now)

    # Playing

    def _answer(self, seen: SeatView, ask: Ask, now: float) -> None:
        if ask.source == "stock":
            self._answer_drawing(seen, ask, now)
        elif ask.source == "line" and ask.cards:
            if self._taking not in ask.cards:  # what is tried once more is the same
                self._taking = self._chance.choice(ask.cards)
            self._choose(ask, seen.cursor, self._taking, now)
        else:
            self._answer_from_hand(seen, ask, now)

    def _answer_from_hand(self, seen: SeatView, ask: Ask, now: float) -> None:
        hand = _own_block(seen, self.seat)
        known = hand is not None and not hand.unknown
        own = self._own(seen)
        if not seen.given:
            self._meld = [] if known else bot_choices.meld(own, self._failed)
        if self._errs(seen, own, now):
            return
        verbs = tuple(choice for choice in ask.choices if not choice.startswith(RANK))
        verbs = tuple(verb for verb in verbs if verb not in self._useless) or verbs
        verb = bot_choices.choice(verbs, own, known, bool(self._meld), self._chance) if verbs else None
        usable = own if known or "meld" not in seen.given else [card for card in own if card in self._meld]
        offered = ask.cards or seen.offered  # where the rank has been picked, only its cards are left
        card = bot_choices.card(ask.prompt, offered, usable, seen.view, self._chance)
        if card is not None and (verb is None or verb in (*bot_choices.RELUCTANT, "draw")):
            self._give(ask, seen.cursor, card, now)
        elif verb is not None:
            self._say(seen, ask, verb, now)
        elif ask.end:
            self._choose(ask, seen.cursor, END, now)
        elif seen.given:  # the table offers cards that the bot does not hold: back
            self._failed.append(self._meld)
            self._useless.update(token for token in seen.given[:1] if not isinstance(token, Card))
            self._press(Button.LEFT, BACK, now)
        else:
            self._give(ask, seen.cursor, self._chance.choice(offered), now)

    def _errs(self, seen: SeatView, own: list[Card], now: float) -> bool:
        """Now and then show a card that is not asked for; whether it did."""
        offered = {PLAIN[card] for card in seen.offered}
        wrong = [card for card in own if PLAIN[card] not in offered]
        if not offered or not wrong or self._reader is None or self._chance.random() >= self.mistakes:
            return False
        self._show(self._chance.choice(wrong), now, 0.8)
        return True

    def _say(self, seen: SeatView, ask: Ask, verb: str, now: float) -> None:
        """Choose a verb; cards that were given before it leave the hand as it says."""
        if verb == "take":
            self._taking = self._cards.newest()
        for card in self._leaving:
            self._leaving[card] = self._way_out(verb)
        if verb == "return":
            self._useless.add("take")
            self._leaving = dict.fromkeys(self._taken, self._cards.lay)
        self._choose(ask, seen.cursor, verb, now)

    def _way_out(self, prompt: str) -> Callable[[int, Card], None]:
        """Where a card goes that this is asked for."""
        if prompt in _ONTO_THE_PILE:
            return self._cards.lay
        return self._cards.bury if prompt in _UNDER_THE_STOCK else self._cards.leave

    def _give(self, ask: Ask, cursor: int | None, card: Card, now: float) -> None:
        """Show a card to the reader, or pick it on the display; it leaves the hand when the table has counted it."""
        if ask.prompt not in _STAYING and (ask.cards or self._reader is not None):  # else only its rank is picked
            self._leaving.pop(card, None)  # given once more, it is the last one
            self._leaving[card] = self._way_out(ask.prompt)
        if self._reader is not None:
            self._show(card, now, 0.8)
        else:
            self._choose(ask, cursor, card, now)

    def _answer_drawing(self, seen: SeatView, ask: Ask, now: float) -> None:
        """Draw a card and show it.

        It stays unseen where hands are not known, or where everybody knows which one it is: a pile was turned over.
        """
        self._drawn = self._cards.top()
        hand, known = _own_block(seen, self.seat), len(ask.cards) == 1
        tells = self._reader is not None and hand is not None and not hand.unknown and not known
        if tells and self._drawn is not None:
            self._show(self._drawn, now, 0.6)
        elif ask.end or self._drawn is None:
            self._choose(ask, seen.cursor, END, now)
        else:
            self._choose(ask, seen.cursor, self._drawn, now)

    def _sync(self, seen: SeatView) -> None:
        """Move the physical cards as the table has counted them: what was given has left the hand, or was refused."""
        hand = _own_block(seen, self.seat)
        if seen.dealing is not None:
            self._forget()
            self._size = 0
            return
        if hand is None:
            return
        if seen.given:
            self._confirmed = [PLAIN[token] for token in seen.given if isinstance(token, Card)]
            return
        if not self._acts(seen):
            self._failed, self._useless = [], set()
        if isinstance(seen.message, Refusal):
            self._forget()
        elif hand.unknown:
            self._sync_unknown(len(hand.cards) + hand.unknown)
        else:
            self._sync_known(hand.cards, _newest(seen))

    def _look_and_sync(self) -> None:
        self._sync(self._look())

    def _forget(self) -> None:
        self._leaving, self._confirmed, self._drawn, self._taking = {}, [], None, None

    def _sync_unknown(self, size: int) -> None:
        """By the number of cards alone; that of an exchange stays."""
        exchanged = self._drawn is not None and bool(self._leaving)
        if size == self._size and not exchanged:
            return
        if size <= self._size:
            for place, card in enumerate(self._leaving, 1):
                if PLAIN[card] in self._confirmed or place == len(self._leaving):
                    self._leaving[card](self.seat, card)
        if self._drawn is not None:
            self._cards.draw(self.seat)
        if self._taking is not None:
            self._taken = self._cards.take(self.seat, self._taking)
        self._size = size
        self._forget()

    def _sync_known(self, cards: tuple[Card, ...], newest: int) -> None:
        """By the very cards that the table shows to this seat; `newest` is the one that lies on the pile."""
        held = self._cards.hands.setdefault(self.seat, [])
        gone, come = [card for card in held if card not in cards], [card for card in cards if card not in held]
        ways = {PLAIN[card]: way for card, way in self._leaving.items()}
        for card in gone:
            otherwise = self._cards.lay if PLAIN[card] == newest else self._cards.leave
            ways.get(PLAIN[card], otherwise)(self.seat, card)
        taken = self._cards.hold_all(self.seat, come)
        if come and self._taking is not None:
            self._taken = taken
        if gone or come:
            self._forget()

    def _own(self, seen: SeatView) -> list[Card]:
        """The own cards that the table has not taken as part of an action."""
        given = Counter(PLAIN[token] for token in seen.given if isinstance(token, Card))
        held = self._cards.hands.get(self.seat, [])
        own = []
        for card in sorted(held, key=lambda card: card not in self._leaving):
            if given[PLAIN[card]]:
                given[PLAIN[card]] -= 1
            else:
                own.append(card)
        return own

    def _show(self, card: Card, now: float, pause: float) -> None:
        assert self._reader is not None
        self._plan(now, pause, self._showing(self._reader, card))

    def _press(self, button: Button, seconds: float, now: float) -> None:
        press, release = (partial(act, self.seat, button) for act in (self._wires.press, self._wires.release))
        self._plan(now, 0.4, [_Step(0, press), _Step(seconds, release)])

    def _choose(self, ask: Ask, cursor: int | None, item: Token, now: float) -> None:
        """Press the shorter way to an item, then OK; of a long list of cards first to the rank."""
        items = list(items_of(ask))
        if isinstance(item, Card) and f"{RANK}{item.rank}" in ask.choices:  # a long list
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


def _own_block(seen: SeatView, seat: int) -> Hand | None:
    hands = [block for block in seen.view.blocks if isinstance(block, Hand)]
    return next((hand for hand in hands if hand.seat == seat), None)


def _newest(seen: SeatView) -> int:
    """The face of the card that was laid open last; -1 where there is none."""
    piles = next((block for block in seen.view.blocks if isinstance(block, Piles)), None)
    return PLAIN[piles.top] if piles is not None and piles.top is not None else -1
