"""A journal that is too long to be looked through at a start: what comes next is, and the rest beside the game."""

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from at_table import BIDDEN, DEALT, journal_rows, write_journal
from test_recovering import FILE, aside, start

from firmware import generations, recovering
from firmware.errors import JournalError
from firmware.generations import doubt, generation, make_copy
from firmware.journal import Journal
from firmware.opening import own_header
from firmware.storage import Disk


@pytest.fixture(autouse=True)
def _all_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovering, "AT_ONCE", 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two matches, both of them in the copy."""
    path = tmp_path / "journal.db"
    write_journal(path, FILE, BIDDEN)
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(own_header(FILE) or (), (DEALT, "1 bid 4")))
    make_copy(path, Disk())
    return path


def alter(path: Path, match: int) -> None:
    """Take an entry out of the middle of a match."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM line WHERE match = ? AND number = ?", (match, 2 if match == 1 else 1))
        file.commit()


def rows(path: Path) -> list[tuple[int, str]]:
    return journal_rows(path)


def test_damage_in_the_match_that_goes_on_is_found_at_the_start(path: Path) -> None:
    before = rows(path)
    alter(path, 2)
    said, _ = start(path)
    assert said is not None
    assert said.code.startswith("journal-")
    assert rows(path) == before
    assert len(aside(path)) == 1


def test_damage_in_an_older_match_waits_for_the_next_copy_and_the_next_start(path: Path) -> None:
    before = rows(path)
    alter(path, 1)
    start(path)
    assert aside(path) == []  # the game goes on
    with closing(Journal(path)) as journal:
        asyncio.run(journal.append("2 pass"))
        journal.copy()
    assert doubt(path).exists()
    _, told = start(path)
    assert len(aside(path)) == 1
    assert "it is set aside" in told[0]
    assert rows(path)[: len(before)] == before
    assert not doubt(path).exists()


def test_a_journal_that_ends_before_its_copy_does_is_looked_through(path: Path) -> None:
    before = rows(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM line WHERE match = 2")
        file.execute("DELETE FROM match WHERE number = 2")
        file.commit()
    _, told = start(path)
    assert "it lacks what its copy journal.db.1 holds" in told[0]
    assert rows(path) == before


def test_a_doubt_without_a_reason_goes_away(path: Path) -> None:
    doubt(path).touch()
    _, told = start(path)
    assert (told, aside(path), doubt(path).exists()) == ([], [], False)


def test_a_damaged_copy_is_no_reason_to_give_up_a_journal(path: Path) -> None:
    generation(path, 1).write_bytes(b"nothing that SQLite knows")
    _, told = start(path)
    assert (told, aside(path)) == ([], [])


def test_an_entry_that_cannot_be_written_for_damage_makes_a_doubt(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.last_match()

        def damaged(text: str) -> None:
            raise sqlite3.DatabaseError("database disk image is malformed")

        with pytest.raises(JournalError, match="malformed"):
            asyncio.run(journal._commit(damaged, "2 pass"))  # type: ignore[arg-type]
    assert doubt(path).exists()


def test_a_full_disk_makes_none(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.last_match()

        def full(text: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        with pytest.raises(JournalError):
            asyncio.run(journal._commit(full, "2 pass"))  # type: ignore[arg-type]
    assert not doubt(path).exists()


def test_copies_of_a_long_journal_take_a_small_part_of_the_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is as long as the journal, and one is made at the end of every deal."""
    made = list[float]()
    at = [0.0]

    def slow(journal: Path, storage: object) -> None:
        made.append(at[0])
        at[0] += 3.0

    monkeypatch.setattr(generations, "make_copy", slow)
    monkeypatch.setattr(time, "monotonic", lambda: at[0])
    copies = generations.Copies(path, Disk(), lambda said: None)
    with closing(copies):
        for _ in range(30):
            copies.make()
            copies._worker.submit(int).result()  # the thread has come to its end
            at[0] += 5.0
    assert made == [0.0, 63.0, 126.0]


def test_a_copy_of_another_journal_says_nothing(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "journal.db"
    other.parent.mkdir()
    write_journal(other, FILE, BIDDEN)
    shutil.copyfile(other, generation(path, 1))
    _, told = start(path)
    assert (told, aside(path)) == ([], [])
