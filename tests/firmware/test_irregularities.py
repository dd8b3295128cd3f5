"""Irregularities: noted by the table, reported at a seat, shown to all, kept in the record, signed by the director."""

from pathlib import Path

import pytest
from at_table import BIDDEN, LED, asked, journal_rows, messages, prompted, seated, standing

from engine.cards import Card
from engine.game import games
from engine.match import begin, lay_table
from engine.values import Notice
from firmware.irregularities import REPORTED, Unsigned, note_code, note_text, notice_of, signature, unsigned
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from firmware.words import LANGUAGES, Length, Words
from hal.events import Button
from hal.sim.named_faults import At, Place

MATCH = begin(lay_table(games()["pepper"], 4))


def menu(table: SimulatedTable, place: int, *choices: str) -> None:
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)
    for choice in choices:
        table.choose(place, choice)


def agree(table: SimulatedTable) -> None:
    for place in table.loop.places:
        if prompted(table, place) == "assent":
            table.choose(place, "agree")


@pytest.mark.parametrize(("line", "notice"), [
    ("# out-of-turn: 3 play 9S", Notice("out-of-turn", (("seat", 3),))),
    ("# out-of-turn: 3 play 9S as lead", Notice("lead-out-of-turn", (("seat", 3),))),
    ("# exposed-card: seat 2 9D", Notice("exposed-card", (("seat", 2), ("cards", "9D")))),
    ("# exposed-card: seat 2 9D 10S", Notice("exposed-card", (("seat", 2), ("cards", "9D 10S")))),
    ("# wrong-count: seat 1 5", Notice("wrong-count", (("seat", 1), ("count", "5")))),
    ("# misdeal: seat 4", Notice("misdeal", (("seat", 4),))),
    ("# revoke: seat 4", Notice("table-revoke", (("seat", 4),))),
])  # fmt: skip
def test_a_comment_of_the_table_waits_for_the_director(line: str, notice: Notice) -> None:
    assert [one.notice for one in unsigned(MATCH, ["deal 4", line, "1 bid 2"])] == [notice]


@pytest.mark.parametrize("line", ["", "# a comment", "1 bid 2 # out-of-turn: 3 play 9S", "# misdeal: all of it",
                                  "# setup-corrected: rules: bowers"])  # fmt: skip
def test_other_comments_are_nobodys_business(line: str) -> None:
    assert unsigned(MATCH, [line]) == []


def test_a_signature_signs_one_of_two_that_are_the_same() -> None:
    lines = ["# misdeal: seat 4", "# misdeal: seat 4"]
    code, text = signature(unsigned(MATCH, lines)[0], "misdeal", "slip of the hand")
    assert text == "misdeal: seat 4 ; slip of the hand"
    assert len(unsigned(MATCH, [*lines, f"# {code}: {text}"])) == 1
    assert len(unsigned(MATCH, [*lines, *[f"# {code}: {text}"] * 2])) == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", REPORTED)
def test_each_has_words_at_every_length(code: str, language: str) -> None:
    words = Words(games()["pepper"], language)
    what = {"exposed-card": "9D", "wrong-count": "5"}.get(code, "")
    notice = notice_of(code, note_text(2, what))
    assert notice is not None
    assert note_code(notice) == code
    for length in Length:
        assert words.notice(notice, length) not in (notice.code, "")


def test_a_card_out_of_turn_is_told_at_the_other_seats_once(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(4, Card("JC"))
        assert shows(table.picture(1), "Seat 4 acted out of turn")
        assert not shows(table.picture(4), "Seat 4 acted out of turn")  # it is told why
        table.press(1, Button.OK)
        assert not shows(table.picture(1), "out of turn")
        table.wait(9.0)
        assert not shows(table.picture(2), "out of turn")


def test_a_lead_out_of_turn_is_named_as_one(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(4, Card("JC"))
        assert table.loop.lines[-1] == "# out-of-turn: 4 play JC as lead"
        assert shows(table.picture(2), "Seat 4 led out of turn")


def test_the_small_line_takes_no_press_away(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(4, Card("JC"))
        table.choose(2, Card("AC"))
        assert table.loop.lines[-1] == "2 play AC"


@pytest.mark.few(1)
@pytest.mark.parametrize("by_buttons", [False, True])
def test_an_exposed_card_is_reported_by_the_card_or_by_buttons(tmp_path: Path, by_buttons: bool) -> None:
    with seated(tmp_path, LED) as table:
        match = table.match
        menu(table, 2, "irregularity", "exposed-card", "seat:4")
        if by_buttons:
            for choice in ("by-buttons", "face:J", "very:JC"):
                table.choose(2, choice)
        else:
            table.tap(2, Card("JC"))
            table.press(2, Button.OK)
        table.choose(2, "done")
        assert table.loop.lines[-1] == "# exposed-card: seat 4 JC"
        assert shows(table.picture(3), "Seat 4 exposed J♣")
        assert table.match is match


def test_the_same_card_is_not_reported_twice(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        menu(table, 2, "irregularity", "exposed-card", "seat:4")
        for _ in range(2):
            table.tap(2, Card("JC"))
            table.press(2, Button.OK)
        assert messages(table, 2)[-1] == "shown-already"
        table.choose(2, "done")
        assert table.loop.lines[-1] == "# exposed-card: seat 4 JC"


def test_a_report_is_not_lost_when_the_others_play_on(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        menu(table, 4, "irregularity", "wrong-count", "seat:1")
        table.tap(2, Card("AC"))
        table.choose(4, "sign:5")
        table.choose(4, "done")
        assert table.loop.lines[-2:] == ["2 play AC", "# wrong-count: seat 1 5"]


def test_a_report_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.faults.begin("full-disk", Place(At.DISK))
        menu(table, 2, "irregularity", "misdeal", "seat:4")
        assert messages(table, 2)[-1] == "disk-full"
        assert standing(table) == before
        assert not shows(table.picture(3), "misdealt")
        table.faults.mend("full-disk", Place(At.DISK))


def test_all_sign_where_there_is_no_director(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        menu(table, 2, "irregularity", "misdeal", "seat:4")
        table.press(2, Button.OK)
        menu(table, 2, "director", "sign", "open:0", "accept", "slip-of-hand")
        assert "# accepted" not in journal_rows(table.journal_file)[-1][1]
        agree(table)
        assert table.loop.lines[-1] == "# accepted: misdeal: seat 4 ; slip of the hand"
        table.restart()
        assert unsigned(table.match, table.loop.lines) == []


def test_what_the_rules_have_proven_is_signed_with_their_line(tmp_path: Path) -> None:
    revoked = ("deal 2", "1 bid 1", "2 pass", "1 trump S", "1 play 9C", "2 play 9H", "1 play AC", "2 play 10C")
    with seated(tmp_path, revoked, seats=2, tracked=False, readers="none") as table:
        assert [one.notice.code for one in unsigned(table.match, table.loop.lines)] == ["revoke"]
        menu(table, 1, "director", "sign", "open:0")
        assert asked(table, 1).choices == ("accept", "penalty:none", "penalty:fail-bid", "void-deal", "go-on")
        table.choose(1, "penalty:fail-bid")
        table.choose(1, "agreed-by-all")
        agree(table)
        assert table.loop.lines[-2:] == [
            "director penalty revoke = fail-bid ; agreed by all",
            "director accept revoke ; agreed by all",
        ]
        assert unsigned(table.match, table.loop.lines) == []


def test_one_that_was_undone_is_gone(tmp_path: Path) -> None:
    revoked = ("deal 2", "1 bid 1", "2 pass", "1 trump S", "1 play 9C", "2 play 9H", "1 play AC", "2 play 10C")
    with seated(tmp_path, [*revoked, "2 undo"], seats=2, tracked=False, readers="none") as table:
        assert unsigned(table.match, table.loop.lines) == []


def test_the_list_has_each_once() -> None:
    first = Unsigned(Notice("misdeal", (("seat", 4),)), "seat 4")
    assert unsigned(MATCH, ["# misdeal: seat 4 ; noted by hand"]) == [first]
