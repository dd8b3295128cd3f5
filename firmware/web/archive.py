"""What a journal tells to everybody: finished deals, sessions, standings. Asked from one thread, not the table's.

A reading of the file serves whoever asks within a second, and what the engine said of a match holds until the match
has grown: so nobody can keep the machine busy by asking.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from firmware.glances import Glance
from firmware.history import Played, Session, State, played_at, read_sessions
from firmware.history_forms import match_values
from firmware.journal_reading import Kept, read_matches
from firmware.output import complain
from firmware.standings import standings
from firmware.web.past import Deal, deal_values, deals_of, replay_values
from firmware.web_part import Reveal

MOST_MATCHES = 20
"""Matches whose deals are listed at once, and whose deals are remembered."""
MOST_SESSIONS = 50
FRESH = 1.0
"""Seconds for which a list serves everybody, though the journal grows meanwhile."""
Values = dict[str, Any]
T = TypeVar("T")


class Archive:
    """The journal in this file, which may be another one tomorrow. `clock` gives seconds."""

    def __init__(
        self, journal: Callable[[], Path], reveal: Reveal, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._journal = journal
        self._reveal = reveal
        self._clock = clock
        self._deals: OrderedDict[tuple[int, str, int], list[Deal]] = OrderedDict()
        self._played: dict[tuple[object, ...], Played] = {}
        self._answers: dict[object, tuple[float, Any]] = {}

    def deals(self, up_to: int | None = None) -> list[Values]:
        """The deals that are over, of the newest matches, or of those with at most this number; the newest first.
        Raises `JournalError`, as the others do.
        """
        return self._fresh(("deals", up_to), lambda: self._list(up_to))

    def _list(self, up_to: int | None) -> list[Values]:
        matches = read_matches(self._journal(), MOST_MATCHES, up_to)
        return [values for kept in reversed(matches) for values in self._listed(kept)]

    def _listed(self, kept: Kept) -> list[Values]:
        """The deals of a match that are over, the newest first; none where it cannot be told."""
        try:
            return [deal_values(kept, deal) for deal in self._of(kept) if deal.ended][::-1]
        except Exception as error:  # whatever an old line makes of the engine that reads it now
            self._complain(kept.number, error)
            self._deals[_key(kept)] = []
            return []

    def _complain(self, number: int, error: Exception) -> None:
        complain(f"match {number} cannot be told: {type(error).__name__}: {error}"[:300])

    def replay(self, match: int, number: int) -> Values | None:
        """A deal that is over, step by step; None: there is no such deal."""
        for kept in read_matches(self._journal(), 1, match):
            if kept.number == match:
                return self._replay(kept, number)
        return None

    def _replay(self, kept: Kept, number: int) -> Values | None:
        try:
            deal = next((deal for deal in self._of(kept) if deal.number == number and deal.ended), None)
            return None if deal is None else replay_values(kept, deal, self._reveal)
        except Exception as error:  # as in a list
            self._complain(kept.number, error)
            self._deals[_key(kept)] = []
            return None

    def sessions(self) -> list[Values]:
        """The newest sessions with their matches, the newest first."""
        return [
            {"session": session.number, "matches": [match_values(match) for match in session.matches]}
            for session in self._sessions()[: -MOST_SESSIONS - 1 : -1]
        ]

    def standings(self) -> Values:
        """Who stands how, by game."""
        matches = [match for session in self._sessions() for match in session.matches]
        return {game: [asdict(row) for row in rows] for game, rows in standings(matches).items()}

    def _sessions(self) -> list[Session]:
        return self._fresh("sessions", lambda: read_sessions(self._journal(), self._told))

    def _told(self, match: Glance) -> Played:
        key = match.number, match.header, match.written.entries, match.times, match.source
        if key not in self._played:
            self._played = {other: told for other, told in self._played.items() if other[0] != match.number}
            try:
                self._played[key] = played_at(match)
            except Exception as error:  # as in a list
                self._complain(match.number, error)
                times = match.times or (match.began,)
                self._played[key] = Played(match.number, times[0], times[-1], "", State.UNREADABLE,
                                           source=match.source)  # fmt: skip
        return self._played[key]

    def _of(self, kept: Kept) -> list[Deal]:
        key = _key(kept)
        if key not in self._deals:
            self._deals[key] = deals_of(kept)
            while len(self._deals) > MOST_MATCHES:
                self._deals.popitem(last=False)
        self._deals.move_to_end(key)
        return self._deals[key]

    def _fresh(self, key: object, find: Callable[[], T]) -> T:
        now = self._clock()
        self._answers = {one: (at, value) for one, (at, value) in self._answers.items() if now - at < FRESH}
        if key not in self._answers:
            self._answers[key] = self._clock(), find()
        found: T = self._answers[key][1]
        return found


def _key(kept: Kept) -> tuple[int, str, int]:
    return kept.number, kept.header, hash(kept.texts)  # another table has a match of this number, too
