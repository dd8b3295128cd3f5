"""Backups of a table in a folder: numbered, for the clock of a table may be wrong, and the newest ones kept.

A backup is looked through before it gets its name, so a damaged journal pushes out no good backup; and one that would
be as the newest one is not made, so a table that is switched on and off without a game pushes out none either.
"""

import json
import os
import re
import zipfile
from io import BytesIO
from pathlib import Path

from firmware.backup import MANIFEST, Places, read_backup, write_backup
from firmware.generations import sync
from firmware.storage import Storage

_NAME = re.compile(r"tableref-(\d{6,})\.zip", re.ASCII)
_UNFINISHED = ".tableref-unfinished.zip"


def backups(folder: Path) -> list[Path]:
    """The backups in a folder, the newest one first."""
    return [path for _, path in _numbered(folder)]


def _numbered(folder: Path) -> list[tuple[int, Path]]:
    found = [
        (int(named[1]), path) for path in folder.iterdir() if (named := _NAME.fullmatch(path.name)) and path.is_file()
    ]
    return sorted(found, reverse=True)


def keep_backup(places: Places, folder: Path, keep: int, storage: Storage | None = None) -> Path | None:
    """Write a backup into a folder, whole or not at all, and remove all but the newest `keep`. None: nothing has
    changed since the newest one.

    The table may be running. Raises `BackupError` for a journal that is damaged, OSError, and `sqlite3.Error`.
    """
    out = BytesIO()
    write_backup(places, out, storage)
    data = out.getvalue()
    read_backup(data, places)
    folder.mkdir(parents=True, exist_ok=True)
    before = _numbered(folder)
    if before and _listed(before[0][1].read_bytes()) == _listed(data):
        return None
    number = before[0][0] + 1 if before else 1
    unfinished, path = folder / _UNFINISHED, folder / f"tableref-{number:06}.zip"
    unfinished.write_bytes(data)
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.rename(path)
    sync(folder)
    whole = [old for old in backups(folder) if _listed(old.read_bytes()) is not None]  # what is damaged pushes none out
    for old in whole[max(keep, 1) :]:
        old.unlink()
    return path


def _listed(data: bytes) -> object:
    """What a manifest lists; None for what is no backup."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            manifest = json.loads(archive.read(MANIFEST))
        return manifest["files"]
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError):
        return None
