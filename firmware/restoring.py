"""A backup takes the place of what a table has: staged whole beside the journal, and taken up at the next start.

Nothing that is there is written over: it is set aside. A start that is cut short is gone on with at the next.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from engine.phrases import Phrase, reason
from firmware.backup import JOURNAL, Places
from firmware.errors import JournalError
from firmware.generations import KEPT, generation, sync
from firmware.journal import one_line
from firmware.journal_lock import JournalLock
from firmware.output import complain

PLAN = "plan.json"


def staged(journal: Path) -> Path:
    """The folder in which a backup waits for the next start."""
    return journal.with_name(f"{journal.name}.restore")


def stage(files: Mapping[str, bytes], places: Places) -> None:
    """Have the files of a backup (`firmware.backup.read_backup`) wait, all of them on disk, or none. Raises OSError."""
    journal = places.journal.resolve()
    fresh, folder = journal.with_name(f"{journal.name}.restore-new"), staged(journal)
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    plan = []
    for number, (name, data) in enumerate(files.items()):
        target = places.target(name)
        assert target is not None
        kept = fresh / f"{number}"
        kept.write_bytes(data)
        sync(kept)
        plan.append([f"{number}", name, str(target.resolve()), sha256(data).hexdigest()])
    (fresh / PLAN).write_text(json.dumps({"stamp": _stamp(), "files": plan}), encoding="utf-8")
    sync(fresh / PLAN)
    sync(fresh)
    old = journal.with_name(f"{journal.name}.restore-old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():  # a backup that was not taken up yet; as a whole it goes out of the way
        folder.rename(old)
    fresh.rename(folder)
    sync(journal.parent)
    shutil.rmtree(old, ignore_errors=True)


def take_up_backup(journal: Path, tell: Callable[[str], None] = complain) -> None:
    """Put a staged backup into its place, before anything of the table is read; one that is damaged is set aside, and
    play goes on with what there is. Raises `JournalError` where it cannot be done, or another table has the journal.
    """
    journal = journal.resolve()
    folder = staged(journal)
    if not (folder / PLAN).is_file():
        return
    lock = JournalLock(journal) if journal.exists() else None
    try:
        plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        waiting = [(folder / kept, name, Path(target), total) for kept, name, target, total in plan["files"]]
        for kept, name, _, total in waiting:
            if kept.exists() and sha256(kept.read_bytes()).hexdigest() != total:
                raise ValueError(f"{name} is not as it was staged")
        for kept, name, target, _ in sorted(waiting, key=lambda one: one[1] == JOURNAL):
            if kept.exists():  # else it was moved before the start was cut short
                _set_aside(target, plan["stamp"], journal=name == JOURNAL)
                _move(kept, target)
        (folder / PLAN).unlink()
        shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise JournalError(
            Phrase("{path}: {why}; expected a backup that can be restored", path=folder, why=reason(error))
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        aside = folder.with_name(f"{folder.name}.damaged-{_stamp()}")
        folder.rename(aside)
        sync(journal.parent)
        said = Phrase(
            "{path}: the backup that was to be restored is damaged ({why}); it is set aside as {aside}; play goes on "
            "with what there is",
            path=folder,
            why=one_line(error),
            aside=aside.name,
        )
        tell(said)
        return
    finally:
        if lock is not None:
            lock.close()
    tell(Phrase("{path}: a backup was restored; what was there is kept as {aside}", path=journal,
                aside=f"*.before-{plan['stamp']}"))  # fmt: skip


def _set_aside(target: Path, stamp: str, *, journal: bool) -> None:
    """Keep what lies in a place under another name; of a journal its newest part and its copies, too."""
    parts = [target]
    if journal:
        parts += [Path(f"{target}-wal"), *(generation(target, number) for number in range(1, KEPT + 1))]
        Path(f"{target}-shm").unlink(missing_ok=True)
    for part in parts:
        suffix = part.name.removeprefix(target.name)
        aside = target.with_name(f"{target.name}.before-{stamp}{suffix}")
        if part.exists() and not aside.exists():
            part.rename(aside)


def _move(kept: Path, target: Path) -> None:
    """Across file systems too: whole, or not at all."""
    fresh = target.with_name(f"{target.name}.restoring")
    shutil.copyfile(kept, fresh)
    sync(fresh)
    fresh.replace(target)
    sync(target.parent)
    kept.unlink()


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
