"""A simulated table with everything that the words of a script, or a person at a terminal, may do to it."""

from collections.abc import Callable
from functools import partial
from random import Random

from engine.phrases import Phrase
from firmware.bots import Bot, seat_bot
from firmware.errors import TableError
from firmware.furnish import physical_cards
from firmware.loop import Answer
from firmware.simulated import STEP, SimulatedTable


class ExpectationError(TableError, AssertionError):
    """Something that a script expects is not so. The text says what was expected and what was found."""


class Bench:
    """A simulated table with everything that the words of a script may do to it."""

    def __init__(self, table: SimulatedTable, seed: int = 0) -> None:
        self.table = table
        self.chance = Random(seed)
        self.cards = physical_cards(table.file, self.chance, table.loop.table)
        self._played = table.loop.table
        self.bots: dict[int, Bot] = {}
        self.answer: Answer | None = None
        """What became of the last instruction from beside the table."""

    def shuffle_for_game(self) -> None:
        """Have the cards at hand that are played with now: players may have agreed on another game."""
        if self.table.loop.table.game is not self._played.game or self.table.loop.table.rules != self._played.rules:
            self._played = self.table.loop.table
            self.cards = physical_cards(self.table.file, self.chance, self._played)

    def step(self) -> None:
        """Let the bots act, and a moment pass."""
        for bot in self.bots.values():
            bot.poll(self.table.clock.now())
        self.table.wait(STEP)

    def seat_bot(self, seat: int, mistakes: float = 0.0, fumbles: float = 0.0) -> None:
        """Let a bot play at a seat."""
        table = self.table
        self.unseat_bot(seat)
        self.shuffle_for_game()
        look = partial(table.loop.seat_view, seat)
        readers = table.file.wiring.readers()
        self.bots[seat] = seat_bot(seat, readers, look, table.wires, self.cards, self.chance, mistakes)
        self.bots[seat].fumbles = fumbles

    def unseat_bot(self, seat: int) -> None:
        """Let the bot of a seat stand up, if one sits there."""
        bot = self.bots.pop(seat, None)
        if bot is not None:
            bot.leave()

    def restart(self) -> None:
        """Switch the table off and on; bots sit down anew, for the old ones look at what is switched off."""
        seated = {seat: (bot.mistakes, bot.fumbles) for seat, bot in self.bots.items()}
        for bot in self.bots.values():
            bot.forget()
        self.bots.clear()
        self.table.restart()
        for seat, (mistakes, fumbles) in seated.items():
            self.seat_bot(seat, mistakes, fumbles)

    def play_until(self, reached: Callable[[], bool], limit: float = 3600.0) -> None:
        """Let the bots play until something is so; raises `ExpectationError` when it takes longer than `limit`."""
        end = self.table.clock.now() + limit
        while not reached():
            if self.table.clock.now() > end:
                raise ExpectationError(Phrase("still playing after {limit:g} s", limit=limit))
            self.step()
