"""The menu of a place: what can be done there at any time."""

from firmware.deal_lines import ANEW
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Do, Open, Outcome, Pick
from firmware.settings_menu import settings_menu


def menu(desk: Desk, place: int) -> Dialog:
    """What `place` may do now."""
    dealing = desk.dealing
    deals = dealing is not None and dealing.begun and desk.setup.seat(place) == dealing.dealer
    others = (*((ANEW,) if deals else ()), *(("new-game",) if desk.free else ()))
    choices = ("undo", "lock", *others, "settings", GO_ON)
    return Pick("menu", choices, lambda choice: _chosen(desk, place, choice), start=None)


def _chosen(desk: Desk, place: int, choice: str) -> Outcome:
    if choice == "settings":
        return Open(settings_menu(desk, place))
    if choice == "new-game":
        if desk.over:
            return Do("lobby")
        return Open(Pick("leave-match", ("leave-match", GO_ON), lambda _: Do("lobby"), start=1))
    return Do(choice)
