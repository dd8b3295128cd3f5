"""The matches of another table's journal brought into this one, such as when that table is dead."""

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from engine.phrases import Phrase
from firmware.errors import JournalError
from firmware.generations import FAULTS
from firmware.journal import INSERT_LINE, MERGED, SESSION, one_line, open_journal
from firmware.journal_lock import JournalLock
from firmware.journal_reading import Kept, read_journal
from firmware.storage import Disk, Storage


class Merged(NamedTuple):
    """What came of a merge: numbers of matches in this journal that are new, or that have more entries than before;
    and how many were here already.
    """

    added: tuple[int, ...]
    completed: tuple[int, ...]
    known: int


def merge(path: Path, other: Path, storage: Storage | None = None) -> Merged:
    """Bring the matches of the journal `other` into the one at `path`, all or none: with their headers, lines and
    times. One that is here already is not brought twice; of one that is here in part, the rest is brought. None is
    ever the one that the table goes on with.

    Raises `JournalError` when either is damaged, no journal, or in use by a table.
    """
    if other.exists() and path.exists() and other.samefile(path):
        raise JournalError(Phrase("{path}: this is the journal itself; expected another one", path=other))
    with ExitStack() as close:
        if other.is_file():
            lock = JournalLock(other)
            close.callback(lock.close)
        theirs = [match for match in read_journal(other) if match.texts]
        ours = read_journal(path)
        try:
            file, own_lock = open_journal(path, Disk() if storage is None else storage)
            close.callback(own_lock.close)
            close.callback(file.close)
            file.execute("BEGIN IMMEDIATE")
            merged = _bring(file, ours, theirs, other.name)
            (storage or Disk()).commit(file)
        except JournalError:
            raise
        except FAULTS as error:
            raise JournalError(
                Phrase("{path}: {why}; expected a journal that can be written", path=path, why=one_line(error))
            ) from None
    return merged


def _bring(file: sqlite3.Connection, ours: list[Kept], theirs: list[Kept], source: str) -> Merged:
    number = max((match.number for match in ours), default=0)
    added, completed, known = [], [], 0
    for match in theirs:
        same = next((own for own in ours if _is_one(own, match)), None)
        if same is None:
            number += 1
            row = (number, match.header, match.began, match.clock)
            file.execute("INSERT INTO match (number, header, wall_time, clock) VALUES (?, ?, ?, ?)", row)
            _set(file, f"{MERGED}{number}", match.source or source)
            if match.starts:
                _set(file, f"{SESSION}{number}", "start")
            _write_lines(file, number, match, 0)
            added.append(number)
        elif len(same.texts) < len(match.texts):
            _write_lines(file, same.number, match, len(same.texts))
            completed.append(same.number)
        else:
            known += 1
    return Merged(tuple(added), tuple(completed), known)


def _is_one(own: Kept, other: Kept) -> bool:
    """Whether two are the same match, one of them perhaps shorter: nothing in a journal ever changes."""
    most = min(len(own.texts), len(other.texts))
    return (own.header, own.began, own.texts[:most], own.times[:most]) == (
        other.header, other.began, other.texts[:most], other.times[:most])  # fmt: skip


def _write_lines(file: sqlite3.Connection, number: int, match: Kept, first: int) -> None:
    lines = zip(match.texts, match.times, match.clocks, strict=True)
    rows = [(number, line, text, at, clock) for line, (text, at, clock) in enumerate(lines, 1) if line > first]
    file.executemany(INSERT_LINE, rows)


def _set(file: sqlite3.Connection, key: str, value: str) -> None:
    file.execute("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", (key, value))
