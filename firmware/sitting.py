"""What is played at the table: the match with its referee, the deal in progress, and the journal that holds both."""

from random import Random
from typing import NamedTuple

from engine import entries
from engine.corrections import entered
from engine.entries import Entry
from engine.match import Match, Standing, Table, apply, begin, check, check_action, seen_from
from engine.notation import entry_text
from engine.record import deal_lines
from engine.referee import Referee
from engine.values import Action, Refusal
from firmware.corrected import COMMENT
from firmware.deal_lines import DealInProgress
from firmware.dealing import Dealing
from firmware.journal import Journal
from firmware.mending import Misfit, replayed
from firmware.record_lines import RecordLines, comments_in, record_text
from firmware.recovering import restored_text
from firmware.scanning import Scanning
from firmware.seatview import TableText
from firmware.setups import NAMED, UNNAMED, Setup, setup_of
from firmware.stands import Results, Stood, program_of, stand_text
from firmware.taking_up import Written, earlier, take_up
from firmware.ways import Way

AT_HAND = 20
"""Deals of a match that are kept at hand, and at most twice as many."""


class _Dealt(NamedTuple):
    """What there was before a deal: accepted entries, deals, lines of the record, entries of the journal."""

    entries: int
    deals: int
    lines: int
    written: int


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
        self.referee = Referee(begin(setup.table, setup.scores, setup.names))
        self.agreed = places is None
        """Whether it is agreed what is played."""
        self._results = Results()
        self.dealing: DealInProgress | None = None
        """The deal in progress, while the table waits for one."""
        self.left_behind: LeftBehind | None = None
        """What the start found in the journal and could not take up, if anything was played in it."""
        self._journal = journal
        self.record_lines = RecordLines()
        """The lines of the match's record, without its header, as they stand in the journal."""
        self._written = 0
        self._deals: list[_Dealt] = []
        self._chance = chance
        self._places = places
        self._by_file = setup
        self._lot = 0
        self.begun = 0
        """Counts the matches that were begun since the table came up; the same one goes on under a corrected setup."""

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

    @property
    def lines(self) -> list[str]:
        """All lines of the match's record, without its header."""
        return self.record_lines.all()

    def record(self) -> str:
        """The record of the match so far."""
        return "\n".join([*self.setup.header(), "", *self.lines]) + "\n"

    async def start(self) -> TableText | None:
        """Take up the match in the journal, or begin one; raises `JournalError`.

        Gives what the players are told: the match goes on, or the journal's was of another table file, or the journal
        itself was damaged.
        """
        code = await self._start()
        return restored_text(self._journal) or (TableText(code, bad=True) if code is not None else None)

    async def _start(self) -> str | None:
        self._draw_lot()
        found = self._journal.newest()
        if found is not None and self._take_up(found):
            return "restarted"
        if found is not None and found.entries:
            text = record_text(found.header, found.read(0, found.entries))
            self.left_behind = LeftBehind(self._journal.number, text)
        if self.agreed:
            await self.begin_match(self.setup)
        return "another-table" if found is not None else None

    def _take_up(self, match: Written) -> bool:
        """Go on with the match that the journal holds, if it is this table's.

        One that is over too: perhaps nobody has seen its end, and its last action can be taken back.
        """
        told = match.header.split("\n")
        try:
            setup = setup_of(told, self._places or self.table.seats)
        except ValueError:
            return False
        if self._places is None:
            mended = setup if setup.instead == self._by_file.mark else self._by_file
            setup = mended._replace(names=_names(self._by_file, setup), dealer=self._by_file.dealer,
                                    scores=setup.scores, named=setup.named, unnamed=setup.unnamed)  # fmt: skip
        taken = take_up(setup.header(), match)
        if taken is None:
            return False
        self.setup, self.agreed = setup, True
        self.referee, self._results, texts, skipped, laid = taken
        if self._places is not None:
            self._draw_lot()  # among those who sit in this match
        comments = comments_in(self._journal.comments(skipped)) if skipped else ()
        self.record_lines = RecordLines(texts, laid, comments, lambda: match.read(0, skipped))
        self._written, self._deals = match.entries, []
        return True

    async def begin_match(self, setup: Setup) -> None:
        """Begin a new match; raises `JournalError`, and then changes nothing."""
        await self._journal.begin_match(setup.header())
        program_of(setup.table.game)  # reads files, once: no deal is to wait for that
        self.setup = setup
        self.agreed = True
        self.begun += 1
        self.record_lines, self._written, self._deals = RecordLines(), 0, []
        self.dealing = None
        self.referee, self._results = Referee(begin(setup.table, setup.scores, setup.names)), Results()
        self._draw_lot()

    async def amend(self, entry: entries.SetName | entries.SetScore, unnamed: str, remark: str = "") -> None:
        """Rule on a name or a score before the first deal: the match begins under another header, for a record has no
        place for a ruling there. `unnamed`, with the number of the seat, is for those without a name. Raises
        `JournalError`, and then changes nothing.
        """
        setup = self.setup
        if isinstance(entry, entries.SetScore):
            setup = setup._replace(scores=apply(self.match, entry).scores)
        else:
            known = setup.names or ("",) * setup.table.seats
            others = [name or f"{unnamed} {seat}" for seat, name in enumerate(known, 1)]
            names = (*others[: entry.seat - 1], entry.name, *others[entry.seat :])
            made_up = {*setup.unnamed, *(seat for seat, name in enumerate(known, 1) if not name)} - {entry.seat}
            named = tuple(sorted({*setup.named, entry.seat}))
            setup = setup._replace(names=names, named=named, unnamed=tuple(sorted(made_up)))
        dealing = self.dealing
        if await self.correct(setup, remark) is None:
            self.dealing = dealing

    async def correct(self, setup: Setup, remark: str = "") -> Misfit | None:
        """Let the match go on with another setup, as a match of the journal of its own with the same lines. Where a
        line does not stand under it, that one, and nothing changes; nor does it when this raises `JournalError`.
        """
        if self._places is None:
            setup = setup._replace(instead=self._by_file.mark if setup.mark != self._by_file.mark else "")
        results = Results()
        found = replayed(self.setup, setup, self.lines, results.take)
        if isinstance(found, Misfit):
            return found
        unchanged = (*self.setup.header(), f"{NAMED}: ", f"{UNNAMED}: ")
        changed = [line for line in setup.header() if not line.startswith(unchanged)]
        why = f" ; {remark}" if remark else ""
        comment = f"{COMMENT}{', '.join(changed) or 'as in the table file'}{why}"
        texts = [*(line for line in self.lines if line), comment]
        await self._journal.begin_match(setup.header(), texts)
        self.setup, self.referee, self.dealing = setup, found, None
        self._results = results
        self.record_lines, self._written, self._deals = RecordLines(texts), len(texts), []
        return None

    def leave(self) -> None:
        """Leave the match as it is: players agree on another."""
        self.agreed = False
        self.dealing = None

    def _draw_lot(self) -> None:
        self._lot = self.setup.dealer or self._chance.randint(1, self.table.seats)

    def heads(self, entry: Entry) -> bool:
        """Whether an entry is a ruling before the first deal that the header of the record is to tell of."""
        return isinstance(entry, entries.SetName | entries.SetScore) and not self.referee.begun

    def check(self, entry: Entry, seat: int, shown: bool) -> Refusal | None:
        """Why an entry is refused. An action that was not `shown` to a reader is judged on what its seat may know."""
        if self.heads(entry):
            refusal = check(self.match, entry)
            ends = refusal is None and apply(self.match, entry).standing is Standing.OVER
            return Refusal("match-over", "") if ends else refusal  # such a match would have no play at all
        if isinstance(entry, Action) and not shown:
            return check_action(seen_from(self.match, seat), entry)
        return self.referee.check(entry)

    async def accept(self, entry: Entry, remark: str = "") -> None:
        """Make an entry durable, with a reason where there is one, then change the match by it; raises `JournalError`,
        and then changes nothing.

        An action from buttons may go against what others have said of cards that nobody saw: they say it anew first.
        """
        steps = (entered(self.referee, entry) if isinstance(entry, Action) else None) or (entry,)
        lines = [] if len(steps) == 1 else [f"# said otherwise before: {entry_text(self.table, entry)}"]
        for step in steps:
            lines += deal_lines(step) if isinstance(step, entries.Deal) else [entry_text(self.table, step)]
        lines[-1] += f" ; {remark}" if remark else ""
        if isinstance(entry, entries.Undo):
            self.referee.look_back()  # what has to be read of the journal for it is read first
        dealt = isinstance(entry, entries.Deal)
        if dealt:
            self._forget()
        await self._write("\n".join(lines), self._stand() if dealt else "")
        for step in steps:
            self.referee.accept(step)
            self._results.take(self.match)
            if isinstance(step, entries.Undo):
                self._deals = [dealt for dealt in self._deals if dealt.entries < self.referee.count]
        if self.over:
            self._journal.stand(self._stand())
        if self.match.standing is not Standing.RUNNING:
            self._journal.copy()

    def _stand(self) -> str:
        """How the match stands, for the next start and for whoever asks for its result."""
        referee, lines = self.referee, self.record_lines
        return stand_text(Stood(self.match, referee.count, referee.deal, self._results.revision, self.setup.names,
                                len(lines)))  # fmt: skip

    def _forget(self) -> None:
        """Before a deal, have of a long match no more at hand than its last deals: the journal has the others."""
        referee, lines, read = self.referee, self.record_lines, self._journal.reader()
        self._deals = [dealt for dealt in self._deals if dealt.entries < referee.count]
        self._deals.append(_Dealt(referee.count, referee.deal, len(lines), self._written))
        if len(self._deals) < 2 * AT_HAND:
            return
        del self._deals[:-AT_HAND]
        oldest = self._deals[0]
        referee.forget(earlier(self.setup.header(), read, oldest.written, oldest.entries, oldest.deals))
        lines.forget(oldest.lines, lambda: read(0, oldest.written))

    def has_counted(self, entry: Entry, whoever: bool) -> bool:
        """Whether what is shown was accepted in the last round: the card still lies there, or is shown once more.

        `whoever`: the reader does not tell who shows it, so the seat does not matter.
        """
        last = [done for done in self.referee.newest(self.table.seats) if isinstance(done, Action)]
        return isinstance(entry, Action) and any(
            done[1:] == entry[1:] and (whoever or done.seat == entry.seat) for done in last
        )

    async def note(self, code: str, text: str) -> None:
        """Keep something that happened and is no entry, as a comment; raises `JournalError`."""
        await self._write(f"# {code}: {text}")

    async def _write(self, text: str, stood: str = "") -> None:
        await self._journal.append(text, stood)
        self.record_lines.add(text)
        self._written += 1

    def prepare(self) -> None:
        """Make ready for what comes next: a deal, when none is running; after one that led to no play, another."""
        dealer = self.match.next_dealer or self._lot
        if not self.agreed or self.match.standing in (Standing.RUNNING, Standing.OVER):
            self.dealing = None
        elif self.dealing is None or self.dealing.dealer != dealer or self.dealing.entry is not None:
            self.dealing = self._new_deal(dealer)

    def _new_deal(self, dealer: int) -> DealInProgress:
        return (Scanning if self.setup.way is Way.SCAN_IN else Dealing)(self.table, dealer)

    async def deal_anew(self) -> None:
        """Forget all that was read of the deal in progress, and keep a comment of it; raises `JournalError`, and then
        forgets nothing.
        """
        assert self.dealing is not None
        seen = self.dealing.view()
        counts = ", ".join(f"seat {seat} {count} of {seen.size}" for seat, count in enumerate(seen.counts, 1))
        await self._write(f"# misdeal: seat {seen.dealer} deals anew; read: {counts}")
        self.dealing = self._new_deal(seen.dealer)


def _names(by_file: Setup, told: Setup) -> tuple[str, ...]:
    """Who sits where by the table file, but for those whom the director has named."""
    if not told.named:
        return by_file.names
    pairs = enumerate(zip(by_file.names or told.names, told.names, strict=True), 1)
    return tuple(ruled if seat in told.named else name for seat, (name, ruled) in pairs)
