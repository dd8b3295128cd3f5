"""The order of cards: what belongs to no suit, what has no rank, and which of two equal cards wins."""

import pytest

from engine.cards import CARD_COUNT, CARDS, SUITS, Card, parse_card, physical
from engine.tricks import NO_TRUMP, TrickOrder, trick_order, winner

NINE, TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12, 0
RANKS = (NINE, TEN, JACK, QUEEN, KING, ACE)
TRUMP_RANKS = (NINE, TEN, QUEEN, KING, ACE, JACK)

every_order = pytest.mark.parametrize("order", [trick_order(trump, RANKS, TRUMP_RANKS, True) for trump in range(5)])


@every_order
def test_every_card_but_the_jokers_belongs_to_one_suit(order: TrickOrder) -> None:
    assert len(order.suits) == len(SUITS)
    for number in range(CARD_COUNT):
        belongs = [suit for suit, cards in enumerate(order.suits) if cards >> number & 1]
        assert belongs == ([] if str(CARDS[number]).startswith("JK") else [order.suit[number]])


@every_order
@pytest.mark.parametrize("joker", ["JK'1", "JK'2", "JK'3", "JK'4"])
def test_a_joker_belongs_to_no_suit_and_beats_nothing(order: TrickOrder, joker: str) -> None:
    number = physical(Card(joker))
    assert (order.suit[number], order.power[number]) == (-1, 0)


@every_order
def test_a_rank_that_the_order_does_not_name_is_below_all_others(order: TrickOrder) -> None:
    number = physical(Card("2C"))
    assert order.power[number] == 0
    assert all(order.power[physical(Card(f"{rank}C"))] > 0 for rank in "9TJQKA")


def test_without_trumps_a_jack_belongs_to_its_own_suit() -> None:
    order = trick_order(NO_TRUMP, RANKS, TRUMP_RANKS, True)
    assert [order.suit[physical(Card(f"J{suit}"))] for suit in SUITS] == [0, 1, 2, 3]


def test_of_two_equal_cards_of_two_packs_the_first_wins() -> None:
    order = trick_order(NO_TRUMP, RANKS, RANKS, False)
    cards = [physical(parse_card(text)) for text in ("9C", "AC", "AC'2", "KC")]
    assert winner(order, cards) == 1
