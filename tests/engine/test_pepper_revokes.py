"""Pepper: what a table that has not seen the hands can refuse, and the revokes that a later card proves."""

from typing import Any

import pytest
from tables import Played, hand_lines, played

from engine.cards import Card

AUCTION = "1 bid 2 / 2 pass / 3 pass / 4 pass / 1 trump H"


def concealed(*tricks: str, hands: tuple[str, ...] = (), auction: str = AUCTION, **heading: Any) -> Played:
    """A deal by seat 4 with hands that nobody has seen, or only those given."""
    return played(
        f"deal 4 / {hand_lines(hands)}" if hands else "deal 4", auction, *tricks, hands="concealed", **heading
    )


def plays(first: int, cards: str) -> str:
    """A trick clockwise from this seat."""
    return " / ".join(f"{(first - 1 + step) % 4 + 1} play {card}" for step, card in enumerate(cards.split()))


def revokes(done: Played, place: int = -1) -> list[dict[str, object]]:
    """The facts of the revokes noted on an entry."""
    return [dict(notice.facts) for notice in done.rulings[place].notices if notice.code == "revoke"]


# What is certainly wrong


def test_a_card_that_lies_in_another_known_hand_is_refused() -> None:
    done = concealed("1 play 9D", hands=("", "9D 10D JD QD KD AD"))
    assert done.last == "not-in-hand"


def test_a_card_that_has_been_played_is_refused() -> None:
    assert concealed("1 play 9D / 2 play 9D").verdicts[-2:] == ["ok", "not-in-hand"]


def test_a_card_of_no_pack_is_refused() -> None:
    assert concealed("1 play 8D / 1 play JK / 1 play 9D'2").verdicts[-3:] == ["not-in-hand"] * 3


def test_an_unseen_card_may_be_played_by_a_hand_that_nobody_has_seen() -> None:
    assert concealed(plays(1, "9D AS 9C 9H")).last == "ok trick-won"


def test_a_known_card_must_follow_though_the_rest_of_the_hand_is_not_known() -> None:
    done = concealed("1 play 9D / 2 play AS / 2 play 10D", hands=("", "10D ?? ?? ?? ?? ??"))
    assert done.verdicts[-3:] == ["ok", "must-follow-suit", "ok"]


def test_a_hand_that_may_or_may_not_hold_the_suit_is_believed() -> None:
    done = concealed("1 play 9D / 2 play AS", hands=("", "10C ?? ?? ?? ?? ??"))
    assert done.last == "ok"


def test_a_hand_known_by_exclusion_must_follow() -> None:
    hands = ("9C 10C JC QC KC AC", "", "9H 10H JH QH KH AH", "9S 10S JS QS KS AD")
    done = concealed("1 play 9C / 2 play 9D / 3 play 9H / 4 play AD", hands=hands)
    assert done.last == "ok trick-won"
    assert concealed("1 play 9C / 2 play AD", hands=hands).last == "not-in-hand"
    assert concealed("1 play 9C / 2 play AS / 3 play 9H / 4 play 9S / 3 play JH / 4 play 10S / 1 play 10C / 2 play 9D",
                     hands=hands).last == "ok trick-won"  # fmt: skip


def test_three_seats_are_not_known_by_exclusion_while_cards_are_out() -> None:
    hands = ("9C 10C JC QC KC AC", "9D 10D JD QD KD AD", "")
    done = played(
        f"deal 3 / {hand_lines(hands)}", "1 bid big / 1 trump C / 1 play 9C / 2 play 9D / 3 play AS",
        seats=3, hands="concealed",
    )  # fmt: skip
    assert done.last == "ok trick-won"


# Revokes


def test_a_later_card_of_the_suit_that_was_not_followed_proves_a_revoke() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play JD")
    assert done.last == "ok revoke"
    assert revokes(done) == [{"seat": 2, "trick": 1, "played": Card("9S"), "card": Card("JD")}]


def test_a_revoke_is_listed_in_the_result_with_its_line() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play JD")
    assert done.result["irregularities"] == [
        {"line": 16, "code": "revoke", "seat": 2, "trick": 1, "played": "9S", "card": "JD"}
    ]


def test_a_card_of_another_suit_proves_nothing() -> None:
    assert concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play 10S").last == "ok"


def test_the_same_card_of_another_seat_proves_nothing() -> None:
    assert concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play 9C / 3 play JD").last == "ok"


def test_one_card_proves_each_trick_that_was_not_followed() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), plays(1, "KD 10S JD 9C"), "1 play AC / 2 play QD")
    assert done.last == "ok revoke revoke"
    assert [(facts["trick"], facts["played"]) for facts in revokes(done)] == [(1, Card("9S")), (2, Card("10S"))]


def test_a_trick_is_proven_once() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), plays(1, "AC JD 9C 10C"), "1 play KC / 2 play QD")
    assert done.verdicts[-5] == "ok revoke"
    assert done.last == "ok"


def test_leading_the_suit_proves_a_revoke_too() -> None:
    done = concealed(plays(1, "AD 9H 9D 10D"), "2 play JD")
    assert done.last == "ok revoke"
    assert revokes(done)[0]["trick"] == 1


def test_revokes_in_two_suits_are_proven_by_their_own_cards() -> None:
    done = concealed(
        plays(1, "AD 9S 9D 10D"), plays(1, "AC 10S 9C 10C"), plays(1, "KC JD KS JC"), "1 play QC / 2 play KC"
    )
    assert done.verdicts[-5] == "ok revoke"
    assert done.last == "not-in-hand"
    done.rule("2 play QS / 3 play JS / 4 play AS / 1 play KH")
    assert done.rule("2 play KD") == ["ok"]


@pytest.mark.parametrize(("rules", "verdict"), [("standard", "ok"), ("bowers", "ok revoke")])
def test_the_left_bower_proves_that_trumps_were_not_followed(rules: str, verdict: str) -> None:
    done = concealed(plays(1, "AH 9S 9H 10H"), "1 play AC / 2 play JD", rules=rules, big_pepper_alone="false",
                     auction="1 bid big / 1 trump H")  # fmt: skip
    assert done.last == verdict


@pytest.mark.parametrize(("rules", "verdict"), [("standard", "ok revoke"), ("bowers", "ok")])
def test_the_left_bower_proves_nothing_about_the_suit_that_it_shows(rules: str, verdict: str) -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play JD", rules=rules, big_pepper_alone="false",
                     auction="1 bid big / 1 trump H")  # fmt: skip
    assert done.last == verdict


def test_a_revoke_that_was_undone_is_gone() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), "1 play AC / 2 play JD / 2 undo")
    assert done.result["irregularities"] == []
    assert done.rule("2 play 9C") == ["ok"]


def test_a_claim_that_was_undone_is_forgotten() -> None:
    done = concealed("1 play AD / 2 play 9S / 2 undo / 2 play 9D / 3 play 10D / 4 play KD", "1 play AC / 2 play JD")
    assert done.last == "ok"


def test_the_next_deal_forgets_claims() -> None:
    done = concealed(plays(1, "AD 9S 9D 10D"), "director void / deal", AUCTION, "1 play AC / 2 play JD")
    assert done.last == "ok"


def test_in_a_tracked_deal_a_hand_corrected_by_the_director_can_prove_a_revoke() -> None:
    hands = ("AD KD QD 9C 10C JC", "9S 10S JS QS KS AS", "9D 10D QC KC AC 9H")
    done = played(
        f"deal 3 / {hand_lines(hands)}",
        "1 bid 2 / 2 pass / 3 pass / 1 trump none",
        "1 play AD / 2 play 9S / 3 play 9D",
        "director hand 2: JD 10S JS QS KS",
        "1 play KD / 2 play 10S / 2 play JD",
        seats=3,
    )
    assert done.verdicts[-3:] == ["ok", "must-follow-suit", "ok revoke"]


# `revoke_penalty`: six tricks of which seat 1 takes four and seat 4 two


HONEST = {
    1: plays(1, "AC 9C JC QC"),
    2: plays(1, "KC 10C 9H 9S"),
    3: plays(1, "AD 9D 10D JD"),
    4: plays(1, "KD QD 10H 10S"),
    5: plays(1, "KS JS JH AS"),
    6: plays(4, "AH QS KH QH"),
}

SEAT_2 = {3: plays(1, "AD JS 10D JD"), 5: plays(1, "KS 9D JH AS")}
"""A defender does not follow diamonds in trick 3 and shows the queen in trick 4."""

SEAT_3 = {3: plays(1, "AD 9D JH JD"), 4: plays(1, "KD QD 10D 10S"), 5: plays(1, "KS JS 10H AS")}
"""The bidder's partner does not follow diamonds in trick 3 and shows the ten in trick 4."""

SEATS_2_AND_3 = {3: plays(1, "AD JS JH JD"), 4: plays(1, "KD QD 10D 10S"), 5: plays(1, "KS 9D 10H AS")}
"""Both do it in trick 3, seat 2 with the earlier card."""

SEAT_3_BEFORE_2 = SEAT_2 | {1: plays(1, "AC 9C 9H QC"), 2: plays(1, "KC 10C JC 9S")}
"""Seat 3 does not follow clubs in trick 1, seat 2 diamonds in trick 3."""

SEAT_3_PROVEN_AFTER_2 = SEAT_2 | {1: plays(1, "AC 9C 9H QC"), 2: plays(1, "KC 10C QH 9S"), 6: plays(4, "AH QS KH JC")}
"""The same, but the club of seat 3 appears in the last trick only."""

SEATS_2_AND_4 = {3: plays(1, "AD JS 10D 10S"), 4: plays(1, "KD QD 10H JD"), 5: plays(1, "KS 9D JH AS")}


def full_deal(changes: dict[int, str], bid: str = "2", **heading: Any) -> Played:
    """The six tricks with these changes, seat 1 having bid so much."""
    passes = "" if bid == "big" else " / 2 pass / 3 pass / 4 pass"
    auction = f"1 bid {bid}{passes} / 1 trump none"
    done = concealed(*(HONEST | changes).values(), auction=auction, **heading)
    assert done.last.endswith("deal-scored")
    assert sum(done.match.deal.won) == 6
    return done


def test_a_deal_in_which_all_follow_has_no_irregularity() -> None:
    assert full_deal({}).result["irregularities"] == []


@pytest.mark.parametrize("changes", [SEAT_2, SEAT_3, SEATS_2_AND_3, SEAT_3_BEFORE_2, SEAT_3_PROVEN_AFTER_2])
@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_without_a_penalty_revokes_are_recorded_and_the_score_stands(changes: dict[int, str], rules: str) -> None:
    done = full_deal(changes, rules=rules)
    assert done.scores == (4, 2)
    assert done.result["irregularities"]


def test_with_fail_bid_and_no_revoke_the_score_stands() -> None:
    assert full_deal({}, revoke_penalty="fail-bid").scores == (4, 2)
    assert full_deal({}, "5", revoke_penalty="fail-bid").scores == (-5, 2)


@pytest.mark.parametrize(("bid", "points"), [("2", -2), ("4", -4), ("little", -6)])
def test_a_revoking_bidders_side_scores_as_if_the_bid_had_failed(bid: str, points: int) -> None:
    assert full_deal(SEAT_3, bid, revoke_penalty="fail-bid").scores == (points, 2)


def test_a_big_pepper_of_a_revoking_side_costs_twelve() -> None:
    assert full_deal(SEAT_3, "big", revoke_penalty="fail-bid").scores == (-12, 2)


@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_with_failed_all_a_revoking_bidders_side_loses_all_the_tricks(rules: str) -> None:
    done = full_deal(SEAT_3, rules=rules, failed="all", revoke_penalty="fail-bid")
    assert done.scores == (-6, 2)


@pytest.mark.parametrize(("bid", "points"), [("2", 4), ("4", 4), ("5", 5), ("little", 6), ("big", 12)])
def test_a_revoking_defenders_side_scores_nothing_and_the_bid_counts_as_made(bid: str, points: int) -> None:
    assert full_deal(SEAT_2, bid, revoke_penalty="fail-bid").scores == (points, 0)


def test_of_two_revokes_in_one_trick_the_card_played_earlier_counts() -> None:
    assert full_deal(SEATS_2_AND_3, revoke_penalty="fail-bid").scores == (4, 0)


@pytest.mark.parametrize("changes", [SEAT_3_BEFORE_2, SEAT_3_PROVEN_AFTER_2])
def test_of_two_revokes_that_of_the_earlier_trick_counts_however_late_it_is_proven(changes: dict[int, str]) -> None:
    done = full_deal(changes, revoke_penalty="fail-bid")
    assert {entry["seat"] for entry in done.result["irregularities"]} == {2, 3}
    assert done.scores == (-2, 2)


def test_of_several_defending_sides_each_that_revoked_scores_nothing() -> None:
    heading: dict[str, Any] = {"partners": "false", "revoke_penalty": "fail-bid"}
    assert full_deal({}, **heading).scores == (4, 0, 0, 2)
    assert full_deal(SEAT_2, **heading).scores == (4, 0, 0, 2)
    assert full_deal(SEATS_2_AND_4, **heading).scores == (4, 0, 0, 0)
    assert full_deal(SEATS_2_AND_4, "5", **heading).scores == (5, 0, 0, 0)


def test_a_partner_of_the_revoking_defender_scores_nothing_either() -> None:
    assert full_deal(SEATS_2_AND_4, revoke_penalty="fail-bid").scores == (4, 0)


# The director's choice


def before_trick_5(changes: dict[int, str], rulings: str, **heading: Any) -> Played:
    """The deal with rulings of the director between the fourth trick and the fifth."""
    tricks = HONEST | changes
    return full_deal(tricks | {4: f"{tricks[4]} / {rulings}"}, **heading)


def test_the_director_can_choose_the_penalty() -> None:
    done = before_trick_5(SEAT_2, "director penalty revoke = fail-bid")
    assert done.scores == (4, 0)
    assert "wrong-phase" not in done.verdicts


def test_the_director_can_waive_the_penalty() -> None:
    done = before_trick_5(SEAT_2, "director penalty revoke = none", revoke_penalty="fail-bid")
    assert done.scores == (4, 2)


def test_the_last_choice_of_the_director_holds() -> None:
    done = before_trick_5(SEAT_2, "director penalty revoke = fail-bid / director penalty revoke = none")
    assert done.scores == (4, 2)


def test_a_choice_that_was_undone_does_not_hold() -> None:
    assert before_trick_5(SEAT_2, "director penalty revoke = fail-bid / director undo").scores == (4, 2)


def test_the_choice_holds_for_all_revokes_of_the_running_deal() -> None:
    done = before_trick_5(SEAT_3_PROVEN_AFTER_2, "director penalty revoke = fail-bid")
    assert done.scores == (-2, 2)


def test_without_a_revoke_there_is_nothing_to_choose() -> None:
    done = before_trick_5({}, "director penalty revoke = fail-bid")
    assert done.verdicts.count("wrong-phase") == 1
    assert done.scores == (4, 2)


def test_after_the_deal_there_is_nothing_to_choose() -> None:
    done = full_deal(SEAT_2)
    assert done.rule("director penalty revoke = fail-bid") == ["wrong-phase"]
    assert done.scores == (4, 2)


def test_the_next_deal_has_the_penalty_of_the_options_again() -> None:
    done = before_trick_5(SEAT_2, "director penalty revoke = fail-bid")
    done.rule("deal")
    assert done.match.deal.penalty == "none"


def test_accept_signs_the_oldest_revoke_not_yet_accepted_and_not_twice() -> None:
    done = full_deal(SEATS_2_AND_3)
    assert done.rule("director accept revoke / director accept revoke / director accept revoke") == [
        "ok",
        "ok",
        "wrong-phase",
    ]
    done = full_deal(SEATS_2_AND_3)
    done.rule("director accept revoke")
    assert [noted.accepted for noted in done.match.irregularities] == [True, False]
