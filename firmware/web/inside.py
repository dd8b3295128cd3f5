"""How the web asks something of the table: it is done by the task that decides, between two events."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

from firmware.loop import Loop

T = TypeVar("T")
Work = Callable[[Loop], Awaitable[T]]
"""What is to be done with the loop while nothing else is decided."""


class Inside(Protocol):
    """A table that can be asked from another thread."""

    def do(self, work: Work[T]) -> "Future[T]":
        """Do this as soon as nothing is decided on; what comes of it."""


class RunningTable:
    """A table that runs in an event loop (`firmware.run.running`)."""

    def __init__(self, loop: Loop, here: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._here = here

    def do(self, work: Work[T]) -> "Future[T]":
        """Do this as soon as nothing is decided on."""
        return asyncio.run_coroutine_threadsafe(self._do(work), self._here)

    async def _do(self, work: Work[T]) -> T:
        async with self._loop.turn:
            return await work(self._loop)
