"""A dialog about tags away from a game, for commands: on every display, with any reader and any button."""

from collections.abc import Iterator

from engine.asks import Token
from firmware.composer import Composer
from firmware.decks import Decks, Kept, save
from firmware.dialogs import Close, Dialog, Leave, Outcome, Say, Shown, Stay, Write
from firmware.drawing import Canvas
from firmware.enrolling import AT_END
from firmware.errors import FileError
from firmware.low_screens import ROWS as LOW_ROWS
from firmware.seatview import Sheet, TableText, Wording
from firmware.sheet_screens import draw_low_sheet, draw_sheet
from firmware.words import Length, Words
from hal.cues import Cue
from hal.events import Button, DeviceLost, Event, Held, Released, SeveralTags, TagPlaced
from hal.hardware import Hardware
from hal.tags import read_uid, uid_text

BACK, QUIT = ("b", "back"), ("q", "quit")
_TYPED = "terminal"


class TagSession:
    """One dialog until it is over. It is given events and typed lines, and answers with lines for the terminal."""

    quiet = True
    """No card is in a hand: nobody plays."""

    def __init__(self, decks: Decks, hardware: Hardware, words: Words, skip: Token = "") -> None:
        self._decks = decks
        self._hardware = hardware
        self._words = words
        self._skip = skip
        self._composer = Composer()
        self._dialog: Dialog | None = None
        self._told: Sheet | None = None
        self._now = 0.0
        self.failed: OSError | FileError | None = None
        """Why a deck could not be written, which ends the session."""

    @property
    def decks(self) -> Decks:
        """The decks of the table."""
        return self._decks

    @property
    def over(self) -> bool:
        """Whether the dialog is over."""
        return self._dialog is None

    def begin(self, dialog: Dialog) -> Iterator[str]:
        """Show a dialog."""
        self._dialog = dialog
        self._hardware.enrol(self._decks.tags())
        yield from self._show()

    def take(self, event: Event) -> Iterator[str]:
        """Take what happens at a device; a reader that is lost is told, too."""
        dialog, self._now = self._dialog, event.at
        if dialog is None:
            return
        match event:
            case TagPlaced(reader, uid):
                yield from self._perform(dialog.take(1, Shown(reader, uid, None)))
            case SeveralTags():
                yield from self._perform(Say(TableText("one-at-a-time", bad=True)))
            case Held(_, Button.LEFT):
                yield from self._perform(dialog.back(1))
            case Released(_, button, False):
                yield from self._press(dialog, button, event.at)
            case DeviceLost(device, why):
                yield f"{device}: {why}"

    def type(self, line: str, now: float) -> Iterator[str]:
        """Take a typed line: `b` back, `s` skip, `q` quit, or a tag by its UID."""
        word = line.strip().lower()
        dialog, self._now = self._dialog, now
        if dialog is None or not word:
            return
        if word in BACK:
            yield from self._perform(dialog.back(1))
        elif word in QUIT:
            yield from self._perform(Leave())
        elif self._skip and word in ("s", self._skip):
            yield from self._perform(dialog.give(1, self._skip))
        else:
            try:
                uid = uid_text(*read_uid(line.strip()))
            except ValueError as error:
                yield str(error)
                return
            yield from self._perform(dialog.take(1, Shown(_TYPED, uid, None)))

    def _press(self, dialog: Dialog, button: Button, now: float) -> Iterator[str]:
        sheet = dialog.sheet(1)
        if sheet is None or not sheet.ask.choices:
            return
        if button is not Button.OK:
            self._composer.move(sheet.ask, 1 if button is Button.RIGHT else -1, now)
            yield from self._show()
        elif (token := self._composer.picked(sheet.ask)) is not None:
            yield from self._perform(dialog.give(1, token))

    def _perform(self, outcome: Outcome | None) -> Iterator[str]:
        match outcome:
            case Say(message, cue):
                self._cue(cue)
                yield self._words.message(message, Length.SENTENCE)
                yield from self._show(Wording(message.code, message.facts))
            case Stay(cue):
                self._cue(cue or Cue.ACCEPTED)
                yield from self._show()
            case Write(kept, _, then):
                if self._write(kept):
                    yield from self._perform(then())
            case Close(message) | Leave(message):
                self._dialog = None
                if message is not None:
                    self._cue(Cue.ACCEPTED)
                    yield self._words.message(message, Length.SENTENCE)

    def _write(self, kept: Kept) -> bool:
        try:
            save(kept, self._decks.get(kept.name))
        except (OSError, FileError) as error:
            self.failed, self._dialog = error, None
            return False
        self._decks.put(kept)
        self._hardware.enrol(self._decks.tags())
        return True

    def _cue(self, cue: Cue) -> None:
        for seat in self._hardware.buttons:
            for light in self._hardware.lights(seat):
                light.show(cue, self._now)

    def _show(self, said: Wording | None = None) -> Iterator[str]:
        """Show the dialog on all displays, with what was just said; where it asks for something new, say so."""
        sheet = self._dialog.sheet(1) if self._dialog is not None else None
        if sheet is None:
            return
        self._composer.face(self._dialog, sheet)
        shown = sheet._replace(text=said) if said is not None else sheet
        for display in self._hardware.displays.values():
            canvas = Canvas(rows=display.panel.rows)
            draw = draw_low_sheet if display.panel.rows == LOW_ROWS else draw_sheet
            draw(canvas, shown, self._words, self._composer.cursor)
            display.show(canvas.image)
        if sheet != self._told:
            self._told = sheet
            big = sheet.big
            asked = self._words.ask(sheet.ask.prompt, Length.LINE, sheet.facts)
            yield f"{asked}: {self._words.table(big.code, Length.LINE, **dict(big.facts))}" if big else asked
        if sheet.ask.prompt == AT_END:
            self._dialog = None
