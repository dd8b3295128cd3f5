"""Captures of tables with further chips, displays of every kind, a strip, and readers of every kind, replayed."""

from pathlib import Path

import msgspec
import pytest
from at_table import BIDDEN, LED, all_bots, write_journal

from engine.cards import Card
from firmware.capturing import heard_text
from firmware.comparing import Outcome
from firmware.deck import Deck
from firmware.furnish import furnish
from firmware.replaying import Replay
from firmware.simulated import SimulatedTable
from firmware.table_option import example
from firmware.tablefile import TableFile, read_table_file
from hal.capture import Capture, read_capture, unpack
from hal.events import Button
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import ReaderSettings
from hal.sim.faults import Fault
from hal.sim.trace import Trace
from hal.tags import Family, uid_text
from hal.wiring import ButtonLines, StripWiring

STRIP = "\n[strip]\nleds = 12\ntwo_wires = true\n"


def replayed(path: Path, table: SimulatedTable, late: float = 1e-5) -> tuple[Capture, Outcome]:
    """A replay that says what was said at the table, at the same times or nearly so."""
    capture = read_capture(path)
    outcome = Replay(capture).run()
    assert outcome.difference is None
    assert outcome.same
    assert [said.text for said in outcome.replayed] == [heard_text(table.file.table, heard) for heard in table.heard]
    assert [said.at for said in outcome.replayed] == pytest.approx([said.at for said in outcome.captured], abs=late)
    return capture, outcome


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("two-seats", ""),
        ("centre-reader", ""),
        *(
            pytest.param(name, added, marks=pytest.mark.soak)
            for name, added in (("four-seats", ""), ("six-seats", STRIP), ("six-seats", "no edges"))
        ),
    ],
)
def test_a_reference_table_is_replayed_with_all_that_is_wired_to_it(tmp_path: Path, name: str, added: str) -> None:
    text = example(f"{name}.toml").read_text(encoding="utf-8")
    text = text.replace("interrupt = 26\n", "") if added == "no edges" else text + added
    for deck in ("deck-24.csv", "deck-108.csv"):
        (tmp_path / deck).write_bytes(example(deck).read_bytes())
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    file, path = read_table_file(tmp_path / "table.toml"), tmp_path / "one.capture"
    with SimulatedTable(file, capture=path) as table:
        end = table.clock.now() + 40
        all_bots(table, seed=1).play_until(lambda: table.clock.now() > end, limit=60.0)
    capture, outcome = replayed(path, table)
    assert len(outcome.replayed) > 1
    wires = capture.wires()
    if name == "six-seats":
        line = [entry.kind for entry in wires["line 2 of mcp23017"]]
        assert "level" in line
        assert ("edge" in line) == (added != "no edges")


def table_of(kind: ReaderKind, family: Family) -> TableFile:
    """A table with such readers, and tags of that family in its cards."""
    file = furnish("pepper", 4, dealer=4)
    assert file.deck is not None
    seats = tuple(
        msgspec.structs.replace(seat, reader=ReaderSettings(kind=kind, port=f"/dev/input/by-path/{seat.number}"))
        for seat in file.wiring.seats
    )
    common = tuple(
        msgspec.structs.replace(reader, kind=kind, port="/dev/input/by-path/pad")
        for reader in file.wiring.common_readers
    )
    deck = Deck({uid_text(bytes([1, int(card), 0, 0, 0]), family): card for card in file.deck.cards.values()})
    wiring = msgspec.structs.replace(file.wiring, seats=seats, common_readers=common)
    return file._replace(wiring=wiring, deck=deck)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "family"),
    [
        (ReaderKind.RDM6300, Family.EM4100),
        (ReaderKind.ID12LA, Family.EM4100),
        (ReaderKind.KEYBOARD, Family.KEYS),
    ],
)
def test_readers_that_speak_by_themselves_are_replayed_pulled_out_and_put_back_too(
    tmp_path: Path, kind: ReaderKind, family: Family
) -> None:
    hands = [[Card(word) for word in line.split(": ")[1].split()] for line in BIDDEN[0].splitlines()[1:]]
    path = tmp_path / "one.capture"
    with SimulatedTable(table_of(kind, family), capture=path) as table:
        table.wait(0.5)  # what a reader that is not asked tells sooner may have lain there
        table.deal(hands)
        for seat, bid in ((1, "4"), (2, "pass"), (3, "pass"), (4, "pass"), (1, "S")):
            table.choose(seat, bid)
        table.tap(1, Card("9C"))
        table.wait(5.0)
        table.wires.unplug_reader(table.reader(2))
        table.wait(2.0)
        table.wires.plug_reader(table.reader(2))
        table.wait(4.0)
        table.tap(2, Card("AC"))
        table.wait(1.0)
    capture, outcome = replayed(path, table)
    texts = [said.text.split(": ")[0] for said in outcome.replayed]
    assert {"1 play 9C", "2 play AC"} <= set(texts)
    assert any("device-lost" in said.text for said in outcome.replayed)
    assert "came" in {entry.kind for entry in capture.wires()[table.reader(1)]}


@pytest.mark.few(1)
@pytest.mark.parametrize("other", [1, 3])
def test_a_card_that_two_readers_see_is_told_at_both_again(tmp_path: Path, other: int) -> None:
    file, journal, path = furnish("pepper", 4, dealer=4), tmp_path / "journal.db", tmp_path / "one.capture"
    write_journal(journal, file, LED)
    with SimulatedTable(file, journal, capture=path) as table:
        for number in (1, 2, 3, 4):
            table.press(number, Button.OK)
            table.release(number, Button.OK)
        table.wait(0.2)
        faults = table.wires.readers[table.reader(other)].faults
        faults.add(Fault.CROSS_TALK)
        table.place(2, Card("AC"))
        table.wait(1.0)
        faults.clear()
        table.wait(2.0)
    _, outcome = replayed(path, table)
    texts = [said.text for said in outcome.replayed]
    assert sum("one-place" in text for text in texts) == 2
    assert "2 play AC: ok" in texts


def test_a_strip_that_fails_and_comes_back_is_replayed_with_its_colours(tmp_path: Path) -> None:
    file, path = furnish("pepper", 2, tracked=False, readers="none", dealer=2), tmp_path / "one.capture"
    first, second = file.wiring.seats
    elsewhere = msgspec.structs.replace(second, buttons=ButtonLines(left=20, ok=21, right=22), led=23)
    wiring = msgspec.structs.replace(file.wiring, seats=(first, elsewhere), strip=StripWiring(leds=4, two_wires=True))
    with SimulatedTable(file._replace(wiring=wiring), capture=path) as table:
        strip = table.wires.strip
        assert strip is not None
        table.choose(2, "dealt")
        strip.unplugged = True
        table.wait(3.0)
        table.press(1, Button.OK)
        strip.unplugged = False
        table.wait(8.0)
        table.choose(1, "1")
        table.wait(1.0)
    capture, trace = read_capture(path), Trace()
    outcome = Replay(capture, note=trace.note).run()
    assert outcome.same
    assert [event.text for event in outcome.events if event.wire == "strip"] == ["DeviceLost strip", "DeviceBack strip"]
    assert outcome.events == outcome.captured_events
    written = [unpack(entry.data) for entry in capture.wires()["spidev0.0"] if entry.kind == "write"]
    assert [entry.data for entry in trace.on("spidev0.0")][: len(written)] == written
    assert len(set(written)) >= 3
