"""The table's clocks: one that runs, faster where that is wished, and one that stands until it is moved on."""

import time

import pytest

from hal.clock import Clock, SteadyClock, SteppedClock


@pytest.fixture
def monotonic(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The system's monotonic clock, in the test's hand."""
    at = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: at[0])
    return at


def test_a_steady_clock_is_the_systems_monotonic_one(monotonic: list[float]) -> None:
    clock = SteadyClock()
    assert clock.now() == 100.0
    monotonic[0] = 101.5
    assert clock.now() == 101.5


def test_a_fast_clock_runs_so_many_times_as_fast(monotonic: list[float]) -> None:
    clock = SteadyClock(12.0)
    before = clock.now()
    monotonic[0] += 1.0
    assert clock.now() - before == pytest.approx(12.0)


@pytest.mark.parametrize(("speed", "real"), [(1.0, 3.0), (12.0, 0.25), (0.5, 6.0)])
def test_seconds_of_a_fast_table_take_less_outside(speed: float, real: float) -> None:
    assert SteadyClock(speed).real(3.0) == pytest.approx(real)


def test_the_wall_clock_does_not_move_the_table(monkeypatch: pytest.MonkeyPatch, monotonic: list[float]) -> None:
    clock = SteadyClock()
    before = clock.now()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert clock.now() == before


def test_a_stepped_clock_stands_until_it_is_moved_on() -> None:
    clock = SteppedClock()
    assert (clock.now(), clock.now()) == (0.0, 0.0)
    clock.time += 2.5
    assert clock.now() == 2.5


def test_nothing_takes_time_outside_a_stepped_table() -> None:
    assert SteppedClock().real(1000.0) == 0.0


@pytest.mark.parametrize("clock", [SteadyClock(), SteppedClock()])
def test_both_are_clocks(clock: Clock) -> None:
    assert isinstance(clock.now(), float)
    assert isinstance(clock.real(1.0), float)
