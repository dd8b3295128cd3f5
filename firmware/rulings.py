"""What is ruled: entries are judged, made durable, and change the match; then the places are told."""

from typing import NamedTuple

from engine import entries
from engine.cards import Card
from engine.entries import Entry
from engine.match import Standing
from engine.notation import entry_text
from engine.referee import Ruling
from engine.values import Action, Refusal
from firmware.desk import Desk, Heard
from firmware.errors import JournalError
from firmware.seatview import TableText
from firmware.setups import Setup
from hal.cues import Cue


class Tap(NamedTuple):
    """A card that was shown to a reader."""

    reader: str
    card: Card


CLEARING = frozenset({"trick-won"})
"""Notices after which the cards on the table are gathered, whatever is played."""


class Rulings(Desk):
    """A table that rules."""

    async def _submit(self, place: int, entry: Entry | None, tap: Tap | None, now: float, remark: str = "") -> bool:
        """Rule on an entry; whether it was accepted and is durable."""
        assert entry is not None
        refusal = self._sitting.check(entry, self.setup.seat(place), shown=tap is not None)
        if refusal is not None:
            await self._refuse(place, entry, refusal, tap, now)
            return False
        try:
            await self._sitting.accept(entry, remark)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return False
        self._forget_input()
        if not isinstance(entry, Action):
            self.hardware.forget_taps()  # what was taken back, or is dealt anew, can be shown again at once
        elif any(notice.code in CLEARING for notice in self.match.notices):
            self.hardware.forget_taps(besides=tap.reader if tap is not None else None)
        self._showing.stir(now)
        self._showing.cue(place, Cue.ACCEPTED, now)
        self._tell(Heard(place, Ruling(entry, None, self.match.notices), None))
        self._prepare(now)
        return True

    async def _refuse(self, place: int, entry: Entry, refusal: Refusal, tap: Tap | None, now: float) -> None:
        if tap is not None and self._sitting.has_counted(entry, whoever=self._devices.readers[tap.reader].seat is None):
            self._say(place, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        self._composers[place].clear()
        self._composers[place].say(refusal, now, tap.card if tap is not None else None)
        self._showing.cue(place, Cue.REFUSED, now)
        self._tell(Heard(place, Ruling(entry, refusal), None))
        if refusal.code == "not-your-turn" and self.match.standing is Standing.RUNNING:
            try:
                await self._sitting.note("out-of-turn", entry_text(self.table, entry))
            except JournalError as error:
                self._say_unsaved(place, error, now)

    async def _undo(self, place: int, now: float) -> None:
        """A seat takes back its own last action; the dealer takes back a deal without actions."""
        seat = self.setup.seat(place)
        done = self._sitting.referee.accepted
        last = done[-1][0] if done else None
        owner = last.seat if isinstance(last, Action) else last.dealer if isinstance(last, entries.Deal) else seat
        if owner not in (None, seat):
            self._say(place, TableText("not-yours-to-undo", (("seat", owner),), bad=True), Cue.REFUSED, now)
            return
        await self._submit(place, entries.Undo(seat), None, now)

    async def _keep(self, place: int, key: str, value: str, now: float) -> None:
        """Remember a setting."""
        try:
            await self._journal.keep(key, value)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return
        self.settings.put(key, value)
        self._speak()

    async def _begin(self, place: int, setup: Setup, now: float) -> None:
        """Begin a match."""
        try:
            await self._sitting.begin_match(setup)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return
        self._shared = None
        for composer in self._composers.values():
            composer.clear()
            composer.message = None
        self.hardware.forget_taps()
        self._speak()
        self._prepare(now)
