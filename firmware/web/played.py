"""A simulated table that lives in a thread of its own, in real time, with hands that come from other threads.

Hands act on the wires alone: what a browser does to a card or a button is done to a tag or a contact, and the table
beneath cannot tell it from anybody else's doing.
"""

import base64
import json
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeVar

from PIL import Image

from firmware.bench import Bench
from firmware.errors import TableError
from firmware.loop import Loop
from firmware.simulated import STEP, SimulatedTable
from firmware.web.feed import Feed

T = TypeVar("T")
BEHIND = 10 * STEP
"""Seconds that a table which was held up catches up at most."""


class PlayedTable:
    """The thread. It publishes what the displays and lights show as it changes."""

    def __init__(
        self,
        opened: Callable[[], SimulatedTable],
        feed: Feed,
        seed: int,
        bots: tuple[int, ...] = (),
        begun: Callable[[Loop], None] = lambda loop: None,
    ) -> None:
        """`opened` makes the table, in that thread; what it raises is raised here. `begun` is told of its loop, there,
        and of another one when it was switched off and on.
        """
        self._begun = begun
        self._opened = opened
        self._feed = feed
        self._seed = seed
        self._bots = bots
        self._wanted: queue.SimpleQueue[Callable[[Bench], None]] = queue.SimpleQueue()
        self._done = False
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()
        self._ready.result()

    def close(self) -> None:
        """Switch the table off."""
        self._done = True
        self._thread.join()

    def act(self, deed: Callable[[Bench], T]) -> "Future[T]":
        """Have something done to the table between two of its steps; its result, or what it raises."""
        future: Future[T] = Future()

        def do(bench: Bench) -> None:
            try:
                future.set_result(deed(bench))
            except (TableError, ValueError) as error:
                future.set_exception(error)

        self._wanted.put(do)
        return future

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
            self.journal = table.journal_file
            bench = Bench(table, self._seed)
            for seat in self._bots:
                bench.seat_bot(seat)
            self._ready.set_result(None)
            self._live(bench)

    def _live(self, bench: Bench) -> None:
        last, loop = time.monotonic(), None
        while not self._done:
            if bench.table.loop is not loop:
                loop = bench.table.loop
                self._begun(loop)
            while not self._wanted.empty():
                self._wanted.get()(bench)
            now = time.monotonic()
            last = max(last, now - BEHIND)
            while now - last >= STEP:
                bench.step()
                last += STEP
            self._publish(bench)
            time.sleep(max(0.0, last + STEP - time.monotonic()))

    def _publish(self, bench: Bench) -> None:
        wires = bench.table.wires
        for place in wires.glasses:
            self._feed.publish(f"display:{place}", json.dumps(pixels(wires.picture(place))))
        for seat in wires.wiring.seats:
            self._feed.publish(f"light:{seat.number}", json.dumps(wires.lit(seat.number)))


def pixels(picture: Image.Image) -> dict[str, object]:
    """A picture as a browser draws it: its size, and a bit for each pixel, row by row, in base64."""
    return {"columns": picture.width, "rows": picture.height, "bits": base64.b64encode(picture.tobytes()).decode()}
