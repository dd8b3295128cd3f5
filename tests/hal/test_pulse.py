"""Who goes round and who stands still."""

from hal.pulse import SILENCE, Pulse


def test_what_has_not_gone_round_for_too_long_stands_still() -> None:
    pulse = Pulse()
    pulse.beat("lines", 0.0)
    pulse.beat("seat 1 reader", 10.0)
    assert pulse.still(SILENCE, SILENCE) == ()
    assert pulse.still(SILENCE + 0.1, SILENCE) == ("lines",)
    pulse.beat("lines", SILENCE + 0.2)
    assert pulse.still(SILENCE + 0.3, SILENCE) == ()


def test_nothing_is_expected_of_what_waits() -> None:
    pulse = Pulse()
    pulse.beat("the deciding task", 0.0)
    pulse.rest("the deciding task")
    pulse.rest("never seen")
    assert pulse.still(1000.0, SILENCE) == ()
