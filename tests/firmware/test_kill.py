"""Matches of all games whose table is killed again and again, at any moment: nothing that was accepted is lost, and
nothing is there that nobody did.

`TABLEREF_KILLS` is how many matches are tried; `make kill` tries 500.
"""

import multiprocessing
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from crash_lives import STAGES
from kill_lives import Does, Visible, live

from engine.answers import check_record
from engine.record import read_record
from firmware.record_lines import record_text
from firmware.taking_up import believed

MATCHES = int(os.environ.get("TABLEREF_KILLS", "16"))
LIVES = (2, 4)
"""How often a match is killed."""
LATEST = 0.8
"""Real seconds after which a life is killed at the latest, from when it is up; one that dies by itself at a stage of a
commit is given twice as long."""

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["firmware.simulated", "firmware.bench", "firmware.reading", "lying_cards"])


class Disk(NamedTuple):
    """The header of a match in the journal, and its entries."""

    header: str
    entries: list[str]

    @property
    def lines(self) -> list[str]:
        return record_text("", self.entries).split("\n")[2:-1] if self.entries else []


def matches(journal: Path) -> dict[int, Disk]:
    """What is on disk, by the number of the match."""
    if not journal.exists():
        return {}
    with closing(sqlite3.connect(journal)) as file:
        if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'line'").fetchone():
            return {}
        headers = file.execute("SELECT number, header FROM match").fetchall()
        rows = file.execute("SELECT match, text FROM line ORDER BY match, number").fetchall()
    return {number: Disk(header, [text for match, text in rows if match == number]) for number, header in headers}


def lead(journal: Path, order: int, chance: Random) -> list[object]:
    """One life; gives its reports."""
    by_stage = chance.random() < 0.4
    stage, count = chance.choice(STAGES), chance.randint(1, 6) if by_stage else 0
    ours, theirs = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=live, args=(journal, order, chance.random(), stage, count, theirs))
    process.start()
    theirs.close()
    reports: list[object] = []
    try:
        reports.append(ours.recv())
        end = time.monotonic() + (2 * LATEST if by_stage else chance.uniform(0, LATEST))
        while (left := end - time.monotonic()) > 0:
            if ours.poll(left):
                reports.append(ours.recv())
        process.kill()
        while True:
            reports.append(ours.recv())
    except EOFError:
        process.join()
    assert process.exitcode in (-signal.SIGKILL, 0), f"the table failed: {process.exitcode}"
    return reports


def assert_nothing_is_lost_or_invented(reports: list[object], before: dict[int, Disk], after: dict[int, Disk]) -> None:
    """What was on disk or visible is on disk; beyond it at most the one thing that was being done."""
    seen = [report for report in reports if isinstance(report, Visible)]
    for number, disk in before.items():
        assert after[number].header == disk.header
        assert after[number].entries[: len(disk.entries)] == disk.entries
    for report in seen:
        lines = after[report.match].lines
        assert lines[report.lines - 1] == report.last, "what was visible is not there"
    for number, disk in after.items():
        visible = max((report.lines for report in seen if report.match == number), default=0)
        visible = max(visible, len(before[number].lines) if number in before else 0)
        new = [line for line in disk.lines[visible:] if line and not line.startswith("#")]
        entries = [line for line in new if not line.startswith(("hand ", "turn-up", "buried", "stock"))]
        anew = "# said otherwise" in "\n".join(disk.lines[visible:])  # what came before is written anew, then this
        assert len(entries) <= 1 or anew, entries
        done = [report for report in reports if isinstance(report, Does) and report.match == number]
        if entries:
            assert done, "nobody did anything"
            seats = {str(report.seat) for report in done[-2:]}
            assert entries[-1 if anew else 0].split()[0] in seats | {"deal"} or "0" in seats, (entries, seats)


def assert_accepted(disk: Disk) -> None:
    """As `tableref check` judges it, but that a card from buttons was judged on less."""
    _, answers = check_record(read_record(record_text(disk.header, disk.entries)))
    for answer in answers:
        refusal = answer.ruling.refusal
        assert refusal is None or believed(answer.ruling.entry, refusal.code), answer


@pytest.mark.few(1)
@pytest.mark.parametrize("number", range(MATCHES))
def test_nothing_is_lost_and_nothing_invented_whenever_the_plug_is_pulled(number: int, tmp_path: Path) -> None:
    chance, journal = Random(number), tmp_path / "journal.db"
    before: dict[int, Disk] = {}
    for _ in range(chance.randint(*LIVES)):
        reports = lead(journal, number, chance)
        after = matches(journal)
        assert_nothing_is_lost_or_invented(reports, before, after)
        for disk in after.values():
            assert_accepted(disk)
        assert matches(journal) == after
        before = after
    reports = lead(journal, number, chance)
    if before and isinstance(reports[0], list) and reports[0]:
        assert reports[0] == before[max(before)].lines
