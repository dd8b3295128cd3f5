"""Which serial port is whose: found out by a card that somebody taps at each place in turn."""

from collections.abc import Iterator, Mapping
from typing import Any

from hal.events import Event, TagPlaced
from hal.toml_lines import KeyPath
from hal.wiring import CommonRole, ReaderPlace, Wiring, reader_name

COMPASS: Mapping[int, tuple[str, ...]] = {2: ("north", "south"), 4: ("north", "east", "south", "west")}
"""What the seats of a table are called besides their numbers, by how many there are; seat 1 is North."""


def places_to_bind(wiring: Wiring) -> list[ReaderPlace]:
    """The places that need a port: those in the file; where it names none yet, every seat."""
    there = list(wiring.readers())
    return there or [ReaderPlace(reader_name(seat.number), "", seat=seat.number) for seat in wiring.seats]


def path_of(place: ReaderPlace, data: Mapping[str, Any]) -> KeyPath:
    """Where the port of a place stands in a table file that says `data`."""
    if place.role is not None:
        return ("reader", [reader["role"] for reader in data["reader"]].index(place.role.value), "port")
    index = [seat["number"] for seat in data["seat"]].index(place.seat)
    path: KeyPath = ("seat", index, "reader")
    return (*path, "port") if isinstance(data["seat"][index].get("reader"), dict) else path


class Binder:
    """Asks for a card at one place after another, and takes the port at which it comes."""

    def __init__(self, places: list[ReaderPlace]) -> None:
        self.bound: dict[str, tuple[ReaderPlace, str]] = {}
        """The places that have a port by now, by the names of their readers."""
        self._waiting = list(places)

    @property
    def asked(self) -> ReaderPlace | None:
        """The place at which a card is wanted now; None when all have their ports."""
        return self._waiting[0] if self._waiting else None

    def take(self, event: Event) -> ReaderPlace | None:
        """Take an event of a reader that goes by the name of its port. A card binds the port to the place that is
        asked for; at a port that is bound already it changes nothing, and the answer is whose it is.
        """
        if not isinstance(event, TagPlaced) or not self._waiting:
            return None
        owner = next((place for place, port in self.bound.values() if port == event.reader), None)
        if owner is None:
            place = self._waiting.pop(0)
            self.bound[place.name] = (place, event.reader)
        return owner


def compass(place: ReaderPlace, seats: int) -> str:
    """The code of a seat's side of the table; empty where it has none."""
    if place.seat is None or seats not in COMPASS:
        return ""
    return COMPASS[seats][place.seat - 1]


def file_lines(binder: Binder) -> Iterator[tuple[ReaderPlace, str]]:
    """The line for the table file, place by place."""
    for place, port in binder.bound.values():
        key = "port" if isinstance(place.role, CommonRole) else "reader"
        yield place, f'{key} = "{port}"'
