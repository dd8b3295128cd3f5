"""The health of the machine under a table that runs: the same words as the doctor's, and how the saving goes."""

from collections.abc import Iterator
from pathlib import Path

from firmware.doctor import Finding, System, fail, finding_line, note, ok
from firmware.doctor_system import check_clock, check_disk, check_heat, check_supply
from firmware.output import lines_lost
from firmware.saving import Standing
from firmware.wiring_words import WiringWords
from hal.wiring import Wiring

LEAST_FREE = 50_000_000
"""Bytes below which the places are told: the journal grows by some hundred kilobytes an evening."""
EVERY = 30.0
"""Seconds between two looks at the disk's room and the log."""


def machine_findings(system: System, wiring: Wiring, folder: Path, saving: Standing) -> Iterator[Finding]:
    """What a director is to know of the machine."""
    yield from _saving(saving)
    for check in (check_supply, check_heat, check_disk, check_clock):
        yield from check(system, wiring, folder)
    if lines_lost():
        yield note("log-lost", count=lines_lost())


def _saving(saving: Standing) -> Iterator[Finding]:
    if saving.fails is not None:
        yield fail("save-fails", seconds=round(saving.fails))
    elif saving.is_late:
        yield fail("save-late", seconds=round(saving.waits or 0))
    elif saving.age is not None:
        yield ok("saved", seconds=round(saving.age))


def machine_values(findings: Iterator[Finding], words: WiringWords) -> list[list[str]]:
    """The same for a page: how bad, and the words."""
    return [[finding.level.value, finding_line(finding, words)] for finding in findings]


class Guard:
    """Looks after what fills up, while a table runs; stepped by `look`, a plain object that is given times. What it
    finds is given once for each time that it begins.
    """

    def __init__(self) -> None:
        self._due = 0.0
        self._low = False
        self._lost = lines_lost()

    def look(self, free: int, now: float) -> str:
        """The code of what the places are to be told; empty: nothing. `free` is in bytes."""
        before, self._low = self._low, free < LEAST_FREE
        lost, self._lost = self._lost, lines_lost()
        if self._low and not before:
            return "disk-low"
        return "log-lost" if self._lost > 0 and lost == 0 else ""

    def is_due(self, now: float) -> bool:
        """Whether to look again."""
        if now < self._due:
            return False
        self._due = now + EVERY
        return True
