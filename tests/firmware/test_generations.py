"""Generations: good copies of the journal beside it, made without holding up play, and never a bad one for a good."""

import asyncio
import multiprocessing
import os
import resource
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_table import journal_rows, messages, seated

from engine.match import Standing
from firmware.generations import KEPT, generation, generations, holds, is_sound, make_copy
from firmware.journal import Journal
from firmware.storage import Disk
from hal.sim.disk import SimDisk

HEADER = ("game: pepper", "rules: standard", "seats: 4", "hands: tracked")


def write(path: Path, *texts: str, copies: bool = True) -> None:
    """Entries of the newest match, and a copy behind each."""
    with closing(Journal(path)) as journal:
        if journal.last_match() is None:
            asyncio.run(journal.begin_match(HEADER))
        for text in texts:
            asyncio.run(journal.append(text))
            if copies:
                make_copy(path, Disk())


def held(path: Path) -> list[list[str]]:
    """The entries of each generation, the newest first."""
    return [[text for _, text in journal_rows(copy)] for copy in generations(path)]


def test_the_newest_copies_stay_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2", "3", "4")
    assert held(path) == [["1", "2", "3", "4"], ["1", "2", "3"], ["1", "2"]]
    assert len(held(path)) == KEPT
    assert all(is_sound(copy) for copy in generations(path))
    assert {entry.name for entry in tmp_path.iterdir()} == {"journal.db", *(f"journal.db.{n}" for n in (1, 2, 3))}


def test_a_copy_is_one_file_that_holds_what_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(HEADER))
        asyncio.run(journal.append("deal 4"))
        assert Path(f"{path}-wal").stat().st_size > 0
        journal.copy()
    with closing(sqlite3.connect(generation(path, 1))) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("SELECT text FROM line").fetchall() == [("deal 4",)]


def test_a_gap_among_the_copies_is_filled_before_any_goes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2", "3")
    generation(path, 2).unlink()
    write(path, "4")
    assert held(path) == [["1", "2", "3", "4"], ["1", "2", "3"], ["1"]]


@pytest.mark.few(1)
@pytest.mark.parametrize("byte", [0, 40, 100, 3000, 5000])
def test_a_copy_that_has_changed_is_not_sound(tmp_path: Path, byte: int) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2")
    copy = generation(path, 1)
    data = bytearray(copy.read_bytes())
    place = byte if byte < 200 else data.find(b"game: pepper") + byte % 7
    data[place] ^= 0x55
    copy.write_bytes(data)
    if byte != 40:  # the number of free pages there, which is not used
        assert not is_sound(copy)


def test_a_damaged_journal_takes_the_place_of_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path, "deal 4", "1 bid 2")
    before = [copy.read_bytes() for copy in generations(path)]
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = '1 bid 3' WHERE number = 2")
        file.commit()
    with pytest.raises(sqlite3.DatabaseError, match="it lacks what its last copy holds"):
        make_copy(path, Disk())
    assert [copy.read_bytes() for copy in generations(path)] == before


def test_a_full_disk_means_no_copy_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, disk = tmp_path / "journal.db", SimDisk(lambda seconds: None)
    write(path, "1")
    with closing(Journal(path, storage=disk)) as journal:
        journal.last_match()
        disk.full = True
        for _ in range(3):
            journal.copy()
            journal._copies._worker.submit(lambda: None).result()
        disk.full = False
        asyncio.run(journal.append("2"))
    assert held(path) == [["1"]]
    assert [entry.name for entry in sorted(tmp_path.iterdir())] == ["journal.db", "journal.db.1"]
    told = capsys.readouterr().err.splitlines()
    assert told == [f"{generation(path, 1)}: database or disk is full; no copy of the journal is made"]


def copy_without_room(path: Path) -> None:
    """In a process of its own: no file may grow beyond 9,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9000, resource.RLIM_INFINITY))
    try:
        make_copy(path, Disk())
    except sqlite3.Error:
        os._exit(0)
    os._exit(1)


def test_where_the_system_itself_refuses_the_copy_the_ones_before_stay(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2")
    before = held(path)
    process = multiprocessing.get_context("forkserver").Process(target=copy_without_room, args=(path,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert held(path) == before
    assert not list(tmp_path.glob("*.copy*"))


class DyingDisk(Disk):
    """The process ends in the middle of a copy, or behind it: at the number of a call of the system's."""

    def copy(self, path: Path, target: Path) -> None:
        if DIE == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        super().copy(path, target)
        if DIE == "half":
            target.write_bytes(target.read_bytes()[:5000])
            os.kill(os.getpid(), signal.SIGKILL)


DIE = ""


def die_in_a_copy(path: Path, where: str) -> None:
    """In a process of its own."""
    global DIE
    DIE = where
    if where.startswith("rename"):
        left = int(where.removeprefix("rename"))
        replace = Path.replace

        def dying(self: Path, target: Path) -> Path:
            nonlocal left
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return replace(self, target)

        Path.replace = dying  # type: ignore[assignment,method-assign]
    make_copy(path, DyingDisk())


@pytest.mark.few(1)
@pytest.mark.parametrize("where", ["before", "half", "rename0", "rename1", "rename2"])
def test_a_kill_while_a_copy_is_made_leaves_the_good_ones(tmp_path: Path, where: str) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2", "3")
    write(path, "4", copies=False)
    process = multiprocessing.get_context("forkserver").Process(target=die_in_a_copy, args=(path, where))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert ["1", "2", "3"] in held(path)
    assert ["1", "2"] in held(path)
    assert all(is_sound(copy) for copy in generations(path))
    make_copy(path, Disk())
    assert held(path)[:2] == [["1", "2", "3", "4"], ["1", "2", "3"]]
    assert not list(tmp_path.glob("*.copy*"))


def test_a_journal_holds_its_copies_and_no_copy_holds_more(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path, "1", "2")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        assert holds(file, generation(path, 1))
        assert holds(file, generation(path, 2))
    with closing(sqlite3.connect(f"file:{generation(path, 2)}?mode=ro", uri=True)) as file:
        assert not holds(file, generation(path, 1))


def test_entries_do_not_wait_for_a_copy(tmp_path: Path) -> None:
    class Slow(Disk):
        def copy(self, path: Path, target: Path) -> None:
            begun.set()
            assert go_on.wait(30)
            super().copy(path, target)

    import threading

    begun, go_on = threading.Event(), threading.Event()
    path = tmp_path / "journal.db"
    with closing(Journal(path, storage=Slow())) as journal:
        asyncio.run(journal.begin_match(HEADER))
        asyncio.run(journal.append("deal 4"))
        journal.copy()
        assert begun.wait(30)
        asyncio.run(journal.append("1 bid 2"))
        assert len(journal_rows(path)) == 2
        journal.copy()
        journal.copy()
        go_on.set()
    assert (
        held(path) == [["deal 4", "1 bid 2"]] * 2
    )  # one that was under way, and one for all that was wished meanwhile


def test_at_a_table_each_deal_ends_with_a_copy(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2"], seats=2, tracked=False, readers="none") as table:
        assert generations(table.journal_file) == []
        for seat in (1, 2):
            table.choose(seat, "pass")
        assert table.match.standing is Standing.BETWEEN
        assert messages(table, 1) == []
    assert held(tmp_path / "journal.db") == [["deal 2", "1 pass", "2 pass"]]
