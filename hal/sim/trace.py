"""One ordered log of everything that the simulated wires carry, so that a test can say what came before what."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock

Note = Callable[[str, str, bytes | int], None]
"""What a simulated wire calls for everything that passes it: the wire's name, what happened, the bytes or the
level.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `seq` counts from 1 over all wires and never repeats in one trace."""

    seq: int
    wire: str
    what: str
    data: bytes | int


class Trace:
    """The log. Any thread may note; the numbers give the order in which the notes came in.

    With a `limit` only the newest entries are kept, for a table that runs for hours; the numbers go on
    counting.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._entries: deque[Entry] = deque(maxlen=limit)
        self._seq = 0
        self._lock = Lock()

    def note(self, wire: str, what: str, data: bytes | int = b"") -> None:
        """Append an entry."""
        with self._lock:
            self._seq += 1
            self._entries.append(Entry(self._seq, wire, what, data))

    @property
    def seq(self) -> int:
        """The number of the newest entry, 0 when nothing was noted: a mark to compare later entries with."""
        return self._seq

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter(tuple(self._entries))

    def since(self, seq: int) -> list[Entry]:
        """The entries that came after number `seq`."""
        return [entry for entry in self if entry.seq > seq]

    def on(self, wire: str) -> list[Entry]:
        """The entries of the wires whose name starts with `wire`."""
        return [entry for entry in self if entry.wire.startswith(wire)]


def unheard(wire: str, what: str, data: bytes | int) -> None:
    """Note nothing: the trace of a wire that nobody traces."""
