"""Cards of a deal that are written without their packs."""

import pytest

from engine.cards import CARDS, FACES, UNKNOWN, Card
from engine.game import Dealt
from engine.packs import place

TWO_PACKS = (1 << 2 * FACES) - 1
ONE_PACK = (1 << FACES) - 1


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


def placed(dealt: Dealt, pack: int = TWO_PACKS) -> Dealt:
    result = place(dealt, pack)
    assert isinstance(result, Dealt)
    return result


def test_equal_cards_come_from_the_lower_pack_first_the_turn_up_before_the_hands() -> None:
    dealt = placed(Dealt((cards("7D 8C"), cards("8C")), cards("7D")))
    assert [[int(card) for card in hand or ()] for hand in dealt.hands] == [
        [Card("7D'2"), Card("8C")],
        [Card("8C'2")],
    ]
    assert dealt.turn_up == (Card("7D"),)


def test_a_card_with_its_pack_has_its_place_before_those_without() -> None:
    dealt = placed(Dealt((cards("7D"), cards("7D'1"))))
    assert dealt.hands == ((Card("7D'2"),), (Card("7D"),))


def test_jokers_without_numbers_take_those_that_are_left() -> None:
    dealt = placed(Dealt((cards("JK JK"), cards("JK'1 JK"))))
    assert dealt.hands == ((CARDS[53], CARDS[106]), (CARDS[52], CARDS[107]))


@pytest.mark.parametrize(
    ("hands", "pack", "twice"),
    [
        (("7D", "7D"), ONE_PACK, "7D"),
        (("7D 7D", "7D"), TWO_PACKS, "7D"),
        (("7D'2", "7D'2"), TWO_PACKS, "7D'2"),
        (("7D'1", "7D'1"), TWO_PACKS, "7D'1"),
        (("JK JK", "JK"), ONE_PACK, "JK"),
    ],
)
def test_a_card_too_many_lies_twice(hands: tuple[str, ...], pack: int, twice: str) -> None:
    assert place(Dealt(tuple(map(cards, hands))), pack) == Card(twice)


def test_a_card_that_the_pack_has_not_stays_for_the_game_to_name() -> None:
    assert placed(Dealt((cards("JK 9D'2"),)), ONE_PACK & ~(3 << 52)).hands == (cards("JK 9D'2"),)


def test_what_nobody_has_seen_stays_unknown() -> None:
    dealt = placed(Dealt((None, cards("?? 7D")), cards("7D"), cards("?? 8C"), Card("8C'1")))
    assert dealt == Dealt((None, (UNKNOWN, Card("7D'2"))), cards("7D"), (UNKNOWN, Card("8C'2")), Card("8C"))
