"""A backup of a table in one file: its journal, its decks and its table file, with a manifest of sizes and sums."""

import json
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from firmware.decks import Kept, Shelf
from firmware.errors import TableError
from firmware.generations import FAULTS, connect_uri
from firmware.journal_reading import read_journal
from firmware.schema import VERSION
from firmware.storage import Disk, Storage
from hal.small_files import read_small

FORMAT, FORMAT_VERSION = "tableref-backup", 1
MANIFEST, JOURNAL, TABLE = "manifest.json", "journal.db", "table.toml"
LARGEST = 64 * 1024 * 1024
"""Bytes of a backup, and of all that it holds."""
MOST_FILES = 40
LARGEST_MANIFEST = 32 * 1024
_DECK = re.compile(r"decks/([A-Za-z0-9][A-Za-z0-9_.-]{0,60}\.csv)", re.ASCII)
_SUM = re.compile(r"[0-9a-f]{64}", re.ASCII)


class BackupError(TableError, ValueError):
    """What is no backup, or none for this table; its text says what was expected."""


class Places(NamedTuple):
    """Where the files of a table lie: of its decks those that have files."""

    journal: Path
    table: Path | None = None
    decks: tuple[Kept, ...] = ()
    folder: Path | None = None
    """Where further decks go; None: there can be none."""

    @classmethod
    def of(cls, journal: Path, table: Path | None, kept: tuple[Kept, ...], shelf: Shelf) -> "Places":
        """The places of a table that runs."""
        return cls(journal, table, tuple(one for one in kept if one.path is not None), shelf.folder)

    def target(self, name: str) -> Path | None:
        """Where a file of a backup belongs: told by the table, never by the backup. None: nowhere."""
        if name == JOURNAL:
            return self.journal
        if name == TABLE:
            return self.table
        own = {deck_name(kept, number): kept.path for number, kept in enumerate(self.decks, 1)}
        if name in own:
            return own[name]
        found = _DECK.fullmatch(name)
        return self.folder / found[1] if found is not None and self.folder is not None else None


def deck_name(kept: Kept, number: int) -> str:
    """What the file of a deck is called in a backup."""
    name = f"decks/{kept.path.name if kept.path is not None else f'{kept.name}.csv'}"
    return name if _DECK.fullmatch(name) else f"decks/deck-{number}.csv"


def write_backup(places: Places, out: BinaryIO, storage: Storage | None = None) -> None:
    """Write a backup; the journal is copied as it is at one moment, while the table writes on. Raises OSError and
    `sqlite3.Error`.
    """
    files: dict[str, bytes] = {}
    with TemporaryDirectory(prefix="tableref-") as folder:
        copy = Path(folder) / JOURNAL
        (storage or Disk()).copy(places.journal, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as file:
            file.execute("PRAGMA journal_mode = DELETE")
        files[JOURNAL] = copy.read_bytes()
    if places.table is not None:
        files[TABLE] = read_small(places.table)
    for number, kept in enumerate(places.decks, 1):
        files[deck_name(kept, number)] = kept.text.encode()
    listed = {name: {"size": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()}
    made = datetime.now(UTC).isoformat(timespec="seconds")
    manifest = {"format": FORMAT, "version": FORMAT_VERSION, "made": made, "files": listed}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        for name, data in files.items():
            archive.writestr(name, data)


def read_backup(data: bytes, places: Places) -> dict[str, bytes]:
    """The files of a backup by name, each as its manifest says, and each with a place at this table. Raises
    `BackupError`, and nothing is touched.
    """
    if len(data) > LARGEST:
        raise BackupError("the backup is too large")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            listed = _listed(archive)
            files = {name: _file(archive, name, *facts) for name, facts in listed.items()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, UnicodeError, KeyError) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError("no backup; expected a ZIP file that this program has made") from None
    except (ValueError, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
        if isinstance(error, BackupError):
            raise
        raise BackupError("the backup is damaged") from None
    for name in files:
        if places.target(name) is None:
            raise BackupError(f"{name} has no place at this table")
    _check(files)
    return files


def _listed(archive: zipfile.ZipFile) -> Mapping[str, tuple[int, str]]:
    """What the manifest lists, which is all that is there."""
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if len(infos) > MOST_FILES or len({*names}) != len(names) or MANIFEST not in names:
        raise BackupError("no backup; expected one manifest, and each file once")
    manifest = json.loads(_read(archive, MANIFEST, LARGEST_MANIFEST))
    match manifest:
        case {"format": "tableref-backup", "version": 1, "files": dict() as files}:
            pass
        case _:
            raise BackupError("a manifest of another program or version")
    if {*files} != {*names} - {MANIFEST} or JOURNAL not in files:
        raise BackupError("the manifest does not list what is there; expected a journal, and all other files")
    listed: dict[str, tuple[int, str]] = {}
    for name, facts in files.items():
        match facts:
            case {"size": int() as size, "sha256": str() as total} if 0 <= size <= LARGEST and _SUM.fullmatch(total):
                listed[name] = (size, total)
            case _:
                raise BackupError(f"the manifest has no size and sum of {name}")
    if sum(size for size, _ in listed.values()) > LARGEST:
        raise BackupError("the backup is too large")
    return listed


def _file(archive: zipfile.ZipFile, name: str, size: int, total: str) -> bytes:
    data = _read(archive, name, size)
    if len(data) != size or sha256(data).hexdigest() != total:
        raise BackupError(f"{name} is not as the manifest says")
    return data


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file, read no further than a byte behind what it may have: a few bytes can unpack to any number."""
    with archive.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BackupError(f"{name} is larger than the manifest says")
    return data


def _check(files: Mapping[str, bytes]) -> None:
    """Whether the journal is one, and whole."""
    with TemporaryDirectory(prefix="tableref-") as folder:
        path = Path(folder) / JOURNAL
        path.write_bytes(files[JOURNAL])
        try:
            read_journal(path)
            with closing(sqlite3.connect(connect_uri(path), uri=True)) as file:
                found = file.execute("PRAGMA integrity_check(1)").fetchone()[0]
                version = file.execute("PRAGMA user_version").fetchone()[0]
        except (TableError, *FAULTS):
            raise BackupError("its journal is damaged, or none") from None
    if found != "ok" or not 0 < version <= VERSION:
        raise BackupError("its journal is damaged, or of another version")
    _check_texts(data for name, data in files.items() if name != JOURNAL)


def _check_texts(texts: Iterable[bytes]) -> None:
    for text in texts:
        try:
            text.decode()
        except UnicodeDecodeError:
            raise BackupError("a deck or a table file that is no text") from None
