"""Standings: what each player has to show for the finished matches, by name, for each game apart."""

from collections.abc import Iterable
from dataclasses import dataclass

from firmware.history import Played, State


@dataclass
class Row:
    """One player's figures in one game. `deals` and `points` are those of the finished matches, `points` those of the
    player's side; `irregularities` are the player's own.
    """

    name: str
    rank: int = 0
    matches: int = 0
    won: int = 0
    deals: int = 0
    points: int = 0
    irregularities: int = 0
    out_of_turn: int = 0


def standings(matches: Iterable[Played]) -> dict[str, list[Row]]:
    """The rows of each game, the best first: by matches won, then by the share of matches won. Seats without a name
    count for nobody, and matches without a winner for nothing.
    """
    games: dict[str, dict[str, Row]] = {}
    for match in matches:
        if match.state is State.FINISHED:
            _count(match, games.setdefault(match.game, {}))
    return {game: _ranked(rows.values()) for game, rows in sorted(games.items()) if rows}


def _count(match: Played, rows: dict[str, Row]) -> None:
    counted = set()
    for place, side in enumerate(match.sides):
        for seat in side:
            name = match.name(seat)
            if not name:
                continue
            row = rows.setdefault(name, Row(name))
            row.irregularities += sum(note.seat == seat and note.code != "out-of-turn" for note in match.notes)
            row.out_of_turn += sum(note.seat == seat and note.code == "out-of-turn" for note in match.notes)
            if name in counted:
                continue  # one person at two seats has played one match
            counted.add(name)
            row.matches += 1
            row.won += place in match.winners
            row.deals += match.deals
            row.points += match.points[place]


def _ranked(rows: Iterable[Row]) -> list[Row]:
    ordered = sorted(rows, key=lambda row: (*_merit(row), row.name))
    for place, row in enumerate(ordered):
        before = ordered[place - 1] if place else None
        row.rank = before.rank if before is not None and _merit(before) == _merit(row) else place + 1
    return ordered


def _merit(row: Row) -> tuple[float, float]:
    return (-row.won, -row.won / row.matches)
