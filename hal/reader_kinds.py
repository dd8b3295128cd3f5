"""The kinds of card readers, and what each of them can and cannot do. Declared, so that the rest adapts."""

from dataclasses import dataclass
from enum import StrEnum

from hal.tags import Family


class ReaderKind(StrEnum):
    """The kind of a reader, as the wiring names it."""

    PN532 = "pn532"
    RDM6300 = "rdm6300"
    ID12LA = "id12la"
    KEYBOARD = "keyboard"


@dataclass(frozen=True, slots=True)
class Capability:
    """What a kind of reader can do. Times in seconds."""

    family: Family
    """Whose UIDs it gives."""
    sees_lifts: bool
    """Whether it shows presence, so that a tag that leaves is noticed; else it tells a tag once, when it comes."""
    tags_at_once: int
    """How many tags it can tell apart in its field."""
    answers: bool
    """Whether it can be asked, so that one that has gone deaf is found out. Its field is on only while it is
    asked: neighbours can take turns."""
    retries: int
    """Searches that it makes by itself within one poll, after the first."""
    release: float
    """How long it has to miss a tag before that counts as lifted; where lifts are not seen, how long the same
    tag does not count again. Unless the wiring says otherwise."""
    settle: float
    """How long it has to see a tag before that counts, so that a card that only brushes past is none. 0 where it tells
    a tag once: it has then read a whole tag, which takes it a tenth of a second, and cannot watch it any longer."""
    weak_sum: bool = False
    """Whether damaged frames pass often enough that one of an unknown tag is not believed."""


SETTLE = 0.075
"""Seconds for which a card must be seen: two polls in a row, and at all times less than a tap takes."""

CAPABILITIES = {
    ReaderKind.PN532: Capability(
        Family.TYPE_A, True, tags_at_once=2, answers=True, retries=1, release=0.25, settle=SETTLE
    ),
    # Silence is all that tells a lift; some boards fall silent for 0.2 s under a tag that lies still.
    ReaderKind.RDM6300: Capability(
        Family.EM4100, True, tags_at_once=1, answers=False, retries=0, release=0.4, settle=SETTLE, weak_sum=True
    ),
    ReaderKind.ID12LA: Capability(
        Family.EM4100, False, tags_at_once=1, answers=False, retries=0, release=1.0, settle=0.0, weak_sum=True
    ),
    ReaderKind.KEYBOARD: Capability(
        Family.KEYS, False, tags_at_once=1, answers=False, retries=0, release=1.0, settle=0.0
    ),
}
