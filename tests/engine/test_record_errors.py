"""Texts that are no record: each with the line, the column and what was expected there."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.notation import RecordError
from engine.record import read_record

HEAD = "game: pepper\nseats: 4\n"
CONCEALED = HEAD + "hands: concealed\n"
DEAL = CONCEALED + "deal 4\n"
"""Four lines; what follows stands on line 5."""

TRACKED = "hand 1: 9C 10C JC QC KC AC\nhand 2: 9D 10D JD QD KD AD\nhand 3: 9H 10H JH QH KH AH\n"

HEADER_ERRORS = [
    # No game, no seats
    ("", 1, 1, "game"),
    ("\n\n", 3, 1, "game"),
    ("seats: 4\n", 2, 1, "game"),
    ("game: pepper\n", 2, 1, "seats"),
    ("# nothing\n", 2, 1, "game"),
    ("deal 1\n", 1, 1, "game"),
    ("game: pepper\ndeal 1\n", 2, 1, "seats"),
    # Values
    ("game: poker\nseats: 4\n", 1, 7, "no game 'poker'"),
    ("game:   poker\nseats: 4\n", 1, 9, "no game 'poker'"),
    ("game: Pepper\nseats: 4\n", 1, 7, "no game 'Pepper'"),
    ("game:\nseats: 4\n", 1, 6, "no game ''"),
    ("game: pepper\nseats: 1\n", 2, 8, "expected 2 to 4"),
    ("game: pepper\nseats: 5\n", 2, 8, "expected 2 to 4"),
    ("game: pepper\nseats: four\n", 2, 8, "expected 2 to 4"),
    ("game: pepper\nseats: 04\n", 2, 8, "expected 2 to 4"),
    ("game: pepper\n  seats: 7\n", 2, 10, "expected 2 to 4"),
    (HEAD + "hands: open\n", 3, 8, "expected tracked or concealed"),
    (HEAD + "rules: iowa\n", 3, 8, "no rule set 'iowa'"),
    (HEAD + "names: Ann, Ben, Cleo\n", 3, 8, "3 names; expected 4"),
    (HEAD + "names: Ann, Ben, Cleo, Dan, Eve\n", 3, 8, "5 names; expected 4"),
    (HEAD + "names: Ann,, Cleo, Dan\n", 3, 8, "3 names; expected 4"),
    (HEAD + "scores: 1 2 3\n", 3, 9, "3 scores; expected 2"),
    (HEAD + "scores: 1\n", 3, 9, "1 scores; expected 2"),
    (HEAD + "scores: 1 x\n", 3, 11, "'x' is no score"),
    (HEAD + "scores: 1 2.5\n", 3, 11, "whole number"),
    (HEAD + "scores: +1 2\n", 3, 9, "whole number"),
    (HEAD + "scores: 30 2\n", 3, 9, "end the match"),
    (HEAD + "scores: 4 2\noption: target = 3\n", 3, 9, "end the match"),
    ("game: pepper\nseats: 3\nscores: 1 2\n", 3, 9, "2 scores; expected 3"),
    (HEAD + "option: partners = false\nscores: 1 2\n", 4, 9, "2 scores; expected 4"),
    # Keys
    (HEAD + "colour: red\n", 3, 1, "unknown key 'colour'"),
    (HEAD + "  Names: A, B, C, D\n", 3, 3, "unknown key 'Names'"),
    (HEAD + "game: pepper\n", 3, 1, "second line `game:`"),
    (HEAD + "seats: 4\n", 3, 1, "second line `seats:`"),
    (HEAD + "scores: 1 2\n\nscores: 1 2\n", 5, 1, "second line `scores:`"),
    (HEAD + "turn-up: 9C\n", 3, 1, "unknown key 'turn-up'"),
    (HEAD + "deal: 4\n", 3, 1, "unknown key 'deal'"),
    # Options
    (HEAD + "option: colour = red\n", 3, 9, "no option 'colour'"),
    (HEAD + "option: target = 0\n", 3, 9, "target cannot be '0'"),
    (HEAD + 'option: failed = "bid"\n', 3, 9, "failed cannot be"),
    (HEAD + "option: target\n", 3, 9, "NAME = VALUE"),
    (HEAD + "option: target = 3 4\n", 3, 9, "NAME = VALUE"),
    (HEAD + "option:\n", 3, 8, "NAME = VALUE"),
    (HEAD + "option: target = 40\noption: target = 40\n", 4, 9, "target is set twice"),
    # What is no header
    (HEAD + "1 bid 2\n", 3, 1, "before the first deal"),
    (HEAD + "  hand 1: 9C\n", 3, 3, "before the first deal"),
    (HEAD + "director void\n", 3, 1, "before the first deal"),
    (HEAD + "director hand 1: 9C\n", 3, 1, "before the first deal"),
    (HEAD + "1 undo\n", 3, 1, "before the first deal"),
    (HEAD + "; remark\n", 3, 1, "cannot read ';' before the first deal"),
    (HEAD + "x-hall: 2\nx-hall: 3\n", 4, 1, "a second line `x-hall:`"),
]

DEAL_ERRORS = [
    (CONCEALED + "deal\n", 4, 6, "first deal has no dealer"),
    (CONCEALED + "deal 0\n", 4, 6, "no seat '0'"),
    (CONCEALED + "deal 5\n", 4, 6, "no seat '5'"),
    (CONCEALED + "deal four\n", 4, 6, "no seat 'four'"),
    (CONCEALED + "deal  04\n", 4, 7, "no seat '04'"),
    (CONCEALED + "deal 4 4\n", 4, 8, "cannot read '4'"),
    (CONCEALED + "deal-4\n", 4, 1, "cannot read 'deal-4'"),
    (CONCEALED + "dealer 4\n", 4, 1, "before the first deal"),
    # Hands
    (HEAD + "deal 4\n", 3, 1, "no line `hand 1:`"),
    (HEAD + "deal 4\n" + TRACKED, 3, 1, "no line `hand 4:`"),
    (HEAD + "deal 4\n" + TRACKED + "1 bid 1\n", 3, 1, "no line `hand 4:`"),
    (DEAL + "hand 5: 9C\n", 5, 6, "no seat '5'"),
    (DEAL + "hand 0: 9C\n", 5, 6, "no seat '0'"),
    (DEAL + "hand x: 9C\n", 5, 6, "no seat 'x'"),
    (DEAL + "hand 1: 9C 10X JC\n", 5, 14, "'10X' is no card"),
    (DEAL + "hand 1: 9C Кс\n", 5, 12, "Cyrillic letter 'К'"),
    (DEAL + "hand 1: 9C 9С\n", 5, 13, "Cyrillic letter 'С'"),
    (DEAL + "hand 1: 9C, 10C\n", 5, 11, "'9C,' is no card"),
    (DEAL + "hand 1:\n", 5, 8, "expected cards after"),
    (DEAL + "hand 1: 9C 10C\nhand 1: 9C 10C\n", 6, 1, "second line `hand 1:`"),
    (DEAL + "hand: 9C\n", 5, 1, "cannot read 'hand:'"),
    (DEAL + "hand 1 9C\n", 5, 1, "cannot read 'hand'"),
    (DEAL + "turn-up: 9C\n", 5, 1, "no line `turn-up:`"),
    (DEAL + "stock: 9C\n", 5, 1, "no line `stock:`"),
    (DEAL + "buried: 9C\n", 5, 1, "no line `buried:`"),
    (DEAL + "1 bid 1\n  hand 2: 9C\n", 6, 3, "after the first action"),
    (DEAL + "director score 1 = 3\nhand 2: 9C\n", 6, 1, "after the first action"),
    (DEAL + "1 undo\nhand 2: 9C\n", 6, 1, "after the first action"),
    (DEAL + "hand 2: 9C ; a remark\n", 5, 1, "remark in a line of cards"),
    (DEAL + "; a remark\n", 5, 1, "remark stands alone"),
    (DEAL + "game: pepper\n", 5, 1, "cannot read 'game:'"),
]

ACTION_ERRORS = [
    (DEAL + "bid 1\n", 5, 1, "cannot read 'bid'"),
    (DEAL + "  pass\n", 5, 3, "cannot read 'pass'"),
    (DEAL + "0 pass\n", 5, 1, "no seat '0'"),
    (DEAL + "5 pass\n", 5, 1, "no seat '5'"),
    (DEAL + "01 pass\n", 5, 1, "no seat '01'"),
    (DEAL + "² pass\n", 5, 1, "²"),
    (DEAL + "1\n", 5, 2, "expected an action of seat 1"),
    (DEAL + "1 Pass\n", 5, 3, "'Pass' is no verb"),
    (DEAL + "1 9C\n", 5, 3, "'9C' is no verb"),
    (DEAL + "1 pass now\n", 5, 8, "nothing more"),
    (DEAL + "1 bid\n", 5, 7, "expected a bid"),
    (DEAL + "1 bid 0\n", 5, 7, "'0' is no bid"),
    (DEAL + "1 bid 8\n", 5, 7, "'8' is no bid"),
    (DEAL + "1  bid  10\n", 5, 9, "'10' is no bid"),
    (DEAL + "1 bid pepper\n", 5, 7, "'pepper' is no bid"),
    (DEAL + "1 bid 1 2\n", 5, 9, "nothing more"),
    (DEAL + "1 trump\n", 5, 9, "expected a trump"),
    (DEAL + "1 trump X\n", 5, 9, "'X' is no trump"),
    (DEAL + "1 trump clubs\n", 5, 9, "'clubs' is no trump"),
    (DEAL + "1 trump H D\n", 5, 11, "nothing more"),
    (DEAL + "1 play\n", 5, 8, "expected a card"),
    (DEAL + "1 play 9\n", 5, 8, "'9' is no card"),
    (DEAL + "1 play 10X\n", 5, 10, "'10X' is no card"),
    (DEAL + "1 play ??\n", 5, 8, "cannot be played"),
    (DEAL + "1 play КC\n", 5, 8, "Cyrillic letter 'К'"),
    (DEAL + "1 play 10С\n", 5, 10, "Cyrillic letter 'С'"),
    (DEAL + "1 play 9C 9D\n", 5, 11, "nothing more"),
    (DEAL + "1 play JK=9X\n", 5, 12, "no card"),
    (DEAL + "1 play JK=\n", 5, 11, "expected a card"),
    (DEAL + "1 play 9H=9D\n", 5, 8, "no card"),
    (DEAL + "1 play 9C'3\n", 5, 11, "no pack"),
    (DEAL + "1 undo now\n", 5, 8, "nothing after undo"),
]

DIRECTOR_ERRORS = [
    (DEAL + "director\n", 5, 9, "no such line of the director"),
    (DEAL + "director sleep\n", 5, 10, "no such line of the director"),
    (DEAL + "Director void\n", 5, 1, "cannot read 'Director'"),
    (DEAL + "director score 3 = 5\n", 5, 16, "no side '3'"),
    (DEAL + "director score 1 = five\n", 5, 10, "no such line of the director"),
    (DEAL + "director score 1 5\n", 5, 10, "no such line of the director"),
    (DEAL + "director void deal\n", 5, 10, "no such line of the director"),
    (DEAL + "director undo 2\n", 5, 10, "no such line of the director"),
    (DEAL + "director dealer = 5\n", 5, 19, "no seat '5'"),
    (DEAL + "director turn = 0\n", 5, 17, "no seat '0'"),
    (DEAL + "director hand 6: 9C\n", 5, 15, "no seat '6'"),
    (DEAL + "director hand 1: 9C 9X\n", 5, 22, "'9X' is no card"),
    (DEAL + "director name 5 = Eve\n", 5, 15, "no seat '5'"),
    (DEAL + "director name 1 =\n", 5, 10, "no such line of the director"),
    (DEAL + "director accept\n", 5, 10, "no such line of the director"),
    (DEAL + "director penalty wrong-dealer = none\n", 5, 18, "no choices for 'wrong-dealer'"),
    (DEAL + "director penalty revoke = shame\n", 5, 27, "'shame' is no choice"),
    (DEAL + "director penalty revoke\n", 5, 10, "no such line of the director"),
    ("game: pepper\nseats: 3\nhands: concealed\ndeal 1\ndirector score 4 = 5\n", 5, 16, "expected 1 or 2 or 3"),
]


@pytest.mark.parametrize(
    ("text", "line", "column", "piece"), [*HEADER_ERRORS, *DEAL_ERRORS, *ACTION_ERRORS, *DIRECTOR_ERRORS]
)
def test_a_text_that_is_no_record_is_refused_with_its_line_and_column(
    text: str, line: int, column: int, piece: str
) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert piece in caught.value.problem
    assert str(caught.value) == f"{line}:{column}: {caught.value.problem}"


def test_the_first_mistake_is_named() -> None:
    with pytest.raises(RecordError, match="5:"):
        read_record(DEAL + "1 bid 0\n1 bid 9\n")


def test_a_mistake_after_a_byte_order_mark_or_carriage_returns_keeps_its_place() -> None:
    text = (DEAL + "1 bid 0\n").replace("\n", "\r\n")
    with pytest.raises(RecordError, match="5:7:"):
        read_record("\ufeff" + text)
    with pytest.raises(RecordError, match="1:7:"):
        read_record("\ufeffgame: x\nseats: 4\n")


pieces = st.sampled_from(
    ["game: pepper", "seats: 4", "hands: concealed", "deal 4", "deal", "1 bid 2", "2 pass", "director ", "hand 1:",
     " 9C", " ??", "=", ";", "#", "\n", "\n", "\n", "1 ", "x-y: ", "score 1 = 2", "\r\n", "\t", "К", "option: "]
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(pieces, max_size=30).map("".join)))
@example(DEAL + "1 play 9C\u2028")
@example(DEAL + "\x0b")
@example(DEAL + "1 meld ;#")
def test_any_text_at_all_is_a_record_or_an_error_at_a_place_that_it_has(text: str) -> None:
    try:
        record = read_record(text)
    except RecordError as error:
        line, column = error.line, error.column
    else:
        assert record.table.game.name == "pepper"
        line = column = 1
    lines = [*text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), ""]
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 2
