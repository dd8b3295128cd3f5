"""Pepper, rules 6 and 7: what a deal scores, and when the match ends."""

from typing import Any

import pytest
from tables import Played, hand_lines, one_takes, play_on, played


def scored(bid: str, tricks: int, seats: int = 4, **heading: Any) -> Played:
    """A deal in which seat 1 bids, and takes so many of six tricks; the side 2+4 takes the others."""
    hands, trump = one_takes(tricks)
    passes = "" if bid == "big" else "".join(f" / {seat} pass" for seat in range(2, seats + 1))
    body = f"1 bid {bid}{passes} / 1 trump {trump}"
    done = play_on(played(f"deal {seats} / {hand_lines(hands[:seats])}", body, seats=seats, **heading))
    assert done.last.split()[:3] == ["ok", "trick-won", "deal-scored"]
    assert sum(done.match.deal.won[::2]) == done.match.deal.won[0] == tricks
    return done


SCORES = [
    ("4", 4, (4, 2), (4, 2)),
    ("4", 5, (5, 1), (5, 1)),
    ("4", 3, (-4, 3), (-6, 3)),
    ("1", 0, (-1, 6), (-6, 6)),
    ("1", 1, (1, 5), (1, 5)),
    ("5", 6, (6, 0), (6, 0)),
    ("5", 4, (-5, 2), (-6, 2)),
    ("little", 6, (6, 0), (6, 0)),
    ("little", 5, (-6, 1), (-6, 1)),
    ("big", 6, (12, 0), (12, 0)),
    ("big", 4, (-12, 2), (-12, 2)),
    ("big", 5, (-12, 1), (-12, 1)),
]


@pytest.mark.parametrize(("bid", "tricks", "standard", "bowers"), SCORES)
def test_a_deal_scores_as_the_examples_say(
    bid: str, tricks: int, standard: tuple[int, int], bowers: tuple[int, int]
) -> None:
    assert scored(bid, tricks).scores == standard
    assert scored(bid, tricks, rules="bowers").scores == bowers


@pytest.mark.parametrize("rules", ["standard", "bowers"])
@pytest.mark.parametrize(("bid", "tricks", "standard", "bowers"), SCORES)
def test_with_failed_all_a_failed_bid_costs_all_the_tricks_whatever_it_was(
    bid: str, tricks: int, standard: tuple[int, int], bowers: tuple[int, int], rules: str
) -> None:
    assert scored(bid, tricks, rules=rules, failed="all").scores == bowers
    assert scored(bid, tricks, rules=rules, failed="bid").scores == standard


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_without_defenders_score_the_other_sides_score_nothing(rules: str) -> None:
    assert scored("4", 4, rules=rules, defenders_score="false").scores == (4, 0)
    assert scored("4", 3, rules=rules, defenders_score="false", failed="bid").scores == (-4, 0)
    assert scored("2", 2, seats=3, defenders_score="false", small_table_cards=6, rules=rules).scores == (2, 0, 0)


def test_totals_may_be_negative() -> None:
    assert scored("big", 4, scores="3 -5").scores == (-9, -3)


def test_a_deal_adds_to_the_totals_of_the_sides_and_says_both() -> None:
    done = scored("4", 5, scores="10 -4")
    notice = done.rulings[-1].notices[-1]
    assert notice.code == "deal-scored"
    assert dict(notice.facts) == {"points": ((1, 5), (2, 1)), "scores": ((1, 15), (2, -3))}


def test_four_seats_without_partners_score_each_alone() -> None:
    assert scored("2", 4, partners="false").scores == (4, 2, 0, 0)
    assert scored("5", 4, partners="false").scores == (-5, 2, 0, 0)


@pytest.mark.parametrize("seats", [2, 3])
def test_with_two_or_three_seats_everyone_is_alone(seats: int) -> None:
    assert scored("3", 2, seats=seats).scores == (-3, 4, 0)[:seats]
    assert scored("3", 3, seats=seats, partners="true").scores == (3, 3, 0)[:seats]


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_three_seats_the_second_bids_three_and_takes_two_the_first_takes_three_the_third_one(rules: str) -> None:
    hands = ("QC KC AC 9D 9H 9S", "AD AH 9C 10C 10D 10H", "10S JS KS AS JD JH")
    done = played(
        f"deal 3 / {hand_lines(hands)}",
        "1 pass / 2 bid 3 / 3 pass" + (" / 1 pass" if rules == "bowers" else ""),
        "2 trump none",
        "2 play AD / 3 play JD / 1 play 9D",
        "2 play AH / 3 play JH / 1 play 9H",
        "2 play 9C / 3 play 10S / 1 play AC",
        "1 play KC / 2 play 10C / 3 play JS",
        "1 play QC / 2 play 10D / 3 play KS",
        "1 play 9S / 2 play 10H / 3 play AS",
        seats=3,
        rules=rules,
        small_table_cards=6,
        failed="bid",
    )
    assert done.scores == (3, -3, 1)


# Eight cards: seat 1 holds seven clubs, the left bower among them


EIGHT_TRICKS = ("9C 10C JC QC KC AC JS AS", "9D 10D JD QD KD AD 9S 10S", "9H 10H JH QH KH AH QS KS")
SEVEN_TRICKS = ("9C 10C JC QC KC AC JS 9S", "9D 10D JD QD KD AD 10S QS", "9H 10H JH QH KH AH KS AS")


@pytest.mark.parametrize(
    ("bid", "hands", "points"),
    [
        ("7", EIGHT_TRICKS, (8, 0, 0)),
        ("7", SEVEN_TRICKS, (7, 0, 1)),
        ("little", EIGHT_TRICKS, (8, 0, 0)),
        ("little", SEVEN_TRICKS, (-8, 0, 1)),
        ("big", EIGHT_TRICKS, (16, 0, 0)),
        ("big", SEVEN_TRICKS, (-16, 0, 1)),
    ],
)
@pytest.mark.parametrize("failed", ["bid", "all"])
def test_with_eight_cards_a_pepper_is_worth_eight_and_a_big_one_sixteen(
    bid: str, hands: tuple[str, ...], points: tuple[int, ...], failed: str
) -> None:
    passes = "" if bid == "big" else " / 2 pass / 3 pass"
    done = played(
        f"deal 3 / {hand_lines(hands)}", f"1 bid {bid}{passes} / 1 trump C", seats=3, rules="bowers", failed=failed
    )
    assert play_on(done).scores == points


@pytest.mark.parametrize(("failed", "cost"), [("all", -8), ("bid", -5)])
def test_with_eight_cards_a_failed_bid_costs_all_eight_tricks_or_the_bid(failed: str, cost: int) -> None:
    body = "1 bid 5 / 2 pass / 3 pass / 1 trump D"
    done = played(f"deal 3 / {hand_lines(EIGHT_TRICKS)}", body, seats=3, rules="bowers", failed=failed)
    play_on(done)
    assert done.match.deal.won[0] < 5
    assert done.scores[0] == cost


# Rule 7: the end


def test_28_and_29_bid_3_took_4_the_bidders_win_32_to_31() -> None:
    done = scored("3", 4, scores="28 29")
    assert done.scores == (32, 31)
    assert done.result["winners"] == [1]
    assert done.result["losers"] == [2]


def test_26_and_29_bid_4_took_4_the_defenders_win_though_the_bid_was_made() -> None:
    done = scored("4", 4, scores="26 29")
    assert done.scores == (30, 31)
    assert done.result["winners"] == [2]
    assert done.result["losers"] == [1]


def test_28_and_28_bid_3_took_3_another_deal() -> None:
    done = scored("3", 3, scores="28 28")
    assert done.scores == (31, 31)
    assert done.result["over"] is False
    assert done.result["winners"] == done.result["losers"] == []
    assert done.rule("deal") == ["ok"]


def test_a_side_below_30_does_not_win() -> None:
    assert scored("4", 4, scores="25 20").result["over"] is False


def test_a_side_with_30_wins_and_the_record_says_so() -> None:
    done = scored("4", 4, scores="26 20")
    assert done.last == "ok trick-won deal-scored match-won"
    assert dict(done.rulings[-1].notices[-1].facts) == {"winners": (1,), "scores": ((1, 30), (2, 22))}
    assert done.result["over"] is True
    assert done.result["to_act"] == []


@pytest.mark.parametrize(("target", "over"), [(4, True), (5, False), (999, False), (1, True)])
@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_the_target_is_an_option(target: int, over: bool, rules: str) -> None:
    assert scored("4", 4, target=target, rules=rules).result["over"] is over


def test_a_third_seat_with_the_same_highest_total_means_another_deal() -> None:
    assert scored("3", 3, seats=3, scores="27 27 29").result["over"] is False
    assert scored("3", 3, seats=3, scores="28 27 29").result["winners"] == [1]


def test_scores_that_tie_above_the_target_are_played_on_at_the_start_too() -> None:
    done = scored("3", 4, scores="31 31")
    assert done.scores == (35, 33)
    assert done.result["winners"] == [1]


def test_after_the_end_every_action_and_every_deal_is_refused() -> None:
    done = scored("4", 4, scores="26 20")
    assert done.rule("1 bid 1 / 2 pass / 3 play 9C / 4 trump C / 1 meld 9C") == ["match-over"] * 4 + ["unknown-action"]
    assert done.rule("deal 1") == ["match-over"]
