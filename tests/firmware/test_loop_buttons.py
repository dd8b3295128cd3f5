"""Buttons at a running table: when they act, what a hold does, what hides by itself, and what may be taken back."""

from pathlib import Path

import pytest
from at_table import (
    BIDDEN,
    DEALT,
    HANDS,
    LED,
    asked,
    bare,
    journal_rows,
    messages,
    pictures,
    prompted,
    seated,
    standing,
    take_back,
    unmarked,
)

from engine.cards import Card
from engine.match import Standing, to_act
from engine.view import Hand, Score, Trick, View
from firmware.composer import BLANK, MESSAGE
from firmware.menu import Menu
from firmware.reading import shows
from firmware.screens import draw
from firmware.simulated import PRESS, SimulatedTable
from hal.events import Button


def hold(table: SimulatedTable, seat: int, button: Button) -> None:
    table.hold(seat, button)
    table.release(seat, button)


def test_ok_acts_on_release(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT], readers="centre") as table:
        table.press(1, Button.RIGHT)
        table.wires.press(1, Button.OK, table.clock.now())
        table.wait(0.3)
        assert to_act(table.match) == (1,)
        table.release(1, Button.OK)
        assert to_act(table.match) == (2,)


@pytest.mark.few(1)
@pytest.mark.parametrize("button", list(Button))
def test_a_button_that_was_held_does_not_act_as_a_press(tmp_path: Path, button: Button) -> None:
    with seated(tmp_path, [DEALT], readers="centre") as table:
        table.press(1, Button.RIGHT)
        before, cursor = standing(table), table.loop.seat_view(1).cursor
        hold(table, 1, button)
        assert standing(table) == before
        assert table.loop.seat_view(1).cursor == (None if button is Button.LEFT else cursor)


def test_ok_under_a_message_only_takes_the_message_away(tmp_path: Path) -> None:
    with seated(tmp_path, tracked=False, readers="none", seats=2) as table:
        table.restart()
        assert shows(table.picture(2), "Restarted")
        table.press(2, Button.OK)
        undecided = table.match.standing
        assert undecided is Standing.BEFORE
        assert not shows(table.picture(2), "Restarted")
        table.press(2, Button.OK)
        assert table.match.standing is Standing.RUNNING


# Peeking


def hand_alone(table: SimulatedTable, seat: int) -> bytes:
    """The picture of a seat's hand as it is drawn from that hand, and how the match stands, and nothing else."""
    seen = table.loop.seat_view(seat)
    hand = Hand(seat, tuple(sorted(Card(text) for text in HANDS[seat - 1].split())), 0)
    bare = Trick(1, (), (), None, (0, 0, 0, 0))  # in tricks the ace is the highest
    score = next(block for block in seen.view.blocks if isinstance(block, Score))
    return unmarked(draw(seen._replace(peeking=True, view=View(seat, (hand, score, bare)), ask=None), table.loop.words))


def test_peeking_shows_the_own_cards_and_no_others_while_the_button_is_held(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = pictures(table)
        table.hold(3, Button.RIGHT)
        assert pictures(table)[3] == hand_alone(table, 3)
        table.release(3, Button.RIGHT)
        assert pictures(table) == before


def test_peeking_shows_nothing_at_the_other_seats(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = pictures(table)
        table.hold(3, Button.RIGHT)
        after = pictures(table)
        assert {seat for seat in after if after[seat] != before[seat]} == {3}
        table.release(3, Button.RIGHT)


@pytest.mark.long
def test_peeking_goes_on_while_others_play_and_ends_when_the_button_is_stuck(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.hold(3, Button.RIGHT)
        table.tap("centre", Card("AC"))
        assert pictures(table)[3] == hand_alone(table, 3)
        table.wait(61.0)
        assert pictures(table)[3] != hand_alone(table, 3)
        assert messages(table, 3) == ["button-stuck"]
        table.release(3, Button.RIGHT)


# Lists and messages that go by themselves


def test_a_list_of_own_cards_hides_some_seconds_after_the_last_press(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.press(2, Button.RIGHT, 2)
        table.wait(BLANK - 4 * PRESS)
        assert shows(table.picture(2), "K♣")
        table.wait(4 * PRESS)
        assert not shows(table.picture(2), "K♣")
        table.press(2, Button.OK)
        assert to_act(table.match) == (2,)


def test_a_list_of_bids_stays(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT], readers="centre") as table:
        table.press(1, Button.RIGHT)
        table.wait(2 * BLANK)
        assert table.loop.seat_view(1).cursor == 0


def test_a_message_goes_after_its_time(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.place(2, Card("AH"))
        table.wait(MESSAGE - 0.5)
        assert shows(table.picture(2), "Must follow ♣")
        table.wait(0.6)
        assert not shows(table.picture(2), "Must follow ♣")
        assert shows(table.picture(2), "Play a card")


# Taking back


def test_a_seat_takes_back_its_own_last_action(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        take_back(table, 1)
        assert journal_rows(table.journal_file)[-1] == (1, "1 undo")
        assert to_act(table.match) == (1,)


def test_nobody_takes_back_alone_what_another_seat_did(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        hold(table, 2, Button.LEFT)
        table.choose(2, "undo")
        assert [prompted(table, seat) for seat in (1, 3)] == ["assent", "assent"]
        table.choose(1, "refuse")
        assert messages(table, 2) == ["refused-by"]
        assert standing(table) == before


def test_everything_can_be_taken_back_to_before_the_deal(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN, readers="centre") as table:
        for seat in (1, 4, 3, 2, 1, 4):
            take_back(table, seat)
        assert table.match.standing is Standing.BEFORE
        assert table.match.deal is None
        hold(table, 4, Button.LEFT)
        assert "undo" not in asked(table, 4).choices
        table.choose(4, "go-on")
        assert table.loop.seat_view(4).dealing is not None


def test_the_last_card_of_a_deal_can_be_taken_back_before_the_next_deal(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2"], tracked=False, readers="none", seats=2) as table:
        for seat, choice in ((1, "1"), (2, "pass"), (1, "H")):
            table.choose(seat, choice)
        before = table.match
        while table.match.standing is Standing.RUNNING:
            seat = to_act(table.match)[0]
            before = table.match
            table.choose(seat, table.loop.seat_view(seat).offered[0])
        take_back(table, seat)
        assert bare(table.match) == bare(before)
        assert table.loop.seat_view(seat).dealing is None


@pytest.mark.few(1)
@pytest.mark.parametrize("button", list(Button))
@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.55])
def test_short_touches_of_any_one_button_take_nothing_back(tmp_path: Path, button: Button, seconds: float) -> None:
    """Not even by the seat whose action was the last, and however often: the menu opens at a hold alone."""
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        for _ in range(4):
            table.wires.press(1, button, table.clock.now())
            table.wait(seconds)
            table.release(1, button)
            assert prompted(table, 1) != "menu"
        assert standing(table) == before


@pytest.mark.few(1)
@pytest.mark.parametrize("button", list(Button))
def test_a_hold_and_one_touch_of_another_button_take_nothing_back_but_by_the_choice_that_shows(
    tmp_path: Path, button: Button
) -> None:
    """An open menu points at nothing at first, so that OK on the way back from a hold does nothing."""
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        hold(table, 1, Button.LEFT)
        table.press(1, button)
        assert standing(table) == before


def test_the_menu_can_be_left_by_its_choice_or_by_holding_again(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = standing(table)
        hold(table, 1, Button.LEFT)
        assert prompted(table, 1) == "menu"
        table.choose(1, "go-on")
        assert table.loop.seat_view(1).ask is None
        hold(table, 1, Button.LEFT)
        hold(table, 1, Button.LEFT)
        assert table.loop.seat_view(1).ask is None
        assert standing(table) == before


def test_an_open_menu_stays_when_another_seat_plays_but_what_it_would_take_back_is_picked_anew(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        hold(table, 1, Button.LEFT)
        table.press(1, Button.RIGHT)
        assert table.loop.seat_view(1).cursor is not None
        table.tap("centre", Card("AC"))
        assert asked(table, 1).prompt == "menu"
        assert table.loop.seat_view(1).cursor is None
        before = standing(table)
        table.press(1, Button.OK)
        assert standing(table) == before


def test_a_menu_does_not_turn_into_a_move_under_the_fingers(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        hold(table, 3, Button.LEFT)
        table.tap("centre", Card("AC"))
        assert asked(table, 3).prompt == "menu"
        before = standing(table)
        table.press(3, Button.RIGHT)
        assert standing(table) == before
        table.wait(Menu.patience + 1)
        assert asked(table, 3).prompt == "play"


def test_holding_back_first_leaves_the_list(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.press(2, Button.RIGHT)
        hold(table, 2, Button.LEFT)
        assert (table.loop.seat_view(2).cursor, asked(table, 2).prompt) == (None, "play")


def test_buttons_of_a_seat_that_is_not_asked_do_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before, shown = standing(table), pictures(table)
        for button in Button:
            table.press(3, button)
        assert standing(table) == before
        assert pictures(table) == shown


def test_what_a_seat_is_asked_by_buttons_is_what_it_may_play(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        with pytest.raises(ValueError, match=r"seat 2 is offered .*, not AH"):
            table.choose(2, Card("AH"))
        table.choose(2, Card("KC"))
        assert to_act(table.match) == (3,)
