"""How a match stood between two deals is kept beside its lines: a start from there is a start from the beginning."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from benchmarks.rulings import play_deal
from engine.entries import Deal, Entry, SetName, SetScore, Undo, VoidDeal, VoidMatch
from engine.game import games
from engine.match import Match, Standing
from engine.referee import Referee
from firmware import glances, stands
from firmware import journal as journal_module
from firmware import sitting as sitting_module
from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.generations import generations
from firmware.history import State, read_sessions, sessions
from firmware.journal import Journal
from firmware.journal_lines import texts_in
from firmware.journal_reading import read_journal
from firmware.opening import own_header, setup_in
from firmware.recovering import recover
from firmware.sitting import Sitting
from firmware.tablefile import TableFile

RULE_SETS = [(name, rules) for name, game in games().items() for rules in game.rule_sets]


class Session(NamedTuple):
    """A random session in a journal: its table, and the match as it was left."""

    file: TableFile
    match: Match
    accepted: list[Entry]
    record: str


def sit(file: TableFile, journal: Journal) -> Sitting:
    found = Sitting(setup_in(file), journal, Random(1))
    asyncio.run(found.start())
    return found


class Players:
    """They deal and throw in, play to the end, take back in part or whole, and are ruled on between that."""

    def __init__(self, table: Sitting, chance: Random) -> None:
        self.table = table
        self.chance = chance

    def say(self, entry: Entry) -> None:
        if self.table.referee.check(entry) is None:
            remark = "" if isinstance(entry, Deal) else self.chance.choice(("", "", "so it was"))
            asyncio.run(self.table.accept(entry, remark))

    def play(self, most: int) -> None:
        again = Referee(self.table.match)
        again.begun = True
        for step, entry in enumerate(play_deal(again, self.chance)):
            self.say(entry)
            if step >= most:
                return

    def rule(self, number: int) -> None:
        for _ in range(self.chance.choice((0, 0, 1, 3)) if number else 0):
            self.say(Undo(None))
        if self.chance.random() < 0.3:
            asyncio.run(self.table.note("out-of-turn", "2 with AS"))
            self.say(SetName(1, f"Player {number}"))


def play(path: Path, file: TableFile, chance: Random, deals: int) -> Session:
    with closing(Journal(path)) as journal:
        table = sit(file, journal)
        players = Players(table, chance)
        for number in range(deals):
            for side in table.table.sides if table.over else ():
                players.say(SetScore(side[0], 0))
            players.say(VoidDeal())
            players.play(chance.choice((0, 3, 40)))
            players.rule(number)
        if chance.random() < 0.3:
            players.say(VoidMatch())
        return Session(file, table.match, [entry for entry, _ in table.referee.accepted], table.record())


def without_stands(path: Path) -> Path:
    other = Path(shutil.copyfile(path, path.with_name("bare.db")))
    with closing(sqlite3.connect(other)) as file:
        file.execute("DELETE FROM stand")
        file.commit()
    return other


def kept(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM stand").fetchone()[0])


def unsaid(match: Match) -> Match:
    """The match without what its last entry brought about."""
    return match._replace(notices=())


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_a_start_from_the_last_deals_is_a_start_from_the_first_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, rules: str, seed: int
) -> None:
    chance = Random(f"{game} {rules} {seed}")
    monkeypatch.setattr(sitting_module, "AT_HAND", chance.choice((2, 3, 20)))
    file = furnish(game, chance.choice(games()[game].seats), rules, tracked=chance.random() < 0.5, dealer=1)
    path = tmp_path / "journal.db"
    session = play(path, file, chance, 9)
    assert kept(path) > 0
    with closing(Journal(path)) as one, closing(Journal(without_stands(path))) as other:
        quick, whole = sit(file, one), sit(file, other)
        assert unsaid(quick.match) == unsaid(whole.match) == unsaid(session.match)
        assert quick.record_lines.comments == whole.record_lines.comments
        assert len(quick.record_lines) == len(whole.record_lines) == len(whole.lines)
        assert (quick.referee.count, quick.referee.deal) == (whole.referee.count, whole.referee.deal)
        if chance.random() < 0.5:
            assert quick.record() == whole.record() == session.record
        while whole.referee.count:
            assert quick.referee.last == whole.referee.last
            assert quick.referee.since_deal() == whole.referee.since_deal()
            assert quick.referee.before == whole.referee.before
            asyncio.run(quick.accept(Undo(None)))
            asyncio.run(whole.accept(Undo(None)))
            assert quick.match == whole.match
        assert quick.record() == whole.record()
        assert quick.referee.count == 0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


FILE = furnish("pepper", 2, dealer=1)


def long_match(path: Path, deals: int = 6) -> list[Entry]:
    with closing(Journal(path)) as journal:
        table, chance = sit(FILE, journal), Random(3)
        for _ in range(deals):
            for entry in [*play_deal(Referee(table.match), chance)][:3]:
                asyncio.run(table.accept(entry))
            asyncio.run(table.accept(VoidDeal()))
        return [entry for entry, _ in table.referee.accepted]


def ruled_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many entries a start rules on."""
    count, accept = 0, Referee.accept

    def counting(self: Referee, entry: Entry, line: int = 0) -> None:
        nonlocal count
        count += 1
        accept(self, entry, line)

    with monkeypatch.context() as patch, closing(Journal(path)) as journal:
        patch.setattr(Referee, "accept", counting)
        sit(FILE, journal)
    return count


def test_a_start_rules_on_the_last_two_deals_however_many_there_were(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_match(path, 30)
    assert ruled_on(path, monkeypatch) == 8
    assert kept(path) == stands.KEPT
    assert ruled_on(without_stands(path), monkeypatch) == 120


def test_what_another_program_ruled_is_ruled_on_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = long_match(path)
    monkeypatch.setattr(stands, "program_of", lambda game: "another")
    assert ruled_on(path, monkeypatch) == len(done)


def test_a_program_whose_files_cannot_be_read_keeps_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stands, "program_of", lambda game: "")
    long_match(path)
    assert kept(path) == 0


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE stand SET told = replace(told, '\"complete\":0', '\"complete\":1')",
        "UPDATE stand SET told = 'x'", "UPDATE stand SET told = x'00'", "UPDATE stand SET line = line + 1",
        "UPDATE stand SET lines = whole",
    ],
)  # fmt: skip
def test_a_stand_that_is_not_as_it_was_written_is_none(
    path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    done = long_match(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"{damage} WHERE line < 1000")
        file.commit()
    assert ruled_on(path, monkeypatch) == len(done)


def test_stands_behind_other_lines_are_thrown_away_at_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = long_match(path)
    recover(path, own_header(FILE))
    assert kept(path) == stands.KEPT
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = text || ' ; otherwise' WHERE number = 2")
        file.commit()
    recover(path, own_header(FILE))
    assert kept(path) == 0
    assert ruled_on(path, monkeypatch) == len(done)


def test_a_line_that_is_another_by_now_and_could_be_true_is_told_where_no_copy_tells_how_it_was(path: Path) -> None:
    long_match(path)
    for copy in generations(path):
        copy.unlink()
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = text || ' ; otherwise' WHERE number = 2")
        file.commit()
    told: list[str] = []
    recover(path, own_header(FILE), told.append)
    [said] = told
    assert "entries of match 1 are not as they were written" in said
    recover(path, own_header(FILE), told.append)
    assert len(told) == 1


def test_a_line_long_ago_that_cannot_be_read_is_found_at_the_start(path: Path) -> None:
    long_match(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = 'what' WHERE number = 2")
        file.commit()
    told: list[str] = []
    recover(path, own_header(FILE), told.append)
    assert len(told) == 1
    assert "the journal is damaged" in told[0]


def test_other_names_in_the_table_file_are_those_of_the_match(path: Path) -> None:
    long_match(path)
    renamed = FILE._replace(names=("Anna", "Boris"))
    with closing(Journal(path)) as journal:
        table = sit(renamed, journal)
        assert table.match.names == ("Anna", "Boris")
        asyncio.run(table.accept(next(play_deal(Referee(table.match), Random(1)))))
    with closing(Journal(path)) as journal:
        assert sit(FILE, journal).match.names == FILE.names
    with closing(Journal(path)) as journal:
        assert sit(renamed, journal).match.names == ("Anna", "Boris")


def test_the_table_goes_on_where_how_a_match_ended_cannot_be_kept(path: Path) -> None:
    long_match(path)
    with closing(Journal(path)) as journal:
        table = sit(FILE, journal)
        asyncio.run(table.accept(VoidMatch()))
        journal._writer.submit(journal._file.execute, "DROP TABLE stand").result()
        journal.stand("{}")
        asyncio.run(table.note("misdeal", "seat 1"))
        with pytest.raises(JournalError):
            asyncio.run(journal.append("deal 1", "{}"))
        journal._writer.submit(journal._file.execute, "CREATE TABLE stand (match, line, lines, told, whole)").result()
        asyncio.run(table.accept(Undo(None)))


@pytest.mark.long
def test_a_long_match_is_not_kept_at_hand_and_all_of_it_can_be_had(path: Path) -> None:
    done = long_match(path, 2 * sitting_module.AT_HAND + 5)
    with closing(Journal(path)) as journal:
        table, chance = sit(FILE, journal), Random(4)
        for _ in range(2 * sitting_module.AT_HAND + 5):
            deal = next(play_deal(Referee(table.match), chance))
            assert isinstance(deal, Deal)
            for entry in (deal, VoidDeal()):
                asyncio.run(table.accept(entry))
                done.append(entry)
            assert table.referee.held <= 2 * sitting_module.AT_HAND + 2
        assert [entry for entry, _ in table.referee.accepted] == done
        for _ in range(len(done)):
            asyncio.run(table.accept(Undo(None)))
        assert table.match.standing is Standing.BEFORE


def test_an_undo_for_which_the_journal_cannot_be_read_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*asked: object) -> list[str]:
        raise sqlite3.OperationalError("disk I/O error")

    done = long_match(path, 6)
    with closing(Journal(path)) as journal:
        table = sit(FILE, journal)
        while table.referee.held > 1 or table.match.standing is not Standing.RUNNING:
            asyncio.run(table.accept(Undo(None)))
        while len(table.referee.since_deal()) > 1:
            asyncio.run(table.accept(Undo(None)))
        before, count = table.match, table.referee.count
        written = journal.entries()
        with monkeypatch.context() as patch:
            patch.setattr(journal_module, "texts_in", unreadable)
            with pytest.raises(JournalError):
                asyncio.run(table.accept(Undo(None)))
        assert (table.match, table.referee.count, journal.entries()) == (before, count, written)
        asyncio.run(table.accept(Undo(None)))
        assert table.referee.count == count - 1
        assert [entry for entry, _ in table.referee.accepted] == done[: count - 1]


# Results


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_a_history_at_a_glance_is_that_of_all_lines(tmp_path: Path, game: str, rules: str, seed: int) -> None:
    chance = Random(f"history {game} {rules} {seed}")
    path = tmp_path / "journal.db"
    for _ in range(3):
        seats = chance.choice(games()[game].seats)
        file = furnish(game, seats, rules, tracked=chance.random() < 0.5, dealer=1, names=("Anna",) * seats)
        play(path, file, chance, chance.choice((2, 5)))
        if chance.random() < 0.5:
            with closing(Journal(path)) as journal:
                table = sit(file, journal)
                if table.match.deals == 0 and not table.over:
                    asyncio.run(table.correct(table.setup._replace(names=("Boris",) * seats)))
                    play_on = Players(table, chance)
                    play_on.say(VoidDeal())
                    play_on.play(3)
    whole = sessions(read_journal(path))
    assert read_sessions(path) == read_sessions(path, all_lines=True) == whole
    assert read_sessions(without_stands(path)) == whole


def lines_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many entries a look at the history reads."""
    count = 0

    def counting(file: sqlite3.Connection, match: int, first: int, last: int) -> list[str]:
        nonlocal count
        texts = texts_in(file, match, first, last)
        count += len(texts)
        return texts

    with monkeypatch.context() as patch:
        patch.setattr(glances, "texts_in", counting)
        patch.setattr(glances, "kept_in", None)
        assert read_sessions(path)
    return count


def test_what_a_look_at_the_history_takes_does_not_grow_with_the_match(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_match(path, 6)
    few = lines_read(path, monkeypatch)
    long_match(path, 60)
    assert lines_read(path, monkeypatch) == few


def test_the_result_of_a_match_that_is_over_stays_what_it_was_under_another_program(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_match(path, 6)
    with closing(Journal(path)) as journal:
        asyncio.run(sit(FILE, journal).accept(VoidMatch()))
    monkeypatch.setattr(stands, "program_of", lambda game: "another")
    assert lines_read(path, monkeypatch) < 10
    [session] = read_sessions(path)
    assert [match.state for match in session.matches] == [State.VOID]


def test_the_result_of_other_lines_is_none(path: Path) -> None:
    long_match(path, 6)
    with closing(Journal(path)) as journal:
        asyncio.run(sit(FILE, journal).accept(VoidMatch()))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE line SET text = 'what' WHERE number = 2")
        file.commit()
    [session] = read_sessions(path, all_lines=True)
    assert [match.state for match in session.matches] == [State.UNREADABLE]
