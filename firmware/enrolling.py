"""A deck is enrolled at a place: card by card, the one that the display names is held to the reader there."""

from collections.abc import Iterable

from engine.asks import Ask, Token
from engine.cards import CARDS, Card
from firmware.decks import Kept
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Leave, Open, Outcome, Pick, Shown, Stay, Write
from firmware.enrol import PACKS, Enrolment, Step, whole_pack
from firmware.seatview import Sheet, TableText, Wording
from firmware.tag_dialogs import Doubts, OfTags, TagDesk, deck_fact, named, pick_deck, taken_by
from hal.cues import Cue

SKIP, BREAK_OFF = "skip", "break-off"
AT_END = "enrol-end"
"""The prompt of a walk that has come to its end."""
GAME = "pack-of-game"
_PACK = "pack:"
_OFFERED = 3
"""Names that are offered for a deck that is new."""


def enrollable(desk: Desk) -> list[str]:
    """The names of the decks that can be enrolled: those that lack cards, and one that is new."""
    begun = [kept.name for kept in desk.decks.kept if kept.missing or not kept.deck.cards]
    return begun + desk.decks.free_names()[:_OFFERED]


def enrol(desk: Desk) -> Dialog:
    """Pick the deck, and which pack it is where that is not said yet."""
    return pick_deck("enrol", enrollable(desk), lambda name: _begin(desk, name))


def _begin(desk: Desk, name: str) -> Outcome:
    kept = desk.decks.get(name) or desk.decks.begun(name)
    if kept.missing:
        return Open(Enrolling(desk, kept, (*kept.deck.held(), *kept.missing)))
    packs = (GAME, *(f"{_PACK}{size}" for size in PACKS))
    return Open(Pick("pack", packs, lambda pack: _walk(desk, kept, pack), facts=dict([deck_fact(kept)])))


def _walk(desk: Desk, kept: Kept, pack: str) -> Outcome:
    if pack != GAME:
        return Open(Enrolling(desk, kept, whole_pack(pack.removeprefix(_PACK))))
    table = desk.table
    return Open(Enrolling(desk, kept, (CARDS[card] for card in table.game.pack(table.rules))))


class Enrolling(OfTags[TagDesk]):
    """The walk through a pack."""

    def __init__(self, desk: TagDesk, kept: Kept, cards: Iterable[Card], anew: bool = False) -> None:
        super().__init__(desk)
        self._walk = Enrolment(kept, sorted(cards), anew)
        self._doubts = Doubts()

    def sheet(self, place: int) -> Sheet:
        """The card that is wanted, and how far the walk is; at its end, what is missing."""
        return walk_sheet(self._walk)

    def give(self, place: int, token: Token) -> Outcome:
        """Past this card; or enough for now: what is done is kept."""
        if token != SKIP:
            return self._leave()
        step = self._walk.skip()
        return self._write(step) if step.kept.text != self._walk.kept.text else self._taken(step)

    def back(self, place: int) -> Outcome:
        """The card before once more; from the first one the walk is left."""
        step = self._walk.back()
        if step is None:
            return Close()
        return self._write(step) if step.kept.text != self._walk.kept.text else self._taken(step)

    def _take(self, shown: Shown) -> Outcome:
        walk = self._walk
        if walk.card is None:
            return self._leave()
        found = walk.whose(shown.uid, self._desk.decks)
        if found is not None:
            return taken_by(found, walk.kept)
        return self._doubts.about(shown.uid, walk.kept) or self._write(walk.take(shown.uid))

    def _leave(self) -> Outcome:
        missing = len(self._walk.missing)
        return Leave(TableText("deck-unfinished", (("count", missing),)) if missing else None)

    def _write(self, step: Step) -> Outcome:
        return Write(step.kept, self._walk.kept, lambda: self._taken(step))

    def _taken(self, step: Step) -> Outcome:
        self._walk.taken(step)
        return Stay(Cue.ACCEPTED)


def walk_sheet(walk: Enrolment) -> Sheet:
    """What a display shows during the walk."""
    deck = deck_fact(walk.kept)
    if walk.card is None:
        missing = len(walk.missing)
        big = Wording("cards-to-go", (("count", missing),)) if missing else Wording("deck-complete")
        return Sheet(Ask(AT_END, choices=(GO_ON,)), (deck,), big, start=0)
    facts = (deck, ("number", walk.number), ("count", len(walk.cards)))
    return Sheet(
        Ask("enrol-card", choices=(SKIP, BREAK_OFF)), facts, named(walk.card, walk.cards), Wording("enrol-tap")
    )
