"""What was played: the matches of a journal with their results, and the sessions that they make up.

All of it is what the engine says of the journal's own lines: now, or when a match that is over was played to its end.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeVar

from engine.game import games
from engine.match import Match, Standing, Table, begin
from engine.notation import RecordError
from engine.phrases import Phrase
from engine.record import Record, read_record
from engine.referee import Referee
from firmware.corrected import newest_alone
from firmware.errors import DamagedError
from firmware.glances import Glance, glances, newest_of
from firmware.journal_reading import Kept, from_file
from firmware.record_lines import record_text
from firmware.setups import unnamed_in
from firmware.stands import Results, stood
from firmware.taking_up import believed, take_up

M = TypeVar("M", Kept, Glance)
IDLE = 4 * 3600.0
"""Seconds without an entry after which the next match begins a session."""
OUT_OF_TURN = "# out-of-turn: "


class State(StrEnum):
    """How far a match has come."""

    FINISHED = "finished"
    VOID = "void"
    """The director ended it without a winner."""
    UNFINISHED = "unfinished"
    REOPENED = "reopened"
    """It was over, and that was taken back."""
    NO_GAME = "no-game"
    """Its game is not installed."""
    UNREADABLE = "unreadable"


RESULTS = (State.FINISHED, State.VOID)


class Note(NamedTuple):
    """An irregularity, or a card shown out of turn, by the seat that it is to be laid to; 0: by nobody's."""

    code: str
    seat: int


class Played(NamedTuple):
    """A match. Sides are named by their seats, `scores` and `points` (made in this match) are by side; `winners` are
    places among the sides. Times are seconds since 1970.

    `revision` counts the results that the match has had: 1 for the first; 0 while it has had none.
    """

    number: int
    began: float
    ended: float
    game: str
    state: State
    names: tuple[str, ...] = ()
    rules: str = ""
    seats: int = 0
    sides: tuple[tuple[int, ...], ...] = ()
    scores: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    deals: int = 0
    revision: int = 0
    notes: tuple[Note, ...] = ()
    problem: str = ""
    source: str = ""
    clock_set: bool | None = None
    """Whether the clock was set both when it began and when it ended; None: nobody knows."""

    @property
    def amended(self) -> bool:
        """Whether its result is another than the first, or none any more."""
        return self.revision > 1 or self.state is State.REOPENED

    def name(self, seat: int) -> str:
        """Who sits there; empty: nobody said."""
        return self.names[seat - 1] if self.names else ""

    def won(self, seat: int) -> bool:
        """Whether the side of a seat has won."""
        return any(seat in self.sides[place] for place in self.winners)


class Session(NamedTuple):
    """Matches that were played one after the other, at this table or (`source`) at another."""

    number: int
    matches: tuple[Played, ...]

    @property
    def source(self) -> str:
        """The journal that it was merged from."""
        return self.matches[0].source


def _clock_set(kept: Kept | Glance) -> bool | None:
    clocks = kept.clocks or (kept.clock,)
    return None if None in (clocks[0], clocks[-1]) else bool(clocks[0] and clocks[-1])


def played(kept: Kept) -> Played:
    """What the engine says of a match; of one that it cannot read, why."""
    bare = _bare(kept)
    if bare.game and bare.game not in games():
        names = tuple(name.strip() for name in _value(kept.header, "names").split(",") if name.strip())
        return bare._replace(state=State.NO_GAME, names=names)
    try:
        record = read_record(record_text(kept.header, kept.texts))
    except RecordError as error:
        return bare._replace(problem=Phrase("line {line}: {problem}", line=error.line, problem=error.problem))
    referee = Referee(begin(record.table, record.scores, record.names))
    results = Results()
    for line in record.lines:
        if line.entry is None:
            continue
        refusal = referee.check(line.entry)
        if refusal is not None and not believed(line.entry, refusal.code):
            return bare._replace(problem=Phrase("line {line}: {problem}", line=line.number, problem=refusal.code))
        referee.accept(line.entry, line.number)
        results.take(referee.match)
    comments = (line.tail.strip() for line in record.lines)
    return _told(bare, kept.header, record, referee.match, results.revision, comments)


def played_at(glance: Glance) -> Played:
    """The same of a match of which little is read: of one that is over its result, of another what came last."""
    bare = _bare(glance)

    def whole() -> Played:
        return played(glance.kept())._replace(began=bare.began, ended=bare.ended)

    if not glance.stands or (bare.game and bare.game not in games()):
        return whole()
    try:
        record = read_record(glance.header + "\n")
    except RecordError:
        return whole()
    newest = glance.stands[-1]
    ended = stood(newest, record.table, whoever=True) if newest.line == glance.written.entries else None
    if ended is not None and ended.over and ended.names == record.names:
        return _told(bare, glance.header, record, ended.match, ended.revision, glance.comments)
    try:
        taken = take_up(glance.header.split("\n"), glance.written)
    except DamagedError:
        taken = None
    if taken is None:
        return whole()
    return _told(bare, glance.header, record, taken.referee.match, taken.results.revision, glance.comments)


def _bare(kept: Kept | Glance) -> Played:
    times = kept.times or (kept.began,)
    return Played(kept.number, times[0], times[-1], _value(kept.header, "game"), State.UNREADABLE, source=kept.source,
                  clock_set=_clock_set(kept))  # fmt: skip


def _told(bare: Played, header: str, record: Record, match: Match, revision: int, comments: Iterable[str]) -> Played:
    table = record.table
    made_up = unnamed_in(header.split("\n"), record.names)
    names = tuple(
        "" if seat in made_up and name == record.names[seat - 1] else name for seat, name in enumerate(match.names, 1)
    )
    over = match.standing is Standing.OVER
    state = (State.VOID if match.voided else State.FINISHED) if over else State.UNFINISHED
    if revision and not over:
        state = State.REOPENED
    return bare._replace(
        state=state,
        names=names,
        rules=table.rule_set,
        seats=table.seats,
        sides=table.sides,
        scores=match.scores,
        points=tuple(now - at_first for now, at_first in zip(match.scores, record.scores, strict=True)),
        winners=match.winners if over else (),
        deals=match.deals,
        revision=revision,
        notes=(*_irregularities(match), *_out_of_turn(table, comments)),
    )


def _irregularities(match: Match) -> Iterator[Note]:
    for noted in match.irregularities:
        seat = dict(noted.notice.facts).get("seat")
        yield Note(noted.notice.code, seat if isinstance(seat, int) else 0)


def _out_of_turn(table: Table, comments: Iterable[str]) -> Iterator[Note]:
    """The cards shown out of turn, which stand in the record as comments."""
    for text in comments:
        seat = text.removeprefix(OUT_OF_TURN).partition(" ")[0]
        if text.startswith(OUT_OF_TURN) and seat in map(str, range(1, table.seats + 1)):
            yield Note("out-of-turn", int(seat))


def _value(header: str, key: str) -> str:
    return next((line.partition(":")[2].strip() for line in header.split("\n") if line.startswith(f"{key}:")), "")


# Sessions


def sessions(kept: Iterable[Kept], told: Callable[[Kept], Played] = played) -> list[Session]:
    """The sessions of a journal, numbered from 1, with the matches in which something was entered; `told` is what the
    engine says of each.

    A table's own sessions are in the order of its matches, whatever its clock said; those of other tables are sorted
    in by their times.
    """
    return _in_order(kept, newest_alone, told)


def read_sessions(path: Path, told: Callable[[Glance], Played] = played_at, all_lines: bool = False) -> list[Session]:
    """The same of a journal in a file: what that takes does not grow with the matches. With `all_lines` the whole file
    is looked through as well. Raises `JournalError`.
    """
    return from_file(path, lambda file: _in_order(glances(file, all_lines), newest_of, told))


def _in_order(
    matches: Iterable[M], alone: Callable[[Iterable[M]], list[M]], told: Callable[[M], Played]
) -> list[Session]:
    by_source: dict[str, list[M]] = {}
    for match in matches:
        by_source.setdefault(match.source, []).append(match)
    groups = list(_grouped(alone(by_source.pop("", []))))
    for other in by_source.values():
        for group in _grouped(alone(other)):
            at = group[0].times[0]
            place = next((n for n, own in enumerate(groups) if own[0].times[0] > at), len(groups))
            groups.insert(place, group)
    return [Session(number, tuple(map(told, group))) for number, group in enumerate(groups, 1)]


def _grouped(matches: Iterable[M]) -> Iterator[list[M]]:
    group: list[M] = []
    for match in matches:
        if not match.entered:
            continue
        if group and (match.starts or abs(match.times[0] - group[-1].times[-1]) > IDLE):
            yield group
            group = []
        group.append(match)
    if group:
        yield group
