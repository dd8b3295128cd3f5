"""The one loop that decides: events in; rulings, displays and cues out. What is accepted is durable before it shows."""

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from engine import entries
from engine.asks import Ask, Token
from engine.cards import Card
from engine.entries import Entry
from engine.match import Match, Standing, Table, ask, begin, check_action, seen_from, to_act, view
from engine.notation import entry_text
from engine.record import deal_lines, header_lines, read_record
from engine.referee import Referee, Ruling
from engine.values import Action, Refusal
from firmware.composer import Composer
from firmware.dealing import Dealing
from firmware.deck import Deck
from firmware.errors import JournalError
from firmware.journal import Journal
from firmware.screens import draw
from firmware.seatview import Message, SeatView, TableText
from firmware.words import Words
from hal.cues import Cue
from hal.events import (
    Button,
    DeviceBack,
    DeviceLost,
    Event,
    Held,
    Pressed,
    Released,
    SeveralTags,
    TagLifted,
    TagPlaced,
)
from hal.hardware import Hardware
from hal.wiring import CommonRole, ReaderPlace


class Heard(NamedTuple):
    """What observers are told: a ruling and the seat at whose place it was asked for, or a message to a seat."""

    seat: int
    ruling: Ruling | None
    message: Message | None


class Tap(NamedTuple):
    """A card that was shown to a reader."""

    reader: str
    card: Card


Observer = Callable[[Heard], None]

MENU = Ask("menu", choices=("undo", "go-on"))
DEALT = Ask("dealt", choices=("dealt",))
NEXT_MATCH = Ask("next-match", choices=("next-match",))


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
    ) -> None:
        self.table = table
        self.names = names
        self.deck = deck
        self.words = words
        self.hardware = hardware
        self.journal = journal
        self.observers: list[Observer] = []
        self.lines: list[str] = []
        """The lines of the running match's record, as they stand in the journal."""
        self._readers = {place.name: place for place in readers}
        self._chance = chance
        self._first_dealer = dealer
        self._lot = dealer or chance.randint(1, table.seats)
        self._composers = {seat: Composer() for seat in range(1, table.seats + 1)}
        self._referee = Referee(begin(table, names=names))
        self._dealing: Dealing | None = None
        self._lost: dict[str, str] = {}
        self._counted: dict[str, Card] = {}
        """The card that counted last at each reader: to show it again is no second play."""
        self._shown: dict[int, SeatView] = {}
        self._bases: dict[int, Cue] = {}

    # Start and end

    async def start(self, now: float) -> None:
        """Take up the match in the journal, or begin one; raises `JournalError`."""
        found = self.journal.last_match()
        if found is None or not self._take_up(*found, now):
            await self._begin_match()
        self._prepare(now)

    def _take_up(self, header: str, lines: list[str], now: float) -> bool:
        """Go on with the match that the journal holds, if it is this table's.

        One that is over too: perhaps nobody has seen its end, and its last action can be taken back.
        """
        if header.split("\n") != header_lines(self.table, names=self.names):
            return False
        record = read_record("\n".join([header, *lines]) + "\n")
        referee = Referee(begin(self.table, names=self.names))
        for line in record.lines:
            if line.entry is not None:
                referee.accept(line.entry)
        self._referee = referee
        for text in lines:
            self._note(text)
        for composer in self._composers.values():
            composer.say(TableText("restarted", bad=True), now)
        return True

    async def _begin_match(self) -> None:
        await self.journal.begin_match(header_lines(self.table, names=self.names))
        self.lines = []
        self._counted = {}
        self._referee = Referee(begin(self.table, names=self.names))
        self._lot = self._first_dealer or self._chance.randint(1, self.table.seats)
        self._forget_input()

    def _forget_input(self) -> None:
        """Half-given input and messages at all seats belong to what was before."""
        for composer in self._composers.values():
            composer.clear()
            composer.message = None

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self._referee.match

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._referee.match.standing is Standing.OVER

    def record(self) -> str:
        """The record of the match so far."""
        return "\n".join([*header_lines(self.table, names=self.names), "", *self.lines]) + "\n"

    # Events

    async def handle(self, event: Event) -> None:
        """Decide on one event, and show what came of it."""
        now = event.at
        match event:
            case Held(seat, button):
                self._hold(seat, button, now)
            case Released(seat, button, held):
                if held:
                    self._composers[seat].peeking &= button is not Button.RIGHT
                else:
                    await self._press(seat, button, now)
            case TagPlaced(reader, uid):
                await self._tap(reader, uid, now)
            case SeveralTags(reader):
                self._say(self._place(reader), TableText("one-at-a-time", bad=True), Cue.REFUSED, now)
            case DeviceLost(device, why):
                self._lose(device, why, now)
            case DeviceBack(device):
                self._lost.pop(device, None)
            case Pressed() | TagLifted():
                pass
        self.refresh(now)

    def tick(self, now: float) -> None:
        """Let time pass: hide private lists, drop old messages."""
        expired = [composer.expire(now) for composer in self._composers.values()]
        if any(expired):
            self.refresh(now)

    def _hold(self, seat: int, button: Button, now: float) -> None:
        composer = self._composers[seat]
        if button is Button.RIGHT:
            composer.peeking = True
        elif button is Button.LEFT:
            if composer.menu or composer.given or composer.cursor is not None:
                composer.clear()
            elif self._dealing and seat == self._dealing.dealer and self._dealing.back():
                composer.say(TableText("withdrawn"), now)
                self._tell(Heard(seat, None, TableText("withdrawn")))
            else:
                composer.menu = True

    async def _press(self, seat: int, button: Button, now: float) -> None:
        composer, question = self._composers[seat], self._question(seat)
        covered = composer.message is not None
        composer.message = None
        if question is None:
            return
        if button is Button.OK:
            token = composer.picked(question)
            if token is not None and not covered:  # nobody means what a message hid
                await self._give(seat, token, now)
        else:
            composer.move(question, 1 if button is Button.RIGHT else -1, now)

    async def _give(self, seat: int, token: Token, now: float) -> None:
        """What a seat's buttons picked: an answer to the table, or one more token for the game."""
        composer, question = self._composers[seat], self._question(seat)
        if question is MENU:
            composer.clear()
            if token == "undo":
                await self._undo(seat, now)
        elif question is NEXT_MATCH:
            await self._next_match(seat, now)
        elif question is DEALT:
            assert self._dealing is not None
            await self._submit(seat, self._dealing.entry, None, now)
        else:
            await self._add(seat, token, None, now)

    async def _next_match(self, seat: int, now: float) -> None:
        try:
            await self._begin_match()
        except JournalError:
            self._say(seat, TableText("not-saved", bad=True), Cue.REFUSED, now)
        else:
            self._prepare(now)

    async def _add(self, seat: int, token: Token, tap: Tap | None, now: float) -> None:
        """Append a token; when enough is given, the action is judged."""
        composer = self._composers[seat]
        answer = ask(self._referee.match, seat, (*composer.given, token))
        if isinstance(answer, Action):
            composer.clear()
            await self._submit(seat, answer, tap, now)
        elif answer is not None:
            composer.given, composer.cursor = (*composer.given, token), None

    async def _tap(self, reader: str, uid: str, now: float) -> None:
        place = self._readers[reader]
        seat = self._place(reader)
        card = self.deck.card(uid) if self.deck else None
        if card is None:
            self._say(seat, TableText("unknown-tag", bad=True), Cue.UNKNOWN_TAG, now)
        elif self._dealing is not None:
            await self._deal_card(place, seat, card, now)
        elif place.role is CommonRole.DEALING:
            self._say(seat, TableText("pad-is-for-dealing", bad=True), Cue.REFUSED, now)
        elif self.over:
            self._say(seat, Refusal("match-over", ""), Cue.REFUSED, now)
        else:
            await self._add(seat, card, Tap(reader, card), now)

    async def _deal_card(self, place: ReaderPlace, seat: int, card: Card, now: float) -> None:
        dealing = self._dealing
        assert dealing is not None
        if not self.table.tracked:
            facts = (("seat", dealing.dealer), ("size", dealing.view().size))
            self._say(seat, TableText("seat-deals", facts, bad=True), Cue.REFUSED, now)
            return
        if place.role is not CommonRole.DEALING:
            self._say(seat, TableText("still-dealing", bad=True), Cue.REFUSED, now)
            return
        wrong = dealing.tap(card)
        if wrong is not None:
            self._say(seat, wrong, Cue.REFUSED, now)
            return
        for composer in self._composers.values():
            composer.message = None
        entry = dealing.entry
        if entry is None:
            self._cue(seat, Cue.ACCEPTED, now)
        elif not await self._submit(seat, entry, None, now):
            dealing.back()  # so that the last card can be shown once more

    async def _undo(self, seat: int, now: float) -> None:
        """A seat takes back its own last action; the dealer takes back a deal without actions."""
        done = self._referee.accepted
        last = done[-1][0] if done else None
        owner = last.seat if isinstance(last, Action) else last.dealer if isinstance(last, entries.Deal) else seat
        if owner not in (None, seat):
            self._say(seat, TableText("not-yours-to-undo", (("seat", owner),), bad=True), Cue.REFUSED, now)
            return
        await self._submit(seat, entries.Undo(seat), None, now)

    # Rulings

    def _check(self, entry: Entry, seat: int, tap: Tap | None) -> Refusal | None:
        """Why an entry is refused; what was entered by buttons is judged on what that seat may know (law 6)."""
        if isinstance(entry, Action) and tap is None:
            return check_action(seen_from(self._referee.match, seat), entry)
        return self._referee.check(entry)

    async def _submit(self, seat: int, entry: Entry | None, tap: Tap | None, now: float) -> bool:
        """Rule on an entry; whether it was accepted and is durable."""
        assert entry is not None
        refusal = self._check(entry, seat, tap)
        if refusal is not None:
            await self._refuse(seat, entry, refusal, tap, now)
            return False
        text = "\n".join(deal_lines(entry)) if isinstance(entry, entries.Deal) else entry_text(self.table, entry)
        if not await self._write(seat, text, now):
            return False
        self._referee.accept(entry)
        if tap is not None:
            self._counted[tap.reader] = tap.card
        elif not isinstance(entry, Action):
            self._counted = {}  # a card that was taken back, or dealt anew, can be played
        self._forget_input()
        self._cue(seat, Cue.ACCEPTED, now)
        self._tell(Heard(seat, Ruling(entry, None, self._referee.match.notices), None))
        self._prepare(now)
        return True

    async def _refuse(self, seat: int, entry: Entry, refusal: Refusal, tap: Tap | None, now: float) -> None:
        if tap is not None and self._counted.get(tap.reader) == tap.card:
            self._say(seat, TableText("counted-already", (("card", tap.card),)), Cue.DUPLICATE, now)
            return
        self._composers[seat].clear()
        self._composers[seat].say(refusal, now)
        self._cue(seat, Cue.REFUSED, now)
        self._tell(Heard(seat, Ruling(entry, refusal), None))
        if refusal.code == "not-your-turn" and self._referee.match.standing is Standing.RUNNING:
            await self._write(seat, f"# out-of-turn: {entry_text(self.table, entry)}", now)

    async def _write(self, seat: int, text: str, now: float) -> bool:
        """Write to the journal; a journal that cannot be written is said at the seat, and nothing is accepted."""
        try:
            await self.journal.append(text)
        except JournalError:
            self._say(seat, TableText("not-saved", bad=True), Cue.REFUSED, now)
            return False
        self._note(text)
        return True

    def _note(self, text: str) -> None:
        """Keep the lines of an entry as they stand in the record, an empty one before each deal."""
        self.lines.extend(([""] if text.startswith("deal") and self.lines else []) + text.split("\n"))

    def _prepare(self, now: float) -> None:
        """Make ready for what comes next: a deal, when none is running."""
        match = self._referee.match
        if match.standing in (Standing.RUNNING, Standing.OVER):
            if self._dealing is not None:
                for display in self.hardware.displays.values():
                    display.refresh()  # a chip that lost its supply for a moment does not say so
            self._dealing = None
        elif self._dealing is None or self._dealing.dealer != (match.next_dealer or self._lot):
            self._dealing = Dealing(self.table, match.next_dealer or self._lot)
        self.refresh(now)

    def _say(self, seat: int, message: Message, cue: Cue, now: float) -> None:
        self._composers[seat].say(message, now)
        self._cue(seat, cue, now)
        self._tell(Heard(seat, None, message))

    def _tell(self, heard: Heard) -> None:
        for observer in self.observers:
            observer(heard)

    # Devices

    def _place(self, reader: str) -> int:
        """The seat that a tap at this reader belongs to."""
        place = self._readers[reader]
        if place.seat is not None:
            return place.seat
        if self._dealing is not None or place.role is CommonRole.DEALING:
            return self._dealing.dealer if self._dealing is not None else self._referee.match.dealer or 1
        acting = to_act(self._referee.match)
        return acting[0] if acting else 1

    def _lose(self, device: str, why: str, now: float) -> None:
        self._lost[device] = why
        seat = self._place(device) if device in self._readers else _seat_of(device)
        if seat in self._composers:
            self._composers[seat].peeking = False
            self._say(seat, TableText("device-lost", (("device", device),), bad=True), Cue.DEVICE_LOST, now)

    def _cue(self, seat: int, cue: Cue, now: float) -> None:
        led = self.hardware.leds.get(seat)
        if led is not None:
            led.show(cue, now)
        if self.hardware.buzzer is not None:
            self.hardware.buzzer.sound(cue, now)

    # Showing

    def _question(self, seat: int) -> Ask | None:
        """What this seat is asked now."""
        composer = self._composers[seat]
        if composer.menu:
            return MENU
        if self.over:
            return NEXT_MATCH
        if self._dealing is not None:
            return DEALT if not self.table.tracked and seat == self._dealing.dealer else None
        answer = ask(self._referee.match, seat, composer.given)
        return answer if isinstance(answer, Ask) else None

    def seat_view(self, seat: int) -> SeatView:
        """Everything that this seat's display shows."""
        composer = self._composers[seat]
        lost = tuple(device for device in self._lost if _seat_of(device) == seat)
        tapping = any(
            place.seat == seat or place.role is CommonRole.CENTRE
            for place in self._readers.values()
            if place.name not in self._lost
        )
        return SeatView(
            seat=seat,
            view=view(self._referee.match, seat),
            ask=self._question(seat),
            cursor=composer.cursor,
            given=composer.given,
            message=composer.message,
            dealing=self._dealing.view() if self._dealing else None,
            peeking=composer.peeking,
            tapping=tapping and self.deck is not None,
            names=self.names,
            lost=lost,
        )

    def refresh(self, now: float) -> None:
        """Hand the displays what has changed, and light the LEDs of those who are to act."""
        for seat in self._composers:
            seen = self.seat_view(seat)
            display = self.hardware.displays.get(seat)
            if display is not None and self._shown.get(seat) != seen:
                self._shown[seat] = seen
                display.show(draw(seen, self.words))
            base = Cue.YOUR_TURN if seen.ask is not None and seen.ask is not MENU else Cue.OFF
            if self._bases.get(seat) != base and seat in self.hardware.leds:
                self._bases[seat] = base
                self.hardware.leds[seat].show(base, now)


def _seat_of(device: str) -> int | None:
    """The seat in a device's name, such as `seat 2 reader`."""
    found = re.match(r"seat (\d+) ", device)
    return int(found[1]) if found else None
