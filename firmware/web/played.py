"""A simulated table that lives in a thread of its own, in real time, with hands that come from other threads.

Hands act on the wires alone: what a browser does to a card or a button is done to a tag or a contact, and the table
beneath cannot tell it from anybody else's doing.
"""

import queue
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from engine.phrases import said_by
from firmware.bench import Bench
from firmware.errors import JournalError
from firmware.instructions import Console
from firmware.loop import Loop
from firmware.output import complain
from firmware.simulated import STEP, SimulatedTable
from firmware.tablefile import TableFile
from firmware.tokens import TOKEN
from firmware.web.feed import Feed
from firmware.web.playing import Captured, Playing
from firmware.web.shown import Shown

T = TypeVar("T")
BEHIND = 10 * STEP
"""Seconds that a table which was held up catches up at most."""


class PlayedTable:
    """The thread. It publishes what the displays and lights show as it changes, and where the cards are."""

    def __init__(
        self,
        opened: Callable[[], SimulatedTable],
        feed: Feed,
        seed: int,
        bots: tuple[int, ...] = (),
        begun: Callable[[Loop], None] = lambda loop: None,
        mistakes: float = 0.0,
        journal: Path | None = None,
    ) -> None:
        """`opened` makes the table, in that thread; what it raises is raised here. `begun` is told of its loop, there,
        and of another one at another table, and when it was switched off and on. `mistakes` is the share of wrong cards
        of all bots, whenever they sit down. `journal` is the file that the journal is kept in, if it is kept: that of
        another table is then kept beside it.
        """
        self._feed = feed
        self._seed = seed
        self._next: _Beginning | None = _Beginning(opened, bots)
        self._folder = TemporaryDirectory(prefix="tableref-")
        self._begun = begun
        self._mistakes = mistakes
        self._kept = journal
        self._wanted: queue.SimpleQueue[Callable[[Playing], None]] = queue.SimpleQueue()
        self._done = False
        self._loop: Loop | None = None
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()
        self._ready.result()

    def close(self) -> None:
        """Switch the table off."""
        self._done = True
        self._thread.join()

    def play(self, deed: Callable[[Playing], T]) -> "Future[T]":
        """Have something done by hands between two steps of the table; its result, or what it raises."""
        future: Future[T] = Future()

        def do(playing: Playing) -> None:
            if not future.set_running_or_notify_cancel():  # whoever asked has gone
                return
            try:
                future.set_result(deed(playing))
            except Exception as error:  # whoever asked is told; the table plays on
                future.set_exception(error)

        self._wanted.put(do)
        return future

    def act(self, deed: Callable[[Bench], T]) -> "Future[T]":
        """Have something done to the table between two of its steps; its result, or what it raises."""
        return self.play(lambda playing: deed(playing.bench))

    def do(self, work: Callable[[Loop], Awaitable[T]]) -> "Future[T]":
        """Do this as soon as nothing is decided on (`firmware.web.inside.Inside`)."""

        return self.play(lambda playing: playing.inside(work))

    def begin(self, file: TableFile, bots: tuple[int, ...], captured: bool = False) -> None:
        """Switch this table off, and have another one."""
        self._seed += 1
        seed, capture = self._seed, self.capture_file if captured else None
        if captured:
            self.capture_file.unlink(missing_ok=True)
        journal = beside(self._kept) if self._kept is not None else None

        def opened() -> SimulatedTable:
            try:
                return SimulatedTable(file, journal, seed, capture=capture)
            except JournalError as error:  # then it is not kept, and the page says so
                complain(said_by(error))
                return SimulatedTable(file, seed=seed, capture=capture)

        self._next = _Beginning(opened, bots, captured)

    @property
    def capture_file(self) -> Path:
        """Where the capture of a table is."""
        return Path(self._folder.name) / "session.capture"

    def _run(self) -> None:
        ready = self._ready
        try:
            with self._folder:
                while self._next is not None and not self._done:
                    beginning, self._next = self._next, None
                    with beginning.opened() as table:
                        playing, shown = self._sit_down(table, beginning)
                        if not ready.done():
                            ready.set_result(None)
                        self._live(playing, shown)
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def _sit_down(self, table: SimulatedTable, beginning: "_Beginning") -> tuple[Playing, Shown]:
        self.journal = table.journal_file
        bench = Bench(table, self._seed)
        for seat in beginning.bots:
            bench.seat_bot(seat, self._mistakes)
        playing = Playing(bench, self._seed, self._mistakes)
        if self._kept is not None:
            playing.journals = self._journals(table.journal_file, self._kept)
        if beginning.captured:
            playing.capture = Captured.RUNNING
        shown = Shown(playing, self._feed)
        shown.publish()
        return playing, shown

    def _hand_over(self, table: SimulatedTable) -> None:
        """Whoever was let in as a director at the last table is let in at this one, by the same token."""
        before, loop = self._loop, table.loop
        self._loop = loop
        if before is None or before.new_token is None:
            return
        kept, loop.new_token = before.settings.get(TOKEN), before.new_token

        async def keep() -> None:
            if kept and not loop.settings.get(TOKEN):
                await table.journal.keep(TOKEN, kept)
                loop.settings.put(TOKEN, kept)
            await loop.instruct(Console(), loop.latest)

        with suppress(JournalError):
            table.do(keep())

    def _journals(self, now: Path, kept: Path) -> tuple[str, str]:
        """The names of the journal that is kept now, empty where it is not, and of what another table would get."""
        return now.name if now.parent.resolve() == kept.parent.resolve() else "", beside(kept).name

    def _live(self, playing: Playing, shown: Shown) -> None:
        last, loop = time.monotonic(), None
        while not self._done and self._next is None:
            if loop is not playing.bench.table.loop:
                loop = playing.bench.table.loop
                self._hand_over(playing.bench.table)
                self._begun(loop)
            while not self._wanted.empty():
                self._wanted.get()(playing)
            now = time.monotonic()
            last = max(last, now - BEHIND)
            while now - last >= STEP:
                playing.poll()
                last += STEP
            shown.publish()
            time.sleep(max(0.0, last + STEP - time.monotonic()))


def beside(journal: Path) -> Path:
    """The file beside a journal for the one of another table: nothing is there yet."""
    names = (journal.with_name(f"{journal.stem}-{number}{journal.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())


class _Beginning(NamedTuple):
    """A table that is to be switched on, and who sits there."""

    opened: Callable[[], SimulatedTable]
    bots: tuple[int, ...]
    captured: bool = False
