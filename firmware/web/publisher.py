"""What the table publishes for everybody: looked at where it is decided, made anew only where something has changed."""

from collections.abc import Sequence
from functools import partial

from engine.view import View
from firmware.loop import Loop
from firmware.web.feed import Feed
from firmware.web.noted import Noted
from firmware.web.saying import as_json, saying_of
from firmware.web.steps import Steps
from firmware.web.table_values import Stand, public, table_values
from firmware.web_part import Reveal

TABLE, HISTORY = "table", "history"
TOPICS = (TABLE, HISTORY)
RECENT = 40
"""Entries of the deal that are sent with every change; all of them are asked for."""


class Publisher:
    """Publishes the topics `table` and `history` of one table after another. `title` is what the table is called."""

    def __init__(self, feed: Feed, reveal: Reveal = Reveal.NEVER, title: str = "") -> None:
        self._feed = feed
        self._reveal = reveal
        self._title = title
        self._stand: Stand | None = None
        self._lines = 0
        self._noted = Noted()
        self._steps: tuple[str, Steps] | None = None
        self._told: tuple[int, list[str]] = (0, [])

    def history(self) -> str:
        """The whole history of the deal, as JSON; any thread may ask."""
        match, told = self._told
        return _history(match, 1, told)

    def attach(self, loop: Loop) -> None:
        """Look at this table from now on."""
        self._stand = None
        loop.lookers.append(partial(self.look, loop))
        self.look(loop)

    def look(self, loop: Loop) -> None:
        """Publish what has changed."""
        dealing = loop.dealing.view() if loop.dealing is not None else None
        stand = Stand(loop.match, loop.number, loop.referee.deal, loop.setup, loop.agreed, loop.locked, dealing)
        old, lines = self._stand, loop.line_count
        if old is not None and lines == self._lines and old.match is stand.match and old[1:] == stand[1:]:
            return
        fresh = old is None or old.match is not stand.match or old[1:5] != stand[1:5] or lines != self._lines
        self._stand, self._lines = stand, lines
        seen, saying = public(stand.match), saying_of(stand.match.table.game.name)
        values = table_values(stand, seen, saying, self._title, self._reveal)
        if stand.agreed:
            values["irregularities"] = self._noted.values(loop.match, loop.comments, saying)
        self._feed.publish(TABLE, as_json(values))
        if fresh:
            self._publish_history(loop, stand, seen)

    def _publish_history(self, loop: Loop, stand: Stand, seen: View) -> None:
        game = stand.match.table.game.name
        if self._steps is None or self._steps[0] != game:
            self._steps = game, Steps(saying_of(game))
        steps = self._steps[1]
        steps.take(loop.referee, seen)
        told = steps.told if stand.agreed else []
        self._told = stand.number, told
        first = max(0, len(told) - RECENT)
        self._feed.publish(HISTORY, _history(stand.number, first + 1, told[first:]))


def _history(match: int, first: int, told: Sequence[str]) -> str:
    return f'{{"match":{match},"first":{first},"entries":[{",".join(told)}]}}'
