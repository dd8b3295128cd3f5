"""The lock of all cards: while somebody shuffles, nothing counts at any reader, and every display says so."""

from pathlib import Path

import pytest
from at_table import DEALT, HANDS, LED, asked, dealing_view, journal_rows, messages, seated, standing
from test_loop_taps import buzzer_wire, led_wire, writes
from test_notes import notes_of

from engine.cards import Card
from engine.match import to_act
from firmware.desk import LOCKED
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from firmware.words import Length
from hal.events import Button
from hal.sim.trace import Trace


def open_menu(table: SimulatedTable, seat: int) -> None:
    table.hold(seat, Button.LEFT)
    table.release(seat, Button.LEFT)


def lock(table: SimulatedTable, seat: int) -> None:
    open_menu(table, seat)
    table.choose(seat, "lock")


def test_between_deals_no_card_of_a_shuffle_counts_anywhere_and_every_display_says_so(tmp_path: Path) -> None:
    with seated(tmp_path) as table:
        lock(table, 4)
        before = dealing_view(table), standing(table)
        for place in ("dealing", 1, 2, 3, 4):
            table.tap(place, Card("9C"))
        assert (dealing_view(table), standing(table)) == before
        assert sum(dealing_view(table).counts) == 0
        for seat in (1, 2, 3, 4):
            assert shows(table.picture(seat), "Locked")
            assert shows(table.picture(seat), "No card counts")


def test_a_lock_in_mid_trick_holds_every_reader_and_the_trick_goes_on_behind_it(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        lock(table, 3)
        before = standing(table)
        table.tap(2, Card("AC"))
        table.tap(4, Card("JC"))
        table.tap(2, "0412345678AB80")
        assert standing(table) == before
        table.press(1, Button.OK)
        table.tap(2, Card("AC"))
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")


@pytest.mark.long
def test_any_seat_opens_the_lock(tmp_path: Path) -> None:
    for seat in (1, 2, 3, 4):
        folder = tmp_path / str(seat)
        folder.mkdir()
        with seated(folder, LED) as table:
            lock(table, 1)
            assert asked(table, seat) is LOCKED
            table.press(seat, Button.OK)
            assert not any(shows(table.picture(place), "Locked") for place in (1, 2, 3, 4))


def test_buttons_reach_nothing_behind_a_lock_but_its_opening_and_the_own_hand(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        lock(table, 2)
        before = standing(table)
        for seat in (1, 2, 3, 4):
            table.press(seat, Button.RIGHT, 3)
            table.press(seat, Button.LEFT, 2)
            open_menu(table, seat)
            assert asked(table, seat) is LOCKED
        assert standing(table) == before
        table.hold(1, Button.RIGHT)
        assert shows(table.picture(1), table.loop.words.table("hand", Length.OLED))
        table.release(1, Button.RIGHT)


def test_the_dealer_of_a_concealed_deal_does_not_deal_through_a_lock(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        lock(table, 2)
        table.press(2, Button.OK)
        assert journal_rows(table.journal_file) == []
        assert shows(table.picture(2), "All dealt?")


def test_cards_behind_a_lock_make_no_sound_and_are_in_the_journal(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, LED, trace=trace) as table:
        lock(table, 3)
        table.wait(1.5)
        mark = trace.seq
        table.tap(2, Card("AC"))
        table.tap(2, Card("KC"))
        table.wait(1.0)
        assert writes(trace, mark, buzzer_wire(table)) == writes(trace, mark, led_wire(table, 2)) == []
        assert [note.what for _, note in notes_of(table)] == ["locked", "locked"]
        assert messages(table, 2) == ["locked", "locked"]


def test_a_card_that_lies_there_when_the_lock_is_opened_is_to_be_shown_anew(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        lock(table, 2)
        table.place(2, Card("AC"))
        table.press(2, Button.OK)
        table.wait(2.0)
        assert to_act(table.match) == (2,)
        table.lift(2)
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)


def test_no_led_asks_for_a_card_that_would_not_count(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wait(1.0)
        assert table.wires.lit(2)
        lock(table, 1)
        table.wait(1.0)
        assert not table.wires.lit(2)
        table.press(1, Button.OK)
        table.wait(1.0)
        assert table.wires.lit(2)


def test_a_lock_does_not_outlive_a_restart(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        lock(table, 1)
        table.restart()
        table.tap(2, Card("AC"))
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")


@pytest.mark.parametrize("place", ["dealing", 1])
def test_without_a_lock_what_a_shuffle_shows_elsewhere_counts_nowhere_too(tmp_path: Path, place: int | str) -> None:
    """The dealing pad is the one reader that takes cards between two deals."""
    with seated(tmp_path, seats=2) as table:
        table.tap(place, Card(HANDS[0].split()[0]))
        assert sum(dealing_view(table).counts) == (place == "dealing")
