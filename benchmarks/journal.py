"""What the journal costs: `python -m benchmarks.journal`.

How long a table takes to come up after a crash, by the length of its journal: it is looked through, and the match that
was played is taken up. How long its history takes. What it takes to play a long record again, beside playing it at
random. And commits a second, each of them on the disk before the next.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.row import Row
from benchmarks.rulings import play_deal
from engine.answers import check_record
from engine.entries import Deal, SetScore
from engine.match import Standing, begin
from engine.notation import entry_text
from engine.record import deal_lines, read_record
from engine.referee import Referee
from firmware.furnish import furnish
from firmware.generations import KEPT, make_copy
from firmware.history import read_sessions
from firmware.journal import Journal
from firmware.opening import own_header, setup_in
from firmware.record_lines import record_text
from firmware.recovering import recover
from firmware.sitting import Sitting
from firmware.storage import Disk

GAME, SEATS = "pepper", 4
DEALS = 20
"""Deals of a match, as people play it."""
LENGTHS = (100, 10_000, 100_000)
BEYOND = 3
"""Times the longest: a journal that is not looked through as a whole before it is taken up."""
START, REPLAY = 300.0, 1.5
"""What is allowed: milliseconds of a start, and the time of a replay in that of random play."""
HISTORY = 500.0
"""Milliseconds of a look at all that was played."""
AT_TABLE = 4
"""Deals of each match that are written as a table writes them, one by one."""
COMMITS = 300
SEED = 1


class Played(NamedTuple):
    """Matches by their entries as texts, and the seconds that their play took."""

    matches: list[list[str]]
    seconds: float


def played(entries: int, deals: int | None = DEALS) -> Played:
    """Random play of so many entries or a few more, in matches of so many deals; None: in a single one."""
    table, chance = furnish(GAME, SEATS).table, Random(SEED)
    referee, matches, spent = Referee(begin(table)), [list[str]()], 0.0
    count = dealt = 0
    while count < entries:
        began = time.perf_counter()
        done = list(play_deal(referee, chance))
        spent += time.perf_counter() - began
        dealt += 1
        count += len(done)
        matches[-1] += ["\n".join(deal_lines(one)) if isinstance(one, Deal) else entry_text(table, one) for one in done]
        if dealt == deals and count < entries:
            referee, dealt = Referee(begin(table)), 0
            matches.append([])
        elif referee.match.standing is Standing.OVER:
            for side in table.sides:
                back = SetScore(side[0], 0)
                referee.rule(back)
                matches[-1].append(entry_text(table, back))
    return Played(matches, spent)


def start_seconds(journal: Path) -> float:
    """From a journal that lies there to a match that can be played on."""
    file = furnish(GAME, SEATS)
    began = time.perf_counter()
    recover(journal, own_header(file))
    with closing(Journal(journal)) as book:
        asyncio.run(Sitting(setup_in(file), book, Random(SEED)).start())
        return time.perf_counter() - began


async def write(journal: Path, matches: list[list[str]]) -> None:
    """Write the matches, the last deals of each as a table writes them, and the copies that lie beside a journal."""
    setup = setup_in(furnish(GAME, SEATS))
    header = setup.header()
    with closing(Journal(journal)) as book:
        for entries in matches:
            deals = [place for place, text in enumerate(entries) if text.startswith("deal")]
            last = ([0] * AT_TABLE + deals)[-AT_TABLE]
            await book.begin_match(header, entries[:last])
            sitting = Sitting(setup, book, Random(SEED))
            await sitting.start()
            for line in read_record("\n".join([*header, *entries[last:]]) + "\n").lines:
                if line.entry is not None:
                    await sitting.accept(line.entry)
    for _ in range(KEPT):
        make_copy(journal, Disk())


def history_seconds(journal: Path) -> float:
    """From a journal that lies there to what `tableref history` tells of it."""
    began = time.perf_counter()
    read_sessions(journal, all_lines=True)
    return time.perf_counter() - began


async def commits(journal: Path, count: int) -> float:
    """Commits a second."""
    with closing(Journal(journal)) as book:
        await book.begin_match(setup_in(furnish(GAME, SEATS)).header())
        began = time.perf_counter()
        for _ in range(count):
            await book.append("1 pass")
        return count / (time.perf_counter() - began)


def replay_seconds(matches: list[list[str]]) -> float:
    """Read records of the matches, and rule on them."""
    header = "\n".join(setup_in(furnish(GAME, SEATS)).header())
    began = time.perf_counter()
    for entries in matches:
        _, answers = check_record(read_record(record_text(header, entries)))
        for answer in answers:
            assert answer.ruling.refusal is None
    return time.perf_counter() - began


def rows(lengths: tuple[int, ...] = LENGTHS, runs: int = 3, count: int = COMMITS) -> Iterator[Row]:
    """A start at each length, the replay of the longest, commits a second."""
    with TemporaryDirectory(prefix="tableref-") as folder:
        for length in lengths:
            for deals, words in ((DEALS, f"in matches of {DEALS} deals"), (None, "in a single match")):
                long = played(length, deals)
                journal = Path(folder) / f"{length}-{deals}.db"
                asyncio.run(write(journal, long.matches))
                times = [start_seconds(journal) * 1000 for _ in range(runs)]
                yield Row(f"start after a crash, {length} actions {words}", "ms", times, START)
                if length == lengths[-1]:
                    times = [history_seconds(journal) * 1000 for _ in range(runs)]
                    yield Row(f"history of {length} actions {words}", "ms", times, HISTORY)
        beyond = Path(folder) / "beyond.db"
        asyncio.run(write(beyond, played(BEYOND * lengths[-1]).matches))
        times = [start_seconds(beyond) * 1000 for _ in range(runs)]
        yield Row(
            f"start after a crash, {BEYOND * lengths[-1]} actions in matches of {DEALS} deals", "ms", times, START
        )
        long = played(lengths[-1])
        again = replay_seconds(long.matches)
        yield Row(f"random play of {lengths[-1]} actions", "s", [long.seconds])
        yield Row("their replay from the record", "s", [again])
        yield Row("the one to the other", "times", [again / long.seconds], REPLAY)
        rates = [asyncio.run(commits(Path(folder) / f"commits-{run}.db", count)) for run in range(runs)]
        yield Row("commits, each on the disk before the next", "a second", rates)


def main() -> None:
    """Print the figures."""
    for row in rows():
        print(f"{row.name:72} {row.median:10.2f} {row.unit}", flush=True)


if __name__ == "__main__":
    main()
