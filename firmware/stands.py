"""How a match stood behind one of its lines, kept beside them: a start rules on what was entered after that alone.

The lines stay the truth, and nothing is in a stand that they do not say. It holds for the lines whose digest it
carries, as the program ruled on them that wrote it; where either is another, everything is ruled on anew.
"""

import json
import sys
from collections.abc import Callable, Iterable
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


Read = Callable[[int, int], list[str]]
"""Reads the entries of a match behind so many, and up to so many."""


class Stand(NamedTuple):
    """As the journal keeps it: behind so many lines of the match, with the digest of those; what it tells; and the
    digest of all that.
    """

    line: int
    lines: str
    told: str
    whole: str


class Stood(NamedTuple):
    """What a stand tells: the match, but for its last deal; how many entries were accepted and how many deals dealt;
    how many results the match has had; the names that it began with; how many lines its record had.
    """

    match: Match
    entries: int
    deals: int
    revision: int
    names: tuple[str, ...]
    lines: int

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


_MARK = "\x1f"
_DEAL = f"{_MARK}deal"


class Lines:
    """The digest of a match's header and of one line after the other, as it grows. It goes on from deal to deal: with
    that of what was before a deal it is made without any of those lines.
    """

    def __init__(self, before: bytes, since: bytes | None = b"") -> None:
        self._before = before
        self._since = since  # None: nothing was hashed since, and a deal comes next

    @classmethod
    def of(cls, header: str) -> "Lines":
        """Of a match that has no lines yet."""
        return cls(sha256(header.encode(errors="surrogatepass")).digest())

    @classmethod
    def behind(cls, stand: Stand) -> "Lines":
        """Of the lines before a stand, behind which a deal follows."""
        return cls(bytes.fromhex(stand.lines), None)

    def and_(self, *texts: str) -> "Lines":
        """The digest of these lines, too."""
        first, *deals = "".join([f"{_MARK}{text}" for text in texts]).split(_DEAL)
        lines = Lines(self._before, (self._since or b"") + first.encode(errors="surrogatepass")) if first else self
        for deal in deals:
            lines = Lines(lines.digest(), f"{_DEAL}{deal}".encode(errors="surrogatepass"))
        return lines

    def digest(self) -> bytes:
        """The digest."""
        return self._before if self._since is None else sha256(self._before + self._since).digest()

    def stand(self, line: int, told: str) -> Stand:
        """A stand behind these lines."""
        lines = self.digest().hex()
        return Stand(line, lines, told, _whole(line, lines, told))


def _whole(line: int, lines: str, told: str) -> str:
    return sha256(f"{line}{_MARK}{lines}{_MARK}{told}".encode(errors="surrogatepass")).hexdigest()


def sound(rows: Iterable[tuple[object, ...]]) -> list[Stand]:
    """The stands among what a journal holds of a match that are as they were written. Whether the lines before them are
    the same is another question.
    """
    found = [Stand(*row) for row in rows if tuple(map(type, row)) == (int, str, str, str)]  # type: ignore[arg-type]
    return [stand for stand in sorted(found) if stand.whole == _whole(*stand[:3])]


def before_deals(stands: Iterable[Stand], read: Read) -> tuple[Stand, ...]:
    """Those behind which a deal follows: there a match is taken up."""
    return tuple(one for one in stands if any(text.startswith("deal") for text in read(one.line, one.line + 1)))


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


def stand_text(stood: Stood) -> str:
    """What a stand is to tell; empty where none can be kept."""
    match = stood.match
    program = program_of(match.table.game)
    if not program:
        return ""
    values = {
        "format": FORMAT, "program": program, "entries": stood.entries, "deals": stood.deals,
        "revision": stood.revision, "began": stood.names, "lines": stood.lines,
        "standing": match.standing.value, "scores": match.scores, "names": match.names,
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
        return Stood(match, values["entries"], values["deals"], values["revision"], tuple(values["began"]),
                     values["lines"])  # fmt: skip
    except (ValueError, KeyError, TypeError):
        return None


def _fact(value: Any) -> Fact:
    return tuple(map(_fact, value)) if isinstance(value, list) else value  # type: ignore[return-value]
