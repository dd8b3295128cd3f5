"""A dead table's journal is merged into another: its matches as they were, once, and never the one that goes on."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_table import seated, write_journal
from test_history import EVENING, FIRST, HOUR, evening, header

from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.generations import generation, make_copy
from firmware.history import State, sessions
from firmware.journal import Journal
from firmware.journal_lock import JournalLock
from firmware.journal_reading import Kept, read_journal
from firmware.merging import Merged, merge
from firmware.storage import Disk
from hal.sim.disk import SimDisk


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    path = tmp_path / "ours.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST)
        table.play(EVENING + HOUR, header("Ann", "Ben"), FIRST[:5])
    return path


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    path = tmp_path / "theirs.db"
    with evening(path) as table:
        table.play(EVENING - 90 * HOUR, header("Cleo", "Dan"), FIRST)
        table.play(EVENING + HOUR, header("Dan", "Cleo"), FIRST[:6])
        table.play(EVENING + HOUR, header("Dan", "Cleo"), [])
    return path


def bare(match: Kept) -> tuple[object, ...]:
    """What of a match is the same wherever it is kept."""
    return match.header, match.began, match.texts, match.times, match.starts


def test_matches_come_with_header_lines_and_times(ours: Path, theirs: Path) -> None:
    own = read_journal(ours)
    assert merge(ours, theirs) == Merged((3, 4), (), 0)
    after = read_journal(ours)
    assert after[:2] == own
    assert [bare(match) for match in after[2:]] == [bare(match) for match in read_journal(theirs)[:2]]
    assert [match.source for match in after] == ["", "", "theirs.db", "theirs.db"]


def test_no_match_comes_twice(ours: Path, theirs: Path) -> None:
    merge(ours, theirs)
    before = read_journal(ours)
    assert merge(ours, theirs) == Merged((), (), 2)
    assert merge(theirs, ours) == Merged((4, 5), (), 2)
    assert merge(ours, theirs) == Merged((), (), 4)
    assert read_journal(ours) == before


def test_the_other_journal_stays_as_it_is(ours: Path, theirs: Path) -> None:
    before = theirs.read_bytes()
    merge(ours, theirs)
    assert theirs.read_bytes() == before


def test_of_a_match_that_is_here_in_part_the_rest_is_brought(tmp_path: Path, ours: Path) -> None:
    """A table went on from a copy, and then the damaged journal could be mended."""
    copy = tmp_path / "copy.db"
    shutil.copyfile(ours, copy)
    with evening(ours) as table:
        table.go_on(EVENING + 2 * HOUR, FIRST[5:])
    assert merge(copy, ours) == Merged((), (2,), 1)
    assert read_journal(copy) == read_journal(ours)


def test_a_match_that_went_on_otherwise_here_is_brought_as_another(tmp_path: Path, ours: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copyfile(ours, copy)
    with evening(ours) as table:
        table.go_on(EVENING + 2 * HOUR, FIRST[5:])
    with evening(copy) as table:
        table.go_on(EVENING + 3 * HOUR, ["director void match"])
    assert merge(copy, ours) == Merged((3,), (), 1)
    assert [match.texts[-1] for match in read_journal(copy)] == [FIRST[-1], "director void match", FIRST[-1]]


def test_the_table_goes_on_with_its_own_match(ours: Path, theirs: Path) -> None:
    merge(ours, theirs)
    with evening(ours) as table:
        assert table.journal.number == 2
        table.go_on(EVENING + 2 * HOUR, FIRST[5:])
        table.play(EVENING + 2 * HOUR, header("Ann", "Ben"), FIRST[:4])
        assert table.journal.number == 5
        assert table.journal.last_match() == ("\n".join(header("Ann", "Ben")), FIRST[:4])
    states = {match.number: match.state for session in sessions(read_journal(ours)) for match in session.matches}
    assert states == {1: State.FINISHED, 2: State.FINISHED, 3: State.FINISHED, 4: State.UNFINISHED,
                      5: State.UNFINISHED}  # fmt: skip


def test_a_real_table_takes_up_its_own_match_after_a_merge(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none", dealer=2)
    write_journal(tmp_path / "theirs.db", file, ["deal 2", "1 bid 2"])
    with seated(tmp_path, ["deal 2"], seats=2, tracked=False, readers="none") as table:
        number = table.loop.number
    assert merge(tmp_path / "journal.db", tmp_path / "theirs.db").added == (number + 1,)
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        assert table.loop.lines == ["deal 2"]


def test_merged_matches_are_sessions_of_their_own_at_their_times(ours: Path, theirs: Path) -> None:
    merge(ours, theirs)
    found = sessions(read_journal(ours))
    assert [(session.source, [match.number for match in session.matches]) for session in found] == [
        ("theirs.db", [3]), ("", [1, 2]), ("theirs.db", [4])]  # fmt: skip


def test_a_journal_goes_on_being_one_that_holds_its_copies(ours: Path, theirs: Path) -> None:
    make_copy(ours, Disk())
    merge(ours, theirs)
    make_copy(ours, Disk())
    assert len(read_journal(generation(ours, 1))) == 4


# What is refused


def test_a_journal_that_a_table_runs_with_takes_nothing(ours: Path, theirs: Path) -> None:
    with closing(Journal(ours)), pytest.raises(JournalError, match=r"ours\.db: .* writes to it"):
        merge(ours, theirs)
    assert len(read_journal(ours)) == 2
    with closing(Journal(theirs)), pytest.raises(JournalError, match=r"theirs\.db: .* writes to it"):
        merge(ours, theirs)
    assert len(read_journal(ours)) == 2
    for path in (ours, theirs):
        JournalLock(path).close()  # nothing is held any more


def test_a_damaged_or_foreign_journal_is_named_and_nothing_is_brought(ours: Path, theirs: Path) -> None:
    before = read_journal(ours)
    data = theirs.read_bytes()
    for content in (data[:4096] + b"\xa5" * (len(data) - 4096), b"no journal " * 1000):
        theirs.write_bytes(content)
        with pytest.raises(JournalError, match=r"theirs\.db: "):
            merge(ours, theirs)
    theirs.unlink()
    with closing(sqlite3.connect(theirs)) as file:
        file.execute("CREATE TABLE address (name)")
    for other in (theirs, theirs.with_name("nowhere.db")):
        with pytest.raises(JournalError, match=f"{other.name}: .*; expected"):
            merge(ours, other)
    assert read_journal(ours) == before


def test_a_journal_is_not_merged_into_itself(ours: Path) -> None:
    with pytest.raises(JournalError, match="this is the journal itself"):
        merge(ours, ours)


def test_a_full_disk_takes_all_of_it_or_nothing(ours: Path, theirs: Path) -> None:
    disk = SimDisk(lambda seconds: None)
    disk.full = True
    before = read_journal(ours)
    with pytest.raises(JournalError, match=r"ours\.db: database or disk is full"):
        merge(ours, theirs, disk)
    assert read_journal(ours) == before
    disk.full = False
    assert merge(ours, theirs, disk).added == (3, 4)


def test_an_older_journal_can_be_merged_and_merged_into(ours: Path, theirs: Path) -> None:
    for path in (ours, theirs):
        with closing(sqlite3.connect(path)) as file:
            file.executescript("DROP TABLE setting; ALTER TABLE note DROP COLUMN look; PRAGMA user_version = 2")
    assert merge(ours, theirs).added == (3, 4)
    with closing(Journal(ours)) as journal:
        assert asyncio.run(journal.keep("language", "ru")) is None
        journal.last_match()
        assert journal.number == 2
