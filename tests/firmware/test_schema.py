"""Journals of every schema that there has been are taken up, and kept as they were; newer ones stay untouched.

The files in `old_journals` were written by the programs of their time.
"""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.errors import JournalError
from firmware.journal import Journal
from firmware.journal_reading import read_journal
from firmware.notes import Note
from firmware.opening import own_header
from firmware.recovering import recover
from firmware.schema import VERSION, NewerError, columns_in, keep_older, kept_as, tables_in
from firmware.storage import Disk
from firmware.tablefile import TableFile, read_table_file

OLD = sorted((Path(__file__).parent / "old_journals").glob("*.db"))
HEADER = "game: pepper\nrules: standard\nseats: 2\nhands: concealed"
TEXTS = ["deal 2", "1 bid 1", "2 pass", "1 trump S"]
TABLE = """
[game]
name = "pepper"
hands = "concealed"

[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }

[[seat]]
number = 2
buttons = { left = 5, ok = 6, right = 13 }
"""


@pytest.fixture(params=OLD, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copy(request.param, tmp_path / "journal.db"))


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    return read_table_file(path)


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute(statement).fetchall()


def version(path: Path) -> int:
    [(found,)] = rows(path, "PRAGMA user_version")
    assert isinstance(found, int)
    return found


def everything(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as file:
        return list(file.iterdump())


def test_there_is_a_journal_of_each_schema_that_ever_was() -> None:
    found = set()
    for path in OLD:
        with closing(sqlite3.connect(path)) as file:
            found.add((version(path), tables_in(file), columns_in(file, "note")))
    assert len(found) == len(OLD) == 7
    assert {number for number, _, _ in found} == set(range(1, VERSION))


def test_an_older_journal_is_taken_up_with_all_that_it_holds(old: Path) -> None:
    notes = rows(old, "SELECT device, tag, what FROM note") if "notes" in old.name else []
    with closing(Journal(old)) as journal:
        assert journal.last_match() == (HEADER, TEXTS)
        asyncio.run(journal.append("1 play 9S"))
        asyncio.run(journal.keep("language", "ru"))
        journal.note([Note("seat 1 reader", "04A1B2C3", "taken", 7)])
    assert version(old) == VERSION
    assert rows(old, "SELECT text FROM line ORDER BY number") == [(text,) for text in [*TEXTS, "1 play 9S"]]
    assert rows(old, "SELECT value FROM setting WHERE key = 'language'") == [("ru",)]
    assert ("seat 1 reader", "04A1B2C3", "taken", 7) in rows(old, "SELECT device, tag, what, look FROM note")
    assert set(notes) <= set(rows(old, "SELECT device, tag, what FROM note"))


def test_what_an_older_journal_was_is_kept_beside_it(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, number = everything(old), version(old)
    Journal(old).close()
    kept = kept_as(old, number)
    assert everything(kept) == before
    assert version(kept) == number
    assert f"it is kept as {kept.name}" in capsys.readouterr().err
    Journal(old).close()
    assert capsys.readouterr().err == ""
    assert {entry.name for entry in old.parent.iterdir()} == {old.name, kept.name}


def test_another_older_journal_is_kept_too_beside_the_first(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, number = old.read_bytes(), version(old)
    Journal(old).close()
    for left in old.parent.glob(f"{old.name}-*"):
        left.unlink()
    old.write_bytes(first)  # such as one that was restored
    with closing(sqlite3.connect(old)) as file:
        file.execute("UPDATE line SET text = '# another' WHERE number = 2")
        file.commit()
    before = everything(old)
    capsys.readouterr()
    Journal(old).close()
    second = old.with_name(f"{kept_as(old, number).name}-2")
    assert everything(second) == before
    assert f"it is kept as {second.name}" in capsys.readouterr().err
    assert "# another" not in str(everything(kept_as(old, number)))


def test_a_start_finds_nothing_wrong_with_an_older_journal(old: Path, file: TableFile) -> None:
    told: list[str] = []
    recover(old, own_header(file), told.append)
    assert told == []


def test_an_older_journal_can_be_read_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    [kept] = read_journal(old)
    assert list(kept.texts) == TEXTS
    assert set(kept.clocks) == {None}
    assert old.read_bytes() == before


def test_a_bringing_up_that_was_cut_short_begins_anew_and_keeps_what_it_kept(old: Path) -> None:
    before, number = everything(old), version(old)
    (old.parent / f"{old.name}.keeping").write_bytes(b"half a copy")
    keep_older(old, number, Disk())
    with closing(Journal(old)) as journal:
        assert journal.last_match() == (HEADER, TEXTS)
    assert everything(kept_as(old, number)) == before


def test_without_room_for_what_is_kept_an_older_journal_stays_as_it_was(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Disk, path: Path, target: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    before = everything(old)
    monkeypatch.setattr(Disk, "copy", full)
    with pytest.raises(JournalError, match="disk is full"):
        Journal(old)
    assert everything(old) == before


@pytest.mark.parametrize("opened", ["Journal", "recover"])
def test_a_newer_journal_is_refused_and_not_a_byte_of_it_changes(tmp_path: Path, file: TableFile, opened: str) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(HEADER.split("\n")))
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(NewerError, match=rf"version {VERSION + 1} of the journal, of a newer program"):
        Journal(path) if opened == "Journal" else recover(path, own_header(file))
    assert path.read_bytes() == before
    wal = Path(f"{path}-wal")
    assert not wal.exists() or wal.stat().st_size == 0
