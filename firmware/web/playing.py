"""What hands at a simulated table are doing, from the message of a browser to the wires: `Playing.do`.

All of it happens in the thread of the table.
"""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from random import Random
from typing import TypeVar

from engine.match import Match, Standing, to_act
from firmware.bench import Bench
from firmware.bot_hand import own_block
from firmware.bots import Bot, seat_bot
from firmware.loop import Loop
from firmware.seatview import DealingView
from firmware.web import deeds
from firmware.web.faults_drawer import switch, switch_line
from firmware.web.scripting import SessionScript
from firmware.web.world import EVERYBODY, DeedError, World
from hal.events import Button

T = TypeVar("T")
QUICK = 0.3
"""The pace of hands that deal for somebody."""
STUCK = 45.0
"""Seconds in which a bot that is waited for has brought nothing about, so that people are told."""


class Captured(StrEnum):
    """How far the capture of a table is: one ends when the table is switched off."""

    NONE = "none"
    RUNNING = "running"
    ENDED = "ended"


class Playing:
    """The hands at one table: those of people in browsers, and those that deal for them. `mistakes` is the share of
    wrong cards of a bot that sits down.
    """

    def __init__(self, bench: Bench, seed: int, mistakes: float = 0.0) -> None:
        self.bench = bench
        self._mistakes = mistakes
        self.world = World(bench, Random(f"{seed} cards"))
        self._chance = Random(f"{seed} dealers")
        self._dealers: dict[int, Bot] = {}
        self._pressed: set[tuple[int, Button]] = set()
        self.restarts = 0
        self.number = seed
        """Another table has another number."""
        self.capture = Captured.NONE
        self.journals: tuple[str, str] | None = None
        """Where the journal is kept: its name, empty where it could not be, and that which another table would get."""
        self.script = SessionScript(bench.table, seed)
        self._went_on: tuple[Match, DealingView | None, float] | None = None

    @property
    def dealing_for_somebody(self) -> bool:
        """Whether cards are being dealt for somebody."""
        return bool(self._dealers)

    @property
    def deal_is_due(self) -> bool:
        """Whether the table waits for a deal."""
        return self.bench.table.loop.seat_view(1).dealing is not None

    def check_may_be_told(self, viewer: int) -> None:
        """Raise `DeedError` where all that hands have done would tell cards that a viewer may not see."""
        dealing = self.bench.table.loop.seat_view(1).dealing
        dealt = dealing is not None and (any(dealing.counts) or dealing.shown > 0 or dealing.begun)
        if viewer != EVERYBODY and (dealt or self.bench.table.match.standing is Standing.RUNNING):
            raise DeedError("deal-runs", "cards are in hands; expected a deal that is over, or hands on all")

    @property
    def stuck(self) -> int:
        """The place of a bot that gets no further, so that nothing goes on; 0: there is none."""
        loop = self.bench.table.loop
        if self._went_on is None or self.bench.table.clock.now() - self._went_on[2] < STUCK:
            return 0
        dealing = self._went_on[1]
        awaited = (dealing.dealer,) if dealing is not None else to_act(loop.match)
        return next((place for seat in awaited if (place := loop.setup.place(seat)) in self.bench.bots), 0)

    def _watch(self) -> None:
        """Note when something went on last."""
        loop, dealing = self.bench.table.loop, self.bench.table.loop.seat_view(1).dealing
        before = self._went_on
        if before is None or before[0] is not loop.match or before[1] != dealing or loop.locked or loop.over:
            self._went_on = loop.match, dealing, self.bench.table.clock.now()

    def poll(self) -> None:
        """Let a moment pass."""
        self._follow_the_game()
        for bot in self._dealers.values():
            bot.poll(self.bench.table.clock.now())
        was_due = self.deal_is_due
        self.bench.step()
        if was_due and not self.deal_is_due:
            self._take_up()
        if self._dealers and not self.deal_is_due and all(bot.idle for bot in self._dealers.values()):
            self._stop_dealing()
        self.world.poll()
        self._watch()

    def _take_up(self) -> None:
        """People put the cards in order that they were dealt."""
        self.world.poll()
        for seat in self.bench.cards.hands:
            if seat not in self.bench.bots:
                self._sort(seat, EVERYBODY)

    def _follow_the_game(self) -> None:
        """Players may have agreed on another game: then its cards are at hand."""
        before = self.bench.cards
        self.bench.shuffle_for_game()
        if self.bench.cards is not before:
            self._stop_dealing()
            self.bench.cards.shuffle()
            for seat, bot in [*self.bench.bots.items()]:
                self.bench.seat_bot(seat, bot.mistakes, bot.fumbles)

    def do(self, deed: deeds.Wanted, viewer: int) -> None:
        """Do what somebody at this seat wants (`EVERYBODY`: at all seats); raises `DeedError`, `TableError`."""
        match deed:
            case deeds.Press(seat, button) | deeds.Release(seat, button):
                self.button(seat, Button(button), isinstance(deed, deeds.Press), viewer)
            case deeds.Shuffle():
                self._stop_dealing()
                self.world.shuffle()
            case deeds.DealForMe():
                self.deal()
            case deeds.Bot(seat, on):
                self._bot(self._seat(seat), on)
            case deeds.Tidy(on):
                self.world.tidy = on
                self.world.version += 1
            case deeds.Sort(seat):
                self._sort(self._seat(seat), viewer)
            case deeds.Fault():
                with self.script.said(switch_line(self.bench, deed.name, deed.place, deed.on)):
                    switch(self.bench, deed.name, deed.place, deed.on)
            case deeds.Restart():
                self._restart()
            case deeds.Sit() | deeds.Table() | deeds.Capture():
                raise DeedError("unreadable", "that is no deed of hands")
            case _:
                self._move(deed, viewer)
        self.world.poll()

    def _restart(self) -> None:
        self._stop_dealing()
        self._pressed.clear()
        before = [*self.bench.table.loop.lines]
        with self.script.said("restart"):
            self.bench.restart()
        if self.bench.table.loop.lines != before:
            self.script.remark("a backup took effect here, which no script has")
        self.restarts += 1
        if self.capture is Captured.RUNNING:
            self.capture = Captured.ENDED

    def _seat(self, seat: int) -> int:
        most = self.bench.table.file.table.seats
        if seat > len(self.bench.table.wires.wiring.seats):
            raise DeedError("no-seat", f"no seat {seat}; expected 1 to {most}")
        return seat

    def inside(self, work: Callable[[Loop], Awaitable[T]]) -> T:
        """Have something done by the task that decides, and what it rules written into the script."""
        results: list[T] = []

        async def keep() -> None:
            results.append(await work(self.bench.table.loop))

        with self.script.instructing():
            self.bench.table.do(keep())
        return results[0]

    # Buttons

    def button(self, seat: int, button: Button, down: bool, viewer: int) -> None:
        """Push a button down, or let it go."""
        if viewer not in (EVERYBODY, self._seat(seat)):
            raise DeedError("not-yours", f"these are the buttons of seat {seat}")
        if down == ((seat, button) in self._pressed):
            return
        wires, now = self.bench.table.wires, self.bench.table.clock.now()
        (wires.press if down else wires.release)(seat, button, now)
        (self._pressed.add if down else self._pressed.discard)((seat, button))

    # Cards

    def _move(self, deed: deeds.Pad | deeds.Felt | deeds.Hand | deeds.Put | deeds.Turn, viewer: int) -> None:
        card = self.world.card(deed.card)
        self.world.check_may_take(card, viewer)
        match deed:
            case deeds.Pad():
                self.world.lay_on_pad(card, deed.reader, viewer)
            case deeds.Felt():
                self.world.lay_on_felt(card, deed.x, deed.y, deed.open)
            case deeds.Hand():
                self.world.take(card, self._seat(deed.seat), deed.index)
            case deeds.Put():
                self.world.put(card, deed.where)
            case deeds.Turn():
                self.world.turn(card)

    def _sort(self, seat: int, viewer: int) -> None:
        """In the order of the game where the table knows the hand, else by suits."""
        if viewer not in (EVERYBODY, seat):
            raise DeedError("not-yours", f"this is the hand of seat {seat}")
        shown = own_block(self.bench.table.loop.seat_view(seat), seat)
        order = [*shown.cards] if shown is not None else []
        held = [*self.bench.cards.hands.get(seat, ())]
        self.world.sort(seat, sorted(held, key=lambda card: (order.index(card) if card in order else 999, card.face)))

    # Others' hands

    def _bot(self, seat: int, on: bool) -> None:
        self._stop_dealing()
        if on:
            self.bench.seat_bot(seat, self._mistakes)
        else:
            self.bench.unseat_bot(seat)

    def deal(self) -> None:
        """Let hands deal for those who play themselves, one card after the other; raises `DeedError`."""
        bench, table = self.bench, self.bench.table
        dealing = table.loop.seat_view(1).dealing
        if dealing is None:
            raise DeedError("no-deal", "no deal is due")
        self._stop_dealing()
        readers = [*table.file.wiring.readers()]
        for seat in range(1, len(dealing.counts) + 1):
            if seat not in bench.bots:
                look = lambda seat=seat: table.loop.seat_view(seat)  # noqa: E731
                bot = seat_bot(seat, readers, look, table.wires, bench.cards, self._chance, pace=QUICK)
                self._dealers[seat] = bot

    def _stop_dealing(self) -> None:
        for bot in self._dealers.values():
            bot.leave()
        self._dealers.clear()
