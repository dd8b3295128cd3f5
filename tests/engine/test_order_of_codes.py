"""What an action is judged for, in which order, and what a deal's own lines are judged for."""

from typing import Any

import pytest
from tables import ONE_SUIT_EACH, Played, deal_line, hand_lines, played

UNKNOWN = "meld 9C 10C"


def at(place: str) -> Played:
    """A tracked table of four (seat 4 deals) at a named place of its first deal."""
    bodies = {
        "auction": "1 bid 2 / 2 pass",
        "trump": "1 bid big",
        "play": "1 bid big / 1 trump C / 1 play 9C",
        "deal over": "1 pass / 2 pass / 3 pass / 4 pass",
        "voided": "director void",
        "match over": "director void match",
        "won": "director score 1 = 40 / director void",
        "first deal undone": "director undo",
        "refused deal": "1 bid 2 / deal 1 / hand 1: 9C / hand 2: 9D / hand 3: 9H / hand 4: 9S",
    }
    return played(deal_line(4), bodies[place])


@pytest.mark.parametrize(
    "place",
    ["auction", "trump", "play", "deal over", "voided", "match over", "won", "first deal undone", "refused deal"],
)
def test_an_unknown_verb_is_that_before_all_else(place: str) -> None:
    done = at(place)
    assert done.rule(f"1 {UNKNOWN} / 4 fly / 2 draw-two") == ["unknown-action"] * 3


EVERY = "1 bid 1 / 2 pass / 3 trump H / 4 play 9S / 1 play 2C"


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("deal over", "deal-over"),
        ("voided", "deal-over"),
        ("match over", "match-over"),
        ("won", "match-over"),
        ("first deal undone", "wrong-phase"),
        ("refused deal", "wrong-phase"),
    ],
)
def test_without_a_running_deal_every_action_is_refused_for_that(place: str, code: str) -> None:
    assert at(place).rule(EVERY) == [code] * 5


def test_already_passed_comes_before_not_your_turn() -> None:
    assert at("auction").rule("2 bid 5 / 2 bid 1 / 2 bid 7 / 2 pass") == ["already-passed"] * 4


def test_already_passed_is_for_bids_and_passes_while_the_auction_runs() -> None:
    done = at("auction")
    assert done.rule("2 play 9D / 2 trump H") == ["not-your-turn"] * 2
    done.rule("3 pass / 4 pass")
    assert done.rule("2 bid 5 / 2 pass") == ["not-your-turn"] * 2


def test_not_your_turn_comes_before_wrong_phase() -> None:
    assert at("auction").rule("4 play 9S / 1 trump H / 4 play 2C") == ["not-your-turn"] * 3
    assert at("trump").rule("2 bid 1 / 3 play 9H / 4 trump C") == ["not-your-turn"] * 3
    assert at("play").rule("1 bid 1 / 3 pass / 4 trump C / 3 play AC") == ["not-your-turn"] * 4


def test_wrong_phase_comes_before_the_cards_and_the_bids() -> None:
    assert at("auction").rule("3 play 9C / 3 play 2C / 3 trump H") == ["wrong-phase"] * 3
    assert at("trump").rule("1 bid 1 / 1 bid 7 / 1 pass / 1 play 9D") == ["wrong-phase"] * 4
    assert at("play").rule("2 bid 1 / 2 bid 7 / 2 pass / 2 trump H") == ["wrong-phase"] * 4


def test_not_in_hand_comes_before_must_follow_suit() -> None:
    hands = ("9C 10C JC QC KC 9D", "AC 10D JD QD KD AD", *ONE_SUIT_EACH[2:])
    done = played(deal_line(4, hands), "1 bid big / 1 trump H / 1 play 9C")
    assert done.rule("2 play 9S / 2 play 9D / 2 play 2S / 2 play JK / 2 play 10D / 2 play AC") == [
        "not-in-hand", "not-in-hand", "not-in-hand", "not-in-hand", "must-follow-suit", "ok",
    ]  # fmt: skip


def test_bid_out_of_range_comes_before_bid_too_low() -> None:
    assert played(deal_line(4), "1 bid little / 2 bid 7 / 2 bid 5").verdicts[-2:] == ["bid-out-of-range", "bid-too-low"]


def test_a_refused_action_changes_nothing() -> None:
    done = at("play")
    before = done.match
    done.rule("2 play 9S / 1 bid 1 / 3 play 9H / 2 play 9C / 2 meld 9C / 2 pass / deal 1 / director accept revoke")
    assert done.match == before


def test_an_action_belongs_to_the_seat_that_did_it_though_it_had_no_right_to() -> None:
    done = at("play")
    done.rule("3 play 9H")
    assert done.match.deal.hands.size(3) == 6


# A deal's own lines


def deal_code(*hands: str, **heading: Any) -> str:
    return played(f"deal 1 / {hand_lines(hands)}", **heading).last


def test_one_physical_card_in_two_places_is_a_duplicate() -> None:
    assert deal_code("9C 10C JC QC KC AC", "9C 10D JD QD KD AD", *ONE_SUIT_EACH[2:]) == "duplicate-card"
    assert deal_code("9C 9C JC QC KC AC", *ONE_SUIT_EACH[1:]) == "duplicate-card"


@pytest.mark.parametrize("one", ["9C 10C JC QC KC", "9C 10C JC QC KC AC 9D"])
def test_a_hand_of_the_wrong_size_is_a_wrong_count(one: str) -> None:
    assert deal_code(one, "10D JD QD KD AD 2C", *ONE_SUIT_EACH[2:]) == "wrong-count"
    assert deal_code(one, hands="concealed") == "wrong-count"


def test_an_unknown_card_in_a_tracked_deal_is_a_wrong_count() -> None:
    assert deal_code("9C 10C JC QC KC ??", *ONE_SUIT_EACH[1:]) == "wrong-count"
    assert deal_code("9C 10C JC QC KC ??", hands="concealed") == "ok"


@pytest.mark.parametrize("card", ["2C", "8S", "JK", "JK'2", "9C'2"])
def test_a_card_that_this_game_does_not_use_is_not_in_the_pack(card: str) -> None:
    assert deal_code(f"{card} 10C JC QC KC AC", *ONE_SUIT_EACH[1:]) == "not-in-pack"


def test_six_cards_are_a_wrong_count_where_eight_are_dealt() -> None:
    assert deal_code(*ONE_SUIT_EACH[:3], seats=3, rules="bowers") == "wrong-count"
    assert deal_code(*ONE_SUIT_EACH[:3], seats=3, rules="bowers", small_table_cards=6) == "ok"


def test_of_several_the_duplicate_is_named_then_the_count_then_the_pack() -> None:
    rest = ONE_SUIT_EACH[2:]
    assert deal_code("2C 2C JC QC KC", "9D 10D JD QD KD AD", *rest) == "duplicate-card"
    assert deal_code("2C 3C JC QC KC", "9D 10D JD QD KD AD", *rest) == "wrong-count"
    assert deal_code("2C 3C JC QC KC AC", "9D 10D JD QD KD AD", *rest) == "not-in-pack"


def test_a_deal_while_the_one_before_has_not_ended_is_a_wrong_phase() -> None:
    assert played(deal_line(4), "1 bid 2", deal_line(1)).last == "wrong-phase"


def test_the_cards_of_a_deal_are_judged_before_its_phase_and_the_match() -> None:
    bad = deal_line(1, ("9C", *ONE_SUIT_EACH[1:]))
    assert played(deal_line(4), "1 bid 2", bad).last == "wrong-count"
    assert played(deal_line(4), "director void match", bad).last == "wrong-count"
    assert played(deal_line(4), "director void match", deal_line(1)).last == "match-over"


# After a refused deal


BAD = deal_line(1, ("9C", *ONE_SUIT_EACH[1:]))


def test_each_later_action_of_a_refused_deal_is_a_wrong_phase() -> None:
    assert played(BAD, "2 bid 1 / 2 pass / 3 play 9H / 2 bid 7").verdicts == ["wrong-count"] + ["wrong-phase"] * 4


def test_the_next_deal_line_opens_the_table_again() -> None:
    done = played(BAD, "2 bid 1", deal_line(1), "2 bid 1")
    assert done.verdicts == ["wrong-count", "wrong-phase", "ok", "ok"]


def test_the_lot_of_a_refused_first_deal_still_holds() -> None:
    done = played(BAD, f"deal / {hand_lines(ONE_SUIT_EACH)}")
    assert done.match.dealer == 1


def test_undo_in_a_refused_deal_takes_back_the_last_accepted_action_before_it() -> None:
    done = played(deal_line(4), "1 bid 2 / 2 pass", BAD, "3 pass / 3 undo / 2 pass")
    assert done.verdicts == ["ok", "ok", "ok", "wrong-count", "wrong-phase", "ok", "wrong-phase"]
    assert done.result["to_act"] == [2]


def test_undo_in_a_refused_first_deal_has_nothing_to_take_back() -> None:
    assert played(BAD, "1 undo").last == "nothing-to-undo"


def test_a_refused_deal_after_the_match_makes_actions_a_wrong_phase_too() -> None:
    done = played(deal_line(4), "director void match", deal_line(1), "2 bid 1 / 2 meld")
    assert done.verdicts[-3:] == ["match-over", "wrong-phase", "unknown-action"]


def test_the_directors_lines_in_a_refused_deal_act_on_the_deal_before_it() -> None:
    done = played(deal_line(4), "1 bid 2", BAD, "director turn = 3 / director score 1 = 7")
    assert done.verdicts[-2:] == ["ok", "ok"]
    assert done.result["to_act"] == [3]
    assert done.scores == (7, 0)


def test_a_deal_that_is_refused_is_not_counted_and_does_not_move_the_dealer() -> None:
    done = played(
        deal_line(4), "director void", deal_line(1, ("9C", *ONE_SUIT_EACH[1:])), f"deal / {hand_lines(ONE_SUIT_EACH)}"
    )
    assert done.last == "ok"
    assert done.match.dealer == 4
    assert done.result["irregularities"] == []


def test_a_joker_that_stands_for_a_card_is_a_card_that_this_game_does_not_use() -> None:
    done = played(
        deal_line(4), "1 bid 1 / 2 pass / 3 pass / 4 pass / 1 trump C / 1 play JK=9C / 1 play JK / 1 play JK'2=9C"
    )
    assert done.verdicts[-3:] == ["not-in-hand"] * 3
