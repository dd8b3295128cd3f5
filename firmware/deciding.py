"""One event after the other for a table that is stepped by hand, whose time goes on while its disk is slow."""

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable

from firmware.loop import Loop
from hal.clock import Clock
from hal.events import Event


class SlowWrite:
    """What a commit waits for on a slow disk: the table's time. Called in the thread that writes, told the time by
    `poll` in the table's."""

    def __init__(self, clock: Clock) -> None:
        self.waiting = threading.Event()
        self._clock = clock
        self._go_on = threading.Event()
        self._due = 0.0
        self._lost = False
        self.begun: Callable[[], object] = lambda: None
        """Called when a write begins to wait."""

    def __call__(self, seconds: float) -> None:
        """Wait for so many seconds; raises `sqlite3.OperationalError` when the power goes meanwhile."""
        self._due = self._clock.now() + seconds
        self._lost = False
        self._go_on.clear()
        self.waiting.set()
        self.begun()
        self._go_on.wait()
        if self._lost:
            raise sqlite3.OperationalError("the power went before it was written")

    def poll(self, now: float) -> None:
        """Let the write go on whose time has come."""
        if self.waiting.is_set() and now >= self._due:
            self._end()

    def cut(self) -> None:
        """The power goes: what waits is not written."""
        if self.waiting.is_set():
            self._lost = True
            self._end()

    def _end(self) -> None:
        self.waiting.clear()
        self._go_on.set()


class Deciding:
    """The task that decides, for a stepped table: it ends its work at once, but for what waits on a slow disk."""

    def __init__(self, loop: Loop, here: asyncio.AbstractEventLoop, slow: SlowWrite) -> None:
        self._loop = loop
        self._here = here
        self._slow = slow
        self._events: deque[Event] = deque()
        self._work: asyncio.Task[None] | None = None
        self._paused = asyncio.Event()
        slow.begun = lambda: here.call_soon_threadsafe(self._paused.set)

    def finish(self, work: Coroutine[None, None, None], step: Callable[[], None]) -> None:
        """Do something to its end; `step` lets the table's time go on while the disk is slow."""
        if self._work is not None:  # one after the other, though its disk is slow
            pending, self._work = self._work, None
            self._end(pending, step)
        self._end(self._here.create_task(work), step)

    def _end(self, task: "asyncio.Task[None]", step: Callable[[], None]) -> None:
        while not self._here.run_until_complete(self._until_paused(task)):
            step()
        task.result()

    def take(self, events: Iterable[Event], now: float) -> None:
        """Decide on what has come by `now`, after what came before it, as far as the disk lets it."""
        self._events += events
        self._slow.poll(now)
        while self._work is not None or self._events:
            if self._work is None:
                self._work = self._here.create_task(self._loop.handle(self._events.popleft()))
            if not self._here.run_until_complete(self._until_paused(self._work)):
                return
            work, self._work = self._work, None
            work.result()

    async def _until_paused(self, work: asyncio.Task[None]) -> bool:
        """Whether the work is done; else it waits for the disk."""
        paused = asyncio.ensure_future(self._paused.wait())
        await asyncio.wait((work, paused), return_when=asyncio.FIRST_COMPLETED)
        paused.cancel()
        if not self._slow.waiting.is_set():
            self._paused.clear()
            if not work.done():
                return await self._until_paused(work)
        return work.done()

    def close(self) -> None:
        """The power goes: what is not decided will never be."""
        self._slow.cut()
        self._events.clear()
        if self._work is not None:
            self._work.cancel()
            self._here.run_until_complete(asyncio.wait([self._work]))
            self._work = None
