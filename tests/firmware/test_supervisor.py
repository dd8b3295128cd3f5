"""A table that stands still does not look alive: its supervisor hears of it, and the log names what stands."""

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware.furnish import furnish
from firmware.host import Host
from firmware.loop import Loop
from firmware.run import DECIDING, running
from firmware.supervisor import Supervisor, Watchdog
from hal.clock import SteadyClock, SteppedClock
from hal.events import Event
from hal.pulse import Pulse
from hal.sim.board import SimulatedWires

ROOT = Path(__file__).parents[2]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a supervisor, as systemd would have it."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as opened:
        opened.bind(str(tmp_path / "notify"))
        opened.setblocking(False)
        yield opened


def environment(manager: socket.socket, seconds: float = 30.0) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(manager.getsockname()), "WATCHDOG_USEC": str(round(seconds * 1e6))}


def heard(manager: socket.socket) -> list[str]:
    """What the supervisor was told since the last time."""
    said = []
    while True:
        try:
            said.append(manager.recv(1000).decode())
        except BlockingIOError:
            return said


# What is said to it


def test_the_supervisor_hears_what_is_said(manager: socket.socket) -> None:
    assert Supervisor(environment(manager)).say("READY=1")
    assert heard(manager) == ["READY=1"]


def test_an_abstract_socket_will_do(tmp_path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as opened:
        opened.bind(f"\0{tmp_path}")
        assert Supervisor({"NOTIFY_SOCKET": f"@{tmp_path}"}).say("READY=1")
        assert opened.recv(100) == b"READY=1"


def test_without_a_supervisor_nothing_is_said_and_nothing_is_raised(tmp_path: Path) -> None:
    assert not Supervisor({}).say("READY=1")
    assert not Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone")}).say("READY=1")
    assert not Supervisor({"NOTIFY_SOCKET": "vsock:2:1234"}).say("READY=1")


def test_a_sign_of_life_is_given_twice_in_the_time_that_is_waited_for(manager: socket.socket) -> None:
    assert Supervisor(environment(manager, 30.0)).interval == 15.0
    assert Supervisor({}).interval is None
    assert Supervisor({"WATCHDOG_USEC": "0"}).interval is None


def test_what_is_waited_for_from_another_process_is_not_ours(manager: socket.socket) -> None:
    assert Supervisor(environment(manager) | {"WATCHDOG_PID": str(os.getpid())}).interval == 15.0
    assert Supervisor(environment(manager) | {"WATCHDOG_PID": "1"}).interval is None


# The watchdog, by hand


def test_the_watchdog_is_fed_only_while_everything_goes_round(manager: socket.socket) -> None:
    clock, pulse, log = SteppedClock(), Pulse(), list[str]()
    watchdog = Watchdog(pulse, clock, Supervisor(environment(manager, 30.0)), log.append, silence=10.0)
    for name in ("lines", "seat 1 reader"):
        pulse.beat(name, 0.0)
    watchdog.tick()
    assert heard(manager) == ["WATCHDOG=1"]
    for clock.time in (5.0, 10.0, 15.0):
        pulse.beat("lines", clock.time)
        watchdog.tick()
    assert heard(manager) == []
    assert log == ["standing still: seat 1 reader"]
    pulse.beat("seat 1 reader", 15.0)
    watchdog.tick()
    assert heard(manager) == ["WATCHDOG=1"]
    assert log[1:] == ["everything goes round again"]


def test_without_a_supervisor_a_standstill_is_said_all_the_same() -> None:
    clock, pulse, log = SteppedClock(), Pulse(), list[str]()
    watchdog = Watchdog(pulse, clock, Supervisor({}), log.append, silence=10.0)
    pulse.beat("i2c-1", 0.0)
    clock.time = 11.0
    watchdog.tick()
    watchdog.tick()
    assert log == ["standing still: i2c-1"]


def test_signs_of_life_are_counted_in_real_seconds_however_fast_the_table_runs(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, time = SteadyClock(10.0), [1000.0]
    monkeypatch.setattr("hal.clock.time.monotonic", lambda: time[0])
    watchdog = Watchdog(Pulse(), clock, Supervisor(environment(manager, 2.0)), lambda text: None)
    for step in range(21):
        time[0] = 1000.0 + step / 10
        watchdog.tick()
    assert len(heard(manager)) in (2, 3)


# At the table, with its threads


@pytest.mark.threads
@pytest.mark.parametrize(
    "what", ["seat 2 reader", *(pytest.param(what, marks=pytest.mark.soak) for what in ("i2c-11", DECIDING))]
)
def test_a_device_thread_or_the_deciding_task_that_hangs_starves_the_watchdog(
    tmp_path: Path, manager: socket.socket, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    file = furnish("pepper", 2, dealer=1)
    wires, go_on = SimulatedWires(file.wiring), threading.Event()
    said: list[str] = []
    log = [""]

    def hang(now: float) -> list[Event]:
        go_on.wait(30)
        return []

    async def hang_on(loop: Loop) -> None:
        released = asyncio.Event()

        async def never(event: Event) -> None:
            await released.wait()

        if what == DECIDING:
            loop.handle = never  # type: ignore[method-assign]
            wires.unplug_reader("seat 1 reader")
        elif what.startswith("i2c"):
            loop.hardware.displays[1].poll = hang  # type: ignore[method-assign]
        else:
            loop.hardware.readers[what].poll = hang  # type: ignore[method-assign]

    async def live() -> None:
        supervisor = Supervisor(environment(manager, 0.1))
        async with running(
            file, wires, tmp_path / "journal.db", SteadyClock(), Random(1), host=Host(supervisor, silence=1.0)
        ) as loop:
            while said.count("WATCHDOG=1") < 3:
                said.extend(heard(manager))
                await asyncio.sleep(0.005)
            capsys.readouterr()
            await hang_on(loop)
            while what not in log[0]:
                log[0] += capsys.readouterr().err
                await asyncio.sleep(0.005)
            heard(manager)
            await asyncio.sleep(0.3)
            said.append("starved" if heard(manager) == [] else "fed")
            go_on.set()

    asyncio.run(asyncio.wait_for(live(), 60))
    assert next(one for one in said if not one.startswith(("EXTEND", "STATUS"))) == "READY=1"
    assert said[-1] == "starved"
    assert "STOPPING=1" in heard(manager)
    assert "standing still: " in log[0]


# The service


def unit() -> dict[str, str]:
    lines = (ROOT / "systemd" / "tableref.service").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_service_waits_for_signs_of_life_and_starts_a_silent_table_anew() -> None:
    assert unit()["Type"] == "notify"
    assert int(unit()["WatchdogSec"]) >= 30
    assert unit()["Restart"] in ("on-failure", "on-watchdog", "always")


@pytest.mark.parametrize(
    ("device", "group"),
    [("gpiochip", "gpio"), ("i2c", "i2c"), ("ttyUSB", "dialout"), ("ttyACM", "dialout"), ("ttyAMA", "dialout"),
     ("ttyS", "dialout"), ("input", "input")],
)  # fmt: skip
def test_the_service_may_open_every_kind_of_device_that_a_table_file_can_name(device: str, group: str) -> None:
    """Its policy is closed: what is not allowed is not there, whatever the rights of the file say."""
    text = (ROOT / "systemd" / "tableref.service").read_text(encoding="utf-8")
    assert unit()["DevicePolicy"] == "closed"
    assert f"DeviceAllow=char-{device} r" in text
    assert group in unit()["SupplementaryGroups"].split()
