"""A table whose plug is pulled: one life of it, from power on to a SIGKILL at a chosen place.

Each life runs in a process of its own and reports what it is about to enter.
"""

import os
import signal
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from at_table import Order, journal_rows

from engine.answers import check_record
from engine.asks import Token
from engine.match import Standing, to_act
from engine.options import OptionValue
from engine.record import read_record
from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.seatview import SeatView, verbs_of
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

STAGES = ("begin", "written", "durable", "shown")
"""Where a life ends: before the write, before the commit, after the sync, after the first byte to a display."""


class MatchOrder(Order, total=False):
    """And what match is played at the table."""

    options: dict[str, OptionValue]
    dealer: int


class DeadlyTrace(Trace):
    """A trace that ends the process when the wires have got to a stage, once it is armed."""

    def __init__(self, stage: str) -> None:
        super().__init__(limit=1000)
        self._stage = stage
        self._durable = False
        self.armed = False

    def note(self, wire: str, what: str, data: bytes | int = b"") -> None:
        super().note(wire, what, data)
        if not self.armed:
            return
        shown = self._durable and wire.startswith("i2c-")
        self._durable |= wire == "journal" and what == "durable"
        if self._stage == (("shown" if shown else "") if wire != "journal" else what):
            os.kill(os.getpid(), signal.SIGKILL)


def live(journal: Path, settings: MatchOrder, stage: str, restarted: bool, report: Connection) -> None:
    """Switch a table on, see that it stands where the journal says, enter the next thing, and die of it.

    Reports the entries on disk, then `enter` before the last press or tap. A match that is over reports `over`.
    """
    tempfile.tempdir = str(journal.parent)  # nobody clears up after a SIGKILL
    trace = DeadlyTrace(stage)
    file = furnish("pepper", **settings)
    with SimulatedTable(file, journal, trace=trace) as table:
        report.send([text for _, text in journal_rows(journal)])
        assert_stands_as_journalled(table, restarted)
        if table.loop.over:
            report.send("over")
            return
        for seat in range(1, file.table.seats + 1) if restarted else ():
            table.press(seat, Button.OK)  # takes the message away
        leave_half_given(table)
        enter_next(table, trace, report)
    raise AssertionError("the table outlived its end")


def assert_stands_as_journalled(table: SimulatedTable, restarted: bool) -> None:
    """The state is what the journal's entries lead to, nothing is half given, and the displays say so."""
    referee, answers = check_record(read_record(table.loop.record()))
    assert all(answer.ruling.refusal is None for answer in answers)
    assert referee.match == table.match
    told = restarted and not table.loop.over  # of a match that is over nothing need be repeated
    for seat in range(1, table.file.table.seats + 1):
        seen = table.loop.seat_view(seat)
        assert seen.given == ()
        assert seen.cursor is None or (seen.sheet is not None and seen.sheet.ask.prompt == "compare")
        assert any(shows(table.picture(seat), text) for text in ("Restarted", "Is this right?")) == told
        assert seen.dealing is None or sum(seen.dealing.counts) == 0


def leave_half_given(table: SimulatedTable) -> None:
    """A cursor over the choices of the seat that is to act, or over its cards; it must not outlive the crash."""
    acting = to_act(table.match)
    if acting:
        table.press(acting[0], Button.RIGHT)
        assert table.loop.seat_view(acting[0]).cursor is not None


def enter_next(table: SimulatedTable, trace: DeadlyTrace, report: Connection) -> None:
    """Deal, or let the seat that is to act give something that it is offered; the process ends in it."""
    trace.armed = True
    report.send("enter")
    acting = to_act(table.match)
    if acting:
        seen = table.loop.seat_view(acting[0])
        assert seen.ask is not None
        if seen.offered and seen.tapping:
            table.tap(acting[0], chosen(seen, table.match.step))
        else:
            table.choose(acting[0], chosen(seen, table.match.step))
    elif table.file.table.tracked:
        assert table.match.standing is not Standing.OVER
        bench = Bench(table, seed=table.match.deals)
        bench.cards.shuffle()
        seats = range(1, table.file.table.seats + 1)
        table.deal([[bench.cards.deal(seat) for _ in range(table.file.table.rules.cards)] for seat in seats])
    else:
        dealing = table.loop.seat_view(1).dealing
        assert dealing is not None
        table.choose(dealing.dealer, "dealt")
    table.wait(1.0)


def chosen(seen: SeatView, step: int) -> Token:
    """The lowest bid or none, so that a match comes to its end; otherwise any of what is offered, by the step."""
    choices = verbs_of(seen.ask) if seen.ask is not None else ()
    call = next((call for call in ("1", "pass") if call in choices), None)
    items: tuple[Token, ...] = (*choices, *seen.offered)
    return call or Random(step).choice(items)
