"""Notes beside the entries: no card that is shown is dropped without a trace, and no way out tells what they hold."""

import json
import sqlite3
from asyncio import run
from contextlib import closing
from pathlib import Path

import pytest
from at_table import BIDDEN, HANDS, LED, journal_rows, messages, seated, standing

from engine.cards import Card
from firmware.desk import Heard
from firmware.journal import MOST_WAITING, Journal
from firmware.notes import AGAIN, GLIMPSES, Note, Notes
from firmware.run import Exporter
from firmware.simulated import SimulatedTable
from firmware.telling import device_line, heard_line
from hal.events import DeviceBack, DeviceLost, Event, SeveralTags, TagConflict, TagGlimpsed, TagLifted, TagPlaced
from hal.sim.faults import Fault
from hal.sim.trace import Trace

UNKNOWN_TAG = "0412345678AB80"


def notes_in(path: Path) -> list[tuple[int, Note]]:
    """The notes on disk, each with the line that it stands behind."""
    with closing(sqlite3.connect(path)) as file:
        return [
            (line, Note(*note))
            for line, *note in file.execute("SELECT line, device, tag, what FROM note ORDER BY number")
        ]


def notes_of(table: SimulatedTable) -> list[tuple[int, Note]]:
    table.journal._writer.submit(lambda: None).result()  # the writer has done all that was asked of it
    return notes_in(table.journal_file)


def uid(table: SimulatedTable, card: str) -> str:
    assert table.file.deck is not None
    return table.file.deck.uid(Card(card))


# What is noted


def test_a_card_that_counts_is_noted_with_its_reader_and_tag_behind_its_line(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("AC"))
        rows = journal_rows(table.journal_file)
        assert rows[-1] == (1, "2 play AC")
        assert notes_of(table) == [(len(rows), Note("seat 2 reader", uid(table, "AC"), "taken"))]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("entries", "place", "card", "code"),
    [
        (LED, 2, "AH", "must-follow-suit"),
        (LED, 2, "JC", "not-in-hand"),
        (LED, 4, "JC", "not-your-turn"),
        (LED, 1, "9C", "counted-already"),
        (LED, 2, UNKNOWN_TAG, "unknown-tag"),
        (LED, "dealing", "AC", "pad-is-for-dealing"),
        (BIDDEN[:1], 1, "9C", "wrong-phase"),
        ((), 1, "9C", "still-dealing"),
    ],
)
def test_a_card_that_does_not_count_is_told_at_a_seat_and_noted(
    tmp_path: Path, entries: tuple[str, ...], place: int | str, card: str, code: str
) -> None:
    with seated(tmp_path, entries) as table:
        table.tap(place, card if card == UNKNOWN_TAG else Card(card))
        tag = card if card == UNKNOWN_TAG else uid(table, card)
        assert [note for _, note in notes_of(table)] == [Note(table.reader(place), tag, code)]
        assert [code] in [messages(table, seat) for seat in (1, 2, 3, 4)]


def test_a_card_beyond_a_complete_deal_is_told_and_noted(tmp_path: Path) -> None:
    cards = [Card(text) for text in HANDS[0].split() + HANDS[1].split()]
    with seated(tmp_path, seats=2) as table:
        table.deal([cards[:6], cards[6:]])
        table.tap("dealing", Card("9S"))
        notes = [note for _, note in notes_of(table)]
        assert [note.what for note in notes] == ["taken"] * 12 + ["pad-is-for-dealing"]
        assert notes[-1] == Note("dealing reader", uid(table, "9S"), "pad-is-for-dealing")
        assert messages(table, 2) == ["pad-is-for-dealing"]


def test_a_tag_that_two_readers_see_is_noted_at_both(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.readers[table.reader(3)].faults.add(Fault.CROSS_TALK)
        table.place(2, Card("AC"))
        table.wait(1.0)
        noted = {note for _, note in notes_of(table)}
        assert noted == {Note(table.reader(seat), uid(table, "AC"), "one-place") for seat in (2, 3)}


def test_each_of_several_tags_in_one_field_is_noted(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        for card in ("AC", "KC"):
            table.wires.place(table.reader(2), uid(table, card))
        table.wait(1.0)
        noted = {note for _, note in notes_of(table)}
        assert noted == {Note(table.reader(2), uid(table, card), "one-at-a-time") for card in ("AC", "KC")}


def test_a_device_that_goes_and_comes_back_is_noted(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.unplug_reader(table.reader(2))
        table.wait(1.0)
        table.wires.plug_reader(table.reader(2))
        table.wait(3.0)
        said = [note.what for _, note in notes_of(table) if note.device == table.reader(2)]
        assert said[0].startswith("lost: ")
        assert said[1:] == ["back"]


def test_what_is_the_same_again_within_a_minute_is_noted_once() -> None:
    notes = Notes()

    def noted(event: Event) -> int:
        return len(notes.of(event, "counted-already"))

    assert [noted(TagPlaced("seat 1 reader", "04A1B2C3", at)) for at in (0.0, 1.0, AGAIN - 1)] == [1, 0, 0]
    assert noted(TagPlaced("seat 2 reader", "04A1B2C3", AGAIN)) == 1
    assert noted(TagPlaced("seat 1 reader", "04A1B2C4", AGAIN)) == 1
    assert noted(TagPlaced("seat 1 reader", "04A1B2C4", 3 * AGAIN)) == 1


def test_a_lift_is_not_noted_and_every_tag_and_reader_is() -> None:
    notes = Notes()
    assert notes.of(TagLifted("seat 1 reader", "04A1B2C3", 0.0), "taken") == ()
    assert len(notes.of(SeveralTags("seat 1 reader", ("04A1B2C3", "04A1B2C4"), 0.0), "one-at-a-time")) == 2
    assert len(notes.of(TagConflict(("seat 1 reader", "seat 2 reader"), "04A1B2C3", 0.0), "one-place")) == 2


# A disk that does not take them


def test_notes_wait_for_a_disk_that_takes_none_and_nobody_is_held_up(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        run(journal.begin_match(["game: pepper"]))
        journal._writer.submit(lambda: journal._file.execute("PRAGMA query_only = ON")).result()
        for number in range(MOST_WAITING + 2):
            journal.note([Note("seat 1 reader", "", str(number))])
        journal._writer.submit(lambda: journal._file.execute("PRAGMA query_only = OFF")).result()
        journal.note([Note("seat 1 reader", "", "last")])
    kept = [note.what for _, note in notes_in(path)]
    assert kept == [*map(str, range(3, MOST_WAITING + 2)), "last"]


def test_a_journal_from_before_there_were_notes_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with seated(tmp_path, LED):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.executescript("DROP TABLE note; PRAGMA user_version = 1")
    with closing(Journal(path)) as journal:
        assert journal.last_match() is not None
        journal.note([Note("seat 1 reader", "04A1B2C3", "taken")])
    assert [note.tag for _, note in notes_in(path)] == ["04A1B2C3"]


# Every poll that gave a tag


def looks_in(path: Path) -> list[tuple[str, str, str, int]]:
    """Reader, tag, what and which poll, of every note on disk."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT device, tag, what, look FROM note ORDER BY number").fetchall()


def polls(table: SimulatedTable, seat: int) -> int:
    counts = table.hardware.readers[table.reader(seat)].counts
    return counts.clean + counts.garbled + 1  # the one at which it was opened


def test_the_poll_that_gave_a_tag_is_noted_with_it(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = polls(table, 2)
        table.tap(2, Card("AC"))
        notes_of(table)
        [(_, tag, what, look)] = looks_in(table.journal_file)
        assert (tag, what) == (uid(table, "AC"), "taken")
        assert before < look <= before + 3


def test_of_a_card_that_bled_to_a_neighbour_the_poll_of_each_reader_is_noted(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.readers[table.reader(3)].faults.add(Fault.CROSS_TALK)
        before = {table.reader(seat): polls(table, seat) for seat in (2, 3)}
        table.place(2, Card("AC"))
        after = {table.reader(seat): polls(table, seat) for seat in (2, 3)}
        notes_of(table)
        looks = {device: look for device, _, what, look in looks_in(table.journal_file) if what == "one-place"}
        assert looks.keys() == before.keys()
        assert all(before[reader] < looks[reader] <= after[reader] for reader in looks)


def test_a_tag_that_was_seen_too_seldom_to_count_is_noted_and_told_nobody(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        table.wires.readers[table.reader(2)].faults.add(Fault.PHANTOM)
        table.wait(3.0)
        noted = [note for _, note in notes_of(table)]
        assert {(note.device, note.what) for note in noted} == {(table.reader(2), "glimpsed")}
        assert all(note.tag for note in noted)
        assert standing(table) == before
        assert not messages(table, 2)


def test_noise_that_makes_up_tags_for_hours_notes_ten_a_minute() -> None:
    notes, noted = Notes(), 0
    for number in range(3600 * 4):
        noted += len(notes.of(TagGlimpsed("seat 1 reader", f"{number:08X}", number / 4, number), "taken"))
    assert GLIMPSES <= noted <= GLIMPSES * (3600 / AGAIN + 1)


def test_a_journal_whose_notes_name_no_poll_takes_those_that_do_and_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with seated(tmp_path, LED):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            "ALTER TABLE note DROP COLUMN look; PRAGMA user_version = 2;"
            "INSERT INTO note (match, line, device, tag, what, wall_time) VALUES (1, 1, 'old', '', 'back', 0)"
        )
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert journal.last_match() is not None
            journal.note([Note("new", "04A1B2C3", "taken", 12)])
    assert looks_in(path) == [("old", "", "back", 0), *[("new", "04A1B2C3", "taken", 12)] * 2]


# Who is told


def shown_and_said(folder: Path, card: str) -> tuple[list[tuple[str, bytes | int]], list[str], str]:
    """All that a table without known hands puts on its wires, its log and its export when a card of seat 1 is shown
    out of turn at seat 2; the readers' own wires are not its outputs."""
    folder.mkdir()
    trace, log = Trace(), []
    with seated(folder, ["deal 2"], seats=2, tracked=False, trace=trace) as table:
        exporter = Exporter(folder)
        exporter.loop = table.loop

        def hear(heard: Heard) -> None:
            exporter(heard)
            log.append(heard_line(table.file.table, table.loop.words, heard))

        table.loop.observers.append(hear)
        mark = trace.seq
        table.tap("dealing", Card(card))
        assert [note.tag for _, note in notes_of(table)] == [uid(table, card)]
        wires = [(entry.wire, entry.data) for entry in trace.since(mark) if entry.wire.startswith(("i2c", "gpiochip"))]
        return wires, log, table.loop.record()


def test_neither_displays_nor_log_nor_record_depend_on_the_tag_that_is_noted(tmp_path: Path) -> None:
    one, other = shown_and_said(tmp_path / "one", "9C"), shown_and_said(tmp_path / "other", "AH")
    assert one == other
    assert one[0]
    assert len(one[1]) == 1


def test_the_match_is_the_same_without_its_notes(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("AH"))
        table.tap(2, Card("AC"))
        notes_of(table)
        before = standing(table)
        table._power.close()
        with closing(sqlite3.connect(table.journal_file)) as file:
            assert file.execute("DELETE FROM note").rowcount == 2
            file.commit()
        table._power_on()
        assert json.dumps(standing(table)[1:]) == json.dumps(before[1:])
        assert table.match._replace(notices=()) == before[0]._replace(notices=())


def test_the_log_names_the_readers_of_one_card_and_no_tag() -> None:
    events: list[Event] = [
        TagConflict(("seat 1 reader", "seat 2 reader"), "04A1B2C3", 0.0),
        DeviceLost("seat 1 reader", "unexpected answer 04 A1 B2 C3", 0.0),
        DeviceBack("seat 1 reader", 0.0),
    ]
    assert not [line for event in events if (line := device_line(event)) is not None and "A1" in line]
