"""Vazhushal rule by rule: the worked examples, each code, and the fine points."""

import pytest
from vazhushal_tables import Played, tracked_deal

from engine.cards import UNKNOWN, Card
from engine.game import Dealt
from engine.match import lay_table, view
from engine.options import OptionError
from engine.vazhushal import GAME
from engine.view import DIRECTOR, PUBLIC, Line, Piles


def newest_of_line(table: Played, viewer: int) -> Card:
    """The card at the end of the line as a viewer sees it: once, whichever block shows it."""
    blocks = view(table.match, viewer).blocks
    line, piles = (next(block for block in blocks if isinstance(block, kind)) for kind in (Line, Piles))
    assert isinstance(line, Line)
    assert isinstance(piles, Piles)
    assert piles.top == line.cards[-1]
    assert piles.discards == len(line.cards)
    return line.cards[-1]


MELDS = [
    ("AS 2S 3S", "ok", "ok"),
    ("QS KS AS", "ok", "ok"),
    ("KS AS 2S", "not-a-meld", "not-a-meld"),
    ("QH KH AH JK=2H", "not-a-meld", "not-a-meld"),
    ("3C 4C 5D", "not-a-meld", "not-a-meld"),
    ("5H 5D 5S", "ok", "first-meld-not-sequence"),
    ("5H 5D 5S 5C", "ok", "first-meld-not-sequence"),
    ("5H 5H 5S", "not-a-meld", "not-a-meld"),
    ("5H 5D JK=5C", "first-meld-not-pure", "first-meld-not-sequence"),
    ("7D 8D JK=9D", "first-meld-not-pure", "first-meld-not-pure"),
    ("7D JK=8D JK=9D", "first-meld-not-pure", "first-meld-not-pure"),
    ("JK JK JK", "meld-all-jokers", "meld-all-jokers"),
    ("7D 8D", "meld-too-short", "meld-too-short"),
    ("8D=8D 9D 10D", "ok", "ok"),
    ("8D=7D 9D 10D", "not-a-meld", "not-a-meld"),
]


@pytest.mark.parametrize(("cards", "standard", "wipe"), MELDS)
def test_rules_6_and_7_a_first_meld(cards: str, standard: str, wipe: str) -> None:
    assert Played("deal 1 / turn-up: 2H / 1 exchange", f"1 meld {cards}").last == standard
    start = "deal 3 / turn-up: 2H / buried: KD / 1 draw"
    assert Played(start, f"1 meld {cards}", rules="wipe").last == wipe


# Rules 1 to 3: the deal


@pytest.mark.parametrize(
    ("seats", "standard", "wipe"), [(2, 27, 26), (3, 68, 67), (4, 55, 54), (5, 42, 41), (6, 29, 28)]
)
def test_rule_1_the_stock_after_the_turn_up(seats: int, standard: int, wipe: int) -> None:
    assert len(Played("deal 1 / turn-up: 2H", seats=seats).state.places.stock) == standard
    assert len(Played("deal 1 / turn-up: 2H / buried: 3H", seats=seats, rules="wipe").state.places.stock) == wipe


def test_rule_1_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    rules = lay_table(GAME, 3).rules
    assert GAME.places(rules, 2)[:6] == (3, 1, 2, 3, 1, 2)
    assert len(GAME.places(rules, 2)) == 39


def test_rules_3_and_11_who_begins() -> None:
    assert Played("deal 2 / turn-up: 2H").to_act == (2,)
    assert Played("deal 2 / turn-up: 2H", starter="left").to_act == (3,)
    assert Played("deal 2 / turn-up: 2H / buried: 3H", rules="wipe").to_act == (3,)


def test_rule_3_a_joker_turned_up_goes_into_the_middle_of_the_stock() -> None:
    state = Played("deal 1 / turn-up: JK 2H", seats=2).state
    assert state.line == (27,)
    assert [at for at, card in enumerate(state.places.stock) if card == 52] == [12]  # index 13 of 27, then one turned
    assert len(state.places.stock) == 27


def test_rule_3_two_jokers_turned_up_lie_side_by_side() -> None:
    state = Played("deal 1 / turn-up: JK JK 2H", seats=2).state
    assert [state.places.stock.index(card) for card in (52, 53)] == [11, 12]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("turn-up: JK", "wrong-count"),  # it should have been buried
        ("turn-up: 3H 2H", "wrong-count"),  # only a joker is followed by another
        ("turn-up: 2H / buried: 3H", "wrong-count"),  # no negative joker
        ("turn-up: 2H / hand 1: 3H", "wrong-count"),
        ("turn-up: 2H / stock: 3H", "wrong-count"),
        ("turn-up: 2H'2", "not-in-pack"),
        ("turn-up: 2H / hand 1: 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH", "duplicate-card"),
        ("turn-up: 2H / hand 1: 2H 3H", "duplicate-card"),
        ("turn-up: 2H / hand 1: JK JK JK ?? ?? ?? ?? ?? ?? ?? ?? ?? ??", "duplicate-card"),
    ],
)
def test_rule_1_cards_that_cannot_have_been_dealt_so(lines: str, code: str) -> None:
    assert Played(f"deal 1 / {lines}", seats=2).last == code


def test_rule_3_the_jokers_put_back_lie_in_the_stock_that_is_told() -> None:
    rest = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD"
    good = Played(f"deal 1 / turn-up: JK 2H / stock: {rest} JK", seats=2)
    assert good.last == "ok"
    assert good.rule("1 exchange", "1 discard 2C") == ["ok", "ok"]
    assert Played(f"deal 1 / turn-up: JK 2H / stock: {rest} AH", seats=2).last == "duplicate-card"


def test_rule_3_which_card_the_table_wants_next() -> None:
    wipe, standard = lay_table(GAME, 2, "wipe").rules, lay_table(GAME, 2).rules
    joker = GAME.pack(standard)[52]
    dealt = Dealt((None, None))
    assert GAME.wanted(wipe, dealt) == "buried"
    assert GAME.wanted(standard, dealt) == "turn-up"
    assert GAME.wanted(standard, dealt._replace(turn_up=(joker,))) == "turn-up"
    assert GAME.wanted(wipe, dealt._replace(turn_up=(joker,), buried=joker)) is None


# Rule 2: doubles


def test_rule_2_a_double_that_is_shown_throws_the_deal_in() -> None:
    table = Played("deal 2 / turn-up: 2H", "3 show 7D 7D")
    assert table.last == "ok redeal"
    assert (table.match.deals, table.match.next_dealer) == (0, 2)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("7D 8D", "no-double"),
        ("JK JK", "no-double"),
        ("7D", "no-double"),
        ("2H 2H", "not-in-hand"),
        ("7D 7D'1", "ok redeal"),
    ],
)
def test_rule_2_what_is_a_double(cards: str, code: str) -> None:
    assert Played("deal 2 / turn-up: 2H", f"1 show {cards}").last == code


def test_rule_2_no_double_is_shown_after_the_first_action() -> None:
    assert Played("deal 2 / turn-up: 2H / 2 exchange / 1 show 7D 7D").last == "redeal-closed"
    assert Played("deal 2 / turn-up: 2H / director turn = 3 / 1 show 7D 7D").last == "ok redeal"


def test_rule_2_one_pack_has_no_doubles_and_off_is_off() -> None:
    assert Played("deal 2 / turn-up: 2H / 1 show 7D 8D", seats=2).last == "redeal-closed"
    assert Played("deal 2 / turn-up: 2H / 1 show 7D 7D", redeal="off").last == "redeal-closed"


def test_rule_2_three_doubles_are_asked_for() -> None:
    start = "deal 2 / turn-up: 2H"
    assert Played(start, "1 show 7D 7D", redeal="three").last == "no-double"
    assert Played(start, "1 show 7D 7D 8D 8D 9D 9D", redeal="three").last == "ok redeal"


def test_rule_2_forced_with_known_hands_the_table_throws_the_deal_in() -> None:
    doubled = tracked_deal("2H", "7D 7D'2", "8S", "9S")
    forced = Played(doubled, hands="tracked", redeal="forced")
    assert forced.verdicts == ["ok redeal"]
    assert forced.rule("1 exchange") == ["deal-over"]
    single = tracked_deal("2H", "7D", "8S", "9S")
    assert Played(single, "1 show 7D 7D", hands="tracked", redeal="forced").last == "not-in-hand"
    assert Played("deal 1 / turn-up: 2H / 1 show 7D 7D", redeal="forced").last == "ok redeal"
    assert Played(doubled, hands="tracked").last == "ok"


def test_rule_2_three_with_known_hands_the_table_has_looked() -> None:
    doubled = Played(tracked_deal("2H", "7D 7D'2 9H", "8S", "9S"), "1 show 7D 7D", hands="tracked", redeal="three")
    assert doubled.verdicts == ["ok", "no-double"]
    thrice = tracked_deal("2H", "7D 7D'2 10H 10H'2 KC KC'2", "8S", "9S")
    assert Played(thrice, hands="tracked", redeal="three").last == "ok redeal"


# Rule 4: a turn


def test_rule_4_step_1_first_and_once() -> None:
    table = Played("deal 1 / turn-up: 2H", seats=2)
    assert (
        table.rule("1 discard 3C", "1 meld 3C 4C 5C", "1 add 3C to 1", "1 rearrange 3C 4C 5C")
        == ["must-draw-first"] * 4
    )
    assert table.rule("1 exchange", "1 exchange", "1 take 2H", "1 declare 3C 4C 5C") == ["ok", *["already-drew"] * 3]
    assert table.rule("1 discard 3C") == ["ok"]
    assert table.to_act == (2,)


def test_verbs_that_the_options_shut_off() -> None:
    standard = Played("deal 1 / turn-up: 2H", seats=2)
    assert standard.rule("1 draw", "1 out 3C", "1 pass", "1 return") == ["wrong-phase"] * 4
    wipe = Played("deal 2 / turn-up: 2H / buried: 3H", seats=2, rules="wipe", wipe=False, rearrange=False)
    assert wipe.rule("1 exchange", "1 take 2H", "1 declare 3C 4C 5C", "1 rearrange 3C 4C 5C") == ["wrong-phase"] * 4


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(OptionError, match="declare_all"):
        lay_table(GAME, 2, "wipe", True, {"declare_all": True})


def test_rule_4_declare_lays_the_whole_hand_as_the_first_step() -> None:
    hand = "2C 3C 4C 5C 7D 8D JK QH QS QC 5H 6H 7H"
    table = Played(tracked_deal("3D", hand, ""), seats=2, hands="tracked")
    start = "1 declare 2C 3C 4C 5C | 7D 8D JK=9D | QH QS QC"
    assert table.rule(start, f"{start} | 5H 6H", f"{start} | 5H 6H 8H") == [
        "not-all-melded",
        "meld-too-short",
        "not-in-hand",
    ]
    assert table.rule(f"{start} | 5H 6H 7H to 1") == ["not-your-meld"]
    assert table.rule(f"{start} | 5H 6H 7H") == ["ok hand-out deal-scored match-won"]
    assert table.match.winners == (0,)


def test_rule_4_declare_is_judged_on_the_final_table() -> None:
    table = Played(tracked_deal("3D", "2C 3C 4C", ""), "1 exchange", seats=2, hands="tracked")
    table.rule("1 meld 2C 3C 4C", f"1 discard {table.legal('discard')[0].split()[1]}")
    assert "declare" not in [text.split()[0] for text in table.legal("declare")]
    impure = Played(
        "deal 1 / turn-up: 2H / 1 declare JK=3C 4C 5C | 7D 8D JK=9D | QH QS JK=QC | 5H 6H JK=7H 8H", seats=6
    )
    assert impure.last == "first-meld-not-pure"
    pure = "deal 1 / turn-up: 2H / 1 declare JK=3C 4C 5C | 7D 8D JK=9D | QH QS JK=QC | 5H 6H 7H 8H"
    assert Played(pure, seats=6).last == "ok hand-out deal-scored match-won"


def test_rule_4_the_codes_of_several_groups_are_in_the_order_of_the_rules() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange / 1 meld 7D 8D 9D / 1 meld 4H 4S 4C", seats=3)
    assert table.rule("1 rearrange 7D 8D 9D 5C | 4H 4S | 4C JK=5C 6C") == ["meld-too-short"]
    assert table.rule("1 rearrange 7D 8D 9D") == ["not-all-melded"]
    assert table.rule("1 rearrange 4H 4S 4C | 7D 8D 9D") == ["ok"]
    assert table.rule("1 add 10D to 1", "1 add 10D to 2") == ["not-a-meld", "ok"]


def test_rule_4_melds_that_are_only_numbered_anew_keep_their_cards() -> None:
    """Of two equal cards each stays in its meld."""
    table = Played("deal 1 / turn-up: KH / 1 exchange / 1 meld 5C'1 6C'1 7C'1 / 1 meld 5C'2 5D'1 5H'1", seats=4)
    one, other = table.state.melds[0]
    assert table.rule("1 rearrange 5C 5D 5H | 5C 6C 7C") == ["ok"]
    assert table.state.melds[0] == (other, one)
    assert table.rule("1 rearrange 5C'1 5D 5H | 5C'2 6C 7C") == ["ok"]
    assert {one, other}.isdisjoint(table.state.melds[0])


def test_rule_4_rearrange_keeps_a_pure_meld() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange / 1 meld 7D 8D 9D", seats=3)
    assert table.rule("1 rearrange 7D 8D 9D JK=10D") == ["first-meld-not-pure"]
    assert table.rule("1 add JK=10D to 1", "1 add 7H to 2") == ["first-meld-not-pure", "not-your-meld"]
    assert table.rule("1 rearrange 7D 8D 9D | JK=10D JD QD") == ["ok"]


def test_rule_9_the_last_card_wins() -> None:
    start = "2C 3C 4C 5C 7D 8D 9D 10D QH QS QC 5H 9S"
    table = Played(tracked_deal("3D", start, "AC", last="KD 6D"), seats=2, hands="tracked")
    table.rule("1 exchange 5H KD", "1 meld 2C 3C 4C 5C", "1 meld 7D 8D 9D 10D", "1 meld QH QS QC", "1 discard KD")
    table.rule("2 exchange AC 6D", "2 discard 6D", "1 exchange 9S JK", "1 discard JK")
    assert table.last == "ok hand-out deal-scored match-won"


def test_rule_9_an_addition_and_a_meld_win_too() -> None:
    start = "2C 3C 4C 5C 7D 8D 9D 10D QH QS QC KH KD"
    table = Played(tracked_deal("3D", start, "AC", last="KS 6C QD"), seats=2, hands="tracked")
    table.rule("1 exchange KD KS", "1 meld 2C 3C 4C 5C", "1 meld 7D 8D 9D 10D", "1 meld QH QS QC", "1 discard KS")
    table.rule("2 exchange AC 6C", "2 discard 6C")
    assert table.rule("1 exchange KH QD", "1 add QD to 3") == ["ok", "ok hand-out deal-scored match-won"]


# Rule 5: the line


LINE = (
    "2 exchange AC 2S / 2 discard QH / 1 exchange 3D 3H / 1 discard JD / 2 exchange 4C JC / 2 discard KS / "
    "1 exchange 5S 3S / 1 discard 9D"
)
HANDS = (
    "deal 2 / hand 1: JD 9D 3D 5S 7C 10H KH AD 2C 5H 7S 10S KC / "
    "hand 2: QH KS 8D 10D 6S 6C AC 4C 9C 2H 4H 8S QS / turn-up: 6H"
)


def test_rule_5_how_deep_a_player_without_melds_may_take() -> None:
    table = Played(HANDS, LINE, seats=2, hands="tracked")
    assert table.rule("2 take QH", "2 take KS") == ["take-not-melded"] * 2
    assert sorted(table.legal("take")) == ["take 6H", "take 9D", "take JD"]
    assert table.rule("2 take JD", "2 meld 8D 9D 10D", "2 meld 8D 9D 10D JD") == ["ok", "take-not-melded", "ok"]


def test_rule_5_too_deep_where_a_set_is_no_first_meld() -> None:
    line = LINE.replace("exchange AC", "draw").replace("exchange 3D", "draw").replace("exchange 4C", "draw")
    table = Played(HANDS.replace("deal 2", "deal 1") + " / buried: JH", line.replace("exchange 5S", "draw"), seats=2,
                   hands="tracked", rules="wipe")  # fmt: skip
    assert table.rule("2 take 6H", "2 take QH", "2 take KS") == ["take-too-deep", "take-too-deep", "take-not-melded"]
    assert sorted(table.legal("take")) == ["take 9D", "take JD"]


def test_rule_5_a_pure_first_meld_may_come_between() -> None:
    table = Played(tracked_deal("5D", "2C 3C 4C 5H 5S QC", "9D"), seats=2, hands="tracked")
    assert table.rule("1 take 5D", "1 discard QC", "1 add 5D to 1") == ["ok", "take-not-melded", "take-not-melded"]
    assert table.rule("1 meld 2C 3C 4C", "1 return", "1 rearrange 2C 3C 4C") == ["ok", "wrong-phase", "take-not-melded"]
    assert table.legal() == ["meld 5D 5H 5S"]
    assert table.rule("1 meld 5D 5H 5S", "1 discard QC") == ["ok", "ok"]


def test_rule_5_a_first_meld_that_uses_up_what_the_duty_needs_is_refused() -> None:
    table = Played(tracked_deal("6D", "7D 8D 9D 3S", "9C"), seats=2, hands="tracked")
    assert table.rule("1 take 6D", "1 meld 7D 8D 9D") == ["ok", "take-not-melded"]
    assert table.legal() == ["return", "meld 6D 7D 8D", "meld 6D 7D 8D 9D"]


def test_rule_5_return_puts_the_cards_back_in_their_order() -> None:
    table = Played("deal 1 / turn-up: JS / 1 exchange / 1 discard 5D / 2 exchange / 2 discard 7S", seats=2)
    line = table.state.line
    assert table.rule("1 take JS", "1 return", "1 return", "1 discard 7S") == ["ok", "ok", "wrong-phase", "not-in-hand"]
    assert table.state.line == line
    assert table.rule("1 take JS", "1 exchange", "1 meld JS QS KS", "1 return") == [
        "ok",
        "already-drew",
        "ok",
        "wrong-phase",
    ]


def test_rule_5_a_take_only_to_add_is_refused() -> None:
    table = Played(tracked_deal("2D", "7D 8D 9D KS", "10D AC"), seats=2, hands="tracked")
    table.rule("1 exchange KS 3C", "1 meld 7D 8D 9D", "1 discard 3C", "2 exchange AC 10H", "2 discard 10D")
    assert table.rule("1 take 10D") == ["take-not-melded"]
    assert "take 10D" not in table.legal("take")


def test_rule_5_of_equal_cards_the_newest_is_taken_and_the_taken_one_is_meant_first() -> None:
    start = "deal 1 / turn-up: 9D / 1 exchange / 1 discard 5D / 2 exchange / 2 discard KH / 3 exchange / 3 discard 5D"
    assert len(Played(start, "1 take 5D").state.taken) == 1
    older = Played(start, "1 take 5D'1")
    assert len(older.state.taken) == 3
    held = Played("deal 1 / turn-up: 5D / hand 1: 5D'2 5H 5S 7C 9H 10D JC QS 2C 3H 4S 8D KH / 1 take 5D")
    assert held.rule("1 meld 5D 5H 5S", "1 discard 5D'1", "1 discard 5D'2") == ["ok", "not-in-hand", "ok"]


def test_rule_5_a_hand_that_is_not_known_may_take_and_give_back() -> None:
    table = Played("deal 1 / turn-up: JS", seats=2)
    assert table.rule("1 take 5D", "1 take JS", "1 meld 2C 3C", "1 meld JS QS") == [
        "not-in-line", "ok", "take-not-melded", "meld-too-short",
    ]  # fmt: skip
    assert "return" in table.legal("return")


# Rule 8


def test_rule_8_identical_melds() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange / 1 meld 7D 8D 9D")
    assert table.rule("1 meld 7D 8D JK=9D", "1 meld 7D 8D 9D 10D", "1 add JK=10D to 1") == [
        "meld-identical", "ok", "meld-identical",
    ]  # fmt: skip


def test_rule_7_of_each_kind_one_meld_is_pure() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange / 1 meld 7D 8D 9D", first_of_each_kind_pure=True)
    assert table.rule("1 meld 4H 4S JK=4C", "1 meld 4H 4S 4C", "1 meld 6H 6S JK=6C") == [
        "first-meld-not-pure",
        "ok",
        "ok",
    ]
    assert table.rule("1 rearrange 7D 8D 9D | 4H 4S 4C JK=4D | 6H 6S JK=6C") == ["first-meld-not-pure"]


# Rules 11 and 12


WIPE = "deal 3 / turn-up: 2H / buried: 8S / 1 draw"


def test_rule_11_wild_cards_are_of_the_opposite_colour() -> None:
    table = Played(WIPE, "1 meld 8H=7D 8D 9D", "1 meld 8D 9D 10D", "1 meld 8H=5D 5H 5S", rules="wipe")
    assert table.verdicts[-3:] == ["first-meld-not-pure", "ok", "ok"]
    assert table.rule("1 meld 8C=6D 6H 6S", "1 meld 8H 6H 6S", "1 meld 8D=JC JK=QC 8H=KC") == [
        "not-a-meld", "not-a-meld", "meld-all-jokers",
    ]  # fmt: skip


def test_rule_11_a_printed_joker_as_negative_joker_makes_no_other_wild() -> None:
    table = Played("deal 3 / turn-up: 2H / buried: JK / 1 draw / 1 meld 8D 9D 10D / 1 meld 8H=5D 5H 5S", rules="wipe")
    assert table.last == "not-a-meld"


def test_rule_12_going_out_face_down() -> None:
    hand = "2C 3C 4C 5C 7D 8D 9D 10D QH QS QC KD KH"
    drawn = "KS 2D 6H 3H QD 4H 5H 8C JK"
    deal = tracked_deal("3D", hand, "AC 9C", buried="6D", dealer=2, last=drawn)
    table = Played(deal, seats=2, hands="tracked", rules="wipe")
    table.rule("1 draw KS", "1 meld 2C 3C 4C 5C", "1 meld 7D 8D 9D 10D", "1 meld QH QS QC", "1 discard KS")
    table.rule("2 draw 2D", "2 discard 2D", "1 draw 6H")
    assert table.rule("1 out KD", "1 meld KD KH", "1 discard KD", "2 draw 3H", "2 discard 3H") == [
        "must-keep-last", "meld-too-short", "ok", "ok", "ok",
    ]  # fmt: skip
    table.rule("1 draw QD", "1 add QD to 3", "1 discard 6H", "2 draw 4H", "2 discard 4H", "1 draw 5H", "1 discard 5H")
    assert table.rule("2 draw 8C", "2 discard 8C", "1 draw JK") == ["ok", "ok", "ok"]
    assert table.rule("1 add JK=6C to 1", "1 discard KH", "1 add KH to 1") == ["ok", "must-keep-last", "not-a-meld"]
    assert table.legal("out") == ["out KH"]
    assert table.rule("1 out KH") == ["ok hand-out deal-scored"]
    assert [newest_of_line(table, viewer) for viewer in (PUBLIC, 1, 2)] == [UNKNOWN] * 3, "no rule turns it up"
    assert newest_of_line(table, DIRECTOR) == Card("KH")
    table.rule("1 undo")
    assert newest_of_line(table, PUBLIC) == Card("8C")


def test_rule_12_a_meld_that_leaves_no_card_is_refused() -> None:
    hand = "2C 3C 4C 5C 7D 8D 9D 10D QH QS QC KD KH"
    table = Played(tracked_deal("3D", hand, "AC", buried="6D", dealer=2), seats=2, hands="tracked", rules="wipe")
    table.rule("1 draw KS", "1 meld 2C 3C 4C 5C", "1 meld 7D 8D 9D 10D", "1 meld KS KH KD", "1 discard QC")
    table.rule("2 draw 2D", "2 discard 2D", "1 draw QD")
    assert table.rule("1 meld QH QS QD") == ["must-keep-last"]
    assert table.legal("meld") == []


def test_rule_12_the_joker_that_was_turned_up_first() -> None:
    start = "deal 3 / turn-up: JK / buried: 8S"
    table = Played(start, "1 take JK", "1 draw", "1 meld 3C 4C 5C", "1 discard KH", rules="wipe")
    assert table.verdicts == ["ok", "take-not-melded", "ok", "ok", "ok"]
    table.rule("2 draw", "2 discard 9D", "3 draw", "3 discard 9C")
    assert table.rule("1 take JK", "1 return", "1 take JK", "1 add 6C to 1", "1 return", "1 discard JK") == [
        "ok", "ok", "ok", "ok", "wrong-phase", "ok",
    ]  # fmt: skip
    assert table.rule("2 take JK") == ["ok"]  # an ordinary card now


def test_rule_12_a_joker_of_the_line_without_a_pure_sequence_before_this_turn() -> None:
    hand = "2C 3C 4C"
    table = Played(tracked_deal("JK", hand, "AC", buried="6D", dealer=2), seats=2, hands="tracked", rules="wipe")
    assert table.rule("1 take JK") == ["take-not-melded"]


# Rule 13

STOCK = "2C 5C 6C 9C 10C JC AD 2D 3D 8D 10D QD AH 3H 4H 5H 7H 8H 9H 4S 6S 7S 8S 10S JS KS"


def exhausted() -> Played:
    """Two seats that have drawn the whole stock; seat 2 is to make its last melds."""
    table = Played(
        "deal 1 / hand 1: AS 2S 3S KH KD KC 9D 4C 6H 8C 10H JD 5S / hand 2: 4D 5D 6D 7D QH QS QC 2H 3C 7C 9S JH JK",
        f"turn-up: AC / buried: JK / stock: {STOCK}", seats=2, rules="wipe", hands="tracked", wins=1,
    )  # fmt: skip
    for number, card in enumerate(STOCK.split()):
        seat = 2 - number % 2
        first = {0: ["2 meld 4D 5D 6D 7D"], 1: ["1 meld AS 2S 3S"]}.get(number, [])
        table.rule(f"{seat} draw", *first, f"{seat} discard {card}")
    return table


def test_rule_13_the_last_melds_and_the_points() -> None:
    table = exhausted()
    assert table.to_act == (2,)
    assert table.rule("2 discard 2H", "2 take AC", "2 draw", "2 show 2H 2H") == [*["wrong-phase"] * 3, "not-in-hand"]
    assert table.rule("2 meld QH QS QC", "2 add JK=QD to 2", "2 pass", "2 pass") == ["ok", "ok", "ok", "not-your-turn"]
    assert table.rule("1 rearrange AS 2S 3S | KH KD KC", "1 pass") == ["ok", "ok deal-scored match-won"]
    assert table.match.winners == (1,)


def test_rule_13_the_best_score_alone_wins() -> None:
    table = exhausted()
    assert table.rule("2 pass", "1 pass") == ["ok", "ok deal-scored match-won"]
    # Melded 4+5+6+7 less 3 queens, 2, 3, 7, 9, J is -39 for seat 2; 10+2+3 less what is held is -73 for seat 1.
    assert table.match.winners == (1,)


def test_rule_13_a_hand_that_is_not_known_is_named_when_it_passes() -> None:
    table = Played(f"deal 1 / turn-up: AC / buried: JK / stock: {STOCK}", seats=2, rules="wipe", wins=1)
    for number, card in enumerate(STOCK.split()):
        table.rule(f"{2 - number % 2} draw", f"{2 - number % 2} discard {card}")
    two = "4D 5D 6D 7D QH QS QC 2H 3C 7C 9S JH JK"
    assert table.rule("2 pass", "2 pass 4D", f"2 pass {two.replace('4D', '2C')}") == ["not-in-hand"] * 3
    assert table.rule(f"2 pass {two}") == ["ok"]
    assert table.legal("pass") == ["pass"]  # the other hand is known by exclusion
    # Nothing is melded. Seat 2 holds 4+5+6+7+3 queens+2+3+7+9+J, seat 1 a king's worth more.
    assert table.rule("1 pass") == ["ok deal-scored match-won"]
    assert table.match.winners == (1,)


# The director


def test_director_turn_is_before_step_1() -> None:
    table = Played("deal 1 / turn-up: 2H", "director turn = 2")
    assert table.to_act == (2,)
    assert table.rule("2 exchange", "director turn = 3") == ["ok", "wrong-phase"]


def test_director_hand() -> None:
    table = Played(HANDS, seats=2, hands="tracked")
    same = "JD 9D 3D 5S 7C 10H KH AD 2C 5H 7S 10S KC"
    assert table.rule(f"director hand 1: {same.replace('KC', '6H')}") == ["duplicate-card"]
    assert table.rule(f"director hand 1: {same.replace('KC', '')}") == ["wrong-count"]
    assert table.rule(f"director hand 1: {same.replace('KC', 'QC')}", "2 exchange QH KC") == ["ok", "ok"]
    open_take = Played("deal 1 / turn-up: JS / 1 take JS", seats=2)
    assert open_take.rule(f"director hand 1: JS {'?? ' * 13}") == ["wrong-phase"]


def test_director_dealer_before_the_first_action() -> None:
    table = Played("deal 1 / turn-up: 2H", "director dealer = 3")
    assert table.to_act == (3,)
    assert table.rule("3 exchange", "director dealer = 1") == ["ok", "wrong-phase"]


def test_undo_of_a_take_gives_the_line_back() -> None:
    table = Played("deal 1 / turn-up: JS / 1 take JS / 1 undo", seats=2)
    assert table.verdicts == ["ok", "ok", "ok"]
    assert table.legal("take") == ["take JS"]
