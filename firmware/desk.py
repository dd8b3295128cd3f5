"""The table as it stands: the match, what each place is in the middle of, and what it is shown.

Dialogs look at it; `firmware.rulings` and `firmware.loop` change it.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from engine.asks import Ask, Token
from engine.cards import Card, very
from engine.entries import Entry
from engine.match import Match, Table, ask, to_act, view
from engine.referee import Need, Referee, Ruling, Undoing
from engine.values import Action, Notice
from firmware.composer import Composer
from firmware.deal_lines import DealInProgress
from firmware.deck import Deck
from firmware.deck_files import DeckFiles
from firmware.decks import IN_USE, Decks, Kept, Shelf
from firmware.devices_at import Devices
from firmware.dialogs import Dialog
from firmware.entry_words import side_name
from firmware.errors import DiskFullError, JournalError
from firmware.instructions import Instruction
from firmware.journal import Journal
from firmware.moments import Moment, moment_of
from firmware.narrowing import UNSURE, Likely, Row, likely_of
from firmware.pin import NOBODY, Gate, Officials
from firmware.preferences import AT_FIRST, MOST_BRIGHTNESS, Defaults, Preferences
from firmware.seatview import Message, SeatView, Sheet, TableText
from firmware.settings import LANGUAGE, Settings
from firmware.setups import Setup
from firmware.showing import Showing
from firmware.sightings import Sightings
from firmware.sitting import LeftBehind, Sitting
from firmware.tablefile import missing_cards
from firmware.words import Words
from hal.cues import Cue
from hal.events import (
    Event,
)
from hal.hardware import Hardware
from hal.wiring import CommonRole, ReaderPlace, buttons_name, display_name


class Heard(NamedTuple):
    """What observers are told: a ruling and the place at the table where it was asked for, or a message to a place. 0
    is beside the table.
    """

    seat: int
    ruling: Ruling | None
    message: Message | None


class _Asked(NamedTuple):
    """What a seat was asked in a state: kept, for a question may cost more than drawing it."""

    match: Match
    given: tuple[Token, ...]
    question: Ask | None
    likely: Likely


Observer = Callable[[Heard], None]

_OF_PILES = frozenset({"one-at-a-time", "one-place"})
"""What is told of several cards at once, as when they are gathered."""
LOCKED = Ask("locked", choices=("unlock",))
NEXT_MATCH = Ask("next-match", choices=("stay", "next-match"))  # two, so that a stray OK ends no result
NEXT_OR_OTHER = Ask("next-match", choices=("stay", "next-match", "lobby"))


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

    def instructed(self, told: str, now: float) -> None:
        """It decides on what a director wants from beside the table."""


class Desk:
    """What is known at the table, and what it says. All of it is touched by one task alone."""

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
        officials: Officials = NOBODY,
        defaults: Defaults = AT_FIRST,
    ) -> None:
        """`places` are those at the table, from 1. At a `free` table players agree on what is played, and the
        setup is what is proposed, and `known_names` may be picked there; else it holds for every match. `officials` is
        who directs, by the table file.
        """
        self.places = tuple(places)
        self.hardware = hardware
        self.free = free
        self.known_names = known_names
        self.settings = Settings(journal.settings())
        self.gate = Gate(officials, self.settings)
        self._decks = Decks(decks, _first_in_use(decks, self.settings.get(IN_USE), setup.table))
        self.sightings = Sightings()
        brightness = hardware.strip.brightness if hardware.strip is not None else MOST_BRIGHTNESS
        self.preferences = Preferences(self.settings, defaults, brightness)
        self._language = language
        self._chance = chance
        self.observers: list[Observer] = []
        self._acting = 0
        """The place that did something last: its display changes first."""
        self.lookers: list[Callable[[], None]] = []
        """Are called whenever something may have changed that can be seen."""
        self.instructed: list[Callable[[Instruction], None]] = []
        """Are told what a director wants from beside the table, before it is decided on."""
        self.watcher: Watcher | None = None
        self._journal = journal
        self._sitting = Sitting(setup, journal, chance, len(self.places) if free else None)
        self.words = self._words()
        self._devices = Devices(readers)
        self._showing = Showing(hardware, self.words, self.preferences, self._devices.shows)
        self._composers = {place: Composer() for place in self.places}
        self._shared: Dialog | None = None
        self._asked: dict[int, _Asked] = {}
        self._unsaved = 0  # entries that could not be made durable: the next try may go well
        self._locked = False
        self._said: Message | None = None  # what the event that is decided on now had to be answered with
        self._latest = 0.0
        self.new_token: Callable[[], str] | None = None
        """Makes a token by which directors log in from beside the table; None: nobody can."""
        self._deck_files = DeckFiles()
        self._enrol_tags()

    def _words(self) -> Words:
        return Words(self._sitting.table.game, self.settings.get(LANGUAGE, self._language))

    @property
    def setup(self) -> Setup:
        """What is played, by whom and where."""
        return self._sitting.setup

    @property
    def table(self) -> Table:
        """What is played."""
        return self._sitting.table

    @property
    def referee(self) -> Referee:
        """The referee of the match."""
        return self._sitting.referee

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self._sitting.match

    @property
    def decks(self) -> Decks:
        """The decks of the table."""
        return self._decks

    @property
    def deck(self) -> Deck | None:
        """The deck that is played with."""
        return self.decks.in_use.deck if self.decks.in_use is not None else None

    @property
    def latest(self) -> float:
        """The time up to which all is decided, in seconds."""
        return self._latest

    @property
    def quiet(self) -> bool:
        """Whether no deal is running and none has begun: no card is in a hand."""
        dealing = self._sitting.dealing
        if not self._sitting.agreed or self.over:
            return True
        seen = dealing.view() if dealing is not None else None
        return seen is not None and not any(seen.counts) and not seen.shown and seen.wanted is None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._sitting.over

    @property
    def lost(self) -> Mapping[str, str]:
        """The devices that do not answer now, and why."""
        return self._devices.lost

    @property
    def locked(self) -> bool:
        """Whether no card counts at any reader."""
        return self._locked

    @property
    def now(self) -> float:
        """The time of the newest event, by the clock of the table."""
        return self._latest

    @property
    def agreed(self) -> bool:
        """Whether it is agreed what is played: there is a match."""
        return self._sitting.agreed

    @property
    def shared(self) -> Dialog | None:
        """What the whole table is in the middle of, apart from the game."""
        return self._shared

    @property
    def moment(self) -> Moment:
        """The match as it stands, for a ruling to mean just that."""
        return moment_of(self._sitting)

    @property
    def correctable(self) -> bool:
        """Until the first deal has been played to its end, a slip in what was agreed can be mended. Whether all that
        was played stands under another setup may tell what others hold: that is a director's to hear.
        """
        return self.mendable and (self.gate.directed or not self._knows_hidden_plays())

    def heads(self, entry: Entry) -> bool:
        """Whether an entry is a ruling before the first deal that the header of the record is to tell of."""
        return self._sitting.heads(entry)

    @property
    def mendable(self) -> bool:
        """Whether the first deal is not played to its end yet, so that a director can mend what was agreed."""
        return self.agreed and self.match.deals == 0 and not self.over

    def _knows_hidden_plays(self) -> bool:
        """Whether actions of this match were judged on cards that not everybody has seen."""
        played = [entry for entry, _ in self.referee.accepted if isinstance(entry, Action)]
        return any(self.table.tracked or action.verb in self.table.game.silent for action in played)

    def undoing(self, place: int) -> Undoing:
        """What a place would take back, and what that needs."""
        seat = self.setup.seat(place)
        return self.referee.can_undo(seat) if self.agreed and seat else Undoing(Need.NOTHING)

    @property
    def named(self) -> Words:
        """The words of the table with the names of the players."""
        return self.words.among(self.match.names, self.table.sides)

    def side(self, first: int) -> str:
        """A side by the names of all who are of it, or by their seats; `first` is its lowest seat."""
        return side_name(self.words, self.match, first)

    def who(self, seat: int) -> str:
        """The name of a seat, or its number in words."""
        named = self.match.names[seat - 1] if seat and self.match.names else ""
        return named or self.words.short("seat-acts", seat=seat)

    def answers(self, place: int) -> bool:
        """Whether a place can be asked something, as far as the table can tell: it has its display and its buttons."""
        return not {display_name(place), buttons_name(place)} & {*self._devices.lost}

    def salt(self) -> bytes:
        """Chance for a hash."""
        return self._chance.randbytes(16)

    def spelled(self, card: Card) -> Card:
        """A physical card as actions write it: with its pack, where there are two."""
        packs = max(held.pack for held in self.table.game.pack(self.table.rules))
        return very(card) if packs > 1 or card.rank == "JK" else card

    @property
    def number(self) -> int:
        """The number of the match in the journal, from 1."""
        return self._journal.number

    @property
    def journal_file(self) -> Path:
        """Where the journal lies."""
        return self._journal.path

    @property
    def left_behind(self) -> LeftBehind | None:
        """The match that the journal held at the start and that does not go on, if there is one."""
        return self._sitting.left_behind

    @property
    def lines(self) -> list[str]:
        """The lines of the match's record, without its header."""
        return self._sitting.lines

    @property
    def line_count(self) -> int:
        """How many lines the match's record has, without its header."""
        return len(self._sitting.record_lines)

    @property
    def comments(self) -> list[str]:
        """Those of the lines that are comments."""
        return self._sitting.record_lines.comments

    @property
    def dealing(self) -> DealInProgress | None:
        """The deal in progress, if the table waits for one."""
        return self._sitting.dealing

    @property
    def readers(self) -> tuple[ReaderPlace, ...]:
        """The readers of the table."""
        return tuple(self._devices.readers.values())

    def record(self) -> str:
        """The record of the match so far."""
        return self._sitting.record()

    # What places are in

    def _dialog(self, place: int) -> Dialog | None:
        """The dialog that a place is in: what it has opened itself goes before what the whole table is in."""
        opened = self._composers[place].dialogs
        if opened:
            return opened[-1]
        return self._shared if self._shared is not None and self._shared.sheet(place) is not None else None

    def _sheet(self, place: int) -> Sheet | None:
        dialog = self._dialog(place)
        return dialog.sheet(place) if dialog is not None else None

    def _under(self, place: int) -> Sheet | None:
        """What a place comes back to from the dialog that it is in."""
        opened = self._composers[place].dialogs
        if len(opened) > 1:
            return opened[-2].sheet(place)
        return self._shared.sheet(place) if opened and self._shared is not None else None

    def _row(self, place: int) -> Row | None:
        """What this place's buttons answer now: a dialog, if it is in one, else what it is asked. A lock goes first."""
        if self._locked:
            return Row(LOCKED)
        sheet = self._sheet(place)
        if sheet is not None:
            return Row(sheet.ask)
        asked = self._pending(place)
        return self._composers[place].row(asked, self._likely(place)) if asked is not None else None

    def _question(self, place: int) -> Ask | None:
        row = self._row(place)
        return row.ask if row is not None else None

    def _likely(self, place: int) -> Likely:
        """What makes some answers to what this place is asked now likelier than others."""
        if self.over or self._sitting.dealing is not None or not self._sitting.agreed:
            return UNSURE
        return self._asked[place].likely if self._pending(place) is not None else UNSURE

    def _pending(self, place: int) -> Ask | None:
        """What the game asks this place now, or the table between two games."""
        if not self._sitting.agreed:
            return None
        if self.over:
            return NEXT_OR_OTHER if self.free else NEXT_MATCH
        seat, dealing = self.setup.seat(place), self._sitting.dealing
        if not seat:
            return None
        if dealing is not None:
            return dealing.asked(seat)
        match, given = self.match, self._composers[place].given
        asked = self._asked.get(place)
        if asked is None or asked.match is not match or asked.given != given:
            answer = ask(match, seat, given)
            question = answer if isinstance(answer, Ask) else None
            likely = likely_of(view(match, seat)) if question is not None and question.cards else UNSURE
            asked = self._asked[place] = _Asked(match, given, question, likely)
        return asked.question

    def seat_view(self, place: int) -> SeatView:
        """Everything that the display at this place shows."""
        composer, seat = self._composers[place], self.setup.seat(place)
        row = self._row(place)
        return SeatView(
            seat=seat,
            view=view(self.match, seat),
            ask=row.ask if row is not None else None,
            cursor=composer.cursor,
            given=composer.given,
            message=composer.message,
            dealing=self._sitting.dealing.view() if self._sitting.dealing else None,
            peeking=composer.peeking,
            tapping=self._devices.reads(place) and self.deck is not None,
            names=self.match.names,
            lost=self._devices.lost_at(place),
            sheet=self._sheet(place),
            under=self._under(place),
            offered=row.offered if row is not None else (),
            enter=row.enter if row is not None else 0,
            notice=composer.notice,
            mirrored=self.preferences.left_handed(place),
            shown=composer.shown if composer.message is not None else None,
        )

    def refresh(self, now: float) -> None:
        """Hand the displays what has changed, and light the LEDs of those who are to act."""
        for place in sorted(self._composers, key=lambda place: place != self._acting):
            composer = self._composers[place]
            composer.face(self._dialog(place), self._sheet(place))
            seen = self.seat_view(place)
            composer.put(seen.ask, self._latest)
            asked, first = not self._locked and self._waits(place), place == self._acting
            self._showing.show(place, seen, asked=asked, first=first, now=now)
        self._showing.dress(now)
        for look in self.lookers:
            look()

    def _waits(self, place: int) -> bool:
        """Whether the table waits for this place."""
        if self._shared is not None and self._shared.sheet(place) is not None:
            return self._shared.waits_for(place)
        dealing, seat = self._sitting.dealing, self.setup.seat(place)
        if dealing is None or self.over or not seat:
            return self._pending(place) is not None
        return dealing.waits(seat)

    def _prepare(self, now: float) -> None:
        """Make ready for what comes next, and show it."""
        dealt = self._sitting.dealing is not None
        self._sitting.prepare()
        if dealt and self._sitting.dealing is None:
            self._showing.renew()
        self.refresh(now)

    def _closed(self, dealing: DealInProgress, reader: str) -> TableText | None:
        """Why a reader takes no card of the deal."""
        known = self._devices.readers[reader]
        if known.seat is not None and not self.setup.seat(known.seat):
            return TableText("not-asked", bad=True)
        at = None if known.seat is None else self.setup.seat(known.seat)
        return dealing.closed(at, known.role is CommonRole.DEALING)

    def _say_of_card(self, reader: str, message: Message, cue: Cue, now: float) -> None:
        """Say what is wrong with a card at a reader; nobody is disturbed by cards that are gathered and shuffled."""
        dealing, place = self._sitting.dealing, self._place(reader)
        waits = dealing is not None and self._closed(dealing, reader) is None  # for a deal's first card
        if self.over or (dealing is not None and not dealing.begun and not waits):
            self._tell(Heard(place, None, message))
        elif dealing is not None and not dealing.begun and message.code in _OF_PILES:
            self._composers[place].say(message, now)
            self._tell(Heard(place, None, message))
        else:
            self._say(place, message, cue, now)

    def _say(self, place: int, message: Message, cue: Cue, now: float) -> None:
        self._composer(place).say(message, now)
        self._cue(place, cue, now)
        self._tell(Heard(place, None, message))

    def _cue(self, place: int, cue: Cue, now: float) -> None:
        if place:
            self._showing.cue(place, cue, now)

    def _composer(self, place: int) -> Composer:
        """What a place is in the middle of. Who directs from beside the table has no place (0), and is in nothing."""
        return self._composers[place] if place else Composer()

    def _notify(self, notice: Notice, now: float, besides: int = 0) -> None:
        """Show everybody what the director will have to look at."""
        for place, composer in self._composers.items():
            if place != besides:
                composer.notify(notice, now)

    def _say_unsaved(self, place: int, error: JournalError, now: float) -> None:
        """Tell a place that what it did is not accepted, for it could not be made durable."""
        self._unsaved += 1
        full = isinstance(error, DiskFullError)
        self._say(place, TableText("disk-full" if full else "not-saved", bad=True), Cue.REFUSED, now)

    def _tell(self, heard: Heard) -> None:
        self._said = heard.message or (heard.ruling and heard.ruling.refusal) or self._said
        for observer in self.observers:
            observer(heard)

    def _place(self, reader: str) -> int:
        """The place that a tap at this reader belongs to."""
        known = self._devices.readers[reader]
        if known.seat is not None:
            return known.seat
        if known.role is CommonRole.CENTRE or not self.agreed:  # a card at the pad is about to be dealt
            for place in self.places:
                dialog = self._dialog(place)
                if dialog is not None and dialog.for_tags:
                    return place
        dealing = self._sitting.dealing
        if dealing is not None or known.role is CommonRole.DEALING:
            seat = dealing.dealer if dealing is not None else self.match.dealer
        else:
            acting = to_act(self.match)
            seat = acting[0] if acting else 0
        return self.setup.place(seat) if seat else self.setup.places[0]

    def _takes_up(self, kept: Kept) -> bool:
        """Whether a deck comes into use by a card of it: between deals, if it has all cards of the game."""
        return kept is not self.decks.in_use and self.quiet and not missing_cards(self.table, kept.deck)

    def _forget_input(self) -> None:
        """Open menus and messages at all seats belong to what was before; half-given input, unless it still fits."""
        for composer in self._composers.values():
            composer.message = None
        for place, composer in self._composers.items():
            seat = self.setup.seat(place)
            fits = composer.given and isinstance(ask(self.match, seat, composer.given), Ask)
            if composer.dialogs and composer.dialogs[-1].lasts:
                composer.given = composer.given if fits else ()
            elif composer.dialogs or not fits:
                composer.clear()

    def _end_shared(self) -> None:
        """A dialog of the whole table that does not last is void by what was accepted; those who saw it are told."""
        shared = self._shared
        if shared is None or shared.lasts:
            return
        for place, composer in self._composers.items():
            if shared.void and shared.sheet(place) is not None:
                composer.say(shared.void, self._latest)
        self._shared = None

    def _enrol_tags(self) -> None:
        """Tell the readers which tags are the table's: those of its decks, and the director's."""
        self.hardware.enrol({*self.decks.tags(), *self.gate.cards})

    def _speak(self) -> None:
        """Use the words of the language and the game that are set now."""
        self.words = self._words()
        self._showing.speak(self.words)


def _first_in_use(shelf: Shelf, picked: str, table: Table) -> str:
    """The name of the deck that is played with at first: the one that was picked, but before all one that has all cards
    of what is played; empty: it does not matter.
    """
    names = sorted((kept.name != picked, place, kept.name) for place, kept in enumerate(shelf.kept))
    whole = {kept.name for kept in shelf.kept if not missing_cards(table, kept.deck)}
    return next((name for _, _, name in names if name in whole), picked)
