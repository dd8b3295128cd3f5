"""Changes in a deck file: single lines, and nothing else."""

import pytest

from engine.cards import parse_card
from firmware.deck_text import unfinished, with_card, with_unfinished, without

ACE, NINE, TEN = parse_card("AS"), parse_card("9D"), parse_card("10H")
TEXT = "# my deck\n\n04A1B2C3,AS   # torn\n04 a1 b2 c4 , 9D\n"


def test_a_card_that_has_a_tag_gets_another_where_it_stands_and_keeps_its_comment() -> None:
    assert with_card(TEXT, ACE, "04FFEE01") == TEXT.replace("04A1B2C3", "04FFEE01")
    assert with_card(TEXT, NINE, "04FFEE01") == TEXT.replace("04 a1 b2 c4", "04FFEE01")


def test_a_card_without_one_gets_a_line_behind_all_others() -> None:
    assert with_card(TEXT, TEN, "04FFEE01") == TEXT + "04FFEE01, 10H\n"


def test_a_last_line_without_an_end_is_ended_first() -> None:
    assert with_card("04A1B2C3, AS", TEN, "04FFEE01") == "04A1B2C3, AS\n04FFEE01, 10H\n"


def test_the_ends_of_lines_are_those_of_the_file() -> None:
    assert with_card("04A1B2C3, AS\r\n", TEN, "04FFEE01") == "04A1B2C3, AS\r\n04FFEE01, 10H\r\n"


def test_where_lines_say_the_deck_a_new_one_does_too() -> None:
    text = "uid,card,deck\n04A1B2C3,AS,blue\n"
    assert with_card(text, TEN, "04FFEE01") == text + "04FFEE01, 10H, blue\n"


def test_a_card_is_taken_out_with_its_line_alone() -> None:
    assert without(TEXT, [ACE]) == "# my deck\n\n04 a1 b2 c4 , 9D\n"
    assert without(TEXT, [TEN]) == TEXT


def test_what_is_missing_is_noted_and_read_again() -> None:
    marked = with_unfinished(TEXT, [TEN, NINE])
    assert marked == "# unfinished: 10H 9D\n" + TEXT
    assert unfinished(marked) == (TEN, NINE)
    assert with_unfinished(marked, [TEN]) == "# unfinished: 10H\n" + TEXT
    assert with_unfinished(marked, []) == TEXT
    assert unfinished(TEXT) == ()


@pytest.mark.parametrize("word", ["", "11X", "#", "…"])
def test_a_note_that_somebody_has_spoilt_says_what_can_be_read(word: str) -> None:
    assert unfinished(f"# unfinished: {word} 9D\n") == (NINE,)
