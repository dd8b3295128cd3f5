"""What is written of others' doings in the table's log: little, for the log lies on a small disk, and they are many."""

import time
from collections.abc import Callable

from firmware.output import complain

FEW, WHILE = 5, 60.0
"""So many lines about others' doings are written in so many seconds."""


class Complaints:
    """Lines about what others have caused, a few in a while: whoever asks for nonsense fills no disk with it. `clock`
    gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, say: Callable[[str], None] = complain) -> None:
        self._clock = clock
        self._say = say
        self._until = 0.0
        self._said = 0
        self._left_out = 0

    def say(self, text: str) -> None:
        """Write a line, or count it."""
        now = self._clock()
        if now >= self._until:
            self._until, self._said = now + WHILE, 0
            if self._left_out:
                self._say(f"{self._left_out} more lines of this kind were left out")
                self._left_out = 0
        if self._said >= FEW:
            self._left_out += 1
            return
        self._said += 1
        self._say(" ".join(text.split())[:300])
