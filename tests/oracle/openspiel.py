"""Random playthroughs of OpenSpiel's trick-taking games, as plain texts: what had to follow, and what won.

An independent judge of following suit and of trick winners. Nothing here knows the engine. Cards come from
OpenSpiel's own texts (`action_to_string`), seats from its own turns. The three games have every kind of trump:

- `euchre`: 9–A, the jack of trumps on top and the left bower second; four seats, less those that a lone hand
  silences.
- `oh_hell`: 2–A with a trump that ranks like any other suit; three to seven seats.
- `bridge`: the same with four seats, and no trump.

`python tests/oracle/openspiel.py --write` writes the `positions-*.jsonl` beside this file anew: a first line
that says where they come from, then an array a line: `[trump, trick so far, hand, legal cards]` or
`[trump, trick, winner]`.
"""

import argparse
import importlib
import itertools
import json
import random
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

GAMES = ("euchre", "oh_hell", "bridge")
FOLDER = Path(__file__).parent
SEED = 20250118
FOLLOWS, TRICKS = 3500, 2000  # of each game, in its file

_SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"} | {suit: suit for suit in "CDHS"}
_RANKS = frozenset(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"])


class Follow(NamedTuple):
    """A seat plays to a trick that was led: its hand, and the cards of it that OpenSpiel lets it play."""

    trump: str
    """`C`, `D`, `H`, `S` or `none`."""
    trick: tuple[str, ...]
    hand: tuple[str, ...]
    legal: tuple[str, ...]


class Trick(NamedTuple):
    """A finished trick, in the order of play, and the place in it (from 0) of the card that won."""

    trump: str
    cards: tuple[str, ...]
    winner: int


class Deal(NamedTuple):
    """What one deal gave. Its last trick is missing: nobody leads after it."""

    follows: list[Follow]
    tricks: list[Trick]


class _Turn(NamedTuple):
    seat: int
    legal: tuple[str, ...]
    card: str


def card_text(text: str) -> str:
    """The record's text (`9D`, `10H`) of a card as OpenSpiel prints it: the suit first, the ten also as `T`.

    Raises ValueError for a text that is no card.
    """
    suit, rank = _SUITS.get(text[:1]), text[1:].replace("T", "10")
    if suit is None or rank not in _RANKS:
        raise ValueError(f"{text!r} is no card of OpenSpiel")
    return rank + suit


def deals(game: str, seed: int) -> Iterator[Deal]:
    """Random deals of one of `GAMES` without end; the same ones for the same seed."""
    spiel = importlib.import_module("pyspiel")
    chance = random.Random(seed)
    tables: dict[str, list[dict[str, object]]] = {
        "euchre": [{"allow_lone_defender": True}],
        "oh_hell": [{"players": players} for players in range(3, 8)],
        "bridge": [{"use_double_dummy_result": False}],
    }
    begin = {"euchre": _begin_euchre, "oh_hell": _begin_oh_hell, "bridge": _begin_bridge}[game]
    for parameters in itertools.cycle(tables[game]):
        state = spiel.load_game(game, parameters).new_initial_state()
        trump, owner = begin(state, chance)
        yield _cut(trump, list(_play(state, chance, owner)))


def _step(state: Any, chance: random.Random) -> None:
    state.apply_action(chance.choice(state.legal_actions()))


def _text(state: Any, action: int) -> str:
    return card_text(state.action_to_string(state.current_player(), action))


def _begin_euchre(state: Any, chance: random.Random) -> tuple[str, dict[str, int]]:
    """Deal, bid and discard. The trump is the suit named last, whether turned up and ordered or made."""
    trump = ""
    while state.current_phase().name != "PLAY":
        action = chance.choice(state.legal_actions())
        if state.current_phase().name == "BIDDING":
            trump = state.action_to_string(state.current_player(), action)
        state.apply_action(action)
    return {"Clubs": "C", "Diamonds": "D", "Hearts": "H", "Spades": "S"}[trump], {}


def _begin_oh_hell(state: Any, chance: random.Random) -> tuple[str, dict[str, int]]:
    """Deal and bid. The last card that chance turns is the trump card."""
    action, text = 0, ""
    while state.is_chance_node():
        action = chance.choice(state.legal_actions())
        text = state.action_to_string(state.current_player(), action)
        state.apply_action(action)
    for _ in range(state.num_players()):
        _step(state, chance)
    return card_text(text)[-1], {}


def _begin_bridge(state: Any, chance: random.Random) -> tuple[str, dict[str, int]]:
    """Deal, open with any contract, and pass it out, so that all four trumps and no trump come equally often.

    The declarer plays dummy's cards too, so the seats are told apart by the cards that they were dealt: one at
    a time, in turn.
    """
    owner: dict[str, int] = {}
    while state.is_chance_node():
        action = chance.choice(state.legal_actions())
        owner[_text(state, action)] = len(owner) % 4
        state.apply_action(action)
    bids = {action: state.action_to_string(state.current_player(), action) for action in state.legal_actions()}
    contract = chance.choice([action for action, text in bids.items() if text != "Pass"])
    state.apply_action(contract)
    for _ in range(3):
        state.apply_action(state.string_to_action("Pass"))
    denomination = bids[contract][1:]
    return "none" if denomination == "NT" else _SUITS[denomination], owner


def _play(state: Any, chance: random.Random, owner: dict[str, int]) -> Iterator[_Turn]:
    while not state.is_terminal():
        legal = {_text(state, action): action for action in state.legal_actions()}
        card = chance.choice(list(legal))
        yield _Turn(owner.get(card, state.current_player()), tuple(legal), card)
        state.apply_action(legal[card])


def _cut(trump: str, turns: list[_Turn]) -> Deal:
    """Cut the turns of a deal into tricks. A hand is what its seat has yet to play, for all cards are played.

    Raises ValueError where OpenSpiel's turns contradict that.
    """
    seats = len({turn.seat for turn in turns})
    if len(turns) % seats:
        raise ValueError(f"{len(turns)} turns of {seats} seats are no whole tricks")
    deal = Deal([], [])
    for start in range(0, len(turns), seats):
        trick = turns[start : start + seats]
        for index, turn in enumerate(trick):
            rest = turns[start + index :]
            hand = tuple(later.card for later in rest if later.seat == turn.seat)
            if index == 0 and set(hand) != set(turn.legal):
                raise ValueError(f"seat {turn.seat} may lead {turn.legal} of {hand}")
            if index:
                deal.follows.append(Follow(trump, tuple(one.card for one in trick[:index]), hand, turn.legal))
        if start + seats < len(turns):
            leader = turns[start + seats].seat
            winner = [one.seat for one in trick].index(leader)
            deal.tricks.append(Trick(trump, tuple(one.card for one in trick), winner))
    return deal


def sample(game: str, seed: int, follows: int, tricks: int) -> Deal:
    """The first so many positions and finished tricks of the deals of this seed."""
    found = Deal([], [])
    for deal in deals(game, seed):
        found.follows.extend(deal.follows)
        found.tricks.extend(deal.tricks)
        if len(found.follows) >= follows and len(found.tricks) >= tricks:
            break
    return Deal(found.follows[:follows], found.tricks[:tricks])


def lines(game: str) -> Iterator[str]:
    """The lines of one game's file."""
    yield json.dumps({"game": game, "open_spiel": version("open_spiel"), "seed": SEED})
    found = sample(game, SEED, FOLLOWS, TRICKS)
    for follow in found.follows:
        yield json.dumps([follow.trump, *map(" ".join, follow[1:])])
    for trick in found.tricks:
        yield json.dumps([trick.trump, " ".join(trick.cards), trick.winner])


def main() -> None:
    """Write the files anew, or say on standard output what would be written."""
    parser = argparse.ArgumentParser(description="Positions for the tests of tricks, from OpenSpiel.")
    parser.add_argument("--write", action="store_true", help="write positions-*.jsonl beside this file")
    write = parser.parse_args().write
    for game in GAMES:
        text = "\n".join(lines(game)) + "\n"
        path = FOLDER / f"positions-{game}.jsonl"
        if write:
            path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(text.splitlines()) - 1} rows, {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
