"""What is played at the table: the match with its referee, the deal in progress, and the journal that holds both."""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match, Standing, Table, begin, check_action, seen_from
from engine.notation import RecordError, entry_text
from engine.phrases import Phrase
from engine.record import deal_lines, header_lines, read_record
from engine.referee import Referee
from engine.values import Action, Refusal
from firmware.dealing import Dealing
from firmware.errors import JournalError
from firmware.journal import Journal


class LeftBehind(NamedTuple):
    """A match of the journal that does not go on, for it is not of this table file: its number and its record."""

    number: int
    record: str


class Sitting:
    """One match after another. An entry changes the match only after the journal has it on disk."""

    def __init__(self, table: Table, names: tuple[str, ...], journal: Journal, chance: Random, dealer: int) -> None:
        self.table = table
        self.names = names
        self.referee = Referee(begin(table, names=names))
        self.dealing: Dealing | None = None
        """The deal in progress, while the table waits for one."""
        self.left_behind: LeftBehind | None = None
        """What the start found in the journal and could not take up, if anything was played in it."""
        self._journal = journal
        self.lines: list[str] = []
        """The lines of the match's record, without its header, as they stand in the journal."""
        self._chance = chance
        self._first_dealer = dealer
        self._lot = 0

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self.referee.match

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.standing is Standing.OVER

    def record(self) -> str:
        """The record of the match so far."""
        return "\n".join([*header_lines(self.table, names=self.names), "", *self.lines]) + "\n"

    async def start(self) -> str | None:
        """Take up the match in the journal, or begin one; raises `JournalError`.

        Gives the code of what the players are told: the match goes on, or the journal's was of another table file.
        """
        self._draw_lot()
        found = self._journal.last_match()
        if found is not None and self._take_up(*found):
            return "restarted"
        if found is not None and found[1]:
            record = "\n".join([found[0], "", *_laid_out(found[1])]) + "\n"
            self.left_behind = LeftBehind(self._journal.number, record)
        await self.begin_match()
        return "another-table" if found is not None else None

    def _take_up(self, header: str, lines: list[str]) -> bool:
        """Go on with the match that the journal holds, if it is this table's, whoever sits there by now: names are no
        rules.

        One that is over too: perhaps nobody has seen its end, and its last action can be taken back.
        """
        own = header_lines(self.table, names=self.names)
        if _nameless(header.split("\n")) != _nameless(own):
            return False
        try:
            record = read_record("\n".join([*own, *lines]) + "\n")
        except RecordError as error:
            problem = Phrase(
                "the journal is damaged, in line {line} of its record: {problem}",
                line=error.line,
                problem=error.problem,
            )
            raise JournalError(Phrase("{problem}; move the file away to begin anew", problem=problem)) from None
        self.referee = Referee(begin(self.table, names=self.names))
        for line in record.lines:
            if line.entry is not None:
                self._replay(line.entry, line.number)
        self.lines = _laid_out(lines)
        return True

    def _replay(self, entry: Entry, line: int) -> None:
        """Take an entry of the journal. A card from buttons was judged on less than the table knows: it is let by."""
        refusal = self.referee.check(entry)
        if refusal is not None and not (
            isinstance(entry, Action) and refusal.code in ("not-in-hand", "must-follow-suit")
        ):
            problem = Phrase(
                "the journal is damaged: line {line} of its record cannot follow what stands before it", line=line
            )
            raise JournalError(
                Phrase("{problem} ({code}); move the file away to begin anew", problem=problem, code=refusal.code)
            )
        self.referee.accept(entry)

    async def begin_match(self) -> None:
        """Begin a new match; raises `JournalError`."""
        await self._journal.begin_match(header_lines(self.table, names=self.names))
        self.lines = []
        self.referee = Referee(begin(self.table, names=self.names))
        self._draw_lot()

    def _draw_lot(self) -> None:
        self._lot = self._first_dealer or self._chance.randint(1, self.table.seats)

    def check(self, entry: Entry, seat: int, shown: bool) -> Refusal | None:
        """Why an entry is refused. An action that was not `shown` to a reader is judged on what its seat may know."""
        if isinstance(entry, Action) and not shown:
            return check_action(seen_from(self.match, seat), entry)
        return self.referee.check(entry)

    async def accept(self, entry: Entry) -> None:
        """Make an entry durable, then change the match by it; raises `JournalError`, and then changes nothing."""
        await self._write(
            "\n".join(deal_lines(entry)) if isinstance(entry, entries.Deal) else entry_text(self.table, entry)
        )
        self.referee.accept(entry)

    def has_counted(self, entry: Entry, whoever: bool) -> bool:
        """Whether what is shown was accepted in the last round: the card still lies there, or is shown once more.

        `whoever`: the reader does not tell who shows it, so the seat does not matter.
        """
        last = [done for done, _ in self.referee.accepted[-self.table.seats :] if isinstance(done, Action)]
        return isinstance(entry, Action) and any(
            done[1:] == entry[1:] and (whoever or done.seat == entry.seat) for done in last
        )

    async def note_out_of_turn(self, entry: Entry) -> None:
        """Keep what was shown out of turn, as a comment; raises `JournalError`."""
        await self._write(f"# out-of-turn: {entry_text(self.table, entry)}")

    async def _write(self, text: str) -> None:
        await self._journal.append(text)
        _lay_out(self.lines, text)

    def prepare(self) -> None:
        """Make ready for what comes next: a deal, when none is running; after one that led to no play, another."""
        dealer = self.match.next_dealer or self._lot
        if self.match.standing in (Standing.RUNNING, Standing.OVER):
            self.dealing = None
        elif self.dealing is None or self.dealing.dealer != dealer or self.dealing.entry is not None:
            self.dealing = Dealing(self.table, dealer)


def _laid_out(texts: Iterable[str]) -> list[str]:
    """The lines of entries as they stand in the record."""
    lines: list[str] = []
    for text in texts:
        _lay_out(lines, text)
    return lines


def _lay_out(lines: list[str], text: str) -> None:
    """Add the lines of an entry, an empty one before each deal."""
    lines.extend(([""] if text.startswith("deal") and lines else []) + text.split("\n"))


def _nameless(header: Iterable[str]) -> list[str]:
    return [line for line in header if not line.startswith("names: ")]
