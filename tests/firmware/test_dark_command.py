"""A table that was killed leaves pictures on its displays: the service clears them, and starts it again."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from test_supervisor import unit

from firmware.command import main
from firmware.table_option import example
from hal.displays import SeatDisplay
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires
from hal.toml_lines import read_toml
from hal.wiring import Wiring, wiring_of

FILE = example("four-seats.toml")
LIT = Image.new("1", (128, 64), 1)


@pytest.fixture
def wiring() -> Wiring:
    return wiring_of(read_toml(FILE), ("game", "deck", "table"))


@pytest.fixture
def wires(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedWires]:
    """Wires whose displays show what a killed table has left there, and on which the command runs."""
    with SimulatedWires(wiring) as made:
        for seat in wiring.seats:
            assert seat.display is not None
            before = SeatDisplay("before", partial(made.open_bus, seat.display.bus), seat.display.address)
            before.show(LIT)
            before.poll(0.0)

        @contextmanager
        def this_machine(wiring: Wiring, simulated: bool) -> Iterator[tuple[object, SimulatedWires]]:
            yield SimpleNamespace(), made

        monkeypatch.setattr("firmware.dark_command.this_machine", this_machine)
        yield made


def dark(*options: str) -> Result:
    return CliRunner().invoke(main, ["dark", str(FILE), *options])


def pictures(wires: SimulatedWires) -> list[object]:
    return [wires.picture(seat).getbbox() for seat in (1, 2, 3, 4)]


def test_what_a_killed_table_left_on_its_displays_is_cleared(wires: SimulatedWires) -> None:
    assert None not in pictures(wires)
    result = dark()
    assert (result.exit_code, result.output) == (0, "")
    assert pictures(wires) == [None] * 4
    assert not any(glass.on for glass in wires.glasses.values())


def test_one_display_that_does_not_answer_leaves_no_other_lit(wires: SimulatedWires) -> None:
    wires.unplug_display(2)
    assert dark().exit_code == 0
    assert [pictures(wires)[seat] for seat in (0, 2, 3)] == [None] * 3


def test_a_table_that_runs_is_left_alone(wires: SimulatedWires, wiring: Wiring) -> None:
    with closing(Hardware(wiring, wires)) as running:
        running.displays[1].show(LIT)
        running.poll_displays(0.0)
        result = dark()
        assert result.exit_code == 2
        assert len(result.output.splitlines()) == 1
        assert result.output.startswith("The table runs, or another program has its lines")
        assert wires.picture(1).tobytes() == LIT.tobytes()


def test_it_says_so_in_the_language_that_is_asked_for(wires: SimulatedWires, wiring: Wiring) -> None:
    with closing(Hardware(wiring, wires)):
        assert dark("--lang", "ru").output.startswith("Стол работает, или его линии заняты")


def test_on_simulated_wires_it_is_dark_too() -> None:
    assert CliRunner().invoke(main, ["dark", "--simulated", str(FILE)]).exit_code == 0


def test_the_service_darkens_the_table_however_it_ended_and_starts_it_again() -> None:
    service = unit()
    run, after = service["ExecStart"].split(), service["ExecStopPost"].removeprefix("-").split()
    assert after == [run[0], "dark", run[-1]]
    assert service["ExecStopPost"].startswith("-")  # displays that are off fail no service
    assert service["Restart"] == "on-failure"
