"""The menu of a place: what can be done there at any time."""

from engine.referee import Need
from firmware.assent import wish_undo
from firmware.deal_lines import ANEW
from firmware.deck_menu import deck_menu, has_decks
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Do, Open, Outcome, Pick
from firmware.director import enter_session
from firmware.entry_words import entry_words
from firmware.reporting import report
from firmware.seatview import TableText, Wording
from firmware.settings_menu import settings_menu


def menu(desk: Desk, place: int) -> Dialog:
    """What `place` may do now. What can be taken back is said, and what that needs."""
    undoing, dealing = desk.undoing(place), desk.dealing
    big, labels = None, {}
    choices = ["lock"]
    if desk.agreed and desk.setup.seat(place):
        choices.append("irregularity")
    if has_decks(desk):
        choices.append("decks")
    choices.append("settings")
    if desk.free:
        choices.append("new-game")
    if desk.agreed or not desk.gate.directed:
        choices.append("director")
    if dealing is not None and dealing.begun and desk.setup.seat(place) == dealing.dealer:
        choices.insert(0, ANEW)
    if undoing.need is not Need.NOTHING and undoing.entry is not None and (desk.shared is None or desk.shared.yields):
        choices.insert(0, "undo")
        big = Wording("undo-what", (("what", entry_words(desk, undoing.entry)),))
        if undoing.need is Need.ASSENT:
            labels["undo"] = desk.words.short("undo-asked")
    return Pick(
        "menu", [*choices, GO_ON], lambda choice: _chosen(desk, place, choice), start=None, big=big, labels=labels
    )


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
