"""Tags: what one poll of a reader tells, and the one text by which a tag is known.

A UID is its bytes, their number and the family of readers that gave it: the same card has another number for a
reader of another family, and 4 bytes are not the same 4 bytes with zeros behind them.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from hal.phrases import Phrase, either


class Family(StrEnum):
    """Which kind of reader gave a UID. The value stands before the UID's text; type A, the first, has none."""

    TYPE_A = ""
    """13.56 MHz, ISO 14443 type A: 4, 7 or 10 bytes."""
    EM4100 = "EM"
    """125 kHz: 5 bytes, of which the first is the customer's and belongs to the number."""
    KEYS = "KB"
    """What a keyboard reader types, two digits a byte. Which part of the tag that is, in which order and to
    which base, only its maker knows."""


UID_LENGTHS = {Family.TYPE_A: (4, 7, 10), Family.EM4100: (5,), Family.KEYS: tuple(range(2, 17))}
"""Lengths of a UID, in bytes, by family (type A: ISO 14443-3, section 6.4.4)."""
CASCADE = 0x88
"""The byte that stands before the first part of a longer UID (ISO 14443-3, section 6.4.4). No whole UID of 4
bytes starts with it: one that does was cut off."""
RANDOM = 0x08
"""The first byte of a UID of 4 bytes that a chip makes up anew each time (ISO 14443-3, section 6.4.4)."""

_TEXT = re.compile(r"(?:([A-Z]{2})-)?([0-9A-F]*)")


@dataclass(frozen=True, slots=True)
class Tags:
    """A clean answer: these tags lie in the field, as many as the reader can tell apart."""

    uids: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """A clean answer: no tag lies in the field, or none that came since the last poll."""


@dataclass(frozen=True, slots=True)
class Garbled:
    """No clean answer, so nothing is known: neither that a tag lies there nor that none does.

    `alive` says that the reader itself answers all the same, so that the trouble lies in its field.
    """

    why: str
    alive: bool = False


PollResult = Tags | Nothing | Garbled


def uid_text(uid: bytes, family: Family = Family.TYPE_A) -> str:
    """The canonical text of a UID: upper-case hex, two digits a byte, after the family's mark where it has one.

    >>> uid_text(bytes.fromhex("04a1b2c3")), uid_text(bytes.fromhex("62e3086ced"), Family.EM4100)
    ('04A1B2C3', 'EM-62E3086CED')
    """
    digits = uid.hex().upper()
    return f"{family}-{digits}" if family else digits


def read_uid(text: str) -> tuple[bytes, Family]:
    """The bytes and the family in a text that people wrote: in any case, with colons or spaces between bytes.

    Raises ValueError, whose words say what is wrong with it.
    """
    found = _TEXT.fullmatch(text.upper().replace(":", "").replace(" ", ""))
    if found is None or found[1] not in (None, Family.EM4100, Family.KEYS):
        raise ValueError(
            Phrase(
                "{text!r} is no tag; expected hex digits, after EM- or KB- where the reader gives such tags", text=text
            )
        )
    family, digits = Family(found[1] or ""), found[2]
    if len(digits) % 2:
        raise ValueError(
            Phrase(
                "{text!r} has {count} digits, so one is missing; expected two for each byte",
                text=text,
                count=len(digits),
            )
        )
    uid = bytes.fromhex(digits)
    problem = impossible(uid, family)
    if problem is not None:
        raise ValueError(Phrase("{text!r} is no tag: {problem}", text=text, problem=problem))
    return uid, family


def impossible(uid: bytes, family: Family) -> str | None:
    """Why no tag of this family has this UID; None when one may."""
    lengths = UID_LENGTHS[family]
    if len(uid) not in lengths:
        least, most = lengths[0], lengths[-1]
        wanted = Phrase("{least} to {most}", least=least, most=most) if len(lengths) > 3 else either(map(str, lengths))
        return Phrase("{count} bytes; expected {wanted}", count=len(uid), wanted=wanted)
    if set(uid) in ({0x00}, {0xFF}):
        return Phrase("all 00 or FF, which readers give where nothing lies; expected a tag's own")
    if family is Family.TYPE_A and len(uid) == 4 and uid[0] == CASCADE:
        return Phrase("4 bytes from 88 on are the beginning of a longer one; expected all 7 or 10")
    return None
