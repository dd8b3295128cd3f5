"""Serial ports on pseudo-terminals that know when nothing more will come.

A host that waits for an answer which never comes waits for real seconds, while a simulated table has a time of its
own. So a read in vain ends as soon as the chip has taken all that was sent and has said all that it says to it; what
the wait would have cost is passed to `pause`.

Whoever waits for a chip carries its bytes meanwhile: no thread has to be woken at every exchange. What sets a reader
up passes the terminal; the polls that follow, thousands of them, are handed over beside it, since the kernel takes
longer to pass bytes through a terminal than all else of a poll takes. The port itself stays the true one: it is opened,
locked, flushed before each command and closed as any, and once it is unplugged every call goes to it and fails as it
does.
"""

import select
from collections.abc import Callable
from pathlib import Path

from hal.pn532 import PORT_FAULTS, READ_TIMEOUT, Port
from hal.sim.serialport import Plugged, Terminals

Pause = Callable[[float], None]
"""Told how many seconds of the table's a read has waited in vain."""

THROUGH = 8
"""Writes that pass the terminal after each opening: those that set a reader up, and its first polls."""
_SETTLE = 5.0
"""Real seconds after which a terminal that does not pass on what was sent has failed."""


class SettledBench(Terminals):
    """Pseudo-terminals without a thread: a chip answers while somebody waits for that, as a `SettledPort` does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._said: dict[int, bytearray] = {}  # beside the terminal, by its master end

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

    def hand(self, plugged: Plugged, data: bytes) -> bool:
        """Give a chip bytes beside its terminal, and keep what it answers; False when it was unplugged."""
        with self._lock:
            if self._plugged.get(plugged.master) is not plugged:
                return False
            self._said.setdefault(plugged.master, bytearray()).extend(plugged.chip.feed(data))
            return True

    def said(self, plugged: Plugged) -> bytearray:
        """What a chip has said beside its terminal and nobody has taken: to be taken out of it."""
        return self._said.get(plugged.master) or bytearray()

    def nudge(self) -> None:
        """Let the chips look at their fields again: a search that waits for a tag then answers, as it was asked."""
        with self._lock:
            for master, plugged in self._plugged.items():
                if master in self._said:
                    self._said[master] += plugged.chip.feed(b"")
                else:
                    self._carry(plugged)

    def through(self, plugged: Plugged) -> None:
        """Let the bytes of a chip pass its terminal again; what was said beside it is gone."""
        self._said.pop(plugged.master, None)

    def _give_up(self, master: int) -> None:
        self._said.pop(master, None)
        super()._give_up(master)


class SettledPort:
    """An opened port of a bench, by name; otherwise as `port`, whose errors are passed on.

    Raises KeyError when there is nothing plugged in under this name.
    """

    def __init__(self, bench: SettledBench, name: str, port: Port, pause: Pause) -> None:
        self._bench = bench
        self._plugged: Plugged = bench.plugged(name)
        self._port = port
        self._pause = pause
        self._writes = 0
        self._sent = self._plugged.taken
        self._got = self._plugged.given

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read: all that the chip has said."""
        left = self._left()
        return self._port.in_waiting if left is None else left + len(self._bench.said(self._plugged))

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; nothing as soon as it is certain that nothing will come."""
        left = self._left()
        if left != 0:
            data = self._port.read(size if left is None else min(size, left))
            self._got += len(data)
            return data
        said = self._bench.said(self._plugged)
        data = bytes(said[:size])
        del said[:size]
        if not data:
            self._pause(READ_TIMEOUT)
        return data

    def write(self, data: bytes) -> int | None:
        """Send `data`."""
        self._writes += 1
        if self._writes > THROUGH and self._left() is not None and self._bench.hand(self._plugged, data):
            return len(data)
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
            self._bench.through(self._plugged)
            self._port.close()

    def _left(self) -> int | None:
        """Bytes that have come through the terminal and nobody has read; None when it was unplugged."""
        return self._plugged.given - self._got if self._bench.settle(self._plugged, self._sent) else None

    def _drain(self) -> None:
        self._bench.said(self._plugged).clear()
        while left := self._left():
            data = self._port.read(left)
            self._got += len(data)
            if not data:
                return
