"""Waiting times between tries of a lost device."""

import pytest

from hal.backoff import Backoff


def test_a_device_that_never_failed_may_always_be_tried() -> None:
    assert Backoff().due(0.0)
    assert not Backoff().failing


def test_waits_double_up_to_the_limit() -> None:
    backoff, now, waits = Backoff(0.5, 10.0), 100.0, []
    for _ in range(7):
        backoff.failed(now)
        step = next(n for n in range(1, 200) if backoff.due(now + n * 0.25)) * 0.25
        waits.append(step)
        now += step
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_only_the_first_failure_of_a_series_is_to_be_reported() -> None:
    backoff = Backoff()
    assert backoff.failed(0.0)
    assert not backoff.failed(0.5)
    assert backoff.failing


def test_a_try_that_works_ends_the_series_and_says_so_once() -> None:
    backoff = Backoff()
    backoff.failed(0.0)
    backoff.failed(0.5)
    assert backoff.worked()
    assert not backoff.worked()
    assert not backoff.failing
    assert backoff.failed(7.0)
    assert not backoff.due(7.25)
    assert backoff.due(7.5)


@pytest.mark.parametrize(("now", "due"), [(10.49, False), (10.5, True)])
def test_the_wait_ends_exactly_then(now: float, due: bool) -> None:
    backoff = Backoff()
    backoff.failed(10.0)
    assert backoff.due(now) is due
