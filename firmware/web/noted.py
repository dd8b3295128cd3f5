"""What went wrong in a match, and whether the director has signed it: what the rules have proven, and what the table
has noted. A longer record is read once.
"""

from collections.abc import Sequence
from typing import Any

from engine.match import Match
from engine.values import Notice
from firmware.irregularities import ACCEPTED, noted_line, notice_of
from firmware.web.saying import Saying

MOST = 20
"""Irregularities that are shown, the newest."""


class Noted:
    """The irregularities of the match that is played."""

    def __init__(self) -> None:
        self._read = 0
        self._last = ""
        self._notes: list[tuple[Notice, str, bool]] = []

    def values(self, match: Match, lines: Sequence[str], saying: Saying) -> list[dict[str, Any]]:
        """Those of a match with these lines, as JSON takes them: the rules' first, the newest last."""
        self._take(lines)
        proven = [(one.notice, one.accepted) for one in match.irregularities]
        noted = [(notice, signed) for notice, _, signed in self._notes]
        return [saying.notice(notice) | {"signed": signed} for notice, signed in [*proven, *noted][-MOST:]]

    def _take(self, lines: Sequence[str]) -> None:
        if self._read > len(lines) or (self._read and lines[self._read - 1] is not self._last):
            self._read, self._notes = 0, []  # another match
        for line in lines[self._read :]:
            found = noted_line(line)
            if found is None:
                continue
            code, text = found
            notice = notice_of(code, text)
            if code == ACCEPTED:
                self._sign(text)
            elif notice is not None:
                self._notes.append((notice, f"{code}: {text}", False))
        self._read = len(lines)
        self._last = lines[-1] if lines else ""

    def _sign(self, text: str) -> None:
        for place, (notice, noted, signed) in enumerate(self._notes):
            if noted == text and not signed:
                self._notes[place] = (notice, noted, True)
                return
