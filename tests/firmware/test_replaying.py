"""A captured game replayed: the same rulings, messages, record and displays, at any speed and up to any cut."""

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from at_table import DEALT, assert_record, write_journal

from engine.record import header_lines
from firmware.bench import Bench
from firmware.capturing import Start, header_of, heard_text, remembered, start_of, table_text
from firmware.comparing import Outcome, Said
from firmware.furnish import furnish
from firmware.journal import MERGED, NEXT, SESSION, Journal
from firmware.preferences import Defaults
from firmware.replaying import Deliveries, Replay, steps_of
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile, read_table_file
from firmware.ways import WAYS
from hal.capture import TABLE, Capture, CaptureError, Entry, read_capture, unpack
from hal.cues import Cue
from hal.events import Button, DeviceLost, Released
from hal.sim.named_faults import At, Place
from hal.sim.trace import Trace

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*.capture"))


@pytest.mark.few(1)
@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_what_was_captured_at_a_table_is_ruled_and_said_again(path: Path) -> None:
    """A fault of a real table becomes a test by a copy of its capture in that folder."""
    outcome = Replay(read_capture(path)).run()
    assert outcome.captured
    assert outcome.difference is None
    assert outcome.same


def test_there_are_captures_to_replay() -> None:
    assert CAPTURES


# A whole game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SimulatedTable]:
    """A deal of bots by taps and buttons, in which a reader is pulled out and a display is not heard for a while."""
    path = tmp_path_factory.mktemp("game") / "game.capture"
    with SimulatedTable(furnish("pepper", 2, options={"target": 99}), seed=3, capture=path) as table:
        bench = Bench(table, 16)
        for seat in (1, 2):
            bench.seat_bot(seat, 0.25)
        bus, place = table.wires.buses[11], table.file.wiring.seats[0].display
        assert place is not None
        bench.play_until(lambda: len(table.loop.lines) >= 8)
        table.wires.unplug_reader("seat 2 reader")
        bus.nak.add(place.address)
        end = table.clock.now() + 2
        bench.play_until(lambda: table.clock.now() > end)
        bus.nak.clear()
        table.wires.plug_reader("seat 2 reader")
        bench.play_until(lambda: table.match.deals >= 1, limit=200)
    return path, table


def said_of(table: SimulatedTable) -> list[str]:
    return [heard_text(table.file.table, heard) for heard in table.heard]


def test_a_game_is_ruled_recorded_and_shown_again(game: tuple[Path, SimulatedTable]) -> None:
    path, table = game
    capture, trace = read_capture(path), Trace()
    outcome = Replay(capture, note=trace.note).run()
    assert outcome.same
    assert outcome.record == outcome.captured_record == table.loop.record()
    assert [said.text for said in outcome.replayed] == said_of(table)
    assert [said.at for said in outcome.replayed] == pytest.approx([said.at for said in outcome.captured], abs=1e-5)
    assert {"device-lost", "refused"} <= {word.split("(")[0] for said in said_of(table) for word in said.split()}
    for wire in ("i2c-11 3C", "i2c-11 3D"):
        shown = [unpack(entry.data) for entry in capture.wires()[wire] if entry.kind == "write"]
        assert [entry.data for entry in trace.on(wire)][: len(shown)] == shown


def test_a_deck_that_is_enrolled_in_a_capture_is_enrolled_again_and_no_file_is_written(tmp_path: Path) -> None:
    file, path = furnish("pepper", 2, free=True), tmp_path / "red.csv"
    kept = file.shelf.kept[0]._replace(path=path)
    path.write_text(kept.text, encoding="utf-8")
    file = file._replace(shelf=file.shelf._replace(kept=(kept,)))
    with SimulatedTable(file, capture=tmp_path / "one.capture") as table:
        table.wait(3)
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        for item in ("decks", "replace-card", "D", "card:9D"):
            table.choose(1, item)
        table.tap(1, "04FFEE01010101")
        assert "tag-replaced" in said_of(table)[-1]
    written = path.read_text(encoding="utf-8")
    assert "04FFEE01010101, 9D" in written
    path.write_text(kept.text, encoding="utf-8")
    outcome = Replay(read_capture(tmp_path / "one.capture")).run()
    assert outcome.same
    assert [said.text for said in outcome.replayed] == said_of(table)
    assert path.read_text(encoding="utf-8") == kept.text


def test_at_double_speed_the_same_is_said_in_half_the_time(game: tuple[Path, SimulatedTable]) -> None:
    capture, waited = read_capture(game[0]), []
    outcome = Replay(capture, pause=lambda seconds: waited.append(seconds / 2)).run()
    assert outcome.same
    assert sum(waited) == pytest.approx(capture.seconds / 2)


def test_a_capture_that_was_cut_is_replayed_up_to_the_cut(game: tuple[Path, SimulatedTable], tmp_path: Path) -> None:
    whole = game[0].read_bytes()
    cut = tmp_path / "cut.capture"
    cut.write_bytes(whole[: len(whole) * 3 // 5])
    capture = read_capture(cut)
    outcome = Replay(capture).run()
    assert not capture.complete
    assert outcome.captured_record is None
    assert 0 < len(outcome.captured) < len(game[1].heard)
    assert outcome.difference is None
    assert [said.text for said in outcome.replayed[: len(outcome.captured)]] == said_of(game[1])[
        : len(outcome.captured)
    ]


def test_another_card_on_the_reader_is_a_difference(game: tuple[Path, SimulatedTable]) -> None:
    """So the comparison can fail."""
    capture = read_capture(game[0])
    swapped = tuple(
        entry._replace(data=[entry.data[0], entry.data[1].replace("5ec0de80", "5ec0de81"), entry.data[2]])
        if entry.kind == "exchange" and entry.at > capture.seconds / 2
        else entry
        for entry in capture.entries
    )
    outcome = Replay(capture._replace(entries=swapped)).run()
    assert outcome.difference is not None
    assert "captured" in str(outcome.difference)
    assert not outcome.same
    assert outcome.event_difference is not None
    captured = outcome.event_difference.captured
    assert captured is not None
    assert outcome.event_difference.wire.endswith(" reader")
    assert outcome.difference.captured is not None
    assert captured.at <= outcome.difference.captured.at


def test_a_match_that_went_on_from_the_journal_goes_on_in_the_replay(tmp_path: Path) -> None:
    file, journal, path = furnish("pepper", 4, dealer=4), tmp_path / "journal.db", tmp_path / "one.capture"
    write_journal(journal, file, [DEALT])
    with SimulatedTable(file, journal, capture=path) as table:
        for seat in (1, 2, 3, 4):
            table.press(seat, Button.OK)
        table.choose(1, "4")
        assert_record(table)
    outcome = Replay(read_capture(path)).run()
    assert [said.text for said in outcome.replayed] == ["1 bid 4: ok"]
    assert outcome.same
    assert DEALT in outcome.record


def test_a_restart_ends_the_capture_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "one.capture"
    with SimulatedTable(furnish("pepper", 2, tracked=False, dealer=2), capture=path) as table:
        table.choose(2, "dealt")
        table.restart()
        table.press(1, Button.OK)
        table.choose(1, "1")
    outcome = Replay(read_capture(path)).run()
    assert [said.text for said in outcome.replayed] == ["deal 2: ok"]
    assert outcome.same


@pytest.mark.long
def test_a_table_that_is_recorded_rules_as_one_that_is_not(tmp_path: Path) -> None:
    file, records = furnish("pepper", 2, tracked=False), []
    captures = {"with": tmp_path / "one.capture", "without": None}
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
        with SimulatedTable(file, tmp_path / name / "journal.db", 1, capture=captures[name]) as table:
            bench = Bench(table, 1)
            for seat in (1, 2):
                bench.seat_bot(seat, 0.2)
            end = table.clock.now() + 12
            while table.clock.now() < end:
                bench.step()
            records.append(table.loop.record())
    assert records[0] == records[1]


def test_only_its_owner_may_read_a_capture(tmp_path: Path) -> None:
    path = tmp_path / "one.capture"
    with SimulatedTable(furnish("pepper", 2, tracked=False, readers="none"), capture=path):
        assert path.stat().st_mode & 0o077 == 0


# The header


@pytest.mark.parametrize(
    "file",
    [
        furnish("pepper", 4, dealer=3, names=("Ann", "Ben \\ B.", 'Cleo "C"', "Дан"), options={"target": 9}),
        furnish("pepper", 2, "bowers", tracked=False, readers="none", language="ru", options={"rebid": False}),
        furnish("vazhushal", 6, readers="centre"),
        furnish("possession", 3, "melds", decks=2),
        furnish("pepper", 3, free=True),
    ],
    ids=lambda file: file.table.game.name,
)
def test_a_table_comes_back_from_the_texts_in_the_header(file: TableFile, tmp_path: Path) -> None:
    match: tuple[str, list[str]] = "\n".join(header_lines(file.table, names=file.names)), []
    header = json.loads(json.dumps(header_of(Start(file, 7, match))))
    start = start_of(Capture("one", header, ()))
    assert start.table.wiring == file.wiring
    assert start.table._replace(table=None, wiring=None) == file._replace(table=None, wiring=None)  # type: ignore[arg-type]
    assert start.table.table._replace(rules=None) == file.table._replace(rules=None)
    assert (start.seed, start.match) == (7, match)


@pytest.mark.parametrize("deal", WAYS)
def test_the_way_of_dealing_comes_back_with_the_table(deal: str) -> None:
    file = furnish("pepper", 2, deal=deal)
    header = json.loads(json.dumps(header_of(Start(file, 7, None))))
    assert start_of(Capture("one", header, ())).table.deal == deal


def test_the_table_in_a_capture_can_be_taken_out_as_a_file(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none")
    (tmp_path / "table.toml").write_text(table_text(file), encoding="utf-8")
    assert read_table_file(tmp_path / "table.toml").wiring == file.wiring


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": None}, "a header that lacks seed or table; expected both"),
        ({"table": "[game]\n"}, "the table in it cannot be used: table.toml:1: "),
        ({"table": "[game\n"}, "the table in it cannot be used: table.toml:1:"),
        ({"deck": "04A1B2C3, 9Z\n"}, "the table in it cannot be used: "),
        ({"deck": None}, "the table in it cannot be used: table.toml:"),
        ({"match": "a match"}, "a match that cannot be read; expected header and entries"),
        ({"match": {"header": "", "entries": [1]}}, "a match that cannot be read"),
        ({"match": {"header": "rubbish", "entries": []}}, "a match that cannot be read: "),
        ({"match": {"header": "game: pepper\nrules: standard\nseats: 4", "entries": ["9"]}}, "a match that cannot"),
        ({"match": {"header": "game: pepper", "entries": [], "more": 1}}, "a match that cannot be read"),
        ({"deck": 5}, "a deck that is no text"),
        ({"decks": 5}, "decks that cannot be read; expected grows and kept"),
        ({"decks": {"grows": True, "kept": [["red", "04A1B2C3, 9Z"]]}}, "a deck that cannot be read: red:1: "),
        ({"settings": None}, "settings that cannot be read; expected names and texts of what the table remembered"),
        ({"settings": {"sound": 1}}, "settings that cannot be read"),
        ({"settings": ["sound"]}, "settings that cannot be read"),
        ({"settings": {"next-match": "5"}}, "settings that cannot be read"),
        ({"seed": True}, "a header that lacks seed or table"),
    ],
)
def test_a_header_that_cannot_be_used_is_said_in_one_line(change: dict[str, Any], said: str) -> None:
    header = header_of(Start(furnish("pepper", 4), 0, None)) | change
    with pytest.raises(CaptureError) as caught:
        Replay(Capture("one.capture", header, ()))
    assert str(caught.value).startswith(f"one.capture:1: {said}")
    assert "\n" not in str(caught.value)


# What the table remembered

SETTINGS = {
    "place:1:left-handed": "on",
    "place:2:contrast": "48",
    "place:2:light:refused": "off",
    "sound": "off",
    "language": "ru",
}


@pytest.fixture
def remembering(tmp_path: Path) -> tuple[Capture, SimulatedTable]:
    """A capture of a table that remembered something: seat 1 bids with the buttons the other way round."""
    file, path, journal = furnish("pepper", 2, tracked=False, dealer=2), tmp_path / "one.capture", tmp_path / "one.db"

    async def keep() -> None:
        with closing(Journal(journal)) as book:
            for key, value in (SETTINGS | {f"{SESSION}1": "start"}).items():
                await book.keep(key, value)

    asyncio.run(keep())
    with SimulatedTable(file, journal, capture=path) as table:
        table.choose(2, "dealt")
        table.press(1, Button.LEFT, 2)
        table.press(1, Button.OK)
        table.choose(2, "pass")
    return read_capture(path), table


def test_what_a_table_remembered_is_in_its_capture_and_holds_in_the_replay(
    remembering: tuple[Capture, SimulatedTable],
) -> None:
    capture, table = remembering
    assert start_of(capture).settings == SETTINGS
    trace = Trace()
    outcome = Replay(capture, note=trace.note).run()
    assert outcome.same
    assert [said.text for said in outcome.replayed] == said_of(table)
    for wire in ("i2c-11 3C", "i2c-11 3D"):
        shown = [unpack(entry.data) for entry in capture.wires()[wire] if entry.kind == "write"]
        assert [entry.data for entry in trace.on(wire)][: len(shown)] == shown


def test_without_what_was_remembered_it_is_another_game(remembering: tuple[Capture, SimulatedTable]) -> None:
    capture, _ = remembering
    forgetful = {key: value for key, value in capture.header.items() if key != "settings"}
    assert not Replay(capture._replace(header=forgetful)).run().same


def test_what_is_the_journal_s_own_stays_out_of_a_capture() -> None:
    own = {f"{SESSION}1": "start", f"{MERGED}2": "them", NEXT: "3"}
    assert remembered(SETTINGS | own) == SETTINGS


def test_how_a_table_says_things_comes_back_with_it() -> None:
    defaults = Defaults(False, frozenset(), frozenset({Cue.ACCEPTED}), frozenset({2}), 40)
    for file in (furnish("pepper", 2), furnish("pepper", 2, free=True)):
        file = file._replace(defaults=defaults)
        start = start_of(Capture("one", json.loads(json.dumps(header_of(Start(file, 7, None)))), ()))
        assert start.table.defaults == defaults
        assert start.table.free == file.free


# What is compared


def said(*texts: str) -> tuple[Said, ...]:
    return tuple(Said(float(at), text) for at, text in enumerate(texts))


@pytest.mark.parametrize(
    ("captured", "replayed", "record", "same"),
    [
        (("a", "b"), ("a", "b"), "r", True),
        (("a", "b"), ("a", "b"), "other", False),
        (("a", "b"), ("a",), "r", False),
        (("a",), ("a", "b"), "r", False),
        (("a",), ("a", "b"), None, True),  # cut: what follows was not captured any more
        (("a", "b"), ("a",), None, False),
        (("a", "b"), ("b", "a"), None, False),
    ],
)
def test_rulings_and_messages_are_compared_in_order(
    captured: tuple[str, ...], replayed: tuple[str, ...], record: str | None, same: bool
) -> None:
    assert Outcome(said(*captured), said(*replayed), record, "r").same is same


def test_a_difference_says_when_where_what_was_captured_and_what_came_now() -> None:
    assert str(Outcome(said("a", "b"), said("a"), "r", "r").difference) == "1.000 s, table: captured 'b', now nothing"
    assert str(Outcome(said("a"), said("b"), "r", "r").difference) == "0.000 s, table: captured 'a', now 'b'"


def test_a_record_that_differs_is_said_with_its_line() -> None:
    outcome = Outcome(said("a", "b"), said("a", "b"), "deal 1\n1 bid 4\n", "deal 1\n1 bid 5\n")
    assert str(outcome.difference) == "1.000 s, table, line 2 of the record: captured '1 bid 4', now '1 bid 5'"
    longer = Outcome(said("a"), said("a"), "deal 1\n", "deal 1\n1 bid 5\n")
    assert str(longer.difference) == "0.000 s, table, line 2 of the record: captured nothing, now '1 bid 5'"
    assert Outcome((), (), "deal 1\n", "deal 1").difference is not None


def test_the_event_before_a_difference_is_said_with_its_device() -> None:
    told = (
        Said(1.0, "Released 1 ok False", "seat 1 ok button"),
        Said(2.0, "TagPlaced seat 2 reader 04", "seat 2 reader"),
    )
    outcome = Outcome((Said(2.5, "a"),), (), "r", "r", told, told[:1])
    assert str(outcome.event_difference) == (
        "2.000 s, seat 2 reader: captured 'TagPlaced seat 2 reader 04', now nothing"
    )
    assert Outcome((Said(1.5, "a"),), (), "r", "r", told, told[:1]).event_difference is None  # it came of it
    assert Outcome(said("a"), (), "r", "r", told, told).event_difference is None


# In which order


def events_at(*told: tuple[float, float, str]) -> Deliveries:
    """What was captured: when an event was taken, its own time, and what it is."""
    entries = tuple(Entry(taken, TABLE, "event", [at, "", text]) for taken, at, text in told)
    return Deliveries(Capture("one", {}, (*entries, Entry(100.0, TABLE, "end", None))))


def test_events_are_taken_in_the_captured_order_and_with_the_captured_time() -> None:
    deliveries = events_at((1.2, 1.05, "Released 2 ok False"), (1.3, 1.0, "Released 1 ok False"))
    first, second = Released(1, Button.OK, False, 1.0), Released(2, Button.OK, False, 1.1)
    deliveries.put(first)
    deliveries.put(second)
    assert list(deliveries.due()) == []
    assert [delivery.event for delivery in deliveries.due(0)] == [Released(2, Button.OK, False, 1.05)]
    assert [delivery.event for delivery in deliveries.due(1)] == [first]


def test_an_event_that_comes_after_its_captured_turn_is_taken_at_once() -> None:
    deliveries = events_at((1.2, 1.1, "Released 2 ok False"))
    assert list(deliveries.due(0)) == []
    deliveries.put(Released(2, Button.OK, False, 1.1))
    assert len(list(deliveries.due())) == 1


def test_of_two_equal_events_each_has_its_own_turn() -> None:
    deliveries = events_at((1.0, 1.0, "Released 2 ok False"), (1.4, 1.3, "Released 2 ok False"))
    deliveries.put(Released(2, Button.OK, False, 1.31))
    assert list(deliveries.due(0)) == []
    deliveries.put(Released(2, Button.OK, False, 1.0))
    assert [delivery.event.at for delivery in deliveries.due(1)] == [1.0, 1.3]


@pytest.mark.parametrize("captured", [0.1, 9.0])
def test_an_event_of_which_the_capture_tells_nothing_near_does_not_wait(captured: float) -> None:
    deliveries = events_at((captured, captured, "DeviceLost seat 1 reader"))
    event = DeviceLost("seat 1 reader", "gone", 1.0)
    deliveries.put(event)
    assert [delivery.event for delivery in deliveries.due()] == [event]


def test_an_event_of_the_very_end_that_the_table_did_not_take_is_not_taken_now() -> None:
    deliveries = events_at()
    deliveries.put(DeviceLost("seat 1 reader", "gone", 99.8))
    assert list(deliveries.due()) == []


def test_an_event_that_came_while_the_captured_loop_was_behind_and_ended_is_not_taken_now() -> None:
    deliveries = events_at((60.0, 50.0, "Released 2 ok False"))
    deliveries.put(Released(2, Button.OK, False, 50.0))
    deliveries.put(DeviceLost("seat 1 reader", "gone", 55.0))
    assert [type(delivery.event) for delivery in deliveries.due(0)] == [Released]
    deliveries.put(DeviceLost("seat 1 reader", "gone", 65.0))
    assert [type(delivery.event) for delivery in deliveries.due()] == [DeviceLost]


def test_an_event_of_which_the_capture_knows_nothing_does_not_pass_those_before_it() -> None:
    deliveries = events_at((1.2, 1.0, "Released 2 ok False"), (9.0, 9.0, "Released 2 ok False"))
    deliveries.put(Released(2, Button.OK, False, 1.0))
    deliveries.put(DeviceLost("seat 1 reader", "gone", 1.1))
    assert list(deliveries.due()) == []
    assert [type(delivery.event) for delivery in deliveries.due(0)] == [Released, DeviceLost]


def test_what_the_table_did_comes_in_its_order_whichever_thread_did_it() -> None:
    looks = Entry(1.0, TABLE, "looks", [["lines", "seat 1 reader", "tick"], "0:1000000 1:-5 2:500000"])
    steps = steps_of(
        Capture("one", {}, (looks, Entry(1.2, TABLE, "event", [1.0, "", ""]), Entry(1.3, "i2c-1", "open", None)))
    )
    assert [(step.at, step.device, step.event) for step in steps] == [
        (0.999995, "seat 1 reader", -1), (1.0, "lines", -1), (1.2, "", 1), (1.3, "", -1), (1.499995, "tick", -1),
    ]  # fmt: skip


def test_what_is_heard_is_told_by_codes(game: tuple[Path, SimulatedTable]) -> None:
    told = said_of(game[1])
    assert told[0].startswith("deal ")
    assert told[0].endswith(": ok")
    assert any(text.startswith("seat 2 is told device-lost(device=seat 2 reader)") for text in told)


def test_a_game_on_a_slow_disk_is_ruled_again(tmp_path: Path) -> None:
    """What was pressed while the disk was writing answered no question that came after it: neither now."""
    path = tmp_path / "slow.capture"
    with SimulatedTable(furnish("pepper", 2, tracked=False, readers="none"), seed=3, capture=path) as table:
        table.choose(table.loop.seat_view(1).dealing.dealer, "dealt")  # type: ignore[union-attr]
        table.faults.begin("slow-disk", Place(At.DISK), 1.0)
        for seat in (2, 1):
            table.press(seat, Button.RIGHT)
            table.press(seat, Button.OK)
        table.wait(2.0)
        assert table.loop.lines == ["deal 1", "2 bid 1"]
    assert Replay(read_capture(path)).run().difference is None
