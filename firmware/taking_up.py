"""A match is taken up from the lines that a journal holds of it: read as a record, and ruled on entry by entry."""

from collections.abc import Iterable

from engine.entries import Entry
from engine.match import begin
from engine.notation import RecordError
from engine.phrases import Phrase
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from firmware.errors import DamagedError


def take_up(own: list[str], header: str, lines: list[str]) -> Referee | None:
    """The referee of a match that a journal holds, if its header is the table's `own`, whoever sits there by now: names
    are no rules. None: it is of another table file.

    Raises `DamagedError` for entries that cannot be read, or cannot follow each other.
    """
    if _nameless(header.split("\n")) != _nameless(own):
        return None
    try:
        record = read_record("\n".join([*own, *lines]) + "\n")
    except RecordError as error:
        problem = Phrase("in line {line} of its record: {problem}", line=error.line, problem=error.problem)
        raise DamagedError(problem) from None
    referee = Referee(begin(record.table, names=record.names))
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


def _nameless(header: Iterable[str]) -> list[str]:
    return [line for line in header if not line.startswith("names: ")]
