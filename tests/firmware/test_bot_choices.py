"""What a bot decides: from what it is offered and what it holds, the same for the same chance."""

from itertools import pairwise
from random import Random

import pytest

from engine.cards import Card
from engine.view import Trick, View
from firmware import bot_choices
from firmware.bot_choices import EAGER, GUESSES, RELUCTANT

NOTHING = View(1, ())


def cards(text: str) -> list[Card]:
    return [Card(word) for word in text.split()]


def choose(choices: str, own: str = "", known: bool = True, melds: bool = False, seed: int = 1) -> str:
    return bot_choices.choice(tuple(choices.split()), cards(own), known, melds, Random(seed))


def often(choices: str, own: str = "", known: bool = True, melds: bool = False) -> set[str]:
    return {choose(choices, own, known, melds, seed) for seed in range(60)}


# Choices


@pytest.mark.parametrize("verb", [*EAGER, *RELUCTANT])
def test_the_only_verb_is_chosen_whatever_it_is(verb: str) -> None:
    assert often(verb) == {verb}
    assert often(verb, known=False) == {verb}


@pytest.mark.parametrize(("one", "other"), list(pairwise(EAGER)))
def test_verbs_that_rid_a_hand_of_cards_go_first(one: str, other: str) -> None:
    assert choose(f"{other} {one}") == one


@pytest.mark.parametrize("verb", [verb for verb in RELUCTANT if verb != "take"])
def test_a_reluctant_verb_waits_for_all_others(verb: str) -> None:
    for eager in EAGER:
        assert choose(f"{verb} {eager}") == eager


def test_open_cards_are_taken_now_and_then() -> None:
    taken = sum(choose("draw take", seed=seed) == "take" for seed in range(400))
    assert 60 < taken < 140


@pytest.mark.parametrize("verb", GUESSES)
def test_what_the_table_offers_at_any_hand_is_not_tried_where_the_hand_is_not_known(verb: str) -> None:
    assert often(f"{verb} show", known=False) == {"show"}
    assert verb in often(f"{verb} show")


@pytest.mark.parametrize(("melds", "chosen"), [(True, "meld"), (False, "discard")])
def test_where_the_hand_is_not_known_a_bot_melds_only_what_it_holds(melds: bool, chosen: str) -> None:
    assert choose("discard meld", known=False, melds=melds) == chosen


def test_a_known_hand_is_offered_what_it_can_be_used_for() -> None:
    assert often("discard meld", known=True) == {"meld"}
    assert often("discard add") == {"add"}


@pytest.mark.parametrize(("own", "highest"), [("AC AD JC JD AH", 6), ("9C 9D 10C", 1), ("AC JC 9D", 3)])
def test_a_bid_is_within_the_strength_of_the_hand(own: str, highest: int) -> None:
    bids = often("1 2 3 4 5 6 pass", own)
    assert bids <= {"pass", *map(str, range(1, highest + 1))}
    assert len(bids) > 1


def test_a_hand_without_strength_passes() -> None:
    assert often("3 4 5 pass", "9C 10C QD") == {"pass"}


def test_the_longest_suit_is_named() -> None:
    assert often("C D H S none", "9C 9D 10D AD KH") == {"D"}


@pytest.mark.parametrize("choices", ["to:1 to:2 to:3", "as:9D as:5C"])
def test_any_of_other_choices_is_as_good(choices: str) -> None:
    assert often(choices) == set(choices.split())


# Cards


def card(prompt: str, offered: str, own: str, view: View = NOTHING, seed: int = 1) -> Card | None:
    return bot_choices.card(prompt, cards(offered), cards(own), view, Random(seed))


def test_no_card_is_given_that_is_not_asked_for_or_not_held() -> None:
    assert {card("play", "9C 10C", "10C 9D QH", seed=seed) for seed in range(20)} == {Card("10C")}
    assert card("play", "9C 10C", "9D QH") is None
    assert card("play", "9C 10C", "") is None


def test_an_equal_card_of_the_second_pack_is_the_own_one() -> None:
    assert card("play", "9C JK", "9C'2 9D") == Card("9C'2")
    assert card("play", "9C JK", "JK'3 9D") == Card("JK'3")


@pytest.mark.parametrize("prompt", ["discard", "exchange", "bury", "out"])
def test_the_card_that_fits_least_goes_first(prompt: str) -> None:
    own = "4D 5D 6D 9C 9H KS"
    assert {card(prompt, own, own, seed=seed) for seed in range(20)} == {Card("KS")}


def test_a_card_that_is_melded_may_be_any() -> None:
    own = "4D 5D 6D 9C 9H KS"
    assert {card("group", own, own, seed=seed) for seed in range(60)} == set(cards(own))


def test_of_cards_that_fit_nowhere_the_highest_goes_first() -> None:
    assert card("discard", "2D 7C QH", "2D 7C QH") == Card("QH")


def test_a_joker_is_kept_as_long_as_there_is_another_card() -> None:
    assert card("discard", "JK 9C 9D 9H", "JK'1 9C 9D 9H") in cards("9C 9D 9H")
    assert card("discard", "JK 9C 9D 9H", "JK'1") == Card("JK'1")


@pytest.mark.parametrize(("own", "goes"), [("4D 6D 10C", "10C"), ("4D 7D 2C", "7D"), ("4D 4H 2C", "2C")])
def test_a_card_near_another_is_kept(own: str, goes: str) -> None:
    assert card("discard", own, own) == Card(goes)


def led(text: str) -> View:
    return View(1, (Trick(1, ((2, Card(text)),), (), None, (0, 0)),))


def test_a_bot_follows_suit_where_it_can() -> None:
    own = "9C KC 9D"
    assert {card("play", own, own, led("AC"), seed) for seed in range(30)} == set(cards("9C KC"))
    assert {card("play", own, own, led("AH"), seed) for seed in range(30)} == set(cards(own))
    assert {card("play", own, own, NOTHING, seed) for seed in range(30)} == set(cards(own))


# Melds


def melded(own: str, *failed: str) -> str:
    return " ".join(map(str, bot_choices.meld(cards(own), [cards(group) for group in failed])))


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("4D 5D 6D 9C", "4D 5D 6D"),
        ("6D 9C 4D 5D 7D", "4D 5D 6D 7D"),
        ("AD 2D 3D", "AD 2D 3D"),
        ("9C 9D 9H", "9C 9D 9H"),
        ("9C 9D 9H 9S 4D 5D 6D", "9C 9D 9H 9S"),
        ("4D 5D 6D 7D 9C 9D 9H", "4D 5D 6D 7D"),
        ("4D 5D", ""),
        ("4D 5D 7D 8D", ""),
        ("9C 9C'2 9D", ""),
        ("4D 4D'2 5D 6D", "4D'2 5D 6D"),
        ("QD KD AD", ""),
        ("4D 5D JK'1", ""),
        ("", ""),
    ],
)
def test_a_meld_is_a_row_of_one_suit_or_cards_of_one_rank(own: str, found: str) -> None:
    assert melded(own) == found


def test_a_meld_that_failed_is_not_tried_again() -> None:
    assert melded("4D 5D 6D 7D", "4D 5D 6D 7D") == "4D 5D 6D"
    assert melded("4D 5D 6D 9C 9D 9H", "4D 5D 6D") == "9C 9D 9H"
    assert melded("4D 5D 6D", "4D 5D 6D") == ""
