"""The tables of a journal, and how one that an older program has left becomes one of today.

What there is in a file is looked at table by table and column by column: programs of one version have left several.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from engine.phrases import Phrase
from firmware.errors import JournalError
from firmware.generations import FAULTS, connect_uri, sync
from firmware.storage import Storage

VERSION = 5
TABLES = """
CREATE TABLE IF NOT EXISTS match (
    number INTEGER PRIMARY KEY, header TEXT NOT NULL, wall_time REAL NOT NULL, clock INTEGER
);
CREATE TABLE IF NOT EXISTS line (
    match INTEGER NOT NULL REFERENCES match (number), number INTEGER NOT NULL, text TEXT NOT NULL,
    wall_time REAL NOT NULL, clock INTEGER, PRIMARY KEY (match, number)
);
CREATE TABLE IF NOT EXISTS note (
    number INTEGER PRIMARY KEY, match INTEGER NOT NULL, line INTEGER NOT NULL, device TEXT NOT NULL,
    tag TEXT NOT NULL, what TEXT NOT NULL, wall_time REAL NOT NULL,
    look INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS stand (
    match INTEGER NOT NULL, line INTEGER NOT NULL, lines TEXT NOT NULL, told TEXT NOT NULL, whole TEXT NOT NULL,
    PRIMARY KEY (match, line)
);
CREATE INDEX IF NOT EXISTS comment ON line (match, number) WHERE text GLOB '#*';
"""
"""`wall_time` is in seconds since 1970; `clock` says whether the clock on the wall was set then: 1, 0, or NULL where an
older program has not looked. `stand` says how a match stood behind one of its lines (`firmware.stands`): nothing that
the lines do not say, so it may go.
"""
SCHEMA = f"BEGIN IMMEDIATE;{TABLES}PRAGMA user_version = {VERSION};\nCOMMIT;\n"
_LATER = (
    ("note", "look", "INTEGER NOT NULL DEFAULT 0"),
    ("match", "clock", "INTEGER"),
    ("line", "clock", "INTEGER"),
)
"""Columns that older programs did not write."""


class NewerError(JournalError):
    """A journal that a newer program has written; nothing in it was touched."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            Phrase(
                "{path}: version {version} of the journal, of a newer program; this one knows {known}, and has left it "
                "untouched",
                path=path,
                version=version,
                known=VERSION,
            )
        )


def version_in(path: Path) -> int:
    """The version of a journal, 0 for an empty file or none; the file is only read. Raises `FAULTS`."""
    if not path.is_file() or not path.stat().st_size:
        return 0
    with closing(sqlite3.connect(connect_uri(path), uri=True)) as file:
        return int(file.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(path: Path) -> None:
    """Raise `NewerError` for a journal that a newer program has written. What cannot be read is left to others."""
    try:
        version = version_in(path)
    except FAULTS:
        return
    if version > VERSION:
        raise NewerError(path, version)


def tables_in(file: sqlite3.Connection) -> frozenset[str]:
    """The tables of a file."""
    return frozenset(name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))


def tables_of_today() -> frozenset[str]:
    """The tables that a journal of this version has."""
    return frozenset(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", TABLES))


def columns_in(file: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none where there is no such table."""
    return frozenset(row[1] for row in file.execute(f"PRAGMA table_info({table})"))


def is_current(file: sqlite3.Connection) -> bool:
    """Whether nothing needs to be written to make it a journal of this version."""
    return int(file.execute("PRAGMA user_version").fetchone()[0]) == VERSION


def bring_up(file: sqlite3.Connection) -> None:
    """Make a file of any older version, or an empty one, a journal of this version: all of it or nothing. Raises
    `FAULTS`. Not to be called within a transaction.
    """
    file.execute("BEGIN IMMEDIATE")
    try:
        for statement in TABLES.split(";"):
            file.execute(statement)
        for table, column, kind in _LATER:
            if column not in columns_in(file, table):
                file.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        file.execute(f"PRAGMA user_version = {VERSION}")
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise


def kept_as(path: Path, version: int) -> Path:
    """Where a journal of an older version is kept when it is brought up."""
    return path.with_name(f"{path.name}.version-{version}")


def keep_older(path: Path, version: int, storage: Storage) -> Path:
    """Keep a journal of an older version as it is, beside it: whole and on disk. One that is kept already stays, be it
    this one, where the bringing up was cut short, or another. Gives where. Raises `FAULTS`.
    """
    fresh = path.with_name(f"{path.name}.keeping")
    for left in (fresh, Path(f"{fresh}-journal")):
        left.unlink(missing_ok=True)
    storage.copy(path, fresh)
    sync(fresh)
    kept, more = kept_as(path, version), 1
    while kept.exists() and kept.read_bytes() != fresh.read_bytes():
        more += 1
        kept = path.with_name(f"{kept_as(path, version).name}-{more}")
    fresh.replace(kept)
    sync(path.parent)
    return kept
