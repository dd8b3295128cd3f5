"""What lies under the journal: a disk that is full or slow, and a clock on the wall that jumps."""

import asyncio
import multiprocessing
import resource
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from at_table import BIDDEN, LED, journal_rows, messages, seated, standing

from engine.cards import Card
from engine.match import to_act
from firmware.errors import DiskFullError, JournalError
from firmware.journal import Journal
from firmware.reading import shows
from hal.events import Button
from hal.sim.disk import SimDisk
from hal.sim.named_faults import At, Place

DISK, CLOCK = Place(At.DISK), Place(At.CLOCK)
HEADER = ("game: pepper", "rules: standard", "seats: 4", "hands: tracked")


def disk() -> SimDisk:
    return SimDisk(time.sleep)


def wall_times(path: Path) -> list[float]:
    with closing(sqlite3.connect(path)) as file:
        return [at for (at,) in file.execute("SELECT wall_time FROM line ORDER BY match, number")]


# A full disk


def test_a_full_disk_takes_nothing_half_and_all_again_when_there_is_room(tmp_path: Path) -> None:
    path, under = tmp_path / "journal.db", disk()
    with closing(Journal(path, storage=under)) as journal:
        asyncio.run(journal.begin_match(HEADER))
        asyncio.run(journal.append("deal 4"))
        under.full = True
        for text in ("1 bid 2", "x" * 5000, "1 bid 2"):
            with pytest.raises(DiskFullError, match="disk is full"):
                asyncio.run(journal.append(text))
            assert journal_rows(path) == [(1, "deal 4")]
        under.full = False
        asyncio.run(journal.append("1 bid 2"))
    assert journal_rows(path) == [(1, "deal 4"), (1, "1 bid 2")]
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} == {
            "match", "line", "note", "setting", "stand"}  # fmt: skip


def test_what_a_full_disk_holds_is_taken_up_without_writing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(HEADER))
    before = path.read_bytes()
    with closing(Journal(path)) as journal:
        assert journal.last_match() is not None
        assert Path(f"{path}-wal").stat().st_size == 0
    assert path.read_bytes() == before


def write_until_it_fails(path: Path) -> None:
    """In a process of its own: the files may not grow beyond what they have now."""
    journal = Journal(path)
    asyncio.run(journal.begin_match(HEADER))
    most = Path(f"{path}-wal").stat().st_size + 20_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    done = 0
    try:
        for number in range(100):
            asyncio.run(journal.append(f"{number} " + "x" * 2000))
            done += 1
    except JournalError:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert 0 < done < 100
        assert len(journal_rows(path)) == done
        asyncio.run(journal.append("more"))
        assert [text for _, text in journal_rows(path)][done:] == ["more"]
        journal.close()
        raise SystemExit(0) from None
    raise SystemExit(1)


def test_a_write_that_the_system_itself_refuses_at_the_commit_leaves_nothing_half(tmp_path: Path) -> None:
    process = multiprocessing.get_context("forkserver").Process(
        target=write_until_it_fails, args=(tmp_path / "journal.db",)
    )
    process.start()
    process.join(60)
    assert process.exitcode == 0


def test_at_a_table_a_full_disk_is_told_and_nothing_shows_as_accepted(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        before = standing(table)
        table.faults.begin("full-disk", DISK)
        table.tap(1, Card("9C"))
        assert standing(table) == before
        assert messages(table, 1) == ["disk-full"]
        assert shows(table.picture(1), "Cannot save")
        table.restart()
        assert standing(table) == before
        table.faults.mend()
        table.tap(1, Card("9C"))
        assert to_act(table.match) == (2,)


# A slow disk


def test_while_a_slow_disk_writes_the_table_lives_and_shows_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.faults.begin("slow-disk", DISK, 3.0)
        table.tap(1, Card("9C"))
        table.wait(1.0)
        assert to_act(table.match) == (1,)
        assert not shows(table.picture(2), "9♣")
        table.hold(2, Button.RIGHT)
        table.wait(3.0)
        assert to_act(table.match) == (2,)
        assert table.loop.seat_view(2).peeking
        table.release(2, Button.RIGHT)
        assert shows(table.picture(2), "9♣")


def test_a_power_cut_while_a_slow_disk_writes_loses_only_what_nobody_was_told(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.faults.begin("slow-disk", DISK, 3.0)
        before = standing(table)
        table.tap(1, Card("9C"))
        table.restart()
        assert standing(table) == before
        table.tap(1, Card("9C"))
        table.wait(4.0)
        assert to_act(table.match) == (2,)


def test_presses_that_waited_for_a_slow_disk_answer_no_question_that_came_after_them(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2", "1 bid 1", "2 pass"], seats=2, tracked=False) as table:
        table.faults.begin("slow-disk", DISK, 3.0)
        for _ in range(2):  # nothing seems to happen, so once more
            table.press(1, Button.RIGHT)
            table.press(1, Button.OK)
        table.wait(4.0)
        assert [text for _, text in journal_rows(table.journal_file)][3:] == ["1 trump C"]
        assert table.loop.seat_view(1).cursor is None


# The clock on the wall


@pytest.mark.few(1)
@pytest.mark.parametrize("step", [-86_400.0 * 400, 86_400.0])
def test_a_clock_that_jumps_changes_labels_and_nothing_else(tmp_path: Path, step: float) -> None:
    with seated(tmp_path, LED) as table:
        table.press(2, Button.RIGHT)
        table.faults.begin("clock-step", CLOCK, step)
        table.wait(3.0)
        assert table.loop.seat_view(2).cursor is not None  # a private list is hidden after 6 s, not at once
        table.wait(4.0)
        assert table.loop.seat_view(2).cursor is None
        table.tap(2, Card("AC"))
        times = wall_times(table.journal_file)
        assert times[-1] - times[-2] == pytest.approx(step, abs=60)
        before = standing(table)
        table.restart()
        assert standing(table) == before
        assert [text for _, text in journal_rows(table.journal_file)][-1] == "2 play AC"
