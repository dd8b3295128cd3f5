"""What the journal notes beside the entries: which reader saw which tag when, and what came of it.

So that afterwards it can be proven what lay where, and nothing that was shown is dropped without a trace. A note is
no entry: it changes no match, and nothing that the table shows, says or exports is made from one.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from firmware.seatview import Message
from hal.events import (
    DeviceBack,
    DeviceLost,
    Event,
    ReaderStalled,
    SeveralTags,
    TagConflict,
    TagGlimpsed,
    TagPlaced,
)

AGAIN = 60.0
"""Seconds within which the same thing at the same device is noted once: a reader that flickers fills no disk."""
GLIMPSES = 10
"""Glimpsed tags that are noted of one device in that time: noise makes up a new one each time."""

Supply = Callable[[], Sequence[str]]
Heat = Callable[[], float | None]


class Note(NamedTuple):
    """One line of the journal beside the entries. `tag` is the canonical text of a UID, or empty; `what` is the code of
    what came of it; `look` is which of that reader's polls gave the tag, or 0."""

    device: str
    tag: str
    what: str
    look: int = 0


class Notes:
    """Makes notes of events; a plain object that is given times. `supply` tells what is wrong with the supply, by
    codes: a device that is lost while it sags is most likely not to blame. `heat` tells how warm the processor is, in
    degrees Celsius, or None.
    """

    def __init__(self, supply: Supply = lambda: (), heat: Heat = lambda: None) -> None:
        self._supply = supply
        self._heat = heat
        self._last: dict[str, tuple[tuple[Note, ...], float]] = {}
        self._glimpses: dict[str, deque[float]] = {}

    def of(self, event: Event, outcome: str) -> tuple[Note, ...]:
        """What is to be noted of an event that was decided on with this outcome."""
        notes = notes_of(event, outcome)
        if not notes:
            return ()
        if isinstance(event, DeviceLost):
            notes = (notes[0]._replace(what=notes[0].what + self._machine()),)
        device, same = notes[0].device, tuple(note._replace(look=0) for note in notes)
        if isinstance(event, TagGlimpsed):
            return notes if self._is_room(device, event.at) else ()
        before, at = self._last.get(device, ((), 0.0))
        self._last[device] = same, event.at
        return () if before == same and event.at - at < AGAIN else notes

    def _machine(self) -> str:
        """How the machine is, beside what is lost."""
        degrees, codes = self._heat(), self._supply()
        warm = "" if degrees is None else f"; {degrees:.0f} °C"
        return warm + (f"; supply: {', '.join(codes)}" if codes else "")

    def _is_room(self, device: str, now: float) -> bool:
        """Whether another glimpse at this device may be noted."""
        times = self._glimpses.setdefault(device, deque(maxlen=GLIMPSES))
        if len(times) == GLIMPSES and now - times[0] < AGAIN:
            return False
        times.append(now)
        return True


def notes_of(event: Event, outcome: str) -> tuple[Note, ...]:
    """The notes that belong to an event; none to one that no journal needs."""
    match event:
        case TagPlaced(reader, uid, look=look):
            return (Note(reader, uid, outcome, look),)
        case TagGlimpsed(reader, uid, look=look):
            return (Note(reader, uid, "glimpsed", look),)
        case SeveralTags(reader, uids, look=look):
            return tuple(Note(reader, uid, outcome, look) for uid in uids)
        case TagConflict(readers, uid, looks=looks):
            return tuple(Note(reader, uid, outcome, look) for reader, look in zip(readers, looks, strict=True))
        case ReaderStalled(reader, why):
            return (Note(reader, "", f"stalled: {why}"),)
        case DeviceLost(device, why):
            return (Note(device, "", f"lost: {why}"),)
        case DeviceBack(device):
            return (Note(device, "", "back"),)
        case _:
            return ()


def outcome_of(message: Message | None) -> str:
    """The code of what came of a card: of what was said to its seat, if anything had to be said."""
    return "taken" if message is None else message.code
