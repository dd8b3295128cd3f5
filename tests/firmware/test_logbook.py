"""The log that directors may take from a table: what happened, and no card that is nobody else's business."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.values import Action
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.furnish import furnish
from firmware.instructions import Lock, SetPin
from firmware.logbook import LONGEST, Logbook
from firmware.script import parse_script
from firmware.script_words import parse_words
from firmware.simulated import SimulatedTable

LED = """seats 4
dealer 4
names Ann, Ben, Cleo, Dan
"""
DEAL = "deal JS AS KS QS 9C 10C / AC KC QC AH KH AD / 9S 9D 10D 9H 10H JD / 10S JC QH JH QD KD"
BIDS = ("choose 1 4", "choose 2 pass", "choose 3 pass", "choose 4 pass", "choose 1 S", "tap 1 9C")
FACE = re.compile(r"\b(?:10|[2-9AKQJ])[SHDC♠♥♦♣]")


@contextmanager
def logged(text: str, most: int = 1000) -> Iterator[tuple[Bench, Logbook]]:
    script = parse_script(text)
    with SimulatedTable(script.table) as table:
        log = Logbook(lambda: 0.0, most)
        log.attach(table.loop)
        yield Bench(table), log


def do(bench: Bench, *lines: str) -> None:
    for line in lines:
        parse_words(line, bench.table.loop.table.seats)(bench)


def last(log: Logbook) -> str:
    return log.text().splitlines()[-1].split("  ", 1)[1]


def test_what_is_ruled_said_and_lost_stands_there() -> None:
    with logged(LED) as (bench, log):
        do(bench, DEAL)
        assert not FACE.search(log.text())
        do(bench, *BIDS)
        assert last(log) == "Ann: 9♣  ✓"
        do(bench, "tap 2 tag:04FFEE01")
        assert last(log) == "Ben  (unknown-tag)"
        do(bench, "unplug reader 3", "wait 8")
        assert [line for line in log.text().splitlines() if "seat 3" in line and "lost" in line]
        do(bench, "plug reader 3", "wait 8")
        assert "seat 3" in last(log)
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  match 1: pepper \(standard\), 4 seats\n", log.text())


def test_why_a_card_was_refused_is_said_when_the_deal_is_over() -> None:
    with logged(LED) as (bench, log):
        do(bench, DEAL, *BIDS, "tap 2 AH")
        assert last(log) == "Ben  ✗"
        assert "must-follow-suit" not in log.text()
        do(bench, "console void-deal")
        assert "Ben  ✗ must-follow-suit (" in log.text()
        assert "AH" not in log.text()


def test_of_what_the_console_wants_the_kind_is_said() -> None:
    with logged(LED) as (bench, log):
        for wanted in (SetPin(pin="8642"), Lock(locked=True)):
            bench.table.do(instruct(bench, wanted))
        assert "console: set-pin" in log.text()
        assert "console: lock" in log.text()
        assert "8642" not in log.text()


async def instruct(bench: Bench, wanted: SetPin | Lock) -> None:
    await bench.table.loop.instruct(wanted, bench.table.loop.latest)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["possession", "vazhushal"])
def test_no_card_that_was_drawn_is_named(game: str) -> None:
    with SimulatedTable(furnish(game, 2), seed=2) as table:
        log = Logbook()
        log.attach(table.loop)
        drawn: list[str] = []

        def hear(heard: Heard) -> None:
            entry = heard.ruling.entry if heard.ruling is not None and heard.ruling.refusal is None else None
            if isinstance(entry, Action) and entry.verb in ("draw", "exchange") and entry.argument is not None:
                drawn.append(last(log))

        table.loop.observers.append(hear)
        bench = Bench(table, 2)
        for seat in (1, 2):
            bench.seat_bot(seat)
        bench.play_until(lambda: len(drawn) >= 5)
        assert not [line for line in drawn if FACE.search(line)]


def test_it_has_an_end_however_long_a_table_runs() -> None:
    with logged("seats 2\nhands concealed\nreaders none\ndealer 2\n", most=5) as (bench, log):
        for _ in range(9):
            bench.table.do(instruct(bench, Lock(locked=True)))
        assert log.text().count("\n") == 5
        log._add("x" * 5000)
        assert len(last(log)) == LONGEST
