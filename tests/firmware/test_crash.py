"""A table whose plug is pulled at every boundary of every action plays its match to the end.

Each life takes up the journal that the life before has left, and is killed one stage later in the same action: before
the write, before the commit, after the sync, after the first byte to a display.
"""

import multiprocessing
import signal
from pathlib import Path
from typing import NamedTuple

import pytest
from at_table import journal_rows
from crash_lives import STAGES, MatchOrder, live

LIVES = multiprocessing.get_context("forkserver")
LIVES.set_forkserver_preload(["firmware.simulated", "firmware.bench", "firmware.reading"])


class Life(NamedTuple):
    """What is known of a life after its end."""

    found: list[str]
    """The entries that were on disk when it began."""
    reports: list[str]
    status: int | None


def lead(journal: Path, settings: MatchOrder, stage: str, restarted: bool) -> Life:
    ours, theirs = LIVES.Pipe(duplex=False)
    process = LIVES.Process(target=live, args=(journal, settings, stage, restarted, theirs))
    process.start()
    theirs.close()
    heard = []
    try:
        while True:
            heard.append(ours.recv())
    except EOFError:
        process.join()
    assert heard, "the life ended before it began"
    found, *reports = heard
    return Life(found, reports, process.exitcode)


def play_through_crashes(journal: Path, settings: MatchOrder, most: int | None = None) -> int:
    """Die at each stage of each entry; gives how many entries there were when the match was over."""
    entries = 0
    restarted = False
    before: list[str] = []
    while most is None or entries < most:
        for stage in STAGES:
            life = lead(journal, settings, stage, restarted)
            restarted = True
            assert life.found == before
            if life.reports == ["over"]:
                assert life.status == 0
                return entries
            assert (life.reports, life.status) == (["enter"], -signal.SIGKILL)
            after = [text for _, text in journal_rows(journal)]
            if stage in ("begin", "written"):
                assert after == before
            else:
                assert after[: len(before)] == before
                assert len(after) == len(before) + 1
                entries, before = len(after), after
    return entries


BUTTONS: MatchOrder = {"seats": 2, "tracked": False, "readers": "none", "dealer": 2, "options": {"target": 2}}
TAPS: MatchOrder = {"seats": 2, "dealer": 2, "options": {"target": 2}}


def test_a_deal_by_buttons_survives_a_crash_at_every_boundary_of_every_action(tmp_path: Path) -> None:
    assert play_through_crashes(tmp_path / "journal.db", BUTTONS, most=2) == 2


@pytest.mark.long
def test_a_tracked_deal_survives_a_crash_at_every_boundary_of_its_first_actions(tmp_path: Path) -> None:
    assert play_through_crashes(tmp_path / "journal.db", TAPS, most=2) == 2


@pytest.mark.soak
@pytest.mark.parametrize("settings", [BUTTONS, TAPS, TAPS | {"seats": 4, "dealer": 4}], ids=["buttons", "taps", "four"])
def test_a_whole_match_survives_a_crash_at_every_boundary_of_every_action(tmp_path: Path, settings: MatchOrder) -> None:
    assert play_through_crashes(tmp_path / "journal.db", settings, most=120) in range(14, 120)
