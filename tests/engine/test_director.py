"""The director's rulings: each form, each refusal, and what it changes."""

from typing import Any

import pytest
from tables import BY_RANK, ONE_SUIT_EACH, Played, deal_line, one_takes, play_on, played

from engine import entries
from engine.match import Standing, check

PASSED_OUT = "1 pass / 2 pass / 3 pass / 4 pass"


def concealed(*lines: str, **heading: Any) -> Played:
    return played("deal 4", *lines, hands="concealed", **heading)


def finished(**heading: Any) -> Played:
    """A complete deal: seat 1 bid 4 and took 4."""
    hands, trump = one_takes(4)
    return play_on(played(deal_line(4, hands), f"1 bid 4 / 2 pass / 3 pass / 4 pass / 1 trump {trump}", **heading))


# score


def test_the_director_sets_a_sides_score() -> None:
    assert concealed("director score 2 = 17 / director score 1 = -3").scores == (-3, 17)


def test_a_score_set_in_a_running_deal_is_added_to_at_its_end() -> None:
    hands, trump = one_takes(4)
    done = played(deal_line(4, hands), "director score 1 = 10 / 1 bid 4 / 2 pass / 3 pass / 4 pass", f"1 trump {trump}")
    assert play_on(done).scores == (14, 2)


def test_a_score_can_end_the_match_at_once_between_deals() -> None:
    done = finished()
    assert done.rule("director score 1 = 30") == ["ok match-won"]
    assert done.result["winners"] == [1]


def test_a_score_set_in_a_running_deal_ends_the_match_at_the_end_of_the_deal() -> None:
    done = concealed("director score 2 = 31 / 1 pass / 2 pass / 3 pass")
    assert done.result["over"] is False
    assert done.rule("4 pass") == ["ok thrown-in match-won"]
    assert done.result["winners"] == [2]


def test_a_score_set_in_a_deal_that_is_thrown_in_stays_and_can_end_the_match() -> None:
    done = concealed("director score 2 = 31 / director void")
    assert done.last == "ok thrown-in match-won"
    assert done.scores == (0, 31)
    assert concealed("director score 2 = 12 / director void").scores == (0, 12)


def test_a_score_set_after_a_won_match_can_open_it_again() -> None:
    done = finished(scores="26 20")
    won = done.result["over"]
    assert won is True
    assert done.rule("director score 1 = 29") == ["ok"]
    assert done.result["over"] is False
    assert done.result["winners"] == []
    assert done.rule("deal") == ["ok"]
    assert done.match.dealer == 1


def test_a_score_set_after_a_won_match_can_make_another_side_win() -> None:
    done = finished(scores="26 20")
    assert done.rule("director score 2 = 31") == ["ok match-won"]
    assert done.result["winners"] == [2]


def test_a_score_that_leaves_the_winner_does_not_tell_the_win_again() -> None:
    done = finished(scores="26 20")
    assert done.rule("director score 2 = 21") == ["ok"]
    assert done.result["winners"] == [1]


def test_a_score_set_after_a_void_match_cannot_open_it_or_win_it() -> None:
    done = concealed("director void match / director score 1 = 40")
    assert done.last == "ok"
    assert done.result["over"] is True
    assert done.result["winners"] == []
    assert done.rule("deal") == ["match-over"]


def test_a_score_that_ties_does_not_end_the_match() -> None:
    done = finished(scores="20 28")
    assert done.rule("director score 1 = 30") == ["ok"]
    assert done.result["over"] is False


# void


def test_a_void_throws_the_deal_in_and_the_same_dealer_deals_again() -> None:
    done = concealed("1 bid 3 / director void")
    assert done.last == "ok thrown-in"
    assert done.result["to_act"] == []
    assert done.result["deals"] == 0
    assert done.rule("1 bid 4 / deal") == ["deal-over", "ok"]
    assert done.match.dealer == 4


def test_a_void_outside_a_deal_is_a_wrong_phase() -> None:
    done = concealed("director void / director void")
    assert done.last == "wrong-phase"
    assert finished().rule("director void") == ["wrong-phase"]
    assert concealed("director undo / director void").last == "wrong-phase"
    assert concealed("director void match / director void").last == "wrong-phase"


# void match


def test_a_void_match_ends_without_a_winner() -> None:
    done = concealed("director score 1 = 40 / 1 bid 2 / director void match", scores="10 29")
    assert done.last == "ok"
    result = done.result
    assert (result["over"], result["winners"], result["losers"], result["to_act"]) == (True, [], [], [])


def test_a_won_match_can_be_made_void() -> None:
    done = finished(scores="26 20")
    assert done.rule("director void match") == ["ok"]
    assert (done.result["over"], done.result["winners"], done.result["losers"]) == (True, [], [])


def test_a_second_void_match_is_refused() -> None:
    assert concealed("director void match / director void match").last == "match-over"


# dealer


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_the_director_names_the_dealer_before_the_first_action(seat: int) -> None:
    done = concealed(f"director dealer = {seat}")
    assert done.last == "ok"
    assert done.result["to_act"] == [seat % 4 + 1]


def test_after_the_first_action_the_dealer_stands() -> None:
    assert concealed("1 pass / director dealer = 2").last == "wrong-phase"
    assert concealed("1 bid big / 1 trump H / 1 play 9C / director dealer = 2").last == "wrong-phase"


def test_after_the_first_action_was_undone_the_dealer_can_be_named() -> None:
    assert concealed("1 pass / 1 undo / director dealer = 2").last == "ok"


def test_the_directors_own_lines_are_no_first_action() -> None:
    assert concealed("director turn = 3 / director score 1 = 3 / director dealer = 2").last == "ok"


def test_the_rotation_goes_on_from_the_dealer_whom_the_director_named() -> None:
    done = concealed("director dealer = 2 / 3 pass / 4 pass / 1 pass / 2 pass / deal")
    assert done.match.dealer == 3
    assert done.result["irregularities"] == []


@pytest.mark.parametrize("line", ["director dealer = 2", "director hand 1: 9C 10C JC QC KC AC", "director turn = 2"])
def test_without_a_running_deal_a_dealer_a_hand_and_a_turn_are_a_wrong_phase(line: str) -> None:
    assert concealed(f"director void / {line}").last == "wrong-phase"
    assert concealed(f"{PASSED_OUT} / {line}").last == "wrong-phase"
    assert concealed(f"director undo / {line}").last == "wrong-phase"
    assert concealed(f"director void match / {line}").last == "wrong-phase"


# turn


def test_in_the_auction_a_seat_that_is_in_it_can_be_given_the_turn() -> None:
    done = concealed("1 bid 1 / director turn = 4 / 4 bid 2")
    assert done.verdicts[-2:] == ["ok", "ok"]
    assert done.result["to_act"] == [1]


def test_a_seat_that_is_out_of_the_auction_cannot_be_given_the_turn() -> None:
    assert concealed("1 pass / director turn = 1").last == "wrong-phase"


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_the_seat_with_the_standing_bid_cannot_be_given_the_turn(rules: str) -> None:
    assert concealed("1 bid 2 / director turn = 1", rules=rules).last == "wrong-phase"


def test_with_rebid_a_seat_that_passed_can_be_given_the_turn() -> None:
    done = concealed("1 pass / director turn = 1 / 1 bid 2", rules="bowers")
    assert done.verdicts[-2:] == ["ok", "ok"]


def test_between_tricks_any_seat_can_be_given_the_lead() -> None:
    done = concealed("1 bid big / 1 trump H / director turn = 3 / 3 play 9C / 4 play 10C / 1 play JC / 2 play QC")
    assert done.verdicts[-1] == "ok trick-won"
    assert done.result["to_act"] == [2]


def test_within_a_trick_a_seat_that_has_not_played_can_be_given_the_turn() -> None:
    done = concealed("1 bid big / 1 trump H / 1 play 9C / director turn = 4 / 4 play 10C / 2 play JC / 3 play QC")
    assert done.verdicts[-4:] == ["ok", "ok", "ok", "ok trick-won"]


def test_a_seat_that_has_played_to_the_trick_cannot_be_given_the_turn() -> None:
    assert concealed("1 bid big / 1 trump H / 1 play 9C / director turn = 1").last == "wrong-phase"


def test_nobody_but_the_bidder_can_be_given_the_naming_of_trump() -> None:
    assert concealed("1 bid big / director turn = 2").last == "wrong-phase"


def test_the_partner_who_laid_the_hand_down_cannot_be_given_the_turn() -> None:
    done = concealed("1 bid big / 1 trump H / director turn = 3", rules="bowers")
    assert done.last == "wrong-phase"


# hand


def test_the_director_says_what_a_hand_really_holds() -> None:
    done = concealed("director hand 1: 9C 10C JC QC KC AC / 1 bid big / 1 trump H / 1 play 9D / 1 play 9C / 2 play 10C")
    assert done.verdicts[-3:] == ["not-in-hand", "ok", "not-in-hand"]


def test_the_director_can_say_that_a_hand_is_not_known() -> None:
    done = played(deal_line(3, ONE_SUIT_EACH[:3]), "director hand 1: ?? ?? ?? 9C 10C JC", seats=3)
    assert done.last == "ok"
    assert done.rule("1 bid big / 1 trump H / 1 play AS") == ["ok auction-won", "ok", "ok"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("9H 10H JH QH KH", "wrong-count"),
        ("9H 10H JH QH KH AH 9S", "wrong-count"),
        ("", "wrong-count"),
        ("9D 9D 2C 3C 4C", "wrong-count"),
        ("9H 9H JH QH KH AH", "duplicate-card"),
        ("9C 10H JH QH KH AH", "duplicate-card"),
        ("9C 2C JH QH KH AH", "duplicate-card"),
        ("2C 10H JH QH KH AH", "not-in-pack"),
        ("JK 10H JH QH KH AH", "not-in-pack"),
        ("9H 10H JH QH KH AH", "ok"),
        ("9H 10H ?? ?? ?? ??", "ok"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(cards: str, code: str) -> None:
    done = concealed("director hand 1: 9C 10C JC QC KC AC", f"director hand 3: {cards}")
    assert done.last == code


def test_a_card_that_was_played_is_in_no_hand() -> None:
    done = concealed("1 bid big / 1 trump H / 1 play 9C / director hand 2: 9C 10C JC QC KC AC")
    assert done.last == "duplicate-card"


def test_a_hand_has_as_many_cards_as_it_still_holds() -> None:
    body = "1 bid big / 1 trump H / 1 play 9C"
    assert concealed(body, "director hand 1: 10C JC QC KC AC").last == "ok"
    assert concealed(body, "director hand 1: 10C JC QC KC AC 9D").last == "wrong-count"


def test_a_hand_is_wrong_count_before_a_foreign_card_is_named() -> None:
    assert concealed("director hand 1: 2C 2C").last == "wrong-count"


# name


def test_the_director_says_who_sits_at_a_seat() -> None:
    done = concealed("director name 2 = Ben the Second / director name 4 = Dan")
    assert done.match.names == ("", "Ben the Second", "", "Dan")


@pytest.mark.parametrize("before", ["director void", "director void match", PASSED_OUT, "director undo"])
def test_a_name_can_be_said_at_any_time(before: str) -> None:
    assert concealed(before, "director name 1 = Ann").last == "ok"


# accept


def test_accept_without_that_irregularity_is_a_wrong_phase() -> None:
    assert concealed("director accept wrong-dealer").last == "wrong-phase"
    assert concealed("director accept nonsense").last == "wrong-phase"


def test_a_second_accept_of_the_same_irregularity_is_a_wrong_phase() -> None:
    done = concealed("director void / deal 2 / director accept wrong-dealer / director accept wrong-dealer")
    assert done.verdicts[-3:] == ["ok wrong-dealer", "ok", "wrong-phase"]


def test_an_accepted_irregularity_stays_in_the_result() -> None:
    done = concealed("director void / deal 2 / director accept wrong-dealer")
    assert len(done.result["irregularities"]) == 1


def test_an_accept_that_was_undone_can_be_made_again() -> None:
    done = concealed("director void / deal 2 / director accept wrong-dealer / director undo")
    assert done.rule("director accept wrong-dealer") == ["ok"]


def test_accept_signs_the_oldest_first() -> None:
    done = concealed("director void / deal 2 / director void / deal 3 / director accept wrong-dealer")
    assert [noted.accepted for noted in done.match.irregularities] == [True, False]


# Wrong dealer


def test_another_dealer_than_the_rotation_gives_is_noted_not_refused() -> None:
    done = concealed(f"{PASSED_OUT} / deal 3")
    assert done.last == "ok wrong-dealer"
    assert done.result["irregularities"] == [{"line": 10, "code": "wrong-dealer", "seat": 3, "expected": 1}]
    assert done.result["to_act"] == [4]


def test_after_a_wrong_dealer_the_rotation_goes_on_from_the_seat_that_dealt() -> None:
    done = concealed(f"{PASSED_OUT} / deal 3 / 4 pass / 1 pass / 2 pass / 3 pass / deal 4 / director void / deal")
    assert done.verdicts[-1] == "ok"
    assert done.match.dealer == 4
    assert len(done.match.irregularities) == 1


def test_a_wrong_dealer_whose_deal_is_thrown_in_by_the_director_deals_again() -> None:
    done = concealed(f"{PASSED_OUT} / deal 3 / director void / deal")
    assert done.verdicts[-3:] == ["ok wrong-dealer", "ok thrown-in", "ok"]
    assert done.match.dealer == 3


def test_the_first_dealer_is_chosen_by_lot() -> None:
    for seat in (1, 2, 3, 4):
        assert played(deal_line(seat)).verdicts == ["ok"]


def test_after_a_thrown_in_deal_the_next_dealer_is_another_one_than_the_same() -> None:
    assert concealed(f"{PASSED_OUT} / deal 4").last == "ok wrong-dealer"
    assert concealed("director void / deal 1").last == "ok wrong-dealer"


# The rulings as values


def test_an_undo_is_judged_by_the_referee_and_not_by_the_match() -> None:
    with pytest.raises(TypeError, match="referee"):
        check(concealed().match, entries.Undo(None))


@pytest.mark.parametrize("bad", ["director penalty revoke = fail-bid", "director accept revoke", "director turn = 1"])
def test_a_refused_ruling_changes_nothing(bad: str) -> None:
    done = concealed("1 pass")
    before = done.match
    assert done.rule(bad) == ["wrong-phase"]
    assert done.match == before


def test_the_referee_says_what_it_would_rule_and_changes_nothing() -> None:
    done = played(deal_line(4, BY_RANK), "1 bid 2")
    before = done.match
    assert done.referee.check(entries.VoidDeal()) is None
    assert done.referee.check(entries.Undo(3)) is None
    assert done.match == before
    assert done.match.standing is Standing.RUNNING
