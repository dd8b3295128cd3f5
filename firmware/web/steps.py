"""What has happened in a deal, entry by entry, in words: as everybody at the table has seen it.

Cards are named only where they came to lie open by it. What a seat's hand was corrected to, nobody is told; not even
that it was, for the table does so by itself where a card proves that something hidden was said wrongly.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.entries import Deal, Entry, SetHand
from engine.match import Match, view
from engine.referee import Referee
from engine.values import Action
from engine.view import PUBLIC, View
from firmware.entry_words import open_cards, opening_words, ruling_words
from firmware.web.saying import Saying, as_json
from firmware.words import Length

Values = dict[str, Any]


def is_told(entry: Entry) -> bool:
    """Whether an entry is told."""
    return not isinstance(entry, SetHand)


def step_values(saying: Saying, after: Match, entry: Entry, opened: Mapping[int, int]) -> Values:
    """An entry that is told, with the faces that it laid open."""
    words = {
        language: opening_words(one, after.table.game, opened, entry, Length.LINE)
        if isinstance(entry, Action)
        else ruling_words(one, after, entry, Length.LINE)
        for language, one in saying.each.items()
    }
    kind, seat = "ruling", None
    if isinstance(entry, Action):
        kind, seat = "action", entry.seat
    elif isinstance(entry, Deal):
        kind, seat = "deal", after.dealer
    return {"kind": kind, "seat": seat, **words, "notices": [saying.notice(notice) for notice in after.notices]}


class Steps:
    """The deal that is played, or was played last. Each entry is put into words once."""

    def __init__(self, saying: Saying) -> None:
        self._saying = saying
        self._done: list[Entry] = []
        self._told: list[tuple[int, str]] = []  # with how many entries were done then
        self._open: Counter[int] = Counter()

    @property
    def told(self) -> list[str]:
        """The entries that are told, the oldest first, each as JSON."""
        return [text for _, text in self._told]

    def take(self, referee: Referee, seen: View) -> None:
        """Look at what was accepted since the last time; `seen` is what everybody sees now."""
        kept = self._kept(referee)
        if kept < len(self._done):
            del self._done[kept:]
            self._told = [one for one in self._told if one[0] <= kept]
            before = referee.since_deal(kept - 1)[0][1] if kept else None
            self._open = open_cards(view(before, PUBLIC)) if before is not None else Counter()
        new = referee.since_deal(kept)
        for entry, after in new:
            now = open_cards(seen if after is referee.match else view(after, PUBLIC))
            self._done.append(entry)
            if is_told(entry):
                opened = now - self._open
                self._told.append((len(self._done), as_json(step_values(self._saying, after, entry, opened))))
            self._open = now

    def _kept(self, referee: Referee) -> int:
        """How many entries are still those that were accepted."""
        done = [entry for entry, _ in referee.since_deal()]
        if len(done) >= len(self._done) and self._done and done[len(self._done) - 1] is self._done[-1]:
            return len(self._done)  # an entry stands on those before it
        pairs = zip(done, self._done, strict=False)
        return next(
            (place for place, (one, known) in enumerate(pairs) if one is not known), min(len(done), len(self._done))
        )
