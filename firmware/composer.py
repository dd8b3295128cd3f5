"""The composer of one seat: what it has given so far, and what its buttons point at.

It knows nothing of any game: it appends and takes back tokens, and moves a cursor over what a question offers.
"""

from engine.asks import END, Ask, Token
from engine.cards import Card
from engine.values import Notice
from firmware.dialogs import Dialog
from firmware.narrowing import UNSURE, Likely, Row, card_of, is_step, row_of
from firmware.seatview import Message, Sheet, items_of

BLANK = 6.0
"""Seconds after the last press until a private list is hidden again."""
MESSAGE = 8.0
"""Seconds that a message stays, unless the seat acts before."""


class Composer:
    """The half-given input of one seat."""

    def __init__(self) -> None:
        self.given: tuple[Token, ...] = ()
        self.cursor: int | None = None
        self.path: tuple[str, ...] = ()
        """The steps taken so far to a card in a long list."""
        self.peeking = False
        self.dialogs: list[Dialog] = []
        """What the seat has opened, the newest last: a menu, and what it led to."""
        self.private = False
        """Whether the cursor moves over cards that others may not see."""
        self.message: Message | None = None
        self.notice: Notice | None = None
        """What the director will have to look at, told in a line of its own."""
        self.shown: Card | None = None
        """The card that was shown and refused, while the message says why."""
        self.asked_since = 0.0
        """Since when the seat is asked what it is asked: a button that went down before was meant for something else,
        and waited while the disk was slow."""
        self._question: Ask | None = None
        self._faced: tuple[Dialog, Sheet] | None = None
        self._pressed = 0.0
        self._said = 0.0
        self._noticed = 0.0

    def face(self, dialog: Dialog | None, sheet: Sheet | None) -> None:
        """Note what a dialog shows here. The cursor stays on the choice that it is on as long as the dialog has that,
        though others change its sheet.
        """
        faced = None if dialog is None or sheet is None else (dialog, sheet)
        before, self._faced = self._faced, faced
        if faced is None:
            self.cursor = self.cursor if before is None else None
        elif before is None or before[0] is not faced[0]:
            self.cursor = faced[1].start
        elif before[1].ask != faced[1].ask:
            on = None if self.cursor is None else before[1].ask.choices[self.cursor]
            choices = faced[1].ask.choices
            self.cursor = choices.index(on) if on in choices else faced[1].start
        elif before[1].big != faced[1].big and faced[1].start is None:
            self.cursor = None  # what it was picked for is said otherwise now

    def put(self, question: Ask | None, now: float) -> None:
        """Note what the seat is asked at `now`."""
        if question != self._question:
            self._question, self.asked_since = question, now

    def row(self, ask: Ask, likely: Likely = UNSURE) -> Row:
        """The question as the buttons answer it: of a long list the row that the steps so far have led to."""
        return row_of(ask, self.path, likely)

    def step(self, token: Token, ask: Ask, now: float, likely: Likely = UNSURE) -> bool:
        """Take a step into a long list, if the token that was picked is one; whether it was."""
        if isinstance(token, Card) or not is_step(token):
            return False
        self.path = (*self.row(ask, likely).path, token)
        self.cursor, self._pressed = self.row(ask, likely).enter, now
        return True

    def back(self, ask: Ask, now: float, likely: Likely = UNSURE) -> bool:
        """Take the last step back, with the cursor where it was taken; whether there was one."""
        path = self.row(ask, likely).path
        if not path:
            return False
        self.path = path[:-1]
        self.cursor, self._pressed = items_of(self.row(ask, likely).ask).index(path[-1]), now
        return True

    def items(self, ask: Ask) -> tuple[Token, ...]:
        """What the cursor moves over."""
        return items_of(ask)

    def move(self, ask: Ask, step: int, now: float, enter: int = 0) -> None:
        """Move the cursor by one; from nowhere to the place where it comes in, or the one before that."""
        count = len(self.items(ask))
        self._pressed, self.private = now, ask.source == "hand" and bool(count)
        if count:
            here = enter - (step > 0) if self.cursor is None else self.cursor
            self.cursor = (here + step) % count

    def picked(self, ask: Ask) -> Token | None:
        """What OK gives: the item under the cursor; without one the only choice there is, or the end of a group.

        A second OK after a verb ends nothing: in the group a card is given, or one is drawn that stays unseen.
        """
        items = self.items(ask)
        if self.cursor is not None and self.cursor < len(items):
            card = card_of(items[self.cursor])
            return items[self.cursor] if card is None else card
        begun = ask.source == "stock" or any(isinstance(token, Card) for token in self.given)
        if self.cursor is None and ask.end and begun:
            return END
        return items[0] if len(items) == 1 and not ask.cards else None

    def open(self, dialog: Dialog, now: float) -> None:
        """Let a dialog lie on top of what is open here."""
        self.dialogs.append(dialog)
        self._pressed = now

    def say(self, message: Message | None, now: float, shown: Card | None = None) -> None:
        """Show a message to this seat; `shown` is the card that it is about, if one was shown to a reader."""
        self.message, self.shown, self._said = message, shown, now

    def touch(self, now: float) -> None:
        """Note that somebody is at it here: a menu stays open a while longer."""
        self._pressed = now

    def notify(self, notice: Notice, now: float) -> None:
        """Show a notice in a line of its own for a while."""
        self.notice, self._noticed = notice, now

    def clear(self) -> None:
        """Forget what was given and pointed at."""
        self.given, self.cursor, self.path = (), None, ()
        self.dialogs.clear()

    def leave(self) -> None:
        """The same, but come back to the dialog that is the home of those on top of it."""
        self.given, self.cursor, self.path = (), None, ()
        while self.dialogs and not self.dialogs[-1].home:
            self.dialogs.pop()

    def expire(self, now: float) -> bool:
        """Hide a private list, drop a message and leave a menu whose time is over; whether anything changed."""
        changed = False
        if self.dialogs and now - max(self._pressed, self._said) >= self.dialogs[-1].patience:
            self.clear()
            changed = True
        if self.private and self.cursor is not None and now - self._pressed >= BLANK:
            self.cursor, changed = None, True
        if self.message is not None and now - self._said >= MESSAGE:
            self.message, changed = None, True
        if self.notice is not None and now - self._noticed >= MESSAGE:
            self.notice, changed = None, True
        return changed
