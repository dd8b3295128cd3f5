"""What the table knows of hands: what is certain, by sight or by exclusion, and what is not."""

from random import Random

import pytest
from tables import PACK, PACK_MASK, as_dealt, random_table, shuffled

from engine.cards import UNKNOWN, Card, cards_of, mask
from engine.hands import Hands, deal_hands, leave, named, seen_from


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def known(hands: Hands, seat: int) -> str:
    return " ".join(map(str, cards_of(hands.known[seat - 1])))


EIGHT = mask(cards("9C 10C 9D 10D 9H 10H 9S 10S"))
"""A small pack: two cards for each of four seats."""


def dealt(*hands: str) -> Hands:
    """Hands of two from the small pack; an empty text is a concealed hand."""
    return deal_hands(EIGHT, tuple(cards(hand) if hand else None for hand in hands), 2)


# A deal


def test_in_a_tracked_deal_each_hand_is_known() -> None:
    hands = dealt("9C 10C", "9D 10D", "9H 10H", "9S 10S")
    assert [known(hands, seat) for seat in (1, 2, 3, 4)] == ["9C 10C", "9D 10D", "9H 10H", "9S 10S"]
    assert hands.unknown == (0, 0, 0, 0)
    assert hands.unseen == 0


def test_in_a_concealed_deal_only_the_numbers_are_known() -> None:
    hands = dealt("", "", "", "")
    assert hands.known == (0, 0, 0, 0)
    assert [hands.size(seat) for seat in (1, 2, 3, 4)] == [2, 2, 2, 2]
    assert hands.unseen == EIGHT
    assert hands.hidden == 0


def test_a_partly_known_hand_has_both() -> None:
    hands = dealt("9C ??", "", "?? ??", "")
    assert known(hands, 1) == "9C"
    assert hands.unknown == (1, 2, 2, 2)
    assert hands.unseen == EIGHT & ~mask(cards("9C"))


def test_cards_that_are_not_dealt_are_hidden() -> None:
    assert dealt("9C 10C", "9D 10D").hidden == 4


# Exclusion


def test_when_three_hands_of_four_are_known_the_fourth_is_known() -> None:
    hands = dealt("9C 10C", "9D 10D", "", "9S 10S")
    assert known(hands, 3) == "9H 10H"
    assert hands.unknown == (0, 0, 0, 0)
    assert hands.unseen == 0


def test_the_rest_of_a_partly_known_hand_is_known_by_exclusion() -> None:
    assert known(dealt("9C ??", "9D 10D", "9H 10H", "9S 10S"), 1) == "9C 10C"


def test_two_hands_with_unknown_cards_are_not_known_by_exclusion() -> None:
    assert dealt("9C 10C", "9D 10D", "9H ??", "9S ??").known[2:] == (mask(cards("9H")), mask(cards("9S")))


def test_a_hidden_place_forbids_exclusion() -> None:
    hands = dealt("9C 10C", "9D 10D", "")
    assert hands.known[2] == 0
    assert hands.hidden == 2


def test_a_hand_becomes_known_when_the_last_unknown_card_of_another_is_shown() -> None:
    hands = leave(dealt("9C 10C", "9D 10D", "9H ??", "9S ??"), 3, Card("10S"))
    assert known(hands, 4) == "10H 9S"
    assert hands.unseen == 0


# Leaving


def test_a_known_card_leaves_its_hand() -> None:
    hands = leave(dealt("9C 10C", "", "", ""), 1, Card("9C"))
    assert known(hands, 1) == "10C"
    assert hands.size(1) == 1
    assert not hands.unseen & mask(cards("9C"))


def test_an_unseen_card_leaves_as_one_of_the_unknown() -> None:
    hands = leave(dealt("9C ??", "", "", ""), 1, Card("10H"))
    assert known(hands, 1) == "9C"
    assert hands.size(1) == 1
    assert not hands.unseen & mask(cards("10H"))


def test_a_card_that_was_thought_to_lie_in_another_hand_was_not_there() -> None:
    hands = leave(dealt("?? ??", "9D 10D", "", ""), 1, Card("9D"))
    assert hands.size(1) == 1
    assert known(hands, 2) == "10D"
    assert hands.size(2) == 2


# The director


def test_the_director_names_a_hand() -> None:
    hands = named(dealt("9C 10C", "", "", ""), 1, cards("9H 10H"))
    assert known(hands, 1) == "9H 10H"
    assert hands.unseen == EIGHT & ~mask(cards("9H 10H"))


def test_cards_that_the_director_does_not_name_there_are_unseen_again() -> None:
    hands = named(dealt("9C 10C", "", "", ""), 1, (Card("9C"), UNKNOWN))
    assert known(hands, 1) == "9C"
    assert hands.unknown[0] == 1
    assert hands.unseen & mask(cards("10C"))


def test_a_hand_named_by_the_director_can_make_another_known() -> None:
    hands = named(dealt("9C 10C", "9D 10D", "", ""), 3, cards("9H 10S"))
    assert known(hands, 4) == "10H 9S"


# One seat's view


def test_a_seat_knows_its_own_hand_and_the_numbers_of_the_others() -> None:
    hands = seen_from(dealt("9C 10C", "9D 10D", "9H 10H", "9S 10S"), 2)
    assert known(hands, 2) == "9D 10D"
    assert hands.known == (0, hands.known[1], 0, 0)
    assert hands.unknown == (2, 0, 2, 2)
    assert hands.unseen == EIGHT & ~mask(cards("9D 10D"))


def test_the_public_knows_no_hand() -> None:
    assert seen_from(dealt("9C 10C", "9D 10D", "9H 10H", "9S 10S"), 0).known == (0, 0, 0, 0)


def test_a_seat_knows_the_only_other_hand_by_exclusion() -> None:
    both = deal_hands(mask(cards("9C 10C 9D 10D")), (cards("9C 10C"), cards("9D 10D")), 2)
    assert known(seen_from(both, 1), 2) == "9D 10D"


# Every walk


@pytest.mark.parametrize("knowledge", ["tracked", "concealed", "partly"])
def test_numbers_and_places_agree_and_certain_cards_are_truly_there_while_true_cards_leave(knowledge: str) -> None:
    random = Random(knowledge)
    for _ in range(60):
        table = random_table(random, tracked=knowledge == "tracked")
        truth = shuffled(random, table)
        dealt = as_dealt(random, table, truth, knowledge)
        hands = deal_hands(PACK_MASK, dealt.hands, table.rules.cards)
        gone: list[Card] = []
        while any(truth):
            assert [hands.size(seat) for seat in range(1, table.seats + 1)] == [len(hand) for hand in truth]
            assert hands.unseen.bit_count() == sum(hands.unknown) + hands.hidden
            for certain, hand in zip(hands.known, truth, strict=True):
                assert set(cards_of(certain)) <= set(hand)
            places = [*gone, *cards_of(hands.unseen), *(card for held in hands.known for card in cards_of(held))]
            assert sorted(places) == PACK
            seat = random.choice([seat for seat, hand in enumerate(truth, 1) if hand])
            card = truth[seat - 1].pop(random.randrange(len(truth[seat - 1])))
            gone.append(card)
            hands = leave(hands, seat, card)


def test_what_is_known_by_exclusion_alone_is_forgotten_when_a_second_hand_becomes_unknown() -> None:
    pack = mask(map(Card, ("9C", "10C", "JC", "QC")))
    hands = deal_hands(pack, ((Card("9C"), Card("10C")), (Card("JC"), Card("QC"))), 2)
    unsaid = named(hands, 1, (UNKNOWN, UNKNOWN))
    assert unsaid.known == hands.known  # the only cards that nobody has seen
    both = named(unsaid, 2, (UNKNOWN, UNKNOWN))
    assert (both.known, both.unknown, both.unseen) == ((0, 0), (2, 2), pack)
    swapped = named(named(both, 1, (Card("JC"), Card("QC"))), 2, (Card("9C"), Card("10C")))
    assert swapped.known == hands.known[::-1]
    assert swapped.unknown == (0, 0)
