"""Simulated wires that many tests here begin with."""

from collections.abc import Iterator

import pytest
from at_wires import EXPANDER, HEADER

from hal.gpio import GpioChip, open_chip
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires
from hal.sim.lgpio import SimLgpio
from hal.sim.lgpio_install import installed
from hal.sim.trace import Trace


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def lgpio(trace: Trace) -> Iterator[SimLgpio]:
    """A header and an expander."""
    with installed(SimLgpio({HEADER: ("pinctrl-bcm2711", 58), EXPANDER: ("mcp23017", 16)}, trace.note)) as sim:
        yield sim


@pytest.fixture
def chip(lgpio: SimLgpio) -> Iterator[GpioChip]:
    """The chip behind the header."""
    opened = open_chip()
    yield opened
    opened.close()


@pytest.fixture
def wires(request: pytest.FixtureRequest) -> Iterator[SimulatedWires]:
    """The table that the test's module has as its WIRING."""
    with SimulatedWires(request.module.WIRING, Trace()) as made:
        yield made


@pytest.fixture
def hardware(wires: SimulatedWires) -> Iterator[Hardware]:
    """The devices of that table."""
    made = Hardware(wires.wiring, wires)
    yield made
    made.close()
