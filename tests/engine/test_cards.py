"""Cards as text both ways, every lenient form, and every text that is no card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    CARD_COUNT,
    CARDS,
    COPIES,
    PLAIN,
    RANKS,
    SUITS,
    UNKNOWN,
    Card,
    CardError,
    cards_of,
    mask,
    of_one_pack,
    parse_card,
    parse_suit,
)

sets_of_cards = st.sets(st.sampled_from(CARDS[:CARD_COUNT]))


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_read_back_from_its_text(card: Card) -> None:
    assert Card(str(card)) == card


@pytest.mark.parametrize("card", CARDS)
def test_the_repr_of_a_card_executes(card: Card) -> None:
    assert eval(repr(card), {"Card": Card}) == card


def test_no_two_spellings_have_one_text() -> None:
    assert len({str(card) for card in CARDS}) == len(CARDS) == 2 * 54 + 1 + 53


def test_a_card_without_a_pack_means_any_equal_one_the_first_pack_first() -> None:
    assert [str(card) for card in CARDS[:52]] == [rank + suit for suit in SUITS for rank in RANKS]
    assert COPIES[Card("7D")] == (Card("7D"), Card("7D'2"))
    assert COPIES[Card("JK")] == (Card("JK"), Card("JK'2"), Card("JK'3"), Card("JK'4"))
    assert COPIES[UNKNOWN] == ()


def test_a_card_with_its_pack_means_that_very_card() -> None:
    assert str(Card("7D'2")) == "7D'2"
    assert str(Card("7D'1")) == "7D'1"
    assert COPIES[Card("7D'1")] == (Card("7D"),)
    assert COPIES[Card("7D'2")] == (Card("7D'2"),)
    assert [COPIES[Card(f"JK'{number}")] for number in (1, 2, 3, 4)] == [(52,), (53,), (106,), (107,)]


def test_where_there_is_one_pack_a_first_pack_is_not_written() -> None:
    assert of_one_pack(Card("7D'1")) == Card("7D")
    assert of_one_pack(Card("7D'2")) == Card("7D'2")
    assert of_one_pack(Card("JK'1")) == Card("JK'1")


def test_equal_cards_are_written_alike_without_their_packs() -> None:
    assert {PLAIN[Card(text)] for text in ("7D", "7D'1", "7D'2")} == {Card("7D")}
    assert {PLAIN[Card(text)] for text in ("JK", "JK'1", "JK'2", "JK'3", "JK'4")} == {Card("JK")}
    assert PLAIN[UNKNOWN] == UNKNOWN


def test_jokers_are_numbered_through_both_packs() -> None:
    jokers = [Card(f"JK'{number}") for number in (1, 2, 3, 4)]
    assert [card.pack for card in jokers] == [1, 1, 2, 2]
    assert [str(card) for card in jokers] == ["JK'1", "JK'2", "JK'3", "JK'4"]
    assert len({card.face for card in jokers}) == 2
    assert {(card.rank, card.suit) for card in jokers} == {("JK", "")}


def test_a_joker_without_a_number_is_any_joker() -> None:
    assert Card("JK") != Card("JK'1")
    assert (Card("JK").rank, Card("JK").face) == ("JK", 52)


def test_a_card_knows_its_rank_suit_and_pack() -> None:
    card = Card("10S'2")
    assert (card.rank, card.suit, card.pack) == ("10", "S", 2)
    assert card.face == Card("10S").face


def test_a_card_that_nobody_has_seen_is_written_with_question_marks() -> None:
    assert Card("??") == UNKNOWN
    assert str(UNKNOWN) == "??"


@pytest.mark.parametrize(
    ("lenient", "canonical"),
    [
        ("9d", "9D"),
        ("qC", "QC"),
        ("kh", "KH"),
        ("as", "AS"),
        ("TD", "10D"),
        ("td", "10D"),
        ("10d", "10D"),
        ("9♣", "9C"),
        ("9♦", "9D"),
        ("9♥", "9H"),
        ("9♠", "9S"),
        ("t♠", "10S"),
        ("jk", "JK"),
        ("Jk'2", "JK'2"),
        ("7d'1", "7D'1"),
        ("t♥'2", "10H'2"),
    ],
)
def test_lenient_forms_are_read(lenient: str, canonical: str) -> None:
    assert str(Card(lenient)) == canonical


@pytest.mark.parametrize(
    ("text", "offset", "piece"),
    [
        ("", 0, "expected a card"),
        ("9", 0, "suit"),
        ("10", 1, "suit"),
        ("D", 0, "rank"),
        ("9X", 1, "suit"),
        ("1D", 0, "rank"),
        ("0D", 0, "rank"),
        ("11D", 0, "rank"),
        ("9 D", 0, "rank"),
        ("99D", 0, "rank"),
        ("?", 0, "suit"),
        ("???", 2, "suit"),
        ("?D", 0, "rank"),
        ("9D'", 3, "pack"),
        ("9D'0", 3, "pack"),
        ("9D'3", 3, "pack"),
        ("10D'x", 4, "pack"),
        ("9D'22", 3, "pack"),
        ("JK'5", 3, "pack"),
        ("??'1", 1, "suit"),
        ("'1", 0, "expected a card"),
        ("♣", 0, "rank"),
        ("♣9", 1, "suit"),
    ],
)
def test_a_text_that_is_no_card_is_refused_with_the_place_of_the_mistake(text: str, offset: int, piece: str) -> None:
    with pytest.raises(CardError, match=piece) as caught:
        parse_card(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("text", "letter", "offset"),
    [("КD", "К", 0), ("10С", "С", 2), ("ТD", "Т", 0), ("Вc", "В", 0), ("9с", "с", 1), ("JК", "К", 1), ("Аs'2", "А", 0)],
)
def test_a_cyrillic_letter_that_looks_like_a_rank_is_named_with_its_place(text: str, letter: str, offset: int) -> None:
    with pytest.raises(CardError, match=f"Cyrillic letter '{letter}'") as caught:
        Card(text)
    assert caught.value.offset == offset


def test_a_wrong_card_is_also_a_value_error() -> None:
    with pytest.raises(ValueError, match="no card"):
        Card("5Z")


@pytest.mark.parametrize(("text", "number"), [("C", 0), ("d", 1), ("♥", 2), ("S", 3), ("none", None), ("", None)])
def test_a_suit_is_read_as_a_letter_or_a_sign(text: str, number: int | None) -> None:
    assert parse_suit(text) == number


@given(sets_of_cards)
def test_a_set_of_cards_gives_its_cards_back_in_order(cards: set[Card]) -> None:
    assert list(cards_of(mask(cards))) == sorted(cards)


@given(sets_of_cards, sets_of_cards)
def test_sets_are_cut_as_masks(one: set[Card], other: set[Card]) -> None:
    assert set(cards_of(mask(one) & mask(other))) == one & other
    assert mask(one) | mask(other) == mask(one | other)


def test_an_unknown_card_is_in_no_set() -> None:
    assert mask([UNKNOWN, Card("9C"), UNKNOWN]) == mask([Card("9C")])


@given(st.text(max_size=6))
def test_any_text_is_a_card_or_an_error_with_a_place_in_it(text: str) -> None:
    try:
        card = parse_card(text)
    except CardError as error:
        place = error.offset
    else:
        assert Card(str(card)) == card
        place = 0
    assert 0 <= place <= len(text)
