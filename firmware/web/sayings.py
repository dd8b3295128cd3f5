"""What was ruled and said, for each viewer: at the own seat all of it, at others what everybody may know."""

from collections import deque
from itertools import count

from engine.match import view
from engine.view import PUBLIC, Notices
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.entry_words import entry_words
from firmware.web.world import EVERYBODY
from firmware.words import NO_BREAK_SPACE, Length

MOST = 40
"""Lines that are kept."""


class Sayings:
    """The newest lines. `listen` is to be called anew when the table was restarted."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._numbers = count(1)
        self._lines: deque[tuple[int, int, str, str | None, bool]] = deque(maxlen=MOST)
        self._changed = True
        self.listen()

    def listen(self) -> None:
        """Hear the table that is there now."""
        self._bench.table.loop.observers.append(self._hear)

    def changed(self) -> bool:
        """Whether there is something new since this was asked last."""
        changed, self._changed = self._changed, False
        return changed

    def lines(self, viewer: int) -> dict[str, object]:
        """What a viewer may hear, the newest last: number, seat, words, and whether it was refused or went wrong."""
        heard = []
        for number, seat, own, public, bad in self._lines:
            said = own if viewer in (EVERYBODY, seat) else public
            if said:
                heard.append([number, seat, said, bad])
        return {"viewer": viewer, "lines": heard}

    def _hear(self, heard: Heard) -> None:
        loop = self._bench.table.loop
        own = ""
        bad = heard.message is not None and getattr(heard.message, "bad", False)
        public = None
        if heard.ruling is not None and heard.ruling.refusal is not None:
            own, bad = loop.words.refusal(heard.ruling.refusal, Length.SENTENCE), True
        elif heard.ruling is not None:
            said = [entry_words(loop, heard.ruling.entry)]
            blocks = [block for block in view(loop.match, PUBLIC).blocks if isinstance(block, Notices)]
            said += [loop.words.notice(notice, Length.LINE) for block in blocks for notice in block.notices]
            public = " · ".join(said).replace(NO_BREAK_SPACE, " ")
            own = public
        elif heard.message is not None:
            own = loop.words.message(heard.message, Length.SENTENCE)
        self._lines.append((next(self._numbers), heard.seat, own.replace(NO_BREAK_SPACE, " "), public, bad))
        self._changed = True
