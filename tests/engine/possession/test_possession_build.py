"""Possession, the handbook's turn: rules 3 to 6 and the options that belong to it."""

from typing import Any

import pytest
from possession_tables import Played, dealt, played, texts

from engine.cards import CARDS, Card, cards_of
from engine.hands import Hands
from engine.possession import GAME
from engine.possession.scoring import blocked_points

FILL = [f"{rank}{suit}" for suit in "HDSC" for rank in ("2", "3", "4", "5", "6", "7", "9", "10", "J", "Q", "K", "A")]
FILL += ["8C", "8D", "8H", "8S"]


def starting(top: str, hand: str, other: str = "", **heading: Any) -> Played:
    """A deal in which seat 1 is to act with these cards and others of other suits than the top card's."""
    used = set(f"{top} {hand} {other}".split())
    free = [card for card in FILL if card not in used and card[-1] != top[-1]]
    hands = []
    for cards in (hand, other):
        held = cards.split()
        hands.append(" ".join(held + [free.pop(0) for _ in range(9 - len(held))]))
    lines = f"deal 2 / turn-up: {top} / hand 1: {hands[0]} / hand 2: {hands[1]} / director turn = 1"
    return played(lines, **heading)


def plays(done: Played) -> set[str]:
    return {text.removeprefix("play ") for text in done.legal if text.startswith("play")}


@pytest.mark.parametrize(
    ("top", "hand", "legal"),
    [
        ("8C", "9C 10C JC 7C 8D", {"9C", "9C 10C", "9C 10C JC", "7C"}),
        ("KS", "QS AS 2S", {"QS"}),
        ("2S", "AS KS 3S", {"AS", "3S"}),
        ("8C", "9C 10C QC KC", {"9C", "9C 10C"}),
        ("AS", "KS 2S 3S", {"2S", "2S 3S"}),
        ("8C", "7C 6C 5C AC", {"7C", "7C 6C", "7C 6C 5C"}),
    ],
)
def test_the_worked_examples_of_legal_plays(top: str, hand: str, legal: set[str]) -> None:
    assert plays(starting(top, hand)) == legal


def test_without_a_legal_play_the_seat_draws() -> None:
    done = starting("8C", "7D 8H")
    assert plays(done) == set()
    assert done.legal[0] == "draw"
    assert "pass" not in done.legal


@pytest.mark.parametrize(
    ("play", "code"),
    [
        ("7C 9C", "not-consecutive"),
        ("8D", "wrong-suit"),
        ("9C 8D", "wrong-suit"),
        ("8D 9C", "wrong-suit"),
        ("10C", "not-adjacent"),
        ("10C JC", "not-adjacent"),
        ("9C 10C QC", "not-consecutive"),
        ("9C 10C 9C", "not-in-hand"),
        ("9C JC 10C", "not-consecutive"),
        ("9C'2", "not-in-hand"),
        ("JK", "not-in-hand"),
        ("JK=9C 10C", "not-in-hand"),
        ("AC", "not-in-hand"),
        ("9C'1", "ok"),
        ("9C 10C JC", "ok"),
    ],
)
def test_the_codes_of_a_play(play: str, code: str) -> None:
    assert starting("8C", "9C 10C JC QC 7C 8D", "AC").rule(f"1 play {play}") == [code]


def test_the_last_card_played_is_the_new_top_and_the_turn_goes_on_clockwise() -> None:
    done = starting("8C", "9C 10C", "JC 7C")
    assert done.rule("1 play 9C 10C / 2 play 7C / 2 play JC") == ["ok", "not-adjacent", "ok"]
    assert done.turn == (1,)


def test_draw_and_pass_are_refused_while_the_hand_certainly_holds_a_play() -> None:
    assert starting("8C", "9C").rule("1 draw / 1 draw 8S / 1 pass") == ["can-play", "can-play", "can-play"]


def test_a_pass_is_refused_while_a_card_can_be_drawn() -> None:
    assert starting("8C", "AC").rule("1 pass / 1 draw") == ["can-draw", "ok"]


def test_what_is_not_the_turn_of_a_seat_or_of_this_kind_of_game() -> None:
    done = starting("8C", "9C")
    assert done.rule("2 play 9C / 1 take / 1 meld 2C 3C 4C / 1 add 9C to 1 / 1 discard 9C / 1 trump C") == [
        "not-your-turn", "wrong-phase", "wrong-phase", "wrong-phase", "wrong-phase", "unknown-action",
    ]  # fmt: skip


def test_a_drawn_card_that_certainly_lies_elsewhere_is_refused() -> None:
    done = starting("8C", "AC", "KC")
    assert done.rule("1 draw KC / 1 draw AC / 1 draw 8C / 1 draw JK / 1 draw QC") == [*["not-in-hand"] * 4, "ok"]


def test_a_draw_of_a_card_that_lies_elsewhere_comes_before_can_play() -> None:
    assert starting("8C", "9C", "KC").rule("1 draw KC / 1 draw QC") == ["not-in-hand", "can-play"]


def test_a_drawn_card_is_held_and_can_be_played_next_turn() -> None:
    done = starting("8C", "AC", "KC")
    assert done.rule("1 draw 9C / 2 draw / 1 draw / 1 play 9C") == ["ok", "ok", "can-play", "ok"]


def test_a_draw_without_its_card_leaves_the_hand_partly_known() -> None:
    done = starting("8C", "AC", "KC")
    assert done.rule("1 draw / 2 draw / 1 draw / 2 draw / 1 play 9C 10C JC / 1 play 9C 10C") == [
        *["ok"] * 4, "not-in-hand", "ok",
    ]  # fmt: skip


# The order of the stock


STOCK = "QC 9C JH"


def test_with_a_stock_line_every_card_but_the_next_is_not_next() -> None:
    done = played(dealt("8C", "AC", "KC", stock=STOCK), "director turn = 1")
    assert done.rule("1 draw 9C / 1 draw KC / 1 draw AC / 1 draw JK / 1 draw") == [*["not-next"] * 4, "ok"]
    assert done.rule("2 draw 9C / 1 draw 9C") == ["ok", "not-next"]


def test_what_can_be_played_is_judged_before_the_order_of_the_stock() -> None:
    done = played(dealt("8C", "9S AC 7C", "KC", stock="QC 9C"), "director turn = 1")
    assert done.rule("1 draw 9C") == ["can-play"]


def test_the_cards_of_a_known_stock_are_in_no_hand() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 8H / 2 show 9H", hands="concealed")
    assert done.rule("1 play 9C") == ["ok"]
    lines = dealt("8C", "AC", "KC", stock="9C 7C").split(" / ")
    done = played(*[line for line in lines if not line.startswith("hand")], hands="concealed")
    assert done.rule("1 show 9C / 1 show 7C") == ["not-in-hand", "not-in-hand"]


# Refill (rule 4)


def drawn_out(top: str = "3H", **heading: Any) -> Played:
    """Seat 1 has played 4H 5H 6H on 3H; nobody can play; the whole stock of 33 cards is drawn, seat 1 is to act."""
    done = played(
        "deal 2 / turn-up: 3H / hand 1: 6H KS 8D 7C 4H 7D 7S AS 5H / hand 2: KC 10D 8C KD 9C 10S 5D 5S QS",
        "stock: 8H 2D 9H 4C 10H 2S KH AH 4D 3S 3C 4S 9S 2C JC QH 9D 8S 3D AC 6C 2H JS 6S 5C 10C 6D AD QC JD JH QD 7H",
        "1 play 4H 5H 6H",
        *[f"{number % 2 + 1} draw" for number in range(1, 34)],
        **heading,
    )
    assert set(done.verdicts[1:]) == {"ok"}
    return done


def test_the_discards_are_turned_over_and_the_oldest_is_drawn_next() -> None:
    done = drawn_out()
    assert done.rule("1 pass / 1 draw 4H / 1 draw 6H / 1 draw 3H") == ["can-draw", "not-next", "not-next", "ok refill"]
    assert done.facts("refill") == [{"seat": 1, "count": 3}]
    assert [CARDS[card] for card in done.deal.stock.places] == [Card("4H"), Card("5H")]
    assert [CARDS[card] for card in done.deal.discards] == [Card("6H")]
    assert done.rule("2 play 7H / 1 draw 5H / 1 draw 4H / 2 play 8H / 1 draw") == ["ok", "not-next", "ok", "ok", "ok"]


def test_the_order_after_a_refill_is_known_with_concealed_hands_too() -> None:
    done = played("deal 2 / turn-up: 3H / 1 show 3D / 2 show 2H / 1 play 4H 5H 6H", hands="concealed")
    done.rule(" / ".join(f"{number % 2 + 1} draw" for number in range(1, 34)))
    assert done.rule("1 draw 5H / 1 draw 7C / 1 draw") == ["not-next", "not-next", "ok refill"]
    assert done.rule("2 play 7H / 1 draw / 2 draw 4H / 2 draw / 1 play 3H") == [
        "ok",
        "ok",
        "not-next",
        "ok",
        "not-adjacent",
    ]
    assert done.deal.hands.known[0] >> Card("3H") & 1


def test_with_shuffle_on_refill_the_order_is_not_known_but_the_cards_are() -> None:
    done = drawn_out(shuffle_on_refill="true")
    assert done.rule("1 draw 6H / 1 draw 7C / 1 draw 5H") == ["not-in-hand", "not-in-hand", "ok refill"]
    assert done.rule("2 play 7H / 1 draw 5H / 1 draw 3H / 2 play 8H / 1 draw 9H / 1 draw 4H") == [
        "ok", "not-in-hand", "ok", "ok", "not-in-hand", "ok",
    ]  # fmt: skip


def test_an_unnamed_card_from_a_shuffled_refill_may_be_any_that_is_not_seen() -> None:
    done = drawn_out(shuffle_on_refill="true")
    assert done.rule("1 draw / 2 play 7H / 1 draw / 2 play 8H / 1 draw") == ["ok refill", "ok", "ok", "ok", "ok"]
    assert {Card("3H"), Card("4H"), Card("5H")} <= set(cards_of(done.deal.hands.known[0]))  # by exclusion
    done = drawn_out(shuffle_on_refill="true")
    done.rule("1 draw / 2 play 7H")
    assert done.deal.hands.unknown == (1, 0)
    assert set(done.legal) == {"draw", "draw 3H", "draw 4H", "draw 5H"}


def test_without_a_card_under_the_top_there_is_nothing_to_draw() -> None:
    done = played("deal 2 / turn-up: KC / 1 show KD / 2 show QS", hands="concealed")
    done.rule(" / ".join(f"{number % 2 + 1} draw" for number in range(33)))
    assert done.rule("2 draw / 2 draw QC / 2 draw JK / 2 pass") == [*["nothing-to-draw"] * 3, "ok"]


# The end of a hand (rules 5 and 6)


def test_the_hand_ends_when_a_last_card_is_played_and_the_others_score_their_cards() -> None:
    done = played("deal 2 / turn-up: KC / hand 1: QC JC 10C 9C 8C 7C 6C 5C 4C / hand 2: 2H 3H 4H 5H 6H 7H 8H 9H 10H",
                  "1 play QC JC 10C 9C 8C 7C 6C 5C / 2 draw / 1 play 4C", losing_score=99)  # fmt: skip
    assert done.last == "ok hand-out deal-scored"
    assert done.facts("hand-out") == [{"seat": 1}]
    assert done.scores == (0, 10)
    assert done.rule("2 draw") == ["deal-over"]


def test_the_hand_is_blocked_at_the_draw_that_needs_one_refill_too_many() -> None:
    done = drawn_out()
    assert done.rule("1 draw / 2 play 7H / 1 draw / 2 play 8H / 1 draw / 2 play 9H / 1 pass / 1 draw") == [
        "ok refill", "ok", "ok", "ok", "ok", "ok", "can-draw", "ok blocked deal-scored",
    ]  # fmt: skip
    assert done.facts("blocked") == [{"seat": 1, "cards": ((1, 25), (2, 23))}]
    assert done.scores == (2, 0)


@pytest.mark.parametrize("card", ["", " 3H", " 9C", " 6H", " JK"])
def test_the_blocking_draw_is_judged_as_if_no_card_were_written(card: str) -> None:
    done = drawn_out(max_refills=0)
    assert done.rule(f"1 pass / 1 draw{card}") == ["can-draw", "ok blocked deal-scored"]
    assert done.deal.hands.size(1) == 22


def test_more_refills_go_on() -> None:
    done = drawn_out(max_refills=2)
    done.rule("1 draw / 2 play 7H / 1 draw / 2 play 8H / 1 draw / 2 play 9H")
    assert done.rule("1 draw 6H") == ["ok refill"]


@pytest.mark.parametrize(("scoring", "points"), [("difference", (0, 1)), ("all", (25, 26))])
def test_the_hand_is_blocked_by_as_many_passes_as_seats(scoring: str, points: tuple[int, int]) -> None:
    done = played("deal 2 / turn-up: KC / 1 show QS / 2 show KD", hands="concealed", blocked_scoring=scoring,
                  losing_score=99)  # fmt: skip
    done.rule(" / ".join(f"{(number + 1) % 2 + 1} draw" for number in range(33)))
    assert done.rule("1 pass / 2 pass") == ["ok", "ok blocked deal-scored"]
    assert done.scores == points


def test_a_play_between_two_passes_lets_the_hand_go_on() -> None:
    done = played("deal 2 / turn-up: KC / 1 show QS / 2 show KD", hands="concealed")
    done.rule(" / ".join(f"{(number + 1) % 2 + 1} draw" for number in range(33)))
    assert done.rule("1 pass / 2 play QC / 1 draw") == ["ok", "ok", "ok refill"]


def test_blocked_hands_of_11_19_and_18_cards_score_nothing_8_and_7() -> None:
    rules = GAME.rules(3, False, GAME.rule_sets["standard"])
    assert blocked_points(rules, Hands((1, 0, 0), (10, 19, 18), 0, 0)) == (0, 8, 7)


# The match (rule 7)


FIRST_OUT = "hand 1: QC JC 10C 9C 8C 7C 6C 5C 4C / hand 2: 2H 3H 4H 5H 6H 7H 8H 9H 10H"


def test_a_seat_with_8_or_more_loses_and_the_lowest_total_wins() -> None:
    done = played(f"deal 2 / turn-up: KC / {FIRST_OUT} / 1 play QC JC 10C 9C 8C 7C 6C 5C 4C", scores="5 6")
    assert done.last == "ok hand-out deal-scored match-won"
    assert done.scores == (5, 15)
    assert (done.result["winners"], done.result["losers"]) == ([1], [2])
    assert done.rule("1 draw") == ["match-over"]


def test_equal_highest_totals_play_another_hand() -> None:
    done = played(f"deal 2 / turn-up: KC / {FIRST_OUT}", losing_score=9, scores="8 0")
    done.rule("director score 1 = 9 / 1 play QC JC 10C 9C 8C 7C 6C 5C 4C")
    assert done.scores == (9, 9)
    assert done.result["over"] is False


def test_the_highest_of_several_beyond_the_mark_loses_alone() -> None:
    rules = GAME.rules(3, True, GAME.rule_sets["standard"])
    assert GAME.losers(rules, (8, 10, 2)) == (1,)
    assert GAME.winners(rules, (8, 10, 2)) == (2,)
    assert GAME.winners(rules, (3, 10, 3)) == (0, 2)
    assert GAME.winners(rules, (7, 7, 2)) == GAME.winners(rules, (9, 9, 2)) == GAME.losers(rules, (9, 9, 2)) == ()


def test_the_next_hand_is_dealt_by_the_next_seat() -> None:
    done = played(f"deal 2 / turn-up: KC / {FIRST_OUT} / 1 play QC JC 10C 9C 8C 7C 6C 5C 4C", losing_score=99)
    assert done.match.next_dealer == 1


# play_drawn_card


def drawing(hand: str = "AC", **heading: Any) -> Played:
    return starting("8C", hand, "KC", play_drawn_card="true", **heading)


def test_a_drawn_card_that_fits_may_be_played_at_once_or_declined() -> None:
    done = drawing()
    assert done.rule("1 draw 9C") == ["ok"]
    assert done.turn == (1,)
    assert set(done.legal) == {"play 9C", "pass"}
    assert done.rule("1 pass") == ["ok"]
    assert done.turn == (2,)
    done = drawing("10C JC")
    assert done.rule("1 draw 9C / 1 play 9C 10C JC") == ["ok", "ok"]


def test_any_other_drawn_card_ends_the_turn() -> None:
    done = drawing()
    assert done.rule("1 draw 9D") == ["ok"]
    assert done.turn == (2,)


def test_a_second_draw_is_already_drew() -> None:
    done = drawing()
    assert done.rule("1 draw 9C / 1 draw / 1 draw 7C / 1 draw KC") == [
        "ok",
        "already-drew",
        "already-drew",
        "not-in-hand",
    ]


def test_a_play_that_does_not_begin_with_the_drawn_card_is_already_drew() -> None:
    done = drawing("7C", voluntary_draw="true")
    assert done.rule("1 draw 9C / 1 play 7C / 1 play 10C / 1 play 9C") == ["ok", "already-drew", "not-in-hand", "ok"]


def test_with_an_unknown_drawn_card_the_seat_plays_or_passes() -> None:
    done = drawing("7C", voluntary_draw="true")
    assert done.rule("1 draw") == ["ok"]
    assert done.turn == (1,)
    assert done.rule("1 play 7C / 1 play 9C") == ["already-drew", "ok"]
    done = drawing()
    assert done.rule("1 draw / 1 pass") == ["ok", "ok"]
    assert done.turn == (2,)


def test_with_two_packs_the_drawn_one_of_equal_cards_is_meant_first() -> None:
    hands = [f"hand {seat}: {cards}" for seat, cards in enumerate(
        ("9C AH 2H 3H 4H 5H 6H 7H 8H", "AD 2D 3D 4D 5D 6D 7D 8D 9D", "AS 2S 3S 4S 5S 6S 7S 8S 9S",
         "10D JD QD KD 10S JS QS KS 10H"), 1)]  # fmt: skip
    done = played("deal 4 / turn-up: 8C", *hands, "director turn = 1 / 1 draw 9C / 1 play 9C'1 / 1 play 9C",
                  seats=4, play_drawn_card="true", voluntary_draw="true")  # fmt: skip
    assert done.verdicts[-3:] == ["ok", "already-drew", "ok"]
    assert done.deal.discards[-1] == Card("9C'2")


def test_the_director_may_name_another_hand_after_a_draw() -> None:
    done = drawing()
    done.rule("1 draw 9C")
    cards = texts(cards_of(done.deal.hands.known[0])).replace("9C", "7C")
    assert done.rule(f"director turn = 2 / director hand 1: {cards} / 1 play 7C") == ["wrong-phase", "ok", "ok"]


# voluntary_draw


def test_with_voluntary_draw_a_card_may_be_drawn_though_a_play_exists_but_not_passed() -> None:
    done = starting("8C", "9C", voluntary_draw="true")
    assert {"play 9C", "draw"} <= set(done.legal)
    assert done.rule("1 pass / 1 draw") == ["can-play", "ok"]
