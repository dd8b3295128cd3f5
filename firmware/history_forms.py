"""The history in its forms: lines to read, values as JSON takes them, rows for a spreadsheet."""

import gettext
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from engine.game import games
from firmware.history import RESULTS, Played, Session, State
from firmware.phrases import told
from firmware.standings import Row
from firmware.words import Words

COLUMNS = ("session", "match", "began", "ended", "game", "rules", "state", "revision", "amended", "source", "seat",
           "name", "score", "points", "won", "deals", "irregularities", "clock_set")  # fmt: skip
"""The columns of the rows, one row for each seat of each match."""
_FIGURES = ("matches", "won", "deals", "points", "irregularities", "out_of_turn")


class HistoryWords:
    """The words of one language, from a catalogue of their own; what games are called, from theirs."""

    def __init__(self, language: str = "en") -> None:
        self._language = language
        folder = files("firmware") / "locale"
        self._games: dict[str, Words | None] = {}
        self._catalogue = gettext.translation("history", str(folder), [language], fallback=True)

    def say(self, code: str, **facts: object) -> str:
        """The text of a code; the code itself where it has none."""
        text = self._catalogue.pgettext("line", code)
        return text.format_map(told(facts, self._language)) if text != code else code

    def game(self, name: str) -> str:
        """What a game is called; its name where it is not installed."""
        words = self._of(name)
        return words.title() if words is not None else name

    def rule_set(self, name: str, rules: str) -> str:
        """What a rule set of a game is called."""
        words = self._of(name)
        return words.rule_set(rules) if words is not None else rules

    def _of(self, name: str) -> Words | None:
        """The words of a game, if it is installed."""
        if name not in self._games:
            self._games[name] = Words(games()[name], self._language) if name in games() else None
        return self._games[name]


# To read


def history_lines(sessions: Iterable[Session], tables: Mapping[str, list[Row]], words: HistoryWords) -> Iterator[str]:
    """Sessions with their matches, then the standings; times as the clock on the wall here shows them."""
    empty = True
    for session in sessions:
        empty = False
        at = session.matches[0].began
        heading = words.say("session.heading", number=session.number, date=_local(at, "%Y-%m-%d"))
        source = words.say("session.source", source=session.source) if session.source else ""
        yield heading + source
        for match in session.matches:
            yield from _match_lines(match, words)
        yield ""
    for game, rows in tables.items():
        yield words.say("standings.heading", game=words.game(game))
        yield from _columns([["", words.say("standings.name"), *(words.say(f"standings.{one}") for one in _FIGURES)],
                             *([f"{row.rank}.", row.name, *(str(getattr(row, one)) for one in _FIGURES)]
                               for row in rows)])  # fmt: skip
        yield ""
    if empty:
        yield words.say("history.empty")


def _match_lines(match: Played, words: HistoryWords) -> Iterator[str]:
    times = f"{_local(match.began, '%H:%M')}–{_local(match.ended, '%H:%M')}"
    game = words.game(match.game) or "?"
    game = f"{game}, {words.rule_set(match.game, match.rules)}" if match.rules else game
    parts = [f"{match.number:>4}  {times}  {game}"]
    if match.clock_set is False:
        parts.append(words.say("match.clock-unset"))
    if match.seats:
        parts.append(words.say("match.deals", deals=match.deals))
    if match.state is not State.FINISHED:
        parts.append(words.say(f"state.{match.state}", game=match.game, problem=match.problem))
    if match.amended:
        parts.append(words.say("match.amended", revision=match.revision))
    yield "; ".join(parts)
    if not match.seats:
        if match.names:
            yield f"      {', '.join(name or '–' for name in match.names)}"
        return
    for place, side in enumerate(match.sides):
        people = ", ".join(match.name(seat) or words.say("match.seat", seat=seat) for seat in side)
        won = f"  {words.say('match.won')}" if place in match.winners else ""
        yield f"      {match.scores[place]:>4}  {people}{won}"
    for note in match.notes:
        who = match.name(note.seat) if note.seat else ""
        who = who or (words.say("match.seat", seat=note.seat) if note.seat else "?")
        yield f"            {words.say(f'note.{note.code}')}: {who}"


def _columns(rows: list[list[str]]) -> Iterator[str]:
    """Rows with names at the left and figures at the right of their columns."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if place == 1 else cell.rjust(width)
                 for place, (cell, width) in enumerate(zip(row, widths, strict=True))]  # fmt: skip
        yield ("  " + "  ".join(cells)).rstrip()


def _local(at: float, form: str) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):  # a clock that believed in no year that there is
        return "?"


# For programs


def history_values(sessions: Iterable[Session], tables: Mapping[str, list[Row]]) -> dict[str, Any]:
    """The history as JSON takes it; times are UTC, sides are numbered by their lowest seats."""
    return {
        "sessions": [
            {
                "session": session.number,
                "source": session.source or None,
                "matches": [match_values(match) for match in session.matches],
            }
            for session in sessions
        ],
        "standings": {game: [asdict(row) for row in rows] for game, rows in tables.items()},
    }


def match_values(match: Played) -> dict[str, Any]:
    """A match as JSON takes it."""
    sides = [side[0] for side in match.sides]
    return {
        "match": match.number,
        "began": _iso(match.began),
        "ended": _iso(match.ended),
        "clock_set": match.clock_set,
        "game": match.game,
        "rules": match.rules or None,
        "state": match.state.value,
        "problem": match.problem or None,
        "revision": match.revision,
        "amended": match.amended,
        "names": list(match.names),
        "sides": [list(side) for side in match.sides],
        "scores": {str(side): score for side, score in zip(sides, match.scores, strict=True)},
        "winners": [sides[place] for place in match.winners],
        "deals": match.deals,
        "irregularities": [note._asdict() for note in match.notes],
    }


def history_rows(sessions: Iterable[Session]) -> Iterator[dict[str, Any]]:
    """A row for each seat of each match, by `COLUMNS`; one without a seat for a match that cannot be read."""
    for session in sessions:
        for match in session.matches:
            base = {
                "session": session.number, "match": match.number, "began": _iso(match.began),
                "ended": _iso(match.ended), "game": match.game, "rules": match.rules, "state": match.state.value,
                "revision": match.revision, "amended": int(match.amended), "source": session.source,
                "clock_set": "" if match.clock_set is None else int(match.clock_set),
            }  # fmt: skip
            if not match.sides:
                yield base
            for place, side in enumerate(match.sides):
                for seat in side:
                    yield base | {
                        "seat": seat, "name": match.name(seat), "score": match.scores[place],
                        "points": match.points[place],
                        "won": int(match.won(seat)) if match.state in RESULTS else "", "deals": match.deals,
                        "irregularities": " ".join(note.code for note in match.notes if note.seat == seat),
                    }  # fmt: skip


def _iso(at: float) -> str | None:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
