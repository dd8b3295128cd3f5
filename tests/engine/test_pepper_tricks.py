"""Pepper, rule 5: following, the winner of a trick, the partner who lays the hand down."""

from itertools import pairwise
from typing import Any

import pytest
from tables import BY_RANK, Played, deal_line, hand_lines, played

FILLERS = ("9C 10C QC", "KC AC 9S", "10S QS KS")
"""Black cards without a jack, that change nothing where hearts are trump."""


def legal_cards(led: str, hand: str, rules: str) -> set[str]:
    """Which cards of `hand` seat 2 may play to the card led, hearts being trump; with it are plain black cards."""
    hands = (f"{led} ?? ?? ?? ?? ??", f"{hand} {FILLERS[0]}", "", "")
    done = played(
        f"deal 4 / {hand_lines(hands)}",
        "1 bid 5 / 2 pass / 3 pass / 4 pass / 1 trump H",
        f"1 play {led}",
        hands="concealed",
        rules=rules,
    )
    assert done.last == "ok"
    return {text.removeprefix("play ") for text in done.legal} & set(hand.split())


@pytest.mark.parametrize(
    ("led", "hand", "standard", "bowers"),
    [
        ("KD", "JD 9D 10H", "JD 9D", "9D"),
        ("JD", "AD 9H AS", "AD", "9H"),
        ("9H", "JD AD KS", "JD AD KS", "JD"),
        ("9H", "JH AD KS", "JH", "JH"),
        ("KS", "JD 9H AD", "JD 9H AD", "JD 9H AD"),
        ("KD", "JD 9H 10H", "JD", "JD 9H 10H"),
    ],
)
def test_the_suit_led_is_followed_if_able(led: str, hand: str, standard: str, bowers: str) -> None:
    assert legal_cards(led, hand, "standard") == set(standard.split())
    assert legal_cards(led, hand, "bowers") == set(bowers.split())


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_the_left_bower_is_an_option_of_its_own(rules: str) -> None:
    for left_bower, last in (("true", "must-follow-suit"), ("false", "ok")):
        done = played(
            f"deal 4 / {hand_lines(('', 'JD AD KS 9C 10C QC'))}",
            "1 bid 5 / 2 pass / 3 pass / 4 pass / 1 trump H / 1 play 9H / 2 play AD",
            hands="concealed",
            rules=rules,
            left_bower=left_bower,
        )
        assert done.last == last


def trick(cards: str, rules: str, trump: str = "H") -> int:
    """Which card (from 1) wins a trick that seats 1 to 4 play in order, from hands that nobody has seen."""
    plays = " / ".join(f"{seat} play {card}" for seat, card in enumerate(cards.split(), 1))
    bids = "1 bid 5 / 2 pass / 3 pass / 4 pass"
    done = played("deal 4", f"{bids} / 1 trump {trump} / {plays}", hands="concealed", rules=rules)
    assert done.last == "ok trick-won"
    return int(str(dict(done.rulings[-1].notices[0].facts)["seat"]))


@pytest.mark.parametrize(
    ("cards", "standard", "bowers"),
    [
        ("JD QD 9H AD", "9H", "JD"),
        ("AH JD KH QH", "AH", "JD"),
        ("AH JD KH JH", "JH", "JH"),
        ("KD AD JD QD", "AD", "JD"),
        ("9D AS AC KS", "9D", "9D"),
        ("9D 10D QD JS", "QD", "QD"),
        ("9H QH KH AH", "AH", "AH"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(cards: str, standard: str, bowers: str) -> None:
    assert cards.split()[trick(cards, "standard") - 1] == standard
    assert cards.split()[trick(cards, "bowers") - 1] == bowers


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_a_plain_suit_ranks_nine_ten_jack_queen_king_ace(rules: str) -> None:
    ranks = ["9", "10", "J", "Q", "K", "A"]
    for low, high in pairwise(ranks):
        assert trick(f"{low}S {high}S 9D 10D", rules, trump="none") == 2
        assert trick(f"{high}S {low}S 9D 10D", rules, trump="none") == 1


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_the_trump_suit_ranks_nine_ten_queen_king_ace_jack(rules: str) -> None:
    ranks = ["9", "10", "Q", "K", "A", "J"]
    for low, high in pairwise(ranks):
        assert trick(f"AC {low}S {high}S AD", rules, trump="S") == 3
        assert trick(f"AC {high}S {low}S AD", rules, trump="S") == 2


@pytest.mark.parametrize(("trump", "left"), [("C", "JS"), ("S", "JC"), ("D", "JH"), ("H", "JD")])
def test_the_left_bower_is_the_other_jack_of_the_trump_colour_and_the_second_trump(trump: str, left: str) -> None:
    plain = {"C": "9D", "S": "9D", "D": "9C", "H": "9C"}[trump]
    assert trick(f"{plain} A{trump} {left} K{trump}", "bowers", trump) == 3
    assert trick(f"{plain} {left} J{trump} K{trump}", "bowers", trump) == 3
    assert trick(f"{plain} {left} 9{trump} K{trump}", "standard", trump) == 4


def test_without_trump_no_jack_is_a_bower() -> None:
    assert trick("JD QD JH JS", "bowers", trump="none") == 2


def test_there_is_no_duty_to_trump_or_to_beat() -> None:
    done = played(deal_line(4, BY_RANK), "1 bid 5 / 2 pass / 3 pass / 4 pass / 1 trump H / 1 play 9C")
    assert done.rule("2 play JC / 3 play QC / 4 play AC") == ["ok", "ok", "ok trick-won"]
    assert done.rule("4 play KS / 1 play 9S / 2 play 10S / 3 play QS") == ["ok", "ok", "ok", "ok trick-won"]


def test_the_winner_leads() -> None:
    done = played(deal_line(4, BY_RANK), "1 bid 5 / 2 pass / 3 pass / 4 pass / 1 trump none / 1 play 9D")
    done.rule("2 play JD / 3 play QD / 4 play AD")
    assert done.result["to_act"] == [4]
    assert done.rule("1 play 9C / 4 play AH") == ["not-your-turn", "ok"]


def test_each_seat_plays_once_to_a_trick() -> None:
    done = played(deal_line(4), "1 bid big / 1 trump C / 1 play AC / 1 play KC / 2 play 9D / 2 play 10D / 3 play 9H")
    assert done.verdicts[-5:] == ["ok", "not-your-turn", "ok", "not-your-turn", "ok"]


# The partner of a big bidder


def lone(rules: str = "bowers", bidder: int = 1, **heading: Any) -> Played:
    passes = " / ".join(f"{seat} pass" for seat in range(1, bidder))
    body = f"{passes + ' / ' if passes else ''}{bidder} bid big / {bidder} trump none"
    return played(deal_line(4), body, rules=rules, **heading)


@pytest.mark.parametrize(("bidder", "order"), [(1, [1, 2, 4]), (2, [2, 3, 1]), (3, [3, 4, 2]), (4, [4, 1, 3])])
def test_the_big_bidder_plays_alone_and_the_turn_of_the_partner_is_skipped(bidder: int, order: list[int]) -> None:
    done = lone(bidder=bidder)
    acted: list[int] = []
    for _ in range(3):
        acted += done.match.table.game.to_act(done.match.deal)
        assert done.rule(f"{acted[-1]} {done.legal[0]}")[0].startswith("ok")
    assert acted == order
    assert len(done.match.deal.last) == 3


def test_the_partner_lays_the_hand_down_and_cannot_play() -> None:
    done = lone()
    assert done.rule("1 play AC / 2 play 9D / 3 play 9H / 4 play 9S") == ["ok", "ok", "not-your-turn", "ok trick-won"]


def test_a_lone_big_pepper_has_six_tricks_of_three_cards() -> None:
    done = lone()
    while done.legal:
        done.rule(f"{done.match.deal.turn} {done.legal[0]}")
    assert sum(done.match.deal.won) == 6
    assert done.scores == (12, 0)
    assert done.match.deal.hands.size(3) == 6


@pytest.mark.parametrize(
    "heading",
    [{"rules": "standard"}, {"big_pepper_alone": "false"}, {"partners": "false"}],
)
def test_otherwise_the_partner_plays_too(heading: dict[str, Any]) -> None:
    done = lone(**heading)
    assert done.rule("1 play AC / 2 play 9D / 3 play 9H / 4 play 9S") == ["ok", "ok", "ok", "ok trick-won"]


def test_big_pepper_alone_is_an_option_of_its_own() -> None:
    assert lone("standard", big_pepper_alone="true").rule("1 play AC / 2 play 9D / 3 play 9H")[-1] == "not-your-turn"


def test_a_little_pepper_is_not_played_alone() -> None:
    done = played(deal_line(4), "1 bid little / 2 pass / 3 pass / 4 pass / 1 trump none", rules="bowers")
    assert done.rule("1 play AC / 2 play 9D / 3 play 9H") == ["ok", "ok", "ok"]


# Eight cards


def test_two_bowers_with_eight_cards_each_play_eight_tricks() -> None:
    hands = ("9C 10C JC QC KC AC 9D 10D", "9H 10H JH QH KH AH 9S 10S")
    done = played(f"deal 2 / {hand_lines(hands)}", "1 bid 3 / 2 pass / 1 trump none", seats=2, rules="bowers")
    while done.legal:
        done.rule(f"{done.match.deal.turn} {done.legal[0]}")
    assert sum(done.match.deal.won) == 8


def test_a_card_of_the_dead_hand_is_in_no_hand() -> None:
    hands = ("9C 10C JC QC KC AC 9D 10D", "9H 10H JH QH KH AH 9S 10S")
    done = played(f"deal 2 / {hand_lines(hands)}", "1 bid big / 1 trump C / 1 play AS", seats=2, rules="bowers")
    assert done.last == "not-in-hand"


def test_the_dead_hand_keeps_a_concealed_hand_from_being_known_by_exclusion() -> None:
    done = played("deal 2 / hand 1: 9C 10C JC QC KC AC 9D 10D", seats=2, rules="bowers", hands="concealed")
    assert done.match.deal.hands.known[1] == 0
