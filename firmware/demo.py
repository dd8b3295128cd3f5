"""A whole match by bots on simulated hardware: the path of the table itself, with the wires simulated."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TextIO

from engine.match import to_act
from engine.phrases import Phrase
from firmware.bots import Bot, seat_bot
from firmware.capturing import Recording, Start
from firmware.desk import Heard
from firmware.furnish import physical_cards
from firmware.loop import Loop
from firmware.phrases import tell
from firmware.run import recorded, until_stopped
from firmware.tablefile import TableFile
from firmware.telling import heard_line, score_line
from firmware.terminal import Screen, layout, panel
from firmware.words import Words
from hal.clock import SteadyClock
from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.named_faults import NAMED, FaultError, NamedFaults
from hal.sim.weather import Weather

FRAME = 0.08
"""Real seconds between drawings of the terminal."""
BUSY = 0.5
"""Real seconds that a busy computer may take to answer what a bot did."""
LINES = 200
"""Rulings kept for the terminal."""


class Demo:
    """One demonstration. `faults` are the names of what goes wrong meanwhile, or `all`; raises
    `hal.sim.named_faults.FaultError` for one that cannot be at this table.
    """

    def __init__(
        self,
        file: TableFile,
        speed: float,
        pace: float,
        seed: int,
        mistakes: float,
        out: TextIO,
        faults: Sequence[str] = (),
    ) -> None:
        self.file = file
        self.clock = SteadyClock(speed)
        self.pace = pace
        self.seed = seed
        self.mistakes = mistakes
        self.out = out
        self.words = Words(file.table.game, file.language)
        self.log: deque[str] = deque(maxlen=LINES)
        self.record = ""
        self.over = False
        self.score = ""
        self._wires = SimulatedWires(file.wiring, pause=self._pause)
        self._wires.contacts.coarse = True
        self._disk = SimDisk(self._pause)
        switches = NamedFaults(self._wires, self._disk, seed)
        names = [name for name in NAMED if switches.places(name)] if [*faults] == ["all"] else faults
        try:
            self._weather = Weather(switches, names, Random(seed))
        except FaultError:
            self._wires.close()
            raise
        self._live = out.isatty()
        self._first = 0

    def close(self) -> None:
        """Take the wires apart, if nothing was played on them; after a match that has been done."""
        self._wires.close()

    def _pause(self, seconds: float) -> None:
        """What a device of the table waits takes as much less time as the table's clock is faster."""
        time.sleep(self.clock.real(seconds))

    @staticmethod
    def start(file: TableFile, seed: int) -> Start:
        """How a demonstration begins, for a capture."""
        return Start(file, seed + 1, None)

    def hear(self, heard: Heard) -> None:
        """Keep a ruling for the terminal, or print it."""
        self._first = heard.seat - 1
        line = heard_line(self.file.table, self.words, heard)
        if self._live:
            self.log.append(line)
        else:
            print(line, file=self.out, flush=True)

    async def play(self, recording: Recording | None = None) -> None:
        """Play until the match is over, or until SIGINT or SIGTERM. `recording` is of what passes the wires, by a clock
        of the same speed; it began with `start`."""
        chance, shuffles = Random(self.start(self.file, self.seed).seed), Random(self.seed)
        stop = asyncio.Event()
        with closing(self._wires), TemporaryDirectory(prefix="tableref-") as folder, until_stopped(stop.set):
            journal = Path(folder) / "journal.db"
            if not self._live:
                self._print_heading()
            async with recorded(
                recording, self.file, self._wires, journal, self.clock, chance, (self.hear,), storage=self._disk
            ) as loop:
                cards = physical_cards(self.file, shuffles)
                readers = tuple(self.file.wiring.readers())
                bots = [
                    seat_bot(seat, readers, partial(loop.seat_view, seat), self._wires, cards, chance,
                             self.mistakes, self.pace)
                    for seat in range(1, self.file.table.seats + 1)
                ]  # fmt: skip
                for bot in bots:  # a busy computer takes its own time, however fast the table's runs
                    bot.patience = max(bot.patience, BUSY / self.clock.real(1.0))
                work = asyncio.create_task(self._move(loop, bots, stop))
                if self._live:
                    with Screen(self.out) as screen:
                        await self._show(screen, loop, stop)
                await work
                self.record, self.over = loop.record(), loop.over
                self.score = score_line(loop.match, self.words)

    def _print_heading(self) -> None:
        """What is played; `deal N` in the lines that follow names the dealer's seat."""
        table = self.file.table
        target = table.game.target(table.rules)
        heading = Phrase(
            "{game} ({rules}), {seats} seats, target {target}",
            game=table.game.name,
            rules=table.rule_set,
            seats=table.seats,
            target=target,
        )
        print(tell(heading, self.file.language), file=self.out, flush=True)

    async def _move(self, loop: Loop, bots: list[Bot], stop: asyncio.Event) -> None:
        start = self.clock.now()
        while not stop.is_set() and not loop.over:
            self._weather.poll(self.clock.now() - start)
            for bot in bots:
                bot.poll(self.clock.now())
            await asyncio.sleep(max(0.001, self.clock.real(0.02)))
        if not stop.is_set():
            await asyncio.sleep(2.0 if self._live else 0.0)
            stop.set()

    async def _show(self, screen: Screen, loop: Loop, stop: asyncio.Event) -> None:
        while True:
            ended = stop.is_set()
            size = screen.size
            acting = to_act(loop.match)
            first = acting[0] - 1 if acting else self._first
            screen.draw(
                layout(self._panels(), list(self.log), size.columns, size.lines, first=first), size.columns, size.lines
            )
            if ended:
                return
            await asyncio.sleep(FRAME)

    def _panels(self) -> list[list[str]]:
        return [
            panel(self._wires.picture(seat), self._title(seat), self._wires.lit(seat))
            for seat in range(1, self.file.table.seats + 1)
        ]

    def _title(self, seat: int) -> str:
        return f"{seat} {self.file.names[seat - 1]}" if self.file.names else str(seat)
