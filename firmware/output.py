"""Standard output and standard error that may be full, or that nobody reads any more.

A log is not worth a game: its lines are dropped. A command whose output cannot be written says so.
"""

import io
import sys
from typing import Any, TextIO


class OutputError(Exception):
    """Standard output cannot be written. It is no `OSError`, so that no file is blamed by a command that reads or
    writes one at the same time, and no click ends a broken pipe with a status that means something else.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output cannot be written: {error.strerror}")


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


def log(text: str) -> None:
    """Write a line on standard output, or drop it."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Write a line on standard error, or drop it."""
    _write(sys.stderr, text)


def _write(stream: TextIO | None, text: str) -> None:
    """Write a line past the stream's buffer where there is one: what a full disk did not take would stay in it, be
    tried again with each line, and fail once more at the end.
    """
    if stream is None:
        return
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    try:
        stream.flush()
        if raw is None:
            print(text, file=stream, flush=True)
        else:
            raw.write(f"{text}\n".encode(stream.encoding, "replace"))
    except (OSError, ValueError, OutputError):  # full, read by nobody, or closed
        pass
