"""A card reader of the table: a PN532 behind a serial port that may vanish and come back."""

from collections.abc import Callable
from contextlib import suppress

from hal.backoff import Backoff
from hal.errors import ReaderError
from hal.events import DeviceBack, DeviceLost, Event
from hal.pn532 import PORT_FAULTS, Garbled, Pn532, Port, open_port
from hal.presence import Presence

DEAF_POLLS = 3
"""Polls in a row without a clean answer before a reader can count as lost."""
DEAF_TIME = 2.0
"""Seconds without a clean answer before a reader counts as lost, though its port is still there."""

_FAULTS: tuple[type[Exception], ...] = (*PORT_FAULTS, ReaderError)


class CardReader:
    """One reader, stepped by `poll`. It owns its port, and one thread at a time may call it.

    `name` is the device's name in the wiring, `port` the path of its serial port. A reader that cannot be
    opened raises nothing: it is reported as lost, and tried again.
    """

    sees_lifts = True
    """This kind of reader notices when a tag leaves."""

    def __init__(
        self,
        name: str,
        port: str,
        settle: float = 0.0,
        open_port: Callable[[str], Port] = open_port,
    ) -> None:
        self.name = name
        self.port = port
        self._open_port = open_port
        self._presence = Presence(name, settle)
        self._open: Port | None = None
        self._chip: Pn532 | None = None
        self._backoff = Backoff()
        self._last_clean = 0.0
        self._garbled_polls = 0

    @property
    def connected(self) -> bool:
        """Whether a PN532 has answered polls on the port and has not been lost since."""
        return self._chip is not None

    def poll(self, now: float) -> list[Event]:
        """Step the reader: open the port when that is due, look for tags once; give what happened at `now`.

        Raises nothing that a port or a chip can cause.
        """
        if self._chip is None:
            return self._try_to_open(now)
        try:
            result = self._chip.poll()
        except PORT_FAULTS as fault:
            return self._lose(str(fault), now)
        if isinstance(result, Garbled):
            self._garbled_polls += 1
            if self._garbled_polls >= DEAF_POLLS and now - self._last_clean >= DEAF_TIME:
                return self._lose(f"no clean answer for {now - self._last_clean:.1f} s: {result.why}", now)
        else:
            self._garbled_polls = 0
            self._last_clean = now
        return self._presence.feed(result, now)

    def forget(self) -> None:
        """Let the tag that lies on the reader count anew (see `Presence.forget`)."""
        self._presence.forget()

    def close(self) -> None:
        """Turn the field off and give the port back. A later `poll` opens it again."""
        if self._chip is not None:
            with suppress(*_FAULTS):
                self._chip.stop()
        self._release()

    def _try_to_open(self, now: float) -> list[Event]:
        """Open the port. It counts as open once a PN532 has told its version and answered one poll cleanly, so that
        a chip that answers everything but polls does not come and go.
        """
        if not self._backoff.due(now):
            return []
        try:
            self._open = self._open_port(self.port)
            chip = Pn532(self._open)
            chip.start()
            result = chip.poll()
            if isinstance(result, Garbled):
                raise ReaderError(result.why)
        except _FAULTS as fault:
            return self._lose(str(fault), now)
        self._chip = chip
        self._last_clean = now
        self._garbled_polls = 0
        back: list[Event] = [DeviceBack(self.name, now)] if self._backoff.worked() else []
        return back + self._presence.feed(result, now)

    def _lose(self, why: str, now: float) -> list[Event]:
        """Give up the port and plan the next try; report the loss if it is news.

        What lay in the field is remembered: a tag that still lies there when the reader is back is not
        placed twice.
        """
        self._release()
        return [DeviceLost(self.name, why, now)] if self._backoff.failed(now) else []

    def _release(self) -> None:
        self._chip = None
        if self._open is not None:
            with suppress(*PORT_FAULTS):
                self._open.close()
            self._open = None
