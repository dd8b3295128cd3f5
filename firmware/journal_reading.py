"""A journal read from outside: its matches with their entries, whether or not a table is running with it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from engine.phrases import Phrase, said_by
from firmware.errors import JournalError
from firmware.generations import FAULTS, connect_uri
from firmware.journal import MERGED, SESSION, VERSION, one_line


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


def read_journal(path: Path) -> list[Kept]:
    """All matches of a journal, by number; raises `JournalError` for a file that is damaged, or no journal."""
    if not path.is_file():
        raise JournalError(Phrase("{path}: no such file; expected a journal", path=path))
    try:
        with closing(_connected(path)) as file:
            return _kept(file)
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


def _kept(file: sqlite3.Connection) -> list[Kept]:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version == 0 or not {"match", "line"} <= tables:
        raise JournalError(Phrase("no journal of a table; expected one"))
    if not 0 < version <= VERSION:
        raise JournalError(
            Phrase("version {version} of the journal; expected at most {known}", version=version, known=VERSION)
        )
    found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(Phrase("SQLite finds {found!r}", found=" ".join(str(found).split())))
    settings = dict(file.execute("SELECT key, value FROM setting")) if "setting" in tables else {}
    lines: dict[int, list[tuple[str, float]]] = {}
    for number, text, at in file.execute("SELECT match, text, wall_time FROM line ORDER BY match, number"):
        lines.setdefault(number, []).append((text, at))
    matches = []
    for number, header, began in file.execute("SELECT number, header, wall_time FROM match ORDER BY number"):
        own = lines.get(number, [])
        if not all(isinstance(text, str) for text in (header, *(text for text, _ in own))):
            raise _damaged(Phrase("a header or an entry is no text"))
        texts, times = tuple(text for text, _ in own), tuple(at for _, at in own)
        starts = f"{SESSION}{number}" in settings
        matches.append(Kept(number, header, began, texts, times, starts, settings.get(f"{MERGED}{number}", "")))
    return matches


def _damaged(problem: Phrase) -> JournalError:
    return JournalError(Phrase("the journal is damaged: {problem}; expected a whole one, or a copy", problem=problem))
