"""Every named fault in whole matches: bots play to a winner, nothing counts twice, nothing acknowledged is lost."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from at_table import Order, all_bots, assert_record, journal_rows

from engine.match import Standing
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.simulated import SimulatedTable
from hal.sim.named_faults import NAMED, FaultError
from hal.sim.weather import AT_ONCE, Weather

LIMIT = 900.0
"""Seconds of the table's in which a short match must be over."""


def play(settings: Order, names: Sequence[str], seed: int, target: int = 2) -> SimulatedTable:
    """A match that was played to its end through this weather, switched off."""
    file = furnish("pepper", dealer=settings["seats"], options={"target": target}, **settings)
    with SimulatedTable(file, seed=seed) as table:
        bench = all_bots(table, seed, mistakes=0.1)
        weather = Weather(table.faults, names, Random(seed))
        told: list[str] = []
        while not table.loop.over:
            assert table.clock.now() < LIMIT, (told[-20:], table.faults.on)
            weather.poll(table.clock.now())
            bench.step()
            told = [str(heard) for heard in table.heard[-20:]]
        table.faults.mend()
        table.wait(1.0)
        assert_record(table)
        accepted = [heard for heard in table.heard if heard.ruling is not None and heard.ruling.refusal is None]
        rows = [text for _, text in journal_rows(table.journal_file) if not text.startswith("#")]
        assert len(rows) == len(accepted)
        lines = list(table.loop.lines)
        table.restart()
        assert table.loop.lines == lines
        return table


IN_EVERY_RUN = ("unplugged",)


def soaked(names: Iterable[str], *quick: str) -> list[Any]:
    """These names, of which but few are played in every run: a match takes its time."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.soak) for name in names]


@pytest.mark.parametrize("name", soaked(NAMED, *IN_EVERY_RUN))
def test_a_match_is_played_to_its_winner_through_every_fault(name: str) -> None:
    table = play({"seats": 2}, [name], seed=1)
    assert table.loop.over


@pytest.mark.long
def test_a_match_is_played_to_its_winner_through_all_faults_together() -> None:
    assert play({"seats": 2}, list(NAMED), seed=1).loop.over


@pytest.mark.long
@pytest.mark.parametrize(
    "name", soaked(["bounce", "glitch", "stuck-button", "nak", "slow-disk", "full-disk"], "full-disk")
)
def test_a_table_with_buttons_alone_plays_through_what_it_can_have(name: str) -> None:
    assert play({"seats": 2, "tracked": False, "readers": "none"}, [name], seed=2).loop.over


def test_the_same_seed_is_the_same_weather() -> None:
    def course(seed: int) -> list[tuple[float, list[str]]]:
        with SimulatedTable(furnish("pepper", 2), seed=seed) as table:
            weather = Weather(table.faults, ["deaf", "two-tags", "stuck-button"], Random(seed))
            seen: list[tuple[float, list[str]]] = []
            for _ in range(1000):
                weather.poll(table.clock.now())
                table.clock.time += 0.1
                now = [f"{name} {place}" for name, place in table.faults.on]
                assert len(now) <= AT_ONCE
                if not seen or seen[-1][1] != now:
                    seen.append((table.clock.now(), now))
            return seen

    assert course(3) == course(3) != course(4)


def test_what_cannot_be_at_a_table_is_no_weather_there() -> None:
    with (
        SimulatedTable(furnish("pepper", 2, tracked=False, readers="none")) as table,
        pytest.raises(FaultError, match="no place for deaf"),
    ):
        Weather(table.faults, ["deaf"], Random(1))


def test_a_journal_that_nobody_writes_to_is_whole_after_all_that() -> None:
    file = furnish("pepper", 2, dealer=2, options={"target": 2})
    with SimulatedTable(file, seed=5) as table:
        bench = all_bots(table, 5)
        table.faults.begin("full-disk", table.faults.places("full-disk")[0])
        for _ in range(500):
            bench.step()
        book: Journal = table.journal
        assert book.last_match() is not None
        assert journal_rows(table.journal_file) == []
        table.faults.mend("full-disk")
        bench.play_until(lambda: table.loop.over)
        assert_record(table)


def test_bots_whose_readers_are_deaf_for_good_play_on_by_buttons() -> None:
    file = furnish("pepper", 2, dealer=2, options={"target": 2})
    with SimulatedTable(file, seed=5) as table:
        bench = all_bots(table, 5)
        bench.play_until(lambda: table.match.standing is Standing.RUNNING)
        deaf = [place for place in table.faults.places("deaf") if "seat" in place.reader]
        for place in deaf:
            table.faults.begin("deaf", place)
        bench.play_until(lambda: table.loop.over, LIMIT)
        assert_record(table)
