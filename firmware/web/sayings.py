"""What was ruled and said, for each viewer: at the own seat all of it, at others what everybody may know."""

from collections import deque
from collections.abc import Callable, Collection
from itertools import count
from typing import NamedTuple

from engine.entries import Entry
from engine.match import view
from engine.values import Action, Notice
from engine.view import PUBLIC, Notices
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.entry_words import action_words, ruling_words, who
from firmware.loop import Loop
from firmware.seatview import Message, TableText
from firmware.web.saying import saying_of
from firmware.web.world import EVERYBODY
from firmware.words import LANGUAGES, NO_BREAK_SPACE, Length, Words

MOST = 40
"""Lines that are kept."""

Said = dict[str, str]
"""Words by language."""


class _Line(NamedTuple):
    """A line: `public` is what others than the seat hear. What went wrong, with the `message` that says so."""

    number: int
    seat: int
    own: Said
    public: Said | None
    bad: bool
    message: Message | None
    shown: bool
    """Whether the seat's display has shown the message: then the line goes with it."""


class Sayings:
    """The newest lines. `listen` is to be called anew when the table was restarted."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._numbers = count(1)
        self._lines: deque[_Line] = deque(maxlen=MOST)
        self._changed = True
        self.listen()

    def listen(self) -> None:
        """Hear the table that is there now: what went wrong at the one before is over."""
        self._lines = deque((line for line in self._lines if not line.bad), MOST)
        self._changed = True
        self._bench.table.loop.observers.append(self._hear)

    def changed(self) -> bool:
        """Whether there is something new since this was asked last, or something is settled."""
        self._settle()
        changed, self._changed = self._changed, False
        return changed

    def lines(self, viewer: int) -> dict[str, object]:
        """What a viewer may hear, the newest last: number, seat, words by language, and whether it was refused or went
        wrong.
        """
        heard = []
        for line in self._lines:
            said = line.own if viewer in (EVERYBODY, line.seat) else line.public
            if said and said["en"]:
                heard.append([line.number, line.seat, said, line.bad])
        return {"viewer": viewer, "lines": heard}

    def _settle(self) -> None:
        """What went wrong is told for as long as the display tells it, and as it is so."""
        for at, line in enumerate(self._lines):
            if not line.bad or not line.seat:
                continue
            seen = self._bench.table.loop.seat_view(line.seat)
            shows = seen.message == line.message
            if (line.shown and not shows) or _is_mended(line.message, self._bench.table.loop.lost):
                del self._lines[at]
                self._changed = True
                return self._settle()
            if shows and not line.shown:
                self._lines[at] = line._replace(shown=True)
        return None

    def _hear(self, heard: Heard) -> None:
        loop = self._bench.table.loop
        message = heard.message
        bad = message is not None and getattr(message, "bad", False)
        own: Said = {}
        public = None
        if heard.ruling is not None and heard.ruling.refusal is not None:
            refusal = message = heard.ruling.refusal
            own, bad = self._said(loop, lambda words: words.refusal(refusal, Length.SENTENCE)), True
        elif heard.ruling is not None:
            ruling = heard.ruling
            own = public = self._said(loop, lambda words: _accepted(loop, words, ruling.entry))
        elif message is not None:
            told = message
            own = self._said(loop, lambda words: words.message(told, Length.SENTENCE))
        self._lines.append(_Line(next(self._numbers), heard.seat, own, public, bad, message, shown=False))
        self._changed = True

    def _said(self, loop: Loop, say: Callable[[Words], str]) -> Said:
        """In all languages, with the players' names."""
        match, saying = loop.match, saying_of(loop.match.table.game.name)
        return {
            language: say(saying.each[language].among(match.names, match.table.sides)).replace(NO_BREAK_SPACE, " ")
            for language in LANGUAGES
        }


def _is_mended(message: Message | None, lost: Collection[str]) -> bool:
    """Whether a device answers again of which a message says that it does not."""
    if not isinstance(message, TableText) or message.code != "device-lost":
        return False
    return dict(message.facts).get("device") not in lost


def _accepted(loop: Loop, words: Words, entry: Entry) -> str:
    """An entry that was accepted, and what it has brought about."""
    match = loop.match
    if isinstance(entry, Action):
        name = who(words, match, entry.seat)
        said = [f"{name}: {action_words(words, loop.referee.before, match, entry, Length.LINE)}"]
    else:
        said = [ruling_words(words, match, entry, Length.LINE)]
    return " · ".join([*said, *(words.notice(notice, Length.SENTENCE) for notice in _notices(loop))])


def _notices(loop: Loop) -> list[Notice]:
    blocks = [block for block in view(loop.match, PUBLIC).blocks if isinstance(block, Notices)]
    return [notice for block in blocks for notice in block.notices]
