"""A match is taken up from the lines that a journal holds of it: read as a record, and ruled on entry by entry.

Where the journal tells how it stood between two deals, what was entered before that is read and ruled on only when
somebody asks for it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.entries import Entry
from engine.match import begin
from engine.notation import RecordError
from engine.phrases import Phrase
from engine.record import Record, read_record
from engine.referee import Earlier, Referee
from engine.values import Action
from firmware.errors import DamagedError
from firmware.setups import rules_of
from firmware.stands import Read, Results, Stand, stood

_SCORES = "scores: "
BACK = 2
"""So many deals back a match is taken up: what was shown last, and what is taken back first, is then at hand."""


class Written(NamedTuple):
    """A match as a journal holds it: its header, how many entries, how it stood behind some of them, and what reads
    them.
    """

    header: str
    entries: int
    read: Read
    stands: tuple[Stand, ...] = ()


class TakenUp(NamedTuple):
    """A match that goes on: its referee, how many results it has had, the entries that were read for it, and how many
    others stand before those, in how many lines of the record.
    """

    referee: Referee
    results: Results
    texts: list[str]
    skipped: int = 0
    lines: int = 0


def written(header: str, texts: Sequence[str]) -> Written:
    """A match of which all is at hand."""
    return Written(header, len(texts), lambda first, last: list(texts[first:last]))


def take_up(own: list[str], match: Written) -> TakenUp | None:
    """A match that a journal holds, if its header is the table's `own`, whoever sits there by now: names are no rules,
    and with which scores it began the match itself says. None: it is of another table file.

    Raises `DamagedError` for entries that cannot be read, or cannot follow each other.
    """
    told = match.header.split("\n")
    if rules_of(told) != rules_of(own):
        return None
    head = [line for line in own if not line.startswith(_SCORES)] + [line for line in told if line.startswith(_SCORES)]
    for stand in match.stands[-BACK:]:
        try:
            taken = _from_stand(head, match, stand)
        except DamagedError:
            break  # as a whole it is told what is wrong
        if taken is not None:
            return taken
    texts = match.read(0, match.entries)
    referee, results = _ruled(head, texts)
    return TakenUp(referee, results, texts)


def _from_stand(head: list[str], match: Written, stand: Stand) -> TakenUp | None:
    texts = match.read(stand.line, match.entries)
    record = _read(head, texts)
    found = stood(stand, record.table)
    if found is None or found.over or found.names != record.names:
        return None
    referee = Referee(found.match, earlier(head, match.read, stand.line, found.entries, found.deals))
    results = Results(found.revision, found.match)
    _rule(referee, results, record)
    return TakenUp(referee, results, texts, stand.line, found.lines)


def earlier(head: list[str], read: Read, line: int, entries: int, deals: int) -> Earlier:
    """What is before a deal: in so many lines of the journal, of which so many entries were accepted."""
    return Earlier(entries, deals, lambda: _ruled(head, read(0, line))[0])


def _ruled(head: list[str], texts: list[str]) -> tuple[Referee, Results]:
    record, results = _read(head, texts), Results()
    referee = Referee(begin(record.table, record.scores, record.names))
    _rule(referee, results, record)
    return referee, results


def _read(head: list[str], texts: list[str]) -> Record:
    try:
        return read_record("\n".join([*head, *texts]) + "\n")
    except RecordError as error:
        problem = Phrase("in line {line} of its record: {problem}", line=error.line, problem=error.problem)
        raise DamagedError(problem) from None


def _rule(referee: Referee, results: Results, record: Record) -> None:
    for line in record.lines:
        if line.entry is not None:
            _replay(referee, line.entry, line.number)
            results.take(referee.match)


def believed(entry: Entry, code: str) -> bool:
    """Whether an entry is let by with this refusal: a card from buttons was judged on less than the table knows."""
    return isinstance(entry, Action) and code in ("not-in-hand", "must-follow-suit")


def _replay(referee: Referee, entry: Entry, line: int) -> None:
    refusal = referee.check(entry)
    if refusal is not None and not believed(entry, refusal.code):
        raise DamagedError(
            Phrase(
                "line {line} of its record cannot follow what stands before it ({code})", line=line, code=refusal.code
            )
        )
    referee.accept(entry)
