"""The mark in the corner of every display: it moves while the table decides, and stands still when it hangs (E12)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from at_table import BIDDEN, pictures, seated

from engine.cards import Card
from firmware.furnish import furnish
from firmware.simulated import STEP, SimulatedTable
from hal.idle import BEAT, DIM_AFTER, OFF_AFTER
from hal.panels import MARK
from hal.sim.named_faults import At, Place
from hal.sim.trace import Trace

SEATS = (1, 2, 3, 4)
BYTES = 12
"""A header and two columns, with an SSD1306."""


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def table(tmp_path: Path, trace: Trace) -> Iterator[SimulatedTable]:
    with seated(tmp_path, BIDDEN, trace=trace) as table:
        table.wait(BEAT - table.clock.time % BEAT + STEP)
        yield table


def marks(table: SimulatedTable) -> list[bytes]:
    """The corner of each display."""
    return [table.picture(seat).crop(MARK).tobytes() for seat in SEATS]


def sent(table: SimulatedTable) -> int:
    """Bytes on the displays' buses so far, addresses included."""
    return sum(bus.bytes for bus in table.wires.buses.values())


def test_once_a_second_the_mark_goes_to_and_fro_on_every_display_and_nothing_else_does(table: SimulatedTable) -> None:
    rest, first = pictures(table), marks(table)
    for second in range(1, 6):
        before = sent(table)
        table.wait(BEAT)
        assert [mark != was for mark, was in zip(marks(table), first, strict=True)] == [second % 2 == 1] * 4
        assert pictures(table) == rest
        assert sent(table) - before == BYTES * len(SEATS)


def test_it_stands_still_when_the_deciding_loop_does_though_the_threads_of_the_displays_live(
    table: SimulatedTable,
) -> None:
    first, before = marks(table), sent(table)
    for _ in range(200):
        table.clock.time += STEP
        assert table.hardware.poll_displays(table.clock.time) == []
    assert marks(table) == first
    assert sent(table) == before


def test_it_stands_still_while_an_event_is_not_decided_on(table: SimulatedTable) -> None:
    """A disk that never answers: time passes, buttons do nothing, and the mark says so."""
    table.faults.begin("slow-disk", Place(At.DISK), 10.0)
    table.tap(2, Card("AC"))
    first = marks(table)
    for _ in range(5):
        table.wait(BEAT)
        assert marks(table) == first
    table.wait(6.0)
    moved = marks(table)
    table.wait(BEAT)
    assert marks(table) != moved


def test_it_moves_on_dim_displays_and_not_on_dark_ones(table: SimulatedTable) -> None:
    table.clock.time += DIM_AFTER
    table.wait(STEP)
    dim = marks(table)
    table.wait(BEAT)
    assert marks(table) != dim
    table.clock.time += OFF_AFTER
    table.wait(2 * STEP)
    before = sent(table)
    table.wait(5 * BEAT)
    assert sent(table) == before
    assert not any(any(table.wires.glasses[seat].ram) for seat in SEATS)


def test_what_it_writes_depends_on_the_clock_alone(table: SimulatedTable, trace: Trace) -> None:
    """Every seat gets the same bytes, whatever it holds and whoever is to act, at the same times."""
    mark = trace.seq
    table.wait(10 * BEAT)
    by_wire: dict[str, list[tuple[str, bytes | int | str]]] = {}
    for entry in trace.since(mark):
        if entry.wire.startswith("i2c"):
            by_wire.setdefault(entry.wire, []).append((entry.what, entry.data))
    assert len(by_wire) == len(SEATS)
    commands = {tuple(what for what, _ in written) for written in by_wire.values()}
    data = {tuple(data for _, data in written) for written in by_wire.values()}
    assert len(commands) == len(data) == 1


def test_a_beat_takes_a_tenth_of_a_kilobyte_of_a_capture(tmp_path: Path) -> None:
    path = tmp_path / "beats.capture"
    with SimulatedTable(furnish("pepper", 4), capture=path) as table:
        table.wait(1.0)
        before = path.stat().st_size
        table.wait(20 * BEAT)
        written = [line for line in path.read_bytes()[before:].splitlines(keepends=True) if b'"write"' in line]
    assert len(written) == 2 * 20 * len(SEATS)  # where, and what
    assert sum(map(len, written)) <= 100 * 20 * len(SEATS)
