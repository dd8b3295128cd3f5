"""The peers' figures: a number where the peer is installed, None where it is not."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Peer = Callable[[str, int, int], float | None]
PEERS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "peers.py"))
OPENSPIEL: Peer = PEERS["openspiel_microseconds"]
RLCARD: Peer = PEERS["rlcard_microseconds"]
EACH = pytest.mark.parametrize(
    ("peer", "module", "name"),
    [(OPENSPIEL, "pyspiel", "euchre"), (OPENSPIEL, "pyspiel", "gin_rummy"), (RLCARD, "rlcard", "gin-rummy")],
    ids=["euchre", "gin_rummy", "gin-rummy"],
)


@EACH
def test_without_the_peer_there_is_no_figure(
    peer: Peer, module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert peer(name, 1, 1) is None


@EACH
def test_no_deals_cannot_be_timed(peer: Peer, module: str, name: str) -> None:
    with pytest.raises(ValueError, match="0 deals"):
        peer(name, 0, 1)


@EACH
@pytest.mark.oracle
def test_the_peer_takes_some_time_for_an_action(peer: Peer, module: str, name: str) -> None:
    pytest.importorskip(module)
    figure = peer(name, 1, 1)
    assert figure is not None
    assert figure > 0


@pytest.mark.oracle
def test_a_deal_has_its_chance_its_bidding_and_its_play() -> None:
    """At least the dealer, 21 cards, a bid, a discard, alone or not, and five tricks of two cards."""
    spiel = pytest.importorskip("pyspiel")
    chance = PEERS["random"].Random(1)
    for _ in range(20):
        assert PEERS["_play"](spiel.load_game("euchre"), 1, chance) >= 1 + 21 + 1 + 1 + 5 * 2
