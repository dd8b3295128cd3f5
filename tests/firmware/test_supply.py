"""A supply that sags, beside the devices that are lost while it does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from at_table import LED, seated
from test_notes import notes_of

from firmware.doctor import System
from firmware.furnish import furnish
from firmware.host import Host, this_host
from firmware.run import run_table
from firmware.supply import supply_codes
from hal.clock import SteadyClock
from hal.sim.board import SimulatedWires

SAGS = ("voltage-now", "throttled-before")


def system(root: Path) -> System:
    return System(root, 0, frozenset(), lambda folder: 0, lambda: 0.0, lambda seconds: None)


def firmware_says(root: Path, text: str) -> System:
    place = root / "sys/devices/platform/soc/soc:firmware"
    place.mkdir(parents=True)
    (place / "get_throttled").write_text(text, encoding="utf-8")
    return system(root)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("0", ()),
        ("1", ("voltage-now",)),
        ("40001", SAGS),
        ("50005", ("voltage-now", "throttled-now", "voltage-before", "throttled-before")),
    ],
)
def test_the_bits_of_the_firmware_are_read(tmp_path: Path, text: str, codes: tuple[str, ...]) -> None:
    assert supply_codes(firmware_says(tmp_path, text)) == codes


def test_where_nothing_tells_of_the_supply_nothing_is_made_up(tmp_path: Path) -> None:
    assert supply_codes(system(tmp_path)) is None
    assert supply_codes(firmware_says(tmp_path, "no number")) is None
    assert isinstance(this_host().supply(), tuple)


def test_a_loss_while_the_supply_sags_is_noted_with_it_in_the_journal(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.loop._notes._supply = lambda: SAGS
        table.wires.unplug_reader(table.reader(2))
        table.wait(0.5)
        table.loop._notes._supply = lambda: ()
        table.wires.unplug_reader(table.reader(3))
        table.wait(0.5)
        lost = {note.device: note.what for _, note in notes_of(table)}
        assert lost[table.reader(2)].endswith("; supply: voltage-now, throttled-before")
        assert "supply" not in lost[table.reader(3)]


@pytest.mark.threads
def test_the_log_of_a_running_table_has_the_supply_beside_the_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = furnish("pepper", 2, dealer=1)
    wires, log = SimulatedWires(file.wiring), [""]

    def lines() -> Iterator[str]:
        log[0] += capsys.readouterr().err
        return (line for line in log[0].splitlines() if " lost: " in line)

    async def pull() -> None:
        host = Host(supply=lambda: SAGS)
        running = asyncio.create_task(
            run_table(file, wires, tmp_path / "j.db", SteadyClock(15.0), Random(1), host=host)
        )
        await asyncio.sleep(0.3)
        wires.unplug_reader("seat 2 reader")
        while not list(lines()):
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(asyncio.wait_for(pull(), 60))
    [line] = lines()
    assert line.startswith("seat 2 reader lost: ")
    assert "voltage" in line.lower()
