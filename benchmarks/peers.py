"""What other programs need for the same work: the measure beside our own figures."""

import importlib
import random
import statistics
import time
from typing import Any

RUNS = 5


def openspiel_microseconds(name: str, deals: int, seed: int) -> float | None:
    """Microseconds an action of random play of one of OpenSpiel's games, driven from Python.

    Whole deals are played: chance (dealer and cards) and all that follows, each action drawn evenly from
    `legal_actions`. The median of several runs over the same deals; None where `pyspiel` is not installed.
    Raises ValueError for fewer than one deal.
    """
    if deals < 1:
        raise ValueError(f"{deals} deals cannot be timed; expected at least 1")
    try:
        spiel = importlib.import_module("pyspiel")
    except ModuleNotFoundError:
        return None
    game = spiel.load_game(name)
    _play(game, 1, random.Random(seed))  # the first deal also loads what later ones find loaded
    return statistics.median(_timed(game, deals, seed) for _ in range(RUNS))


def _timed(game: Any, deals: int, seed: int) -> float:
    chance = random.Random(seed)
    began = time.perf_counter_ns()
    actions = _play(game, deals, chance)
    return (time.perf_counter_ns() - began) / 1000 / actions


def _play(game: Any, deals: int, chance: random.Random) -> int:
    """Play so many deals at random; the number of actions that they took."""
    actions = 0
    for _ in range(deals):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            actions += 1
    return actions


def rlcard_microseconds(name: str, deals: int, seed: int) -> float | None:
    """Microseconds an action of random play of one of RLCard's games; None where `rlcard` is not installed.

    Raises ValueError for fewer than one deal.
    """
    if deals < 1:
        raise ValueError(f"{deals} deals cannot be timed; expected at least 1")
    try:
        rlcard = importlib.import_module("rlcard")
    except ModuleNotFoundError:
        return None
    chance, actions = random.Random(seed), 0
    game = rlcard.make(name, config={"seed": seed})
    began = time.perf_counter_ns()
    for _ in range(deals):
        state, _ = game.reset()
        while not game.is_over():
            state, _ = game.step(chance.choice(list(state["legal_actions"])))
            actions += 1
    return (time.perf_counter_ns() - began) / 1000 / actions
