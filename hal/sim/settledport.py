"""Serial ports on pseudo-terminals that know when nothing more will come.

A host that waits for an answer which never comes waits for real seconds, while a simulated table has a time of its
own. So a read in vain ends as soon as the chip has taken all that was sent and has said all that it says to it; what
the wait would have cost is passed to `pause`.

Whoever waits for a chip carries its bytes meanwhile: no thread has to be woken at every exchange.
"""

import select
from collections.abc import Callable

from hal.pn532 import PORT_FAULTS, READ_TIMEOUT, Port
from hal.sim.serialport import Plugged, Terminals

Pause = Callable[[float], None]
"""Told how many seconds of the table's a read has waited in vain."""

_SETTLE = 5.0
"""Real seconds after which a terminal that does not pass on what was sent has failed."""


class SettledBench(Terminals):
    """Pseudo-terminals without a thread: a chip answers while somebody waits for that, as a `SettledPort` does."""

    def plugged(self, name: str) -> Plugged:
        """What is behind the port `name`. Raises KeyError when it is not plugged in."""
        with self._lock:
            return self._plugged[self._masters[name]]

    def settle(self, plugged: Plugged, taken: int) -> bool:
        """Let a chip take so many bytes in all, and answer them; False when it was unplugged."""
        with self._lock:
            if self._plugged.get(plugged.master) is not plugged:
                return False
            while plugged.taken < taken and select.select((plugged.master,), (), (), _SETTLE)[0]:
                self._carry(plugged)
            return True


class SettledPort:
    """An opened port of a bench, by name; otherwise as `port`, whose errors are passed on.

    Raises KeyError when there is nothing plugged in under this name.
    """

    def __init__(self, bench: SettledBench, name: str, port: Port, pause: Pause) -> None:
        self._bench = bench
        self._plugged: Plugged = bench.plugged(name)
        self._port = port
        self._pause = pause
        self._sent = self._plugged.taken
        self._got = self._plugged.given

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read: all that the chip has said."""
        left = self._left()
        return self._port.in_waiting if left is None else left

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; nothing as soon as it is certain that nothing will come."""
        left = self._left()
        if left == 0:
            self._pause(READ_TIMEOUT)
            return b""
        data = self._port.read(size if left is None else min(size, left))
        self._got += len(data)
        return data

    def write(self, data: bytes) -> int | None:
        """Send `data`."""
        written = self._port.write(data)
        self._sent += len(data)
        return written

    def reset_input_buffer(self) -> None:
        """Throw away what the chip has said: all of it, also what is still on its way."""
        self._drain()
        self._port.reset_input_buffer()

    def close(self) -> None:
        """Give the port back, with nothing on its way: whoever opens it next starts afresh."""
        try:
            self._drain()
        except PORT_FAULTS:
            pass  # unplugged
        finally:
            self._port.close()

    def _left(self) -> int | None:
        """Bytes that the chip has said and nobody has read; None when it was unplugged."""
        return self._plugged.given - self._got if self._bench.settle(self._plugged, self._sent) else None

    def _drain(self) -> None:
        while left := self._left():
            data = self._port.read(left)
            self._got += len(data)
            if not data:
                return
