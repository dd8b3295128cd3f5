"""How long it takes from a card to the glass: `python -m benchmarks.tap`.

A table of six seats with its own threads, in real time, on wires that take their time; bots play cards. Measured on
the display of the seat that shows a card: from the last byte of the frame by which the tag counts (its own, or the one
by which a neighbouring reader says that the tag is not with it) to the last byte of the picture that comes of it; and
from the moment that the tag lies in the field, with polls, settling and the looks of neighbours. Beside it the same
with luma.oled's own update, which sends a whole frame for each picture.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from msgspec.structs import replace
from PIL import Image
from smbus2 import i2c_msg

from benchmarks.row import Row, percentile
from benchmarks.rulings import play_deal
from benchmarks.slow_wires import SlowWires
from engine.match import begin
from engine.record import deal_lines
from engine.referee import Referee
from firmware.bots import Bot, seat_bot
from firmware.desk import Heard
from firmware.furnish import furnish, physical_cards
from firmware.journal import Journal
from firmware.loop import Loop
from firmware.opening import own_header
from firmware.run import running
from firmware.tablefile import TableFile
from hal.clock import SteadyClock
from hal.displays import DisplayBus, SeatDisplay
from hal.events import Event, TagPlaced
from hal.reader_group import ReaderGroup
from hal.sim.disk import SimDisk
from hal.wiring import DisplayPlace, reader_name

GAME, SEATS = "vazhushal", 6
TO_GLASS, IN_ALL = 30.0, 300.0
"""What 99 of 100 are to take at most at 400 kHz with the disk of this machine, from frame and field, ms."""
SECONDS = 6.0
MORE = 4
"""Times as long for a figure that has a bar: of some hundred taps there is a hundredth."""
TENDER = 0.02
"""Thinking time of the bots, 1 as people do."""
QUICK = 3.0
"""Times as fast as people press and show cards."""


class Way(NamedTuple):
    """What a table is like: the pace of its buses, whether all displays are on `one`, how long a commit takes in
    addition to what it takes here, and whether luma's own update is used.
    """

    khz: int
    one: bool
    commit: float = 0.0
    luma: bool = False

    @property
    def words(self) -> str:
        """The same in words."""
        bus = "all on one bus" if self.one else "a bus each"
        disk = f", a commit {self.commit * 1000:.0f} ms" if self.commit else ""
        return f"{self.khz} kHz, {bus}{disk}{', whole frames by luma' if self.luma else ''}"


WAYS = (
    Way(400, False), Way(400, True), Way(100, False), Way(100, True),
    Way(400, False, 0.02), Way(400, False, 0.2), Way(400, False, luma=True), Way(100, True, luma=True),
)  # fmt: skip
"""What is measured together with all else."""
EVERY = tuple(Way(khz, one, commit, luma) for luma in (False, True) for khz in (400, 100)
              for one in (False, True) for commit in (0.0, 0.02, 0.2))  # fmt: skip
"""What is measured alone."""


class Tap(NamedTuple):
    """When a tag lay in the field, and when its frame had come."""

    laid: float
    seen: float
    ruled: bool = False


class Took(NamedTuple):
    """Seconds to the last byte of the new picture."""

    from_field: float
    from_frame: float
    ruled: bool
    """Whether an entry came of it, which went to the disk first; else a card of several, or a refusal."""


class Watched:
    """A display that tells how long its pictures took since the tap that they are owed to."""

    def __init__(self, display: SeatDisplay, seat: int, wires: SlowWires, luma: bool) -> None:
        self._display = display
        self._bus, self._address = wires.display(seat)
        self._luma = _luma(self._bus, self._address) if luma else None
        self._frame: Image.Image | None = None
        self._shown: Image.Image | None = None
        self.tapped: Tap | None = None
        """A tap that is decided on; the next picture is what comes of it."""
        self._owed: Tap | None = None
        self.took: list[Took] = []

    def show(self, image: Image.Image, *, first: bool = False) -> None:
        """Take a new picture."""
        if self.tapped is not None:
            self._owed, self.tapped = self.tapped, None
        self._frame = image.copy()
        self._display.show(image, first=first)

    def poll(self, now: float) -> list[Event]:
        """Write the newest picture."""
        owed, events = self._owed, list[Event]()
        if self._luma is None:
            events = self._display.poll(now)
        elif self._frame is not self._shown and (frame := self._frame) is not None:
            self._luma.display(frame)
            self._shown = frame
        if owed is not None and owed is self._owed and not self._display.waits:
            self._owed, end = None, self._bus.last[self._address]
            self.took.append(Took(end - owed.laid, end - owed.seen, owed.ruled))
        return events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._display, name)


def _luma(bus: Any, address: int) -> Any:
    """luma's own driver, over a bus of which it believes that it has opened it: then it sends the longest blocks."""
    wire = i2c(bus=bus.open(), address=address)
    wire._managed, wire._i2c_msg_write = True, i2c_msg.write
    driver = ssd1306(wire)
    driver.persist = True  # nothing is sent at exit
    return driver


async def play(way: Way, seconds: float, seed: int = 1) -> list[Took]:
    """Let bots play for so many seconds."""
    file, clock = table_file(way.one), SteadyClock()
    wires = SlowWires(file.wiring, way.khz * 1000, way.one)
    disk = SimDisk(time.sleep)
    disk.slow = way.commit
    certain: dict[tuple[str, str], float] = {}
    with closing(wires), TemporaryDirectory(prefix="tableref-") as folder:
        journal = Path(folder) / "journal.db"
        await _deal(file, journal, seed)
        watched: dict[int, Watched] = {}

        def see(event: Event) -> None:
            for display in watched.values():
                display.tapped = None
            if isinstance(event, TagPlaced) and (at := (event.reader, event.uid)) in certain:
                seat = next((seat for seat in watched if reader_name(seat) == event.reader), 0)
                if seat:
                    watched[seat].tapped = Tap(wires.laid[at], certain[at])

        def hear(heard: Heard) -> None:
            display = watched.get(heard.seat)
            if display is not None and display.tapped is not None and heard.ruling is not None:
                display.tapped = display.tapped._replace(ruled=heard.ruling.refusal is None)

        async with running(file, wires, journal, clock, Random(seed), (hear,), devices=see, storage=disk) as loop:
            watched |= _watch(loop, wires, way.luma)
            for group in loop.hardware.reader_groups:
                _time(group, wires, certain)
            await _move(loop, file, wires, seed, seconds, clock)
        return [each for display in watched.values() for each in display.took]


def table_file(one: bool) -> TableFile:
    """Six seats: with a bus each, or two displays on each of three channels of a multiplexer."""
    file = furnish(GAME, SEATS, dealer=1)
    if one:
        return file
    seats = tuple(replace(seat, display=DisplayPlace(bus=10 + seat.number, address=0x3C)) for seat in file.wiring.seats)
    return file._replace(wiring=replace(file.wiring, seats=seats))


async def _deal(file: TableFile, journal: Path, seed: int) -> None:
    """Write a journal in which the first deal is dealt."""
    deal = next(play_deal(Referee(begin(file.table)), Random(seed)))
    with closing(Journal(journal)) as book:
        await book.begin_match(own_header(file) or [], ["\n".join(deal_lines(cast(Any, deal)))])


def _watch(loop: Loop, wires: SlowWires, luma: bool) -> dict[int, Watched]:
    hardware = loop.hardware
    watched = {seat: Watched(display, seat, wires, luma) for seat, display in hardware.displays.items()}
    of = {display: cast(SeatDisplay, watched[seat]) for seat, display in hardware.displays.items()}
    hardware.displays.update({seat: of[display] for seat, display in hardware.displays.items()})
    for bus in hardware.buses.values():
        _replace(bus, of)
    return watched


def _time(group: ReaderGroup, wires: SlowWires, certain: dict[tuple[str, str], float]) -> None:
    """Note when the last byte had come before a tag counted."""
    poll, name = group.poll, "poll"

    def timed(now: float) -> list[Event] | None:
        events = poll(now)
        for event in events or ():
            if isinstance(event, TagPlaced):
                certain[event.reader, event.uid] = wires.newest
        return events

    setattr(group, name, timed)


def _replace(bus: DisplayBus, of: dict[SeatDisplay, SeatDisplay]) -> None:
    bus.displays = tuple(of[display] for display in bus.displays)


async def _move(loop: Loop, file: TableFile, wires: SlowWires, seed: int, seconds: float, clock: SteadyClock) -> None:
    chance = Random(seed)
    cards, readers = physical_cards(file, chance), tuple(file.wiring.readers())
    bots: list[Bot] = [
        seat_bot(seat, readers, partial(loop.seat_view, seat), wires, cards, chance, 0.0, TENDER)
        for seat in range(1, SEATS + 1)
    ]
    end = clock.now() + seconds
    while clock.now() < end and not loop.over:
        showing = [bot for bot in bots if not bot.idle]  # meanwhile nobody thinks: people do that elsewhere
        for bot in showing or bots:
            bot.poll(clock.now() * QUICK)
        await asyncio.sleep(0.005)


def rows(seconds: float = SECONDS, ways: tuple[Way, ...] = WAYS) -> Iterator[Row]:
    """All taps, and 99 of 100, for each way that a table can be; few taps have no 100th, so then it is the longest.
    What is to be at most so much is played for longer.
    """
    for way in ways:
        barred = way.khz == 400 and not way.commit and not way.luma
        lasting = seconds * MORE if barred else seconds
        took = [each for each in asyncio.run(play(way, lasting)) if each.ruled or not way.commit]
        if not took:  # no entry in so short a time
            continue
        for name, bar, figures in (
            ("frame to glass", TO_GLASS, [each.from_frame * 1000 for each in took]),
            ("card to glass", IN_ALL, [each.from_field * 1000 for each in took]),
        ):
            yield Row(f"{name}, {way.words}", "ms", figures)
            yield Row(f"{name}, {way.words}: p99", "ms", [percentile(figures, 0.99)], bar if barred else None)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tap", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    for row in rows(parser.parse_args().seconds, EVERY):
        print(f"{row.name:80} {row.median:8.2f} {row.unit} ({len(row.figures)})", flush=True)


if __name__ == "__main__":
    main()
