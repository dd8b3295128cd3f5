"""The machine under a table: heat, supply, disk and clock, and whether what is entered is still saved."""

import asyncio
import io
import json
import os
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from at_table import BIDDEN, LED, messages, seated
from test_notes import notes_of
from test_supply import SAGS

from engine.cards import Card
from engine.match import to_act
from firmware import output
from firmware.doctor import Level, System, finding_line
from firmware.doctor_system import TOO_HOT, WARM, check_heat
from firmware.furnish import furnish
from firmware.generations import RESERVE, generations, make_copy
from firmware.host import Host
from firmware.journal import Journal
from firmware.machine import EVERY, LEAST_FREE, Guard, machine_findings, machine_values
from firmware.output import MINUTE, MOST_SAID, Log
from firmware.reading import shows
from firmware.run import running
from firmware.saving import LATE, Saving, Standing
from firmware.supply import degrees
from firmware.wiring_words import WiringWords
from hal.clock import SteadyClock
from hal.recorder import LOOK, Recorder
from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.named_faults import At, Place
from hal.wiring import Wiring

BARE = Wiring(seats=())
WELL = Standing(1.0, None, None)


def system(root: Path, free: int = 10**10) -> System:
    return System(root, 0, frozenset(), lambda folder: free, lambda: 0.0, lambda seconds: None)


def warm(root: Path, *thousandths: str) -> System:
    for number, text in enumerate(thousandths):
        place = root / f"sys/class/thermal/thermal_zone{number}"
        place.mkdir(parents=True)
        (place / "temp").write_text(f"{text}\n", encoding="utf-8")
    return system(root)


# Heat


def test_the_warmest_part_counts_and_where_nothing_tells_nothing_is_made_up(tmp_path: Path) -> None:
    assert degrees(system(tmp_path)) is None
    assert list(check_heat(system(tmp_path), BARE, tmp_path)) == []
    assert degrees(warm(tmp_path, "41200", "63800", "no number")) == 63.8


@pytest.mark.parametrize(
    ("thousandths", "level"),
    [("48000", Level.OK), (f"{WARM}000", Level.NOTE), (f"{TOO_HOT}000", Level.FAIL), ("-5000", Level.OK)],
)
def test_how_bad_the_heat_is(tmp_path: Path, thousandths: str, level: Level) -> None:
    [found] = check_heat(warm(tmp_path, thousandths), BARE, tmp_path)
    assert found.level is level
    assert f"{int(thousandths) // 1000} °C" in finding_line(found, WiringWords())


def test_a_loss_is_noted_with_how_warm_the_machine_is_and_what_is_wrong_with_its_supply(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.loop._notes._heat, table.loop._notes._supply = lambda: 61.4, lambda: SAGS
        table.wires.unplug_reader(table.reader(2))
        table.wait(0.5)
        [what] = [note.what for _, note in notes_of(table) if note.device == table.reader(2)]
        assert what.endswith("; 61 °C; supply: voltage-now, throttled-before")


# What a director is told


def told(folder: Path, saving: Standing = WELL, free: int = 10**10, language: str = "en") -> list[list[str]]:
    words = WiringWords(language)
    return machine_values(machine_findings(system(folder, free), BARE, folder, saving), words)


def test_a_director_is_told_of_saving_disk_and_clock(tmp_path: Path) -> None:
    assert [level for level, _ in told(tmp_path)] == ["ok", "ok", "note"]
    assert told(tmp_path)[0] == ["ok", "Everything is saved; the last time 1 s ago."]
    assert told(tmp_path, free=10_000_000)[1][0] == "fail"


@pytest.mark.parametrize(
    ("saving", "expected"),
    [
        (Standing(90.0, 7.0, None), ["fail", "An entry has been waiting for the disk for 7 s."]),
        (Standing(90.0, None, 42.0), ["fail", "Nothing could be saved for 42 s."]),
        (Standing(90.0, 1.0, None), ["ok", "Everything is saved; the last time 90 s ago."]),
    ],
)
def test_the_age_of_what_is_not_saved_is_told(tmp_path: Path, saving: Standing, expected: list[str]) -> None:
    assert told(tmp_path, saving)[0] == expected
    assert told(tmp_path, saving, language="ru")[0][1] != expected[1]


# Saving


class Counts(NamedTuple):
    saved: int = 0
    failed: int = 0
    waiting: int = 0


def test_what_waits_is_late_after_a_while_and_that_is_told_once() -> None:
    saving = Saving()
    late = [saving.look(Counts(3, 0, 1), second) for second in range(12)]
    assert late == [second == LATE for second in range(12)]
    assert saving.standing(12.0) == Standing(12.0, 12.0, None)
    assert not saving.look(Counts(4), 12.0)
    assert saving.standing(14.0) == Standing(2.0, None, None)


def test_failures_have_an_age_until_something_is_saved() -> None:
    saving = Saving()
    saving.look(Counts(1), 0.0)
    for second in (10.0, 20.0, 30.0):
        saving.look(Counts(1, int(second)), second)
    assert saving.standing(40.0) == Standing(40.0, None, 30.0)
    saving.look(Counts(2, 30), 50.0)
    assert saving.standing(51.0) == Standing(1.0, None, None)


def test_at_a_table_whose_disk_does_not_answer_every_place_is_told_and_play_goes_on_when_it_does(
    tmp_path: Path,
) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.faults.begin("slow-disk", Place(At.DISK), LATE + 4.0)
        table.tap(1, Card("9C"))
        table.wait(LATE + 1.0)
        assert to_act(table.match) == (1,)
        for place in (1, 2, 3, 4):
            assert shows(table.picture(place), "Disk is slow")
        assert table.loop.saving(table.loop.now).is_late
        table.wait(5.0)
        assert to_act(table.match) == (2,)
        assert not table.loop.saving(table.loop.now).is_late
        assert [code for code in messages(table, 0) if code == "save-late"] == ["save-late"]


# Room on the disk


def test_the_places_are_told_once_that_room_runs_out() -> None:
    guard = Guard()
    assert [guard.look(free, 0.0) for free in (LEAST_FREE, LEAST_FREE - 1, 0, LEAST_FREE, 0)] == [
        "", "disk-low", "", "", "disk-low"]  # fmt: skip
    assert [guard.is_due(at) for at in (0.0, 1.0, EVERY, EVERY + 1)] == [True, False, True, False]


@pytest.mark.threads
def test_a_running_table_with_little_room_says_so_on_its_displays(tmp_path: Path) -> None:
    file = furnish("pepper", 2, dealer=1)

    async def run() -> None:
        wires, clock = SimulatedWires(file.wiring), SteadyClock(15.0)
        host = Host(free=lambda folder: 1000)
        async with running(file, wires, tmp_path / "j.db", clock, Random(1), host=host):
            while not shows(wires.picture(1), "Disk nearly full"):
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_copies_leave_the_last_room_to_the_journal(tmp_path: Path) -> None:
    path, disk = tmp_path / "journal.db", SimDisk(lambda seconds: None)
    with closing(Journal(path, storage=disk)) as journal:
        asyncio.run(journal.begin_match(("game: pepper", "rules: standard", "seats: 2", "hands: concealed")))
        disk.room = RESERVE
        with pytest.raises(Exception, match="no room but for the journal"):
            make_copy(path, disk)
        assert generations(path) == []
        asyncio.run(journal.append("deal 2"))
        disk.room = 10 * RESERVE
        make_copy(path, disk)
        assert len(generations(path)) == 1


def test_a_capture_ends_while_there_is_still_room_for_the_journal() -> None:
    out, room = io.StringIO(), [True]
    said: list[str] = []
    recorder = Recorder(out, SteadyClock(), {}, said.append, room=lambda: room[0])
    recorder.note("table", "heard", "x" * LOOK)
    before = recorder.recording
    room[0] = False
    recorder.note("table", "heard", "x" * LOOK)
    assert (before, recorder.recording) == (True, False)
    assert said == ["the disk has no room for the capture, which ends here; the game goes on"]


# The log


class Written:
    """A log on a pipe, with a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self._reading, writing = os.pipe()
        self._stream = io.TextIOWrapper(io.BufferedWriter(io.FileIO(writing, "w")), "utf-8")
        self.log = Log(lambda: self._stream, lambda: self.now)

    def lines(self) -> list[str]:
        self._stream.close()
        with io.TextIOWrapper(io.FileIO(self._reading), "utf-8") as file:
            return file.read().splitlines()


@pytest.fixture
def written() -> Written:
    return Written()


def test_a_line_that_comes_again_and_again_fills_no_disk(written: Written) -> None:
    for number in range(600):
        written.now = number / 10
        written.log.say("seat 2 reader lost")
        if number % 100 == 0:
            written.log.say(f"another line {number}")
    written.now = MINUTE
    written.log.say("seat 2 reader lost")
    written.log.say("seat 2 reader lost")
    lines = written.lines()
    assert lines.count("seat 2 reader lost") == MOST_SAID + 1
    assert lines[-2:] == [f"{600 - MOST_SAID} times more: seat 2 reader lost", "seat 2 reader lost"]
    assert len([line for line in lines if line.startswith("another")]) == 6


def test_lines_that_nobody_took_are_counted_for_the_director(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(output, "_ERRORS", Log(lambda: full))
        monkeypatch.setattr(output, "_OUT", Log(lambda: None))
        guard = Guard()
        output.complain("one")
        output.complain("two")
        assert guard.look(10**10, 0.0) == "log-lost"
        assert guard.look(10**10, 1.0) == ""
        assert ["note", "2 lines of the log were lost: nobody took them."] in told(tmp_path)


def test_what_is_told_is_what_a_page_takes(tmp_path: Path) -> None:
    assert json.loads(json.dumps(told(tmp_path))) == told(tmp_path)
