"""Which tags only seem to have left their reader."""

from hal.events import DeviceLost, TagLifted, TagPlaced
from hal.returns import AWAY, Returns

READER, OTHER = "seat 1 reader", "seat 2 reader"


def test_a_tag_that_comes_is_no_return_and_one_that_comes_back_soon_is() -> None:
    returns = Returns()
    assert not returns.take(TagPlaced(READER, "04", 0.0))
    assert not returns.take(TagLifted(READER, "04", 100.0))
    assert returns.take(TagPlaced(READER, "04", 100.0 + AWAY - 0.1))


def test_one_that_was_away_for_longer_has_left() -> None:
    returns = Returns()
    returns.take(TagPlaced(READER, "04", 0.0))
    returns.take(TagLifted(READER, "04", 1.0))
    assert not returns.take(TagPlaced(READER, "04", 1.0 + AWAY))


def test_another_tag_and_the_same_at_another_reader_come_anew() -> None:
    returns = Returns()
    returns.take(TagPlaced(READER, "04", 0.0))
    returns.take(TagLifted(READER, "04", 1.0))
    assert not returns.take(TagPlaced(READER, "05", 1.1))
    assert not returns.take(TagPlaced(OTHER, "04", 1.2))
    assert returns.take(TagPlaced(READER, "04", 1.3))


def test_two_that_flicker_in_turn_at_one_reader_both_come_back() -> None:
    returns, back = Returns(), []
    for step in range(20):
        back.append(returns.take(TagPlaced(READER, f"0{step % 2}", step)))
        returns.take(TagLifted(READER, f"0{step % 2}", step + 0.5))
    assert back == [False] * 2 + [True] * 18


def test_no_other_event_is_a_return_and_strangers_are_not_kept() -> None:
    returns = Returns()
    assert not returns.take(DeviceLost(READER, "", 0.0))
    for step in range(1000):
        returns.take(TagPlaced(READER, f"{step:08X}", step / 10))
    assert len(returns._seen) <= AWAY * 10
