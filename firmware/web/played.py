"""A simulated table that lives in a thread of its own, in real time, with hands that come from other threads.

Hands act on the wires alone: what a browser does to a card or a button is done to a tag or a contact, and the table
beneath cannot tell it from anybody else's doing.
"""

import queue
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeVar

from firmware.bench import Bench
from firmware.errors import TableError
from firmware.loop import Loop
from firmware.simulated import STEP, SimulatedTable
from firmware.web.feed import Feed
from firmware.web.playing import Playing
from firmware.web.shown import Shown

T = TypeVar("T")
BEHIND = 10 * STEP
"""Seconds that a table which was held up catches up at most."""


class PlayedTable:
    """The thread. It publishes what the displays and lights show as it changes, and where the cards are."""

    def __init__(self, opened: Callable[[], SimulatedTable], feed: Feed, seed: int, bots: tuple[int, ...] = ()) -> None:
        """`opened` makes the table, in that thread; what it raises is raised here."""
        self._opened = opened
        self._feed = feed
        self._seed = seed
        self._bots = bots
        self._wanted: queue.SimpleQueue[Callable[[Playing], None]] = queue.SimpleQueue()
        self._done = False
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
            try:
                future.set_result(deed(playing))
            except (TableError, ValueError) as error:
                future.set_exception(error)

        self._wanted.put(do)
        return future

    def act(self, deed: Callable[[Bench], T]) -> "Future[T]":
        """Have something done to the table between two of its steps; its result, or what it raises."""
        return self.play(lambda playing: deed(playing.bench))

    def do(self, work: Callable[[Loop], Awaitable[T]]) -> "Future[T]":
        """Do this as soon as nothing is decided on (`firmware.web.inside.Inside`)."""

        def deed(bench: Bench) -> T:
            results: list[T] = []

            async def keep() -> None:
                results.append(await work(bench.table.loop))

            bench.table.do(keep())
            return results[0]

        return self.act(deed)

    def _run(self) -> None:
        try:
            table = self._opened()
        except BaseException as error:
            self._ready.set_exception(error)
            return
        with table:
            try:
                bench = Bench(table, self._seed)
                for seat in self._bots:
                    bench.seat_bot(seat)
                playing = Playing(bench, self._seed)
                shown = Shown(playing, self._feed)
                shown.publish()
            except BaseException as error:
                self._ready.set_exception(error)
                return
            self._ready.set_result(None)
            self._live(playing, shown)

    def _live(self, playing: Playing, shown: Shown) -> None:
        last = time.monotonic()
        while not self._done:
            while not self._wanted.empty():
                self._wanted.get()(playing)
            now = time.monotonic()
            last = max(last, now - BEHIND)
            while now - last >= STEP:
                playing.poll()
                last += STEP
            shown.publish()
            time.sleep(max(0.0, last + STEP - time.monotonic()))
