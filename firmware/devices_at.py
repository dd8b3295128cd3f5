"""Which of the table's devices are lost, and which place at the table a device belongs to."""

import re
from collections.abc import Iterable, Mapping

from hal.wiring import CommonRole, ReaderPlace, display_name


class Devices:
    """The readers by name, and what does not answer now and why."""

    def __init__(self, readers: Iterable[ReaderPlace]) -> None:
        self.readers: Mapping[str, ReaderPlace] = {place.name: place for place in readers}
        self.lost: dict[str, str] = {}

    def lost_at(self, place: int) -> tuple[str, ...]:
        """The devices of a place that are off."""
        return tuple(device for device in self.lost if place_of(device) == place)

    def shows(self, place: int) -> bool:
        """Whether what is shown at a place can be seen, as far as the table can tell."""
        return display_name(place) not in self.lost

    def reads(self, place: int) -> bool:
        """Whether there is a reader, at the place or in the middle, that a card can be shown to."""
        return any(
            (reader.seat == place or reader.role is CommonRole.CENTRE) and reader.name not in self.lost
            for reader in self.readers.values()
        )


def place_of(device: str) -> int | None:
    """The place in a device's name, such as `seat 2 reader`; None for one that all share."""
    found = re.match(r"seat (\d+) ", device)
    return int(found[1]) if found else None
