"""Rulings before the first deal: a record has no place for them but its header."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_table import journal_rows, seated

from engine import entries
from engine.game import Dealt
from engine.record import read_record
from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.generations import generations, make_copy
from firmware.history import played, sessions
from firmware.journal import Journal
from firmware.journal_reading import read_journal
from firmware.opening import own_header
from firmware.recovering import recover
from firmware.setups import Setup, everybody
from firmware.simulated import SimulatedTable
from firmware.sitting import Sitting
from firmware.storage import Disk
from hal.events import Button

FILE = furnish("pepper", 2, tracked=False, readers="none", dealer=1)
NAMED, HANDICAP = entries.SetName(2, "Ben"), entries.SetScore(1, -12)


def at_start(path: Path, setup: Setup | None = None) -> tuple[Journal, Sitting]:
    journal = Journal(path)
    sitting = Sitting(setup or everybody(FILE.table, (), 1), journal, random.Random(1))
    asyncio.run(sitting.start())
    return journal, sitting


def direct(table: SimulatedTable) -> None:
    table.hold(1, Button.LEFT)
    table.release(1, Button.LEFT)
    table.choose(1, "director")


def test_name_and_handicap_stand_in_the_header_and_hold_after_a_power_cut(tmp_path: Path) -> None:
    journal, sitting = at_start(tmp_path / "journal.db")
    with closing(journal):
        for entry in (NAMED, HANDICAP):
            assert sitting.check(entry, 1, shown=False) is None
            asyncio.run(sitting.amend(entry, "Seat", "late"))
        record = read_record(sitting.record())
        assert (record.names, record.scores) == (("Seat 1", "Ben"), (-12, 0))
        before = sitting.match
    journal, again = at_start(tmp_path / "journal.db")
    with closing(journal):
        assert again.match == before
        assert again.record() == sitting.record()


def test_who_was_named_keeps_the_name_and_the_others_have_theirs_of_the_table_file(tmp_path: Path) -> None:
    journal, sitting = at_start(tmp_path / "journal.db", everybody(FILE.table, ("Ann", "Bob"), 1))
    with closing(journal):
        asyncio.run(sitting.amend(NAMED, "Seat"))
    journal, again = at_start(tmp_path / "journal.db", everybody(FILE.table, ("Anna", "Bob"), 1))
    with closing(journal):
        assert again.match.names == ("Anna", "Ben")


def test_a_handicap_that_ends_the_match_is_refused(tmp_path: Path) -> None:
    journal, sitting = at_start(tmp_path / "journal.db")
    with closing(journal):
        refusal = sitting.check(entries.SetScore(1, 999), 1, shown=False)
        assert refusal is not None
        assert refusal.code == "match-over"


def test_what_cannot_be_saved_changes_nothing(tmp_path: Path) -> None:
    class Full(Disk):
        full = False

        def commit(self, file: sqlite3.Connection) -> None:
            if self.full:
                raise sqlite3.OperationalError("full")
            super().commit(file)

    disk = Full()
    with closing(Journal(tmp_path / "journal.db", storage=disk)) as journal:
        sitting = Sitting(everybody(FILE.table, (), 1), journal, random.Random(1))
        asyncio.run(sitting.start())
        before, disk.full = (sitting.match, sitting.setup, sitting.record()), True
        with pytest.raises(JournalError):
            asyncio.run(sitting.amend(NAMED, "Seat"))
        assert (sitting.match, sitting.setup, sitting.record()) == before


def test_the_match_cannot_be_ended_and_nothing_can_be_taken_back(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none", dealer=1) as table:
        direct(table)
        ask = table.loop.seat_view(1).ask
        assert ask is not None
        assert {"set-score", "set-name"} <= set(ask.choices)
        assert not {"void-match", "undo", "void-deal"} & set(ask.choices)


def test_a_journal_with_such_rulings_is_whole_and_its_history_has_one_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal, sitting = at_start(path)
    with closing(journal):
        asyncio.run(sitting.note("misdeal", "seat 1"))
        make_copy(path, Disk())
        asyncio.run(sitting.amend(HANDICAP, "Seat"))
        sitting.prepare()
        asyncio.run(sitting.accept(entries.Deal(1, Dealt((None, None)))))
    told: list[str] = []
    recover(path, own_header(FILE), told.append)
    assert told == []
    assert generations(path)
    [session] = sessions(read_journal(path))
    [match] = session.matches
    assert (match.scores, match.points) == ((-12, 0), (0, 0))
    assert played(read_journal(path)[-1]).state == "unfinished"
    assert (2, "# misdeal: seat 1") in journal_rows(path)
