"""Everything that can go wrong in the simulated world, by name: one table, and the switches.

Whatever happens by chance is seeded, for each device of its own, so a run with the same seed can be repeated.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from hal.errors import TablerefHardwareError
from hal.events import Button
from hal.phrases import Phrase
from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.tag_talkers import KeyboardChip, TalkerChip


class At(StrEnum):
    """What a fault can be at."""

    READER = "reader"
    DISPLAY = "display"
    BUTTONS = "buttons"
    DISK = "disk"
    CLOCK = "clock"


class NamedFault(NamedTuple):
    """One row of the table. A `passing` one comes and goes in a demonstration, for while it is there a place that play
    may need is out of use. `amount` is what is meant where no number is given, in seconds."""

    at: tuple[At, ...]
    says: str
    passing: bool = False
    amount: float = 0.0


NAMED: dict[str, NamedFault] = {
    "bounce": NamedFault((At.BUTTONS,), "each press and each release bounces for some milliseconds"),
    "glitch": NamedFault((At.BUTTONS,), "now and then a line changes for some milliseconds, though nobody presses"),
    "stuck-button": NamedFault((At.BUTTONS,), "a button stays down: `ok`, or the one that is named", passing=True),
    "every-second-poll": NamedFault((At.READER,), "every second search finds nothing, whatever lies there"),
    "garbled": NamedFault((At.READER,), "about every third answer has a wrong bit"),
    "cut": NamedFault((At.READER,), "about every third answer ends too early"),
    "noise": NamedFault((At.READER,), "noise goes before every frame"),
    "selected": NamedFault((At.READER,), "a tag that was found ignores the next search while the field is on"),
    "cross-talk": NamedFault((At.READER,), "cards on the neighbouring readers are seen too", passing=True),
    "phantom": NamedFault((At.READER,), "about every third search of an empty field finds a UID that is none"),
    "two-tags": NamedFault((At.READER,), "another tag sticks to each card", passing=True),
    "pile": NamedFault((At.READER,), "three strange tags lie in the field, and searches never end", passing=True),
    "deaf": NamedFault((At.READER,), "nothing is heard and nothing answered", passing=True),
    "deaf-until-reset": NamedFault((At.READER,), "the same, until it is reset or plugged in anew", passing=True),
    "bad-checksum": NamedFault((At.READER,), "the sum of every answer is wrong", passing=True),
    "lost-ack": NamedFault((At.READER,), "answers come without the acknowledgement before them", passing=True),
    "late-answer": NamedFault((At.READER,), "an answer comes only when the table speaks again", passing=True),
    "unplugged": NamedFault((At.READER, At.DISPLAY), "the cable is out", passing=True),
    "nak": NamedFault((At.DISPLAY,), "about one transfer in eight is not acknowledged"),
    "shifted": NamedFault((At.DISPLAY,), "the picture jumps on the glass, at once and again every half minute"),
    "slow-disk": NamedFault((At.DISK,), "each commit takes 2 s, or as long as is said", amount=2.0),
    "full-disk": NamedFault((At.DISK,), "there is no room for another entry", passing=True),
    "clock-step": NamedFault((At.CLOCK,), "the clock on the wall jumps: 2 h ahead, or as is said",
                             passing=True, amount=7200.0),
}  # fmt: skip
"""All faults, by the name that they have everywhere."""

SHIFTED_AGAIN = (20.0, 40.0)
"""Seconds from one jump of a picture to the next."""
PILE = 3

Off = Callable[[], None]


class Place(NamedTuple):
    """Where a fault is: a reader by its name, a display or buttons by the seat, a single button; the disk and the
    clock have neither."""

    at: At
    reader: str = ""
    seat: int = 0
    button: Button | None = None

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """The place for people; a reader goes by its name."""
        if self.reader or not self.seat:
            return Phrase(self.reader or self.at.value)
        if self.button:
            return Phrase("seat {seat} {button} button", seat=self.seat, button=Phrase(self.button.value))
        if self.at is At.DISPLAY:
            return Phrase("seat {seat} display", seat=self.seat)
        return Phrase("seat {seat} buttons", seat=self.seat)


class FaultError(TablerefHardwareError, ValueError):
    """A fault that cannot be where it was wanted, or is not there."""


class NamedFaults:
    """The switches of one simulated world; `poll` is to be called as time goes on."""

    def __init__(self, wires: SimulatedWires, disk: SimDisk, seed: int = 0) -> None:
        self._disk = disk
        self._seed = seed
        self._now = 0.0
        self._on: dict[tuple[str, Place], tuple[float, Off]] = {}
        self._jumps: dict[Place, float] = {}
        self.move(wires)

    @property
    def on(self) -> list[tuple[str, Place]]:
        """The faults that are on, in the order in which they came."""
        return list(self._on)

    @property
    def due(self) -> float | None:
        """When a line changes next by itself, which is sooner than anybody polls."""
        return self._wires.contacts.due

    def places(self, name: str) -> list[Place]:
        """Everywhere that this fault can be. Raises `FaultError` where there is no such fault."""
        return [place for at in named(name).at for place in self._all(at) if self._can(name, place)]

    def begin(self, name: str, place: Place, amount: float | None = None) -> None:
        """Switch a fault on; one that is on gets the new amount. Raises `FaultError` when it cannot be there."""
        fault = named(name)
        if place.at not in fault.at:
            raise FaultError(
                Phrase(
                    "{name} is no fault of a {at}; expected one of {known}",
                    name=name,
                    at=Phrase(place.at.value),
                    known=", ".join(fault.at),
                )
            )
        if place._replace(button=None) not in self._all(place.at):
            raise FaultError(Phrase("no {place} at this table", place=place.words))
        if not self._can(name, place):
            raise FaultError(
                Phrase("the {place} cannot have {name}: it is of another kind", place=place.words, name=name)
            )
        key = name, place
        if key in self._on and name == "unplugged":
            raise FaultError(Phrase("the {place} is out already", place=place.words))
        if key in self._on:
            self._on.pop(key)[1]()
        amount = fault.amount if amount is None else amount
        self._on[key] = amount, self._switch(name, place, amount)

    def mend(self, name: str | None = None, place: Place | None = None) -> int:
        """Switch off what fits: a fault everywhere, all faults of a place, all of them. Gives how many were on."""
        found = [key for key in self._on if name in (None, key[0]) and _covers(place, key[1])]
        for key in found:
            self._on.pop(key)[1]()
        return len(found)

    def move(self, wires: SimulatedWires) -> None:
        """Take all that is on along to the wires of a table that was switched off and on."""
        self._wires = wires
        for name, chip in wires.readers.items():
            chip.chance = self._chance(name)
        wires.contacts.chance = self._chance("buttons")
        self._pictures = self._chance("displays")
        self._jumps.clear()
        before, self._on = self._on, {}
        for (name, place), (amount, _) in before.items():
            self.begin(name, place, amount)

    def poll(self, now: float) -> None:
        """Let happen what is due at `now`."""
        self._now = now
        self._wires.contacts.poll(now)
        for place, at in list(self._jumps.items()):
            if at <= now:
                self._shift(place)

    def _chance(self, what: str) -> Random:
        return Random(f"{self._seed} {what}")

    # Where

    def _all(self, at: At) -> Iterator[Place]:
        match at:
            case At.READER:
                yield from (Place(at, reader=name) for name in self._wires.readers)
            case At.DISPLAY:
                yield from (Place(at, seat=seat) for seat in self._wires.glasses)
            case At.BUTTONS:
                yield from (Place(at, seat=seat.number) for seat in self._wires.wiring.seats)
            case At.DISK | At.CLOCK:
                yield Place(at)

    def _can(self, name: str, place: Place) -> bool:
        chip = self._wires.readers.get(place.reader)
        return chip is None or name == "unplugged" or Fault(name) in chip.KNOWS

    # What; each gives what ends it.

    def _switch(self, name: str, place: Place, amount: float) -> Off:
        match place.at:
            case At.READER:
                return self._unplugged(place) if name == "unplugged" else self._reader(name, place.reader)
            case At.DISPLAY:
                return self._unplugged(place) if name == "unplugged" else self._display(name, place)
            case At.BUTTONS:
                return self._buttons(name, place)
            case At.DISK:
                attribute, value = ("full", True) if name == "full-disk" else ("slow", amount)
            case At.CLOCK:
                attribute, value = "clock_step", amount
        setattr(self._disk, attribute, value)
        return lambda: setattr(self._disk, attribute, type(value)())

    def _reader(self, name: str, reader: str) -> Off:
        chip = self._wires.readers[reader]
        fault = Fault(name)
        chip.faults.add(fault)
        if fault is not Fault.PILE_STALLS:
            return lambda: chip.faults.discard(fault)
        pile = [_strange_tag(chip) for _ in range(PILE)]
        chip.field.extend(pile)

        def take_away() -> None:
            chip.faults.discard(fault)
            for uid in pile:
                with suppress(ValueError):  # somebody has lifted it
                    chip.field.remove(uid)

        return take_away

    def _unplugged(self, place: Place) -> Off:
        wires, cable = self._wires, place.reader or place.seat
        try:
            wires.unplug_reader(cable) if isinstance(cable, str) else wires.unplug_display(cable)
        except KeyError:
            raise FaultError(Phrase("the {place} is out already", place=place.words)) from None

        def plug() -> None:
            with suppress(FileExistsError):  # somebody has put it back
                wires.plug_reader(cable) if isinstance(cable, str) else wires.plug_display(cable)

        return plug

    def _display(self, name: str, place: Place) -> Off:
        if name == "shifted":
            self._shift(place)
            return lambda: self._forget(self._jumps, place)
        bus, address = self._wires.display_bus(place.seat)
        bus.flaky[address] = self._chance(str(place))
        return lambda: self._forget(bus.flaky, address)

    @staticmethod
    def _forget(switches: dict[Any, Any], key: object) -> None:
        switches.pop(key, None)

    def _shift(self, place: Place) -> None:
        self._wires.glasses[place.seat].shift(self._pictures.randrange(5, 60), self._pictures.randrange(1, 100))
        self._jumps[place] = self._now + self._pictures.uniform(*SHIFTED_AGAIN)

    def _buttons(self, name: str, place: Place) -> Off:
        contacts, seat = self._wires.contacts, place.seat
        match name:
            case "bounce":
                contacts.bouncing.add(seat)
                return lambda: contacts.bouncing.discard(seat)
            case "glitch":
                contacts.disturb(seat, True)
                return lambda: contacts.disturb(seat, False)
            case _:
                button = place.button or Button.OK
                contacts.stick(seat, button, True)
                return lambda: contacts.stick(seat, button, False)


def named(name: str) -> NamedFault:
    """The fault of this name. Raises `FaultError`."""
    if name not in NAMED:
        raise FaultError(Phrase("no fault {name!r}; expected one of {known}", name=name, known=", ".join(NAMED)))
    return NAMED[name]


def _covers(wanted: Place | None, place: Place) -> bool:
    return wanted is None or wanted == place or wanted == place._replace(button=None)


def _strange_tag(chip: Pn532Chip | TalkerChip) -> bytes:
    """A tag of no deck, of the family that the reader reads."""
    if isinstance(chip, Pn532Chip):
        return b"\x04" + chip.chance.randbytes(6)
    return chip.chance.randbytes(4 if isinstance(chip, KeyboardChip) else 5)
