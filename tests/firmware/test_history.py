"""The history of a journal: sessions, results and their amendments, all from its own lines."""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.record import header_lines
from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.history import IDLE, Note, Played, State, played, sessions
from firmware.journal import Journal
from firmware.journal_reading import Kept, read_journal
from firmware.standings import standings
from firmware.storage import Disk

HOUR = 3600.0
EVENING = 1_800_000_000.0


class At(Disk):
    """A disk under a clock that is set by hand."""

    def __init__(self, time: float) -> None:
        self.time = time

    def clock_is_set(self) -> bool:
        return True

    def wall_time(self) -> float:
        return self.time


class Evening(NamedTuple):
    """A table that is switched on: a journal, and what time it is."""

    journal: Journal
    disk: At

    def play(self, at: float, header: Sequence[str], entries: Sequence[str]) -> None:
        """A match, all of it at one time."""
        self.disk.time = at
        asyncio.run(self.journal.begin_match(header))
        self.go_on(at, entries)

    def go_on(self, at: float, entries: Sequence[str]) -> None:
        self.disk.time = at
        for entry in entries:
            asyncio.run(self.journal.append(entry))


@contextmanager
def evening(path: Path) -> Iterator[Evening]:
    disk = At(EVENING)
    with closing(Journal(path, storage=disk)) as journal:
        journal.last_match()
        yield Evening(journal, disk)


def header(*names: str, target: int = 3) -> list[str]:
    file = furnish("pepper", 2, tracked=False, options={"target": target}, names=names)
    return header_lines(file.table, names=file.names)


TRICKS = [(f"1 play {high}{suit}", f"2 play {low}{suit}") for suit in "CDH" for high, low in (("A", 9), ("K", 10))]
FIRST = ["deal 2", "1 bid 3", "2 pass", "1 trump none", *(play for trick in TRICKS for play in trick)]
"""A match to 3, in which seat 1 takes everything in the one deal."""


def only(path: Path) -> Played:
    """The one match of a journal."""
    [session] = sessions(read_journal(path))
    [match] = session.matches
    return match


def of(*entries: str, names: tuple[str, ...] = ("Ann", "Ben"), target: int = 3) -> Played:
    """What is told of a match with these entries."""
    return played(Kept(1, "\n".join(header(*names, target=target)), EVENING, entries, (EVENING,) * len(entries)))


def test_a_finished_match_has_its_result(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST[:5])
        table.go_on(EVENING + HOUR, FIRST[5:])
    match = only(path)
    assert (match.state, match.names, match.winners, match.deals) == (State.FINISHED, ("Ann", "Ben"), (0,), 1)
    assert match.scores[0] >= 3
    assert (match.began, match.ended) == (EVENING, EVENING + HOUR)
    assert (match.revision, match.amended) == (1, False)
    assert [match.won(seat) for seat in (1, 2)] == [True, False]


def test_a_match_in_the_middle_is_not_finished_and_one_without_an_entry_is_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST[:5])
        table.play(EVENING, header("Ann", "Ben"), [])
    match = only(path)
    assert (match.state, match.winners, match.revision, match.amended) == (State.UNFINISHED, (), 0, False)


# Results that were amended (faults G15, G16)


def test_a_score_that_the_director_sets_after_the_end_amends_the_result() -> None:
    assert of(*FIRST, "director score 2 = 1").scores[1] == 1
    match = of(*FIRST, "director score 2 = 1")
    assert (match.state, match.revision, match.amended) == (State.FINISHED, 2, True)


def test_a_score_that_was_right_already_amends_nothing() -> None:
    match = of(*FIRST)
    assert of(*FIRST, f"director score 1 = {match.scores[0]}").revision == 1


def test_an_end_that_was_taken_back_is_no_result_until_the_match_is_finished_anew() -> None:
    reopened = of(*FIRST, "1 undo")
    assert (reopened.state, reopened.winners, reopened.revision, reopened.amended) == (State.REOPENED, (), 1, True)
    anew = of(*FIRST, "1 undo", FIRST[-1])
    assert (anew.state, anew.winners, anew.revision, anew.amended) == (State.FINISHED, (0,), 2, True)


def test_an_undo_before_the_end_amends_nothing() -> None:
    assert of(*FIRST[:6], "1 undo", *FIRST[5:]).revision == 1


def test_the_newest_of_several_results_counts() -> None:
    match = of(*FIRST, "director score 1 = 0", "director score 2 = 5")
    assert (match.revision, match.winners, match.scores) == (2, (1,), (0, 5))


def test_a_void_match_has_no_winner_and_counts_for_nobody() -> None:
    match = of(*FIRST[:5], "director void match")
    assert (match.state, match.winners) == (State.VOID, ())
    assert standings([match]) == {}


# What cannot be judged


def test_a_match_of_a_game_that_is_not_installed_is_listed_as_that() -> None:
    match = played(Kept(4, "game: skat\nseats: 3\nnames: Ann, Ben, Cleo", EVENING, ("deal 1",), (EVENING,)))
    assert (match.state, match.game, match.names) == (State.NO_GAME, "skat", ("Ann", "Ben", "Cleo"))


@pytest.mark.parametrize("entries", [("deal 2", "1 bid 3", "1 bid 2"), ("deal 2", "1 sings")])
def test_a_match_that_cannot_be_read_is_listed_with_the_line(entries: tuple[str, ...]) -> None:
    match = of(*entries)
    assert match.state is State.UNREADABLE
    assert match.problem.startswith(f"line {len(header('A', 'B')) + 1 + len(entries)}: ")


# Sessions


def begun(path: Path) -> list[list[int]]:
    return [[match.number for match in session.matches] for session in sessions(read_journal(path))]


def test_four_idle_hours_end_a_session(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        for number, at in enumerate((0.0, IDLE, 2 * IDLE + 1, 2 * IDLE + 2)):
            table.play(EVENING + at, header("Ann", "Ben"), FIRST if number else FIRST[:4])
    assert begun(path) == [[1, 2], [3, 4]]


def test_a_match_that_is_played_for_longer_than_that_is_in_one_session(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST[:5])
        table.go_on(EVENING + 3 * IDLE, FIRST[5:])
        table.play(EVENING + 3 * IDLE, header("Ann", "Ben"), FIRST)
    assert begun(path) == [[1, 2]]


def test_the_first_match_after_a_start_begins_a_session_also_where_the_clock_stood(tmp_path: Path) -> None:
    """A computer without a battery believes that no time has passed since it was switched off."""
    path = tmp_path / "journal.db"
    for _ in range(2):
        with evening(path) as table:
            table.play(EVENING, header("Ann", "Ben"), FIRST)
            table.play(EVENING, header("Ann", "Ben"), FIRST)
    assert begun(path) == [[1, 2], [3, 4]]


def test_a_match_that_goes_on_after_a_start_and_the_next_one_are_of_the_same_session(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST[:5])
    with evening(path) as table:
        table.go_on(EVENING, FIRST[5:])
        table.play(EVENING, header("Ann", "Ben"), FIRST)
    assert begun(path) == [[1, 2]]


def test_a_match_that_was_begun_at_the_end_of_an_evening_belongs_to_when_it_was_played(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST)
        table.play(EVENING, header("Ann", "Ben"), [])
    with evening(path) as table:
        table.go_on(EVENING, FIRST)
    assert begun(path) == [[1], [2]]


# Standings


@contextmanager
def corrected(path: Path, times: int) -> Iterator[Evening]:
    """A finished match whose setup was corrected so many times while it ran, each an hour after the other."""
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben", target=9), FIRST[:4])
        texts = list(FIRST[:4])
        for number in range(times):
            table.disk.time += HOUR
            texts.append(f"# setup-corrected: option: target = {3 + number}")
            asyncio.run(table.journal.begin_match(header("Ann", "Ben", target=3 + number), texts))
        table.go_on(table.disk.time + HOUR, FIRST[4:])
        yield table


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_match_whose_setup_was_corrected_is_one_match_from_when_it_was_begun(tmp_path: Path, times: int) -> None:
    path = tmp_path / "journal.db"
    with corrected(path, times) as table:
        table.play(table.disk.time, header("Ann", "Ben"), FIRST)
    [session] = sessions(read_journal(path))
    assert [match.number for match in session.matches] == [times + 1, times + 2]
    assert (session.matches[0].began, session.matches[0].ended) == (EVENING, EVENING + (times + 1) * HOUR)
    [row] = [row for row in standings(session.matches)["pepper"] if row.name == "Ann"]
    assert row.matches == 2


def test_a_corrected_match_whose_result_is_amended_counts_once_with_the_amended_score(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with corrected(path, 2) as table:
        table.go_on(table.disk.time + HOUR, ["director score 2 = 9"])
    [session] = sessions(read_journal(path))
    [match] = session.matches
    assert (match.revision, match.amended, match.scores[1]) == (2, True, 9)
    rows = {row.name: row for row in standings(session.matches)["pepper"]}
    assert {name: (row.matches, row.won, row.points) for name, row in rows.items()} == {
        "Ann": (1, int(0 in match.winners), match.scores[0]), "Ben": (1, int(1 in match.winners), 9),
    }  # fmt: skip


def test_a_match_that_was_left_is_not_taken_for_one_that_was_corrected(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST[:4])
        table.play(EVENING, header("Ann", "Ben"), FIRST)
    assert begun(path) == [[1, 2]]


def test_standings_are_by_name_wherever_somebody_sat() -> None:
    matches = [of(*FIRST), of(*FIRST, names=("Ben", "Ann")), of(*FIRST), of(*FIRST[:5])]
    points = matches[0].points
    [ann, ben] = standings(matches)["pepper"]
    assert (ann.name, ann.rank, ann.matches, ann.won, ann.deals) == ("Ann", 1, 3, 2, 3)
    assert (ben.name, ben.rank, ben.matches, ben.won, ben.deals) == ("Ben", 2, 3, 1, 3)
    assert (ann.points, ben.points) == (2 * points[0] + points[1], points[0] + 2 * points[1])


def test_a_name_that_the_director_enters_late_counts() -> None:
    match = of(*FIRST, "director name 2 = Cleo")
    assert match.names == ("Ann", "Cleo")
    assert [row.name for row in standings([match])["pepper"]] == ["Ann", "Cleo"]
    assert match.revision == 1


def test_equal_figures_share_a_rank_and_nameless_seats_have_none() -> None:
    rows = standings([of(*FIRST), of(*FIRST, names=("Ben", "Ann"))])["pepper"]
    assert [row.rank for row in rows] == [1, 1]
    assert standings([of(*FIRST, names=())]) == {}


def test_irregularities_and_cards_out_of_turn_are_laid_to_their_seats() -> None:
    """Seat 2 does not follow clubs and plays one afterwards; seat 1 shows a card while seat 2 is to play."""
    entries = ["deal 2", "1 bid 3", "2 pass", "1 trump none", "1 play AC", "# out-of-turn: 1 play KC", "2 play 9D",
               "1 play KC", "2 play 9C", "1 play AD", "2 play 10D", "1 play KD", "2 play JD", "1 play AH", "2 play 9H",
               "1 play KH", "2 play 10H"]  # fmt: skip
    match = of(*entries)
    assert sorted(match.notes) == [Note("out-of-turn", 1), Note("revoke", 2)]
    by_name = {row.name: (row.irregularities, row.out_of_turn) for row in standings([match])["pepper"]}
    assert by_name == {"Ann": (0, 1), "Ben": (1, 0)}


# Files that are none


def test_a_journal_can_be_read_while_a_table_writes_to_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST)
        assert only(path).state is State.FINISHED


def test_a_journal_of_an_older_version_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with evening(path) as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST)
    with closing(sqlite3.connect(path)) as file:
        file.executescript("DROP TABLE setting; DROP TABLE note; PRAGMA user_version = 1")
    before = path.read_bytes()
    assert only(path).state is State.FINISHED
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no database at all " * 300, b"SQLite format 3\0" + b"\xa5" * 9000])
def test_a_file_that_is_no_journal_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r"journal\.db: .*; expected") as refused:
        read_journal(path)
    assert "\n" not in str(refused.value)


def test_a_seat_whose_name_is_made_up_counts_for_nobody_until_it_gets_one() -> None:
    lines = "\n".join([*header("Ann", "Seat 2"), "x-unnamed: 2"])
    entries = (*FIRST, "director name 2 = Cleo")
    for count, names in ((len(FIRST), ("Ann", "")), (len(entries), ("Ann", "Cleo"))):
        match = played(Kept(1, lines, EVENING, entries[:count], (EVENING,) * count))
        assert match.names == names
        assert [row.name for row in standings([match])["pepper"]] == [name for name in names if name]
