"""What is played at the table: the match with its referee, the deal in progress, and the journal that holds both."""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match, Standing, Table, begin, check_action, seen_from
from engine.notation import RecordError, entry_text
from engine.record import deal_lines, read_record
from engine.referee import Referee
from engine.values import Action, Refusal
from firmware.dealing import Dealing
from firmware.errors import JournalError
from firmware.journal import Journal
from firmware.mending import Misfit, replayed
from firmware.setups import INSTEAD, Setup, setup_of


class LeftBehind(NamedTuple):
    """A match of the journal that does not go on, for it is not of this table file: its number and its record."""

    number: int
    record: str


class Sitting:
    """One match after another. An entry changes the match only after the journal has it on disk.

    `places` is how many the table has, where players agree on what is played; None: the setup holds for every match.
    """

    def __init__(self, setup: Setup, journal: Journal, chance: Random, places: int | None = None) -> None:
        self.setup = setup
        self.referee = Referee(begin(setup.table, names=setup.names))
        self.agreed = places is None
        """Whether it is agreed what is played."""
        self.dealing: Dealing | None = None
        """The deal in progress, while the table waits for one."""
        self.left_behind: LeftBehind | None = None
        """What the start found in the journal and could not take up, if anything was played in it."""
        self._journal = journal
        self.lines: list[str] = []
        """The lines of the match's record, without its header, as they stand in the journal."""
        self._chance = chance
        self._places = places
        self._by_file = setup
        self._lot = 0

    @property
    def table(self) -> Table:
        """What is played."""
        return self.setup.table

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
        return "\n".join([*self.setup.header(), "", *self.lines]) + "\n"

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
        if self.agreed:
            await self.begin_match(self.setup)
        return "another-table" if found is not None else None

    def _take_up(self, header: str, lines: list[str]) -> bool:
        """Go on with the match that the journal holds, if it is this table's, whoever sits there by now: names are no
        rules.

        One that is over too: perhaps nobody has seen its end, and its last action can be taken back.
        """
        found = header.split("\n")
        if self._places is not None:
            try:
                self.setup = setup_of(found, self._places)
            except ValueError:
                return False
            self.agreed = True
        elif f"{INSTEAD}: {self._by_file.mark}" in found:
            mended = setup_of(found, self.table.seats)
            self.setup = mended._replace(names=self.setup.names, dealer=self.setup.dealer)
        own = self.setup.header()
        if _nameless(found) != _nameless(own):
            return False
        try:
            record = read_record("\n".join([*own, *lines]) + "\n")
        except RecordError as error:
            problem = f"the journal is damaged, in line {error.line} of its record: {error.problem}"
            raise JournalError(f"{problem}; move the file away to begin anew") from None
        self.referee = Referee(begin(self.table, names=self.setup.names))
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
            problem = f"the journal is damaged: line {line} of its record cannot follow what stands before it"
            raise JournalError(f"{problem} ({refusal.code}); move the file away to begin anew")
        self.referee.accept(entry)

    async def begin_match(self, setup: Setup) -> None:
        """Begin a new match; raises `JournalError`, and then changes nothing."""
        await self._journal.begin_match(setup.header())
        self.setup = setup
        self.agreed = True
        self.lines = []
        self.dealing = None
        self.referee = Referee(begin(setup.table, names=setup.names))
        self._draw_lot()

    async def correct(self, setup: Setup, remark: str = "") -> Misfit | None:
        """Let the match go on with another setup, as a match of the journal of its own with the same lines. Where a
        line does not stand under it, that one, and nothing changes; nor does it when this raises `JournalError`.
        """
        if self._places is None:
            setup = setup._replace(instead=self._by_file.mark if setup.mark != self._by_file.mark else "")
        found = replayed(self.setup, setup, self.lines)
        if isinstance(found, Misfit):
            return found
        changed = [line for line in setup.header() if line not in self.setup.header()]
        why = f" ; {remark}" if remark else ""
        comment = f"# setup-corrected: {', '.join(changed) or 'as in the table file'}{why}"
        texts = [*(line for line in self.lines if line), comment]
        await self._journal.begin_match(setup.header(), texts)
        self.setup, self.referee, self.dealing = setup, found, None
        self.lines = _laid_out(texts)
        return None

    def leave(self) -> None:
        """Leave the match as it is: players agree on another."""
        self.agreed = False
        self.dealing = None

    def _draw_lot(self) -> None:
        self._lot = self.setup.dealer or self._chance.randint(1, self.table.seats)

    def check(self, entry: Entry, seat: int, shown: bool) -> Refusal | None:
        """Why an entry is refused. An action that was not `shown` to a reader is judged on what its seat may know."""
        if isinstance(entry, Action) and not shown:
            return check_action(seen_from(self.match, seat), entry)
        return self.referee.check(entry)

    async def accept(self, entry: Entry, remark: str = "") -> None:
        """Make an entry durable, with a reason where there is one, then change the match by it; raises `JournalError`,
        and then changes nothing.
        """
        if isinstance(entry, entries.Deal):
            await self._write("\n".join(deal_lines(entry)))
        else:
            await self._write(entry_text(self.table, entry) + (f" ; {remark}" if remark else ""))
        self.referee.accept(entry)

    def has_counted(self, entry: Entry, whoever: bool) -> bool:
        """Whether what is shown was accepted in the last round: the card still lies there, or is shown once more.

        `whoever`: the reader does not tell who shows it, so the seat does not matter.
        """
        last = [done for done, _ in self.referee.accepted[-self.table.seats :] if isinstance(done, Action)]
        return isinstance(entry, Action) and any(
            done[1:] == entry[1:] and (whoever or done.seat == entry.seat) for done in last
        )

    async def note(self, code: str, text: str) -> None:
        """Keep something that happened and is no entry, as a comment; raises `JournalError`."""
        await self._write(f"# {code}: {text}")

    async def _write(self, text: str) -> None:
        await self._journal.append(text)
        _lay_out(self.lines, text)

    def prepare(self) -> None:
        """Make ready for what comes next: a deal, when none is running; after one that led to no play, another."""
        dealer = self.match.next_dealer or self._lot
        if not self.agreed or self.match.standing in (Standing.RUNNING, Standing.OVER):
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
