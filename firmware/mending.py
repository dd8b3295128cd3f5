"""The same match under another setup: only where every line that was played stands under that, too."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.entries import Entry
from engine.match import Match, begin
from engine.notation import RecordError
from engine.record import Line, read_record
from engine.referee import Referee
from firmware.setups import Setup


class Misfit(NamedTuple):
    """A line of the record that does not stand under another setup: its number in the record, and its first words, for
    cards may follow that nobody is to read.
    """

    number: int
    line: str


def replayed(
    old: Setup, new: Setup, lines: Iterable[str], each: Callable[[Match], None] = lambda match: None
) -> Referee | Misfit:
    """The referee of the same match under another setup; `each` is told the match after every entry. A line that was
    accepted by the seat's own view, though the table knew better, is no worse than it was.
    """
    body = list(lines)
    header = [*new.header(), ""]
    try:
        record = read_record("\n".join([*header, *body]) + "\n")
        before = read_record("\n".join([*old.header(), "", *body]) + "\n")
    except RecordError as error:
        at = error.line - len(header)
        return Misfit(error.line, _begin_of(body[at - 1]) if 0 < at <= len(body) else "")
    was, referee = (Referee(begin(setup.table, setup.scores, setup.names)) for setup in (old, new))
    for line, same in zip(_entries(record.lines), _entries(before.lines), strict=True):
        (number, text, entry), (_, _, judged) = line, same
        refusal, known = referee.check(entry), was.check(judged)
        if refusal is not None and (known is None or known.code != refusal.code):
            return Misfit(number, _begin_of(text))
        referee.accept(entry, number)
        each(referee.match)
        was.accept(judged)
    return referee


def _begin_of(line: str) -> str:
    return " ".join(line.split()[:2])


def _entries(lines: Iterable[Line]) -> list[tuple[int, str, Entry]]:
    return [(line.number, line.statement, line.entry) for line in lines if line.entry is not None]
