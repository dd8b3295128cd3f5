"""Lines that somebody types meanwhile: looked for without waiting."""

import os
import select
from collections.abc import Iterator
from typing import TextIO


class TypedLines:
    """The lines of a stream as they come. One that has ended, or cannot be waited for, has no more."""

    def __init__(self, stream: TextIO) -> None:
        self.ended = False
        self._rest = b""
        try:
            self._descriptor: int | None = stream.fileno()
        except OSError:  # text in memory is all there
            self._descriptor = None
            self._rest = stream.read().encode()

    def poll(self) -> Iterator[str]:
        """The whole lines that have come since the last time."""
        if self._descriptor is None:
            self.ended = True
        elif not self.ended and select.select([self._descriptor], [], [], 0)[0]:
            data = os.read(self._descriptor, 4096)
            self.ended = not data
            self._rest += data
        *lines, self._rest = self._rest.split(b"\n")
        if self.ended and self._rest:
            lines, self._rest = [*lines, self._rest], b""
        yield from (line.decode(errors="replace") for line in lines)
