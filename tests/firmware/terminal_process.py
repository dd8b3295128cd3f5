"""A command of the table at a pseudo-terminal, as a person would start it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LEAVE = "\x1b[?1049l"
"""The end of what gives a terminal its former screen back."""
LIMIT = 60.0
"""Real seconds after which a process that says nothing is given up."""

_START = """
import fcntl, termios
from firmware.command import entry
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C goes to this process
entry()
"""


class AtTerminal:
    """A running command, and what it has written."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, slave: int) -> None:
        self.process = process
        self.master = master
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        self.data = b""

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    def read_until(self, *wanted: str) -> None:
        """Read until all of these have been written; raises AssertionError when that takes too long."""
        end = time.monotonic() + LIMIT
        while not all(one in self.text for one in wanted):
            assert time.monotonic() < end, self.text[-2000:]
            self._read(1.0)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait(self) -> int:
        """The status, once the process has ended; what it wrote is read all the while."""
        end = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text[-2000:]
            self._read(0.05)
        self._read(0.05)
        return self.process.returncode

    def restored(self) -> bool:
        """Whether the terminal's modes are what they were, and its screen is given back."""
        return termios.tcgetattr(self.slave) == self.before and LEAVE in self.text

    def _read(self, seconds: float) -> None:
        while select.select([self.master], [], [], seconds)[0]:
            self.data += os.read(self.master, 65536)
            seconds = 0.0


@contextmanager
def at_terminal(arguments: Sequence[str], folder: Path, columns: int = 140, rows: int = 50) -> Iterator[AtTerminal]:
    """Start `tableref ARGUMENTS` in a folder, at a terminal of that size."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, "-c", _START, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root, "TERM": "xterm", "PYTHONWARNINGS": "ignore"},
        start_new_session=True,
    )
    try:
        yield AtTerminal(process, master, slave)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(master)
        os.close(slave)
