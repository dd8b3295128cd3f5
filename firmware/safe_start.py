"""The mode of a table that cannot start: it stays up, says on its displays what is wrong and what to do, gives signs of
life, and ends as soon as something is mended, or somebody presses OK.

It ends in a new try by whoever began it, and so never goes round by itself: a file must have changed, a person must
have asked, or, where what is in the way may go by itself, a while must have passed.
"""

import asyncio
import sysconfig
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from enum import Enum
from pathlib import Path

from firmware.output import complain
from firmware.phrases import tell
from firmware.supervisor import Supervisor
from firmware.tablefile import OWN, deck_places
from firmware.trouble import Trouble
from firmware.trouble_screen import trouble_pages
from firmware.wiring_words import WiringWords
from hal.clock import Clock
from hal.errors import TablerefHardwareError
from hal.events import Button, Event, Released
from hal.hardware import Hardware
from hal.toml_lines import read_toml
from hal.wires import Wires
from hal.wiring import Wiring, wiring_of

STEP = 0.05
"""Real seconds between two looks at the buttons."""
LOOK = 1.0
"""Seconds between two looks at the files; one that has changed must have stood still from one to the next."""
PAGE = 6.0
"""Seconds after which the next page comes."""
AGAIN = 30.0
"""Seconds after which it is tried again where what is in the way may have gone by itself."""
Signature = tuple[tuple[str, int, int, int], ...]


class Ending(Enum):
    """Why the mode has ended."""

    MENDED = "mended"
    ASKED = "asked"
    PASSED = "passed"
    STOPPED = "stopped"


class SafeMode:
    """The mode, stepped by `step`. `hardware` is what of the table could be opened, or None."""

    def __init__(
        self, trouble: Trouble, language: str, files: Iterable[Path], hardware: Hardware | None, now: float
    ) -> None:
        words = WiringWords(language)
        self.texts = (words.tell(trouble.what), words.tell(trouble.todo))
        self.title = words.say("safe.title")
        self._foot = words.say("safe.again")
        self._files = tuple(files)
        self._hardware = hardware
        self._again = now + AGAIN if trouble.passing else float("inf")
        self._before = self._seen = signature(self._files)
        self._look_at = now + LOOK
        self._turn_at = now + PAGE
        self._page = 0
        self._show()

    def step(self, now: float) -> Ending | None:
        """Look at buttons, files and the time; why the mode ends, or None."""
        if self._hardware is not None:
            for event in self._hardware.poll_lines(now):
                if self._take(event, now):
                    return Ending.ASKED
            self._hardware.poll_displays(now)
        if now >= self._turn_at:
            self._turn(1, now)
        if now >= self._again:
            return Ending.PASSED
        if now < self._look_at:
            return None
        self._look_at = now + LOOK
        last, self._seen = self._seen, signature(self._files)
        return Ending.MENDED if self._seen == last != self._before else None

    def _take(self, event: Event, now: float) -> bool:
        """Take a button; whether it asks for another try."""
        if isinstance(event, Released) and event.button is not Button.OK:
            self._turn(1 if event.button is Button.RIGHT else -1, now)
        return isinstance(event, Released) and event.button is Button.OK

    def _turn(self, step: int, now: float) -> None:
        self._page += step
        self._turn_at = now + PAGE
        self._show()

    def _show(self) -> None:
        for display in self._hardware.displays.values() if self._hardware is not None else ():
            pages = trouble_pages(self.title, self.texts, self._foot, display.panel)
            display.show(pages[self._page % len(pages)])


def signature(files: Iterable[Path]) -> Signature:
    """What changes when one of these files does: also when one comes or goes."""
    found = []
    for path in files:
        try:
            state = path.stat()
            found.append((str(path), state.st_mtime_ns, state.st_size, state.st_ino))
        except OSError:
            found.append((str(path), 0, -1, 0))
    return tuple(found)


def files_of(table_file: Path, journal: Path) -> tuple[Path, ...]:
    """The files whose change may mend a start."""
    try:
        decks = deck_places(table_file)
    except (ValueError, OSError, TablerefHardwareError):
        decks = ()
    packages = Path(sysconfig.get_paths()["purelib"])  # a game that is installed anew
    return (table_file, *decks, journal, packages)


def readable_wiring(table_file: Path, copy: Path | None = None) -> Wiring | None:
    """The wiring in a table file, whatever else is wrong there; in one that cannot be read at all, that of the last one
    that was good; None: nobody knows.
    """
    for path in (table_file, *((copy,) if copy is not None else ())):
        try:
            return wiring_of(read_toml(path), OWN)
        except (ValueError, OSError, TablerefHardwareError):
            continue
    return None


async def stay(
    mode: SafeMode, clock: Clock, supervisor: Supervisor, stopped: asyncio.Event, ready: Callable[[], None]
) -> Ending:
    """Stay in the mode until it ends. The supervisor hears that the service is up, what is wrong, and signs of life."""
    supervisor.say(f"READY=1\nSTATUS={mode.title}: {mode.texts[0]}")
    ready()
    due = float("-inf")
    while not stopped.is_set():
        now = clock.now()
        if supervisor.interval is not None and now >= due:
            due = now + supervisor.interval
            supervisor.say("WATCHDOG=1")
        ended = mode.step(now)
        if ended is not None:
            return ended
        try:
            await asyncio.wait_for(stopped.wait(), clock.real(STEP))
        except TimeoutError:
            continue
    return Ending.STOPPED


def open_displays(wiring: Wiring | None, wires: Callable[[Wiring], Wires], close: ExitStack) -> Hardware | None:
    """What of a table can be opened to say something on, until `close`; None: nothing."""
    if wiring is None:
        return None
    try:
        return close.enter_context(closing(Hardware(wiring, close.enter_context(closing(wires(wiring))))))
    except (TablerefHardwareError, OSError):
        return None


def say_trouble(trouble: Trouble, language: str) -> None:
    """Say it in the log."""
    complain(tell(trouble.what, language))
    complain(tell(trouble.todo, language))
