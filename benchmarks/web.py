"""What the board costs the table: `python -m benchmarks.web`.

Bots play at full speed on simulated wires, with the table's own threads; meanwhile nobody looks, or twenty browsers do,
which live in a process of their own. Both take turns, so a busy minute falls on both. And what an idle table takes.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import aiohttp

from firmware.bots import seat_bot
from firmware.desk import Heard
from firmware.furnish import furnish, physical_cards
from firmware.loop import Loop
from firmware.run import running
from firmware.web.table_site import served
from firmware.web_address import Address
from firmware.web_part import Web
from hal.clock import SteadyClock
from hal.events import Event
from hal.sim.board import SimulatedWires

CLIENTS = 20
SPEED = 15.0
"""Times real time: as fast as bots play that wait for nothing but the table."""
TENDER = 0.05
"""Thinking time of the bots, 1 as people do."""
PATIENCE = 60.0
"""Real seconds in which a table must have ruled on something, however slow the machine is."""


class Taps:
    """Real seconds from what a device thread saw to the ruling on it."""

    def __init__(self, clock: SteadyClock) -> None:
        self._clock = clock
        self._at = 0.0
        self.seconds: list[float] = []

    def see(self, event: Event) -> None:
        """An event is about to be decided on."""
        self._at = event.at

    def hear(self, heard: Heard) -> None:
        """What was ruled."""
        if heard.ruling is not None:
            self.seconds.append(self._clock.real(self._clock.now() - self._at))


class Costs(NamedTuple):
    """Rulings that were timed, the seconds that they took, and the messages that browsers got."""

    seconds: Sequence[float]
    messages: int = 0

    def percentile(self, share: float) -> float:
        """The seconds that this share of rulings took at most."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(len(self.seconds) * share))]


async def play(seconds: float, clients: int, seed: int) -> Costs:
    """Let bots play for so many real seconds, one match after the other; `clients` 0: without a server."""
    file, clock = furnish("pepper", 4), SteadyClock(SPEED)
    wires = SimulatedWires(file.wiring, pause=lambda wait: time.sleep(clock.real(wait)))
    wires.contacts.coarse = True
    taps = Taps(clock)
    with closing(wires), tempfile.TemporaryDirectory(prefix="tableref-") as folder:
        journal = Path(folder) / "journal.db"
        async with running(file, wires, journal, clock, Random(seed), (taps.hear,), devices=taps.see) as loop:
            if not clients:
                await _move(loop, wires, seed, seconds, clock, taps)
                return Costs(taps.seconds)
            async with served(loop, journal, Web(Address(port=0)), complain=print, tell=lambda token: None) as address:
                assert address is not None
                with browsers(address.url, clients) as counted:
                    await _move(loop, wires, seed, seconds, clock, taps)
                    timed = tuple(taps.seconds)  # while the browsers are sent away, nobody decides here
                return Costs(timed, counted[0])


async def _move(loop: Loop, wires: SimulatedWires, seed: int, seconds: float, clock: SteadyClock, taps: Taps) -> None:
    file, chance = furnish("pepper", 4), Random(seed)
    cards, readers = physical_cards(file, chance), tuple(file.wiring.readers())
    bots = [
        seat_bot(seat, readers, partial(loop.seat_view, seat), wires, cards, chance, 0.0, TENDER)
        for seat in range(1, 5)
    ]
    for bot in bots:
        bot.patience = max(bot.patience, 0.5 / clock.real(1.0))
    began = time.monotonic()
    while time.monotonic() < began + (seconds if taps.seconds else PATIENCE) and not loop.over:
        for bot in bots:
            bot.poll(clock.now())
        await asyncio.sleep(0.002)


# The browsers


@contextlib.contextmanager
def browsers(url: str, clients: int) -> Iterator[list[int]]:
    """So many browsers that follow the board, in a process of their own. The messages that they got are in the list
    when the block is left.
    """
    counted = [0]
    command = [sys.executable, "-m", "benchmarks.web", "--follow", url, "--clients", str(clients)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # all are there
        try:
            yield counted
        finally:
            process.send_signal(signal.SIGTERM)
            counted[0] = int(process.stdout.readline() or 0)


async def follow(url: str, clients: int) -> None:
    """Follow the board as so many browsers do, until SIGTERM."""
    stop, count = asyncio.Event(), 0
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)

    async def one(session: aiohttp.ClientSession) -> None:
        nonlocal count
        async with session.ws_connect(f"{url}api/v1/live", max_msg_size=0) as line:
            async for _ in line:
                count += 1

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        lines = [asyncio.create_task(one(session)) for _ in range(clients)]
        while count < clients and not any(line.done() for line in lines):
            await asyncio.sleep(0.02)
        print("there", flush=True)
        await stop.wait()
        print(count, flush=True)
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)


# A table at rest


class Idle(NamedTuple):
    """What a table costs at which nothing happens: memory with its server and without (RSS, MB); its share of a core
    with nobody looking, and with one board open (%).
    """

    alone: float
    served: float
    unseen: float
    seen: float


def idle(seconds: float) -> Idle:
    """Two tables (`tableref run`) side by side, one of them with its server, each looked at for so long."""
    with (
        tempfile.TemporaryDirectory(prefix="tableref-") as folder,
        _standing(folder) as alone,
        _standing(folder, "--web", "127.0.0.1:0") as served,
    ):
        assert served.stdout is not None
        url = next(line for line in served.stdout if "http://" in line).split()[-1]
        time.sleep(seconds)
        memory = _megabytes(alone.pid), _megabytes(served.pid)
        unseen = _share(served.pid, seconds)
        with browsers(url, 1):
            return Idle(*memory, unseen, _share(served.pid, seconds))


@contextlib.contextmanager
def _standing(folder: str, *web: str) -> Iterator[subprocess.Popen[str]]:
    table = Path(__file__).parent.parent / "examples" / "four-seats.toml"
    journal = Path(folder) / f"journal{len(web)}.db"
    options = ["--table", str(table), "--simulated", "--journal", str(journal), *web]
    command = [sys.executable, "-u", "-m", "firmware", "run", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)


def _megabytes(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


def _share(process: int, seconds: float) -> float:
    """How much of a core a process takes meanwhile, %."""
    before, began = _worked(process), time.monotonic()
    time.sleep(seconds)
    return 100 * (_worked(process) - before) / (time.monotonic() - began)


def _worked(process: int) -> float:
    """Seconds of a core that a process has had: the fields utime and stime of proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# What is measured


class Figure(NamedTuple):
    """What was measured, in which unit, and the figure of each round."""

    name: str
    unit: str
    figures: Sequence[float]


MEDIAN, P99 = "tap to ruling, median", "tap to ruling, p99"
UNSEEN, SEEN = "nobody looks", f"{CLIENTS} browsers look"
MEMORY, CPU = "memory of an idle table", "CPU of an idle table"
SERVER, NO_SERVER, OPEN = "with the server", "without", "one board open"


def figures(rounds: int, seconds: float, rest: float) -> Iterator[Figure]:
    """All figures, of so many rounds in which both take turns, and of a table that rests for so long."""
    played = take_turns(rounds, seconds)
    for name, share in ((MEDIAN, 0.5), (P99, 0.99)):
        for costs, who in zip(played, (UNSEEN, SEEN), strict=True):
            yield Figure(f"{name}, {who}", "ms", [one.percentile(share) * 1000 for one in costs])
    at_rest = idle(rest)
    yield Figure(f"{MEMORY}, {NO_SERVER}", "MB", [at_rest.alone])
    yield Figure(f"{MEMORY}, {SERVER}", "MB", [at_rest.served])
    yield Figure(f"{CPU}, {SERVER}, {UNSEEN}", "% of a core", [at_rest.unseen])
    yield Figure(f"{CPU}, {SERVER}, {OPEN}", "% of a core", [at_rest.seen])


def take_turns(rounds: int, seconds: float) -> tuple[list[Costs], list[Costs]]:
    """What each round cost where nobody looks, and where all browsers do; the one that begins changes."""
    alone: list[Costs] = []
    watched: list[Costs] = []
    for seed in range(rounds):
        for costs, clients in ((alone, 0), (watched, CLIENTS))[:: 1 if seed % 2 else -1]:
            costs.append(asyncio.run(play(seconds, clients, seed)))
    return alone, watched


def report(rounds: int, seconds: float) -> Iterator[str]:
    """The lines of the measurement."""
    alone, watched = take_turns(rounds, seconds)
    yield f"{rounds} rounds of {seconds:g} s; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    for name, costs in ((UNSEEN, alone), (SEEN, watched)):
        taps = Costs([each for one in costs for each in one.seconds], sum(one.messages for one in costs))
        median = statistics.median(taps.seconds)
        each = ", ".join(f"{one.percentile(0.99) * 1000:.1f}" for one in costs)
        yield (
            f"{name:>20}: {len(taps.seconds):5} rulings, {taps.messages:6} messages; from tap to ruling: median "
            f"{median * 1000:5.2f} ms, p99 {taps.percentile(0.99) * 1000:6.2f} ms (each round: {each})"
        )
    at_rest = idle(8.0)
    yield f"{'idle':>21}: {at_rest.alone:.1f} MB; with the server {at_rest.served:.1f} MB"
    yield f"{'CPU, idle':>21}: {at_rest.unseen:.1f} % of a core; with a board open {at_rest.seen:.1f} %"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--follow", metavar="URL")
    parser.add_argument("--clients", type=int, default=CLIENTS)
    said = parser.parse_args()
    if said.follow:
        asyncio.run(follow(said.follow, said.clients))
        return
    for line in report(said.rounds, said.seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
