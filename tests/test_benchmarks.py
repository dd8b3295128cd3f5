"""The benchmarks run, and measure what they say. No time is asserted."""

import asyncio
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import bench, displays, growth, idle, importtime, journal, peers, report, rulings, sent, tap
from benchmarks.bench import COMPARED, PEERS, SERVED, Sizes
from benchmarks.row import Row, percentile
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
TINY = Sizes(runs=1, deals=1, lines=40, hands=20, rounds=0, sent=0, taps=0, rest=0, actions=0)
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


@pytest.mark.few(3)
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
    names = [row.name for row in rows if row.name not in PEERS]
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
def test_the_command_prints_the_machine_and_the_table_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [f"--{name}={size}" for name, size in TINY._asdict().items()]
    bench.main([*few, "--write", str(tmp_path / "benchmarks.md")])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == report.machine()
    assert OURS in "\n".join(printed)
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert f"| {OURS} | µs/action |" in page
    assert is_well_formed(page)


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


# The page


def is_well_formed(page: str) -> bool:
    """Whether it names machine, versions and load, and each row of its tables has the cells of its head."""
    lines = page.splitlines()
    heads = [at for at, line in enumerate(lines) if line.startswith("| ---")]
    for at in heads:
        cells = lines[at].count("|")
        rows = list(iter(lines[at + 1 :]))
        own = rows[: next((place for place, line in enumerate(rows) if not line), len(rows))]
        if not own or any(line.count("|") != cells for line in [lines[at - 1], *own]):
            return False
    named = all(re.search(f"^- {word}: .", page, re.MULTILINE) for word in ("Measured", "Machine", "With"))
    return named and bool(heads) and page.startswith("# ") and page.endswith("\n")


def test_the_page_has_the_spread_of_each_row_and_says_what_missed_its_bar() -> None:
    sections = [("Here", [Row("a", "ms", [3.0, 1.0, 8.0], 2.0), Row("b", "ms", [1.0], 2.0)]), ("Nowhere", [])]
    page = report.markdown(sections, [("a", "b", 1.0, 3.0)])
    assert "| a | ms | 1.00 | 3.00 | 8.00 | 3 | 2 (missed) |" in page
    assert "| b | ms | 1.00 | 1.00 | 1.00 | 1 | 2 |" in page
    assert "| a | b | 1.00 | 3.00 |" in page
    assert "Nowhere" not in page
    assert is_well_formed(page)
    assert not is_well_formed(page.replace("| b | ms |", "| b |"))


def test_the_page_that_is_kept_is_well_formed() -> None:
    page = (Path(__file__).parent.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert is_well_formed(page)
    assert "## Rulings" in page


def test_a_percentile_is_one_of_the_figures() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 3.0
    assert percentile([4.0, 1.0], 0.99) == 4.0
    with pytest.raises(ValueError, match="nothing was measured"):
        percentile([], 0.5)


# What is measured at a table


@pytest.mark.long
def test_an_action_sends_less_than_whole_frames_to_the_displays() -> None:
    found = sent.sent("possession", 2, 4)
    assert found.actions == 4
    assert 0 < found.share < 60
    assert found == sent.sent("possession", 2, 4)


@pytest.mark.long
@pytest.mark.threads
def test_a_card_is_followed_from_the_reader_to_the_glass() -> None:
    """luma's own update takes as long as a whole frame: 1034 bytes of nine clocks each."""
    own = asyncio.run(tap.play(tap.Way(400, one=False), 4))
    luma = asyncio.run(tap.play(tap.Way(400, one=False, luma=True), 4))
    assert own
    assert luma
    assert all(0 < took.from_frame < took.from_field for took in own)
    assert min(took.from_frame for took in luma) > 1034 * 9 / 400_000


def test_six_seats_have_a_bus_each_or_all_the_channels_of_one() -> None:
    for one, buses in ((False, 6), (True, 3)):
        seats = tap.table_file(one).wiring.seats
        assert len({seat.display.bus for seat in seats if seat.display}) == buses


@pytest.mark.long
@pytest.mark.threads
def test_a_table_at_rest_is_told_apart_from_its_simulated_chips() -> None:
    found = idle.at_rest(0.5)
    assert found.ready > 0
    assert found.memory > 10
    assert {"MainThread", "lines", "i2c-11", idle.CHIPS} <= found.shares.keys()
    assert found.own == pytest.approx(sum(found.shares.values()) - found.shares[idle.CHIPS])
    assert any(name.count("reader") == 8 for name in found.shares)


@pytest.mark.long
def test_a_start_a_replay_and_commits_are_measured() -> None:
    rows = list(journal.rows((30, 60), runs=1, count=3))
    assert [row.unit for row in rows] == ["ms"] * 7 + ["s", "s", "times", "a second"]
    assert all(row.least > 0 for row in rows)


def test_a_long_journal_is_one_match_or_many() -> None:
    assert len(journal.played(1500, None).matches) == 1
    many = journal.played(1500, 5).matches
    assert len(many) > 3
    assert sum(map(len, many)) >= 1500


@pytest.mark.few(1)
@pytest.mark.parametrize("measure", [peers.chess_microseconds, peers.pokerkit_microseconds])
def test_a_peer_that_is_not_installed_has_no_row(measure: Callable[[int, int], float | None]) -> None:
    figure = measure(1, 1)
    assert figure is None or figure > 0
    with pytest.raises(ValueError, match=r"0 \w+ cannot be timed"):
        measure(0, 1)


@pytest.mark.long
def test_a_session_is_looked_at_every_so_many_deals_and_plotted() -> None:
    stands = list(growth.session(deals=4, every=2))
    assert [at.deals for at in stands] == [2, 4]
    assert stands[0].entries < stands[1].entries
    assert stands[0].journal <= stands[1].journal
    assert all(at.browser > 0 for at in stands)  # what nothing is published to cannot grow
    assert [row.name for row in growth.rows(stands)][-4:] == [
        "an entry, the last to the first", "the same, with the ends of deals", "to a browser, the last to the first",
        "memory for each further deal",
    ]  # fmt: skip
    drawn = growth.plot(stands)
    assert drawn.count("<polyline") == 2 * len(growth.CURVES)
    assert "4 deals" in drawn
