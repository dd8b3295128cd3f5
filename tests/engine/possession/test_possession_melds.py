"""Possession, the melding turn: rules 8 to 10."""

from typing import Any

import pytest
from possession_tables import Played, played

from engine.possession import GAME
from engine.values import Action

ONE = "8H 5D 6D 7D 4D 8D 10D 3D KS"
TWO = "AS 4C 7S 9H JC 2H QC 6C KH"


def melding(one: str = ONE, two: str = TWO, turn_up: str = "8C", **heading: Any) -> Played:
    """A deal of the melds rule set in which seat 1 is to act."""
    heading.setdefault("rules", "melds")
    return played(f"deal 2 / turn-up: {turn_up} / hand 1: {one} / hand 2: {two} / director turn = 1", **heading)


def after_draw(draw: str = "9D", **heading: Any) -> Played:
    done = melding(**heading)
    assert done.rule(f"1 draw {draw}") == ["ok"]
    return done


def test_a_turn_is_a_draw_melds_and_a_discard() -> None:
    done = melding()
    assert done.rule("1 draw 9D / 1 meld 5D 6D 7D / 1 add 4D to 1 / 1 discard 8H") == ["ok"] * 4
    assert done.turn == (2,)
    assert [meld.pieces for meld in done.deal.melds[0]] == [(16, 17, 18, 19)]


@pytest.mark.parametrize("action", ["meld 5D 6D 7D", "discard KS", "add 5D to 1"])
def test_before_step_1_nothing_can_be_laid(action: str) -> None:
    assert melding().rule(f"1 {action}") == ["must-draw-first"]


def test_a_card_that_is_not_in_the_hand_comes_before_the_order_of_the_turn() -> None:
    assert melding().rule("1 discard AS / 1 meld 5D 6D 9D / 1 add KH to 1") == ["not-in-hand"] * 3
    assert after_draw().rule("1 draw KS / 1 draw AD / 1 take") == ["not-in-hand", "already-drew", "already-drew"]


def test_verbs_of_the_other_turn_are_wrong_phase() -> None:
    assert melding().rule("1 play 9C / 1 pass / 1 show 8H / 2 play 9C") == [*["wrong-phase"] * 3, "not-your-turn"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("5D 6D", "meld-too-short"),
        ("5D", "meld-too-short"),
        ("5D 6D 8D", "not-a-meld"),
        ("7D 8D 8H", "not-a-meld"),
        ("5D 6D 6D", "not-in-hand"),
        ("7D 5D 6D", "ok"),
        ("3D 4D 5D 6D 7D 8D 9D 10D", "ok"),
        ("JK=4D 5D 6D", "not-in-hand"),
    ],
)
def test_what_a_meld_is(cards: str, code: str) -> None:
    assert after_draw().rule(f"1 meld {cards}") == [code]


@pytest.mark.parametrize(("cards", "code"), [("AD 2D 3D", "ok"), ("QD KD AD", "not-a-meld"), ("KD AD 2D", "not-a-meld"),
                                             ("JD QD KD", "ok")])  # fmt: skip
def test_the_ace_is_low(cards: str, code: str) -> None:
    done = after_draw(one="AD 2D 3D JD QD KD 2S 4S 6S", two="AS 4C 7S 9H JC 2H QC 6C KH")
    assert done.rule(f"1 meld {cards}") == [code]


def test_sets_are_melds_only_with_the_option() -> None:
    hands = {"one": "7D 7H 7S 2D 2H 9S JC QH KD", "two": "AS 4C 3C 9H 4H 3H QC 6C KH"}
    assert after_draw("7C", **hands).rule("1 meld 7D 7H 7S") == ["not-a-meld"]
    done = after_draw("7C", **hands, sets="true")
    assert done.rule("1 meld 7D 7H 2D / 1 meld 7D 7H 7S / 1 add 2D to 1 / 1 add 7C to 1") == [
        "not-a-meld", "ok", "not-a-meld", "ok",
    ]  # fmt: skip


def test_with_two_packs_a_set_has_no_suit_twice_and_identical_melds_are_allowed() -> None:
    hands = [f"hand {seat}: {cards}" for seat, cards in enumerate(
        ("7D 7H 7H'2 4C 5C 6C 4C'2 5C'2 6C'2", "AD 2D 3D 4D 5D 6D 8D 9D 10D", "AS 2S 3S 4S 5S 6S 8S 9S 10S",
         "QD KD JS QS KS AH 2H 3H 4H"), 1)]  # fmt: skip
    done = played("deal 4 / turn-up: 8C", *hands, "director turn = 1 / 1 draw KC / 1 meld 7D 7H 7H'2", seats=4,
                  rules="melds", sets="true")  # fmt: skip
    assert done.last == "not-a-meld"
    assert done.rule("1 meld 4C 5C 6C / 1 meld 4C 5C 6C / 1 meld 4C 5C 6C") == ["ok", "ok", "not-in-hand"]
    assert [meld.pieces for meld in done.deal.melds[0]] == [(3, 4, 5), (57, 58, 59)]


def test_additions_go_to_either_end_of_ones_own_runs_or_both() -> None:
    done = after_draw()
    assert done.rule("1 add 8D to 1 / 1 meld 5D 6D 7D / 1 add 8D to 2 / 1 add 3D to 1 / 1 add 8D 10D to 1") == [
        "not-your-meld", "ok", "not-your-meld", "not-a-meld", "not-a-meld",
    ]  # fmt: skip
    assert done.rule("1 add 8D 4D to 1 / 1 add 10D 9D to 1 / 1 add 8H to 1") == ["ok", "ok", "not-a-meld"]


def test_melds_are_numbered_for_each_player_from_1() -> None:
    done = after_draw(two="JC QC KC 2H 4H 6H 9S 7S KH")
    done.rule("1 meld 5D 6D 7D / 1 discard 8H / 2 draw 10C / 2 meld JC QC KC")
    assert done.rule("2 add 10C to 2 / 2 add 10C to 1") == ["not-your-meld", "ok"]


def test_legal_lists_melds_additions_and_discards() -> None:
    done = after_draw()
    done.rule("1 meld 5D 6D 7D")
    assert set(done.legal) == {
        *(f"discard {card}" for card in ["8H", "4D", "8D", "10D", "3D", "KS", "9D"]),
        "meld 8D 9D 10D",
        *(f"add {cards} to 1" for cards in ("4D", "3D 4D", "8D", "8D 9D", "8D 9D 10D", "4D 8D", "4D 8D 9D",
          "4D 8D 9D 10D", "3D 4D 8D", "3D 4D 8D 9D", "3D 4D 8D 9D 10D")),
    }  # fmt: skip


# The take


def test_a_take_that_no_meld_or_addition_can_use_is_refused() -> None:
    assert melding().rule("1 take") == ["take-not-used"]
    assert melding(one=ONE.replace("KS", "9C").replace("8H", "10C")).rule("1 take") == ["ok"]


def test_the_card_taken_must_be_used_before_the_discard() -> None:
    done = melding(one=ONE.replace("KS", "9C").replace("8H", "10C"))
    assert done.rule("1 take / 1 draw / 1 take / 1 discard 3D / 1 meld 5D 6D 7D / 1 discard 8C / 1 meld 8C 9C 10C") == [
        "ok", "already-drew", "already-drew", "take-not-used", "ok", "take-not-used", "ok",
    ]  # fmt: skip
    assert done.rule("1 discard 3D") == ["ok"]


def test_a_card_may_be_taken_for_an_addition_also_over_a_gap_that_the_hand_fills() -> None:
    done = after_draw(two=TWO.replace("KH", "AD"))
    done.rule("1 meld 5D 6D 7D / 1 discard 8H / 2 draw JD / 2 discard AD / 1 take")
    assert done.verdicts[-1] == "take-not-used"
    done.rule("1 draw / 1 discard KS / 2 draw / 2 discard JD")
    assert done.rule("1 take / 1 add JD to 1 / 1 add 8D 9D 10D JD to 1 / 1 discard 3D") == [
        "ok",
        "not-a-meld",
        "ok",
        "ok",
    ]


def test_a_meld_that_leaves_the_taken_card_without_use_is_not_listed() -> None:
    done = melding(one="5C 6C 5D 5H 9S JS KS 2D 2S", two="AS 4C 7S 9H JC 2H QC 8H KH", turn_up="7C", sets="true")
    done.rule("1 take")
    assert done.legal == ["meld 5C 6C 7C"]
    assert done.rule("1 meld 5C 5D 5H / 1 discard 9S / 1 discard 7C") == ["ok", "take-not-used", "take-not-used"]
    assert done.legal == []
    assert done.rule("1 undo / 1 meld 5C 6C 7C / 1 discard 9S") == ["ok", "ok", "ok"]


def test_a_take_is_accepted_while_the_hand_may_hold_what_it_needs() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 8H / 2 show 9H",
                  "1 take / 1 discard 8H / 1 meld 8C 9C 10C / 1 discard 8H",
                  hands="concealed", rules="melds")  # fmt: skip
    assert done.verdicts[3:] == ["ok", "take-not-used", "ok", "ok"]


def test_with_a_hand_known_in_part_a_useless_take_is_accepted_but_not_listed() -> None:
    done = played("deal 2 / turn-up: KC / hand 1: 2D 4D 6D 8D 2H 4H 6H 8H ?? / hand 2: KD ?? ?? ?? ?? ?? ?? ?? ??",
                  "2 show KD / 1 show 8D 8H / director turn = 1", hands="concealed", rules="melds")  # fmt: skip
    assert "take" not in done.legal
    assert done.rule("1 take / 1 discard 2D / 1 undo / 1 draw") == ["ok", "take-not-used", "ok", "ok"]


def test_of_two_equal_cards_the_taken_one_is_meant_first() -> None:
    hands = [f"hand {seat}: {cards}" for seat, cards in enumerate(
        ("7C 8C 9C KH QS 2H 4H 6H 8H", "AD 2D 3D 4D 5D 6D 8D 9D 10D", "AS 2S 3S 4S 5S 6S 8S 9S 10S",
         "QD KD JS QS'2 KS AH 2H'2 3H 4H'2"), 1)]  # fmt: skip
    done = played("deal 4 / turn-up: 9C'2", *hands, "director turn = 1 / 1 take / 1 meld 7C 8C 9C'1 / 1 discard KH",
                  "1 undo / 1 meld 7C 8C 9C / 1 discard 9C", seats=4, rules="melds")  # fmt: skip
    assert done.verdicts[-6:] == ["ok", "ok", "take-not-used", "ok", "ok", "ok"]
    assert done.deal.melds[0][0].pieces == (6, 7, 62)
    assert int(done.deal.discards[-1]) == 8


def test_the_director_sets_a_duty_aside_that_the_named_hand_cannot_meet() -> None:
    done = melding(one=ONE.replace("KS", "9C").replace("8H", "10C"))
    hand = "10C 5D 6D 7D 4D 8D 10D 3D 8C AC"
    assert done.rule(f"1 take / director turn = 2 / director hand 1: {hand} / 1 discard 8C") == [
        "ok", "wrong-phase", "ok", "ok",
    ]  # fmt: skip


# The end of a hand


def test_a_hand_emptied_by_a_discard_is_out() -> None:
    done = after_draw(losing_score=99)
    assert set(done.rule("1 meld 3D 4D 5D 6D 7D 8D 9D 10D / 1 discard 8H / 2 draw / 2 discard 2H")) == {"ok"}
    assert done.rule("1 draw QS / 1 discard QS") == ["ok", "ok"]
    assert done.rule("2 draw / 2 discard 4C / 1 draw JD / 1 add JD to 1 / 1 discard KS") == [
        *["ok"] * 4, "ok hand-out deal-scored",
    ]  # fmt: skip
    assert done.scores == (0, 9)


def test_a_hand_emptied_by_a_meld_is_out_without_a_discard() -> None:
    done = after_draw("KD", one="3D 4D 5D 6D 7D 8D 9D JD QD", losing_score=99)
    assert done.rule("1 meld 3D 4D 5D 6D 7D 8D 9D / 1 meld JD QD KD") == ["ok", "ok hand-out deal-scored"]
    assert done.facts("hand-out") == [{"seat": 1}]
    assert done.scores == (0, 9)


@pytest.mark.parametrize(("scoring", "scores"), [("all", (9, 9)), ("difference", (0, 0))])
def test_the_hand_is_blocked_at_the_draw_that_needs_one_refill_too_many(scoring: str, scores: tuple[int, int]) -> None:
    done = melding(max_refills=0, blocked_scoring=scoring)
    while done.deal.stock.places:
        seat = done.turn[0]
        done.rule(f"{seat} draw")
        action = next(text for text in done.legal if text.startswith("discard"))
        assert done.rule(f"{seat} {action}") == ["ok"]
    assert done.rule(f"{done.turn[0]} draw KS") == ["ok blocked deal-scored"]
    assert done.scores == scores


def test_a_refill_leaves_the_top_discard_where_it_can_be_taken() -> None:
    done = melding()
    while done.deal.stock.places:
        seat = done.turn[0]
        done.rule(f"{seat} draw")
        action = next(text for text in done.legal if text.startswith("discard"))
        done.rule(f"{seat} {action}")
    top = done.deal.discards[-1]
    assert done.rule(f"{done.turn[0]} draw 8C") == ["ok refill"]
    assert done.deal.discards == (top,)
    assert done.facts("refill")[0]["count"] == 33


def test_a_take_needs_no_refill_and_an_empty_pile_gives_nothing() -> None:
    done = melding(one=ONE.replace("KS", "9C").replace("8H", "10C"))
    empty = done.deal._replace(discards=(), stock=done.deal.stock._replace(places=()))
    assert [getattr(GAME.check(empty, Action(1, verb)), "code", None) for verb in ("take", "draw")] == [
        "nothing-to-draw"
    ] * 2
    bare = done.deal._replace(stock=done.deal.stock._replace(places=()))
    assert GAME.check(bare, Action(1, "take")) is None


def test_director_turn_is_for_the_start_of_a_turn() -> None:
    done = melding()
    assert done.rule("director turn = 2 / director turn = 1 / 1 draw / director turn = 2") == [
        "ok",
        "ok",
        "ok",
        "wrong-phase",
    ]
