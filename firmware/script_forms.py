"""How the words of table scripts are written: patterns of their parts, and what the parts mean."""

import re
from collections.abc import Callable
from typing import NamedTuple

from engine.cards import UNKNOWN, Card, CardError, parse_card, physical
from engine.phrases import Phrase, said_by
from firmware.bench import Bench

Act = Callable[[Bench], None]
"""What a line does."""

SEAT = r"(?:seat )?(?P<seat>[1-9])"
PLACE = r"(?:seat )?(?P<place>[1-9]|dealing|centre|center)(?: (?:pad|reader))?"
BUTTON = r"(?P<button>left|ok|right)(?: button)?"
CARD = r"(?P<card>[^\s\"]+)"
QUOTED = r'"(?P<text>[^"]+)"'
SECONDS = r"(?P<seconds>\d{1,5}(?:\.\d{1,3})?) ?(?:s|sec|seconds?)?"
CODE = r"[a-z]+(?:-[a-z]+)*"
SEATS = r"(?P<seats>[1-9](?:(?:, ?| )[1-9])*)"

_TAG = re.compile(r"(?:[0-9A-F]{2}){4,10}")


class Form(NamedTuple):
    """One way to write a line: its pattern, how it is shown to people, and what it makes of a match."""

    pattern: re.Pattern[str]
    usage: str
    act: Callable[[re.Match[str]], Act]

    @property
    def words(self) -> list[str]:
        """The words that a line of this form may begin with."""
        return self.usage.split()[0].split("|")


def form(pattern: str, usage: str, act: Callable[[re.Match[str]], Act]) -> Form:
    """A form; a space in the pattern is any space, and capitals make no difference."""
    return Form(re.compile(pattern.replace(" ", r"\s+").replace(r"\s+?", r"\s*"), re.IGNORECASE | re.ASCII), usage, act)


def seat_of(found: re.Match[str]) -> int:
    """The seat that a line names."""
    return int(found["seat"])


def seats_of(found: re.Match[str]) -> tuple[int, ...]:
    """The seats that a line lists."""
    return tuple(int(digit) for digit in re.findall(r"\d", found["seats"] or ""))


def place_of(found: re.Match[str]) -> int | str:
    """The seat, or the role of the common reader, that a line names."""
    word = found["place"].lower()
    return int(word) if word.isdigit() else "centre" if word == "center" else word


def card_or_tag(text: str) -> Card | str:
    """A known card, or the UID of a tag as `tag:04A1…`; raises ValueError."""
    if not text.lower().startswith("tag:"):
        return known_card(text)
    uid = text[4:].upper().replace(":", "")
    if not _TAG.fullmatch(uid):
        raise ValueError(Phrase("{text!r} is no tag; expected tag: and 4 to 10 bytes in hex", text=text))
    return uid


def known_card(text: str) -> Card:
    """A card that is not `??`; raises ValueError."""
    try:
        card = parse_card(text)
    except CardError as error:
        raise ValueError(said_by(error)) from None
    if card == UNKNOWN:
        raise ValueError(Phrase("{text} is no card that can be shown; expected one such as 9D", text=text))
    return physical(card)
