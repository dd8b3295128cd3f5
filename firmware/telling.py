"""What was ruled, in one line for a terminal or a log."""

import re

from engine.match import Match, Table
from engine.notation import entry_text
from firmware.desk import Heard
from firmware.wiring_words import WiringWords
from firmware.words import NO_BREAK_SPACE, Length, Words
from hal.events import ButtonStuck, DeviceBack, DeviceLost, Event, ReaderStalled, TagConflict

_ENGLISH = WiringWords()
_BYTES = re.compile(r"\b(?:[0-9A-Fa-f]{2} ?){4,}\b")


def heard_line(table: Table, words: Words, heard: Heard) -> str:
    """A ruling or a message in one line; a deal without its cards."""
    if heard.ruling is None:
        assert heard.message is not None
        return f"{heard.seat}  ({words.message(heard.message, Length.LINE)})"
    ruling = heard.ruling
    line = entry_text(table, ruling.entry)
    if ruling.refusal is not None:
        return _plain(f"{line}  ✗ {ruling.refusal.code}: {words.refusal(ruling.refusal, Length.LINE)}")
    said = [words.notice(notice, Length.LINE) for notice in ruling.notices]
    return _plain("  ".join([line, "✓", *said]))


def _plain(text: str) -> str:
    """The text with ordinary spaces: those that hold a line together on a display are in the way of a search."""
    return text.replace(NO_BREAK_SPACE, " ")


def device_line(event: Event, words: WiringWords = _ENGLISH) -> str | None:
    """One line for a log when a device has changed its state, or None. Drivers quote what came over the wire; it may be
    the tag of a card that nobody is to know, so bytes are left out.
    """
    match event:
        case ButtonStuck(device):
            return words.say("log.stuck", device=words.device(device))
        case DeviceLost(device, why):
            return words.say("log.lost", device=words.device(device), why=_BYTES.sub("…", words.tell(why)))
        case DeviceBack(device):
            return words.say("log.back", device=words.device(device))
        case ReaderStalled(reader, why):
            return words.say("log.stalled", device=words.device(reader), why=_BYTES.sub("…", words.tell(why)))
        case TagConflict((first, second)):
            return words.say("log.conflict", first=words.device(first), second=words.device(second))
        case _:
            return None


def score_line(match: Match, words: Words) -> str:
    """The totals by side, and who has won."""
    totals = " : ".join(str(score) for score in match.scores)
    sides = ["+".join(map(str, seats)) for seats in match.table.sides]
    names = " : ".join(sides)
    won = ", ".join(sides[place] for place in match.winners)
    return words.table("final-score", Length.LINE, sides=names, totals=totals, deals=match.deals, winners=won or "–")
