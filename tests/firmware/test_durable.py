"""Law 4: what is accepted is on disk before any display, LED or buzzer tells of it. The trace of the wires shows it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from at_table import Order, all_bots, seated, write_journal

from engine.match import to_act
from firmware.furnish import furnish
from firmware.loop import Loop
from firmware.run import running
from hal.clock import SteadyClock
from hal.events import Button, Event
from hal.sim.board import SimulatedWires
from hal.sim.trace import Entry, Trace

OUTPUTS = ("i2c-", "gpiochip")


def is_output(entry: Entry) -> bool:
    """Whether something is told to people: a byte to a display, a level of an LED or of the buzzer."""
    return entry.wire.startswith(OUTPUTS) and entry.what in ("write", "output")


def commits(entries: list[Entry]) -> list[list[Entry]]:
    """The stretches of the trace from an event to the end of its handling in which the journal became durable."""
    marks = [place for place, entry in enumerate(entries) if entry.wire == "event"]
    stretches = [entries[start : end + 1] for start, end in pairwise(marks) if entries[start].what != "handled"]
    return [part for part in stretches if any(entry.what == "durable" for entry in part)]


def assert_durable_first(entries: list[Entry]) -> int:
    """Every accepted entry is durable before anything tells of it, and then something does; how many there were."""
    handled = commits(entries)
    for part in handled:
        what = [entry.what for entry in part if entry.wire == "journal"]
        assert what == ["begin", "written", "durable"]
        assert not [entry for entry in part if is_output(entry)]
    for place, entry in enumerate(entries):
        if entry.what == "durable":
            following = next(later for later in entries[place + 1 :] if is_output(later) or later.what == "begin")
            assert is_output(following)
    return len(handled)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "settings",
    [{"seats": 2}, {"seats": 2, "tracked": False, "readers": "none"}],
    ids=["by taps", "by buttons"],
)
def test_every_entry_of_a_match_is_durable_before_anything_tells_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Order
) -> None:
    trace = Trace()
    with seated(tmp_path, trace=trace, options={"target": 3}, **settings) as table:
        handle = table.loop.handle

        async def traced(event: Event) -> None:
            trace.note("event", type(event).__name__)
            await handle(event)
            trace.note("event", "handled")

        monkeypatch.setattr(table.loop, "handle", traced)
        bench = all_bots(table, seed=3, mistakes=0.2)
        bench.play_until(lambda: table.loop.over)
        table.wait(1.0)
        start = next(entry.seq for entry in trace if entry.wire == "event") - 1
        notes = sum(line.startswith("#") for line in table.loop.lines)
        assert assert_durable_first(trace.since(start)) >= table.match.step + notes > 15


def test_the_first_output_line_after_power_on_is_dark(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, trace=trace):
        levels = [entry for entry in trace if entry.wire.startswith("gpiochip") and entry.what == "output"]
        assert {entry.data for entry in levels} == {0}


# With the device threads and the journal's thread as they run at a table


class CountingClock(SteadyClock):
    """A clock that counts how often it was looked at: every poll of every device thread looks once."""

    looks = 0

    def now(self) -> float:
        self.looks += 1
        return super().now()


async def until(reached: Callable[[], bool]) -> None:
    while not reached():
        await asyncio.sleep(0.001)


async def looks(clock: CountingClock, count: int) -> None:
    """Let the device threads look at their devices so many times."""
    await until(partial(lambda end: clock.looks >= end, clock.looks + count))


LOOKS = 60
"""Looks that take longer than any pattern of an LED, however fast the machine is: at rest there are 83 a second."""


async def quiet(trace: Trace, clock: CountingClock) -> None:
    """Wait until nothing has passed the wires while the device threads looked again and again."""
    seen = -1
    while seen != trace.seq:
        seen = trace.seq
        await looks(clock, LOOKS)


async def press(loop: Loop, wires: SimulatedWires, seat: int, button: Button) -> None:
    """Keep a button down until its thread has seen it, then let it go; a hold needs much longer."""
    buttons = loop.hardware.buttons[seat]
    decoder = buttons._lines[button].decoder
    wires.press(seat, button)
    await until(lambda: decoder._down)
    wires.release(seat, button)
    await until(lambda: not buttons.busy)


@pytest.mark.long
@pytest.mark.threads
def test_device_threads_show_nothing_while_the_journal_is_still_writing(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none", dealer=2)
    write_journal(tmp_path / "journal.db", file, ["deal 2", "1 bid 1", "2 pass", "1 trump H"])
    trace, clock = Trace(), CountingClock(2.0)
    held, go_on, turned = threading.Event(), threading.Event(), list[bool]()

    def watch(stage: str) -> None:
        trace.note("journal", stage)
        if stage == "written":
            held.set()
            go_on.wait()

    async def play() -> None:
        wires = SimulatedWires(file.wiring, trace)
        async with running(file, wires, tmp_path / "journal.db", clock, Random(1), watch=watch) as loop:
            try:
                for _ in range(2):
                    seat = to_act(loop.match)[0]
                    await press(loop, wires, seat, Button.OK)  # the message that the table was restarted, at the first
                    await press(loop, wires, seat, Button.RIGHT)
                    await quiet(trace, clock)
                    await press(loop, wires, seat, Button.OK)  # the suit; the next one gives a card
                    await quiet(trace, clock)
                    for _ in range(2):
                        await press(loop, wires, seat, Button.LEFT)
                    await quiet(trace, clock)
                    held.clear()
                    go_on.clear()
                    mark, step = trace.seq, loop.match.step
                    await press(loop, wires, seat, Button.OK)
                    await until(held.is_set)
                    await looks(clock, LOOKS)
                    assert [entry.what for entry in trace.since(mark)] == ["begin", "written"]
                    assert loop.match.step == step
                    go_on.set()
                    await until(partial(lambda step: loop.match.step > step, step))
                    await quiet(trace, clock)
                    after = trace.since(mark)
                    assert after[2].what == "durable"
                    lights = {"gpio"} if to_act(loop.match)[0] != seat else set()
                    assert {entry.wire[:4] for entry in after[3:] if is_output(entry)} == {"i2c-"} | lights
                    turned.append(bool(lights))
            finally:
                go_on.set()

    with suppress(TimeoutError):
        asyncio.run(asyncio.wait_for(play(), 60))
        assert any(turned)
        return
    pytest.fail("the table stood still")
