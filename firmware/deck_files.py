"""The files of a table's decks, looked at while it runs: a command, or a person, may have changed one meanwhile."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from firmware.deck import read_text
from firmware.decks import Kept, check_apart, load
from firmware.errors import FileError

_Mark = tuple[int, int, int]


class Reread(NamedTuple):
    """A deck whose file is another one by now: as it is there, or None where that cannot be used and the old stays."""

    name: str
    path: Path
    kept: Kept | None


class DeckFiles:
    """Knows which files were looked at as they are. A file is read where its date or its size is another."""

    def __init__(self) -> None:
        self._marks: dict[Path, _Mark | None] = {}

    def changed(self, decks: Iterable[Kept]) -> list[Reread]:
        """What has changed since these decks were read or written, each change once. Waits for the disk."""
        found, now = [], list(decks)
        for place, kept in enumerate(now):
            if kept.path is None or not self._is_other(kept.path):
                continue
            others = now[:place] + now[place + 1 :]
            try:
                if read_text(kept.path) == kept.text:
                    continue
                fresh = load(kept.path)
                for other in others:
                    check_apart(fresh, other)
            except (FileError, OSError):
                found.append(Reread(kept.name, kept.path, None))
                continue
            usable = fresh.name == kept.name
            found.append(Reread(kept.name, kept.path, fresh if usable else None))
            now[place] = fresh if usable else kept
        return found

    def _is_other(self, path: Path) -> bool:
        """Whether a file is not the one that was looked at last."""
        try:
            state = path.stat()
            mark: _Mark | None = (state.st_mtime_ns, state.st_size, state.st_ino)
        except OSError:
            mark = None
        if path in self._marks and self._marks[path] == mark:
            return False
        self._marks[path] = mark
        return True
