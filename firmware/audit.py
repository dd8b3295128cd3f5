"""The cards looked at between deals: what a card is and where it was last, whether all are there, which tags are worn.

Never while a deal runs, for it would betray a face: then nothing is taken, and what was shown before is gone.
"""

from collections.abc import Callable, Collection

from engine.asks import Ask, Token
from engine.cards import CARDS, Card
from firmware.decks import Found
from firmware.desk import Desk
from firmware.devices_at import place_of
from firmware.dialogs import GO_ON, Close, Dialog, Open, Outcome, Pick, Say, Shown, Stay
from firmware.replacing import Replacing
from firmware.seatview import Sheet, TableText, Wording
from firmware.sightings import Sighting
from firmware.tag_dialogs import OfTags, deck_fact, label, named
from firmware.tag_health import tags_read, worn
from firmware.words import Length
from hal.cues import Cue

NAMES, ANEW = "which-cards", "count-anew"
_MINUTE = 60
_DEAL_RUNS = Wording("deal-runs")


def audit(desk: Desk, director: bool = False) -> Dialog:
    """Look at cards; for the `director` also while a deal runs."""
    return Audit(desk, director)


def count(desk: Desk, director: bool = False) -> Dialog:
    """Count the pack; for the `director` also while a deal runs."""
    return Counting(desk, director)


class Audit(OfTags[Desk]):
    """Any card that is held to the reader is named: its face, pack and deck, its tag, and where it was seen last."""

    def __init__(self, desk: Desk, director: bool = False) -> None:
        super().__init__(desk, director)
        self._big: Wording | None = None
        self._text: Callable[[], Wording] = lambda: Wording("audit-tap")

    def sheet(self, place: int) -> Sheet:
        """The card that was shown last."""
        return Sheet(Ask("audit"), (), self._big, self._text()) if self._may else Sheet(Ask("audit"), text=_DEAL_RUNS)

    def give(self, place: int, token: Token) -> Outcome:
        """There is nothing to choose."""
        return Stay()

    def _take(self, shown: Shown) -> Outcome:
        found = self._desk.decks.find(shown.uid)
        seen = self._last_seen(shown.uid)
        if found is None:
            self._big = Wording("no-card")
            self._text = lambda: Wording("audit-tag", (("tag", shown.uid), *seen()))
            return Stay(Cue.UNKNOWN_TAG)
        self._big = named(found.card, found.kept.deck.held())
        self._text = lambda: Wording("audit-card", (("tag", shown.uid), deck_fact(found.kept), *seen()))
        return Stay(Cue.ACCEPTED)

    def _last_seen(self, uid: str) -> Callable[[], tuple[tuple[str, str], ...]]:
        """Where this tag was seen before it was shown now, and how long ago."""
        last = self._desk.sightings.last(uid)
        seconds = max(0, round(self._desk.latest - last.at)) if last is not None else 0
        return lambda: (("seen", self._say_seen(last, seconds)),)

    def _say_seen(self, last: Sighting | None, seconds: int) -> str:
        words = self._desk.words
        if last is None:
            return words.table("not-seen", Length.LINE)
        ago = words.table("minutes-ago" if seconds >= _MINUTE else "seconds-ago", Length.LINE,
                          count=seconds // _MINUTE if seconds >= _MINUTE else seconds)  # fmt: skip
        place = place_of(last.reader)
        if place is not None:
            return words.table("seen-at-seat", Length.LINE, seat=place, ago=ago)
        return words.table("seen-at", Length.LINE, device=last.reader, ago=ago)


class Counting(OfTags[Desk]):
    """The gathered pack is counted: each card is held to the reader once."""

    def __init__(self, desk: Desk, director: bool = False) -> None:
        super().__init__(desk, director)
        self._begin()

    def _begin(self) -> None:
        self._seen: set[Card] = set()
        self._strangers: set[str] = set()

    @property
    def _cards(self) -> Collection[Card]:
        """The cards that are to be there: those of the game, or of the whole deck where none is agreed."""
        desk = self._desk
        if desk.agreed:
            return [CARDS[card] for card in desk.table.game.pack(desk.table.rules)]
        return desk.deck.held() if desk.deck is not None else ()

    def missing(self) -> list[Card]:
        """The cards that were not shown yet."""
        return sorted({*self._cards} - self._seen)

    def sheet(self, place: int) -> Sheet:
        """How many have been shown, how many are missing, and how many do not belong here."""
        if not self._may:
            return Sheet(Ask("count", choices=(GO_ON,)), text=_DEAL_RUNS, start=0)
        missing, total = len(self.missing()), len(self._cards)
        facts = (("count", total - missing), ("total", total))
        text = Wording("count-missing", (("count", missing),)) if missing else Wording("count-complete")
        if self._strangers:
            text = Wording("count-strangers", (("count", missing), ("strangers", len(self._strangers))))
        choices = (*((NAMES,) if missing and self._seen else ()), ANEW, GO_ON)
        return Sheet(Ask("count", choices=choices), (), Wording("counted", facts), text)

    def give(self, place: int, token: Token) -> Outcome:
        """Name what is missing, or begin anew."""
        if not self._may or token == GO_ON:
            return Close()
        if token == ANEW:
            self._begin()
            return Stay()
        missing = self.missing()

        def labels() -> dict[str, str]:
            return {f"card:{card}": label(self._desk, card, self._cards) for card in missing}

        return Open(Pick("missing", (*labels(), GO_ON), lambda _: Close(), labels=labels))

    def _take(self, shown: Shown) -> Outcome:
        found = self._desk.decks.find(shown.uid)
        strange = self._strange(found)
        if strange is not None:
            self._strangers.add(shown.uid)
            return Say(strange, Cue.UNKNOWN_TAG)
        assert found is not None
        if found.card in self._seen:
            return Say(TableText("counted-already", (("card", found.card),)), Cue.DUPLICATE)
        self._seen.add(found.card)
        return Stay(Cue.ACCEPTED)

    def _strange(self, found: Found | None) -> TableText | None:
        """Why a tag does not belong to the pack."""
        if found is None:
            return TableText("unknown-tag", bad=True)
        if found.kept is not self._desk.decks.in_use:
            return TableText("other-deck", (deck_fact(found.kept),), bad=True)
        return TableText("not-of-this-game", bad=True) if found.card not in self._cards else None


def worn_tags(desk: Desk) -> Dialog:
    """The cards whose tags are read much worse than the others'; one that is picked gets a new one."""
    tags = worn(tags_read(reader.tag_counts for reader in desk.hardware.readers.values()))
    found = {tag: whose for tag in tags if (whose := desk.decks.find(tag.uid)) is not None}
    picked = {f"card:{whose.kept.name}:{whose.card}": whose for whose in found.values()}
    said = Wording("worn-replace" if picked else "worn-none")

    def labels() -> dict[str, str]:
        return {
            code: f"{label(desk, whose.card, ())} {round(100 * tag.trouble)}%"
            for code, (tag, whose) in zip(picked, found.items(), strict=True)
        }

    def replace(code: str) -> Outcome:
        whose = picked[code]
        return Open(Replacing(desk, whose.kept.name, whose.card))

    return Pick("worn-tags", (*picked, GO_ON), replace, labels=labels, text=said, big=None if picked else said)
