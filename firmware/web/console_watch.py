"""What directors follow: the state of the table, its journal, and how its devices do, looked at only while one does."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from firmware.doctor import System, this_system
from firmware.errors import TableError
from firmware.health import health_lines
from firmware.loop import Loop
from firmware.machine import machine_findings, machine_values
from firmware.saving import Standing
from firmware.web.account import READ_FAULTS, Account
from firmware.web.console_door import Door
from firmware.web.console_state import State, key_of, state_of, worded
from firmware.web.feed import Feed
from firmware.wiring_words import WiringWords
from firmware.words import LANGUAGES
from hal.wiring import Wiring, buttons_name

LOOK = 0.25
"""Seconds between two looks whether anything has changed."""
HEALTH = 3.0
"""Seconds between two looks at the devices."""
LINES = 60
"""Lines of the journal that are sent as they come; older ones are asked for."""
TOPICS = ("console", "journal", "health")


class Watch:
    """Publishes while somebody follows. Nothing is asked of the table else."""

    def __init__(self, door: Door, feed: Feed, journal: Callable[[Loop], Path]) -> None:
        self._door = door
        self._feed = feed
        self._journal = journal
        self._followed: Counter[str] = Counter()
        self._wanted = asyncio.Event()
        self._key: tuple[object, ...] = ()
        self._spoken: frozenset[str] = frozenset()
        self._account: Account | None = None
        self._reading = Lock()
        self._health_at = 0.0
        self._system = this_system()

    @contextmanager
    def follower(self, language: str) -> Iterator[tuple[str, ...]]:
        """While this holds, somebody follows in this language; the topics."""
        self._followed[language] += 1
        self._wanted.set()
        try:
            yield tuple(f"{topic}-{language}" for topic in TOPICS)
        finally:
            self._followed[language] -= 1

    async def lines(self, language: str, before: int | None) -> dict[str, object]:
        """The last lines before this one, or of all."""
        match, journal = await self._door.ask(lambda loop: (loop.number, self._journal(loop)))
        return await asyncio.to_thread(self._read, match, journal, language, before)

    def _read(self, match: int, journal: Path, language: str, before: int | None) -> dict[str, object]:
        with self._reading:
            if self._account is None or (self._account.journal, self._account.number) != (journal, match):
                self._account = Account(journal, match)
            with suppress(*READ_FAULTS):
                self._account.read()
            return _told(self._account, language, before)

    async def run(self) -> None:
        """Look again and again. Whatever goes wrong with one look, there is another."""
        while True:
            spoken = frozenset(language for language in LANGUAGES if self._followed[language])
            if not spoken:
                self._wanted.clear()
                await self._wanted.wait()
                continue
            with suppress(TableError, *READ_FAULTS):
                await self._look(spoken)
            await asyncio.sleep(LOOK)

    async def _look(self, spoken: frozenset[str]) -> None:
        known = self._key if spoken == self._spoken else ()

        def look(loop: Loop) -> tuple[tuple[object, ...], State, Path] | None:
            key = key_of(loop)
            return None if key == known else (key, state_of(loop), self._journal(loop))

        found = await self._door.ask(look)
        now = asyncio.get_running_loop().time()
        if found is not None:
            key, state, journal = found
            await asyncio.to_thread(self._publish, state, journal, spoken)
            self._key, self._spoken = key, spoken
        if found is not None or now - self._health_at >= HEALTH:
            self._health_at = now
            lines, under = await self._door.ask(
                lambda loop: ({lang: _health(loop, lang) for lang in spoken}, _under(loop, self._journal(loop)))
            )
            machine = await asyncio.to_thread(_machine, self._system, under, spoken)
            for language, told in lines.items():
                told["machine"] = machine[language]
                self._feed.publish(f"health-{language}", json.dumps(told))

    def _publish(self, state: State, journal: Path, spoken: frozenset[str]) -> None:
        """Words are found, and the journal is read, in a thread of its own."""
        for language in spoken:
            self._feed.publish(f"console-{language}", json.dumps(worded(state, language)))
            told = self._read(state.match, journal, language, None)
            self._feed.publish(f"journal-{language}", json.dumps(told))


def _told(account: Account, language: str, before: int | None = None) -> dict[str, object]:
    items = account.said_last(LINES, before)
    return {
        "match": account.number,
        "lines": [{**item._asdict(), "words": item.words[language]} for item in items],
    }


def _under(loop: Loop, journal: Path) -> tuple[Wiring, Path, Standing]:
    """What is to be known of a table to tell how the machine under it is."""
    return Wiring(seats=()), journal.parent, loop.saving(loop.now)


def _machine(
    system: System, under: tuple[Wiring, Path, Standing], spoken: frozenset[str]
) -> dict[str, list[list[str]]]:
    found = list(machine_findings(system, *under))
    return {language: machine_values(iter(found), WiringWords(language)) for language in spoken}


def _health(loop: Loop, language: str) -> dict[str, object]:
    words = WiringWords(language)
    devices: list[dict[str, object]] = [
        {"name": words.device(name), "kind": "reader", "lost": name in loop.lost} for name in loop.hardware.readers
    ]
    for place, display in loop.hardware.displays.items():
        lost, failed = display.name in loop.lost, display.counts.failed
        devices.append({"name": words.device(display.name), "kind": "display", "lost": lost, "failed": failed})
        lost = buttons_name(place) in loop.lost
        devices.append({"name": words.device(buttons_name(place)), "kind": "buttons", "lost": lost})
    return {"lines": [*health_lines(loop.hardware, words, None)], "devices": devices}
