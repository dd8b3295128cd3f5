"""The health of a table: what each check looks at, and what it finds."""

import grp
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from stat import S_IRGRP, S_IROTH, S_IRUSR, S_IWGRP, S_IWOTH, S_IWUSR

from firmware.wiring_words import WiringWords
from hal.wiring import ReaderPlace
from hal.wiring_buses import Answer
from hal.wiring_lines import Use


class Level(StrEnum):
    """How bad a finding is. A note is worth knowing, and the table plays all the same."""

    OK = "ok"
    NOTE = "note"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: a code for `WiringWords`, with facts."""

    level: Level
    code: str
    facts: dict[str, object] = field(default_factory=dict)


class Code(str):
    """A fact of a finding that is itself a code with words."""

    __slots__ = ()


def ok(code: str, **facts: object) -> Finding:
    """A finding that all is well."""
    return Finding(Level.OK, code, facts)


def note(code: str, **facts: object) -> Finding:
    """A finding that is worth knowing."""
    return Finding(Level.NOTE, code, facts)


def fail(code: str, **facts: object) -> Finding:
    """A finding that something does not work."""
    return Finding(Level.FAIL, code, facts)


@dataclass(frozen=True, slots=True)
class System:
    """The machine as a check sees it. Files are read below `root`; `uid` and `groups` are whose rights count;
    `free` tells the bytes that are left where a path lies; `now` and `sleep` are in seconds.
    """

    root: Path
    uid: int
    groups: frozenset[int]
    free: Callable[[Path], int]
    now: Callable[[], float]
    sleep: Callable[[float], None]

    def at(self, path: str) -> Path:
        """Where an absolute path lies below the root."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """What a file says, without the zero byte that ends a device-tree text; None when it cannot be read."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def data(self, path: str) -> bytes:
        """The bytes of a file; none when it cannot be read."""
        try:
            return self.at(path).read_bytes()
        except OSError:
            return b""

    def names(self, pattern: str) -> list[str]:
        """The absolute paths that fit a pattern, in order."""
        return sorted("/" + str(path.relative_to(self.root)) for path in self.root.glob(pattern.lstrip("/")))

    def may_use(self, path: str) -> bool:
        """Whether the rights let this user read and write a file."""
        found = self.at(path).stat()
        if self.uid in (0, found.st_uid):
            return self.uid == 0 or found.st_mode & (S_IRUSR | S_IWUSR) == S_IRUSR | S_IWUSR
        if found.st_gid in self.groups:
            return found.st_mode & (S_IRGRP | S_IWGRP) == S_IRGRP | S_IWGRP
        return found.st_mode & (S_IROTH | S_IWOTH) == S_IROTH | S_IWOTH

    def group(self, path: str) -> str:
        """The name of the group of a file; its number where it has no name."""
        number = self.at(path).stat().st_gid
        try:
            return grp.getgrgid(number).gr_name
        except KeyError:
            return str(number)


def this_system() -> System:
    """The machine that this runs on."""

    def free(path: Path) -> int:
        found = os.statvfs(path)
        return found.f_bavail * found.f_frsize

    groups = frozenset({os.getegid(), *os.getgroups()})
    return System(Path("/"), os.geteuid(), groups, free, time.monotonic, time.sleep)


def report(findings: Iterator[Finding], words: WiringWords, say: Callable[[str], None]) -> bool:
    """Say each finding as it comes, then how many there are of each kind; whether none is a failure."""
    marks = {level: words.say(f"doctor.{level}") for level in Level}
    width = max(len(mark) for mark in marks.values())
    counted = dict.fromkeys(Level, 0)
    for finding in findings:
        counted[finding.level] += 1
        say(f"{marks[finding.level]:<{width}}  {finding_line(finding, words)}")
    say(words.say("doctor.sum", **{level.value: count for level, count in counted.items()}))
    return counted[Level.FAIL] == 0


def finding_line(finding: Finding, words: WiringWords) -> str:
    """A finding in words, without how bad it is."""
    facts = {name: _in_words(value, words) for name, value in finding.facts.items()}
    return words.say(f"doctor.{finding.code}", **facts)


def _in_words(value: object, words: WiringWords) -> object:
    if isinstance(value, ReaderPlace):
        return words.reader(value)
    if isinstance(value, Code):
        return words.say(f"doctor.{value}")
    if isinstance(value, Answer):
        return words.answer(value)
    return words.use(value) if isinstance(value, Use) else value
