"""Which serial port is whose: found out by a card that somebody taps at each place in turn."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hal.events import Event, TagPlaced
from hal.reader_kinds import ReaderKind
from hal.toml_edit import Value, quoted
from hal.toml_lines import KeyPath
from hal.wiring import CommonRole, ReaderPlace, Wiring, reader_name

COMPASS: Mapping[int, tuple[str, ...]] = {2: ("north", "south"), 4: ("north", "east", "south", "west")}
"""What the seats of a table are called besides their numbers, by how many there are; seat 1 is North."""


def places_to_bind(wiring: Wiring) -> list[ReaderPlace]:
    """The places that need a port: those in the file; where it names none yet, every seat."""
    there = list(wiring.readers())
    return there or [ReaderPlace(reader_name(seat.number), "", seat=seat.number) for seat in wiring.seats]


def kinds_to_find(wiring: Wiring) -> frozenset[ReaderKind]:
    """The kinds of readers that may be at the ports: those in the file; where it names none yet, all."""
    return frozenset(place.kind for place in wiring.readers()) or frozenset(ReaderKind)


class Bound(NamedTuple):
    """A place with its port, and the kind of reader that was found there."""

    place: ReaderPlace
    port: str
    kind: ReaderKind

    @property
    def setting(self) -> Value:
        """What the table file says of a reader at a seat: its port alone, where its kind is the usual one."""
        return self.port if self.kind is ReaderKind.PN532 else {"kind": self.kind.value, "port": self.port}


def path_of(place: ReaderPlace, data: Mapping[str, Any]) -> KeyPath:
    """Where the port of a place stands in a table file that says `data`."""
    if place.role is not None:
        return ("reader", [reader["role"] for reader in data["reader"]].index(place.role.value), "port")
    index = [seat["number"] for seat in data["seat"]].index(place.seat)
    path: KeyPath = ("seat", index, "reader")
    return (*path, "port") if isinstance(data["seat"][index].get("reader"), dict) else path


class Binder:
    """Asks for a card at one place after another, and takes the port at which it comes."""

    def __init__(self, places: list[ReaderPlace], any_kind: bool = False) -> None:
        """`any_kind`: the file names no readers yet, so that one of any kind will do; else one as it says."""
        self.bound: dict[str, Bound] = {}
        """The places that have a port by now, by the names of their readers."""
        self._waiting = list(places)
        self._any_kind = any_kind

    @property
    def asked(self) -> ReaderPlace | None:
        """The place at which a card is wanted now; None when all have their ports."""
        return self._waiting[0] if self._waiting else None

    def owner(self, port: str) -> ReaderPlace | None:
        """Whose port this is by now."""
        return next((bound.place for bound in self.bound.values() if bound.port == port), None)

    def fits(self, kind: ReaderKind) -> bool:
        """Whether a reader of this kind can be at the place that is asked for."""
        return self._any_kind or self.asked is None or self.asked.kind is kind

    def take(self, event: Event, kind: ReaderKind = ReaderKind.PN532) -> ReaderPlace | None:
        """Take an event of a reader that goes by the name of its port. A card binds the port to the place that is
        asked for, if the kind fits; at a port that is bound already it changes nothing, and the answer is whose it is.
        """
        if not isinstance(event, TagPlaced) or not self._waiting:
            return None
        owner = self.owner(event.reader)
        if owner is None and self.fits(kind):
            place = self._waiting.pop(0)
            self.bound[place.name] = Bound(place, event.reader, kind)
        return owner


def compass(place: ReaderPlace, seats: int) -> str:
    """The code of a seat's side of the table; empty where it has none."""
    if place.seat is None or seats not in COMPASS:
        return ""
    return COMPASS[seats][place.seat - 1]


def file_lines(binder: Binder) -> Iterator[tuple[ReaderPlace, str]]:
    """The line for the table file, place by place."""
    for bound in binder.bound.values():
        common = isinstance(bound.place.role, CommonRole)
        line = f'port = "{bound.port}"' if common else f"reader = {quoted(bound.setting)}"
        yield bound.place, line


def values_of(binder: Binder, data: Mapping[str, Any]) -> dict[KeyPath, Value]:
    """What to set in a table file that says `data`."""
    values: dict[KeyPath, Value] = {}
    for bound in binder.bound.values():
        path = path_of(bound.place, data)
        values[path] = bound.port if path[-1] == "port" else bound.setting
    return values
