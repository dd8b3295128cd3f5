"""A journal read from outside: its matches with their entries, whether or not a table is running with it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, TypeVar

from engine.phrases import Phrase, said_by
from firmware.errors import JournalError
from firmware.generations import FAULTS, connect_uri
from firmware.journal import MERGED, SESSION, one_line
from firmware.schema import VERSION, columns_in

T = TypeVar("T")


class Kept(NamedTuple):
    """A match as a journal keeps it. Times are seconds since 1970 as the computer believed them."""

    number: int
    header: str
    began: float
    texts: tuple[str, ...]
    times: tuple[float, ...]
    """When each of the entries was written."""
    starts: bool = False
    """Whether its first entry was the first that a table wrote after its start."""
    source: str = ""
    """The journal that it was merged from; empty: it was played at this table."""
    clock: bool | None = None
    """Whether the clock was set when the match began; None: an older program has not looked."""
    clocks: tuple[bool | None, ...] = ()
    """The same of each of the entries."""

    @property
    def entered(self) -> bool:
        """Whether anything was entered."""
        return bool(self.texts)


def read_journal(path: Path) -> list[Kept]:
    """All matches of a journal, by number; raises `JournalError` for a file that is damaged, or no journal."""
    return from_file(path, _all_kept)


def read_matches(path: Path, most: int, up_to: int | None = None) -> list[Kept]:
    """So many of a journal's newest matches, or of those with at most this number, by number; whether the rest of the
    file is whole, nobody looks. Raises `JournalError`.
    """
    return from_file(path, lambda file: kept_in(file, most, up_to))


def from_file(path: Path, read: Callable[[sqlite3.Connection], T]) -> T:
    """What is read of a journal, which is only open for that. Raises `JournalError`."""
    if not path.is_file():
        raise JournalError(Phrase("{path}: no such file; expected a journal", path=path))
    try:
        with closing(_connected(path)) as file:
            return read(file)
    except JournalError as error:
        raise JournalError(Phrase("{path}: {problem}", path=path, problem=said_by(error))) from None
    except FAULTS as error:
        raise JournalError(Phrase("{path}: {why}; expected a journal", path=path, why=one_line(error))) from None


def _connected(path: Path) -> sqlite3.Connection:
    """The file, to be read. In a folder that may not be written to, SQLite reads a journal only as one that stands
    still, and it does where no part of it lies beside it.
    """
    for how in ("mode=ro", "mode=ro&immutable=1"):
        file = sqlite3.connect(connect_uri(path, how), uri=True, isolation_level=None)
        try:
            file.execute("BEGIN")
            file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            file.close()
            if how != "mode=ro" or Path(f"{path}-wal").exists():
                raise
        except BaseException:
            file.close()
            raise
        else:
            return file
    raise AssertionError


def _all_kept(file: sqlite3.Connection) -> list[Kept]:
    look_through(file)
    return kept_in(file)


def look_through(file: sqlite3.Connection) -> None:
    """Raise `JournalError` for a file that is no journal, or that SQLite finds damaged."""
    check_version(file)
    found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(Phrase("SQLite finds {found!r}", found=" ".join(str(found).split())))


def check_version(file: sqlite3.Connection) -> frozenset[str]:
    """The tables of the file, which is a journal of a known version; raises `JournalError`."""
    version = file.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version == 0 or not {"match", "line"} <= tables:
        raise JournalError(Phrase("no journal of a table; expected one"))
    if not 0 < version <= VERSION:
        raise JournalError(
            Phrase("version {version} of the journal; expected at most {known}", version=version, known=VERSION)
        )
    return frozenset(tables)


def kept_in(file: sqlite3.Connection, most: int = -1, up_to: int | None = None) -> list[Kept]:
    """The same of a file that is open. Raises `JournalError` or `FAULTS`."""
    tables = check_version(file)
    settings = dict(file.execute("SELECT key, value FROM setting")) if "setting" in tables else {}
    clock = "clock" if "clock" in columns_in(file, "line") else "NULL"
    chosen = file.execute(
        f"SELECT number, header, wall_time, {clock} FROM match"
        " WHERE ? IS NULL OR number <= ? ORDER BY number DESC LIMIT ?",
        (up_to, up_to, most),
    ).fetchall()[::-1]
    first, last = (chosen[0][0], chosen[-1][0]) if chosen else (0, 0)
    lines: dict[int, list[tuple[str, float, bool | None]]] = {}
    written = f"SELECT match, text, wall_time, {clock} FROM line WHERE match BETWEEN ? AND ? ORDER BY match, number"
    for number, text, at, was_set in file.execute(written, (first, last)):
        lines.setdefault(number, []).append((text, at, None if was_set is None else bool(was_set)))
    matches = []
    for number, header, began, was_set in chosen:
        own = lines.get(number, [])
        if not all(isinstance(text, str) for text in (header, *(text for text, _, _ in own))):
            raise _damaged(Phrase("a header or an entry is no text"))
        texts, times = tuple(text for text, _, _ in own), tuple(at for _, at, _ in own)
        clocks, at_first = tuple(one for _, _, one in own), None if was_set is None else bool(was_set)
        starts = f"{SESSION}{number}" in settings
        source = settings.get(f"{MERGED}{number}", "")
        matches.append(Kept(number, header, began, texts, times, starts, source, at_first, clocks))
    return matches


def _damaged(problem: Phrase) -> JournalError:
    return JournalError(Phrase("the journal is damaged: {problem}; expected a whole one, or a copy", problem=problem))
