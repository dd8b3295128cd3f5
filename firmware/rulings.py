"""What is ruled: entries are judged, made durable, and change the match; then the places are told."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.cards import Card
from engine.entries import Entry, SetName, SetScore
from engine.match import Standing, view
from engine.notation import entry_text
from engine.phrases import Phrase
from engine.referee import Ruling
from engine.values import IRREGULARITIES, Action, Refusal
from engine.view import PUBLIC, Trick
from firmware.assent import Assent
from firmware.decks import IN_USE, Kept, save
from firmware.desk import Desk, Heard
from firmware.errors import FileError, JournalError
from firmware.irregularities import AS_LEAD, notice_of
from firmware.pin import PIN
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
            if isinstance(entry, SetName | SetScore) and self._sitting.heads(entry):
                await self._sitting.amend(entry, self.words.short("seat-name"), remark)
            else:
                await self._sitting.accept(entry, remark)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return False
        self._forget_input()
        self._end_shared()
        if not isinstance(entry, Action):
            self._showing.resend()
            self.hardware.forget_taps()  # what was taken back, or is dealt anew, can be shown again at once
        elif any(notice.code in CLEARING for notice in self.match.notices):
            self.hardware.forget_taps(besides=tap.reader if tap is not None else None)
        self._showing.stir(now)
        self._cue(place, Cue.ACCEPTED, now)
        self._tell(Heard(place, Ruling(entry, None, self.match.notices), None))
        for notice in self.match.notices:
            if notice.code in IRREGULARITIES:
                self._notify(notice, now)
        self._prepare(now)
        return True

    async def _refuse(self, place: int, entry: Entry, refusal: Refusal, tap: Tap | None, now: float) -> None:
        if tap is not None and self._sitting.has_counted(entry, whoever=self._devices.readers[tap.reader].seat is None):
            self._say(place, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        self._composer(place).leave()
        self._composer(place).say(refusal, now, tap.card if tap is not None else None)
        self._cue(place, Cue.REFUSED, now)
        self._tell(Heard(place, Ruling(entry, refusal), None))
        if refusal.code == "not-your-turn" and self.match.standing is Standing.RUNNING:
            text = entry_text(self.table, entry) + (AS_LEAD if self._leads(entry) else "")
            await self._note(place, "out-of-turn", text, now, besides=place)

    def _leads(self, entry: Entry) -> bool:
        """Whether what was shown would be the first card of a trick."""
        tricks = [block for block in view(self.match, PUBLIC).blocks if isinstance(block, Trick)]
        card = isinstance(entry, Action) and entry.verb not in self.table.game.silent
        return card and bool(tricks) and not tricks[0].plays

    async def _note(self, place: int, code: str, text: str, now: float, besides: int = 0) -> bool:
        """Keep something that is no entry as a comment, and tell everybody what the director is to look at; whether it
        is durable.
        """
        try:
            await self._sitting.note(code, text)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return False
        notice = notice_of(code, text)
        if notice is not None:
            self._notify(notice, now, besides)
        return True

    async def _correct(self, place: int, setup: Setup, remark: str, now: float) -> None:
        """Let the match go on with another setup, where all that was played stands under it."""
        try:
            misfit = await self._sitting.correct(setup, remark)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return
        if misfit is not None:
            facts = (("line", misfit.line), ("number", misfit.number))
            self._say(place, TableText("line-refused", facts, bad=True), Cue.REFUSED, now)
            return
        self._forget_input()
        self._end_shared()
        self.hardware.forget_taps()
        self._speak()
        self._say(place, TableText("corrected"), Cue.ACCEPTED, now)
        self._prepare(now)

    async def _keep(self, place: int, key: str, value: str, now: float) -> None:
        """Remember a setting."""
        try:
            await self._journal.keep(key, value)
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return
        self.settings.put(key, value)
        if key == IN_USE:
            self.decks.use(value)
        elif key == PIN:
            self._announce_pin(place, now)
        self._speak()
        self._showing.adjust(now)

    def _announce_pin(self, place: int, now: float) -> None:
        """Who directs by another PIN, or by none, does so no longer; everybody is told."""
        if isinstance(self._shared, Assent):
            self._end_shared()  # what all were asked is the director's to decide now
        for other, composer in self._composers.items():
            if other != place and any(dialog.home for dialog in composer.dialogs):
                composer.clear()
            if other != place or not composer.dialogs:
                composer.say(TableText("pin-set"), now)
                self._tell(Heard(other, None, TableText("pin-set")))

    async def _note_down(self, key: str, value: str) -> None:
        """Remember something of the table's own. What the disk does not take is known until the plug is pulled."""
        with suppress(JournalError):
            await self._journal.keep(key, value)
        self.settings.put(key, value)

    async def _write_deck(self, place: int, kept: Kept, before: Kept, now: float) -> bool:
        """Have a deck on disk and in use in place of the one before; whether that went well."""
        there, path = self.decks.get(kept.name), kept.path or Path(kept.name)
        where = (("file", path.name), ("folder", str(path.parent)))
        try:
            if there is not None and there.text != before.text:
                raise FileError(kept.name, 0, Phrase("changed at another place meanwhile"))
            if kept.path is not None:
                await asyncio.to_thread(save, kept, there)
        except FileError:
            self._say(place, TableText("deck-changed", where, bad=True), Cue.REFUSED, now)
            await self._reread_decks(now, besides=place)
            return False
        except OSError:
            self._say(place, TableText("deck-not-saved", where, bad=True), Cue.REFUSED, now)
            return False
        self.decks.put(kept)
        self._enrol_tags()
        return True

    async def _reread_decks(self, now: float, besides: int = 0) -> None:
        """Take up what a command or a person has changed in the decks' files, and say so; never while a deal runs, for
        its cards were read by the old ones.
        """
        if not self.quiet or not any(kept.path is not None for kept in self.decks.kept):
            return
        for name, path, kept in await asyncio.to_thread(self._deck_files.changed, self.decks.kept):
            if kept is not None:
                self.decks.put(kept)
                self._enrol_tags()
            count = len(kept.deck.cards) if kept is not None else 0
            facts = (("file", path.name), ("folder", str(path.parent)), ("deck", f"deck:{name}"), ("count", count))
            text = TableText("deck-reread", facts) if kept is not None else TableText("deck-unread", facts, bad=True)
            for place, composer in self._composers.items():
                if place != besides:
                    composer.say(text, now)
                    self._tell(Heard(place, None, text))

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
        self._showing.resend()
        self._speak()
        self._prepare(now)
