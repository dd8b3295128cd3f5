"""From sampled levels to presses, by a clock that is handed in. Times are written in milliseconds."""

from collections.abc import Sequence

import pytest

from hal.presses import PressDecoder, Turn


def play(samples: Sequence[tuple[int, str]], **times: float) -> list[tuple[int, Turn]]:
    """Feed (milliseconds, 'down' or 'up', and '!' for an edge in between); give (milliseconds, turns) where
    any.
    """
    decoder = PressDecoder(**times)
    return [
        (ms, turn)
        for ms, level in samples
        for turn in decoder.sample(level.startswith("down"), level.endswith("!"), ms / 1000)
    ]


def test_a_press_counts_once_it_was_stable_for_the_settle_time() -> None:
    assert play([(0, "up"), (100, "down!"), (108, "down"), (112, "down")]) == [(112, Turn.PRESSED)]


def test_a_press_that_is_shorter_than_the_settle_time_is_nothing() -> None:
    assert play([(0, "up"), (100, "down!"), (108, "up!"), (200, "up")]) == []


def test_a_press_between_two_samples_is_nothing() -> None:
    assert play([(0, "up"), (100, "up!"), (120, "up")]) == []


def test_bouncing_begins_the_settle_time_anew() -> None:
    bouncing = [(100, "down!"), (105, "up!"), (108, "down!"), (114, "down"), (120, "down")]
    assert play(bouncing) == [(120, Turn.PRESSED)]


def test_an_edge_between_two_equal_samples_begins_the_settle_time_anew() -> None:
    assert play([(100, "down!"), (109, "down!"), (115, "down"), (121, "down")]) == [(121, Turn.PRESSED)]


def test_a_release_settles_as_a_press_does() -> None:
    press = [(0, "down!"), (20, "down")]
    assert play([*press, (100, "up!"), (105, "down!"), (120, "down"), (200, "up!"), (220, "up")]) == [
        (20, Turn.PRESSED),
        (220, Turn.RELEASED),
    ]


def test_a_hold_is_reported_once_and_counted_from_when_the_button_went_down() -> None:
    samples = [(0, "down!"), (20, "down"), (599, "down"), (601, "down"), (2000, "down"), (3000, "up!"), (3020, "up")]
    assert play(samples) == [(20, Turn.PRESSED), (601, Turn.HELD), (3020, Turn.RELEASED_AFTER_HOLD)]


def test_the_hold_time_can_be_set() -> None:
    assert play([(0, "down!"), (20, "down"), (300, "down")], hold=0.25)[-1] == (300, Turn.HELD)


def test_a_button_that_seems_to_come_up_is_not_held_meanwhile() -> None:
    samples = [(0, "down!"), (20, "down"), (597, "up!"), (603, "up"), (610, "up")]
    assert play(samples) == [(20, Turn.PRESSED), (610, Turn.RELEASED)]


def test_a_hold_goes_on_over_a_bounce() -> None:
    samples = [(0, "down!"), (20, "down"), (300, "up!"), (305, "down!"), (320, "down"), (601, "down")]
    assert play(samples) == [(20, Turn.PRESSED), (601, Turn.HELD)]


def test_the_next_press_is_a_new_one() -> None:
    one = [(0, "down!"), (20, "down"), (700, "down"), (800, "up!"), (820, "up")]
    other = [(1000, "down!"), (1020, "down"), (1100, "up!"), (1120, "up")]
    assert [turn for _, turn in play(one + other)] == [
        Turn.PRESSED,
        Turn.HELD,
        Turn.RELEASED_AFTER_HOLD,
        Turn.PRESSED,
        Turn.RELEASED,
    ]


def test_a_button_that_stays_down_is_stuck_once_and_its_coming_up_is_no_release() -> None:
    samples = [(0, "down!"), (20, "down"), (60_000, "down"), (60_001, "down"), (90_000, "down")]
    assert play([*samples, (95_000, "up!"), (95_020, "up")]) == [
        (20, Turn.PRESSED),
        (60_000, Turn.HELD),
        (60_001, Turn.STUCK),
        (95_020, Turn.FREED),
    ]


def test_a_freed_button_works_again() -> None:
    samples = [(0, "down!"), (20, "down"), (70_000, "down"), (80_000, "up!"), (80_020, "up")]
    turns = play([*samples, (81_000, "down!"), (81_020, "down"), (81_100, "up!"), (81_120, "up")])
    assert [turn for _, turn in turns[-2:]] == [Turn.PRESSED, Turn.RELEASED]


def test_a_late_sample_gives_all_that_is_due_in_order() -> None:
    assert play([(0, "down!"), (61_000, "down")]) == [
        (61_000, Turn.PRESSED),
        (61_000, Turn.HELD),
        (61_000, Turn.STUCK),
    ]


def test_a_reset_drops_the_press_that_is_under_way() -> None:
    decoder = PressDecoder()
    decoder.sample(True, True, 0.0)
    decoder.sample(True, False, 0.1)
    before = decoder.at_rest
    decoder.reset()
    assert (before, decoder.at_rest) == (False, True)
    assert decoder.sample(False, True, 0.2) == []


@pytest.mark.parametrize(
    ("samples", "rest"),
    [
        ([], True),
        ([(0.0, True)], False),
        ([(0.0, True), (0.1, True)], False),
        ([(0.0, True), (0.1, True), (0.2, False)], False),
        ([(0.0, True), (0.1, True), (0.2, False), (0.3, False)], True),
    ],
)
def test_a_button_is_at_rest_when_it_is_up_and_nothing_is_under_way(
    samples: list[tuple[float, bool]], rest: bool
) -> None:
    decoder = PressDecoder()
    for now, down in samples:
        decoder.sample(down, False, now)
    assert decoder.at_rest is rest
