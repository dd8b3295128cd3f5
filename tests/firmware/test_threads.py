"""The whole table with its device threads in real time, at a fast clock: it plays, and it ends clean."""

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from at_table import Order, journal_rows
from PIL import Image

from engine.answers import check_record
from engine.record import read_record
from firmware.bots import seat_bot
from firmware.furnish import furnish, physical_cards
from firmware.loop import Loop
from firmware.run import Exporter, running
from firmware.tablefile import TableFile
from hal.clock import SteadyClock
from hal.events import DeviceBack, DeviceLost, Event
from hal.sim.board import SimulatedWires
from hal.threads import DeviceThreads

pytestmark = pytest.mark.threads


def names_of_threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


async def play(file: TableFile, wires: SimulatedWires, journal: Path, reached: Callable[[Loop], bool]) -> str:
    """Let bots play until something is so; gives the record."""
    clock, chance = SteadyClock(15.0), Random(4)
    async with running(file, wires, journal, clock, chance) as loop:
        cards = physical_cards(file, chance)
        readers = tuple(file.wiring.readers())
        bots = [
            seat_bot(seat, readers, partial(loop.seat_view, seat), wires, cards, chance, 0.1, 0.1)
            for seat in range(1, file.table.seats + 1)
        ]
        while not reached(loop):
            for bot in bots:
                bot.poll(clock.now())
            await asyncio.sleep(0.001)
        return loop.record()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "settings",
    [{"seats": 4, "readers": "seats"}, {"seats": 2, "tracked": False, "readers": "none"}],
    ids=["four seats by taps", "two seats by buttons"],
)
def test_bots_play_a_deal_with_all_threads_running_and_the_table_ends_dark(tmp_path: Path, settings: Order) -> None:
    before = names_of_threads()
    file = furnish("pepper", dealer=1, options={"target": 999}, **settings)
    wires = SimulatedWires(file.wiring)
    playing = play(file, wires, tmp_path / "journal.db", lambda loop: loop.match.deals >= 1)
    record = asyncio.run(asyncio.wait_for(playing, 100))
    _, answers = check_record(read_record(record))
    assert all(answer.ruling.refusal is None for answer in answers)
    assert record.count("\n") >= 10
    for seat in range(1, file.table.seats + 1):
        assert wires.picture(seat).getbbox() is None
        assert not wires.lit(seat)
    assert not wires.sounding()
    assert names_of_threads() == before


def test_a_table_that_is_left_at_once_leaves_no_thread_and_its_displays_dark(tmp_path: Path) -> None:
    before = names_of_threads()
    file = furnish("pepper", 4, dealer=1)
    wires = SimulatedWires(file.wiring)

    async def come_and_go() -> None:
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(), Random(1)):
            assert {"lines", "i2c-11", "i2c-12", "journal_0"} <= names_of_threads()

    asyncio.run(come_and_go())
    assert names_of_threads() == before
    assert all(wires.picture(seat).getbbox() is None for seat in (1, 2, 3, 4))


def test_an_error_in_the_deciding_task_ends_the_table(tmp_path: Path) -> None:
    """A table that no longer decides must not look alive: its supervisor starts it again."""
    file = furnish("pepper", 2, tracked=False, readers="none")

    async def fail(event: Event) -> None:
        raise RuntimeError("a fault of the program")

    async def wait() -> None:
        wires = SimulatedWires(file.wiring)
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(20.0), Random(1)) as loop:
            loop.handle = fail  # type: ignore[method-assign]
            wires.unplug_display(1)
            loop.hardware.displays[1].refresh()
            await asyncio.sleep(20)
            outlived.append(True)

    outlived: list[bool] = []
    before = names_of_threads()
    with pytest.raises(RuntimeError, match="a fault of the program"):
        asyncio.run(wait())
    assert not outlived
    assert names_of_threads() == before


def test_the_error_of_the_block_itself_comes_out_as_it_is(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none")

    async def leave() -> None:
        async with running(file, SimulatedWires(file.wiring), tmp_path / "j.db", SteadyClock(), Random(1)):
            raise LookupError("of the block")

    with pytest.raises(LookupError, match="of the block"):
        asyncio.run(leave())


@pytest.mark.long
def test_the_record_is_exported_whole_when_a_deal_has_ended(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none", options={"target": 999})
    wires, exporter = SimulatedWires(file.wiring), Exporter(tmp_path)

    async def passed_out() -> str:
        clock = SteadyClock(15.0)
        async with running(file, wires, tmp_path / "journal.db", clock, Random(1), (exporter,)) as loop:
            exporter.loop = loop
            cards, chance = physical_cards(file, Random(2)), Random(3)
            bots = [seat_bot(seat, (), partial(loop.seat_view, seat), wires, cards, chance, 0, 0.1) for seat in (1, 2)]
            while not exporter.path.exists():
                for bot in bots:
                    bot.poll(clock.now())
                await asyncio.sleep(0.001)
            return exporter.path.read_text(encoding="utf-8")

    text = asyncio.run(asyncio.wait_for(passed_out(), 60))
    assert read_record(text).lines
    exported = [line for line in text.splitlines() if line[:1].isdigit()]
    journalled = [line for _, line in journal_rows(tmp_path / "journal.db") if line[:1].isdigit()]
    assert exported == journalled[: len(exported)]
    assert exported


def test_a_reader_that_goes_and_comes_back_is_told_to_the_log_once_each_way(tmp_path: Path) -> None:
    file = furnish("pepper", 2, dealer=1)
    wires = SimulatedWires(file.wiring)
    told: list[Event] = []

    async def run() -> None:
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(15.0), Random(1), devices=told.append):
            for change, kind in ((wires.unplug_reader, DeviceLost), (wires.plug_reader, DeviceBack)):
                change("seat 2 reader")
                while not any(isinstance(event, kind) for event in told):
                    await asyncio.sleep(0.005)

    asyncio.run(asyncio.wait_for(run(), 60))
    assert [(type(event), event.device) for event in told if isinstance(event, DeviceLost | DeviceBack)] == [
        (DeviceLost, "seat 2 reader"),
        (DeviceBack, "seat 2 reader"),
    ]


def test_a_new_picture_does_not_wait_for_the_next_look_at_the_displays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hal.threads.FRAME_INTERVAL", 3600.0)
    file = furnish("pepper", 2, dealer=1)
    wires = SimulatedWires(file.wiring)

    async def show() -> None:
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(), Random(1)) as loop:
            display = loop.hardware.displays[1]
            while wires.picture(1).getbbox() is None:
                await asyncio.sleep(0.005)
            display.show(Image.new("1", display.panel.size, 1))
            while wires.picture(1).getbbox() != (0, 0, 128, 64):
                await asyncio.sleep(0.005)

    asyncio.run(asyncio.wait_for(show(), 20))


def test_a_thread_whose_device_hangs_does_not_keep_the_table_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hal.threads.PATIENCE", 0.05)
    hung, let_go = threading.Event(), threading.Event()
    threads = DeviceThreads(SteadyClock(), lambda event: None)

    def hang() -> None:
        hung.set()
        let_go.wait(60)

    threads._run("i2c-1", hang)
    hung.wait(60)
    began = time.monotonic()
    threads.stop()
    let_go.set()
    assert time.monotonic() - began < 30
