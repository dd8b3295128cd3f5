"""What was played: the matches of a journal with their results, and the sessions that they make up.

All of it is what the engine says of the journal's own lines; nothing is kept beside them.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.game import games
from engine.match import Match, Standing, Table, begin
from engine.notation import RecordError
from engine.phrases import Phrase
from engine.record import Record, read_record
from engine.referee import Referee
from firmware.corrected import newest_alone
from firmware.journal_reading import Kept
from firmware.record_lines import record_text
from firmware.setups import unnamed_in
from firmware.taking_up import believed

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


def _clock_set(kept: Kept) -> bool | None:
    clocks = kept.clocks or (kept.clock,)
    return None if None in (clocks[0], clocks[-1]) else bool(clocks[0] and clocks[-1])


def played(kept: Kept) -> Played:
    """What the engine says of a match; of one that it cannot read, why."""
    times = kept.times or (kept.began,)
    bare = Played(kept.number, times[0], times[-1], _value(kept.header, "game"), State.UNREADABLE, source=kept.source,
                  clock_set=_clock_set(kept))  # fmt: skip
    if bare.game and bare.game not in games():
        names = tuple(name.strip() for name in _value(kept.header, "names").split(",") if name.strip())
        return bare._replace(state=State.NO_GAME, names=names)
    try:
        record = read_record(record_text(kept.header, kept.texts))
    except RecordError as error:
        return bare._replace(problem=Phrase("line {line}: {problem}", line=error.line, problem=error.problem))
    referee = Referee(begin(record.table, record.scores, record.names))
    results = _Results()
    for line in record.lines:
        if line.entry is None:
            continue
        refusal = referee.check(line.entry)
        if refusal is not None and not believed(line.entry, refusal.code):
            return bare._replace(problem=Phrase("line {line}: {problem}", line=line.number, problem=refusal.code))
        referee.accept(line.entry, line.number)
        results.take(referee.match)
    made_up = unnamed_in(kept.header.split("\n"), record.names)
    names = tuple(
        "" if seat in made_up and name == record.names[seat - 1] else name
        for seat, name in enumerate(referee.match.names, 1)
    )
    return _told(bare, record, referee, results)._replace(names=names)


def _told(bare: Played, record: Record, referee: Referee, results: "_Results") -> Played:
    match, table = referee.match, record.table
    over = match.standing is Standing.OVER
    state = (State.VOID if match.voided else State.FINISHED) if over else State.UNFINISHED
    if results.revision and not over:
        state = State.REOPENED
    return bare._replace(
        state=state,
        names=match.names,
        rules=table.rule_set,
        seats=table.seats,
        sides=table.sides,
        scores=match.scores,
        points=tuple(now - at_first for now, at_first in zip(match.scores, record.scores, strict=True)),
        winners=match.winners if over else (),
        deals=match.deals,
        revision=results.revision,
        notes=(*_irregularities(referee), *_out_of_turn(table, record)),
    )


class _Results:
    """Counts the results of a match: one each time that it comes to its end, and one for each change of it there."""

    def __init__(self) -> None:
        self.revision = 0
        self._result: tuple[object, ...] | None = None

    def take(self, match: Match) -> None:
        """Look at the match after an entry."""
        over = match.standing is Standing.OVER
        result = (match.scores, match.winners, match.voided) if over else None
        if result is not None and result != self._result:
            self.revision += 1
        self._result = result


def _irregularities(referee: Referee) -> Iterator[Note]:
    for _, notice in referee.irregularities():
        seat = dict(notice.facts).get("seat")
        yield Note(notice.code, seat if isinstance(seat, int) else 0)


def _out_of_turn(table: Table, record: Record) -> Iterator[Note]:
    """The cards shown out of turn, which stand in the record as comments."""
    for line in record.lines:
        text = line.tail.strip()
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
    by_source: dict[str, list[Kept]] = {}
    for match in kept:
        by_source.setdefault(match.source, []).append(match)
    own, *others = (
        [match for match in newest_alone(matches) if match.texts]
        for matches in (by_source.pop("", []), *by_source.values())
    )
    groups = list(_grouped(own))
    for other in others:
        for group in _grouped(other):
            at = group[0].times[0]
            place = next((n for n, own in enumerate(groups) if own[0].times[0] > at), len(groups))
            groups.insert(place, group)
    return [Session(number, tuple(map(told, group))) for number, group in enumerate(groups, 1)]


def _grouped(matches: Iterable[Kept]) -> Iterator[list[Kept]]:
    group: list[Kept] = []
    for match in matches:
        if group and (match.starts or abs(match.times[0] - group[-1].times[-1]) > IDLE):
            yield group
            group = []
        group.append(match)
    if group:
        yield group
