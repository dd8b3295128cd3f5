"""Possession: the deal and its errors, packs, the notation, options, and what the director may do."""

from random import Random

import pytest
from possession_tables import Truth, dealt, header, played

from engine.cards import Card, cards_of
from engine.entries import Deal
from engine.game import Dealt
from engine.match import begin, lay_table
from engine.notation import RecordError
from engine.options import OptionError
from engine.possession import GAME
from engine.record import read_record, write_record
from engine.referee import Referee
from engine.values import Action

ONE = "QC JC 10C 9C 8C 7C 6C 5C 4C"
TWO = "2H 3H 4H 5H 6H 7H 8H 9H 10H"


def refusal(*lines: str, **heading: object) -> str:
    return played(*lines, **heading).verdicts[0]


def deal(turn_up: str = "KC", one: str = ONE, two: str = TWO) -> str:
    return f"deal 2 / turn-up: {turn_up} / hand 1: {one} / hand 2: {two}"


# Dealing (rule 1)


@pytest.mark.parametrize(("seats", "dealer", "order"), [(2, 2, (1, 2)), (3, 1, (2, 3, 1)), (4, 3, (4, 1, 2, 3))])
def test_three_rounds_of_three_cards_from_the_left_of_the_dealer(
    seats: int, dealer: int, order: tuple[int, ...]
) -> None:
    rules = GAME.rules(seats, True, GAME.rule_sets["standard"])
    assert GAME.places(rules, dealer) == tuple(seat for seat in order for _ in range(3)) * 3


@pytest.mark.parametrize(("seats", "pack", "stock"), [(2, 52, 33), (3, 52, 24), (4, 104, 67)])
def test_the_pack_and_the_stock_after_the_turn_up(seats: int, pack: int, stock: int) -> None:
    table = lay_table(GAME, seats)
    assert len(GAME.pack(table.rules)) == pack
    assert not any(card.rank == "JK" for card in GAME.pack(table.rules))
    referee = Referee(begin(table))
    referee.rule(Deal(1, Truth(Random(1), table).told(Random(2), table, "tracked")))
    assert len(referee.match.deal.stock.places) == stock


def test_the_turn_up_is_wanted_after_the_hands() -> None:
    rules = GAME.rules(2, True, GAME.rule_sets["standard"])
    assert GAME.wanted(rules, Dealt((None, None))) == "turn-up"
    assert GAME.wanted(rules, Dealt((None, None), (Card("8C"),))) is None


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (deal(), "ok starts"),
        (deal(turn_up="QC"), "duplicate-card"),
        (deal(one=ONE.replace("4C", "QC")), "duplicate-card"),
        (deal(two=TWO.replace("2H", "4C")), "duplicate-card"),
        (deal(one=ONE + " AC"), "wrong-count"),
        (deal(one=ONE.replace(" 4C", "")), "wrong-count"),
        (deal(one=ONE.replace("4C", "??")), "wrong-count"),
        (deal(turn_up="KC KD"), "wrong-count"),
        (deal(turn_up="??"), "wrong-count"),
        (deal() + " / stock: AC AD", "wrong-count"),
        (deal() + " / buried: AC", "wrong-count"),
        (deal() + " / buried: QC", "duplicate-card"),
        (deal(turn_up="JK"), "not-in-pack"),
        (deal(one=ONE.replace("4C", "JK")), "not-in-pack"),
        (deal(one=ONE.replace("4C", "4C'2")), "not-in-pack"),
        (deal(one=ONE.replace("4C", "4C'1")), "ok starts"),
        (deal(one=ONE.replace("4C", "QC") + " AC"), "duplicate-card"),
        (deal(one=ONE.replace("4C", "JK") + " AC"), "wrong-count"),
    ],
)
def test_what_is_wrong_with_a_deal(lines: str, code: str) -> None:
    assert refusal(lines) == code


def test_a_concealed_deal_may_leave_cards_unknown_but_not_the_turn_up() -> None:
    assert refusal("deal 2 / turn-up: KC / hand 1: QC ?? ?? ?? ?? ?? ?? ?? ??", hands="concealed") == "ok"
    assert refusal("deal 2 / turn-up: KC / hand 1: QC ?? ?? ??", hands="concealed") == "wrong-count"
    assert refusal("deal 2 / turn-up: ??", hands="concealed") == "wrong-count"


def test_a_whole_stock_makes_the_last_hand_known_by_exclusion() -> None:
    lines = dealt("KC", ONE, TWO, stock="AC").split(" / ")
    assert played(*lines, hands="concealed").verdicts == ["ok starts"]
    del lines[3]
    assert played(*lines, hands="concealed").verdicts == ["ok starts"]
    del lines[2]
    assert played(*lines, hands="concealed").verdicts == ["ok"]


def test_a_stock_may_be_known_in_part() -> None:
    lines = dealt("KC", ONE, TWO, stock="AC AD AS AH").split(" / ")
    lines[-1] = lines[-1].replace("AC AD AS", "AC ?? ??")
    assert refusal(*lines) == "wrong-count"
    done = played(*lines, "director turn = 2 / 2 draw AD / 2 draw", hands="concealed")
    assert done.verdicts[-2:] == ["not-next", "ok"]
    done.rule("1 play QC / 2 draw AH / 2 draw AD / 1 play JC / 2 draw / 1 play 10C / 2 draw 2D / 2 draw AH")
    assert done.verdicts[-8:] == ["ok", "not-in-hand", "ok", "ok", "ok", "ok", "not-next", "ok"]


def test_with_two_packs_a_card_without_its_pack_is_any_equal_one() -> None:
    hands = ("9C AH 2H 3H 4H 5H 6H 7H 8H", "9C AD 2D 3D 4D 5D 6D 7D 8D", "AS 2S 3S 4S 5S 6S 7S 8S 9S",
             "10D JD QD KD 10S JS QS KS 10H")  # fmt: skip
    lines = [
        "deal 4 / turn-up: 8C",
        *(f"hand {seat}: {cards}" for seat, cards in enumerate(hands, 1)),
        "director turn = 1",
    ]
    assert refusal(*lines[:3], "hand 3: 9C AS 2S 3S 4S 5S 6S 7S 8S", lines[4], seats=4) == "duplicate-card"
    done = played(*lines, "1 play 9C'2 / 1 play 9C / 2 draw 9C / 2 play 8C / 2 play 10C", seats=4)
    assert done.verdicts[2:] == ["not-in-hand", "ok", "not-in-hand", "not-in-hand", "not-in-hand"]
    assert done.rule("2 draw 8C / 3 draw / 4 draw / 1 draw / 2 play 8C / 3 draw") == ["ok"] * 6
    assert done.deal.discards[-1] == Card("8C'2")
    assert "draw 8C" not in done.legal
    assert "draw 10C" in done.legal


# The notation


@pytest.mark.parametrize(
    "line",
    ["1 play 9C", "1 play 9C 10C JC", "1 draw", "1 draw 9D", "1 pass", "1 show 8C 8S", "1 take", "1 meld 4D 5D 6D",
     "1 add 7D to 1", "1 add 3D 7D to 12", "1 discard 9C'2", "1 play 9C'1"],
)  # fmt: skip
def test_actions_are_read_and_written_the_same(line: str) -> None:
    text = f"{header(4, hands='concealed')}\n\ndeal 4\nturn-up: 8C\n{line}\n"
    assert write_record(read_record(text)) == text


def test_cards_are_written_in_the_first_form() -> None:
    text = f"{header()}\n\ndeal 2\nturn-up: 8C\nhand 1: {ONE}\nhand 2: {TWO}\n1 play t♣ jc\n1 draw ??\n"
    assert write_record(read_record(text)).endswith("1 play 10C JC\n1 draw\n")


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("1 play", 8, "a card"),
        ("1 play 9X", 9, "suit"),
        ("1 play ??", 8, "9D"),
        ("1 play 9C ??", 11, "9D"),
        ("1 draw 9C 10C", 11, "nothing more"),
        ("1 pass 9C", 8, "nothing more"),
        ("1 take 9C", 8, "nothing more"),
        ("1 meld", 8, "a card"),
        ("1 add", 7, "to"),
        ("1 add 9C", 7, "to"),
        ("1 add to 1", 7, "a card"),
        ("1 add 9C to", 7, "to"),
        ("1 add 9C to 0", 13, "1, 2"),
        ("1 add 9C to x", 13, "1, 2"),
        ("1 discard", 11, "a card"),
        ("1 discard 9C 10C", 14, "nothing more"),
        ("1 show", 8, "a card"),
        ("1 meld JK=?? 9D 10D", 11, "9D"),
        ("1 meld 8H=5D 9D 10D", 8, "no card"),
    ],
)
def test_what_is_no_action_makes_the_record_unreadable(line: str, column: int, expected: str) -> None:
    text = f"{header()}\ndeal 2\nturn-up: 8C\nhand 1: {ONE}\nhand 2: {TWO}\n{line}\n"
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert caught.value.line == 9
    assert expected in caught.value.problem
    assert caught.value.column == column


@pytest.mark.parametrize("lines", ["deal 2 / hand 1: 8C", "deal 2 / turn-up: 8C"])
def test_a_deal_needs_its_turn_up_and_when_tracked_its_hands(lines: str) -> None:
    with pytest.raises(RecordError):
        played(lines)


def test_an_argument_that_no_notation_writes_is_no_action() -> None:
    done = played(deal("KC"))
    for action in (Action(1, "play"), Action(1, "play", ()), Action(1, "play", 4), Action(1, "draw", "x"),
                   Action(1, "draw", -1), Action(1, "draw", 999), Action(1, "pass", 3)):  # fmt: skip
        refused = GAME.check(done.deal, action)
        assert refused is not None
        assert refused.code == "unknown-action"
    done = played(deal("KC"), rules="melds")
    for action in (Action(1, "add", (4, 1)), Action(1, "add", ((), 1)), Action(1, "discard"), Action(1, "meld", 3)):
        refused = GAME.check(done.deal, action)
        assert refused is not None
        assert refused.code == "unknown-action"
    assert GAME.check(done.deal, Action(1, "meld", ("x", 3, 4))) is not None


# Options


@pytest.mark.parametrize(
    ("name", "value"),
    [("turn", "draw"), ("max_refills", "100"), ("max_refills", "-1"), ("losing_score", "0"), ("losing_score", "1000"),
     ("sets", "yes"), ("blocked_scoring", "some"), ("target", "8")],
)  # fmt: skip
def test_an_option_or_value_that_there_is_not_is_refused(name: str, value: str) -> None:
    with pytest.raises((RecordError, OptionError)) as caught:
        played(deal(), **{name: value})
    assert name in str(caught.value)


def test_the_rule_sets_are_columns_of_the_table_of_options() -> None:
    standard, melds = (GAME.rule_sets[name] for name in ("standard", "melds"))
    assert {name for name in standard if standard[name] != melds[name]} == {"turn", "blocked_scoring"}
    assert set(standard) == set(melds) == set(GAME.options)
    done = played(deal("3H", two=TWO.replace("3H", "KD")), turn="meld")
    assert "take" in {text.split()[0] for text in done.legal} | {"take"}
    assert done.deal.phase.value == "step"


def test_options_of_the_other_kind_of_turn_are_without_effect() -> None:
    plain = played(deal("KC"), rules="melds")
    other = played(deal("KC"), rules="melds", play_drawn_card="true", voluntary_draw="true")
    assert plain.legal == other.legal
    assert plain.deal.settings == other.deal.settings


# The director


def test_the_director_names_a_hand_of_the_same_number_without_cards_that_lie_elsewhere() -> None:
    done = played(deal("KC"), "1 play QC / 2 draw AD")
    two = "2H 3H 4H 5H 6H 7H 8H 9H 10H"
    assert done.rule(f"director hand 2: {two} / director hand 2: {two} JC / director hand 2: {two} KC") == [
        "wrong-count", "duplicate-card", "duplicate-card",
    ]  # fmt: skip
    assert done.rule(f"director hand 2: {two} JK / director hand 2: {two} 2H / director hand 2: {two} AS") == [
        "not-in-pack", "duplicate-card", "ok",
    ]  # fmt: skip
    assert done.deal.hands.unseen >> Card("AD") & 1


def test_a_named_hand_may_have_unknown_cards_in_a_concealed_record() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 8D / 2 show 8H 8S", hands="concealed")
    assert done.rule("director hand 2: 9C ?? ?? ?? ?? ?? ?? ?? ?? / 2 draw / 2 play 9C") == ["ok", "can-play", "ok"]
    assert done.deal.hands.unseen >> Card("8H") & 1


def test_with_two_packs_the_director_means_a_free_copy() -> None:
    done = played("deal 4 / turn-up: 8C / 1 show 9C'1 / director hand 2: 9C ?? ?? ?? ?? ?? ?? ?? ??",
                  "director hand 3: 9C ?? ?? ?? ?? ?? ?? ?? ??", seats=4, hands="concealed")  # fmt: skip
    assert done.verdicts[1:] == ["ok", "ok", "duplicate-card"]
    assert done.deal.hands.known[1] == 1 << Card("9C'2")


def test_director_turn_is_open_at_the_start_of_a_turn_and_not_after_the_deal() -> None:
    done = played(deal("KC"), "director turn = 2 / 2 draw / director turn = 2 / director void / director turn = 1")
    assert done.verdicts[1:] == ["ok", "ok", "ok", "ok thrown-in", "wrong-phase"]


def test_the_rules_give_no_choices_for_a_penalty() -> None:
    assert GAME.penalties == {}
    with pytest.raises(RecordError):
        played(deal("KC"), "director penalty false-claim = none")


def test_undo_brings_back_stock_discards_hands_and_refills() -> None:
    done = played(deal("KC"), "1 play QC / 2 draw AD")
    before = done.deal
    done.rule("1 play JC / 2 draw / 2 undo / 1 undo")
    assert done.deal == before
    assert set(cards_of(done.deal.hands.known[1])) >= {Card("AD")}
