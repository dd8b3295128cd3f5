"""What can be read of a damaged journal is kept: one match, or one entry, that cannot be read costs no other."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from engine.phrases import Phrase
from firmware.errors import DamagedError
from firmware.generations import FAULTS, connect_uri
from firmware.journal import MERGED
from firmware.schema import bring_up
from firmware.setups import unreadable
from firmware.taking_up import take_up, written

Own = list[str] | None
"""The header of the table's own matches; None: players agree on what is played, and any match can be taken up."""


class Salvaged(NamedTuple):
    """What of a damaged journal is not in the one that took its place: matches by number, each with its first entry
    that was left out; 0: all of it. And how many settings.
    """

    left_out: tuple[tuple[int, int], ...]
    settings: int = 0

    def words(self) -> str:
        """The same for the log."""
        said = [Phrase("match {number} from its entry {entry} on", number=number, entry=entry) if entry else
                Phrase("match {number}", number=number) for number, entry in self.left_out]  # fmt: skip
        if self.settings:
            said.append(Phrase("{count} settings", count=self.settings))
        return Phrase("what can be read is kept, all but {left}", left=_joined(said))


def _joined(said: list[Phrase]) -> str:
    text: str = said[0]
    for more in said[1:]:
        text = Phrase("{one}, {other}", one=text, other=more)
    return text


def salvage(path: Path, fresh: Path, own: Own) -> Salvaged | None:
    """Write what can be read of a journal into a fresh file; None where SQLite itself finds it damaged, and where
    nothing would be left out, or nothing kept.
    """
    try:
        with (
            closing(sqlite3.connect(connect_uri(path, "mode=rw"), uri=True)) as file,
            closing(sqlite3.connect(fresh, isolation_level=None)) as kept,
        ):
            if file.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return None
            file.backup(kept)
            kept.execute("PRAGMA journal_mode = DELETE")
            bring_up(kept)
            wrong = "DELETE FROM setting WHERE typeof(value) != 'text' OR typeof(key) != 'text'"
            settings = kept.execute(wrong).rowcount
            left_out = [*_cut(kept, None, own), *_cut(kept, _newest(kept), own)]
            if not (left_out or settings) or kept.execute("SELECT count(*) FROM match").fetchone()[0] == 0:
                return None
            return Salvaged(tuple(left_out), settings)
    except FAULTS:
        return None


def _newest(file: sqlite3.Connection) -> int | None:
    """The number of the match that a table takes up."""
    statement = "SELECT max(number) FROM match WHERE ? || number NOT IN (SELECT key FROM setting)"
    number = file.execute(statement, (MERGED,)).fetchone()[0]
    return int(number) if number is not None else None


def _cut(file: sqlite3.Connection, only: int | None, own: Own) -> Iterable[tuple[int, int]]:
    """Take out what is no text or has lost a line before it; of one match alone what cannot be taken up."""
    for number, header in file.execute("SELECT number, header FROM match ORDER BY number").fetchall():
        if only not in (None, number):
            continue
        lines = file.execute("SELECT number, text FROM line WHERE match = ? ORDER BY number", (number,)).fetchall()
        texts = [text for place, (at, text) in enumerate(lines, 1) if at == place and isinstance(text, str)]
        whole = next((n for n, (at, text) in enumerate(lines) if at != n + 1 or not isinstance(text, str)), len(lines))
        if not isinstance(header, str):
            whole = -1
        elif only is not None:
            whole = _followed(header, texts[:whole], own)
        if whole < len(lines):
            file.execute("DELETE FROM line WHERE match = ? AND number > ?", (number, max(whole, 0)))
            if whole <= 0 and only is None:
                file.execute("DELETE FROM match WHERE number = ?", (number,))
            yield number, whole + 1 if whole > 0 else 0


def _followed(header: str, texts: list[str], own: Own) -> int:
    """How many entries of a match can be taken up."""
    least, most = 0, len(texts)
    while least < most:
        middle = (least + most + 1) // 2
        if _can_be_taken_up(header, texts[:middle], own):
            least = middle
        else:
            most = middle - 1
    return least


def _can_be_taken_up(header: str, texts: list[str], own: Own) -> bool:
    if own is None and unreadable(header):
        return True  # of a game that this program has not: left behind as it is
    try:
        take_up(header.split("\n") if own is None else own, written(header, texts))
    except DamagedError:
        return False
    return True
