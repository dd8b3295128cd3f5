"""A slip in what was agreed is mended where all that was played stands under it too, in one write of the journal."""

from pathlib import Path
from unittest.mock import patch

import pytest
from at_table import BIDDEN, DEALT, LED, asked, bare, journal_rows, messages, seated, standing

from engine.game import games
from engine.match import lay_table
from engine.referee import Referee
from firmware.dialogs import DONE, SIGN
from firmware.errors import DiskFullError
from firmware.mending import Misfit, replayed
from firmware.pin import PIN, hashed
from firmware.setups import Setup, everybody
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.named_faults import At, Place


def setup(rules: str = "standard", tracked: bool = True, **options: int | bool | str) -> Setup:
    return everybody(lay_table(games()["pepper"], 4, rules, tracked, options), ())


def lines(*entries: str) -> list[str]:
    return [line for entry in entries for line in entry.split("\n")]


def test_all_that_stands_is_played_once_more_under_the_other_setup() -> None:
    found = replayed(setup(), setup(target=5), lines(*LED))
    assert isinstance(found, Referee)
    assert len(found.accepted) == len(LED)
    assert found.match.table.rules.target == 5


def test_a_line_that_does_not_stand_is_named_without_the_cards_behind_it() -> None:
    old, new = setup(), setup("bowers")
    played = lines(*BIDDEN, "1 play JS", "2 play AC")
    found = replayed(old, new, [*played[:-1], "2 play AC"])
    assert isinstance(found, Referee)
    hearts = lines(DEALT, "1 bid 4", "2 pass", "3 pass", "4 pass", "1 trump C", "1 play JS", "2 play AH")
    found = replayed(old, new, hearts)  # JS is the left bower now, and seat 2 holds clubs
    assert isinstance(found, Misfit)
    assert found.line == "2 play"


def test_a_hand_that_is_missing_cannot_become_tracked() -> None:
    found = replayed(setup(tracked=False), setup(), ["deal 4", "1 bid 2"])
    assert isinstance(found, Misfit)
    assert found.line == "deal 4"


def test_what_was_let_by_before_is_let_by_now() -> None:
    """By buttons a seat may bid what the table would refuse; here a card that the table knows to lie elsewhere."""
    played = lines(*BIDDEN, "1 play 9D")
    assert isinstance(replayed(setup(), setup(target=5), played), Referee)


def session(table: SimulatedTable, place: int, *choices: str) -> None:
    """A director corrects what was agreed."""
    table.loop.settings.put(PIN, hashed("2468", b"salt"))
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)
    pin = (*(f"{SIGN}{digit}" for digit in "2468"), DONE)
    for choice in ("director", *pin, "correct-setup", *choices, "no-reason"):
        table.choose(place, choice)


def test_the_match_goes_on_as_another_of_the_journal_with_the_same_lines(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = table.match
        session(table, 1, "rules", "bowers")
        assert messages(table, 1)[-1] == "corrected"
        assert table.loop.number == 2
        assert table.match.table.rule_set == "bowers"
        assert table.match.deal.hands == before.deal.hands
        comment = "# setup-corrected: rules: bowers, "
        assert [row for row in journal_rows(table.journal_file) if row[0] == 2][-1][1].startswith(comment)
        table.restart()
        assert table.match.table.rule_set == "bowers"
        assert table.loop.number == 2


def test_what_does_not_stand_changes_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False) as table:
        table.choose(2, "dealt")
        before = standing(table)
        session(table, 1, "deal-way", "way:pad")
        assert messages(table, 1)[-1] == "line-refused"
        assert standing(table) == before
        assert table.loop.number == 1


def test_a_way_of_dealing_that_the_table_has_not_is_not_offered(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        for choice in ("director", "correct-setup", "deal-way"):
            table.choose(1, choice)
        assert asked(table, 1).choices == ("way:concealed",)


def test_what_cannot_be_saved_changes_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before, setup_before = standing(table), table.loop.setup

        async def full(header: object, entries: object = ()) -> None:
            raise DiskFullError("full")

        with patch.object(table.journal, "begin_match", full):
            session(table, 1, "rules", "bowers")
        assert messages(table, 1)[-1] == "disk-full"
        assert standing(table) == before
        assert table.loop.setup == setup_before


def test_a_changed_table_file_still_begins_a_new_match(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        session(table, 1, "rules", "bowers")
    with seated(tmp_path, options={"target": 7}) as table:
        assert table.match.table.rule_set == "standard"
        assert table.loop.left_behind is not None


def test_after_the_first_deal_nothing_is_mended(tmp_path: Path) -> None:
    deal = ("deal 2", "1 bid 1", "2 pass", "1 trump S")
    cards = ("9C", "10C", "JC", "QC", "KC", "AC"), ("9D", "10D", "JD", "QD", "KD", "AD")
    plays = tuple(f"{seat} play {hand[trick]}" for trick in range(6) for seat, hand in enumerate(cards, 1))
    with seated(tmp_path, [*deal, *plays], seats=2, tracked=False, readers="none") as table:
        assert table.match.deals == 1
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        table.choose(1, "director")
        assert "correct-setup" not in asked(table, 1).choices


def test_the_entries_of_a_match_are_written_with_it_or_not_at_all(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        rows = journal_rows(table.journal_file)
        table.faults.begin("full-disk", Place(At.DISK))
        session(table, 1, "rules", "bowers")
        assert journal_rows(table.journal_file) == rows
        table.faults.mend("full-disk", Place(At.DISK))
        assert bare(table.match).table.rule_set == "standard"


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_a_mended_setup_is_known_by_the_file_that_it_stands_for(rules: str) -> None:
    file = setup()
    mended = setup(rules)._replace(instead=file.mark)
    assert f"x-instead-of: {file.mark}" in mended.header()
    assert mended.mark == setup(rules).mark
