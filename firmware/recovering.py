"""A journal is looked through before a table takes it up. In the place of a damaged one comes its last good copy, or,
where there is none, a new one; the damaged file is set aside, and what happened is told.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from engine.phrases import Phrase, reason
from firmware.errors import DamagedError, DiskFullError, JournalError
from firmware.generations import (
    FAULTS,
    SUM,
    connect_uri,
    doubt,
    generations,
    is_sound,
    lacking,
    reaches,
    sync,
)
from firmware.journal import MERGED, NEXT, Journal, one_line
from firmware.journal_lines import are_behind, written_in
from firmware.journal_lock import JournalLock
from firmware.output import complain
from firmware.salvaging import Own, Salvaged, salvage
from firmware.schema import VERSION, bring_up, refuse_newer, tables_in, tables_of_today
from firmware.seatview import TableText
from firmware.setups import unreadable
from firmware.taking_up import Written, take_up

AT_ONCE = 4_000_000
"""Bytes of a journal that is looked through as a whole before it is taken up: some 100,000 entries. A longer one is
only where it is doubted, or ends before its copy does; else the match that goes on is, and all of it when the next copy
is made, beside the game.
"""
RESTORED = "restored"
"""The setting that says what this journal came in the place of."""
MAGIC = b"SQLite format 3\0"
_LEAST_ROOM = 1 << 16
"""Bytes that SQLite needs for its shared memory, and for a change."""


def recover(path: Path, own: Own, tell: Callable[[str], None] = complain) -> None:
    """See to it that a journal can be taken up by a table whose matches have its `own` header; `tell` hears of
    what had to be done.

    Raises `JournalError` for one that another table writes to or a newer program has written, for a file that never
    was a journal, and for a disk that takes no other.
    """
    path = path.resolve()
    copies = generations(path)
    if not (path.is_file() if path.exists() else copies):
        return  # none yet, or nothing that is a file: whoever opens it sees that
    refuse_newer(path)
    lock = JournalLock(path) if path.exists() else None
    try:
        altered: list[str] = []
        problem = _problem(path, copies, own, altered.append)
        if problem:
            _replace(path, copies, problem, own, tell)
        if doubt(path).exists():
            doubt(path).unlink()
        for said in () if problem else altered:
            tell(Phrase("{path}: {problem}", path=path, problem=said))
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise _kind(error, path)(
            Phrase("{path}: {why}; expected a journal that can be written", path=path, why=reason(error))
        ) from None
    except sqlite3.Error as error:
        raise _kind(error, path)(
            Phrase("{path}: {why}; expected a journal that can be written", path=path, why=one_line(error))
        ) from None
    finally:
        if lock is not None:
            lock.close()


def _kind(error: Exception, path: Path) -> type[JournalError]:
    """What an error is: SQLite says of a disk without any room at all only that it cannot be read or written."""
    full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return DiskFullError if full or shutil.disk_usage(path.parent).free < _LEAST_ROOM else JournalError


def restored_text(journal: Journal) -> TableText | None:
    """What players are told of a journal that came in the place of a damaged one, until something is entered."""
    try:
        note = json.loads(journal.setting(RESTORED) or "null")
        if note is None or note["entries"] != journal.entries():
            return None
        lost = note["lost"]
        code = "journal-restored" if note["copy"] else "journal-anew"
        if note.get("kept"):
            return TableText("journal-kept", (("count", int(lost)),), bad=True)
        if code == "journal-anew" or lost is None:
            return TableText(code, bad=True)
        code = "journal-restored-count" if lost else "journal-restored-all"
        return TableText(code, (("count", int(lost)),), bad=True)
    except (ValueError, KeyError, TypeError):
        return None


# What is wrong


def _problem(path: Path, copies: list[Path], own: Own, tell: Callable[[str], None]) -> str:
    """What is wrong with a journal, in words; nothing: it is well. What cannot be mended is told."""
    if not path.exists():
        return Phrase("it is gone")
    if path.stat().st_size == 0 and not Path(f"{path}-wal").exists():
        return Phrase("it is empty") if copies else ""
    try:
        with closing(sqlite3.connect(connect_uri(path, "mode=rw"), uri=True)) as file:
            version = file.execute("PRAGMA user_version").fetchone()[0]
            tables = tables_in(file)
            if not tables or (version == 0 and "match" not in tables):
                return _of_no_journal(path, tables, copies)
            gone = version == VERSION and tables_of_today() - tables
            if gone:
                return Phrase("it has no table {table}", table=min(gone))
            short = path.stat().st_size <= AT_ONCE
            whole = short or doubt(path).exists() or not all(reaches(file, copy) for copy in copies[:1])
            problem = _damage(file, own, tell, whole)
            if problem:
                return problem
            copy = lacking(file, copies) if whole else None
            return Phrase("it lacks what its copy {copy} holds", copy=copy.name) if copy is not None else ""
    except (UnicodeError, OverflowError, MemoryError) as error:
        return one_line(error)
    except sqlite3.Error as error:
        if not _is_damage(error):
            raise
        return one_line(error)


def _of_no_journal(path: Path, tables: frozenset[str], copies: list[Path]) -> str:
    if tables and not copies:
        raise JournalError(Phrase("{path}: a database of another program; expected a journal", path=path))
    return Phrase("it has no matches") if copies else ""


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether it is the file that is not as SQLite left it, and not the disk or the rights that are in the way."""
    code = getattr(error, "sqlite_errorcode", None)
    damage = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
    unread = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
    return code is None or code in unread or (code & 0xFF) in damage


def _damage(
    file: sqlite3.Connection, own: Own, tell: Callable[[str], None] = lambda said: None, whole: bool = True
) -> str:
    """What SQLite, and the reader of records, find wrong: in the `whole` file, or in what the next match needs."""
    problem = _damage_anywhere(file) if whole else ""
    if problem:
        return problem
    has_settings = file.execute("SELECT 1 FROM sqlite_master WHERE name = 'setting'").fetchone()
    for table, column in [("match", "header"), *([("setting", "value")] if has_settings else [])]:
        if file.execute(f"SELECT 1 FROM {table} WHERE typeof({column}) != 'text' LIMIT 1").fetchone():
            return Phrase("a {column} is no text", column=Phrase(column))
    merged = "WHERE ? || number NOT IN (SELECT key FROM setting)" if has_settings else "WHERE ? != ''"
    row = file.execute(f"SELECT number, header FROM match {merged} ORDER BY number DESC LIMIT 1", (MERGED,)).fetchone()
    if row is None:
        return ""
    try:
        if own is not None or not unreadable(row[1]):  # else it is left behind, and no damage
            stood = _as_it_stood(file, written_in(file, *row), row[0], tell)
            take_up(row[1].split("\n") if own is None else own, stood)
    except DamagedError as error:
        return error.problem
    return ""


def _damage_anywhere(file: sqlite3.Connection) -> str:
    """What SQLite finds wrong with the file, and whether every match has all its lines."""
    found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        return Phrase("SQLite finds {found!r}", found=" ".join(str(found).split()))
    row = file.execute(  # in one go, for it is what a start spends the most of its time on
        "SELECT total(typeof(text) != 'text') AS others FROM line GROUP BY match"
        " HAVING count(*) != max(number) OR min(number) != 1 OR others LIMIT 1"
    ).fetchone()
    if row is not None:
        return Phrase("a {column} is no text", column="text") if row[0] else Phrase("a line of a match is missing")
    return ""


def _as_it_stood(file: sqlite3.Connection, match: Written, number: int, tell: Callable[[str], None]) -> Written:
    """The match with its stands, if they stand behind these very lines; else they are thrown away, and it is told: the
    lines are not those that were written, and how they were nobody knows.
    """
    if are_behind(file, number, match.header, match.stands):
        return match
    tell(Phrase("entries of match {number} are not as they were written; they are taken as they are", number=number))
    with suppress(sqlite3.Error):  # a copy is not written to
        file.execute("DELETE FROM stand WHERE match = ?", (number,))
        file.commit()
    return match._replace(stands=())


# What comes in its place


def _replace(path: Path, copies: list[Path], problem: str, own: Own, tell: Callable[[str], None]) -> None:
    copy = next((copy for copy in copies if _is_good(copy, own)), None)
    if copy is None and not path.exists():
        return
    if not copies and path.read_bytes()[: len(MAGIC)] != MAGIC:
        raise JournalError(Phrase("{path}: {why}; expected a journal that can be written", path=path, why=problem))
    fresh = path.with_name(f"{path.name}.restoring")
    held = _entries(path)
    aside = path.with_name(f"{path.name}.damaged-{_stamp()}")
    try:
        salvaged = _salvaged(path, fresh, copies if copy is not None else [], own)
        if salvaged is not None:
            copy = None
        kept = _prepare(fresh, copy, held, aside.name, _first_free(path), salvaged is not None)
        _set_aside(path, aside)
        if copy is None and not any(_is_good(one, own) for one in copies):
            for one in copies:  # else what they hold would be missed at the next start
                one.rename(f"{aside}{one.name.removeprefix(path.name)}")
        fresh.replace(path)
        sync(path.parent)
    finally:
        for left in (fresh, Path(f"{fresh}-journal")):
            left.unlink(missing_ok=True)
    happened: str = Phrase("a new one is begun")
    if salvaged is not None:
        happened = salvaged.words()
    if copy is not None:
        happened = Phrase("its copy {copy} of {when} has taken its place", copy=copy.name, when=_when(copy))
    if (copy is not None or salvaged is not None) and held is not None:
        lost = max(0, held - kept)
        happened = Phrase("{happened}; of {held} entries {lost} are lost", happened=happened, held=held, lost=lost)
    tell(
        Phrase(
            "{path}: the journal is damaged ({problem}); it is set aside as {aside}; {happened}",
            path=path,
            problem=problem,
            aside=aside.name,
            happened=happened,
        )
    )


def _salvaged(path: Path, fresh: Path, copies: list[Path], own: Own) -> Salvaged | None:
    """What was left out of the fresh file, if it has the rest of a journal, and all that its copies hold."""
    fresh.unlink(missing_ok=True)
    salvaged = salvage(path, fresh, own) if path.exists() else None
    if salvaged is None:
        return None
    with closing(sqlite3.connect(connect_uri(fresh, "mode=rw"), uri=True)) as file:
        well = not _damage(file, own) and lacking(file, copies) is None
    return salvaged if well else None


def _set_aside(path: Path, aside: Path) -> None:
    """Rename a journal and then its newest part, in this order: without that it would seem whole."""
    wal, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    if path.exists():
        path.rename(aside)
    if wal.exists() and wal.stat().st_size:
        wal.rename(f"{aside}-wal")
    for empty in (wal, shared):  # the second one SQLite makes anew from the first
        empty.unlink(missing_ok=True)


def _is_good(copy: Path, own: Own) -> bool:
    if not is_sound(copy):
        return False
    try:
        with closing(sqlite3.connect(connect_uri(copy, "mode=ro&immutable=1"), uri=True)) as file:
            return 0 <= file.execute("PRAGMA user_version").fetchone()[0] <= VERSION and not _damage(file, own)
    except FAULTS:
        return False


def _first_free(path: Path) -> int:
    """The number that no match had whose record was exported beside this journal: none of them is written over."""
    records = (re.fullmatch(r"match-(\d+)(?:-left)?\.ctr", record.name) for record in path.parent.iterdir())
    return 1 + max((int(found[1]) for found in records if found), default=0)


def _prepare(fresh: Path, copy: Path | None, held: int | None, aside: str, first_free: int, salvaged: bool) -> int:
    """Write what is to be the journal, unless it is there already; gives its entries."""
    if not salvaged:
        fresh.unlink(missing_ok=True)
    if copy is not None:
        shutil.copyfile(copy, fresh)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as file:
        bring_up(file)
        entries = int(file.execute("SELECT count(*) FROM line").fetchone()[0])
        note = {"entries": entries, "lost": None if held is None else max(0, held - entries),
                "copy": copy.name if copy is not None else None, "aside": aside, "kept": salvaged}  # fmt: skip
        file.execute("DELETE FROM stand")  # whether they fit is found out at the start after this one
        file.execute("DELETE FROM setting WHERE key = ?", (SUM,))
        settings = [(RESTORED, json.dumps(note)), (NEXT, str(first_free))]
        file.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", settings)
    sync(fresh)
    return entries


def _entries(path: Path) -> int | None:
    """How many entries a damaged journal seems to have; None: that cannot be told."""
    try:
        with closing(sqlite3.connect(connect_uri(path), uri=True)) as file:
            return len(file.execute("SELECT match, number, text FROM line").fetchall())
    except FAULTS:
        return None


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S.%f")


def _when(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")
