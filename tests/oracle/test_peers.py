"""The peers' figures: a number where the peer is installed, None where it is not."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PEERS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "peers.py"))
euchre_microseconds: Callable[[int, int], float | None] = PEERS["euchre_microseconds"]


def test_without_openspiel_there_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert euchre_microseconds(1, 1) is None


def test_no_deals_cannot_be_timed() -> None:
    with pytest.raises(ValueError, match="0 deals"):
        euchre_microseconds(0, 1)


@pytest.mark.oracle
def test_openspiel_takes_some_time_for_an_action() -> None:
    pytest.importorskip("pyspiel")
    figure = euchre_microseconds(3, 1)
    assert figure is not None
    assert figure > 0


@pytest.mark.oracle
def test_a_deal_has_its_chance_its_bidding_and_its_play() -> None:
    """At least the dealer, 21 cards, a bid, a discard, alone or not, and five tricks of two cards."""
    spiel = pytest.importorskip("pyspiel")
    chance = PEERS["random"].Random(1)
    for _ in range(20):
        assert PEERS["_play"](spiel.load_game("euchre"), 1, chance) >= 1 + 21 + 1 + 1 + 5 * 2
