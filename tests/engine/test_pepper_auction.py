"""Pepper, rules 1 to 4: the deal, the auction, the naming of trump."""

from typing import Any

import pytest
from tables import ONE_SUIT_EACH, Played, deal_line, played

from engine.game import games
from engine.match import lay_table

PEPPER = games()["pepper"]


def auction(calls: str, dealer: int = 4, seats: int = 4, **heading: Any) -> Played:
    """An auction in a concealed deal, by seat 1 first unless another dealt."""
    return played(f"deal {dealer}", calls, hands="concealed", seats=seats, **heading)


# Rules 1 and 2: the deal


@pytest.mark.parametrize(
    ("seats", "rules", "places"),
    [
        (4, "standard", (2, 3, 4, 1) * 6),
        (3, "standard", (2, 3, 1) * 6),
        (2, "standard", (2, 1) * 6),
        (4, "bowers", (2, 3, 4, 1) * 6),
        (3, "bowers", (2, 3, 1) * 8),
        (2, "bowers", (2, 1, 0) * 8),
    ],
)
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(seats: int, rules: str, places: tuple[int, ...]) -> None:
    assert PEPPER.places(lay_table(PEPPER, seats, rules).rules, 1) == places


@pytest.mark.parametrize(("seats", "rules", "count"), [(2, "standard", 12), (3, "standard", 6), (4, "standard", 0)])
def test_the_rest_stays_face_down_and_unseen(seats: int, rules: str, count: int) -> None:
    assert auction("", seats=seats, dealer=seats, rules=rules).match.deal.hands.hidden == count


def test_two_bowers_have_a_dead_hand_of_eight() -> None:
    assert auction("", seats=2, dealer=2, rules="bowers").match.deal.hands.hidden == 8


@pytest.mark.parametrize("card", ["8C", "2D", "JK", "9C'2"])
def test_there_are_24_cards_nine_to_ace(card: str) -> None:
    hands = (ONE_SUIT_EACH[0].replace("9C", card), *ONE_SUIT_EACH[1:])
    assert played(deal_line(1, hands)).verdicts == ["not-in-pack"]


# Rule 3: the auction


@pytest.mark.parametrize("dealer", [1, 2, 3, 4])
def test_the_auction_begins_at_the_dealers_left(dealer: int) -> None:
    assert auction("", dealer).result["to_act"] == [dealer % 4 + 1]


def test_the_auction_goes_clockwise() -> None:
    done = auction("3 bid 1 / 4 bid 2 / 1 bid 3 / 2 bid 4 / 3 bid 5", dealer=2)
    assert done.verdicts == ["ok"] * 6
    assert done.result["to_act"] == [4]


def test_bids_rise_from_one_to_five_then_little_then_big() -> None:
    done = auction("1 bid 1 / 2 bid 2 / 3 bid 3 / 4 bid 4 / 1 bid 5 / 2 bid little / 3 bid big")
    assert done.verdicts == ["ok"] * 7 + ["ok auction-won"]


@pytest.mark.parametrize(
    ("standing", "bid"),
    [("1", "1"), ("3", "2"), ("3", "3"), ("little", "5"), ("little", "little"), ("5", "1")],
)
def test_each_bid_is_higher_than_the_last(standing: str, bid: str) -> None:
    done = auction(f"1 bid {standing} / 2 bid {bid}")
    assert done.last == "bid-too-low"
    assert done.result["to_act"] == [2]


def test_a_bid_may_skip_some() -> None:
    assert auction("1 bid 2 / 2 bid 5 / 3 bid big").last == "ok auction-won"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("bid", ["6", "7"])
def test_with_six_cards_bids_go_to_five(seats: int, bid: str) -> None:
    assert auction(f"1 bid {bid}", seats=seats, dealer=seats).last == "bid-out-of-range"


@pytest.mark.parametrize("seats", [2, 3])
def test_with_eight_cards_bids_go_to_seven(seats: int) -> None:
    done = auction("1 bid 6 / 2 bid 7", seats=seats, dealer=seats, small_table_cards=8)
    assert done.verdicts == ["ok"] * 3


def test_with_four_seats_there_are_six_cards_whatever_the_option() -> None:
    assert auction("1 bid 6", small_table_cards=8).last == "bid-out-of-range"


def test_a_bid_that_does_not_exist_here_is_out_of_range_before_it_is_too_low() -> None:
    assert auction("1 bid little / 2 bid 6").last == "bid-out-of-range"


def test_a_pass_is_final() -> None:
    done = auction("1 bid 1 / 2 pass / 3 bid 2 / 4 pass / 1 bid 3")
    assert done.result["to_act"] == [3]
    assert done.rule("2 bid 4 / 2 pass / 4 bid 4") == ["already-passed"] * 3


def test_the_auction_ends_when_one_bidder_is_left() -> None:
    done = auction("1 bid 2 / 2 pass / 3 bid 3 / 4 pass / 1 bid 4 / 3 pass")
    assert done.last == "ok auction-won"
    assert done.result["to_act"] == [1]


def test_two_pass_three_pass_four_pass_the_first_seat_plays_four_and_the_second_may_not_come_back() -> None:
    done = auction("1 bid 2 / 2 pass / 3 bid 3 / 4 pass / 1 bid 4 / 2 bid 5 / 3 pass")
    assert done.verdicts == ["ok"] * 6 + ["already-passed", "ok auction-won"]
    assert dict(done.rulings[-1].notices[0].facts) == {"seat": 1, "bid": "4"}


def test_an_opening_big_ends_the_auction_at_once() -> None:
    done = auction("1 bid big")
    assert done.last == "ok auction-won"
    assert done.result["to_act"] == [1]


def test_a_little_does_not_end_the_auction() -> None:
    assert auction("1 bid little").result["to_act"] == [2]


@pytest.mark.parametrize("call", ["bid 1", "bid 5", "bid big", "pass"])
def test_when_all_others_have_passed_without_a_bid_the_last_seat_may_bid_or_pass(call: str) -> None:
    done = auction(f"1 pass / 2 pass / 3 pass / 4 {call}")
    assert done.last == ("ok thrown-in" if call == "pass" else "ok auction-won")


def test_a_bid_by_the_last_seat_ends_the_auction() -> None:
    assert auction("1 pass / 2 pass / 3 pass / 4 bid 1").result["to_act"] == [4]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_when_all_pass_there_is_no_score_and_the_next_dealer_deals(seats: int, rules: str) -> None:
    passes = " / ".join(f"{seat} pass" for seat in range(1, seats + 1))
    done = auction(f"{passes} / deal", dealer=seats, seats=seats, rules=rules)
    assert done.verdicts[-2:] == ["ok thrown-in", "ok"]
    assert done.match.dealer == 1
    assert done.match.deals == 0
    assert set(done.scores) == {0}


# `rebid` (bowers)


def test_with_rebid_a_passed_seat_may_bid_again_while_the_auction_is_open() -> None:
    done = auction("1 bid 2 / 2 pass / 3 bid 3 / 4 pass / 1 pass / 2 bid 4", rules="bowers")
    assert done.last == "ok"
    assert done.result["to_act"] == [3]


def test_with_rebid_the_auction_ends_when_all_others_have_passed_since_the_last_bid() -> None:
    done = auction("1 bid 2 / 2 pass / 3 bid 3 / 4 pass / 1 pass / 2 pass", rules="bowers")
    assert done.last == "ok auction-won"
    assert done.result["to_act"] == [3]


def test_with_rebid_passes_before_the_first_bid_do_not_count() -> None:
    done = auction("1 pass / 2 pass / 3 pass / 4 bid 1", rules="bowers")
    assert done.last == "ok"
    assert done.rule("1 pass / 2 pass / 3 bid 2 / 4 pass / 1 pass / 2 pass")[-1] == "ok auction-won"


def test_with_rebid_and_no_bid_the_auction_ends_when_every_seat_has_passed_once() -> None:
    assert auction("1 pass / 2 pass / 3 pass / 4 pass", rules="bowers").last == "ok thrown-in"


def test_with_rebid_a_passed_seat_that_is_not_to_act_has_only_the_wrong_turn() -> None:
    done = auction("1 bid 2 / 2 pass / 2 bid 3 / 2 pass", rules="bowers")
    assert done.verdicts[-2:] == ["not-your-turn", "not-your-turn"]


@pytest.mark.parametrize(("rebid", "last"), [("true", "ok"), ("false", "ok auction-won")])
@pytest.mark.parametrize("rules", ["standard", "bowers"])
def test_rebid_works_alone(rules: str, rebid: str, last: str) -> None:
    assert auction("1 pass / 2 bid 1 / 3 pass / 4 pass", rules=rules, rebid=rebid).last == last


# Rule 4: trump


@pytest.mark.parametrize("trump", ["C", "D", "H", "S", "none", "c", "♥"])
def test_the_highest_bidder_names_a_suit_or_no_trump_then_leads(trump: str) -> None:
    done = auction(f"1 bid 2 / 2 bid 3 / 3 pass / 4 pass / 1 pass / 2 trump {trump}")
    assert done.last == "ok"
    assert done.result["to_act"] == [2]
    assert done.rule("2 play 9C") == ["ok"]


def test_the_bidder_may_lead_any_card() -> None:
    done = played(deal_line(4), "1 bid big / 1 trump D")
    assert done.legal == [f"play {card}" for card in ("AC", "9C", "10C", "JC", "QC", "KC")]


@pytest.mark.parametrize("action", ["play 9C", "bid 4", "pass"])
def test_before_the_trump_is_named_nothing_else_can_be_done(action: str) -> None:
    assert auction(f"1 bid big / 1 {action}").last == "wrong-phase"


def test_nobody_else_names_the_trump() -> None:
    assert auction("1 bid big / 3 trump H").last == "not-your-turn"
