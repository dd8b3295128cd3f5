"""The one loop that decides: events in; rulings, displays and cues out. What is accepted is durable before it shows."""

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple, Protocol

from engine import entries
from engine.asks import Ask, Token
from engine.cards import PLAIN, Card, very
from engine.entries import Entry
from engine.match import Match, Standing, Table, ask, to_act, view
from engine.referee import Ruling
from engine.values import Action, Refusal
from firmware.composer import Composer
from firmware.deck import Deck
from firmware.errors import DiskFullError, JournalError
from firmware.flickers import Flickers
from firmware.journal import Journal
from firmware.narrowing import UNSURE, Likely, Row, likely_of
from firmware.notes import Notes, Supply, outcome_of
from firmware.seatview import Message, SeatView, TableText
from firmware.showing import Showing
from firmware.sitting import LeftBehind, Sitting
from firmware.words import Words
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
    TagLifted,
    TagPlaced,
)
from hal.hardware import Hardware
from hal.wiring import CommonRole, ReaderPlace, display_name


class Heard(NamedTuple):
    """What observers are told: a ruling and the seat at whose place it was asked for, or a message to a seat."""

    seat: int
    ruling: Ruling | None
    message: Message | None


class Tap(NamedTuple):
    """A card that was shown to a reader."""

    reader: str
    card: Card


class _Asked(NamedTuple):
    """What a seat was asked in a state: kept, for a question may cost more than drawing it."""

    match: Match
    given: tuple[Token, ...]
    question: Ask | None
    likely: Likely


Observer = Callable[[Heard], None]

MENU = Ask("menu", choices=("undo", "lock", "go-on"))
LOCKED = Ask("locked", choices=("unlock",))
CLEARING = frozenset({"trick-won"})
"""Notices after which the cards on the table are gathered, whatever is played."""
_SHOWN = (TagPlaced, SeveralTags, TagConflict, ReaderStalled)
"""What comes of cards at readers."""


class Watcher(Protocol):
    """Is told what the loop does, and when, before it does it: for captures."""

    def began(self, now: float) -> None:
        """It starts."""

    def take(self, event: Event) -> None:
        """It decides on an event."""

    def decided(self, now: float) -> None:
        """It has decided, and shown what came of it, after time had passed until now."""

    def ticked(self, now: float) -> None:
        """It lets time pass."""


NEXT_MATCH = Ask("next-match", choices=("stay", "next-match"))  # two, so that a stray OK ends no result


class Loop:
    """The referee at one table. All of it runs in one task; `handle` is awaited for one event after the other."""

    def __init__(
        self,
        table: Table,
        names: tuple[str, ...],
        readers: Iterable[ReaderPlace],
        hardware: Hardware,
        journal: Journal,
        deck: Deck | None,
        words: Words,
        chance: Random,
        dealer: int = 0,
        supply: Supply = lambda: (),
    ) -> None:
        self.table = table
        self.names = names
        self.deck = deck
        self.words = words
        self.hardware = hardware
        self._showing = Showing(hardware, words)
        self.observers: list[Observer] = []
        self.watcher: Watcher | None = None
        self._journal = journal
        self._sitting = Sitting(table, names, journal, chance, dealer)
        self._readers = {place.name: place for place in readers}
        self._composers = {seat: Composer() for seat in range(1, table.seats + 1)}
        self._packs = max(card.pack for card in table.game.pack(table.rules))
        self._asked: dict[int, _Asked] = {}
        self._lost: dict[str, str] = {}
        self._notes = Notes(supply)
        self._flickers = Flickers()
        self._unsaved = 0  # entries that could not be made durable: the next try may go well
        self._locked = False
        self._said: Message | None = None  # what the event that is decided on now had to be answered with
        self._latest = 0.0
        self._downs: dict[tuple[int, Button], float] = {}
        if deck is not None:
            hardware.enrol(deck.cards)

    async def start(self, now: float) -> None:
        """Take up the match in the journal, or begin one; raises `JournalError`."""
        if self.watcher is not None:
            self.watcher.began(now)
        code = await self._sitting.start()
        if code is not None:
            for composer in self._composers.values():
                composer.say(TableText(code, bad=True), now)
        self._prepare(now)

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self._sitting.match

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._sitting.over

    @property
    def number(self) -> int:
        """The number of the match in the journal, from 1."""
        return self._journal.number

    @property
    def left_behind(self) -> LeftBehind | None:
        """The match that the journal held at the start and that does not go on, if there is one."""
        return self._sitting.left_behind

    @property
    def lines(self) -> list[str]:
        """The lines of the match's record, without its header."""
        return self._sitting.lines

    def record(self) -> str:
        """The record of the match so far."""
        return self._sitting.record()

    # Events

    async def handle(self, event: Event) -> None:
        """Decide on one event, and show what came of it. While it waits for the disk, `tick` goes on."""
        if self.watcher is not None:
            self.watcher.take(event)
        self._latest = max(self._latest, event.at)
        self._said = None
        woken = self._showing.wake(event)
        if self._flickers.take(event, self._state()):
            return  # it lies there as before, and its seat has been told
        if self._locked and isinstance(event, _SHOWN):  # without cue: every display says so
            reader = event.readers[0] if isinstance(event, TagConflict) else event.reader
            self._tell(Heard(self._place(reader), None, TableText("locked", bad=True)))
        elif not woken:
            await self._take(event)
        self._flickers.settle(event, self._state())
        self.refresh(event.at)
        if self.watcher is not None:
            self.watcher.decided(self._latest)
        self._journal.note(self._notes.of(event, outcome_of(self._said)))

    def pass_time(self, now: float) -> None:
        """Take it that time has passed until now: what is asked next is on show from then on."""
        self._latest = max(self._latest, now)

    def _state(self) -> tuple[object, ...]:
        """All that it depends on what becomes of a card."""
        dealing = self._sitting.dealing
        given = tuple((composer.given, composer.menu) for composer in self._composers.values())
        lost, unsaved = tuple(self._lost), self._unsaved
        return self.number, self.match.step, self._locked, dealing and dealing.view(), given, lost, unsaved

    async def _take(self, event: Event) -> None:
        now = event.at
        match event:
            case Held(seat, button):
                self._hold(seat, button, now)
            case Released(seat, button, held):
                await self._let_go(seat, button, held, now)
            case Pressed(seat, button):
                self._downs[seat, button] = now
            case TagPlaced(reader, uid):
                await self._tap(reader, uid, now)
            case SeveralTags(reader) | ReaderStalled(reader):
                self._say(self._place(reader), TableText("one-at-a-time", bad=True), Cue.REFUSED, now)
            case TagConflict(readers):
                for seat in sorted({self._place(reader) for reader in readers}):
                    self._say(seat, TableText("one-place", bad=True), Cue.REFUSED, now)
            case ButtonStuck(device, why, _, seat, button):
                self._stick(device, why, seat, button, now)
            case DeviceLost(device, why):
                self._lose(device, why, now)
            case DeviceBack(device):
                self._lost.pop(device, None)
            case Chord() | TagLifted():
                pass

    def tick(self, now: float) -> None:
        """Let time pass: hide private lists, drop old messages, let displays rest."""
        if self.watcher is not None:
            self.watcher.ticked(now)
        self._latest = max(self._latest, now)
        expired = [composer.expire(now) for composer in self._composers.values()]
        if any(expired):
            self.refresh(now)
        self._showing.dress(now)

    def _hold(self, seat: int, button: Button, now: float) -> None:
        composer, dealing = self._composers[seat], self._sitting.dealing
        if button is Button.RIGHT:
            composer.peeking = True
        elif button is Button.LEFT and not self._locked:
            if dealing is not None and dealing.dealer != seat:
                dealing = None
            asked = self._pending(seat)
            if not composer.menu and asked is not None and composer.back(asked, now, self._likely(seat)):
                pass  # one step of a long list
            elif composer.menu or composer.given or composer.cursor is not None:
                composer.clear()
            elif dealing is not None and dealing.settle():
                pass  # the card that was to be shown again stays as it was read
            elif dealing is not None and dealing.back():
                composer.say(TableText("withdrawn"), now)
                self._tell(Heard(seat, None, TableText("withdrawn")))
            else:
                composer.menu = True

    async def _let_go(self, seat: int, button: Button, held: bool, now: float) -> None:
        composer = self._composers[seat]
        if held:
            composer.peeking &= button is not Button.RIGHT
        elif self._downs.get((seat, button), now) >= composer.asked_since:  # else it answers what is no longer asked
            await self._press(seat, button, now)

    async def _press(self, seat: int, button: Button, now: float) -> None:
        composer, row = self._composers[seat], self._row(seat)
        covered = composer.message is not None and display_name(seat) not in self._lost
        composer.message = None
        if row is None:
            return
        if button is Button.OK:
            token = composer.picked(row.ask)
            if (
                token is not None and not covered and not self._step(seat, token, now)
            ):  # nobody means what a message hid
                await self._give(seat, token, now)
        else:
            composer.move(row.ask, 1 if button is Button.RIGHT else -1, now, row.enter)

    def _step(self, seat: int, token: Token, now: float) -> bool:
        """Take what was picked for a step into a long list, if it is one."""
        asked = self._pending(seat)
        return asked is not None and self._composers[seat].step(token, asked, now, self._likely(seat))

    async def _give(self, seat: int, token: Token, now: float) -> None:
        """What a seat's buttons picked: an answer to the table, or one more token for the game."""
        composer, question = self._composers[seat], self._question(seat)
        if question is MENU:
            composer.clear()
            if token == "undo":
                await self._undo(seat, now)
            elif token == "lock":
                self._lock(True)
        elif question is LOCKED:
            self._lock(False)
        elif question is NEXT_MATCH:
            composer.clear()
            if token == "next-match":
                await self._next_match(seat, now)
        elif self._sitting.dealing is not None:
            composer.clear()
            await self._take_dealt(seat, self._sitting.dealing.give(token), now)
        else:
            await self._add(seat, token, None, now)

    def _lock(self, locked: bool) -> None:
        """Let no card count at any reader, or let them count again. What still lies there then is to be shown anew."""
        self._locked = locked
        self._forget_input()
        for composer in self._composers.values():
            composer.cursor = None
        self.hardware.forget_taps()

    async def _next_match(self, seat: int, now: float) -> None:
        try:
            await self._sitting.begin_match()
        except JournalError as error:
            self._say_unsaved(seat, error, now)
            return
        self._forget_input()
        self.hardware.forget_taps()
        self._prepare(now)

    def _forget_input(self) -> None:
        """Open menus and messages at all seats belong to what was before; half-given input, unless it still fits."""
        for seat, composer in self._composers.items():
            composer.message = None
            if composer.menu or not composer.given or not isinstance(ask(self.match, seat, composer.given), Ask):
                composer.clear()

    async def _add(self, seat: int, token: Token, tap: Tap | None, now: float) -> None:
        """Append a token; when enough is given, the action is judged."""
        composer, pending = self._composers[seat], self._pending(seat)
        if tap is not None and token in composer.given:
            self._say(seat, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        if composer.given and isinstance(token, Card) and pending is not None and not _is_offered(pending, token):
            self._say(seat, TableText("does-not-fit", (("card", token),), bad=True), Cue.REFUSED, now)
            return
        answer = ask(self.match, seat, (*composer.given, token))
        if isinstance(answer, Action):
            composer.clear()
            await self._submit(seat, answer, tap, now)
        elif answer is not None:
            composer.given, composer.cursor, composer.path = (*composer.given, token), None, ()
        else:
            self._say(seat, TableText("not-asked", bad=True), Cue.REFUSED, now)

    async def _tap(self, reader: str, uid: str, now: float) -> None:
        place = self._readers[reader]
        seat = self._place(reader)
        card = self.deck.card(uid) if self.deck else None
        if card is None:
            self._say(seat, TableText("unknown-tag", bad=True), Cue.UNKNOWN_TAG, now)
        elif self._sitting.dealing is not None:
            await self._deal_card(place, seat, card, now)
        elif place.role is CommonRole.DEALING:
            self._say(seat, TableText("pad-is-for-dealing", bad=True), Cue.REFUSED, now)
        elif self.over:
            self._say(seat, Refusal("match-over", ""), Cue.REFUSED, now)
        else:
            await self._add(seat, self._spelled(card), Tap(reader, card), now)

    def _spelled(self, card: Card) -> Card:
        """A physical card as actions write it: with its pack, where there are two."""
        return very(card) if self._packs > 1 or card.rank == "JK" else card

    async def _deal_card(self, place: ReaderPlace, seat: int, card: Card, now: float) -> None:
        dealing = self._sitting.dealing
        assert dealing is not None
        if dealing.wanted is None and not self.table.tracked:
            facts = (("seat", dealing.dealer), ("size", dealing.view().size))
            self._say(seat, TableText("seat-deals", facts, bad=True), Cue.REFUSED, now)
        elif dealing.wanted is None and place.role is not CommonRole.DEALING:
            self._say(seat, TableText("still-dealing", bad=True), Cue.REFUSED, now)
        else:
            await self._take_dealt(seat, dealing.tap(card), now)

    async def _take_dealt(self, seat: int, wrong: TableText | None, now: float) -> None:
        """Go on with a deal that was given something more, unless that was `wrong`."""
        dealing = self._sitting.dealing
        assert dealing is not None
        if wrong is not None:
            self._say(seat, wrong, Cue.REFUSED, now)
            return
        for composer in self._composers.values():
            composer.message = None
        entry = dealing.entry
        if entry is None:
            self._showing.cue(seat, Cue.ACCEPTED, now)
        elif not await self._submit(seat, entry, None, now):
            dealing.back()  # so that the last card can be shown once more

    async def _undo(self, seat: int, now: float) -> None:
        """A seat takes back its own last action; the dealer takes back a deal without actions."""
        done = self._sitting.referee.accepted
        last = done[-1][0] if done else None
        owner = last.seat if isinstance(last, Action) else last.dealer if isinstance(last, entries.Deal) else seat
        if owner not in (None, seat):
            self._say(seat, TableText("not-yours-to-undo", (("seat", owner),), bad=True), Cue.REFUSED, now)
            return
        await self._submit(seat, entries.Undo(seat), None, now)

    # Rulings

    async def _submit(self, seat: int, entry: Entry | None, tap: Tap | None, now: float) -> bool:
        """Rule on an entry; whether it was accepted and is durable."""
        assert entry is not None
        refusal = self._sitting.check(entry, seat, shown=tap is not None)
        if refusal is not None:
            await self._refuse(seat, entry, refusal, tap, now)
            return False
        try:
            await self._sitting.accept(entry)
        except JournalError as error:
            self._say_unsaved(seat, error, now)
            return False
        self._forget_input()
        if not isinstance(entry, Action):
            self.hardware.forget_taps()  # what was taken back, or is dealt anew, can be shown again at once
        elif any(notice.code in CLEARING for notice in self.match.notices):
            self.hardware.forget_taps(besides=tap.reader if tap is not None else None)
        self._showing.stir(now)
        self._showing.cue(seat, Cue.ACCEPTED, now)
        self._tell(Heard(seat, Ruling(entry, None, self.match.notices), None))
        self._prepare(now)
        return True

    async def _refuse(self, seat: int, entry: Entry, refusal: Refusal, tap: Tap | None, now: float) -> None:
        if tap is not None and self._sitting.has_counted(entry, whoever=self._readers[tap.reader].seat is None):
            self._say(seat, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        self._composers[seat].clear()
        self._composers[seat].say(refusal, now)
        self._showing.cue(seat, Cue.REFUSED, now)
        self._tell(Heard(seat, Ruling(entry, refusal), None))
        if refusal.code == "not-your-turn" and self.match.standing is Standing.RUNNING:
            try:
                await self._sitting.note_out_of_turn(entry)
            except JournalError as error:
                self._say_unsaved(seat, error, now)

    def _prepare(self, now: float) -> None:
        """Make ready for what comes next, and show it."""
        dealt = self._sitting.dealing is not None
        self._sitting.prepare()
        if dealt and self._sitting.dealing is None:
            self._showing.renew()
        self.refresh(now)

    def _say_unsaved(self, seat: int, error: JournalError, now: float) -> None:
        """Tell a seat that what it did is not accepted, for it could not be made durable."""
        self._unsaved += 1
        full = isinstance(error, DiskFullError)
        self._say(seat, TableText("disk-full" if full else "not-saved", bad=True), Cue.REFUSED, now)

    def _say(self, seat: int, message: Message, cue: Cue, now: float) -> None:
        self._composers[seat].say(message, now)
        self._showing.cue(seat, cue, now)
        self._tell(Heard(seat, None, message))

    def _tell(self, heard: Heard) -> None:
        self._said = heard.message or (heard.ruling and heard.ruling.refusal) or self._said
        for observer in self.observers:
            observer(heard)

    # Devices

    def _place(self, reader: str) -> int:
        """The seat that a tap at this reader belongs to."""
        place = self._readers[reader]
        if place.seat is not None:
            return place.seat
        if self._sitting.dealing is not None or place.role is CommonRole.DEALING:
            return self._sitting.dealing.dealer if self._sitting.dealing is not None else self.match.dealer or 1
        acting = to_act(self.match)
        return acting[0] if acting else 1

    def _lose(self, device: str, why: str, now: float) -> None:
        self._lost[device] = why
        seat = self._place(device) if device in self._readers else _seat_of(device)
        if seat in self._composers:
            self._composers[seat].peeking = False
            self._say(seat, TableText("device-lost", (("device", device),), bad=True), Cue.DEVICE_LOST, now)

    def _stick(self, device: str, why: str, seat: int, button: Button, now: float) -> None:
        """A button stays down: what its hold has brought about, nobody meant, and no release will end it."""
        self._lost[device] = why
        composer = self._composers[seat]
        composer.peeking &= button is not Button.RIGHT
        if button is Button.LEFT and composer.menu:
            composer.clear()
        self._say(seat, TableText("button-stuck", (("button", button.value),), bad=True), Cue.DEVICE_LOST, now)

    # Showing

    def _row(self, seat: int) -> Row | None:
        """What this seat's buttons answer now: its menu, if that is open, else what it is asked. A lock goes first."""
        if self._locked:
            return Row(LOCKED)
        composer, asked = self._composers[seat], self._pending(seat)
        if composer.menu:
            return Row(MENU)
        return composer.row(asked, self._likely(seat)) if asked is not None else None

    def _question(self, seat: int) -> Ask | None:
        row = self._row(seat)
        return row.ask if row is not None else None

    def _likely(self, seat: int) -> Likely:
        """What makes some answers to what this seat is asked now likelier than others."""
        if self.over or self._sitting.dealing is not None:
            return UNSURE
        return self._asked[seat].likely if self._pending(seat) is not None else UNSURE

    def _pending(self, seat: int) -> Ask | None:
        """What this seat is asked now."""
        if self.over:
            return NEXT_MATCH
        dealing = self._sitting.dealing
        if dealing is not None:
            return dealing.question if seat == dealing.dealer else None
        match, given = self.match, self._composers[seat].given
        asked = self._asked.get(seat)
        if asked is None or asked.match is not match or asked.given != given:
            answer = ask(match, seat, given)
            question = answer if isinstance(answer, Ask) else None
            likely = likely_of(view(match, seat)) if question is not None and question.cards else UNSURE
            asked = self._asked[seat] = _Asked(match, given, question, likely)
        return asked.question

    def seat_view(self, seat: int) -> SeatView:
        """Everything that this seat's display shows."""
        composer = self._composers[seat]
        lost = tuple(device for device in self._lost if _seat_of(device) == seat)
        tapping = any(
            place.seat == seat or place.role is CommonRole.CENTRE
            for place in self._readers.values()
            if place.name not in self._lost
        )
        row = self._row(seat)
        return SeatView(
            seat=seat,
            view=view(self.match, seat),
            ask=row.ask if row is not None else None,
            cursor=composer.cursor,
            given=composer.given,
            message=composer.message,
            dealing=self._sitting.dealing.view() if self._sitting.dealing else None,
            peeking=composer.peeking,
            tapping=tapping and self.deck is not None,
            names=self.names,
            lost=lost,
            offered=row.offered if row is not None else (),
            enter=row.enter if row is not None else 0,
        )

    def refresh(self, now: float) -> None:
        """Hand the displays what has changed, and light the LEDs of those who are to act."""
        for seat in self._composers:
            seen = self.seat_view(seat)
            self._composers[seat].put(seen.ask, self._latest)
            self._showing.show(seen, asked=not self._locked and self._pending(seat) is not None, now=now)
        self._showing.dress(now)


def _is_offered(asked: Ask, card: Card) -> bool:
    """Whether a card, or one equal to it, may be given now."""
    return PLAIN[card] in [PLAIN[offered] for offered in asked.cards]


def _seat_of(device: str) -> int | None:
    """The seat in a device's name, such as `seat 2 reader`."""
    found = re.match(r"seat (\d+) ", device)
    return int(found[1]) if found else None
