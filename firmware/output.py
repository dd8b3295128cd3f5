"""Standard output and standard error that may be full, or that nobody reads any more.

A log is not worth a game: its lines are dropped. A command whose output cannot be written says so.
"""

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import PIPE_BUF, POLLOUT, poll
from threading import Lock
from typing import Any, TextIO

from engine.phrases import Phrase, reason
from firmware.phrases import tell

MINUTE = 60.0
"""Seconds in which the same line may be written `MOST_SAID` times."""
MOST_SAID = 20
MOST_TEXTS = 500


class OutputError(Exception):
    """Standard output cannot be written. It is no `OSError`, so that no file is blamed by a command that reads or
    writes one at the same time, and no click ends a broken pipe with a status that means something else.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(Phrase("standard output cannot be written: {why}", why=reason(error)))


class Output(io.BufferedWriter):
    """The bytes of standard output; raises `OutputError` where another file raises `OSError`."""

    def write(self, data: Any) -> int:
        """Write bytes, now or later."""
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error) from None

    def flush(self) -> None:
        """Write what is still to be written."""
        try:
            super().flush()
        except OSError as error:
            raise OutputError(error) from None


class Log:
    """One of the two streams, for a table that runs: nothing that is or is not done with it holds a table up.

    A pipe or a terminal that takes nothing now would let a write wait until somebody reads. So it is asked first; one
    that says that it can be written takes `PIPE_BUF` bytes at least (pipe(7)). Lines that were dropped are counted, and
    told when one is taken again.
    """

    def __init__(self, stream: Callable[[], TextIO | None], clock: Callable[[], float] = time.monotonic) -> None:
        self.language = "en"
        """What phrases are told in, and that lines were lost."""
        self._stream = stream
        self._clock = clock
        self._lost = 0
        self.lost_ever = 0
        """Lines that were dropped since the start."""
        self._said: dict[str, tuple[float, int]] = {}  # by text: when its minute began, how often it was said in it
        self._lock = Lock()  # two threads that asked both may not both write

    def say(self, text: str) -> None:
        """Write a line, or drop it."""
        stream = self._stream()
        if stream is None:
            return
        with self._lock:
            left_out = self._left_out(text)
            if left_out < 0:
                return
            if left_out:
                again = Phrase("{count} times more: {text}", count=left_out, text=text)
                text = again
            lost = Phrase("{count} lines of this log were lost: nobody took them", count=self._lost)
            if self._lost and _write(stream, tell(lost, self.language)):
                self._lost = 0
            if self._lost or not _write(stream, tell(text, self.language)):
                self._lost += 1
                self.lost_ever += 1

    def _left_out(self, text: str) -> int:
        """How often a line was left out since it was written last; -1: it is left out now. One that comes again and
        again fills no disk: it is written so many times in a minute, and then once a minute with how often it was.
        """
        now = self._clock()
        began, count = self._said.get(text, (now, 0))
        if now - began >= MINUTE:
            if len(self._said) > MOST_TEXTS:
                self._said.clear()
            self._said[text] = now, 1
            return max(0, count - MOST_SAID)
        self._said[text] = began, count + 1
        return 0 if count < MOST_SAID else -1


def lines_lost() -> int:
    """Lines of the log that were dropped since the start, for nobody took them."""
    return _OUT.lost_ever + _ERRORS.lost_ever


_OUT, _ERRORS = Log(lambda: sys.stdout), Log(lambda: sys.stderr)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Meanwhile the two streams tell phrases in this language."""
    before = _OUT.language, _ERRORS.language
    _OUT.language = _ERRORS.language = language
    try:
        yield
    finally:
        _OUT.language, _ERRORS.language = before


def log(text: str) -> None:
    """Write a line on standard output, or drop it."""
    _OUT.say(text)


def complain(text: str) -> None:
    """Write a line on standard error, or drop it."""
    _ERRORS.say(text)


def _write(stream: TextIO, text: str) -> bool:
    """Write a line past the stream's buffer where there is one, whether it was taken: what a full disk did not take
    would stay in it, be tried again with each line, and fail once more at the end.
    """
    buffer = getattr(stream, "buffer", None)
    raw = buffer if isinstance(buffer, io.RawIOBase) else getattr(buffer, "raw", None)  # python -u has no buffers
    try:
        if raw is None:
            print(text, file=stream, flush=True)
            return True
        if not _takes(raw.fileno()):
            return False
        stream.flush()
        line = f"{text}\n".encode(stream.encoding, "replace")
        if len(line) > PIPE_BUF:
            line = line[: PIPE_BUF - 1] + b"\n"
        return _takes(raw.fileno()) and raw.write(line) == len(line)
    except (OSError, ValueError, OutputError):  # full, read by nobody, or closed
        return False


def _takes(descriptor: int) -> bool:
    """Whether a write would not wait. What is always ready, or has an error to tell, does not wait either."""
    asked = poll()
    asked.register(descriptor, POLLOUT)
    return bool(asked.poll(0))
