"""The benchmarks run, and measure what they say. No time is asserted."""

import random
import sys

import pytest

from benchmarks import bench, displays, importtime, rulings
from benchmarks.bench import COMPARED, SERVED, Row, Sizes
from engine.answers import check_record
from engine.entries import Deal
from engine.game import games
from engine.match import Standing, Table, begin, lay_table
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from hal.panels import Controller

TABLES = [table for game in games().values() for table in rulings.tables(game)]
PEPPER = [table for table in TABLES if table.game.name == "pepper"]
TINY = Sizes(runs=1, deals=1, lines=40, hands=20, rounds=0)
OURS, PEER = COMPARED[0]


def named(table: Table) -> str:
    return f"{table.game.name}-{table.rule_set}-{table.seats}"


def test_every_rule_set_and_number_of_seats_has_a_table() -> None:
    assert [named(table) for table in PEPPER] == [
        "pepper-standard-2", "pepper-standard-3", "pepper-standard-4",
        "pepper-bowers-2", "pepper-bowers-3", "pepper-bowers-4",
    ]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_a_deal_is_played_to_its_end_from_full_hands(table: Table) -> None:
    referee = Referee(begin(table))
    deal, *actions = rulings.play_deal(referee, random.Random(1))
    assert isinstance(deal, Deal)
    places = table.game.places(table.rules, 1)
    assert [len(hand or ()) for hand in deal.dealt.hands] == [places.count(seat) for seat in range(1, table.seats + 1)]
    assert all(isinstance(action, Action) for action in actions)
    assert referee.match.standing is not Standing.RUNNING
    assert len(referee.accepted) == len(actions) + 1


@pytest.mark.parametrize("table", PEPPER, ids=named)
def test_a_random_record_has_its_lines_and_nothing_in_it_is_refused(table: Table) -> None:
    text = rulings.random_record(table, 2000, seed=3)
    assert 2000 <= text.count("\n") < 2100
    referee, answers = check_record(read_record(text))
    assert [answer.ruling.refusal for answer in answers if answer.ruling.refusal is not None] == []
    assert not referee.irregularities()


def test_a_random_record_goes_on_after_a_match_was_won() -> None:
    table = lay_table(games()["pepper"], 4, options={"target": 3})
    assert "director score 1 = 0" in rulings.random_record(table, 2000, seed=1)


def test_the_same_seed_gives_the_same_play() -> None:
    assert rulings.random_record(PEPPER[2], 200, seed=5) == rulings.random_record(PEPPER[2], 200, seed=5)
    assert rulings.random_record(PEPPER[2], 200, seed=5) != rulings.random_record(PEPPER[2], 200, seed=6)


def test_a_figure_is_a_time_for_an_action() -> None:
    assert rulings.microseconds(TABLES[2], 1, seed=1) > 0


def test_fewer_than_one_deal_and_fewer_than_one_run_cannot_be_timed() -> None:
    with pytest.raises(ValueError, match="0 deals cannot be timed"):
        rulings.microseconds(TABLES[0], 0, seed=1)
    with pytest.raises(ValueError, match="0 runs cannot be timed"):
        importtime.milliseconds([importtime.ENGINE], 0)


def test_each_statement_is_timed_in_each_run() -> None:
    times = importtime.milliseconds([importtime.ENGINE, "pass"], 2)
    assert [len(runs) for runs in times] == [2, 2]
    assert min(times[0]) > 0


@pytest.mark.long
def test_the_table_has_a_row_for_everything_that_is_measured() -> None:
    rows = list(bench.measure(TINY))
    peers = {peer for _, peer in COMPARED}
    names = [row.name for row in rows if row.name not in peers]
    assert names == [
        "a loop of 100,000 steps (yardstick)",
        *(f"{table.game.name} {table.rule_set}, {table.seats} seats" for table in TABLES),
        *(
            f"{name}, {cards}, of 20 hands the {which}"
            for cards in ("jokers", "jokers and a wild rank")
            for name in ("lay_all", "lay_most")
            for which in ("median", "worst")
        ),
        *(f"{shown.controller}: {shown.name}" for shown in displays.figures()),
        "import of the engine",
        "import of the engine, games found",
        "tableref check, 40 lines",
    ]
    assert all(len(row.figures) == 1 and row.least > 0 for row in rows)


def test_a_change_of_a_display_costs_a_fraction_of_lumas_frame() -> None:
    for controller in Controller:
        costs = {figure.name: figure.bytes for figure in displays.figures() if figure.controller is controller}
        luma = costs.pop("luma's frame, whatever changes")
        assert luma == {Controller.SSD1306: 1034, Controller.SH1106: 1080}[controller]
        assert costs.pop("a whole frame") == luma
        assert costs["a line of 60 × 8 on a page"] <= 75
        assert max(costs.values()) < luma / 5
        assert 0 < displays.random_share(controller, 50) <= 8


def test_the_table_of_displays_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    displays.main()
    printed = capsys.readouterr().out
    assert "ssd1306  luma's frame, whatever changes      1034 bytes    2 transfers   23.27 ms at 400 kHz" in printed


def test_the_text_has_minimum_and_median_of_each_row() -> None:
    assert bench.text([Row("a", "ms", [3.0, 1.0, 8.0])]).splitlines()[1].split() == ["a", "1.00", "3.00", "ms"]


def test_the_ratio_to_the_peer_stands_under_both_where_the_peer_is_installed() -> None:
    ours, peer = Row(OURS, "µs/action", [9.0, 12.0]), Row(PEER, "µs/action", [3.0, 4.0])
    assert bench.text([ours, peer]).splitlines()[-1].split()[5:7] == ["3.00", "3.00"]
    assert "to the other" not in bench.text([ours])


@pytest.mark.long
def test_the_command_prints_the_machine_and_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--runs", "1", "--deals", "1", "--lines", "20", "--hands", "10", "--rounds", "0"])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == bench.machine()
    assert OURS in "\n".join(printed)


@pytest.mark.long
@pytest.mark.threads
def test_what_the_web_costs_is_measured_in_turns_and_at_rest() -> None:
    rows = {row.name: row for row in bench.web_rows(Sizes(rounds=2, seconds=2))}
    assert {name for pair in SERVED for name in pair} < rows.keys()
    for name, row in rows.items():
        assert len(row.figures) == (2 if name.startswith("tap") else 1)
        assert row.least >= 0 if name.startswith("CPU") else row.least > 0
    for browsers in ("20 browsers look", "nobody looks"):
        assert rows[f"tap to ruling, median, {browsers}"].least <= rows[f"tap to ruling, p99, {browsers}"].least
    printed = bench.text([*rows.values()]).splitlines()
    assert sum("the one to the other" in line for line in printed) == len(SERVED)


def test_without_the_extra_the_web_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "benchmarks.web", None)
    assert list(bench.web_rows(Sizes())) == []
