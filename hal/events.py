"""What devices report. Plain values with the time at which it happened, put on the table's one queue.

Times are seconds on the table's monotonic clock. Seats are numbered from 1.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Button(StrEnum):
    """The three buttons of a seat, by place."""

    LEFT = "left"
    OK = "ok"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down and stayed down for the settle time."""

    seat: int
    button: Button
    at: float


@dataclass(frozen=True, slots=True)
class Held:
    """A button has been down for the hold time; reported once a press."""

    seat: int
    button: Button
    at: float


@dataclass(frozen=True, slots=True)
class Chord:
    """Two or three buttons of a seat went down together and have been down for the hold time, in place of a `Held` of
    each. Their releases follow, as held.
    """

    seat: int
    buttons: frozenset[Button]
    at: float


@dataclass(frozen=True, slots=True)
class Released:
    """A button came up. `held` says whether a `Held` went before, so that a short press can act on release."""

    seat: int
    button: Button
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class TagPlaced:
    """A tag came into a reader's field. `uid` is the canonical text: upper-case hex, two digits a byte. `look` is which
    of that reader's polls told it, counted from its start; it belongs to what can be proven, not to what happened.
    """

    reader: str
    uid: str
    at: float
    look: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TagLifted:
    """A tag left a reader's field: enough polls missed it for long enough."""

    reader: str
    uid: str
    at: float


@dataclass(frozen=True, slots=True)
class TagGlimpsed:
    """A tag was in a reader's field and has gone without having counted: noise that looked like one, a card that
    was too quick, or one whose neighbour lay nearer. `look` is the last poll that saw it.
    """

    reader: str
    uid: str
    at: float
    look: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class SeveralTags:
    """More than one tag lies in a reader's field, so none of them counts: one card at a time."""

    reader: str
    uids: tuple[str, ...]
    at: float
    look: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TagConflict:
    """Two readers see one tag at the same time, so neither counts: their fields couple, or the card lies between."""

    readers: tuple[str, str]
    uid: str
    at: float
    looks: tuple[int, int] = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class ReaderStalled:
    """A reader that is alive cannot read what lies on it, such as a pile of cards; it is being started anew."""

    reader: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device stopped answering. `device` is its name in the wiring; `why` is the driver's own words, for logs."""

    device: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class ButtonStuck(DeviceLost):
    """A button has been down for so long that no finger holds it: it counts as lost until it comes up."""

    seat: int
    button: Button


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """A lost device answers again."""

    device: str
    at: float


Event = (
    Pressed
    | Held
    | Chord
    | Released
    | TagPlaced
    | TagLifted
    | TagGlimpsed
    | SeveralTags
    | TagConflict
    | ReaderStalled
    | DeviceLost
    | DeviceBack
)
