"""How a table stands, as `systemctl status` shows it; and a start that takes its time asks for it."""

import asyncio
import socket
import threading
from pathlib import Path
from random import Random

import pytest
from at_table import LED, seated
from test_supervisor import environment, heard
from test_supervisor import manager as manager

from firmware.furnish import furnish
from firmware.host import Host
from firmware.run import running
from firmware.simulated import SimulatedTable
from firmware.status import MOST_NAMED, status_line
from firmware.supervisor import Status, Supervisor
from firmware.wiring_words import WiringWords
from hal.clock import SteadyClock
from hal.events import Button
from hal.sim.board import SimulatedWires


def line(table: SimulatedTable, language: str = "en") -> str:
    return status_line(table.loop, WiringWords(language))


# The line


def test_the_game_the_match_and_the_deal_are_told(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        assert line(table) == "a game runs: pepper, match 1, deal 1; all devices answer"
        assert line(table, "ru") == "идёт игра: pepper, матч 1, сдача 1; все устройства отвечают"


def test_a_match_that_is_over_is_no_game_that_runs(tmp_path: Path) -> None:
    with seated(tmp_path, (*LED, "director void match")) as table:
        assert line(table).startswith("pepper, match 1 is over; ")


def test_in_the_lobby_nobody_plays(tmp_path: Path) -> None:
    file = furnish("pepper", 2, free=True)
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        assert line(table).startswith("nobody plays; ")


@pytest.mark.long
def test_devices_that_are_missing_are_named_until_they_are_back(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.unplug_reader(table.reader(2))
        table.wires.unplug_display(3)
        table.press(3, Button.RIGHT)
        table.wait(20)
        assert line(table).endswith("; 2 missing: seat 2 reader, seat 3 display")
        table.wires.plug_reader(table.reader(2))
        table.wires.plug_display(3)
        table.wait(120)
        assert line(table).endswith("; all devices answer")


def test_of_many_only_the_number_is_told(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        for number in range(MOST_NAMED + 1):
            table.loop._devices.lost[f"device {number}"] = "pulled out"
        assert line(table).endswith("; 5 devices missing")


# What the supervisor hears of it


def test_the_supervisor_hears_each_change_once(manager: socket.socket) -> None:
    lines = ["nobody plays"]
    status = Status(Supervisor(environment(manager)), lambda: lines[0])
    status.tick()
    status.tick()
    lines[0] = "a game runs"
    status.tick()
    assert heard(manager) == ["STATUS=nobody plays", "STATUS=a game runs"]


def test_what_it_could_not_be_told_it_is_told_later(tmp_path: Path) -> None:
    place = tmp_path / "late"
    status = Status(Supervisor({"NOTIFY_SOCKET": str(place)}), lambda: "nobody plays")
    status.tick()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as late:
        late.bind(str(place))
        status.tick()
        assert late.recv(100) == b"STATUS=nobody plays"


def test_where_nobody_listens_no_line_is_made() -> None:
    def fail() -> str:
        raise AssertionError

    Status(Supervisor({}), fail).tick()


def test_a_start_asks_for_time_until_it_is_done(manager: socket.socket) -> None:
    said: list[str] = []
    with Supervisor(environment(manager)).taking_time(every=0.001):
        while len(said) < 3:
            said += heard(manager)
    heard(manager)
    assert set(said) == {"EXTEND_TIMEOUT_USEC=30000000"}
    assert "start" not in {thread.name for thread in threading.enumerate()}


def test_a_start_that_hangs_asks_no_longer_than_ten_minutes(manager: socket.socket) -> None:
    said: list[str] = []
    with Supervisor(environment(manager)).taking_time(every=0.0):
        while "start" in {thread.name for thread in threading.enumerate()}:
            said += heard(manager)
    said += heard(manager)
    assert 0 < len(said) <= 60


@pytest.mark.threads
def test_a_lost_reader_is_told_and_starves_no_watchdog(tmp_path: Path, manager: socket.socket) -> None:
    file = furnish("pepper", 2, dealer=1)
    wires, said = SimulatedWires(file.wiring), list[str]()

    async def until(line: str) -> None:
        while line not in said:
            said.extend(heard(manager))
            await asyncio.sleep(0.005)

    async def live() -> None:
        host = Host(Supervisor(environment(manager, 0.1)), silence=10.0)
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(15.0), Random(1), host=host):
            await until("STATUS=a game runs: pepper, match 1, deal 1; all devices answer")
            wires.unplug_reader("seat 2 reader")
            await until("STATUS=a game runs: pepper, match 1, deal 1; 1 missing: seat 2 reader")
            said.clear()
            await until("WATCHDOG=1")
            wires.plug_reader("seat 2 reader")
            await until("STATUS=a game runs: pepper, match 1, deal 1; all devices answer")

    asyncio.run(asyncio.wait_for(live(), 60))


@pytest.mark.threads
def test_a_table_is_ready_after_its_journal_was_read_and_with_devices_missing(
    tmp_path: Path, manager: socket.socket
) -> None:
    file = furnish("pepper", 2, dealer=1)
    wires, said = SimulatedWires(file.wiring), list[str]()
    wires.unplug_reader("seat 1 reader")
    wires.unplug_display(2)

    async def live() -> None:
        host = Host(Supervisor(environment(manager)))
        async with running(file, wires, tmp_path / "journal.db", SteadyClock(), Random(1), host=host):
            said.extend(heard(manager))

    asyncio.run(asyncio.wait_for(live(), 60))
    assert said[:2] == ["EXTEND_TIMEOUT_USEC=30000000", "READY=1"]
