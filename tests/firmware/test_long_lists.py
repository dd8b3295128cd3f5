"""Lists too long to show, at a table: first the suit, then the card; they hide as private lists do, and can be left."""

from pathlib import Path
from typing import Any

import pytest
from at_table import asked, messages, unmarked
from lying_cards import table_of

from engine.asks import END, Ask
from engine.cards import CARDS, Card
from engine.match import Standing
from firmware.composer import BLANK, Composer
from firmware.reading import shows
from firmware.seatview import PICK
from firmware.simulated import SimulatedTable
from hal.events import Button

JOKER = Card("JK")
WHOLE = Ask("discard", cards=CARDS[:52], source="hand")
SUITS = tuple(f"{PICK}{suit}" for suit in "CDHS")
HEARTS = tuple(f"{PICK}{part}" for part in ("AH", "2H-4H", "5H-9H", "10H-QH", "KH"))


def within(*path: str) -> Composer:
    """A composer that has taken these steps into the whole pack."""
    composer = Composer()
    for token in path:
        assert composer.step(token, WHOLE, 0.0)
    return composer


# Steps, and time


def test_after_a_step_the_cursor_is_where_the_next_is_nearest() -> None:
    composer = within(f"{PICK}H")
    assert composer.row(WHOLE).ask.choices == HEARTS
    assert composer.cursor == 2
    composer = within(f"{PICK}H", f"{PICK}10H-QH")
    assert composer.picked(composer.row(WHOLE).ask) == Card("JH")


def test_a_step_back_leaves_the_cursor_where_it_was_taken() -> None:
    composer = within(f"{PICK}H", f"{PICK}10H-QH")
    assert composer.back(WHOLE, 0.0)
    assert (composer.path, composer.cursor) == ((f"{PICK}H",), 3)
    assert composer.back(WHOLE, 0.0)
    assert (composer.path, composer.cursor) == ((), 2)
    assert not composer.back(WHOLE, 0.0)
    assert composer.cursor == 2


def test_clearing_forgets_the_steps() -> None:
    composer = within(f"{PICK}H")
    composer.clear()
    assert composer.row(WHOLE).ask.choices == SUITS


@pytest.mark.parametrize("source", ["hand", "stock"])
def test_suits_of_a_hand_hide_and_those_of_open_cards_stay(source: str) -> None:
    composer, ask = Composer(), WHOLE._replace(source=source)
    composer.move(composer.row(ask).ask, 1, 10.0)
    assert composer.expire(10.0 + BLANK) == (source == "hand")
    assert (composer.cursor is None) == (source == "hand")


def test_a_step_is_a_press_that_keeps_a_list_for_longer() -> None:
    composer = Composer()
    composer.move(composer.row(WHOLE).ask, 1, 10.0)
    assert composer.step(f"{PICK}C", WHOLE, 10.0 + BLANK - 0.01)
    assert not composer.expire(10.0 + 2 * BLANK - 0.02)
    assert composer.expire(10.0 + 2 * BLANK)


def test_cards_of_a_step_hide_and_the_next_press_shows_the_same_step() -> None:
    composer = within(f"{PICK}H", f"{PICK}5H-9H")
    row = composer.row(WHOLE)
    composer.move(row.ask, 1, 10.0, row.enter)
    assert composer.expire(10.0 + BLANK)
    assert composer.picked(row.ask) is None
    composer.move(row.ask, 1, 20.0, row.enter)
    assert composer.picked(row.ask) == Card("7H")


# At the table: a concealed hand may hold any card


def discarding(table: SimulatedTable) -> int:
    """Deal a concealed hand of Vazhushal, up to the seat that is to bury a card."""
    table.choose(1, "dealt")
    table.choose(1, Card("QC"))
    table.choose(1, "exchange")
    assert table.match.standing is Standing.RUNNING
    return 1


CONCEALED: dict[str, Any] = {"tracked": False, "readers": "none"}


def test_a_card_that_may_be_any_is_picked_by_suit_and_rank(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.LEFT, 3)
        assert asked(table, seat).choices == (*SUITS, f"{PICK}JK")
        table.press(seat, Button.OK)
        assert asked(table, seat).choices == HEARTS
        assert [rank for rank in ("♥", "A", "2–4", "5–9", "10–Q", "K") if not shows(table.picture(seat), rank)] == []
        table.press(seat, Button.LEFT)
        table.press(seat, Button.OK)
        assert asked(table, seat).cards == tuple(Card(f"{rank}H") for rank in "234")
        assert not shows(table.picture(seat), "5")
        table.press(seat, Button.LEFT)
        table.press(seat, Button.OK)
        assert table.loop.seat_view(seat).given == ("exchange", Card("2H"))
        table.choose(seat, END)
        assert table.loop.lines[-1] == "1 exchange 2H"


def test_a_card_at_the_end_of_its_suit_is_given_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.RIGHT, 2)  # past the end of the group
        table.press(seat, Button.OK)
        table.press(seat, Button.LEFT, 2)
        table.press(seat, Button.OK)
        assert table.loop.seat_view(seat).given == ("exchange", Card("AC"))


def test_all_suits_the_joker_and_the_end_are_shown_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        before = table.picture(seat)
        assert [suit for suit in "♦♥♠" if shows(before, suit)] == []
        table.press(seat, Button.RIGHT)
        assert [suit for suit in (*"♣♦♥♠", "JK", "done") if not shows(table.picture(seat), suit)] == []


def test_holding_back_leaves_step_by_step_and_then_the_action(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.choose(seat, f"{PICK}H")
        table.choose(seat, f"{PICK}2H-4H")
        for offered in (HEARTS, (*SUITS, f"{PICK}JK")):
            table.hold(seat, Button.LEFT)
            table.release(seat, Button.LEFT)
            assert asked(table, seat).choices == offered
            assert table.loop.seat_view(seat).given == ("exchange",)
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        assert table.loop.seat_view(seat).given == ()
        assert "exchange" in asked(table, seat).choices
        table.choose(seat, "exchange")
        assert asked(table, seat).choices == (*SUITS, f"{PICK}JK")


def test_a_list_of_one_suit_is_hidden_after_its_time_and_ok_gives_nothing_then(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        hidden = []
        for suit, sign in (("C", "♣"), ("S", "♠")):
            table.choose(seat, f"{PICK}{suit}")
            assert shows(table.picture(seat), sign)
            table.wait(BLANK + 1.0)
            hidden.append(unmarked(table.picture(seat)))
            table.press(seat, Button.OK)
            assert table.loop.seat_view(seat).given == ("exchange",)
            for _ in range(2):
                table.hold(seat, Button.LEFT)
                table.release(seat, Button.LEFT)
            table.choose(seat, "exchange")
        assert hidden[0] == hidden[1]  # nor can one see which suit it was


def test_the_suit_is_forgotten_with_the_action_of_another_seat(tmp_path: Path) -> None:
    """What a suit was picked for is over: the next question begins with the suits again."""
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.choose(seat, Card("2H"))
        table.choose(seat, Card("3H"))
        assert table.loop.lines[-1] == "1 exchange 2H 3H"
        table.choose(seat, "discard")
        table.choose(seat, Card("3H"))
        table.choose(2, "exchange")
        assert asked(table, 2).choices[:4] == SUITS
        assert messages(table, 2) == []


def test_a_joker_is_given_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.LEFT)
        table.press(seat, Button.OK)
        assert table.loop.seat_view(seat).given == ("exchange", JOKER)


def test_a_card_that_no_step_leads_to_is_named_among_the_cards_that_can_be_picked(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        with pytest.raises(ValueError, match=r"seat 1 is offered end AC 2C .* KS JK, not QC$"):
            table.choose(seat, Card("QC"))
