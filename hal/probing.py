"""What kind of reader is behind a port, before anybody has said so: a PN532 answers, others speak when a tag comes."""

from collections.abc import Callable, Collection
from contextlib import suppress

from hal.em4100 import ID12LA_END, RDM6300_END, Em4100Driver
from hal.events import DeviceLost, Event, ReaderStalled, TagPlaced
from hal.phrases import Phrase, said_by
from hal.pn532 import PORT_FAULTS, Port
from hal.presence import Presence
from hal.reader import CardReader
from hal.reader_drivers import Opener, opener
from hal.reader_kinds import CAPABILITIES, ReaderKind

ASK_AGAIN = 10.0
"""Seconds for which a port is listened to before a PN532 behind it is asked for once more."""
QUIET = 0.1
"""Seconds for which nothing must have come before a PN532 is asked for: a frame takes 17 ms at 9,600 baud."""
UNREAD = 0.5
"""Seconds after which something that spoke while a PN532 was asked for will not say it again by itself."""
SHORTEST = 8
"""Hex digits of the shortest number that is taken for a typed card: people press Enter after shorter ones."""

SPOKE = Phrase("it spoke while another kind of reader was asked for")
_ENDS = {ReaderKind.RDM6300: RDM6300_END, ReaderKind.ID12LA: ID12LA_END}
_MOST = 256  # bytes taken in one poll


class _Fed:
    """A port in memory: what one driver is given of what came at a port that several listen to."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def in_waiting(self) -> int:
        return len(self._buffer)

    def push(self, data: bytes) -> None:
        self._buffer += data

    def read(self, size: int, /) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def write(self, data: bytes, /) -> int:
        return len(data)

    def reset_input_buffer(self) -> None:
        self._buffer.clear()

    def close(self) -> None:
        """Nothing is kept."""


class _Kept:
    """A port that keeps what comes, for others to listen to: whoever asks for an answer drops all that is none."""

    def __init__(self, port: Port) -> None:
        self.kept = bytearray()
        self._port = port

    @property
    def in_waiting(self) -> int:
        return self._port.in_waiting

    def read(self, size: int, /) -> bytes:
        data = self._port.read(size)
        self.kept += data[: _MOST - len(self.kept)]
        return data

    def write(self, data: bytes, /) -> int | None:
        return self._port.write(data)

    def reset_input_buffer(self) -> None:
        self._drain()
        self._port.reset_input_buffer()

    def close(self) -> None:
        with suppress(*PORT_FAULTS):
            self._drain()
        self._port.close()

    def _drain(self) -> None:
        waiting = min(self._port.in_waiting, _MOST)
        if waiting:
            self.read(waiting)


class _Ear:
    """One kind of reader that speaks by itself, at a port where it may be another."""

    def __init__(self, kind: ReaderKind, name: str) -> None:
        able = CAPABILITIES[kind]
        self.kind = kind
        self._port = _Fed()
        # Whatever its sum proves will do: it is the port that counts, not which card it was.
        self._driver = Em4100Driver(self._port, lambda uid: True, _ENDS[kind])
        self._presence = Presence(name, lift_time=able.release, family=able.family, sees_lifts=able.sees_lifts)

    def hear(self, data: bytes, now: float) -> list[Event]:
        self._port.push(data)
        return self._presence.feed(self._driver.poll(now), now)


class PortProbe:
    """One port, at which a reader of one of `kinds` may be. Its events go by the port's name.

    `path` is what is opened, by `open_port(kind)`, which gives what opens a port for that kind. A port that cannot be
    opened, or at which a PN532 is expected and does not answer, is lost; a reader that speaks by itself may be silent.

    One that says a tag once may do so while a PN532 is asked for. What came is kept and read; but that is asked at
    another speed, so it may be beyond reading: then the port is stalled, and the card is to be shown once more.
    """

    def __init__(
        self,
        name: str,
        path: str,
        kinds: Collection[ReaderKind],
        open_port: Callable[[ReaderKind], Opener] = lambda kind: opener(kind, grab=False),
    ) -> None:
        self.name = name
        self.kind: ReaderKind | None = next(iter(kinds)) if len(kinds) == 1 else None
        """The kind of reader that is there; None as long as that is not known."""
        self._path = path
        self._open_port = open_port
        self._asks = ReaderKind.PN532 in kinds
        self._ears = [_Ear(kind, name) for kind in _ENDS if kind in kinds]
        self._reader = self._made(ReaderKind.PN532 if self._asks else ReaderKind.KEYBOARD)
        self._ask_at = float("-inf")
        self._port: Port | None = None
        self._asked: _Kept | None = None
        self._unread: float | None = None  # since when something that came waits for somebody to make sense of it
        self._lost = False

    def poll(self, now: float) -> list[Event]:
        """Look at the port once; give what happened at `now`. Raises nothing that a port can cause."""
        if not self._ears:
            return self._typed(self._reader.poll(now))
        if self.kind is ReaderKind.PN532:
            return self._reader.poll(now)
        heard = self._listen(now) if self._port is not None or not self._is_due(now) else []
        return heard + (self._ask(now) if self._is_due(now) else [])

    def close(self) -> None:
        """Give the port back."""
        self._reader.close()
        self._hang_up()

    def _is_due(self, now: float) -> bool:
        """Whether a PN532 is to be asked for."""
        return self._asks and self.kind is None and now >= self._ask_at

    def _made(self, kind: ReaderKind) -> CardReader:
        return CardReader(self.name, self._path, open_port=self._keeping(self._open_port(kind)), kind=kind)

    def _keeping(self, open_port: Opener) -> Opener:
        def opened(path: str) -> Port:
            self._asked = _Kept(open_port(path))
            return self._asked

        return opened if self._ears else open_port

    def _typed(self, events: list[Event]) -> list[Event]:
        if self._reader.kind is not ReaderKind.KEYBOARD:
            return events
        return [
            event
            for event in events
            if not isinstance(event, TagPlaced) or len(event.uid.rpartition("-")[2]) >= SHORTEST
        ]

    def _ask(self, now: float) -> list[Event]:
        """Ask for a PN532: nobody else can have the port meanwhile. A silent port is listened to for a while."""
        self._hang_up()
        self._reader = self._made(ReaderKind.PN532)
        events = self._reader.poll(now)
        if self._reader.connected:
            self.kind = ReaderKind.PN532
            return events
        self._reader.close()
        self._ask_at = now + ASK_AGAIN
        kept, self._asked = bytes(self._asked.kept) if self._asked is not None else b"", None
        if not kept:
            return []
        self._unread = now
        return self._understood(kept, now)

    def _listen(self, now: float) -> list[Event]:
        try:
            if self._port is None:
                self._port = self._open_port(ReaderKind.RDM6300)(self._path)
            waiting = min(self._port.in_waiting, _MOST)
            data = self._port.read(waiting) if waiting else b""
        except PORT_FAULTS as fault:
            self._hang_up()
            if self._lost:
                return []
            self._lost = True
            return [DeviceLost(self.name, said_by(fault), now)]
        self._lost = False
        if data:
            self._ask_at = max(self._ask_at, now + QUIET)
        events = self._understood(data, now)
        if self._unread is not None and now - self._unread >= UNREAD:
            self._unread = None
            events.append(ReaderStalled(self.name, SPOKE, now))
        return events

    def _understood(self, data: bytes, now: float) -> list[Event]:
        """What came, as each kind of reader that speaks by itself would mean it."""
        events: list[Event] = []
        for ear in self._ears:
            heard = ear.hear(data, now)
            if any(isinstance(event, TagPlaced) for event in heard):
                self.kind, self._unread = ear.kind, None
            events += heard
        return events

    def _hang_up(self) -> None:
        if self._port is not None:
            port, self._port = self._port, None
            with suppress(*PORT_FAULTS):
                port.close()
