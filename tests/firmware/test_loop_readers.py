"""Readers that couple, stall, or are of another kind: the seats are told, and the game goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from at_table import BIDDEN, LED, assert_record, journal_rows, messages, seated, standing, take_back

from engine.cards import Card
from engine.match import to_act
from firmware.deck import Deck
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import ReaderSettings
from hal.sim.faults import Fault
from hal.tags import Family, uid_text


def test_a_card_that_two_seats_see_is_played_by_neither_and_both_are_told(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.wires.readers[table.reader(3)].faults.add(Fault.CROSS_TALK)
        table.place(2, Card("AC"))
        table.wait(1.0)
        assert messages(table, 2) == messages(table, 3) == ["one-place"]
        assert messages(table, 1) == messages(table, 4) == []
        assert shows(table.picture(2), "One place only")
        assert standing(table) == before


def test_the_same_card_counts_when_one_seat_alone_sees_it(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        faults = table.wires.readers[table.reader(3)].faults
        faults.add(Fault.CROSS_TALK)
        table.place(2, Card("AC"))
        table.wait(1.0)
        faults.clear()
        table.wait(1.0)
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")
        assert to_act(table.match) == (3,)


def test_what_a_neighbour_sees_of_a_card_is_no_play_out_of_turn(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        rows = len(journal_rows(table.journal_file))
        table.wires.readers[table.reader(1)].faults.add(Fault.CROSS_TALK)
        table.place(2, Card("AC"))
        table.lift(2)
        table.wait(1.0)
        assert len(journal_rows(table.journal_file)) == rows


@pytest.mark.few(2)
@pytest.mark.parametrize("phase", [0.0, 0.02, 0.04, 0.06])
def test_a_card_at_one_seat_is_not_played_by_its_neighbour_whichever_of_them_misses_it_at_first(
    tmp_path: Path, phase: float
) -> None:
    with seated(tmp_path, LED) as table:
        rows = len(journal_rows(table.journal_file))
        table.wait(0.5 + phase)
        table.wires.readers[table.reader(2)].faults.add(Fault.CROSS_TALK)
        table.wires.readers[table.reader(3)].faults.add(Fault.EVERY_SECOND_POLL_MISSES)
        table.place(3, Card("AC"))  # which seat 2 might play, as it is its turn
        table.wait(1.0)
        assert messages(table, 2) == messages(table, 3) == ["one-place"]
        assert len(journal_rows(table.journal_file)) == rows


def test_a_pile_on_a_reader_is_answered_with_one_card_at_a_time(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.wires.readers[table.reader(2)].faults.add(Fault.PILE_STALLS)
        assert table.file.deck is not None
        for card in ("AC", "KC"):
            table.wires.place(table.reader(2), table.file.deck.uid(Card(card)))
        table.wait(4.0)
        assert table.hardware.readers[table.reader(2)].counts.stalls == 1
        assert messages(table, 2) == ["one-at-a-time"]
        assert [messages(table, seat) for seat in (1, 3, 4)] == [[], [], []]
        assert standing(table) == before


# Readers of another kind


@contextmanager
def table_of(
    folder: Path, kind: ReaderKind, family: Family, size: int, release: float | None = None
) -> Iterator[SimulatedTable]:
    """A table with such a reader at every seat, and tags of that family in its cards."""
    file = furnish("pepper", 4, dealer=4)
    assert file.deck is not None
    seats = tuple(
        msgspec.structs.replace(
            seat, reader=ReaderSettings(kind=kind, port=f"/dev/simulated/{seat.number}", release=release)
        )
        for seat in file.wiring.seats
    )
    deck = Deck({uid_text(bytes([1, int(card)]) + bytes(size - 2), family): card for card in file.deck.cards.values()})
    common = tuple(
        msgspec.structs.replace(reader, kind=kind, port="/dev/simulated/pad") for reader in file.wiring.common_readers
    )
    wiring = msgspec.structs.replace(file.wiring, seats=seats, common_readers=common)
    with SimulatedTable(file._replace(wiring=wiring, deck=deck), folder / "journal.db") as table:
        yield table
        assert_record(table)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "family", "size"),
    [
        (ReaderKind.RDM6300, Family.EM4100, 5),
        (ReaderKind.ID12LA, Family.EM4100, 5),
        (ReaderKind.KEYBOARD, Family.KEYS, 5),
    ],
)
def test_a_trick_is_played_with_readers_of_every_kind(
    tmp_path: Path, kind: ReaderKind, family: Family, size: int
) -> None:
    hands = [[Card(word) for word in line.split(": ")[1].split()] for line in BIDDEN[0].splitlines()[1:]]
    with table_of(tmp_path, kind, family, size) as table:
        table.wait(0.5)  # what a reader that is not asked tells sooner may have lain there
        table.deal(hands)
        for seat, bid in ((1, "4"), (2, "pass"), (3, "pass"), (4, "pass"), (1, "S")):
            table.choose(seat, bid)
        table.tap(1, Card("9C"))
        assert journal_rows(table.journal_file)[-1] == (1, "1 play 9C")
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)


def test_two_cards_on_a_reader_that_cannot_tell_them_apart_are_answered_with_one_card_at_a_time(tmp_path: Path) -> None:
    hands = [[Card(word) for word in line.split(": ")[1].split()] for line in BIDDEN[0].splitlines()[1:]]
    with table_of(tmp_path, ReaderKind.RDM6300, Family.EM4100, 5) as table:
        table.wait(0.5)
        table.deal(hands)
        before = standing(table)
        assert table.file.deck is not None
        for card in ("9C", "10C"):
            table.wires.place(table.reader(1), table.file.deck.uid(Card(card)))
        table.wait(4.0)
        assert table.hardware.readers[table.reader(1)].counts.stalls == 1
        assert messages(table, 1) == ["one-at-a-time"]
        assert standing(table) == before


def test_a_card_taken_back_can_be_shown_again_at_once_where_lifts_are_not_seen(tmp_path: Path) -> None:
    hands = [[Card(word) for word in line.split(": ")[1].split()] for line in BIDDEN[0].splitlines()[1:]]
    with table_of(tmp_path, ReaderKind.ID12LA, Family.EM4100, 5, release=10.0) as table:
        table.deal(hands)
        for seat, bid in ((1, "4"), (2, "pass"), (3, "pass"), (4, "pass"), (1, "S")):
            table.choose(seat, bid)
        table.tap(1, Card("9C"))
        take_back(table, 1)
        assert to_act(table.match) == (1,)
        table.tap(1, Card("9C"))
        assert to_act(table.match) == (2,)


def test_a_reader_that_was_lost_and_speaks_again_is_no_longer_missed(tmp_path: Path) -> None:
    with table_of(tmp_path, ReaderKind.RDM6300, Family.EM4100, 5) as table:
        reader = table.reader(2)
        table.wires.unplug_reader(reader)
        table.wait(0.5)
        assert not table.loop.seat_view(2).tapping
        table.wires.plug_reader(reader)
        table.wait(2.0)
        table.tap(2, Card("9C"))
        assert table.loop.seat_view(2).tapping
