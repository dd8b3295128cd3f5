"""Cards that are shown to readers: what counts, what is refused, and who is told."""

from functools import partial
from pathlib import Path

import pytest
from at_table import BIDDEN, DEALT, LED, journal_rows, messages, pictures, seated, standing, take_back

from engine.cards import Card
from engine.match import to_act
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from hal.right_of_way import RightOfWay
from hal.sim.trace import Trace

UNKNOWN_TAG = "0412345678AB80"


def test_a_card_shown_at_the_seat_whose_turn_it_is_is_played(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(1, Card("9C"))
        assert journal_rows(table.journal_file)[-1] == (1, "1 play 9C")
        assert to_act(table.match) == (2,)


def test_a_refused_card_changes_neither_state_nor_record_nor_journal(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.tap(2, Card("AH"))
        assert messages(table, 2) == ["must-follow-suit"]
        assert standing(table) == before


def test_a_refusal_shows_at_that_seat_and_nowhere_else(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = pictures(table)
        table.tap(2, Card("AH"))
        after = pictures(table)
        assert {seat for seat in after if after[seat] != before[seat]} == {2}
        assert shows(table.picture(2), "Must follow ♣")


class Taken(RightOfWay):
    """Notes which displays went first."""

    taken: frozenset[object] = frozenset()

    def take(self, display: object) -> None:
        self.taken |= {display}
        super().take(display)


@pytest.mark.parametrize(("seat", "card"), [(2, "AH"), (3, "9S"), (2, "AC")], ids=["refused", "not-turn", "accepted"])
def test_the_answer_is_on_its_way_to_the_seat_of_the_card_before_any_other_display(
    tmp_path: Path, seat: int, card: str
) -> None:
    with seated(tmp_path, LED) as table:
        way = Taken(lambda: table.clock.time, lambda: None)
        for display in table.hardware.displays.values():
            display.way = way
        table.tap(seat, Card(card))
        assert way.taken == {table.hardware.displays[seat]}


def writes(trace: Trace, since: int, wire: str) -> list[int]:
    """The levels that an output was written with."""
    return [int(entry.data) for entry in trace.since(since) if entry.wire == wire and entry.what == "write"]


def led_wire(table: SimulatedTable, seat: int) -> str:
    return f"gpiochip0 line {table.file.wiring.seats[seat - 1].led}"


def buzzer_wire(table: SimulatedTable) -> str:
    assert table.file.wiring.buzzer is not None
    return f"gpiochip0 line {table.file.wiring.buzzer.line}"


def blinks_and_beeps(table: SimulatedTable, trace: Trace, seat: int, card: str) -> tuple[int, int]:
    """How often the LED of a seat goes on and the buzzer sounds when a card is shown there."""
    mark = trace.seq
    table.tap(seat, Card(card) if len(card) < 4 else card)
    table.wait(1.5)
    return writes(trace, mark, led_wire(table, seat)).count(1), writes(trace, mark, buzzer_wire(table)).count(1)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("card", "cue"),
    [("AH", (3 + 1, 2)), (UNKNOWN_TAG, (2 + 1, 1)), ("AC", (1, 0))],
    ids=["refused", "unknown tag", "accepted"],
)
def test_the_led_of_the_seat_and_the_buzzer_say_what_became_of_a_card(
    tmp_path: Path, card: str, cue: tuple[int, int]
) -> None:
    trace = Trace()
    with seated(tmp_path, LED, trace=trace) as table:
        table.wait(1.0)
        assert blinks_and_beeps(table, trace, 2, card) == cue


def test_a_card_that_counted_already_blinks_twice_and_beeps_once(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, LED, trace=trace) as table:
        table.wait(1.0)
        assert blinks_and_beeps(table, trace, 1, "9C") == (2, 1)
        assert messages(table, 1) == ["counted-already"]


def test_no_other_led_blinks_at_a_refusal(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, LED, trace=trace) as table:
        table.wait(1.0)
        mark = trace.seq
        table.tap(2, Card("AH"))
        table.wait(1.5)
        assert [writes(trace, mark, led_wire(table, seat)) for seat in (1, 3, 4)] == [[], [], []]


def test_a_card_out_of_turn_is_refused_and_noted_in_journal_and_record(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        match = table.match
        table.tap(4, Card("JC"))
        assert messages(table, 4) == ["not-your-turn"]
        assert table.match == match
        assert journal_rows(table.journal_file)[-1] == (1, "# out-of-turn: 4 play JC")
        assert table.loop.record().endswith("1 play 9C\n# out-of-turn: 4 play JC\n")


def test_the_note_of_a_card_out_of_turn_outlives_a_restart(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(4, Card("JC"))
        record = table.loop.record()
        table.restart()
        assert table.loop.record() == record


def test_a_card_that_is_left_lying_counts_once(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.place(1, Card("9C"))
        table.wait(10.0)
        assert [text for _, text in journal_rows(table.journal_file)][-1] == "1 play 9C"
        assert messages(table, 1) == []


def test_a_counted_card_that_is_shown_again_is_no_second_play_and_no_offence(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(1, Card("9C"))
        before = standing(table)
        table.tap(1, Card("9C"))
        assert messages(table, 1) == ["counted-already"]
        assert shows(table.picture(1), "9♣ counted")
        assert standing(table) == before


def test_a_counted_card_is_known_as_such_after_others_have_played(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(1, Card("9C"))
        table.tap(2, Card("AC"))
        before = standing(table)
        table.tap(1, Card("9C"))
        assert messages(table, 1) == ["counted-already"]
        assert standing(table) == before


def test_a_card_that_was_taken_back_can_be_played_again(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(1, Card("9C"))
        take_back(table, 1)
        assert to_act(table.match) == (1,)
        table.tap(1, Card("9C"))
        assert to_act(table.match) == (2,)


def test_a_card_that_still_lies_there_when_it_is_taken_back_is_not_played_by_itself(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.place(1, Card("9C"))
        take_back(table, 1)
        table.wait(3.0)
        assert to_act(table.match) == (1,)


def test_a_tag_of_no_card_is_told_at_that_seat_and_changes_nothing(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.tap(2, UNKNOWN_TAG)
        assert messages(table, 2) == ["unknown-tag"]
        assert shows(table.picture(2), "Unknown card")
        assert standing(table) == before


def test_of_two_cards_at_once_neither_counts_and_the_one_that_stays_does(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        reader, deck = table.reader(2), table.file.deck
        assert deck is not None
        table.wires.place(reader, deck.uid(Card("AC")))
        table.wires.place(reader, deck.uid(Card("KC")))
        table.wait(1.0)
        assert messages(table, 2) == ["one-at-a-time"]
        assert to_act(table.match) == (2,)
        table.wires.lift(reader, deck.uid(Card("KC")))
        table.wait(1.0)
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")


def test_a_card_at_a_bid_is_refused_with_the_phase(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        table.tap(1, Card("9C"))
        assert messages(table, 1) == ["wrong-phase"]


def test_the_dealing_pad_takes_no_play(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.tap("dealing", Card("AC"))
        assert messages(table, 4) == ["pad-is-for-dealing"]
        assert standing(table) == before


def test_a_card_that_another_seat_holds_is_refused(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("JC"))
        assert messages(table, 2) == ["not-in-hand"]


# One reader in the middle


def test_a_card_at_the_reader_in_the_middle_is_played_by_the_seat_that_is_to_act(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN, readers="centre") as table:
        for card in ("9C", "AC", "9S", "JC"):
            table.tap("centre", Card(card))
        assert [text for _, text in journal_rows(table.journal_file)][-4:] == [
            "1 play 9C",
            "2 play AC",
            "3 play 9S",
            "4 play JC",
        ]


def test_a_counted_card_shown_again_in_the_middle_is_not_the_next_seats_play(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN, readers="centre") as table:
        table.tap("centre", Card("9C"))
        before = standing(table)
        table.tap("centre", Card("9C"))
        assert messages(table, 2) == ["counted-already"]
        assert standing(table) == before


def test_a_refusal_in_the_middle_is_told_to_the_seat_that_is_to_act(tmp_path: Path) -> None:
    with seated(tmp_path, LED, readers="centre") as table:
        table.tap("centre", Card("AH"))
        assert messages(table, 2) == ["must-follow-suit"]
        assert messages(table, 1) == messages(table, 3) == messages(table, 4) == []


def test_the_display_of_whoever_shows_a_card_changes_before_the_others(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        drawn: list[int] = []
        for seat, display in table.hardware.displays.items():
            display.wake = partial(drawn.append, seat)
        table.wait(0.03)
        drawn.clear()
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)
        assert drawn[0] == 2
        assert {*drawn} == {1, 2, 3, 4}
