"""The menu of a place: what can be done there at any time."""

from engine.asks import Ask, Token
from engine.referee import Need, Undoing
from firmware.assent import wish_undo
from firmware.deal_lines import ANEW
from firmware.deck_menu import deck_menu, has_decks
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Do, Open, Outcome, Pick
from firmware.director import enter_session
from firmware.entry_words import entry_words
from firmware.reporting import report
from firmware.seatview import Sheet, TableText, Wording
from firmware.settings_menu import settings_menu


class Menu(Dialog):
    """What a place may do now. What can be taken back is said, and what that needs. It stays while the others play on:
    who is in the middle of choosing must not find that the next press is a move.
    """

    lasts = True
    patience = 20.0

    def __init__(self, desk: Desk, place: int) -> None:
        self._desk = desk
        self._place = place

    def sheet(self, place: int) -> Sheet:
        """The choices that there are now."""
        desk, choices, labels = self._desk, self._choices(), {}
        big, undoing = None, self._undoing()
        if undoing is not None and undoing.entry is not None:
            choices.insert(0, "undo")
            big = Wording("undo-what", (("what", entry_words(desk, undoing.entry)),))
            if undoing.need is Need.ASSENT:
                labels["undo"] = desk.words.short("undo-asked")
        return Sheet(Ask("menu", choices=(*choices, GO_ON)), (), big, None, "", tuple(labels.items()), None)

    def _undoing(self) -> Undoing | None:
        """What can be taken back, unless the whole table is in the middle of something."""
        undoing = self._desk.undoing(self._place)
        free = self._desk.shared is None or self._desk.shared.yields
        return undoing if undoing.need is not Need.NOTHING and undoing.entry is not None and free else None

    def _choices(self) -> list[str]:
        desk, seat = self._desk, self._desk.setup.seat(self._place)
        dealing, choices = desk.dealing, ["lock"]
        if desk.agreed and seat:
            choices.append("irregularity")
        if has_decks(desk):
            choices.append("decks")
        choices.append("settings")
        if desk.free:
            choices.append("new-game")
        if desk.agreed or not desk.gate.directed:
            choices.append("director")
        if dealing is not None and dealing.begun and seat == dealing.dealer:
            choices.insert(0, ANEW)
        return choices

    def give(self, place: int, token: Token) -> Outcome:
        """What a choice stands for."""
        return Close() if token == GO_ON else _chosen(self._desk, self._place, str(token))


def _chosen(desk: Desk, place: int, choice: str) -> Outcome:
    if choice == "undo":
        return wish_undo(desk, place)
    if choice == "settings":
        return Open(settings_menu(desk, place))
    if choice == "director":
        return enter_session(desk, place)
    if choice == "irregularity":
        return Open(report(desk))
    if choice == "decks":
        return Open(deck_menu(desk)) if has_decks(desk) else Close(TableText("deal-runs", bad=True))
    if choice == "new-game":
        if desk.over:
            return Do("lobby")
        return Open(Pick("leave-match", ("leave-match", GO_ON), lambda _: Do("lobby"), start=1))
    return Do(choice)
