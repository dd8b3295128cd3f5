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


def chess_microseconds(deals: int, seed: int) -> float | None:
    """Microseconds a move of random chess with python-chess, ends and all; None where `chess` is not installed.

    Raises ValueError for fewer than one game.
    """
    if deals < 1:
        raise ValueError(f"{deals} games cannot be timed; expected at least 1")
    try:
        chess = importlib.import_module("chess")
    except ModuleNotFoundError:
        return None
    chance, moves = random.Random(seed), 0
    began = time.perf_counter_ns()
    for _ in range(deals):
        board = chess.Board()
        while not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
            moves += 1
    return (time.perf_counter_ns() - began) / 1000 / moves


def pokerkit_microseconds(deals: int, seed: int) -> float | None:
    """Microseconds a decision of random no-limit Texas hold 'em by four with PokerKit, which does all else by itself;
    None where `pokerkit` is not installed.

    Raises ValueError for fewer than one deal.
    """
    if deals < 1:
        raise ValueError(f"{deals} deals cannot be timed; expected at least 1")
    try:
        poker = importlib.import_module("pokerkit")
    except ModuleNotFoundError:
        return None
    chance, actions = random.Random(seed), 0
    random.seed(seed)  # PokerKit shuffles by the common one
    began = time.perf_counter_ns()
    for _ in range(deals):
        state = poker.NoLimitTexasHoldem.create_state(tuple(poker.Automation), True, 0, (1, 2), 2, (200,) * 4, 4)
        while state.status:
            _decide(state, chance)
            actions += 1
    return (time.perf_counter_ns() - began) / 1000 / actions


def _decide(state: Any, chance: random.Random) -> None:
    ways = [
        way
        for way, can in (
            (state.fold, state.can_fold),
            (state.check_or_call, state.can_check_or_call),
            (state.complete_bet_or_raise_to, state.can_complete_bet_or_raise_to),
        )
        if can()
    ]
    way = chance.choice(ways)
    if way == state.complete_bet_or_raise_to:
        least, most = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        way(chance.randint(least, most))
    else:
        way()
