"""A match is taken up from the lines that a journal holds of it: read as a record, and ruled on entry by entry."""

from engine.entries import Entry
from engine.match import begin
from engine.notation import RecordError
from engine.phrases import Phrase
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from firmware.errors import DamagedError
from firmware.setups import rules_of

_SCORES = "scores: "


def take_up(own: list[str], header: str, lines: list[str]) -> Referee | None:
    """The referee of a match that a journal holds, if its header is the table's `own`, whoever sits there by now: names
    are no rules, and with which scores it began the match itself says. None: it is of another table file.

    Raises `DamagedError` for entries that cannot be read, or cannot follow each other.
    """
    told = header.split("\n")
    if rules_of(told) != rules_of(own):
        return None
    head = [line for line in own if not line.startswith(_SCORES)] + [line for line in told if line.startswith(_SCORES)]
    try:
        record = read_record("\n".join([*head, *lines]) + "\n")
    except RecordError as error:
        problem = Phrase("in line {line} of its record: {problem}", line=error.line, problem=error.problem)
        raise DamagedError(problem) from None
    referee = Referee(begin(record.table, record.scores, record.names))
    for line in record.lines:
        if line.entry is not None:
            _replay(referee, line.entry, line.number)
    return referee


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
