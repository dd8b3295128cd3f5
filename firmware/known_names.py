"""Names of players: those that the table remembers, and new ones that are typed at a place."""

import json
from collections.abc import Callable
from typing import TypeVar

import msgspec

from firmware.desk import Desk
from firmware.dialogs import Dialog, Outcome, Said, Say, Typing
from firmware.seatview import TableText
from firmware.tablefile import names_problem

NAMES = "names"
"""Under which the names of all who have played are remembered, the newest first."""
MOST_NAMES = 30
"""Names that are remembered."""
NAME = 12
"""Letters of a name that is typed at a seat."""
ALPHABETS = {"en": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ru": "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"}
_OTHER_SIGNS = "-. 0123456789"

TextsT = TypeVar("TextsT", list[str], dict[str, str])


def texts_of(text: str, kind: type[TextsT]) -> TextsT:
    """A remembered list or table of texts; an empty one where it cannot be read."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError:
        return kind()


def known_names(desk: Desk) -> list[str]:
    """All names that can be picked, the newest first."""
    known = texts_of(desk.settings.get(NAMES), list[str])
    return [*known, *(name for name in desk.known_names if name not in known)]


def is_readable(desk: Desk) -> bool:
    """Whether the names that are remembered can be read. Else nothing is put in their place: a later program, or a
    person, may make something of them.
    """
    text = desk.settings.get(NAMES)
    if not text:
        return True
    try:
        msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError:
        return False
    return True


def remembered(desk: Desk, name: str) -> str:
    """What is remembered once a name is the newest."""
    if not is_readable(desk):
        return desk.settings.get(NAMES)
    names = [name, *(known for known in known_names(desk) if known != name)]
    return json.dumps(names[:MOST_NAMES], ensure_ascii=False)


def type_name(desk: Desk, then: Callable[[str], Outcome], lasts: bool = True, whose: Said | None = None) -> Dialog:
    """A new name is typed, the own one or that of another player; one that no record could give back is refused."""

    def typed(text: str) -> Outcome:
        name = text.strip()
        if names_problem((name,), 1):
            return Say(TableText("name-taken", (("name", name),), bad=True))
        return then(name)

    signs = ALPHABETS[desk.words.language] + _OTHER_SIGNS
    return Typing("name-of" if whose else "new-name", signs, typed, most=NAME, name=True, lasts=lasts,
                  facts=lambda: {"name": whose()} if whose else {})  # fmt: skip
