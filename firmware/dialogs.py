"""The table's own business with a seat, apart from the game: menus, the director, the lobby.

A dialog says what stands on a display (`Sheet`) and what comes of a choice, a card or of going back, as a plain value:
the loop does it. A dialog changes nothing but itself.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from engine.asks import Ask, Token
from engine.cards import Card
from engine.entries import Entry
from engine.values import Fact
from firmware.decks import Kept
from firmware.irregularities import Unsigned
from firmware.moments import Moment, still_means, still_open, still_set
from firmware.seatview import Sheet, TableText, Wording
from firmware.setups import Setup
from hal.cues import Cue


class Shown(NamedTuple):
    """A card that was shown to a reader while a dialog was open: its tag, and which card that is, if any."""

    reader: str
    uid: str
    card: Card | None
    owned: bool = True
    """Whether the reader belongs to the place; a common one does not tell who showed it."""


class Dialog:
    """What a seat, or the whole table, is in the middle of. `place` is where at the table, from 1."""

    lasts = False
    """Whether it stays open when something is accepted meanwhile."""
    home = False
    """Whether a place comes back to it after what a dialog on top of it has led to."""
    void: TableText | None = None
    """What those are told who saw a dialog of the whole table that does not last."""
    yields = False
    """Whether another dialog of the whole table may take the place of this one."""
    for_tags = False
    """Whether it is about tags themselves: it takes those of any deck, at any reader that no place has to itself."""
    patience = 60.0
    """Seconds after the last press or card until it is left."""

    def sheet(self, place: int) -> Sheet | None:
        """What this place is shown and asked; None: nothing, there the game goes on."""
        raise NotImplementedError

    def give(self, place: int, token: Token) -> "Outcome":
        """What comes of a choice that was picked."""
        raise NotImplementedError

    def take(self, place: int, shown: Shown) -> "Outcome | None":
        """What comes of a card that was shown; None: cards are no business of this dialog."""
        return None

    def back(self, place: int) -> "Outcome":
        """What comes of going back."""
        return Close()

    def waits_for(self, place: int) -> bool:
        """Whether a dialog of the whole table waits for this place."""
        sheet = self.sheet(place)
        return sheet is not None and bool(sheet.ask.choices)

    def pass_time(self, now: float) -> "Outcome | None":
        """What comes of time alone, of a dialog of the whole table."""
        return None


class Stay(NamedTuple):
    """The dialog goes on; with a cue, for something was taken."""

    cue: Cue | None = None


class Say(NamedTuple):
    """The dialog goes on, and the seat is told something."""

    message: TableText
    cue: Cue = Cue.REFUSED


class Close(NamedTuple):
    """The dialog is over; the one before it goes on, if there is one. Of the whole table's, `dialog` comes after it.

    `told` is what other places are told, by place; `levels` is how many of a place's dialogs are over.
    """

    message: TableText | None = None
    dialog: Dialog | None = None
    told: tuple[tuple[int, TableText], ...] = ()
    levels: int = 1


class Write(NamedTuple):
    """A deck takes the place of the one `before`, and of its file; then comes what `then` says. Where it cannot be
    written, or that one has changed meanwhile, the place is told and the dialog is as it was.
    """

    kept: Kept
    before: Kept
    then: Callable[[], "Outcome"]


class Leave(NamedTuple):
    """All dialogs of this place are over, and it is told something."""

    message: TableText | None = None


class Open(NamedTuple):
    """Another dialog lies on top of this one at this place."""

    dialog: Dialog


class Begin(NamedTuple):
    """This dialog begins at this place; those that were open there are over."""

    dialog: Dialog


class Share(NamedTuple):
    """A dialog of the whole table begins; those of this place are over."""

    dialog: Dialog
    message: TableText | None = None


class Enter(NamedTuple):
    """These entries are ruled on, one after the other, as long as they are accepted; this place's dialogs are over.

    Each has the reason that is kept with it, if there is one. `notes` are comments, each a code and a text, that are
    kept in the record once all entries are accepted. `since` is the moment for which it was chosen: where they would be
    about something else by now, or what it `signs` is signed, nothing of it is done.
    """

    entries: tuple[Entry, ...]
    remark: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    since: Moment | None = None
    signs: Unsigned | None = None

    def fits(self, now: Moment) -> bool:
        """Whether it still means what was chosen."""
        then = self.since
        return then is None or (
            still_open(self.signs, then, now) and all(still_means(entry, then, now) for entry in self.entries)
        )


class Correct(NamedTuple):
    """The running match goes on with another setup, unless that was corrected after the moment of `since`."""

    setup: Setup
    remark: str = ""
    since: Moment | None = None

    def fits(self, now: Moment) -> bool:
        """Whether it still mends nothing but what was chosen."""
        return self.since is None or still_set(self.since, now)


class Do(NamedTuple):
    """Something that the loop does by its name (`Loop.errands`); the dialogs of this place are over."""

    errand: str


class Start(NamedTuple):
    """A match begins with this setup, and these settings are remembered."""

    setup: Setup
    remembered: tuple[tuple[str, str], ...] = ()


class Keep(NamedTuple):
    """A setting is to be remembered; the dialog that set it is over."""

    key: str
    value: str


class Agreed(NamedTuple):
    """A dialog of the whole table is over, and it has led to this at that place."""

    place: int
    outcome: "Outcome"


class Note(NamedTuple):
    """The table remembers something for itself, also over a pulled plug, as far as its disk lets it; then comes what
    `then` says.
    """

    key: str
    value: str
    then: Callable[[], "Outcome"]


class Put(NamedTuple):
    """A setting is to be remembered, and the dialog goes on."""

    key: str
    value: str


Outcome = (
    Stay
    | Say
    | Close
    | Leave
    | Write
    | Open
    | Begin
    | Share
    | Enter
    | Correct
    | Do
    | Start
    | Keep
    | Note
    | Put
    | Agreed
)


Said = Callable[[], str]
"""Words that are made each time they are shown: the table may speak another language by then."""
Facts = Mapping[str, Fact] | Callable[[], Mapping[str, Fact]]
Labels = Mapping[str, str] | Callable[[], Mapping[str, str]]


class Pick(Dialog):
    """A menu: one of a few choices, each with what comes of it. Words of a language are given as what makes them."""

    def __init__(
        self,
        prompt: str,
        choices: Sequence[str],
        then: Callable[[str], Outcome],
        *,
        start: int | None = 0,
        facts: Facts = dict,
        labels: Labels = dict,
        big: Wording | Callable[[], Wording] | None = None,
        text: Wording | Callable[[], Wording] | None = None,
        lasts: bool = False,
    ) -> None:
        self.lasts = lasts
        self._then = then
        self._ask = Ask(prompt, choices=tuple(choices))
        self._facts, self._labels = facts, labels
        self._big, self._text = big, text
        self._start = start

    def sheet(self, place: int) -> Sheet:
        """The choices."""
        facts, labels = _items(self._facts), _items(self._labels)
        big = self._big() if callable(self._big) else self._big
        text = self._text() if callable(self._text) else self._text
        return Sheet(self._ask, facts, big, text, "", labels, self._start)

    def give(self, place: int, token: Token) -> Outcome:
        """What the choice stands for; `go-on` closes any menu."""
        return Close() if token == GO_ON else self._then(str(token))


GO_ON = "go-on"
"""The choice that leaves a menu."""


class Typing(Dialog):
    """Something that is typed sign by sign, such as a name, a number or a PIN."""

    def __init__(
        self,
        prompt: str,
        signs: str,
        then: Callable[[str], Outcome],
        *,
        most: int,
        typed: str = "",
        secret: bool = False,
        facts: Facts = dict,
        at_once: bool = False,
        name: bool = False,
        lasts: bool = False,
    ) -> None:
        self.typed = typed
        self._proposed = bool(typed)
        """Whether what stands there is a proposal, which the first sign that is typed replaces."""
        self.lasts = lasts
        self._prompt = prompt
        self._signs = signs
        self._then = then
        self._most = most
        self._secret = secret
        self._facts = facts
        self._at_once = at_once
        """Whether the last sign that there is room for ends it."""
        self._name = name
        """Whether it is a name: small letters after the first of a word."""

    def sheet(self, place: int) -> Sheet:
        """The signs that may come next, with the ends before them once something is typed."""
        full = len(self.typed) >= self._most and not self._proposed
        ends = (DONE, ERASE) if self.typed else ()
        small = self._name and self.typed[-1:].isalpha()
        signs = () if full else tuple(f"{SIGN}{sign.lower() if small else sign}" for sign in self._signs)
        labels = tuple((choice, choice.removeprefix(SIGN).replace(" ", "␣")) for choice in signs)
        typed = "•" * len(self.typed) if self._secret else self.typed
        choices = (*ends, *signs) if full or self._at_once else (*signs, *reversed(ends))
        return Sheet(Ask(self._prompt, choices=choices), _items(self._facts), typed=typed, labels=labels, start=0)

    def give(self, place: int, token: Token) -> Outcome:
        """Take a sign, or end."""
        if token == DONE:
            return self._then(self.typed)
        proposed, self._proposed = self._proposed, False
        if token == ERASE:
            self.typed = self.typed[:-1]
            return Stay()
        self.typed = ("" if proposed else self.typed) + str(token).removeprefix(SIGN)
        if self._at_once and len(self.typed) == self._most:
            return self._then(self.typed)
        return Stay()

    def back(self, place: int) -> Outcome:
        """Take back the last sign; without one the dialog is over."""
        if not self.typed:
            return Close()
        self.typed, self._proposed = self.typed[:-1], False
        return Stay()


ValueT = TypeVar("ValueT")


def _items(known: Mapping[str, ValueT] | Callable[[], Mapping[str, ValueT]]) -> tuple[tuple[str, ValueT], ...]:
    """What is known by name, made now where it is made each time."""
    return tuple((known() if callable(known) else known).items())


SIGN = "sign:"
"""How a choice begins that types a sign."""
DONE = "done"
ERASE = "erase"
