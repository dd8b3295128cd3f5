"""Deck files: one line a card; whatever is wrong is said in one line, with its place."""

from pathlib import Path

import pytest

from engine.cards import CARDS, parse_card
from engine.game import games
from firmware.deck import Deck, read_deck, simulated_deck
from firmware.errors import FileError
from firmware.table_option import example

ACE, NINE = parse_card("AS"), parse_card("9D")


def deck_of(folder: Path, text: str | bytes) -> Deck:
    file = folder / "deck.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_deck(file)


def problem_in(folder: Path, text: str | bytes) -> str:
    with pytest.raises(FileError) as caught:
        deck_of(folder, text)
    words = str(caught.value)
    assert "\n" not in words
    place = str(folder / "deck.csv")
    assert words.startswith(place)
    return words.removeprefix(place)


# What is read


def test_a_line_gives_a_card_its_tag(tmp_path: Path) -> None:
    deck = deck_of(tmp_path, "04A1B2C3, AS\n04A1B2C3D4E5F6, 9D\n")
    assert deck.card("04A1B2C3") == ACE
    assert deck.card("04A1B2C3D4E5F6") == NINE
    assert deck.uid(NINE) == "04A1B2C3D4E5F6"
    assert deck.held() == {ACE, NINE}


def test_a_tag_of_no_card_is_no_card(tmp_path: Path) -> None:
    assert deck_of(tmp_path, "04A1B2C3, AS\n").card("04A1B2C4") is None


def test_a_card_that_is_not_in_the_deck_has_no_tag(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        deck_of(tmp_path, "04A1B2C3, AS\n").uid(NINE)


@pytest.mark.parametrize("written", ["04a1b2c3", "04:A1:B2:C3", "04 A1 B2 C3", "04:a1:b2:c3"])
def test_a_tag_may_be_written_as_other_programs_show_it(tmp_path: Path, written: str) -> None:
    assert deck_of(tmp_path, f"{written}, as\n").card("04A1B2C3") == ACE


def test_comments_and_blank_lines_are_free(tmp_path: Path) -> None:
    assert deck_of(tmp_path, "# my deck\n\n04A1B2C3, AS  # torn\n   \n").held() == {ACE}


@pytest.mark.parametrize("text", ["\ufeff04A1B2C3, AS\r\n04A1B2C4, 9D\r\n", "04A1B2C3,AS\n04A1B2C4 ,9D"])
def test_files_of_any_editor_are_read(tmp_path: Path, text: str) -> None:
    assert deck_of(tmp_path, text).held() == {ACE, NINE}


def test_a_suit_may_be_a_sign(tmp_path: Path) -> None:
    assert deck_of(tmp_path, "04A1B2C3, A♠").held() == {ACE}


def test_the_example_holds_every_card_of_pepper() -> None:
    game = games()["pepper"]
    used = game.pack(game.rules(4, True, game.rule_sets["standard"]))
    assert read_deck(example("deck-24.csv")).held() == {CARDS[card] for card in used}


def test_a_simulated_deck_has_a_tag_of_its_own_for_each_card() -> None:
    deck = simulated_deck(CARDS[:52])
    assert len(deck.cards) == 52
    assert all(deck.card(deck.uid(card)) == card for card in CARDS[:52])


def test_the_cards_of_the_simulated_deck_can_be_read_from_a_file(tmp_path: Path) -> None:
    deck = simulated_deck(CARDS[:52])
    assert deck_of(tmp_path, "".join(f"{uid}, {card}\n" for uid, card in deck.cards.items())) == deck


# What is wrong


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("04A1B2C3, AS\n04A1B2C3, 9D\n", ":2: tag 04A1B2C3 is in AS already (line 1); expected one card for each tag"),
        ("04A1B2C3, AS\n04:a1:b2:c3, 9D\n", ":2: tag 04A1B2C3 is in AS already (line 1)"),
        ("04A1B2C3, AS\n# x\n04A1B2C4, AS\n", ":3: AS has a tag already (line 1); expected one tag a card"),
        ("04A1B2C3 AS\n", ":1: cannot read '04A1B2C3 AS'; expected `UID, CARD`"),
        ("04A1B2, AS\n", ":1: '04A1B2' is no tag: 3 bytes; expected 4 or 7 or 10"),
        ("04A1B2C3D4E5F6A7B8C9D0, AS\n", "is no tag: 11 bytes; expected 4 or 7 or 10"),
        ("04A1B2C, AS\n", ":1: '04A1B2C' has 7 digits, so one is missing; expected two for each byte"),
        ("04A1B2CX, AS\n", ":1: '04A1B2CX' is no tag"),
        (", AS\n", ":1: '' is no tag"),
        ("00000000, AS\n", "all 00 or FF, which readers give where nothing lies"),
        ("FFFFFFFFFFFFFF, AS\n", "all 00 or FF, which readers give where nothing lies"),
        ("04A1B2C3, \n", ":1: "),
        ("04A1B2C3, 11S\n", ":1: "),
        ("04A1B2C3, AS, 9D\n", ":1: "),
        ("04A1B2C3, ??\n", ":1: a tag belongs to a known card; expected one such as 9D"),
        (b"04A1B2C3, AS\n04A1B2C4, \xff\n", ":2: not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    problem = problem_in(tmp_path, text)
    assert said in problem
    assert "expected" in problem


@pytest.mark.parametrize("letter", ["К", "А", "Т", "В"])
def test_a_cyrillic_letter_in_a_card_is_named(tmp_path: Path, letter: str) -> None:
    problem = problem_in(tmp_path, f"04A1B2C3, AS\n04A1B2C4, {letter}D\n")
    assert problem.startswith(":2: ")
    assert letter in problem
    assert "Cyrillic" in problem


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_deck(tmp_path / "none.csv")
