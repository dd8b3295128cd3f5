"""The menu of a place: what can be done there at any time."""

from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Do, Pick


def menu(desk: Desk, place: int) -> Dialog:
    """What `place` may do now."""
    return Pick("menu", ("undo", "lock", GO_ON), Do, start=None)
