"""The report of matches without end: each of its numbers can be other than 0."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import endurance
from benchmarks.endurance import JUDGED, WARM, Left, Report, compare, leaks, play
from engine.answers import Answer, check_record
from engine.entries import Entry, VoidDeal
from engine.record import Record
from engine.referee import Referee
from engine.values import Action
from firmware.bench import Bench

BID, PASS = Action(1, "bid", 3), Action(2, "pass")


def never() -> bool:
    return False


@pytest.mark.long
def test_some_deals_with_faults_and_fumbles_lose_nothing_and_make_nothing_up() -> None:
    report = Report()
    play(report, 3, never)
    assert report.actions > 10
    assert report.faults.total() > 0
    assert report.well, report.values()


@pytest.mark.parametrize(
    ("told", "recorded", "found"),
    [
        ([BID, PASS], [BID, PASS], (0, 0)),
        ([BID, PASS], [BID], (1, 0)),
        ([BID], [BID, PASS], (0, 1)),
        ([BID, BID], [BID], (1, 0)),
        ([BID], [PASS], (1, 1)),
        ([BID], [BID, VoidDeal()], (0, 1)),
        ([Action(1, "play", 5)], [Action(1, "play")], (0, 0)),
    ],
    ids=["the same", "lost", "made up", "once of twice", "another", "a ruling made up", "without its card"],
)
def test_what_people_were_told_is_compared_with_the_record(
    told: list[Entry], recorded: list[Entry], found: tuple[int, int]
) -> None:
    assert compare(told, recorded) == found


def test_a_table_that_keeps_an_action_out_of_its_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(record: Record) -> tuple[Referee, list[Answer]]:
        referee, answers = check_record(record)
        return referee, list(answers)[:-1]

    monkeypatch.setattr(endurance, "check_record", forgetful)
    monkeypatch.setattr(endurance, "FAULT", 0.0)
    monkeypatch.setattr(endurance, "OFF", 0.0)
    report = Report()
    play(report, 3, steps(400))
    assert (report.lost, report.invented) == (1, 0)
    assert not report.well


def test_a_table_at_which_nothing_goes_on_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endurance, "PATIENCE", 2.0)
    monkeypatch.setattr(Bench, "step", lambda bench: bench.table.wait(0.5))
    report = Report()
    play(report, 3, never)
    assert report.stuck == 1
    assert not report.well


def steps(count: int) -> Callable[[], bool]:
    """Break off after so many steps."""
    left = iter(range(count))
    return lambda: next(left, None) is None


@pytest.mark.parametrize(
    ("grows", "found"),
    [
        (Left(0, 0, 0.0), ""),
        (Left(1, 0, 0.0), "threads: 6 to 25"),
        (Left(0, 1, 0.0), "files"),
        (Left(0, 0, 1.0), "memory"),
    ],
    ids=["nothing", "threads", "files", "memory"],
)
def test_what_grows_from_match_to_match_is_named(grows: Left, found: str) -> None:
    left = [Left(1 + n * grows.threads, 9 + n * grows.files, 50 + n * grows.memory) for n in range(WARM + JUDGED)]
    assert found in "".join(leaks([*left, left[-1]]))
    assert bool(leaks([*left, left[-1]])) is bool(found)


def test_a_report_is_written_for_machines_and_the_status_tells(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        endurance.main(["--seconds", "0", "--seed", "7", "--json", str(tmp_path / "report.json")])
    assert ended.value.code == 0
    assert '"lost": 0' in (tmp_path / "report.json").read_text(encoding="utf-8")
