"""What is played at the table: the match with its referee, the deal in progress, and the journal that holds both."""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match, Standing, Table, begin, check_action, seen_from
from engine.notation import entry_text
from engine.record import deal_lines, header_lines
from engine.referee import Referee
from engine.values import Action, Refusal
from firmware.dealing import Dealing
from firmware.journal import Journal
from firmware.recovering import restored_text
from firmware.seatview import TableText
from firmware.taking_up import take_up


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

    async def start(self) -> TableText | None:
        """Take up the match in the journal, or begin one; raises `JournalError`.

        Gives what the players are told: the match goes on, or the journal's was of another table file, or the journal
        itself was damaged.
        """
        code = await self._start()
        return restored_text(self._journal) or (TableText(code, bad=True) if code is not None else None)

    async def _start(self) -> str | None:
        self._draw_lot()
        found = self._journal.last_match()
        if found is not None and self._take_up(*found):
            return "restarted"
        if found is not None and found[1]:
            self.left_behind = LeftBehind(self._journal.number, record_text(*found))
        await self.begin_match()
        return "another-table" if found is not None else None

    def _take_up(self, header: str, lines: list[str]) -> bool:
        """Go on with the match that the journal holds, if it is this table's.

        One that is over too: perhaps nobody has seen its end, and its last action can be taken back.
        """
        referee = take_up(self.table, self.names, header, lines)
        if referee is None:
            return False
        self.referee = referee
        self.lines = _laid_out(lines)
        return True

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
        if self.match.standing is not Standing.RUNNING:
            self._journal.copy()

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


def record_text(header: str, texts: Iterable[str]) -> str:
    """The record of a match that a journal holds, as the table exports it."""
    return "\n".join([header, "", *_laid_out(texts)]) + "\n"


def _laid_out(texts: Iterable[str]) -> list[str]:
    """The lines of entries as they stand in the record."""
    lines: list[str] = []
    for text in texts:
        _lay_out(lines, text)
    return lines


def _lay_out(lines: list[str], text: str) -> None:
    """Add the lines of an entry, an empty one before each deal."""
    lines.extend(([""] if text.startswith("deal") and lines else []) + text.split("\n"))
