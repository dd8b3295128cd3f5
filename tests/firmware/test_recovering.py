"""A journal that is damaged at the start: its last good copy, or a new one; the damaged file stays, and all is told."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_table import BIDDEN, LED, journal_rows, write_journal

from firmware.errors import DiskFullError, JournalError
from firmware.furnish import furnish
from firmware.generations import generation, generations, make_copy
from firmware.journal import Journal
from firmware.opening import own_header
from firmware.reading import shows
from firmware.recovering import recover, restored_text
from firmware.seatview import TableText
from firmware.setups import everybody
from firmware.simulated import SimulatedTable
from firmware.sitting import Sitting
from firmware.storage import Disk
from hal.events import Button

FILE = furnish("pepper", 4, dealer=4)


class Told(list[str]):
    def __call__(self, text: str) -> None:
        self.append(text)


def start(path: Path) -> tuple[TableText | None, Told]:
    """What a table tells its players, and its log, that starts with this journal."""
    told = Told()
    recover(path, own_header(FILE), told)
    with closing(Journal(path)) as journal:
        return asyncio.run(Sitting(everybody(FILE.table, FILE.names, 4), journal, random.Random(1)).start()), told


def go_on(path: Path, *texts: str) -> None:
    with closing(Journal(path)) as journal:
        journal.last_match()
        for text in texts:
            asyncio.run(journal.append(text))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two copies, of which the newer holds all but the last entry."""
    path = tmp_path_factory.mktemp("evening") / "journal.db"
    write_journal(path, FILE, BIDDEN[:4])
    make_copy(path, Disk())
    go_on(path, *BIDDEN[4:])
    make_copy(path, Disk())
    go_on(path, *LED[len(BIDDEN) :])
    return path


@pytest.fixture
def path(tmp_path: Path, evening: Path) -> Path:
    for file in evening.parent.iterdir():
        shutil.copyfile(file, tmp_path / file.name)
    return tmp_path / "journal.db"


def texts(path: Path) -> list[str]:
    return [text for _, text in journal_rows(path)]


def spoil(path: Path) -> bytes:
    """Damage that SQLite itself finds; gives the bytes."""
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    return bytes(data)


def aside(path: Path) -> list[Path]:
    """The damaged journals that were set aside."""
    return sorted(path.parent.glob("journal.db.damaged-*"))


def test_a_journal_that_is_well_is_left_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    assert start(path) == (TableText("restarted", bad=True), [])
    assert path.read_bytes() == before
    assert aside(path) == []


def test_of_a_damaged_journal_the_last_copy_is_used_and_the_file_is_set_aside(path: Path) -> None:
    data = spoil(path)
    said, told = start(path)
    assert said == TableText("journal-restored", bad=True)
    assert texts(path) == list(BIDDEN)
    [old] = aside(path)
    assert old.read_bytes() == data
    [line] = told
    assert str(path) in line
    assert old.name in line
    assert "its copy journal.db.1 of" in line


def test_how_many_entries_are_lost_is_told_where_it_can_be_counted(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = '1 play JC' WHERE number = 7")
        file.execute("UPDATE line SET text = '1 bid 3' WHERE number = 2")
        file.commit()
    said, told = start(path)
    assert said == TableText("journal-restored-count", (("count", 1),), bad=True)
    assert told[0].endswith("; of 7 entries 1 are lost")
    assert texts(path) == list(BIDDEN)


def test_what_no_reader_of_records_can_see_is_seen_by_the_copy(path: Path) -> None:
    """Another bid of that seat would have been as legal."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = '1 bid 3' WHERE number = 2")
        file.commit()
    said, told = start(path)
    assert said is not None
    assert said.code == "journal-restored-count"
    assert "it lacks what its copy journal.db.1 holds" in told[0]
    assert texts(path) == list(BIDDEN)


def test_a_damaged_copy_is_passed_over(path: Path) -> None:
    spoil(path)
    copy = generation(path, 1)
    data = bytearray(copy.read_bytes())
    data[data.find(b"1 bid 4") + 6] = ord("5")
    copy.write_bytes(data)
    said, told = start(path)
    assert said == TableText("journal-restored", bad=True)
    assert "its copy journal.db.2 of" in told[0]
    assert texts(path) == list(BIDDEN[:4])


def test_a_copy_that_was_damaged_alone_harms_no_journal(path: Path) -> None:
    copy = generation(path, 1)
    data = bytearray(copy.read_bytes())
    data[data.find(b"1 bid 4") + 6] = ord("5")
    copy.write_bytes(data)
    assert start(path) == (TableText("restarted", bad=True), [])
    assert texts(path) == list(LED)


@pytest.mark.parametrize("gone", ["empty", "missing"])
def test_an_empty_or_missing_journal_beside_its_copies_is_restored(path: Path, gone: str) -> None:
    path.unlink()
    if gone == "empty":
        path.touch()
    said, _ = start(path)
    assert said is not None
    assert said.code.startswith("journal-restored")
    assert texts(path) == list(BIDDEN)


def test_a_journal_that_lost_its_newest_part_is_no_newer_than_its_copy(path: Path) -> None:
    """Such as one that was taken without its -wal, or whose card dropped writes that it had acknowledged."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM line WHERE number > 3")
        file.commit()
    said, _ = start(path)
    assert said == TableText("journal-restored-all", (("count", 0),), bad=True)
    assert texts(path) == list(BIDDEN)


def test_without_a_good_copy_a_new_journal_is_begun_and_that_is_told(path: Path) -> None:
    for number in (1, 2):
        generation(path, number).unlink()
    data = spoil(path)
    said, told = start(path)
    assert said == TableText("journal-anew", bad=True)
    assert texts(path) == []
    assert [old.read_bytes() for old in aside(path)] == [data]
    assert told[0].endswith("; a new one is begun")


@pytest.mark.parametrize("copies", [0, 2])
def test_no_record_of_a_match_that_is_in_no_copy_is_written_over(path: Path, copies: int) -> None:
    for number in range(copies + 1, 3):
        generation(path, number).unlink()
    spoil(path)
    (path.parent / "match-7.ctr").touch()
    start(path)
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(["game: pepper"]))
        assert journal.number == (8 if copies else 9)  # without a copy the start has begun one already
        asyncio.run(journal.begin_match(["game: pepper"]))
        assert journal.number == (9 if copies else 10)


@pytest.mark.parametrize("content", [b"no database, but long enough to look like a file of some kind " * 20])
def test_a_file_that_never_was_a_journal_is_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r"journal\.db: .*; expected a journal that can be written"):
        recover(path, own_header(FILE._replace(names=())), Told())
    assert [entry.read_bytes() for entry in tmp_path.iterdir()] == [content]


def test_a_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE address (name)")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="a database of another program; expected a journal"):
        recover(path, own_header(FILE._replace(names=())), Told())
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_version_is_not_touched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")
    told, before = Told(), path.read_bytes()
    with pytest.raises(JournalError, match="version 99"):
        recover(path, own_header(FILE), told)
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)
    assert told == []
    assert path.read_bytes() == before


def test_what_another_table_writes_to_is_neither_looked_through_nor_moved(path: Path) -> None:
    spoil(path)
    from firmware.journal_lock import JournalLock

    lock = JournalLock(path)
    with pytest.raises(JournalError, match="expected a journal of no other table"):
        recover(path, own_header(FILE), Told())
    lock.close()
    assert aside(path) == []


def test_a_power_cut_between_the_two_renames_is_mended_at_the_next_start(path: Path) -> None:
    Path(f"{path}-wal").write_bytes(b"a part of the journal that is not there any more" * 100)
    path.rename(f"{path}.damaged-then")
    said, _ = start(path)
    assert said is not None
    assert said.code.startswith("journal-restored")
    assert texts(path) == list(BIDDEN)


def test_it_is_told_at_each_start_until_something_is_entered(path: Path) -> None:
    spoil(path)
    start(path)
    said, told = start(path)
    assert said == TableText("journal-restored", bad=True)
    assert told == []
    go_on(path, *LED[len(BIDDEN) :])
    assert start(path)[0] == TableText("restarted", bad=True)
    with closing(Journal(path)) as journal:
        assert restored_text(journal) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_byte_is_damaged_nothing_is_lost_that_a_copy_holds(tmp_path: Path, evening: Path, seed: int) -> None:
    chance = random.Random(seed)
    whole = evening.read_bytes()
    words = [match for word in (b"CREATE TABLE", b"hand 2: ", b"game: ", b"1 bid 4") for match in [whole.find(word)]]
    restored = 0
    for number in range(25):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file in evening.parent.iterdir():
            shutil.copyfile(file, folder / file.name)
        path = folder / "journal.db"
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3, 40))):
            near = max(0, chance.choice(words) + chance.randrange(-40, 120))
            data[near if chance.random() < 0.6 else chance.randrange(len(data))] = chance.randrange(256)
        data[60:64] = whole[60:64]  # the version: of one that is too new nothing is touched
        path.write_bytes(data)
        said, told = start(path)
        found = texts(path)
        assert found[: len(BIDDEN)] == list(BIDDEN)
        assert (said is not None and said.code.startswith(("journal-restored", "journal-kept"))) == bool(told)
        restored += bool(told)
    assert 0 < restored < 25


# One match that cannot be read


def with_last(path: Path, number: int, text: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute(
            "UPDATE line SET text = ? WHERE match = (SELECT max(match) FROM line) AND number = ?", (text, number)
        )
        file.commit()


@pytest.fixture
def two_matches(tmp_path: Path) -> Path:
    """Two matches and no copy."""
    path = tmp_path / "journal.db"
    write_journal(path, FILE, [*LED, "director void match"])
    write_journal(path, FILE, LED)
    return path


def test_an_entry_that_cannot_be_read_costs_neither_the_match_before_it_nor_what_stands_before_it(
    two_matches: Path,
) -> None:
    with_last(two_matches, 7, "1 plays 9C")
    said, told = start(two_matches)
    assert said == TableText("journal-kept", (("count", 1),), bad=True)
    assert journal_rows(two_matches) == [(1, text) for text in (*LED, "director void match")] + [
        (2, text) for text in BIDDEN
    ]
    assert "what can be read is kept, all but match 2 from its entry 7 on; of 15 entries 1 are lost" in told[0]
    assert len(aside(two_matches)) == 1
    assert start(two_matches) == (said, [])


def test_a_match_that_cannot_be_read_at_all_begins_anew_and_the_others_stay(two_matches: Path) -> None:
    """As a ruling before the first deal was once written."""
    with_last(two_matches, 1, "director name 2 = Ben")
    said, told = start(two_matches)
    assert said == TableText("journal-kept", (("count", 7),), bad=True)
    assert journal_rows(two_matches) == [(1, text) for text in (*LED, "director void match")]
    assert "all but match 2; of 15 entries 7 are lost" in told[0]


def test_an_older_match_that_lost_a_line_costs_no_other(two_matches: Path) -> None:
    with closing(sqlite3.connect(two_matches)) as file:
        file.execute("DELETE FROM line WHERE match = 1 AND number = 3")
        file.commit()
    said, told = start(two_matches)
    assert said == TableText("journal-kept", (("count", 5),), bad=True)
    assert journal_rows(two_matches) == [(1, text) for text in LED[:2]] + [(2, text) for text in LED]
    assert "all but match 1 from its entry 3 on" in told[0]


def test_what_its_copies_hold_and_cannot_be_read_either_is_set_aside_with_them(two_matches: Path) -> None:
    with_last(two_matches, 1, "director name 2 = Ben")
    make_copy(two_matches, Disk())
    said, _ = start(two_matches)
    assert said == TableText("journal-kept", (("count", 7),), bad=True)
    assert start(two_matches)[1] == []
    assert not generation(two_matches, 1).exists()
    assert len(aside(two_matches)) == 2


@pytest.mark.parametrize("content", [b"", b"no head any more" * 300])
def test_an_empty_or_headless_journal_beside_copies_that_are_no_good_is_begun_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for number in (1, 2):
        generation(path, number).write_bytes(b"junk")
    said, told = start(path)
    assert said == TableText("journal-anew", bad=True)
    assert told[0].endswith("; a new one is begun")
    assert len(aside(path)) == 3
    assert start(path)[1] == []


# At the table


def test_every_seat_is_told_that_its_journal_was_damaged_and_the_game_goes_on(path: Path) -> None:
    spoil(path)
    with SimulatedTable(FILE, path) as table:
        assert all(shows(table.picture(seat), "Journal damaged") for seat in (1, 2, 3, 4))
        for seat in (1, 2, 3, 4):
            table.press(seat, Button.OK, times=2)  # the message, and then that it is so
        table.choose(1, next(iter(table.loop.seat_view(1).offered)))
    assert texts(path)[: len(BIDDEN)] == list(BIDDEN)
    assert len(texts(path)) == len(BIDDEN) + 1


def test_without_a_copy_the_table_starts_with_a_new_match_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_journal(path, FILE, ["deal 4"] * 200)
    spoil(path)
    with SimulatedTable(FILE, path) as table:
        assert all(shows(table.picture(seat), "new match begins") for seat in (1, 2, 3, 4))
        assert table.loop.lines == []


def test_a_disk_without_any_room_is_called_full_whatever_sqlite_makes_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_: object) -> str:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMOPEN
        raise error

    monkeypatch.setattr("firmware.recovering._problem", unread)
    with pytest.raises(JournalError) as wrong:
        start(path)
    assert not isinstance(wrong.value, DiskFullError)
    usage = shutil.disk_usage(path.parent)._replace(free=4096)
    monkeypatch.setattr("firmware.recovering.shutil.disk_usage", lambda folder: usage)
    with pytest.raises(DiskFullError):
        start(path)


def alone(path: Path) -> Path:
    """The journal without its copies."""
    for copy in generations(path):
        copy.unlink()
    return path


def test_a_setting_that_is_no_text_costs_that_setting_alone(path: Path) -> None:
    before = texts(alone(path))
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO setting VALUES ('volume', x'ff')")
        file.commit()
    said, [line] = start(path)
    assert texts(path) == before
    assert said == TableText("journal-kept", (("count", 0),), bad=True)
    assert "what can be read is kept, all but 1 settings" in line


@pytest.mark.parametrize("table", ["setting", "note", "stand", "line"])
def test_a_table_that_is_gone_is_damage_that_a_copy_mends(path: Path, table: str) -> None:
    held = texts(path)[: -len(LED[len(BIDDEN) :])]
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"DROP TABLE {table}")
        file.commit()
    _, [line] = start(path)
    assert f"it has no table {table}" in line
    assert texts(path)[: len(held)] == held
