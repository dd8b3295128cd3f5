"""What the table knows of hands and stock, and what is refused on it."""

import pytest
from vazhushal_tables import Played, tracked_deal

from engine.cards import Card, CardError
from engine.game import NotationError
from engine.match import check_action, seen_from
from engine.notation import parse_entry
from engine.values import Action
from engine.vazhushal import GAME
from engine.vazhushal.knowledge import UNKNOWN_CARD, Places, bury, draw, named
from engine.vazhushal.knowledge import seen_from as places_seen_from

REST = "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD 2H 3H 4H 5H"


def test_a_draw_without_a_card_leaves_the_hand_partly_known() -> None:
    table = Played(tracked_deal("2H", "AS", "AC"), "1 exchange AS", seats=2, hands="tracked")
    assert table.state.places.unknown == (1, 0)
    assert table.rule("1 discard AS", "1 discard AC", "1 discard JK") == ["not-in-hand", "not-in-hand", "ok"]


def test_a_burial_without_a_card_makes_no_card_of_the_hand_certain() -> None:
    table = Played(tracked_deal("2H", "AS", "AC"), "1 exchange", seats=2, hands="tracked")
    assert table.state.places.known[0] == 0
    assert table.state.places.unknown == (13, 0)
    assert table.rule("1 discard AS") == ["ok"]


def test_what_was_known_before_a_burial_that_nobody_saw_stays_impossible_for_other_hands() -> None:
    table = Played("deal 1 / turn-up: 2H / hand 1: AS 2C 3D 4H 5S 6C 7D 8H 9S 10C JD QH KS", seats=2)
    table.rule("1 exchange", "1 discard JK", "2 exchange")
    assert table.rule("2 discard AS", "2 discard KS", "2 discard AC") == ["not-in-hand", "not-in-hand", "ok"]


def test_a_card_buried_unseen_may_come_back_to_another_seat() -> None:
    table = Played("deal 1 / turn-up: 2H / hand 1: AS 2C 3D 4H 5S 6C 7D 8H 9S 10C JD QH KS", seats=2)
    places = bury(table.state.places, 1, -1)
    for _ in range(27):
        places = draw(places, 2, -1)
        assert not places.pool(2) >> Card("AS") & 1
    assert places.stock == (-1,)
    assert draw(places, 2, -1).pool(2) >> Card("AS") & 1
    assert not draw(places, 1, -1).pool(2) >> Card("AS") & 1
    assert draw(places, 2, Card("AS")).known[1] == 1 << Card("AS")


def test_a_card_buried_by_name_is_in_no_hand_and_comes_back_by_itself() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange AS / 1 discard 3C", seats=2)
    assert table.rule("2 exchange", "2 discard AS", "2 discard 4C") == ["ok", "not-in-hand", "ok"]
    assert table.state.places.stock[-2] == Card("AS")


def test_a_stock_that_is_told_gives_the_card_that_is_not_named() -> None:
    table = Played(f"deal 1 / turn-up: 2S / stock: {REST}", seats=2)
    assert table.rule("1 exchange KS 4C", "1 exchange KS KS", "1 exchange KS") == ["not-next", "not-next", "ok"]
    assert table.rule("1 exchange AS 5C", "1 discard 3C") == ["already-drew", "ok"]


def test_a_drawn_card_that_lies_elsewhere_for_certain() -> None:
    table = Played(tracked_deal("2H", "AS 3S 5S", "AC 3C"), seats=2, hands="tracked")
    assert (
        table.rule("1 exchange AS 2H", "1 exchange AS AC", "1 exchange AS 3S", "1 exchange AS AS")
        == ["not-in-hand"] * 4
    )
    assert table.rule("1 exchange AS JK") == ["ok"]


def test_the_last_hand_is_known_by_exclusion() -> None:
    one = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    stock = "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD JK"
    table = Played(f"deal 2 / turn-up: AH / hand 1: {one} / stock: {stock}", seats=2)
    assert table.state.places.unknown == (0, 0)
    assert table.rule("2 exchange JK", "2 discard 2H", "2 discard 2C") == ["ok", "ok", "not-your-turn"]


def test_the_same_card_twice_and_more_cards_than_the_hand_has() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange", seats=2)
    assert table.rule("1 meld 3C 3C 3D", "1 show JK JK", "1 show JK JK JK") == [
        "not-in-hand",
        "redeal-closed",
        "not-in-hand",
    ]
    every = " ".join(f"{rank}{suit}" for suit in "CDS" for rank in ("3", "4", "5", "6", "7"))
    assert table.rule(f"1 meld {every}") == ["not-in-hand"]
    assert Played("deal 1 / turn-up: 2H", "1 take 2H'2", seats=2).last == "not-in-hand"


def test_equal_cards_the_certain_one_is_meant_first() -> None:
    table = Played("deal 1 / turn-up: 2H / hand 1: 7D'2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??")
    table.rule("1 exchange 7D KC", "1 discard KC", "2 exchange")
    assert table.rule("2 discard 7D'2", "2 discard 7D'1") == ["not-in-hand", "ok"]


def test_a_seat_that_knows_better_than_the_table_is_believed() -> None:
    """An action that was legal on what the seat may know is carried out, wherever the table thought the card was."""
    state = Played(tracked_deal("2H", "AS", "AC"), "1 exchange AS", seats=2, hands="tracked").state
    after, _ = GAME.apply(state, Action(1, "discard", Card("AC")))
    assert after.line[-1] == Card("AC")
    assert after.places.unknown == (0, 1)


# What a seat may know of its own burials


def by_buttons(table: Played, line: str) -> str:
    """What is ruled on an action that no reader saw: the ruling on what its seat may know."""
    action = parse_entry(table.table, line, 1)
    assert isinstance(action, Action)
    refusal = check_action(seen_from(table.match, action.seat), action)
    return "ok" if refusal is None else refusal.code


def test_a_seat_is_held_to_the_card_that_it_buried_by_name() -> None:
    """It buried the ace, or said so by mistake: by the record the ace lies under the stock, and by its own view."""
    table = Played("deal 1 / turn-up: 2H / 1 exchange AS 3C", seats=2)
    for line in ("1 discard AS", "1 meld AS 2S 3S"):
        assert by_buttons(table, line) == table.rule(line)[0] == "not-in-hand"
    table.rule("1 discard 4C", "2 exchange", "2 discard 4H")
    for line in ("1 exchange AS 9C", "1 exchange 9C AS", "1 declare AS AC AD"):
        assert by_buttons(table, line) == table.rule(line)[0] == "not-in-hand"


def test_nobody_else_is_told_what_a_seat_buried_by_name() -> None:
    table = Played("deal 1 / turn-up: 2H / 1 exchange AS 3C / 1 discard 4C / 2 exchange KS 5C", seats=2)
    assert by_buttons(table, "2 discard AS") == "ok"
    assert by_buttons(table, "2 discard KS") == "not-in-hand"
    assert [places_seen_from(table.state.places, viewer).buried for viewer in (0, 1, 2)] == [
        (0, 0),
        (1 << Card("AS"), 0),
        (0, 1 << Card("KS")),
    ]


@pytest.mark.parametrize("buried", ["9H", "5C", ""])
def test_whoever_saw_a_card_being_taken_sees_only_that_some_card_was_buried(buried: str) -> None:
    taken = "1 exchange / 1 discard 9H / 2 exchange / 2 discard KD / 1 take 5H / 1 meld 5H 5D 5S / 1 discard KD"
    table = Played(f"deal 1 / turn-up: 5H / {taken} / 2 exchange / 2 discard 7C", seats=2)
    assert places_seen_from(table.state.places, 2).known[0] == 1 << Card("9H")
    assert table.rule(f"1 exchange {buried}", "1 discard QS", "2 exchange") == ["ok"] * 3
    seen = places_seen_from(table.state.places, 2)
    assert seen.known[0] == 0
    assert seen.unseen >> Card("9H") & 1
    assert by_buttons(table, "2 discard 9H") == "ok"


def drawn_by_two() -> Places:
    """Seat 1 buried AS, KS and QS by name; the stock went round, and seat 2 drew two of them."""
    places = Played("deal 1 / turn-up: 2H", seats=2).state.places
    for name in ("AS", "KS", "QS"):
        places = bury(places, 1, Card(name))
        places = draw(places, 1, -1)
    for _ in range(24):
        places = draw(places, 1, -1)
    return draw(draw(places, 2, -1), 2, -1)


def test_a_seat_knows_who_drew_the_card_that_it_buried() -> None:
    places = places_seen_from(drawn_by_two(), 1)
    assert places.known[1] == 1 << Card("AS") | 1 << Card("KS")
    assert places.stock[-1:] == (Card("QS"),)


def test_what_another_seat_drew_may_be_any_of_its_cards_that_it_buries_next() -> None:
    """Whatever it buries, and whether it names it: the seat that buried it before sees only that a card was buried."""
    places = drawn_by_two()
    seen = [places_seen_from(bury(places, 2, card), 1) for card in (Card("AS"), Card("2C"))]
    assert seen[0] == seen[1]
    assert seen[0].known[1] == 0
    assert places_seen_from(bury(places, 2, -1), 1).known[1] == 0


def test_a_card_that_came_out_of_a_hand_was_not_buried() -> None:
    """It is believed where it is seen, and what lies under the stock is not known any more."""
    places = bury(Played("deal 1 / turn-up: 2H", seats=2).state.places, 1, Card("AS"))
    places = draw(places, 2, Card("AS"))
    assert places_seen_from(places, 1).buried == (0, 0)
    assert not any(card == Card("AS") for card in places.stock)


# The notation


@pytest.mark.parametrize(
    ("words", "word", "offset"),
    [
        ("meld 10D JD КD", 2, 0),
        ("meld 3C 4C JK=КD", 2, 3),
        ("meld", 0, 0),
        ("meld 3C / 4C", 1, 0),
        ("add 3C", 1, 0),
        ("add 3C to", 2, 0),
        ("add to 1", 0, 0),
        ("declare 3C 4C 5C /", 4, 0),
        ("discard", 0, 0),
        ("discard 3C 4C", 1, 0),
        ("discard ??", 0, 0),
        ("return 3C", 0, 0),
        ("exchange 3C 4C 5C", 2, 0),
        ("rearrange / 3C", 0, 0),
    ],
)
def test_what_is_no_action(words: str, word: int, offset: int) -> None:
    verb, *rest = words.split()
    with pytest.raises(NotationError) as raised:
        GAME.parse(verb, rest)
    assert (raised.value.word, raised.value.offset) == (word, offset)
    assert not isinstance(raised.value, CardError)


@pytest.mark.parametrize(
    "text",
    [
        "show 7D 7D'2", "exchange", "exchange 3C", "exchange 3C JK'2", "draw", "draw 3C", "take 3C", "return",
        "meld 3C JK=4C 5C'1", "meld 8H=5D 5H 5S", "add JK=6C 7C to 2", "rearrange 3C 4C 5C / JK 6C 7C",
        "declare 3C 4C 5C / 6C to 1 / JK=7D 8D 9D", "discard JK'4", "out 3C", "pass", "pass 3C 4C",
    ],
)  # fmt: skip
def test_the_notation_of_each_verb(text: str) -> None:
    verb, *words = text.split()
    assert GAME.text(Action(1, verb, GAME.parse(verb, words))) == text


def test_what_is_known_by_exclusion_alone_is_forgotten_when_a_second_hand_becomes_unknown() -> None:
    places = Places((0b0011, 0b1100), (0, 0), 0, (0, 0), (), 0, 0, (0, 0))
    unsaid = named(places, 1, (UNKNOWN_CARD, UNKNOWN_CARD))
    assert unsaid.known == places.known  # the only cards that nobody has seen
    both = named(unsaid, 2, (UNKNOWN_CARD, UNKNOWN_CARD))
    assert (both.known, both.unknown, both.unseen) == ((0, 0), (2, 2), 0b1111)
    swapped = named(named(both, 1, (2, 3)), 2, (0, 1))
    assert (swapped.known, swapped.unknown) == ((0b1100, 0b0011), (0, 0))
