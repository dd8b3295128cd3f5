"""Devices that fail and come back in the middle of a trick: the seat is told, and nothing is lost (law 7)."""

from pathlib import Path
from random import Random

from at_table import BIDDEN, LED, bare, dealing_view, journal_rows, messages, pictures, seated, standing, unmarked

from engine.cards import Card
from engine.match import to_act
from firmware.reading import shows
from firmware.screens import draw
from firmware.simulated import SimulatedTable
from hal.events import Button


def test_a_seat_without_its_reader_is_told_and_plays_by_buttons(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.unplug_reader(table.reader(2))
        table.wait(0.5)
        assert messages(table, 2) == ["device-lost"]
        assert not table.loop.seat_view(2).tapping
        assert table.loop.seat_view(3).tapping
        table.choose(2, Card("AC"))
        assert to_act(table.match) == (3,)


def test_a_reader_that_comes_back_in_mid_trick_loses_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.wires.unplug_reader(table.reader(2))
        table.wait(1.0)
        assert standing(table) == before
        table.wires.plug_reader(table.reader(2))
        table.wait(3.0)
        assert table.loop.seat_view(2).tapping
        table.tap(2, Card("AC"))
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")


def test_a_card_that_lay_there_when_its_reader_came_back_is_not_played_twice(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.place(2, Card("AC"))
        table.wires.unplug_reader(table.reader(2))
        table.wait(1.0)
        before = standing(table)
        table.wires.plug_reader(table.reader(2))
        table.wait(3.0)
        assert standing(table) == before
        assert "counted-already" not in messages(table, 2)


def test_a_loss_is_told_once_however_often_the_reader_is_tried(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.unplug_reader(table.reader(2))
        table.wait(12.0)
        assert messages(table, 2) == ["device-lost"]


def test_the_loss_of_one_reader_is_told_at_its_seat_alone(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = pictures(table)
        table.wires.unplug_reader(table.reader(2))
        table.wait(0.5)
        after = pictures(table)
        assert {seat for seat in after if after[seat] != before[seat]} == {2}


def test_the_dealer_is_told_that_the_dealing_pad_is_off(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap("dealing", Card("9C"))
        table.wires.unplug_reader(table.reader("dealing"))
        table.wait(0.5)
        assert messages(table, 2) == ["device-lost"]
        table.wires.plug_reader(table.reader("dealing"))
        table.wait(3.0)
        table.tap("dealing", Card("10C"))
        assert dealing_view(table).counts == (1, 1)


def test_the_seat_that_is_to_act_is_told_that_the_reader_in_the_middle_is_off(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.wires.unplug_reader(table.reader("centre"))
        table.wait(0.5)
        assert messages(table, 2) == ["device-lost"]
        assert not any(table.loop.seat_view(seat).tapping for seat in (1, 2, 3, 4))


def test_a_game_goes_on_without_a_display_and_it_comes_back_with_the_newest_picture(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.unplug_display(2)
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)
        assert messages(table, 2) == ["device-lost"]
        table.wires.plug_display(2)
        table.wait(12.0)
        picture = table.picture(2)
        assert shows(picture, "A♣")
        assert shows(picture, "9♣")


def test_a_display_that_lost_its_supply_for_a_moment_is_right_again_after_the_next_deal(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2"], seats=2, tracked=False, readers="none") as table:
        expected = pictures(table)
        table.wires.glasses[1].glitch(Random(1))
        table.wait(0.5)
        assert pictures(table)[1] != expected[1]
        for seat in (1, 2):
            table.choose(seat, "pass")
        table.choose(dealing_view(table).dealer, "dealt")
        assert pictures(table)[1] == drawn(table, 1)


def drawn(table: SimulatedTable, seat: int) -> bytes:
    return unmarked(draw(table.loop.seat_view(seat), table.loop.words))


def test_a_stuck_button_ends_in_a_message_and_its_seat_goes_on_with_a_reader(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        before = bare(table.match)
        table.wires.press(2, Button.OK, table.clock.now())
        table.wait(61.0)
        assert messages(table, 2) == ["button-stuck"]
        assert shows(table.picture(2), "Button stuck: OK")
        assert bare(table.match) == before
        table.tap("centre", Card("AC"))
        assert to_act(table.match) == (3,)
        table.release(2, Button.OK)
        assert to_act(table.match) == (3,)


def test_a_left_button_that_was_stuck_leaves_no_menu_behind(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.wires.press(2, Button.LEFT, table.clock.now())
        table.wait(2.0)
        assert shows(table.picture(2), "Menu")
        table.wait(60.0)
        assert messages(table, 2) == ["button-stuck"]
        table.release(2, Button.LEFT)
        table.wait(10.0)
        assert not shows(table.picture(2), "Menu")


def test_a_table_starts_without_a_reader_and_takes_it_when_it_comes(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.wires.unplug_reader(table.reader(1))
        table.restart()
        table.wires.unplug_reader(table.reader(1))
        table.wait(1.0)
        table.wires.plug_reader(table.reader(1))
        table.wait(3.0)
        table.tap(1, Card("9C"))
        assert to_act(table.match) == (2,)
