"""The menu of a place: what can be done there at any time."""

from firmware.deck_menu import deck_menu, has_decks
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Do, Open, Outcome, Pick
from firmware.seatview import TableText


def menu(desk: Desk, place: int) -> Dialog:
    """What `place` may do now."""
    decks = ("decks",) if has_decks(desk) else ()
    choices = ("undo", "lock", *decks, *(("new-game",) if desk.free else ()), GO_ON)
    return Pick("menu", choices, lambda choice: _chosen(desk, choice), start=None)


def _chosen(desk: Desk, choice: str) -> Outcome:
    if choice == "decks":
        return Open(deck_menu(desk)) if has_decks(desk) else Close(TableText("deal-runs", bad=True))
    if choice == "new-game":
        if desk.over:
            return Do("lobby")
        return Open(Pick("leave-match", ("leave-match", GO_ON), lambda _: Do("lobby"), start=1))
    return Do(choice)
