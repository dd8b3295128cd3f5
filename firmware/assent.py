"""Assent: what one player wishes, others agree to on their displays. It never blocks play.

Whoever is asked can go on with the game; when something is accepted meanwhile, the question is void. One refusal ends
it. Who cannot answer, for the display or the buttons there are lost, leaves it open for the director.
"""

from collections.abc import Iterable

from engine import entries
from engine.asks import Ask, Token
from engine.entries import Entry
from engine.referee import Need
from firmware.desk import Desk
from firmware.dialogs import Agreed, Close, Dialog, Do, Enter, Outcome, Said, Say, Share, Stay
from firmware.entry_words import saying
from firmware.seatview import Sheet, TableText, Wording

AGREE, REFUSE, WITHDRAW = "agree", "refuse", "withdraw"


class Assent(Dialog):
    """Those at the `asked` places are asked for `outcome`, which comes about at the place of who wishes it. `what` is
    that in a few words.
    """

    void = TableText("assent-void")

    def __init__(self, desk: Desk, asker: int, asked: Iterable[int], what: Said, outcome: Outcome) -> None:
        self._desk = desk
        self._what = what
        self._left = sorted(asked)
        self.asker = asker
        self.outcome = outcome

    @property
    def what(self) -> Wording:
        """What is wished, in the words of now."""
        return Wording("wish", (("what", self._what()),))

    def sheet(self, place: int) -> Sheet | None:
        """The question to those who have not answered; to the asker, who that is."""
        if place in self._left:
            ask = Ask("assent", choices=(AGREE, REFUSE))
            return Sheet(ask, (("name", self._name(self.asker)),), big=self.what)
        if place != self.asker:
            return None
        lost = self.lost()
        prompt, names = ("assent-lost", lost) if lost else ("assent-wait", ", ".join(map(self._name, self._left)))
        return Sheet(Ask(prompt, choices=(WITHDRAW,)), (("names", names),), big=self.what)

    def waits_for(self, place: int) -> bool:
        """Whether the place has still to answer."""
        return place in self._left

    def lost(self) -> str:
        """The names of those who are asked and cannot answer."""
        return ", ".join(self._name(place) for place in self._left if not self._desk.answers(place))

    def give(self, place: int, token: Token) -> Outcome:
        """Agree, refuse, or withdraw the wish."""
        if place == self.asker:
            return Close(TableText("wish-withdrawn"))
        if token == AGREE:
            self._left.remove(place)
            return Stay() if self._left else Agreed(self.asker, self.outcome)
        facts = (("name", self._name(place)),)
        return Close(told=((self.asker, TableText("refused-by", facts, bad=True)),))

    def back(self, place: int) -> Outcome:
        """The asker withdraws; the others come to their menus."""
        return Close(TableText("wish-withdrawn")) if place == self.asker else Do("menu")

    def _name(self, place: int) -> str:
        return self._desk.who(self._desk.setup.seat(place)) if self._desk.setup.seat(place) else f"{place}"


def ask_all(desk: Desk, place: int, what: Said, outcome: Outcome, seats: Iterable[int] | None = None) -> Outcome:
    """Ask these seats, or all others, for something that a place wishes; at once where there is nobody to ask."""
    if desk.shared is not None and not desk.shared.yields:
        return Say(TableText("asked-already", bad=True))
    wanted = range(1, desk.table.seats + 1) if seats is None else seats
    places = [desk.setup.place(seat) for seat in wanted if desk.setup.place(seat) != place]
    if not places:
        return outcome
    assent = Assent(desk, place, places, what, outcome)
    lost = assent.lost()
    return Share(assent, TableText("assent-lost", (("names", lost),), bad=True) if lost else None)


def wish_undo(desk: Desk, place: int) -> Outcome:
    """A place wishes the last entry taken back: at once where it may, else when those agree who are to be asked."""
    undoing = desk.undoing(place)
    taken_back = Enter((entries.Undo(desk.setup.seat(place)),))
    if undoing.need is not Need.ASSENT or undoing.entry is None:
        return taken_back
    return ask_all(desk, place, undo_saying(desk, undoing.entry), taken_back, undoing.asked)


def undo_saying(desk: Desk, entry: Entry) -> Said:
    """That an entry is to be taken back, in a few words."""
    what = saying(desk, entry)
    return lambda: desk.words.short("undo-of", what=what())
