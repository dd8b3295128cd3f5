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
from engine.view import Trick, Turn
from firmware import bot_choices
from firmware.bot_hand import BotHand, own_block
from firmware.fumbles import APART, Fumble, Touch, touches
from firmware.given_up import GivenUp
from firmware.narrowing import is_step, leading_to, moves_to
from firmware.pack import Cards
from firmware.seatview import DealingView, SeatView, items_of, verbs_of
from firmware.sides import meant_by
from firmware.ways import Way
from hal.events import Button
from hal.sim.board import SimulatedWires
from hal.wiring import CommonRole, ReaderPlace

SHOW = 0.18
"""Seconds for which a card is held to a reader."""
LONGEST = 1.0
"""Seconds after which a card is taken away again of which the display says nothing."""
PRESS = 0.08
"""Seconds that a press lasts, and that follow it."""
BACK = 1.0
"""Seconds for which a button is held to go back."""
PATIENCE = 1.0
"""Seconds after which a bot tries again when nothing has come of what it did."""

_IGNORED = "next-match"
_GO_ON = "go-on"
_MINE = "mine"
_SO = "so-it-is"
_ANEW = "deal-anew"
_DEALING = "dealing"
"""The question to a dealer that needs no answer."""
_ASSENT, _AGREE = "assent", "agree"


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
    bot.beside = tuple(name for of, name in places.items() if isinstance(of, int) and of != seat and of)
    return bot


def _deals(dealing: DealingView, ask: Ask | None) -> bool:
    """Whether the dealer is to show a card: over the pad the next one, else one that lies open."""
    if ask is not None and (ask.prompt != _DEALING or dealing.way is Way.CONCEALED):
        return False
    return dealing.way is not Way.SCAN_IN or dealing.wanted is not None


class _Step(NamedTuple):
    """Something that hands do, so many seconds after the step before."""

    after: float
    act: Callable[[], None]
    when: Callable[[], bool] | None = None
    """What it waits for, after that, but not for ever."""


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
        self._hand = BotHand(seat, cards)
        self._mover = lambda: self._hand.sync(look())
        cards.movers.append(self._mover)
        self._chance = chance
        self._reader = reader
        self._mirrored = False
        self._reads = reader  # None while the display says that it does not answer
        self.shares_reader = False
        """Whether the reader is not this seat's own."""
        self.beside: tuple[str, ...] = ()
        """The readers of the other seats."""
        self._pad = pad
        self.mistakes = mistakes
        self.fumbles = 0.0
        """The share of cards that are shown clumsily."""
        self._pace = pace
        self._steps: list[_Step] = []
        self._due = 0.0
        self._answered: SeatView | None = None
        self.patience = PATIENCE
        """Seconds after which it tries again when nothing has come of what it did."""
        self._impatient = 0.0
        self._turn: tuple[int, ...] = ()
        self._dealt: list[Card] = []
        self._shuffled = 0
        """How often the cards had been shuffled when this bot did so to deal."""
        self._top: Card | None = None
        self._turning: DealingView | None = None
        self._scanned = 0
        self._meld: list[Card] = []
        self._failed: list[list[Card]] = []
        self._useless: set[str] = set()
        self._given_up = GivenUp()
        self._astray = 0
        """How often in turn the display did not offer what was to be picked."""

    def poll(self, now: float) -> None:
        """Do what is due at `now`."""
        while now >= self._due:
            if not self._steps:
                self._think(now)
                return
            step = self._steps[0]
            if step.when is not None and now < self._due + LONGEST and not step.when():
                return
            self._steps.pop(0)
            step.act()
            self._due = now + (self._steps[0].after if self._steps else 0.05)
            self._impatient = now + self.patience

    def leave(self) -> None:
        """Stand up: what is pressed is let go, and what lies on a reader is taken away."""
        for step in self._steps:
            step.act()
        self.forget()

    def forget(self) -> None:
        """Be no more, as when the table that it sat at was switched off: what it was doing stays undone."""
        self._steps = []
        self._cards.movers.remove(self._mover)

    @property
    def idle(self) -> bool:
        """Whether its hands are doing nothing."""
        return not self._steps

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
        self._reads = self._reader if seen.tapping else None
        self._mirrored = seen.mirrored
        self._due = now + 0.05
        self._hand.sync(seen)
        if not seen.given and not self._acts(seen):
            self._failed, self._useless = [], set()
            self._given_up.clear()
        if seen == self._answered and now < self._impatient:
            return
        self._answered = seen
        self._cards.settle()
        if seen.dealing is not None and seen.dealing.dealer == self.seat and _deals(seen.dealing, seen.ask):
            self._deal(seen.dealing, now)
        elif seen.dealing is not None and self._scans(seen.dealing, seen.ask):
            self._scan(seen, seen.dealing, now)
        elif seen.ask is not None and _SO in seen.ask.choices:  # the table was started anew; it knows best
            self._hand.sort_out(seen)
            self._choose(seen, seen.ask, _SO, now)
        elif seen.ask is not None and _MINE in seen.ask.choices:
            self._choose(seen, seen.ask, _MINE, now)
        elif seen.ask is not None and seen.ask.prompt == _DEALING:
            pass  # the others show their cards
        elif seen.ask is not None and seen.ask.prompt == _ASSENT:
            self._choose(seen, seen.ask, _AGREE, now)
        elif seen.ask is not None and _GO_ON in seen.ask.choices:  # a hold that was meant to go back opened the menu
            self._choose(seen, seen.ask, _GO_ON, now)
        elif seen.ask is not None and seen.ask.prompt != _IGNORED and self._acts(seen):
            if seen.dealing is not None:
                self._deal_unseen(seen, seen.dealing, seen.ask, now)
            else:
                self._answer(seen, seen.ask, now)
        else:
            self._wait(seen, now)

    # Dealing

    def _deal(self, dealing: DealingView, now: float) -> None:
        """Touch the next card to the pad; the one before must have been read."""
        done = sum(dealing.counts)
        reader = self._pad if dealing.way is Way.PAD else self._pad or self._reader
        if reader is None or not (dealing.next_seat or dealing.wanted):
            return
        unread = len(self._dealt) == 1 and self._cards.shuffles == self._shuffled
        if done == 0 and not unread:  # else that card is shown once more: it may be read yet, and count
            self._cards.shuffle()
            self._dealt, self._turning, self._shuffled = [], None, self._cards.shuffles
        if dealing.next_seat:
            if done == len(self._dealt):
                self._dealt.append(self._cards.deal(dealing.next_seat))
            # the next, or one that was not read or was withdrawn; a deal that somebody else began is not gone on with
            self._top = self._dealt[done] if done < len(self._dealt) else None
        if dealing.wanted is not None and dealing != self._turning:
            self._turning, self._top = dealing, self._cards.turn_up(dealing.wanted)
        if self._top is not None:
            self._plan(now, 0.1, self._showing(reader, self._top))

    def _scans(self, dealing: DealingView, ask: Ask | None) -> bool:
        """Whether it is to show its hand to its reader; whoever deals begins with that, too."""
        scanning = dealing.way is Way.SCAN_IN and dealing.begun and dealing.counts[self.seat - 1] < dealing.size
        return scanning and (ask is None or (ask.prompt != "menu" and _MINE not in ask.choices))

    def _scan(self, seen: SeatView, dealing: DealingView, now: float) -> None:
        """Show one card of the hand after the other, in rounds; now and then the same once more.

        A button that somebody pressed may have begun it before all was dealt: then the dealer deals, or deals anew.
        """
        if dealing.dealer == self.seat and not self._cards.dealt(len(dealing.counts), dealing.size):
            if seen.ask is not None and any(dealing.counts):
                self._choose(seen, seen.ask, _ANEW if _ANEW in seen.ask.choices else _GO_ON, now)
                return
            self._deal_all(dealing)
        hand = self._cards.hands.get(self.seat, [])
        if self._reads is None or len(hand) != dealing.size:
            return  # somebody else has dealt, and did not say what
        if not dealing.counts[self.seat - 1]:
            self._scanned = 0
        elif self._chance.random() < self.mistakes / 5:
            self._scanned -= 1
        self._show(hand[self._scanned % dealing.size], now, 0.3)
        self._scanned += 1

    def _deal_all(self, dealing: DealingView) -> None:
        self._cards.shuffle()
        self._turning = None
        for _ in range(dealing.size):
            for seat in range(1, len(dealing.counts) + 1):
                self._cards.deal(seat)

    def _showing(self, reader: str, card: Card) -> list[_Step]:
        """Lay a card on a reader, and take it away again when the display says something new."""
        tag, before = self._cards.tag(card), self._look()
        if tag is None:
            return []
        place, lift = partial(self._wires.place, reader, tag), partial(self._wires.lift, reader, tag)
        return [_Step(0, place), _Step(SHOW, lift, lambda: self._look() != before)]

    def _deal_unseen(self, seen: SeatView, dealing: DealingView, ask: Ask, now: float) -> None:
        """Deal all cards before saying so; then turn up what the table asks for.

        A button that somebody pressed may have said so already: then they are dealt before one is turned up.
        """
        seats = len(dealing.counts)
        if dealing.wanted is None or not self._cards.dealt(seats, dealing.size):
            self._deal_all(dealing)
        if dealing.wanted is None:
            self._choose(seen, ask, ask.choices[0], now)
            return
        if self._turning != dealing:
            self._turning, self._top = dealing, self._cards.turn_up(dealing.wanted)
        assert self._top is not None
        reader = self._pad or self._reader
        if reader is not None:
            self._plan(now, 0.5, self._showing(reader, self._top))
        else:
            self._choose(seen, ask, self._top, now)

    # Playing

    def _answer(self, seen: SeatView, ask: Ask, now: float) -> None:
        self._given_up.look(seen, ask)
        if ask.source == "stock":
            self._answer_drawing(seen, ask, now)
        elif ask.source == "line" and seen.offered:
            if self._hand.taking not in seen.offered:  # what is tried once more is the same
                self._hand.taking = self._chance.choice(seen.offered)
            self._choose(seen, ask, self._hand.taking, now)
        else:
            self._answer_from_hand(seen, ask, now)

    def _answer_from_hand(self, seen: SeatView, ask: Ask, now: float) -> None:
        hand = own_block(seen, self.seat)
        known = hand is not None and not hand.unknown
        own = [card for card in self._hand.own(seen) if not self._given_up.has(ask, card)]
        if not seen.given:
            self._meld = [] if known else bot_choices.meld(own, self._failed)
        if self._errs(seen, own, now):
            return
        verbs = verbs_of(ask)
        verbs = tuple(verb for verb in verbs if verb not in self._useless) or verbs
        verb = bot_choices.choice(verbs, own, known, bool(self._meld), self._chance) if verbs else None
        usable = own if known or "meld" not in seen.given else [card for card in own if card in self._meld]
        card = bot_choices.card(ask.prompt, seen.offered, usable, seen.view, self._chance)
        if card is not None and (verb is None or verb in (*bot_choices.RELUCTANT, "draw")):
            self._give(seen, ask, card, now)
        elif verb is not None:
            self._say(seen, ask, verb, now)
        elif ask.end:
            self._choose(seen, ask, END, now)
        elif seen.given:  # the table offers cards that the bot does not hold: back
            self._failed.append(self._meld)
            self._useless.update(token for token in seen.given[:1] if not isinstance(token, Card))
            self._press(Button.LEFT, BACK, now)
        elif seen.offered:
            self._give(seen, ask, self._chance.choice(seen.offered), now)

    def _errs(self, seen: SeatView, own: list[Card], now: float) -> bool:
        """Now and then show a card that is not asked for; whether it did."""
        offered = {PLAIN[card] for card in seen.offered}
        wrong = [card for card in own if PLAIN[card] not in offered]
        if not offered or not wrong or self._reads is None or self._chance.random() >= self.mistakes:
            return False
        self._show(self._chance.choice(wrong), now, 0.8)
        return True

    def _say(self, seen: SeatView, ask: Ask, verb: str, now: float) -> None:
        """Choose a verb."""
        self._hand.said(verb)
        if verb == "return":
            self._useless.add("take")
        self._choose(seen, ask, verb, now)

    def _give(self, seen: SeatView, ask: Ask, card: Card, now: float) -> None:
        """Show a card to the reader, or pick it on the display; it leaves the hand when the table has counted it."""
        item = leading_to(card, items_of(ask))
        if self._reads is not None or (item is not None and not is_step(item)):
            self._hand.let_go(card, ask.prompt)
        if self._reads is not None and not self._given_up.has_equal(ask, card):
            self._given_up.tried(ask, card)
            self._show(card, now, 0.8)
        else:
            self._choose(seen, ask, card, now)

    def _answer_drawing(self, seen: SeatView, ask: Ask, now: float) -> None:
        """Draw a card and show it.

        It stays unseen where hands are not known, or where everybody knows which one it is: a pile was turned over.
        """
        self._hand.drawn = self._cards.top()
        if self._hand.drawn is not None and self._given_up.has(ask, self._hand.drawn):
            self._cards.put(self._hand.drawn, "under")  # the table knows that it lies elsewhere: the next one then
            self._hand.drawn = self._cards.top()
        hand, known = own_block(seen, self.seat), len(seen.offered) == 1
        tells = self._reads is not None and hand is not None and not hand.unknown and not known
        if self._hand.drawn is not None and self._given_up.has(ask, self._hand.drawn):  # it is the only one
            self._choose(seen, ask, END if ask.end else self._chance.choice(items_of(ask)), now)
        elif tells and self._hand.drawn is not None:
            self._given_up.tried(ask, self._hand.drawn)
            self._show(self._hand.drawn, now, 0.6)
        elif ask.end or self._hand.drawn is None:
            self._choose(seen, ask, END, now)
        else:
            self._choose(seen, ask, self._hand.drawn, now)

    def _show(self, card: Card, now: float, pause: float) -> None:
        assert self._reads is not None
        steps = self._showing(self._reads, card)
        if steps and self.fumbles and self._chance.random() < self.fumbles:
            steps = self._fumbling(self._reads, card, steps)
        self._plan(now, pause, steps)

    def _fumbling(self, reader: str, card: Card, steps: list[_Step]) -> list[_Step]:
        """The same after something that was not meant; or, with a card that is put back, before it."""
        others = [other for other in self._cards.hands.get(self.seat, []) if other != card]
        dealing = self._look().dealing is not None  # then a neighbour's reader takes the neighbour's cards
        fumble = self._chance.choice(
            [
                one
                for one in Fumble
                if (one is not Fumble.NEIGHBOURS_PAD or (self.beside and not dealing)) and (others or one.cards < 2)
            ]
        )
        held = [self._chance.choice(others), card] if others and fumble is Fumble.BUMPED_CARD else [card, *others]
        tags = [tag for tag in map(self._cards.tag, held) if tag is not None]
        beside = self._chance.choice(self.beside) if fumble is Fumble.NEIGHBOURS_PAD else ""
        done = [self._touch(touch) for touch in touches(fumble, reader, tags, beside)]
        if fumble in (Fumble.PUT_BACK, Fumble.LIFTED_TOO_EARLY):
            done = done[:2]  # the other time is the one that is meant
        first, then = (steps, done) if fumble is Fumble.PUT_BACK else (done, steps)
        return [*first, then[0]._replace(after=APART), *then[1:]]

    def _touch(self, touch: Touch) -> _Step:
        """What hands do at a reader, as a step."""

        def act() -> None:
            for tag in touch.tags:
                (self._wires.place if touch.down else self._wires.lift)(touch.reader, tag)

        return _Step(touch.after, act)

    def _press(self, button: Button, seconds: float, now: float) -> None:
        button = meant_by(button, self._mirrored)
        press, release = (partial(act, self.seat, button) for act in (self._wires.press, self._wires.release))
        self._plan(now, 0.4, [_Step(0, press), _Step(seconds, release)])

    def _choose(self, seen: SeatView, ask: Ask, wanted: Token, now: float) -> None:
        """Press the shorter way to an item, then OK; in a long list to the step that leads there."""
        items = items_of(ask)
        item = leading_to(wanted, items)
        if item is None:
            self._go_astray(seen, ask, now)
            return
        if item != _GO_ON:
            self._astray = 0
        moves = 0 if len(items) == 1 and not ask.cards else moves_to(items, seen.enter, seen.cursor, item)
        presses = [meant_by(Button.RIGHT if moves > 0 else Button.LEFT, seen.mirrored)] * abs(moves)
        steps: list[_Step] = []
        for button in [*presses, Button.OK]:
            steps.append(_Step(PRESS, partial(self._wires.press, self.seat, button)))
            steps.append(_Step(PRESS, partial(self._wires.release, self.seat, button)))
        self._plan(now, 0.6, steps)

    def _go_astray(self, seen: SeatView, ask: Ask, now: float) -> None:
        """The display does not offer what was to be picked: a button that went down by itself has led elsewhere, so
        back; where that has not helped, the table counts another card than lies there, and any of its answers does.
        """
        self._astray += 1
        items = items_of(ask)
        if self._astray % 2 or not items:
            self._press(Button.LEFT, BACK, now)
        else:
            self._choose(seen, ask, END if END in items else self._chance.choice(items), now)

    # Waiting

    def _wait(self, seen: SeatView, now: float) -> None:
        """Now and then a player who is not to act shows a card all the same."""
        turn = next((block.seats for block in seen.view.blocks if isinstance(block, Turn)), ())
        changed, self._turn = turn != self._turn, turn
        trick = next((block for block in seen.view.blocks if isinstance(block, Trick)), None)
        if not changed or self._reads is None or seen.dealing is not None or trick is None or not trick.plays:
            return
        own = self._hand.own(seen)
        if own and self._chance.random() < self.mistakes / 5:
            self._show(self._chance.choice(own), now, 0.2)
