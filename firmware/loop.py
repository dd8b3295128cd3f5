"""The one loop that decides: events in; rulings, displays and cues out. What is accepted is durable before it shows."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import PLAIN, Card
from engine.match import Standing, ask
from engine.values import Action, Refusal
from firmware.deal_lines import ANEW
from firmware.decks import IN_USE, Shelf
from firmware.desk import LOCKED, NEXT_MATCH, NEXT_OR_OTHER, Heard
from firmware.devices_at import place_of
from firmware.dialogs import (
    Agreed,
    Begin,
    Close,
    Correct,
    Dialog,
    Do,
    Enter,
    Keep,
    Leave,
    Note,
    Open,
    Outcome,
    Put,
    Say,
    Share,
    Shown,
    Start,
    Stay,
    Write,
)
from firmware.director import by_card
from firmware.errors import JournalError
from firmware.flickers import Flickers
from firmware.instructing import wanted_outcome
from firmware.instructions import Console, Instruction, instruction_text
from firmware.journal import Journal
from firmware.lobby import Lobby
from firmware.menu import Menu
from firmware.notes import Heat, Notes, Supply, outcome_of
from firmware.pin import NOBODY, Officials, hashed
from firmware.preferences import AT_FIRST, Defaults
from firmware.reconciling import Lying, Reconciling, lying_text
from firmware.rulings import Rulings, Tap
from firmware.saving import LATE, Saving
from firmware.saving import Standing as SavingStanding
from firmware.seatview import Message, TableText
from firmware.setups import Setup
from firmware.sides import Sides
from firmware.splash import Splash
from firmware.tokens import TOKEN, TokenShown
from hal.cues import Cue
from hal.events import (
    Button,
    ButtonStuck,
    Chord,
    DeviceBack,
    DeviceLost,
    Event,
    Held,
    Pressed,
    ReaderStalled,
    Released,
    SeveralTags,
    TagConflict,
    TagGlimpsed,
    TagLifted,
    TagPlaced,
)
from hal.hardware import Hardware
from hal.wiring import CommonRole, ReaderPlace

RESTARTED = TableText("restarted", bad=True)
_SHOWN = (TagPlaced, SeveralTags, TagConflict, ReaderStalled)
"""What comes of cards at readers."""


class Answer(NamedTuple):
    """What became of an instruction: whether it was done, and else the refusal or what the table says."""

    done: bool
    message: Message | None = None

    @classmethod
    def of(cls, heard: Iterable[Heard]) -> "Answer":
        """The answer, from all that was said meanwhile."""
        said = [one.message or (one.ruling and one.ruling.refusal) for one in heard]
        bad = next((one for one in said if isinstance(one, Refusal) or (isinstance(one, TableText) and one.bad)), None)
        return cls(bad is None, bad)


class Loop(Rulings):
    """The referee at one table. All of it runs in one task; `handle` is awaited for one event after the other."""

    def __init__(
        self,
        setup: Setup,
        places: Iterable[int],
        readers: Iterable[ReaderPlace],
        hardware: Hardware,
        journal: Journal,
        decks: Shelf,
        chance: Random,
        language: str = "en",
        free: bool = False,
        known_names: tuple[str, ...] = (),
        defaults: Defaults = AT_FIRST,
        supply: Supply = lambda: (),
        heat: Heat = lambda: None,
        officials: Officials = NOBODY,
    ) -> None:
        super().__init__(
            setup, places, readers, hardware, journal, decks, chance, language, free, known_names, officials, defaults
        )
        self._notes = Notes(supply, heat)
        self._saving = Saving()
        self._flickers = Flickers()
        self._lying = Lying(hardware)
        self._sides = Sides(self.preferences.left_handed)
        self._deciding = False
        self.turn = asyncio.Lock()
        """Held by whoever has something decided, where several tasks do."""
        self._downs: dict[tuple[int, Button], float] = {}
        self._errands: dict[str, Callable[[int, float], Awaitable[None]]] = {
            "menu": self._menu,
            "lock": self._lock,
            "unlock": self._unlock,
            "next-match": self._next_match,
            "lobby": self._open_lobby,
            ANEW: self._deal_anew,
        }

    async def start(self, now: float) -> None:
        """Take up the match in the journal, or begin one; raises `JournalError`."""
        if self.watcher is not None:
            self.watcher.began(now)
        self._lying.begin(now)
        self.gate.begin(now)
        said = await self._sitting.start()
        running = self.match.standing is Standing.RUNNING
        if said == RESTARTED:
            said = None if running or self.over else TableText("deal-lost", bad=True)
        if said is not None:
            for composer in self._composers.values():
                composer.say(said, now)
        self._speak()
        if not self._sitting.agreed:
            self._shared = Splash(Lobby(self), now)
        elif running:
            self._shared = Reconciling(self, now)
        self._prepare(now)

    # Events

    async def handle(self, event: Event) -> None:
        """Decide on one event, and show what came of it. While it waits for the disk, `tick` goes on."""
        self._deciding = True
        try:
            await self._decide(event)
        finally:
            self._deciding = False

    async def _decide(self, event: Event) -> None:
        if self.watcher is not None:
            self.watcher.take(event)
        self._latest = max(self._latest, event.at)
        self._said = None
        woken, meant = self._showing.wake(event), self._sides.meant(event)
        lies = self._lying.take(event)
        if self._flickers.take(event, self._state()):
            return  # it lies there as before, and its seat has been told
        if self._locked and isinstance(event, _SHOWN):  # without cue: every display says so
            reader = event.readers[0] if isinstance(event, TagConflict) else event.reader
            self._tell(Heard(self._place(reader), None, TableText("locked", bad=True)))
        elif lies is not None:
            self._look_at(lies.reader, lies.uid, event.at)
        elif not woken:
            if isinstance(event, TagPlaced):
                await self._reread_decks(event.at)
            await self._take(meant)
        self._flickers.settle(event, self._state())
        self.refresh(event.at)
        if self.watcher is not None:
            self.watcher.decided(self._latest)
        self._journal.note(self._notes.of(event, outcome_of(self._said)))

    async def instruct(self, told: Instruction, now: float, token: str = "") -> Answer:
        """Decide on what a director wants from beside the table. No seat is told an answer, as none has asked; what has
        changed is shown as ever. `token` is a new one that `Console` is about.
        """
        heard: list[Heard] = []

        def hear(one: Heard) -> None:
            heard.append(one)

        self._deciding = True
        self.observers.append(hear)
        try:
            if self.watcher is not None:
                self.watcher.instructed(instruction_text(told), now)
            for tell in self.instructed:
                tell(told)
            self._latest = max(self._latest, now)
            if isinstance(told, Console):
                await self._open_console(token if told.made else "", told.shown, now)
            else:
                await self._perform(0, wanted_outcome(self, told), now)
            self.refresh(now)
            if self.watcher is not None:
                self.watcher.decided(self._latest)
        finally:
            self.observers.remove(hear)
            self._deciding = False
        return Answer.of(heard)

    async def _open_console(self, token: str, shown: bool, now: float) -> None:
        """From now on directors can have a token made at a place. One that is new is kept, and `shown` at the first."""
        if token:
            kept = hashed(token, self.salt())
            await self._keep(0, TOKEN, kept, now)
            if shown and self.settings.get(TOKEN) == kept:
                self._composers[self.places[0]].open(TokenShown(token), now)

    def pass_time(self, now: float) -> None:
        """Take it that time has passed until now: what is asked next is on show from then on."""
        self._latest = max(self._latest, now)

    def _state(self) -> tuple[object, ...]:
        """All that it depends on what becomes of a card."""
        dealing = self._sitting.dealing
        given = tuple((composer.given, *map(id, composer.dialogs)) for composer in self._composers.values())
        lost, unsaved, shared = tuple(self._devices.lost), self._unsaved, (id(self._shared), self.decks.changes)
        return self.number, self.match.step, self._locked, dealing and dealing.view(), given, shared, lost, unsaved

    async def _take(self, event: Event) -> None:
        now = event.at
        match event:
            case Held(place, button):
                await self._hold(place, button, now)
            case Released(place, button, held):
                await self._let_go(place, button, held, now)
            case Pressed(place, button):
                self._downs[place, button] = now
            case TagPlaced(reader, uid):
                self._acting = self._place(reader)
                await self._tap(reader, uid, now)
                self.sightings.note(uid, reader, now)
            case SeveralTags(reader) | ReaderStalled(reader):
                self._say_of_card(reader, TableText("one-at-a-time", bad=True), Cue.REFUSED, now)
            case TagConflict(readers):
                for reader in {self._place(reader): reader for reader in sorted(readers, key=self._place)}.values():
                    self._say_of_card(reader, TableText("one-place", bad=True), Cue.REFUSED, now)
            case ButtonStuck(device, why, _, place, button):
                self._stick(device, why, place, button, now)
            case DeviceLost(device, why):
                self._lose(device, why, now)
            case DeviceBack(device):
                self._devices.lost.pop(device, None)
            case Chord() | TagLifted() | TagGlimpsed():
                pass

    def tick(self, now: float) -> None:
        """Let time pass: hide private lists, drop old messages, let displays rest."""
        if self.watcher is not None:
            self.watcher.ticked(now)
        self._latest = max(self._latest, now)
        expired = [composer.expire(now) for composer in self._composers.values()]
        passed = self._shared.pass_time(now) if self._shared is not None else None
        if isinstance(passed, Close):
            self._shared = passed.dialog
        late = self._saving.look(self._journal, now)
        if late:
            self.announce(TableText("save-late", (("seconds", round(LATE)),), bad=True), now)
        elif any(expired) or passed is not None:
            self.refresh(now)
        if self._deciding:  # perhaps for good: no sign of life
            self._showing.dress(now)
        else:
            self._showing.beat(now)

    def saving(self, now: float) -> SavingStanding:
        """How the saving of what is entered goes."""
        return self._saving.standing(now)

    def announce(self, text: TableText, now: float) -> None:
        """Tell every place something that is about the table itself."""
        for composer in self._composers.values():
            composer.say(text, now)
        self._tell(Heard(0, None, text))
        self.refresh(now)

    async def _hold(self, place: int, button: Button, now: float) -> None:
        composer = self._composers[place]
        if button is Button.RIGHT:
            composer.peeking = True
        elif button is Button.LEFT and not self._locked:
            dialog, asked = self._dialog(place), self._pending(place)
            if dialog is not None:
                await self._perform(place, dialog.back(place), now)
            elif asked is not None and composer.back(asked, now, self._likely(place)):
                pass  # one step of a long list
            elif composer.given or composer.cursor is not None:
                composer.clear()
            elif not self._withdraw(place, now):
                composer.open(Menu(self, place), now)

    def _withdraw(self, place: int, now: float) -> bool:
        """Take back what this place gave last to the deal; whether there was anything."""
        dealing, seat = self._sitting.dealing, self.setup.seat(place)
        if dealing is None or not seat:
            return False
        if dealing.settle(seat):
            return True  # what was in doubt stays as it was read
        if not dealing.back(seat):
            return False
        self._composers[place].say(TableText("withdrawn"), now)
        self._tell(Heard(place, None, TableText("withdrawn")))
        return True

    async def _let_go(self, place: int, button: Button, held: bool, now: float) -> None:
        composer = self._composers[place]
        if held:
            composer.peeking &= button is not Button.RIGHT
        elif self._downs.get((place, button), now) >= composer.asked_since:  # else it answers what is no longer asked
            await self._press(place, button, now)

    async def _press(self, place: int, button: Button, now: float) -> None:
        self._acting = place
        composer, row = self._composers[place], self._row(place)
        covered = composer.message is not None and self._devices.shows(place)
        composer.message = composer.notice = None
        composer.touch(now)
        if row is None:
            return
        if button is Button.OK:
            token = composer.picked(row.ask)
            if token is None or covered:  # nobody means what a message hid
                return
            if not self._step(place, token, now):
                await self._give(place, token, now)
        else:
            composer.move(row.ask, 1 if button is Button.RIGHT else -1, now, row.enter)

    def _step(self, place: int, token: Token, now: float) -> bool:
        """Take what was picked for a step into a long list, if it is one."""
        asked = self._pending(place)
        if asked is None or self._dialog(place) is not None:
            return False
        return self._composers[place].step(token, asked, now, self._likely(place))

    async def _give(self, place: int, token: Token, now: float) -> None:
        """What a place's buttons picked: an answer to the table, or one more token for the game."""
        composer, question, dialog = self._composers[place], self._question(place), self._dialog(place)
        if question is LOCKED:
            await self._unlock(place, now)
        elif dialog is not None:
            await self._perform(place, dialog.give(place, token), now)
        elif question in (NEXT_MATCH, NEXT_OR_OTHER):
            composer.clear()
            if token in self._errands:
                await self._errands[str(token)](place, now)
        elif self._sitting.dealing is not None:
            composer.clear()
            if token == ANEW:
                await self._deal_anew(place, now)
            else:
                await self._take_dealt(place, self._sitting.dealing.give(token, self.setup.seat(place)), now)
        else:
            await self._add(place, token, None, now)

    # Dialogs

    async def _perform(self, place: int, outcome: Outcome, now: float) -> None:
        """Do what a dialog has led to."""
        match outcome:
            case Stay() | Say():
                self._answer(place, outcome, now)
            case Open(dialog):
                self._open(place, dialog, now)
            case Begin(dialog):
                self._composers[place].clear()
                self._open(place, dialog, now)
            case Agreed(other, agreed):
                self._shared = None
                await self._perform(other, agreed, now)
            case Close() | Leave():
                self._close(place, outcome, now)
            case Put(key, value):
                await self._keep(place, key, value, now)
            case Note(key, value, then):
                await self._note_down(key, value)
                await self._perform(place, then(), now)
            case Write(kept, before, then):
                if await self._write_deck(place, kept, before, now):
                    await self._perform(place, then(), now)
            case _:
                self._composer(place).leave()
                await self._carry_out(place, outcome, now)

    def _answer(self, place: int, outcome: Stay | Say, now: float) -> None:
        """Let a dialog go on, with what it says."""
        if isinstance(outcome, Say):
            self._say(place, outcome.message, outcome.cue, now)
        elif outcome.cue is not None:
            self._composers[place].message = None
            self._showing.cue(place, outcome.cue, now)

    def _open(self, place: int, dialog: Dialog, now: float) -> None:
        """Let a place go into a dialog. Who looks at cards that are to be dealt does so openly."""
        self._composers[place].open(dialog, now)
        if dialog.for_tags and self.agreed:
            for other in self.places:
                if other != place:
                    self._composers[other].say(TableText("cards-open", (("seat", place),)), now)

    def _close(self, place: int, outcome: Close | Leave, now: float) -> None:
        """Leave the dialog that a place is in, or all that it has opened."""
        composer = self._composers[place]
        if isinstance(outcome, Leave):
            composer.clear()
        for _ in range(outcome.levels if isinstance(outcome, Close) else 0):
            if composer.dialogs:
                composer.dialogs.pop()
            else:
                self._shared = outcome.dialog if isinstance(outcome, Close) else None
                self._prepare(now)
        if outcome.message is not None:
            self._say(place, outcome.message, Cue.REFUSED if outcome.message.bad else Cue.ACCEPTED, now)
        for other, text in outcome.told if isinstance(outcome, Close) else ():
            self._say(other, text, Cue.REFUSED, now)

    async def _carry_out(self, place: int, outcome: Share | Enter | Correct | Do | Keep | Start, now: float) -> None:
        """Do what a dialog was opened for."""
        match outcome:
            case Share(dialog, message):
                self._composers[place].clear()
                self._shared = dialog
                if message is not None:
                    self._say(place, message, Cue.ACCEPTED, now)
            case Enter():
                await self._enter(place, outcome, now)
            case Correct():
                await self._mend(place, outcome, now)
            case Do(errand):
                await self._errands[errand](place, now)
            case Keep(key, value):
                await self._keep(place, key, value, now)
            case Start(setup, remembered):
                for key, value in remembered:
                    await self._keep(place, key, value, now)
                await self._begin(place, setup, now)

    async def _enter(self, place: int, outcome: Enter, now: float) -> None:
        """Rule on entries, and keep notes, as long as they are accepted."""
        if not self._is_timely(place, outcome, now):
            return
        with self._showing.at_once(lambda: max(now, self._latest)):
            for entry in outcome.entries:
                if not await self._submit(place, entry, None, now, outcome.remark):
                    return
        for code, text in outcome.notes:
            if not await self._note(place, code, text, now):
                return
        if outcome.notes:
            self._say(place, TableText("noted"), Cue.ACCEPTED, now)

    async def _mend(self, place: int, outcome: Correct, now: float) -> None:
        """Correct the setup, as long as it can be corrected."""
        if self._is_timely(place, outcome, now):
            await self._correct(place, outcome.setup, outcome.remark, now)

    def _is_timely(self, place: int, outcome: Enter | Correct, now: float) -> bool:
        """Whether a ruling still means what was chosen; else the place is told."""
        if not self.agreed:  # the match that it was meant for was left meanwhile
            self._say(place, TableText("not-asked", bad=True), Cue.REFUSED, now)
        elif not outcome.fits(self.moment) or (isinstance(outcome, Correct) and not self.correctable):
            self._say(place, TableText("gone-on", bad=True), Cue.REFUSED, now)
        else:
            return True
        return False

    async def _menu(self, place: int, now: float) -> None:
        """Open the menu of a place."""
        self._composers[place].open(Menu(self, place), now)

    async def _lock(self, place: int, now: float) -> None:
        """Let no card count at any reader."""
        self._turn_lock(True)

    async def _unlock(self, place: int, now: float) -> None:
        """Let cards count again. What still lies there then is to be shown anew."""
        self._turn_lock(False)

    def _turn_lock(self, locked: bool) -> None:
        self._locked = locked
        self._forget_input()
        for composer in self._composers.values():
            composer.cursor = None
        self.hardware.forget_taps()

    async def _open_lobby(self, place: int, now: float) -> None:
        """Let players agree on another match."""
        self._sitting.leave()
        self._forget_input()
        self._showing.resend()
        self._shared = Lobby(self)

    async def _next_match(self, place: int, now: float) -> None:
        """The same players play once more."""
        await self._begin(place, self.setup._replace(scores=()), now)

    async def _add(self, place: int, token: Token, tap: Tap | None, now: float) -> None:
        """Append a token; when enough is given, the action is judged."""
        composer, pending, seat = self._composers[place], self._pending(place), self.setup.seat(place)
        if tap is not None and token in composer.given:
            self._say(place, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        if composer.given and isinstance(token, Card) and pending is not None and not _is_offered(pending, token):
            self._say(place, TableText("does-not-fit", (("card", token),), bad=True), Cue.REFUSED, now)
            return
        answer = ask(self.match, seat, (*composer.given, token)) if seat else None
        if isinstance(answer, Action):
            composer.clear()
            await self._submit(place, answer, tap, now)
        elif answer is not None:
            composer.given, composer.cursor, composer.path = (*composer.given, token), None, ()
        else:
            self._say(place, TableText("not-asked", bad=True), Cue.REFUSED, now)

    async def _tap(self, reader: str, uid: str, now: float) -> None:
        place = self._place(reader)
        dialog = self._dialog(place)
        known = self.decks.find(uid)
        if known is not None and (dialog is None or not dialog.for_tags) and self._takes_up(known.kept):
            await self._keep(place, IN_USE, known.kept.name, now)
        card = known.card if known is not None and known.kept is self.decks.in_use else None
        outcome = (
            dialog.take(place, Shown(reader, uid, card, self._devices.readers[reader].seat is not None))
            if dialog is not None
            else None
        )
        pad = self._devices.readers[reader].role is CommonRole.DEALING
        if uid in self.gate.cards:
            await self._perform(place, by_card(self, place), now)
        elif outcome is not None:
            self._composers[place].touch(now)
            await self._perform(place, outcome, now)
        elif card is None and known is not None:
            facts = (("deck", f"deck:{known.kept.name}"),)
            self._say(place, TableText("other-deck", facts, bad=True), Cue.REFUSED, now)
        elif card is None:
            self._say_of_card(reader, TableText("unknown-tag", bad=True), Cue.UNKNOWN_TAG, now)
        elif not self._sitting.agreed:
            self._say(place, TableText("not-asked", bad=True), Cue.REFUSED, now)
        elif self._sitting.dealing is not None:
            await self._deal_card(reader, card, now)
        elif pad:
            self._say_of_card(reader, TableText("pad-is-for-dealing", bad=True), Cue.REFUSED, now)
        elif self.over:
            self._say_of_card(reader, Refusal("match-over", ""), Cue.REFUSED, now)
        else:
            await self._add(place, self.spelled(card), Tap(reader, card), now)

    def _look_at(self, reader: str, uid: str, now: float) -> None:
        """Say what is to be said of a card that lay there when the table came up: by itself it does nothing."""
        place, dealing = self._place(reader), self._sitting.dealing
        card, seat = self.deck.card(uid) if self.deck else None, self.setup.seat(place)
        known = self._devices.readers[reader]
        if card is None:
            self._say_of_card(reader, TableText("unknown-tag", bad=True), Cue.UNKNOWN_TAG, now)
        elif dealing is not None and self._sitting.agreed and self._closed(dealing, reader) is None:
            self._say(place, TableText("lift-first", bad=True), Cue.REFUSED, now)
        elif self.match.standing is Standing.RUNNING and seat and known.role is not CommonRole.DEALING:
            text = lying_text(self, seat, card, known.seat is not None)
            self._say(place, text, Cue.REFUSED if text.bad else Cue.DUPLICATE, now)

    async def _deal_card(self, reader: str, card: Card, now: float) -> None:
        dealing, place = self._sitting.dealing, self._place(reader)
        assert dealing is not None
        closed = self._closed(dealing, reader)
        if closed is not None:
            self._say_of_card(reader, closed, Cue.REFUSED, now)
        else:
            await self._take_dealt(place, dealing.tap(card, self.setup.seat(place)), now)

    async def _take_dealt(self, place: int, wrong: TableText | None, now: float) -> None:
        """Go on with a deal that was given something more, unless that was `wrong`."""
        dealing, seat = self._sitting.dealing, self.setup.seat(place)
        assert dealing is not None
        if wrong is not None:
            self._say(place, wrong, Cue.REFUSED if wrong.bad else Cue.DUPLICATE, now)
            return
        for shown, composer in self._composers.items():
            if shown == place or not dealing.by_seats:
                composer.message = None
            if shown == place and not composer.dialogs:
                composer.cursor = None  # the dealer's choices are no longer meant
        for other, text in dealing.told():
            self._composers[self.setup.place(other)].say(text, now)
        entry = dealing.entry
        if entry is None:
            self._showing.cue(place, Cue.ACCEPTED, now)
        elif not await self._submit(place, entry, None, now):
            dealing.retract(seat)  # so that the last card can be shown once more

    async def _deal_anew(self, place: int, now: float) -> None:
        """A misdeal: all that was read is forgotten, and everybody is told."""
        dealing = self._sitting.dealing
        if dealing is None or not dealing.begun:
            return
        try:
            await self._sitting.deal_anew()
        except JournalError as error:
            self._say_unsaved(place, error, now)
            return
        self._forget_input()
        self._end_shared()
        self.hardware.forget_taps()
        self._showing.resend()
        misdeal = TableText("misdeal", (("seat", self.setup.seat(place) or dealing.dealer),))
        for composer in self._composers.values():
            composer.say(misdeal, now)
        self._cue(place, Cue.ACCEPTED, now)
        self._tell(Heard(place, None, misdeal))

    # Devices

    def _lose(self, device: str, why: str, now: float) -> None:
        self._devices.lost[device] = why
        place = self._place(device) if device in self._devices.readers else place_of(device)
        if place in self._composers:
            self._composers[place].peeking = False
            self._say(place, TableText("device-lost", (("device", device),), bad=True), Cue.DEVICE_LOST, now)

    def _stick(self, device: str, why: str, place: int, button: Button, now: float) -> None:
        """A button stays down: what its hold has brought about, nobody meant, and no release will end it."""
        self._devices.lost[device] = why
        composer = self._composers[place]
        composer.peeking &= button is not Button.RIGHT
        if button is Button.LEFT and composer.dialogs:
            composer.clear()
        self._say(place, TableText("button-stuck", (("button", button.value),), bad=True), Cue.DEVICE_LOST, now)


def _is_offered(asked: Ask, card: Card) -> bool:
    """Whether a card, or one equal to it, may be given now."""
    return PLAIN[card] in [PLAIN[offered] for offered in asked.cards]
