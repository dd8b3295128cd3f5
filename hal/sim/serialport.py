"""Simulated serial lines with chips at their far ends.

`SerialBench` puts chips behind pseudo-terminals, so that pyserial opens them like any port; one thread
carries the bytes and decides nothing (`hal.sim.settledport` does without it). `DirectLine` does without terminal and
thread, for stepping a reader by hand.
"""

import errno
import os
import select
import termios
import threading
import tty
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import serial


class Chip(Protocol):
    """Whatever hangs on a serial line."""

    def feed(self, data: bytes, /) -> bytes:
        """Take what the host sent (or nothing); give what goes back."""

    def reset(self) -> None:
        """Power has come, with the plug."""


@dataclass(slots=True, eq=False)
class Plugged:
    """A pseudo-terminal in use. Its slave end is kept open too: else the master reports a hang-up without end
    whenever nobody has the port open."""

    chip: Chip
    chunk: int
    master: int
    slave: int
    taken: int = 0
    """Bytes of the host that the chip has taken."""
    given: int = 0
    """Bytes of the chip that are on their way to the host, or there."""


class Terminals:
    """Pseudo-terminals that stand for the serial ports of a table. Who serves them carries the bytes with `_carry`.

    A port is known by its name; what a driver opens is a link of that name in `folder`, which goes and comes
    back with the device like a link under /dev/serial/by-path. Use as a context manager, or `close` it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._plugged: dict[int, Plugged] = {}  # by master end
        self._masters: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def path(self, name: str) -> Path:
        """Where the port `name` is to be opened; there is something there only while it is plugged in."""
        return self._folder / name

    def plug(self, name: str, chip: Chip, chunk: int = 0) -> Path:
        """Connect `chip` as port `name`; give the path to open.

        With `chunk`, what the chip sends is written to the line in pieces of so many bytes. Raises
        FileExistsError when that port is plugged in already.
        """
        link = self.path(name)
        master, slave = os.openpty()
        try:
            tty.setraw(slave)  # both ends share these settings
            os.set_blocking(master, False)
            link.symlink_to(os.ttyname(slave))
        except OSError:
            os.close(master)
            os.close(slave)
            raise
        chip.reset()
        with self._lock:
            self._plugged[master] = Plugged(chip, chunk, master, slave)
            self._masters[name] = master
        self.nudge()
        return link

    def unplug(self, name: str) -> None:
        """Pull the port `name` out: whoever has it open gets errors from now on.

        Raises KeyError when it is not plugged in.
        """
        with self._lock:
            master = self._masters.pop(name)
            self.path(name).unlink()
            self._give_up(master)

    def nudge(self) -> None:
        """Let the chips look at their fields again: a search that waits for a tag then answers."""
        with self._lock:
            for plugged in self._plugged.values():
                self._carry(plugged)

    def close(self) -> None:
        """Pull everything out. May be called twice."""
        for name in list(self._masters):
            self.unplug(name)

    def _give_up(self, master: int) -> None:
        os.close(self._plugged.pop(master).slave)
        os.close(master)

    def _carry(self, plugged: Plugged) -> None:
        try:
            data = os.read(plugged.master, 4096)
        except BlockingIOError:
            data = b""
        answer = plugged.chip.feed(data)
        plugged.taken += len(data)
        step = plugged.chunk or max(1, len(answer))
        for start in range(0, len(answer), step):
            try:
                plugged.given += os.write(plugged.master, answer[start : start + step])
            except BlockingIOError:
                return  # nobody reads and the line is full: lost, as on a real one


class SerialBench(Terminals):
    """Pseudo-terminals served by one thread, for whoever opens them, in this process or in another."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._closing: list[int] = []
        self._served = threading.Condition(self._lock)
        self._open = True
        self._serving = True  # until the thread ends; changes under the lock
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        self._thread = threading.Thread(target=self._serve, name="serial bench", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        """Let the chips look at their fields again, in the thread."""
        if self._open:
            self._wake()

    def close(self) -> None:
        """Pull everything out and end the thread. May be called twice."""
        if not self._open:
            return
        super().close()
        self._open = False
        self._wake()
        self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _give_up(self, master: int) -> None:
        # The thread may wait on this end, and a terminal hangs up only when nobody does: it has to do the closing.
        self._closing.append(master)
        self._wake()
        self._served.wait_for(lambda: master not in self._closing or not self._serving)

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # full: the thread will wake anyway
            os.write(self._wake_in, b"\0")

    def _serve(self) -> None:
        try:
            while self._open:
                self._serve_once()
        finally:
            # Whatever ended the thread, nobody is left waiting, and open ports hang up.
            with self._lock:
                self._serving = False
                self._closing = list(self._plugged)
                self._close_ends()

    def _serve_once(self) -> None:
        with self._lock:
            waited_for = [self._wake_out, *self._plugged]
        ready, _, _ = select.select(waited_for, [], [])
        with self._lock:
            self._close_ends()
            if self._wake_out in ready:
                os.read(self._wake_out, 4096)
                ready = list(self._plugged)
            for master in ready:
                if master in self._plugged:
                    self._carry(self._plugged[master])

    def _close_ends(self) -> None:
        for master in self._closing:
            super()._give_up(master)
        self._closing.clear()
        self._served.notify_all()


class DirectLine:
    """A line whose chip answers within `write`. A read finds what has come, or nothing at once, as if its
    timeout had passed. `open` stands for `hal.pn532.open_port`.

    With `chunk`, a read gives so many bytes at most, however many have come.
    """

    def __init__(self, chip: Chip, chunk: int = 0) -> None:
        self.chip = chip
        self.chunk = chunk
        self.plugged = True
        self.opened = 0
        """How often a port was opened, or was tried to."""
        self._owner: DirectPort | None = None

    def unplug(self) -> None:
        """Pull the device out: an open port fails from now on, and none can be opened."""
        self.plugged = False

    def plug(self) -> None:
        """Put the device back; its chip starts afresh."""
        self.plugged = True
        self.chip.reset()

    def open(self, path: str) -> "DirectPort":
        """Open the line, for one owner at a time. Raises what pyserial raises when that cannot be."""
        self.opened += 1
        if not self.plugged:
            raise serial.SerialException(errno.ENOENT, f"could not open port {path}: no such file")
        if self._owner is not None and not self._owner.closed:
            raise serial.SerialException(errno.EAGAIN, f"could not exclusively lock port {path}")
        self._owner = DirectPort(self)
        return self._owner


class DirectPort:
    """One opening of a `DirectLine`. Unplugged, each call fails with the error that pyserial's own gives."""

    def __init__(self, line: DirectLine) -> None:
        self.closed = False
        self._line = line
        self._dead = False
        self._received = bytearray()

    @property
    def in_waiting(self) -> int:
        """Bytes that a read gives at once. Raises OSError when unplugged."""
        if self._unplugged():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if not self._received:
            self._received += self._line.chip.feed(b"")  # what the chip says by itself
        return min(len(self._received), self._line.chunk or len(self._received))

    def read(self, size: int) -> bytes:
        """Up to `size` bytes. Raises SerialException when unplugged."""
        if self._unplugged():
            raise serial.SerialException("device reports readiness to read but returned no data")
        if not self._received:
            self._received += self._line.chip.feed(b"")
        count = min(size, self._line.chunk or size)
        data = bytes(self._received[:count])
        del self._received[:count]
        return data

    def write(self, data: bytes) -> int:
        """Send `data` to the chip. Raises SerialException when unplugged."""
        if self._unplugged():
            raise serial.SerialException("write failed: [Errno 5] Input/output error")
        self._received += self._line.chip.feed(data)
        return len(data)

    def reset_input_buffer(self) -> None:
        """Throw away what was not read. Raises termios.error, which is no OSError, when unplugged."""
        if self._unplugged():
            raise termios.error(errno.EIO, os.strerror(errno.EIO))
        self._received.clear()

    def close(self) -> None:
        """Give the line back. Works unplugged too."""
        self.closed = True

    def _unplugged(self) -> bool:
        # A port that saw its device go stays dead, though the device may be plugged in again.
        self._dead = self._dead or not self._line.plugged
        return self._dead
