"""The table itself: hardware, journal, device threads and the one deciding loop, from start to a clean end."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random

from engine.phrases import Phrase, reason
from firmware.capturing import Recording
from firmware.deck_check import check_deck_readers
from firmware.decks import all_cards
from firmware.desk import Heard, Observer
from firmware.doctor import finding_line
from firmware.garbage import settle
from firmware.health import health_lines
from firmware.host import Host, this_host
from firmware.journal import Journal
from firmware.loop import Loop
from firmware.machine import Guard
from firmware.opening import opened, own_header
from firmware.output import complain, log, speaking
from firmware.phrases import tell
from firmware.recovering import recover
from firmware.seatview import TableText
from firmware.sitting import LeftBehind
from firmware.status import status_line
from firmware.storage import Storage
from firmware.supervisor import Status, Watchdog
from firmware.tablefile import TableFile
from firmware.telling import device_line, heard_line
from firmware.web_part import Web
from firmware.whole import write_whole
from firmware.wiring_words import WiringWords
from hal.clock import Clock
from hal.events import DeviceLost, Event
from hal.pulse import Pulse
from hal.threads import DeviceThreads
from hal.wires import Wires

SWITCH = 0.0001
"""Real seconds after which a thread that computes makes way: a card must not wait behind a drawing, nor behind what is
sent to twenty browsers.
"""
TICK = 0.1
"""Seconds between looks at what time alone changes: lists that hide, messages that go."""
DECIDING = "the deciding task"
NO_HOST = Host()
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
IGNORED = (signal.SIGUSR1, signal.SIGUSR2)


@asynccontextmanager
async def running(
    file: TableFile,
    wires: Wires,
    journal: Path,
    clock: Clock,
    chance: Random,
    observers: tuple[Observer, ...] = (),
    watch: Callable[[str], None] = lambda stage: None,
    devices: Callable[[Event], None] = lambda event: None,
    recording: Recording | None = None,
    host: Host = NO_HOST,
    storage: Storage | None = None,
) -> AsyncIterator[Loop]:
    """A table that runs until the block is left; then its displays are dark. `watch` and `storage` go to the journal,
    `devices` is told every event before it is decided on; `recording` ends with the block, and what is decided there.
    The supervisor of the `host` hears signs of life as long as neither the deciding task nor the thread of any device
    stands still.

    Raises `hal.gpio.GpioError` for a GPIO line that cannot be had and `JournalError` for a journal that cannot be
    opened, before anything is shown. An error in the deciding task ends the block: a table that no longer decides
    must not look alive.
    """
    events: asyncio.Queue[Event] = asyncio.Queue()
    here = asyncio.get_running_loop()

    def put(event: Event) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended before this thread has
            here.call_soon_threadsafe(events.put_nowait, event)

    sys.setswitchinterval(SWITCH)
    threads = DeviceThreads(clock, put)
    with contextlib.ExitStack() as close:
        close.enter_context(speaking(file.language))
        starting = close.enter_context(contextlib.ExitStack())
        starting.enter_context(host.supervisor.taking_time())
        recover(journal, own_header(file))
        book = Journal(journal, watch, storage)
        close.callback(book.close)
        loop = close.enter_context(
            opened(file, wires, book, chance, observers, threads.wake, recording, supply=host.supply, heat=host.heat)
        )
        await loop.start(clock.now())
        threads.start(loop.hardware)
        close.callback(threads.stop)
        settle()
        watchdog = Watchdog(threads.pulse, clock, host.supervisor, complain, host.silence)
        status = Status(host.supervisor, partial(status_line, loop, WiringWords(file.language)))
        work = [
            asyncio.create_task(_decide(loop, events, devices, threads.pulse, clock)),
            asyncio.create_task(_tick(loop, clock, watchdog, status, journal.parent, host)),
        ]
        for task in work:
            task.add_done_callback(partial(_end_with, asyncio.current_task()))
        starting.close()
        host.supervisor.say("READY=1")
        try:
            yield loop
            if recording is not None:
                async with loop.turn:  # what was begun is said, and belongs to the record
                    recording.end(loop.record())
        finally:
            host.supervisor.say("STOPPING=1")
            for task in work:
                task.cancel()
            for outcome in await asyncio.gather(*work, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome


def _end_with(block: asyncio.Task[None] | None, task: asyncio.Task[None]) -> None:
    """Leave the block when a task of the table has failed; its error is raised there."""
    if block is not None and not task.cancelled() and task.exception() is not None:
        block.cancel()


async def _decide(
    loop: Loop,
    events: asyncio.Queue[Event],
    devices: Callable[[Event], None],
    pulse: Pulse,
    clock: Clock,
) -> None:
    while True:
        event = await events.get()
        pulse.beat(DECIDING, clock.now())
        async with loop.turn:
            devices(event)
            await loop.handle(event)
        pulse.rest(DECIDING)


async def _tick(loop: Loop, clock: Clock, watchdog: Watchdog, status: Status, folder: Path, host: Host) -> None:
    guard = Guard()
    while True:
        await asyncio.sleep(clock.real(TICK))
        now = clock.now()
        loop.tick(now)
        watchdog.tick()
        status.tick()
        if guard.is_due(now):
            with contextlib.suppress(OSError):
                told = guard.look(host.free(folder), now)
                if told:
                    loop.announce(TableText(told, bad=True), now)


@contextlib.contextmanager
def until_stopped(stop: Callable[[], None]) -> Iterator[None]:
    """While this holds, the signals that end a process (`STOPPING`) call `stop` instead, and SIGUSR1 and SIGUSR2, which
    say nothing to a table, do nothing: none leaves the displays lit.
    """
    here = asyncio.get_running_loop()
    for number in STOPPING:
        here.add_signal_handler(number, stop)
    for number in IGNORED:
        here.add_signal_handler(number, lambda: None)
    try:
        yield
    finally:
        for number in STOPPING + IGNORED:
            here.remove_signal_handler(number)


class Exporter:
    """Writes the record of each match to a file of its own after every deal, whole or not at all."""

    def __init__(self, folder: Path, language: str = "en") -> None:
        self.folder = folder
        self._language = language
        self.loop: Loop | None = None

    @property
    def path(self) -> Path:
        """The file of the running match, by its number in the journal."""
        return self.folder / f"match-{self.loop.number if self.loop is not None else 0}.ctr"

    def __call__(self, heard: Heard) -> None:
        """An observer: export when a deal has ended."""
        codes = {notice.code for notice in heard.ruling.notices} if heard.ruling is not None else set()
        if self.loop is None or not codes & {"deal-scored", "thrown-in"}:
            return
        self._write(self.path, self.loop.record())

    def keep(self, left: LeftBehind) -> None:
        """Export a match that is left behind, and say so: nobody will play it on.

        A record only grows; so where the journal's does not begin with an older export, it is damaged: both are kept.
        """
        path = self.folder / f"match-{left.number}.ctr"
        if not left.record.startswith(_text(path)):
            path = path.with_stem(f"{path.stem}-left")
        self._complain(
            Phrase(
                "match {number} of the journal was begun with another table file and ends here: {path}",
                number=left.number,
                path=path,
            )
        )
        self._write(path, left.record)

    def _complain(self, problem: str) -> None:
        complain(tell(problem, self._language))

    def _write(self, path: Path, record: str) -> None:
        try:
            write_whole(path, record)
        except OSError as error:  # the journal has it all; the game goes on without the export
            self._complain(Phrase("{path}: {why}; the record was not exported", path=path, why=reason(error)))


def _text(path: Path) -> str:
    """What a file holds; one that is not there holds nothing."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


async def run_table(
    file: TableFile,
    wires: Wires,
    journal: Path,
    clock: Clock,
    chance: Random,
    recording: Recording | None = None,
    host: Host | None = None,
    web: Web | None = None,
) -> None:
    """Run the table until SIGINT or SIGTERM: a line a ruling on standard output, the record beside the journal.

    `recording`, which is ended, is of what passes the wires. `host` is this machine unless it is given. `web` is where
    the table can be seen in a browser; None: nowhere.
    """
    host = host or this_host()
    said = WiringWords(file.language)
    stop = asyncio.Event()
    exporter = Exporter(journal.parent, file.language)

    def tell(heard: Heard) -> None:
        loop = exporter.loop
        if loop is not None:
            log(heard_line(loop.table, loop.words, heard))

    def watch(event: Event) -> None:
        line = device_line(event, said)
        if line is not None:
            supply, heat = (host.supply(), host.heat()) if isinstance(event, DeviceLost) else ((), None)
            warm = [] if heat is None else [f"{heat:.0f} °C"]
            complain("; ".join([line, *warm, *(said.say(f"doctor.{code}") for code in supply)]))

    for finding in check_deck_readers(all_cards(file.decks), file.wiring.readers()):
        complain(finding_line(finding, said))
    with until_stopped(stop.set):
        async with recorded(recording, file, wires, journal, clock, chance, (exporter, tell), watch, host) as loop:
            exporter.loop = loop
            if loop.left_behind is not None:
                exporter.keep(loop.left_behind)
            log(
                said.say(
                    "log.began",
                    game=file.table.game.name,
                    seats=file.table.seats,
                    chips=loop.hardware.chips.words,
                    journal=journal,
                )
            )
            async with in_browsers(web, loop, journal, said):
                await stop.wait()
            for line in health_lines(loop.hardware, said, None):
                complain(line)


@asynccontextmanager
async def in_browsers(web: Web | None, loop: Loop, journal: Path, said: WiringWords) -> AsyncIterator[None]:
    """While this holds, the table can be seen in a browser, if that is wanted; only then is the server loaded."""
    if web is None:
        yield
        return
    served = (await asyncio.to_thread(import_module, "firmware.web.table_site")).served
    async with served(
        loop,
        journal,
        web,
        lambda problem: complain(said.tell(problem)),
        lambda token: log(said.say("log.token", token=token)),
    ) as address:
        if address is not None:
            log(said.say("log.web", url=address.url))
        yield


@asynccontextmanager
async def recorded(
    recording: Recording | None,
    file: TableFile,
    wires: Wires,
    journal: Path,
    clock: Clock,
    chance: Random,
    observers: tuple[Observer, ...],
    devices: Callable[[Event], None] = lambda event: None,
    host: Host = NO_HOST,
    storage: Storage | None = None,
) -> AsyncIterator[Loop]:
    """A running table (`running`) that is recorded, if that is wanted, until the block is left."""
    with closing(recording) if recording else contextlib.nullcontext():
        async with running(
            file, wires, journal, clock, chance, observers,
            devices=devices, recording=recording, host=host, storage=storage,
        ) as loop:  # fmt: skip
            yield loop
