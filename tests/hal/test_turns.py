"""Whose turn it is: never two at once, nobody passed over."""

from hypothesis import given
from hypothesis import strategies as st

from hal.turns import Turns


def test_each_reader_has_one_turn_an_interval_in_the_order_of_the_wiring() -> None:
    turns = Turns(["a", "b", "c"], 0.5)
    assert [turns.take(0.0) for _ in range(4)] == ["a", "b", "c", None]
    assert turns.take(0.25) is None
    assert [turns.take(0.5) for _ in range(4)] == ["a", "b", "c", None]


def test_it_is_known_how_long_nobody_is_due() -> None:
    turns = Turns(["a", "b"], 0.5)
    assert turns.wait(0.0) == 0.0
    turns.take(0.0)
    turns.take(0.25)
    assert turns.wait(0.25) == 0.25
    assert turns.wait(9.0) == 0.0


def test_without_readers_nobody_is_ever_due() -> None:
    turns = Turns([], 0.5)
    assert turns.take(1.0) is None
    assert turns.wait(1.0) == 0.5


def test_whoever_is_waited_for_is_due_at_once_and_whoever_fails_is_due_later() -> None:
    turns = Turns(["a", "b", "c"], 0.5)
    assert [turns.take(0.0) for _ in range(3)] == ["a", "b", "c"]
    turns.hasten(["b", "nobody"])
    turns.postpone("a", 1.0)
    assert [turns.take(0.1) for _ in range(2)] == ["b", None]
    assert [turns.take(0.6) for _ in range(3)] == ["c", "b", None]
    assert sorted(filter(None, [turns.take(1.5) for _ in range(4)])) == ["a", "b", "c"]


@given(st.lists(st.floats(0.0, 0.3), min_size=20, max_size=60))
def test_a_slow_reader_delays_the_others_and_none_is_passed_over(times: list[float]) -> None:
    turns, now = Turns("abcd", 0.125), 0.0
    taken: list[str] = []
    for took in times:
        name = turns.take(now)
        if name is not None:
            taken.append(name)
        now += took
    for start in range(len(taken) - 3):
        assert len(set(taken[start : start + 4])) == 4
