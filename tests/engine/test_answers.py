"""What a check answers: the values of each line and of the result, and the words of a refusal."""

from typing import Any

import pytest
from tables import ONE_SUIT_EACH, deal_line, header, play_on, played

from engine.answers import Answer, answer_values, check_record, result_values
from engine.entries import Deal
from engine.match import view
from engine.record import read_record
from engine.view import DIRECTOR, Auction, Score, Trick


def answers(body: str, **heading: Any) -> list[dict[str, Any]]:
    text = f"{header(**heading)}\n{body}\n".replace(" / ", "\n")
    referee, rulings = check_record(read_record(text))
    return [answer_values(referee, answer, None) for answer in rulings]


def test_an_accepted_action_has_its_line_seat_text_and_notices() -> None:
    last = answers("deal 4 / 1 bid big", hands="concealed")[-1]
    assert last == {
        "line": 6,
        "seat": 1,
        "action": "bid big",
        "verdict": "ok",
        "code": None,
        "notices": [{"code": "auction-won", "seat": 1, "bid": "big"}],
        "message": None,
    }


def test_a_refused_action_has_its_code_and_no_notices() -> None:
    last = answers("deal 4 / 2 bid big", hands="concealed")[-1]
    assert (last["seat"], last["verdict"], last["code"], last["notices"]) == (2, "refused", "not-your-turn", [])


def test_the_seat_of_a_deal_is_the_dealer_and_its_action_is_deal() -> None:
    first, _, second = answers("deal 3 / director void / deal", hands="concealed")
    assert (first["seat"], first["action"]) == (3, "deal")
    assert (second["seat"], second["action"]) == (3, "deal")


def test_the_seat_of_a_directors_line_is_null_and_that_of_an_undo_the_seat_that_asked() -> None:
    rows = answers("deal 4 / director turn = 2 / 3 undo / director undo", hands="concealed")
    assert [(row["seat"], row["action"]) for row in rows[1:]] == [
        (None, "director turn = 2"),
        (3, "undo"),
        (None, "director undo"),
    ]


@pytest.mark.parametrize(
    "action",
    [
        "bid 1",
        "bid 7",
        "bid little",
        "bid big",
        "pass",
        "trump C",
        "trump none",
        "play 10S",
        "play JK",
        "meld 9C 10C",
    ],
)
def test_an_action_is_answered_in_the_notation_of_records(action: str) -> None:
    assert answers(f"deal 4 / 1 {action}", hands="concealed")[-1]["action"] == action


def test_cards_in_notices_are_texts_and_figures_by_side_an_object() -> None:
    done = play_on(played(deal_line(4), "1 bid big / 1 trump none", scores="20 1"))
    referee = done.referee
    row = answer_values(referee, Answer(99, done.rulings[-1]), None)
    assert row["notices"] == [
        {"code": "trick-won", "seat": 1, "trick": 6},
        {"code": "deal-scored", "points": {"1": 12, "2": 0}, "scores": {"1": 32, "2": 1}},
        {"code": "match-won", "winners": [1], "scores": {"1": 32, "2": 1}},
    ]


def test_the_result_of_a_running_deal() -> None:
    done = played("deal 4", "1 bid 2", hands="concealed", scores="3 4")
    assert result_values(done.referee) == {
        "deals": 0,
        "over": False,
        "scores": {"1": 3, "2": 4},
        "winners": [],
        "losers": [],
        "to_act": [2],
        "irregularities": [],
    }


def test_the_result_of_a_won_match() -> None:
    done = play_on(played(deal_line(4), "1 bid big / 1 trump none", scores="20 1"))
    assert done.result == {
        "deals": 1,
        "over": True,
        "scores": {"1": 32, "2": 1},
        "winners": [1],
        "losers": [2],
        "to_act": [],
        "irregularities": [],
    }


def test_all_sides_that_did_not_win_have_lost() -> None:
    done = play_on(played(deal_line(3, ONE_SUIT_EACH[:3]), "1 bid big / 1 trump none", seats=3, scores="20 1 2"))
    assert done.result["scores"] == {"1": 32, "2": 1, "3": 2}
    assert done.result["losers"] == [2, 3]


@pytest.mark.parametrize("ending", ["1 pass / 2 pass / 3 pass / 4 pass", "director void", "director void match"])
def test_deals_that_were_passed_out_or_thrown_in_do_not_count(ending: str) -> None:
    assert played("deal 4", ending, hands="concealed").result["deals"] == 0


def test_thrown_in_stands_on_the_last_pass_and_on_the_void() -> None:
    passes = answers("deal 4 / 1 pass / 2 pass / 3 pass / 4 pass", hands="concealed")
    assert [row["notices"] for row in passes[1:]] == [[], [], [], [{"code": "thrown-in"}]]
    assert answers("deal 4 / director void", hands="concealed")[-1]["notices"] == [{"code": "thrown-in"}]


def test_an_irregularity_is_its_notice_with_the_line_in_front() -> None:
    done = played("deal 4", "director void", "deal 2", hands="concealed")
    assert done.result["irregularities"] == [{"line": 7, "code": "wrong-dealer", "seat": 2, "expected": 4}]
    assert next(iter(done.result["irregularities"][0])) == "line"


def test_a_deal_without_a_written_dealer_is_answered_with_the_one_that_dealt() -> None:
    done = played("deal 4", "1 pass / 2 pass / 3 pass / 4 pass", "deal", hands="concealed")
    entry = done.rulings[-1].entry
    assert isinstance(entry, Deal)
    assert entry.dealer == 1


# Blocks of a view


def test_a_view_shows_the_auction() -> None:
    done = played("deal 4", "1 bid 2 / 2 pass / 3 bid little", hands="concealed")
    block = next(block for block in view(done.match, 1).blocks if isinstance(block, Auction))
    assert block == Auction(((1, "2"), (2, "pass"), (3, "little")), 3, "little", None)


def test_a_view_shows_an_auction_without_a_bid() -> None:
    done = played("deal 4", "1 pass", hands="concealed")
    block = next(block for block in view(done.match, 1).blocks if isinstance(block, Auction))
    assert block == Auction(((1, "pass"),), None, None, None)


def test_a_view_shows_the_running_trick_the_last_one_and_the_tricks_won() -> None:
    body = "1 bid big / 1 trump D / 1 play 9C / 2 play 9D / 3 play 9H / 4 play 9S / 2 play 10D / 3 play 10H"
    done = played(deal_line(4), body)
    block = next(block for block in view(done.match, DIRECTOR).blocks if isinstance(block, Trick))
    assert block.number == 2
    assert [(seat, str(card)) for seat, card in block.plays] == [(2, "10D"), (3, "10H")]
    assert [(seat, str(card)) for seat, card in block.last] == [(1, "9C"), (2, "9D"), (3, "9H"), (4, "9S")]
    assert (block.winner, block.won) == (2, (0, 1, 0, 0))


def test_a_view_shows_the_trump_once_it_is_named() -> None:
    done = played(deal_line(4), "1 bid big / 1 trump none")
    block = next(block for block in view(done.match, 2).blocks if isinstance(block, Auction))
    assert (block.bidder, block.bid, block.trump) == (1, "big", "none")


def test_a_view_shows_the_totals_and_the_winners() -> None:
    done = play_on(played(deal_line(4), "1 bid big / 1 trump none", scores="20 1"))
    block = next(block for block in view(done.match, 2).blocks if isinstance(block, Score))
    assert block == Score(((1, 3), (2, 4)), (32, 1), 30, 1, True, (1,))
