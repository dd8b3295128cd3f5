"""Possession, rule 2: who starts, by known hands and by shows."""

import pytest
from possession_tables import dealt, played

from engine.cards import Card, mask
from engine.possession.start import starter


@pytest.mark.parametrize(
    ("turn_up", "hands", "first"),
    [
        ("8C", ("8H KD 2S", "9C 7C 9S"), 1),
        ("8C", ("8H KD 2S", "8S KC 2D"), 2),
        ("8C", ("8H 8D 2S", "8S KC 9C"), 1),
        ("KS", ("AS 2S 3S", "10D 4D 5D"), 2),
        ("5D", ("4S KS QS", "6H 8D QC", "6D 9C KC"), 2),
        ("8C", ("7D 9H KD", "9S KC QC"), 1),
        ("8C", ("7H 2D", "9D 2H"), 1),
        ("8C", ("2H 3H", "2D 3D", "2H 8D"), 3),
        ("AS", ("KC", "QD KD"), 2),
    ],
)
def test_the_worked_examples_of_who_starts(turn_up: str, hands: tuple[str, ...], first: int) -> None:
    known = [mask(map(Card, hand.split())) for hand in hands]
    assert starter(Card(turn_up), range(1, len(hands) + 1), known) == first


def test_a_seat_that_lost_at_one_distance_is_out_for_good() -> None:
    known = [mask(map(Card, hand.split())) for hand in ("9D 2C", "9H 10H 2D", "3C 10C 10D 10S")]
    assert starter(Card("8C"), (1, 2, 3), known) == 2


def test_a_full_tie_goes_to_the_first_seat_from_the_left_of_the_dealer() -> None:
    known = [mask([Card("7H")]), mask([Card("9D")]), mask([Card("7D")])]
    assert starter(Card("8C"), (2, 3, 1), known) == 2


def test_with_two_packs_equal_cards_tie() -> None:
    known = [mask([Card("8C'2")]), mask([Card("8S")])]
    assert starter(Card("8C"), (2, 1), known) == 2


def test_the_start_is_a_notice_on_the_deal_when_all_hands_are_known() -> None:
    done = played(dealt("8C", "8H KD", "8S KC"))
    assert done.verdicts == ["ok starts"]
    assert done.facts("starts") == [{"seat": 2}]
    assert done.result["to_act"] == [2]


def test_a_dealer_named_by_the_director_changes_who_wins_a_full_tie() -> None:
    hands = ("7H 2D 2C 3C 4C 5C 6C JC KC", "9D 2H 2C'2 3C'2 4C'2 5C'2 6C'2 JC'2 KC'2")
    rest = ("AH AD AS AC 3H 3D 3S 2S 4S", "AH'2 AD'2 AS'2 AC'2 3H'2 3D'2 3S'2 2S'2 4S'2")
    lines = f"deal 4 / turn-up: 8C / hand 1: {hands[0]} / hand 2: {hands[1]} / hand 3: {rest[0]} / hand 4: {rest[1]}"
    assert played(lines, seats=4).turn == (1,)
    assert played(lines, "director dealer = 1", seats=4).turn == (2,)
    done = played(lines, "1 draw / director dealer = 1", seats=4)
    assert done.last == "wrong-phase"


# Shows


def test_hands_that_are_not_known_are_shown_in_any_order() -> None:
    done = played("deal 3 / turn-up: 8C / 3 show 9C / 1 show 9D", seats=3, hands="concealed")
    assert done.verdicts == ["ok", "ok", "ok"]
    assert done.result["to_act"] == [2]
    assert done.rule("3 show 7C / 2 show 10C") == ["not-your-turn", "ok starts"]
    assert done.facts("starts") == [{"seat": 3}]
    assert done.result["to_act"] == [3]


def test_a_nearer_show_beats_more_cards() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 9C 7C 9S / 2 show 8H", hands="concealed")
    assert done.facts("starts") == [{"seat": 2}]


def test_more_cards_beat_colour_and_colour_decides_between_equal_numbers() -> None:
    assert played("deal 2 / turn-up: 8C / 1 show 9S / 2 show 9D 7D", hands="concealed").turn == (2,)
    assert played("deal 2 / turn-up: 8C / 1 show 9D / 2 show 7S", hands="concealed").turn == (2,)


def test_tied_seats_show_again_and_the_others_are_out() -> None:
    done = played("deal 3 / turn-up: 5D / 1 show 4S / 2 show 6H / 3 show 6D", seats=3, hands="concealed")
    assert done.result["to_act"] == [2, 3]
    assert done.rule("1 show KS / 2 show 8D / 3 show 9C") == ["not-your-turn", "ok", "ok starts"]
    assert done.result["to_act"] == [2]


def test_when_tied_seats_have_shown_all_there_is_seat_order_decides() -> None:
    rounds = ["QS QD", "QC QH", "JS", "JC", "10S", "10C", "9S", "9C", "8S", "8C", "7S", "7C", "6S", "6C", "5S"]
    lines = [f"{number % 2 + 1} show {cards}" for number, cards in enumerate(rounds)]
    done = played("deal 1 / turn-up: KD", *lines, hands="concealed")
    assert set(done.verdicts) == {"ok"}
    assert done.result["to_act"] == [2]
    assert done.rule("2 show 5C") == ["ok starts"]
    assert done.result["to_act"] == [2]
    done = played("deal 2 / turn-up: KD", *lines, "2 show 5C", hands="concealed")
    assert done.result["to_act"] == [1]


def test_after_the_farthest_distance_nothing_is_left_to_show() -> None:
    done = played("deal 2 / turn-up: 7C / 1 show KS AS / 2 show KC AC", hands="concealed")
    assert done.last == "ok starts"
    assert done.result["to_act"] == [1]


@pytest.mark.parametrize("cards", ["9C 10C", "7C 8H", "8H 9C 7D"])
def test_a_show_of_cards_at_several_distances_is_wrong(cards: str) -> None:
    assert played(f"deal 2 / turn-up: 8C / 1 show {cards}", hands="concealed").last == "wrong-show"


def test_a_show_not_farther_than_the_last_is_wrong() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 9D / 2 show 7H", hands="concealed")
    assert done.rule("1 show 7D / 1 show 8D / 1 show 9D / 1 show 6D") == [
        "wrong-show",
        "wrong-show",
        "wrong-show",
        "ok",
    ]


def test_a_show_that_leaves_out_a_card_that_is_known_is_wrong() -> None:
    done = played("deal 2 / turn-up: 8C / hand 1: 9D 7D KS ?? ?? ?? ?? ?? ??", hands="concealed")
    assert done.rule("1 show 9D / 1 show 10H / 1 show 9D 9H / 1 show 9D 7D 9H") == [
        "wrong-show", "wrong-show", "wrong-show", "ok",
    ]  # fmt: skip


def test_a_known_hand_shows_exactly_its_nearest_cards() -> None:
    done = played("deal 2 / turn-up: 8C / hand 1: 9D 7D KS AS AD AH 2S 2D 2H", hands="concealed")
    assert done.legal[0] == "show 7D 9D"
    assert done.rule("1 show KS / 1 show 9D 7D 9H / 1 show 7D 9D") == ["wrong-show", "not-in-hand", "ok"]


def test_only_a_show_is_open_before_the_start_and_never_after() -> None:
    done = played("deal 2 / turn-up: 8C / 1 draw / 1 play 9C / 1 pass / 1 show 9D / 2 show 10C / 1 show 10D",
                  hands="concealed")  # fmt: skip
    assert done.verdicts[1:] == ["wrong-phase", "wrong-phase", "wrong-phase", "ok", "ok starts", "wrong-phase"]


def test_a_card_shown_twice_or_the_turn_up_itself_is_not_in_the_hand() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 8C / 1 show 9C 9C", hands="concealed")
    assert done.verdicts[1:] == ["not-in-hand", "not-in-hand"]


def test_with_two_packs_both_equal_cards_are_shown() -> None:
    done = played("deal 4 / turn-up: 8C / 1 show 8C 8C / 1 show 8C / 2 show 8C", seats=4, hands="concealed")
    assert done.verdicts[1:] == ["not-in-hand", "ok", "not-in-hand"]
    lines = "deal 4 / turn-up: 8C / 1 show 9C 9C'2 / 2 show 9C / 3 show 9C'1 / 2 show 9S 9S"
    done = played(lines, seats=4, hands="concealed")
    assert done.verdicts[1:] == ["ok", "not-in-hand", "not-in-hand", "ok"]


def test_shown_cards_are_known_from_then_on() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 9C / 2 show 10C / 2 play 10C / 1 draw", hands="concealed")
    assert done.verdicts[-2:] == ["not-your-turn", "can-play"]


def test_the_shows_end_when_the_director_has_named_all_hands() -> None:
    done = played("deal 2 / turn-up: 8C / hand 1: 9D 7D KS AS AD AH 2S 2D 2H", hands="concealed")
    assert done.result["to_act"] == [1, 2]
    assert done.rule("director turn = 2 / director hand 2: 8H 3C 3D 3H 3S 4C 4D 4H 4S") == ["wrong-phase", "ok"]
    assert done.result["to_act"] == [2]


def test_a_hand_named_in_part_leaves_the_shows_open() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 9D / director hand 2: 8H ?? ?? ?? ?? ?? ?? ?? ??", hands="concealed")
    assert done.result["to_act"] == [2]
    assert done.rule("2 show 9H / 2 show 8H") == ["wrong-show", "ok starts"]


def test_a_show_can_be_taken_back() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 9D / 1 undo / 1 show 8H / 2 show 9D", hands="concealed")
    assert done.verdicts[1:] == ["ok", "ok", "ok", "ok starts"]
    assert done.result["to_act"] == [1]
