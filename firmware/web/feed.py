"""What browsers are shown as it changes: topics, each with its newest value. What is newer takes the place of what was
not sent yet, so a client that is slow or dead costs the table nothing.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Collection, Mapping

SOON = 0.05
"""Least seconds between two messages to a client."""


class Feed:
    """Topics with their newest values, each of them JSON text. Any thread may publish; clients live in one loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, tuple[int, str]] = {}
        self._count = 0
        self._here: asyncio.AbstractEventLoop | None = None
        self._waking = False
        self._clients: set[asyncio.Event] = set()

    def serve(self, here: asyncio.AbstractEventLoop | None) -> None:
        """The loop that clients live in; None: there are none any more."""
        with self._lock:
            self._here = here

    def publish(self, topic: str, value: str) -> None:
        """A topic has this value now."""
        with self._lock:
            _, before = self._values.get(topic, (0, ""))
            if before == value:
                return
            self._count += 1
            self._values[topic] = (self._count, value)
            if self._here is None or self._waking:
                return
            self._waking = True
            self._here.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        with self._lock:
            self._waking = False
        for client in self._clients:
            client.set()

    def newest(self, topics: Collection[str]) -> dict[str, str]:
        """The newest values of these topics; of all whose name begins so, where one ends in a colon."""
        return self._since(0, topics)[1]

    def _since(self, count: int, topics: Collection[str]) -> tuple[int, dict[str, str]]:
        with self._lock:
            changed = {
                topic: value
                for topic, (at, value) in self._values.items()
                if at > count and (topic in topics or f"{topic.partition(':')[0]}:" in topics)
            }
            return self._count, changed

    async def changes(self, topics: Collection[str]) -> AsyncIterator[Mapping[str, str]]:
        """What a client is to be sent: first all, then what has changed since it took the last."""
        woken, count = asyncio.Event(), 0
        self._clients.add(woken)
        try:
            while True:
                woken.clear()
                count, changed = self._since(count, topics)
                if changed:
                    yield changed
                    await asyncio.sleep(SOON)
                else:
                    await woken.wait()
        finally:
            self._clients.discard(woken)


def message(changed: Mapping[str, str]) -> str:
    """Changed topics as one JSON object; their values are JSON already."""
    return "{" + ",".join(f'"{topic}":{value}' for topic, value in changed.items()) + "}"
