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
from firmware.stands import Results, Stand, fits, stood

_SCORES = "scores: "
BACK = 2
"""So many deals back a match is taken up: what was shown last, and what is taken back first, is then at hand."""


class TakenUp(NamedTuple):
    """A match that goes on: its referee, and how many results it has had."""

    referee: Referee
    results: Results


def take_up(own: list[str], header: str, lines: list[str], stands: Sequence[Stand] = ()) -> TakenUp | None:
    """The referee of a match that a journal holds, if its header is the table's `own`, whoever sits there by now: names
    are no rules, and with which scores it began the match itself says. None: it is of another table file.

    Raises `DamagedError` for entries that cannot be read, or cannot follow each other.
    """
    told = header.split("\n")
    if rules_of(told) != rules_of(own):
        return None
    head = [line for line in own if not line.startswith(_SCORES)] + [line for line in told if line.startswith(_SCORES)]
    for stand in [one for one in sorted(stands) if fits(one, header, lines)][-BACK:]:
        try:
            taken = _from_stand(head, lines, stand)
        except DamagedError:
            break  # as a whole it is told what is wrong
        if taken is not None:
            return taken
    record = _read(head, lines)
    referee, results = Referee(begin(record.table, record.scores, record.names)), Results()
    _rule(referee, results, record)
    return TakenUp(referee, results)


def _from_stand(head: list[str], lines: list[str], stand: Stand) -> TakenUp | None:
    before = lines[: stand.line]
    record = _read(head, lines[stand.line :])
    found = stood(stand, record.table)
    if found is None or found.over or found.names != record.names:
        return None

    def load() -> Referee:
        whole = _read(head, before)
        referee = Referee(begin(whole.table, whole.scores, whole.names))
        _rule(referee, Results(), whole)
        return referee

    referee = Referee(found.match, Earlier(found.entries, found.deals, load))
    results = Results(found.revision, found.match)
    _rule(referee, results, record, len(before) + sum(text.count("\n") for text in before))
    return TakenUp(referee, results)


def _read(head: list[str], lines: list[str]) -> Record:
    try:
        return read_record("\n".join([*head, *lines]) + "\n")
    except RecordError as error:
        problem = Phrase("in line {line} of its record: {problem}", line=error.line, problem=error.problem)
        raise DamagedError(problem) from None


def _rule(referee: Referee, results: Results, record: Record, skipped: int = 0) -> None:
    """Rule on all entries of a record, of which so many lines were left out behind its header."""
    for line in record.lines:
        if line.entry is not None:
            _replay(referee, line.entry, line.number + skipped)
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
    referee.accept(entry, line)
