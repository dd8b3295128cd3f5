"""Which port and which driver belong to a kind of reader."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from hal.em4100 import BAUD, ID12LA_END, RDM6300_END, Em4100Driver
from hal.keyboard import EventDevice, KeyboardDriver
from hal.pn532 import Pn532, Port, open_port, open_serial
from hal.reader_kinds import ReaderKind
from hal.tags import PollResult

Opener = Callable[[str], Port]
"""Opens the port at a path, or raises one of `hal.pn532.PORT_FAULTS`."""


class Driver(Protocol):
    """What speaks with one reader over one opened port."""

    @property
    def repeats(self) -> int:
        """How often a damaged answer was asked for again."""

    @property
    def proven(self) -> bool:
        """Whether what is behind the port has shown that it is such a reader."""

    def start(self, now: float, /) -> object:
        """Make the reader ready, from whatever state. Raises ReaderError when it does not answer as it should."""

    def poll(self, now: float, /) -> PollResult:
        """What the reader tells at `now`. Waits for one bounded read at most."""

    def stop(self) -> None:
        """Leave the reader quiet. Raises ReaderError when it does not confirm that."""


def driver_for(kind: ReaderKind, port: Port, enrolled: Callable[[bytes], bool]) -> Driver:
    """A driver for a reader of this kind. `enrolled` tells whether a UID is one of the table's."""
    match kind:
        case ReaderKind.PN532:
            return Pn532(port)
        case ReaderKind.RDM6300:
            return Em4100Driver(port, enrolled, RDM6300_END)
        case ReaderKind.ID12LA:
            return Em4100Driver(port, enrolled, ID12LA_END)
        case ReaderKind.KEYBOARD:
            return KeyboardDriver(port)


def opener(kind: ReaderKind, *, grab: bool = True) -> Opener:
    """How the port of such a reader is opened; `grab`: the keys of a keyboard are taken from everybody else."""
    match kind:
        case ReaderKind.PN532:
            return open_port
        case ReaderKind.KEYBOARD:
            return partial(EventDevice, grab=grab)
        case ReaderKind.RDM6300 | ReaderKind.ID12LA:
            return open_listening


def open_listening(path: str) -> Port:
    """Open the serial port of a reader that speaks by itself, for this process alone; reads never wait.

    Raises one of `hal.pn532.PORT_FAULTS` when there is no such port or another process has it.
    """
    return open_serial(path, BAUD, timeout=0)
