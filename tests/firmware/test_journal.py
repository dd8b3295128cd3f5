"""The journal: what is acknowledged is on disk, and a journal that cannot be written says so and recovers."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from at_table import (
    BIDDEN,
    HANDS,
    LED,
    dealing_view,
    journal_rows,
    messages,
    seated,
    standing,
    take_back,
    write_journal,
)

from engine.cards import Card
from engine.match import Standing, to_act
from engine.record import read_record
from firmware.errors import JournalError, TableError
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.reading import shows
from firmware.schema import VERSION
from firmware.simulated import SimulatedTable
from hal.events import Button

HEADER = ("game: pepper", "rules: standard", "seats: 4", "hands: tracked")


def write(journal: Journal, *entries: str) -> None:
    for entry in entries:
        asyncio.run(journal.append(entry))


@contextmanager
def written(path: Path, *entries: str) -> Iterator[Journal]:
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(HEADER))
        write(journal, *entries)
        yield journal


def execute(journal: Journal, statement: str) -> None:
    """Do something to the journal's own connection, in its thread."""
    journal._writer.submit(lambda: journal._file.execute(statement).fetchall()).result()


def setting(journal: Journal, name: str) -> object:
    return journal._writer.submit(lambda: journal._file.execute(f"PRAGMA {name}").fetchone()[0]).result()


def test_an_acknowledged_entry_can_be_read_by_another_process(tmp_path: Path) -> None:
    with written(tmp_path / "journal.db", "deal 4", "1 bid 2"):
        assert journal_rows(tmp_path / "journal.db") == [(1, "deal 4"), (1, "1 bid 2")]


def test_every_commit_is_synced_to_the_disk(tmp_path: Path) -> None:
    with written(tmp_path / "journal.db") as journal:
        assert setting(journal, "synchronous") == 2  # FULL
        assert setting(journal, "journal_mode") == "wal"


def test_the_stages_of_a_commit_are_told_in_order(tmp_path: Path) -> None:
    stages: list[str] = []
    with closing(Journal(tmp_path / "journal.db", stages.append)) as journal:
        asyncio.run(journal.begin_match(HEADER))
        write(journal, "deal 4")
    assert stages == ["begin", "written", "durable"] * 2


def test_an_entry_is_not_on_disk_for_others_before_it_is_durable(tmp_path: Path) -> None:
    path, seen = tmp_path / "journal.db", {}
    with closing(Journal(path, lambda stage: seen.update({stage: journal_rows(path)}))) as journal:
        asyncio.run(journal.begin_match(HEADER))
        write(journal, "deal 4")
    assert seen == {"begin": [], "written": [], "durable": [(1, "deal 4")]}


def test_a_journal_without_a_match_has_none(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db")) as journal:
        assert journal.last_match() is None


def test_a_journal_gives_back_its_newest_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4", "1 bid 2") as journal:
        asyncio.run(journal.begin_match([*HEADER, "names: A, B, C, D"]))
        write(journal, "deal 3")
    with closing(Journal(path)) as journal:
        assert journal.last_match() == ("\n".join([*HEADER, "names: A, B, C, D"]), ["deal 3"])


def test_a_reopened_journal_goes_on_in_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4"):
        pass
    with closing(Journal(path)) as journal:
        journal.last_match()
        write(journal, "1 bid 2")
    assert journal_rows(path) == [(1, "deal 4"), (1, "1 bid 2")]


def test_a_new_match_leaves_the_old_one_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4") as journal:
        asyncio.run(journal.begin_match(HEADER))
        write(journal, "deal 1")
    assert journal_rows(path) == [(1, "deal 4"), (2, "deal 1")]


# Settings


def test_a_setting_is_there_when_the_table_comes_up_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4") as journal:
        assert journal.setting("language") is None
        asyncio.run(journal.keep("language", "ru"))
        asyncio.run(journal.keep("language", "en"))
        asyncio.run(journal.keep("names", "A\nB"))
        write(journal, "1 bid 2")
        assert journal.setting("language") == "en"
    with closing(Journal(path)) as journal:
        assert (journal.setting("language"), journal.setting("names")) == ("en", "A\nB")
        assert journal.last_match() == ("\n".join(HEADER), ["deal 4", "1 bid 2"])


def test_a_setting_is_durable_like_an_entry(tmp_path: Path) -> None:
    stages: list[str] = []
    with closing(Journal(tmp_path / "journal.db", stages.append)) as journal:
        asyncio.run(journal.keep("language", "ru"))
    assert stages == ["begin", "written", "durable"]


def test_a_setting_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    with written(tmp_path / "journal.db") as journal:
        asyncio.run(journal.keep("language", "ru"))
        execute(journal, "PRAGMA query_only = ON")
        with pytest.raises(JournalError, match="the journal cannot be written"):
            asyncio.run(journal.keep("language", "en"))
        execute(journal, "PRAGMA query_only = OFF")
        assert journal.setting("language") == "ru"


def test_a_setting_that_is_no_text_is_damage(tmp_path: Path) -> None:
    with written(tmp_path / "journal.db") as journal:
        execute(journal, "INSERT INTO setting VALUES ('language', CAST('ru' AS BLOB))")
        with pytest.raises(JournalError, match="damaged: the setting language is no text"):
            journal.setting("language")


@pytest.mark.parametrize(
    ("version", "younger"),
    [(1, "DROP TABLE note; DROP TABLE setting"), (2, "DROP TABLE setting; ALTER TABLE note DROP COLUMN look")],
)
def test_a_journal_of_an_older_version_is_taken_up_and_brought_to_this_one(
    tmp_path: Path, version: int, younger: str
) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4", "1 bid 2"):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.executescript(f"{younger}; PRAGMA user_version = {version}")
    with closing(Journal(path)) as journal:
        assert journal.setting("language") is None
        asyncio.run(journal.keep("language", "ru"))
        assert setting(journal, "user_version") == VERSION
        assert journal.last_match() == ("\n".join(HEADER), ["deal 4", "1 bid 2"])


def fill(journal: Journal) -> None:
    """Leave no room for another page."""
    execute(journal, "PRAGMA max_page_count = 1")


FAILURES: dict[str, tuple[Callable[[Journal], None], Callable[[Journal], None]]] = {
    "read-only": (
        lambda journal: execute(journal, "PRAGMA query_only = ON"),
        lambda journal: execute(journal, "PRAGMA query_only = OFF"),
    ),
    "full": (
        lambda journal: fill(journal),
        lambda journal: execute(journal, "PRAGMA max_page_count = 1000000"),
    ),
}


LONG = "# " + "x" * 9000
"""More than fits into the free space of the pages that are there."""


@pytest.mark.parametrize("failure", FAILURES)
def test_an_entry_that_cannot_be_written_leaves_nothing_behind_and_the_next_one_follows(
    tmp_path: Path, failure: str
) -> None:
    broken, mended = FAILURES[failure]
    path = tmp_path / "journal.db"
    with written(path, "deal 4") as journal:
        broken(journal)
        with pytest.raises(JournalError, match="the journal cannot be written"):
            write(journal, LONG)
        mended(journal)
        write(journal, "1 bid 2")
        assert journal_rows(path) == [(1, "deal 4"), (1, "1 bid 2")]
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT number FROM line").fetchall() == [(1,), (2,)]


def test_a_match_that_cannot_be_begun_leaves_the_one_before_running(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with written(path, "deal 4") as journal:
        execute(journal, "PRAGMA query_only = ON")
        with pytest.raises(JournalError):
            asyncio.run(journal.begin_match(HEADER))
        execute(journal, "PRAGMA query_only = OFF")
        write(journal, "1 bid 2")
    assert journal_rows(path) == [(1, "deal 4"), (1, "1 bid 2")]


def test_a_file_of_another_kind_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("not a database, but long enough to look like a file of some kind " * 20)
    with pytest.raises(JournalError, match=r"journal\.db: .*; expected a journal that can be written"):
        Journal(path)


def test_a_journal_in_no_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        Journal(tmp_path / "missing" / "journal.db")


def test_a_journal_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


def test_a_journal_error_is_both_a_table_error_and_an_os_error() -> None:
    assert issubclass(JournalError, TableError)
    assert issubclass(JournalError, OSError)


# At the table


@contextmanager
def failing(table: SimulatedTable) -> Iterator[None]:
    execute(table.journal, "PRAGMA query_only = ON")
    yield
    execute(table.journal, "PRAGMA query_only = OFF")


def test_what_cannot_be_saved_is_not_accepted_and_the_seat_is_told(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN, readers="centre") as table:
        before = standing(table)
        with failing(table):
            table.tap("centre", Card("9C"))
            assert standing(table) == before
            assert messages(table, 1) == ["not-saved"]
            assert shows(table.picture(1), "Cannot save")
        table.tap("centre", Card("9C"))
        assert to_act(table.match) == (2,)


def test_an_undo_that_cannot_be_saved_takes_nothing_back(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        with failing(table):
            take_back(table, 1)
            assert messages(table, 1) == ["not-saved"]
            assert standing(table) == before


def test_the_last_card_of_a_deal_that_cannot_be_saved_can_be_shown_once_more(tmp_path: Path) -> None:
    cards = [Card(text) for hand in HANDS[:2] for text in hand.split()]
    with seated(tmp_path, seats=2) as table:
        for card in cards[:11]:
            table.tap("dealing", card)
        with failing(table):
            table.tap("dealing", cards[11])
            assert messages(table, 2) == ["not-saved"]
            unsaved = table.match.standing
            assert unsaved is Standing.BEFORE
            table.tap("dealing", Card("9S"))
        table.tap("dealing", cards[11])
        assert table.match.standing is Standing.RUNNING


def over_entries() -> list[str]:
    """A match of two seats to 3, in which seat 1 takes everything."""
    tricks = [(f"1 play {high}{suit}", f"2 play {low}{suit}") for suit in "CDH" for high, low in (("A", 9), ("K", 10))]
    plays = [play for trick in tricks for play in trick]
    return ["deal 2", "1 bid 3", "2 pass", "1 trump none", *plays]


def test_a_new_match_that_cannot_be_saved_is_not_begun(tmp_path: Path) -> None:
    with seated(tmp_path, over_entries(), seats=2, tracked=False, readers="none", options={"target": 3}) as table:
        assert table.loop.over
        with failing(table):
            table.choose(1, "next-match")
            assert messages(table, 1) == ["not-saved"]
            assert table.loop.over
        table.choose(1, "next-match")
        assert table.match.standing is Standing.BEFORE


def test_a_note_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        with failing(table):
            table.tap(4, Card("JC"))
        assert messages(table, 4) == ["not-your-turn", "not-saved"]


# What is in it at the start


def test_a_table_takes_up_the_match_that_its_journal_holds(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        table.restart()
        assert standing(table) == before
        assert all(shows(table.picture(seat), "Is this right?") for seat in (1, 2, 3, 4))
        table.tap("centre", Card("AC"))
        assert to_act(table.match) == (3,)


def test_a_journal_with_the_match_of_other_settings_begins_a_new_one_and_keeps_the_old(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_journal(path, furnish("pepper", 4, "bowers"), ["deal 4", "1 bid 1"])
    with seated(tmp_path, readers="centre") as table:
        assert table.match.standing is Standing.BEFORE
        assert not shows(table.picture(1), "Is this right?")
    assert journal_rows(path) == [(1, "deal 4"), (1, "1 bid 1")]


def test_a_match_that_is_left_behind_is_told_at_every_seat_and_its_record_can_be_had(tmp_path: Path) -> None:
    path, before = tmp_path / "journal.db", furnish("pepper", 4, "bowers", tracked=False)
    write_journal(path, before, ["deal 4", "1 bid 1"])
    with seated(tmp_path, readers="centre") as table:
        assert all(shows(table.picture(seat), "New match") for seat in (1, 2, 3, 4))
        left = table.loop.left_behind
        assert left is not None
        assert (left.number, table.loop.number) == (1, 2)
        record = read_record(left.record)
        assert record.table == before.table
        assert left.record.endswith("\n\ndeal 4\n1 bid 1\n")
        table.restart()
        assert table.loop.left_behind is None
        assert all(shows(table.picture(seat), "Restarted") for seat in (1, 2, 3, 4))


def test_a_match_in_which_nothing_was_played_leaves_nothing_behind(tmp_path: Path) -> None:
    write_journal(tmp_path / "journal.db", furnish("pepper", 4, "bowers"), [])
    with seated(tmp_path) as table:
        assert table.loop.left_behind is None


@pytest.mark.parametrize("names", [("Ann", "Cleo"), ()])
def test_a_match_goes_on_with_other_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    path = tmp_path / "journal.db"
    write_journal(path, furnish("pepper", 2, names=("Ann", "Ben"), tracked=False), ["deal 2", "1 bid 1"])
    with seated(tmp_path, seats=2, names=names, tracked=False) as table:
        assert to_act(table.match) == (2,)
        assert read_record(table.loop.record()).names == names
        assert table.loop.left_behind is None


def test_a_match_that_is_over_is_taken_up_too_so_that_its_end_is_seen(tmp_path: Path) -> None:
    with seated(tmp_path, over_entries(), seats=2, tracked=False, readers="none", options={"target": 3}) as table:
        assert table.loop.over
        assert shows(table.picture(1), "a new match")
        take_back(table, 2)
        assert to_act(table.match) == (2,)


def test_the_next_match_begins_at_the_wish_of_a_seat_with_nothing_half_entered(tmp_path: Path) -> None:
    with seated(tmp_path, over_entries(), seats=2, tracked=False, readers="none", options={"target": 3}) as table:
        table.press(1, Button.RIGHT)
        table.choose(2, "next-match")
        assert table.match.standing is Standing.BEFORE
        assert table.loop.lines == []
        assert table.loop.seat_view(1).cursor is None
        table.choose(2, "dealt")
        assert journal_rows(table.journal_file)[-1] == (2, "deal 2")


def test_the_record_of_a_match_is_the_same_before_and_after_a_restart(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2"], seats=2, tracked=False, readers="none") as table:
        for _ in range(2):
            while table.match.standing is Standing.RUNNING:
                table.choose(to_act(table.match)[0], "pass")
            table.choose(dealing_view(table).dealer, "dealt")
        before = table.loop.record()
        table.restart()
        assert table.loop.record() == before
        assert before.count("\n\ndeal ") == 3
