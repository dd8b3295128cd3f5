"""How a match stood behind one of its lines, kept beside them: a start rules on what was entered after that alone.

The lines stay the truth, and nothing is in a stand that they do not say. It holds for the lines whose digest it
carries, as the program ruled on them that wrote it; where either is another, everything is ruled on anew.
"""

import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import engine
from engine.game import Game
from engine.match import Match, Standing, Table
from engine.values import Fact, Irregularity, Notice

FORMAT = 1
KEPT = 3
"""Stands of a match that are kept, the newest ones."""


class Stand(NamedTuple):
    """As the journal keeps it: behind which line, the digest of the match's header, its lines so far and `told`, and
    what it tells.
    """

    line: int
    digest: str
    told: str


class Stood(NamedTuple):
    """What a stand tells: the match, but for its last deal; how many entries were accepted and how many deals dealt;
    how many results the match has had; the names that it began with.
    """

    match: Match
    entries: int
    deals: int
    revision: int
    names: tuple[str, ...]

    @property
    def over(self) -> bool:
        """Whether the match was over: nothing is taken up there, for its last deal is still to be seen."""
        return self.match.standing is Standing.OVER


class Results:
    """Counts the results of a match: one each time that it comes to its end, and one for each change of it there."""

    def __init__(self, revision: int = 0, match: Match | None = None) -> None:
        self.revision = revision
        self._result = _result(match) if match is not None else None

    def take(self, match: Match) -> None:
        """Look at the match after an entry."""
        result = _result(match)
        if result is not None and result != self._result:
            self.revision += 1
        self._result = result


def _result(match: Match) -> tuple[object, ...] | None:
    return (match.scores, match.winners, match.voided) if match.standing is Standing.OVER else None


class Lines:
    """The digest of a match's header and of one line after the other, as it grows."""

    def __init__(self, header: str) -> None:
        self._sum = sha256(header.encode())

    def and_(self, *texts: str) -> "Lines":
        """The digest of these lines, too."""
        more = Lines("")
        more._sum = self._sum.copy()
        for text in texts:
            more._sum.update(b"\0" + text.encode())
        return more

    def with_told(self, told: str) -> str:
        """The digest of a stand behind these lines."""
        total = self._sum.copy()
        total.update(b"\0\0" + told.encode())
        return total.hexdigest()


def fits(stand: Stand, header: str, texts: Sequence[str]) -> bool:
    """Whether a stand is of this match, with these lines before it."""
    if not 0 <= stand.line <= len(texts):
        return False
    lines = "\0".join([header, *texts[: stand.line]])
    return sha256(f"{lines}\0\0{stand.told}".encode(errors="surrogatepass")).hexdigest() == stand.digest


def program_of(game: Game) -> str:
    """What tells this program's rules of a game from those of any other; empty where that cannot be told."""
    return _program(type(game).__module__)


@lru_cache
def _program(module: str) -> str:
    own = getattr(sys.modules.get(module), "__file__", None)
    folders = {Path(file).parent for file in (engine.__file__, __file__, own) if file}
    paths = sorted(path for folder in folders for path in _sources(folder))
    if own is None or not any(path.parent == Path(own).parent for path in paths):
        return ""
    total = sha256(sys.version.encode())
    for path in paths:
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def _sources(folder: Path) -> list[Path]:
    if folder == Path(__file__).parent:
        return [folder / "taking_up.py", Path(__file__)]
    return list(folder.rglob("*.py"))


def stand_text(match: Match, entries: int, deals: int, revision: int, names: tuple[str, ...]) -> str:
    """What a stand is to tell; empty where none can be kept."""
    program = program_of(match.table.game)
    if not program:
        return ""
    values = {
        "format": FORMAT, "program": program, "entries": entries, "deals": deals, "revision": revision,
        "began": names, "standing": match.standing.value, "scores": match.scores, "names": match.names,
        "dealer": match.dealer, "next": match.next_dealer, "complete": match.deals, "winners": match.winners,
        "voided": match.voided, "step": match.step,
        "irregularities": [(noted.step, noted.notice.code, noted.notice.facts, noted.accepted)
                           for noted in match.irregularities],
    }  # fmt: skip
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def stood(stand: Stand, table: Table, whoever: bool = False) -> Stood | None:
    """What a stand tells of a match at this table; None for one of another program, unless `whoever` ruled will do."""
    try:
        values: dict[str, Any] = json.loads(stand.told)
        if values["format"] != FORMAT or not (whoever or values["program"] == program_of(table.game)):
            return None
        irregularities = tuple(
            Irregularity(step, Notice(code, tuple((key, _fact(fact)) for key, fact in facts)), accepted)
            for step, code, facts, accepted in values["irregularities"]
        )
        match = Match(table, Standing(values["standing"]), tuple(values["scores"]), tuple(values["names"]), None,
                      values["dealer"], values["next"], values["complete"], tuple(values["winners"]), values["voided"],
                      irregularities, (), values["step"])  # fmt: skip
        return Stood(match, values["entries"], values["deals"], values["revision"], tuple(values["began"]))
    except (ValueError, KeyError, TypeError):
        return None


def _fact(value: Any) -> Fact:
    return tuple(map(_fact, value)) if isinstance(value, list) else value  # type: ignore[return-value]
