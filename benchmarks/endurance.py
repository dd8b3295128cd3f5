"""Matches without end, whatever goes wrong: `python -m benchmarks.endurance --seconds 3600`.

All games in all rule sets, with people who err and fumble, every named fault of the simulated world, and tables that
are switched off in the middle; by a clock that is stepped, so a seed plays the same again. What people were told that
it counts is compared with what the record holds, by the referee of the command line, and what a table leaves behind in
this process is looked at. The last lines are the report; the status is 1 where something was lost, made up, stuck or
leaked.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.answers import check_record
from engine.entries import Entry
from engine.game import games
from engine.match import Standing
from engine.record import read_record
from engine.values import Action
from firmware.bench import Bench
from firmware.furnish import FurnishError, furnish
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from hal.sim.named_faults import NAMED, FaultError

MISTAKES, FUMBLES = 0.1, 0.15
"""Shares of cards that are wrong, and that are shown clumsily."""
FAULT, MEND, OFF = 0.006, 0.02, 0.0015
"""How probable it is at each step that a fault comes, that all are mended, that the table is switched off and on."""
PATIENCE = 900.0
"""Seconds of the table without any accepted action after which all faults are mended; as many again, and it is switched
off and on; and as many once more, and it is stuck.
"""
DEALS = 3
"""Deals of a match at most: many short ones tell more than one that is long."""
WARM = 5
"""Matches after which memory, threads and files are to stay as they are."""
GROWTH, JUDGED = 0.3, 20
"""Megabytes a match by which memory may grow, for caches fill slowly; and the matches after which that is judged."""


class Left(NamedTuple):
    """What a match has left in this process: threads, open files, memory (RSS, MB)."""

    threads: int
    files: int
    memory: float


@dataclass(slots=True)
class Report:
    """What came of it. Four numbers must be 0, and what is left must not grow."""

    matches: int = 0
    actions: int = 0
    refused: int = 0
    switched_off: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    invented: int = 0
    stuck: int = 0
    restarts_needed: int = 0
    unfinished: int = 0
    """Matches that were broken off, for the time was over."""
    left: list[Left] = field(default_factory=list)

    @property
    def leaks(self) -> list[str]:
        """What grows from match to match."""
        return leaks(self.left)

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.wrong or self.leaks)

    @property
    def wrong(self) -> int:
        """What is to be 0."""
        return self.lost + self.invented + self.stuck + self.restarts_needed

    def values(self) -> dict[str, object]:
        """The same for machines."""
        names = ("matches", "actions", "refused", "switched_off", "lost", "invented", "stuck", "restarts_needed")
        found: dict[str, object] = {name: getattr(self, name) for name in (*names, "unfinished")}
        return found | {"games": dict(self.games), "faults": dict(self.faults), "leaks": self.leaks}


def leaks(left: Sequence[Left]) -> list[str]:
    """What grows behind the first matches: threads, open files, or memory by more than `GROWTH` a match."""
    warm = left[WARM:]
    if len(warm) < 2:
        return []
    found = []
    for name in ("threads", "files"):
        counts = [getattr(one, name) for one in warm]
        if counts[-1] > counts[0] and counts == sorted(counts):
            found.append(f"{name}: {counts[0]} to {counts[-1]}")
    slope = statistics.linear_regression(range(len(warm)), [one.memory for one in warm]).slope
    if len(warm) >= JUDGED and slope > GROWTH:
        found.append(f"memory: {slope:.2f} MB a match")
    return found


def compare(told: Iterable[Entry], recorded: Iterable[Entry]) -> tuple[int, int]:
    """How much of what people were told is not in the record, and how much is there that nobody was told of."""
    acknowledged, kept = Counter(map(_key, told)), Counter(map(_key, recorded))
    return (acknowledged - kept).total(), (kept - acknowledged).total()


def _key(entry: Entry) -> tuple[str, object]:
    """Who did what; the card may be written otherwise, where the record has to be legal on what all know."""
    return (entry.verb, entry.seat) if isinstance(entry, Action) else (type(entry).__name__, None)


def table_file(chance: Random) -> TableFile:
    """Any game, rule set and number of seats, with readers anywhere."""
    while True:
        game = games()[chance.choice(sorted(games()))]
        seats, rules = chance.choice(list(game.seats)), chance.choice(sorted(game.rule_sets))
        readers = chance.choice(("seats", "seats", "centre", "none"))
        try:
            return furnish(game.name, seats, rules, readers=readers, language=chance.choice(("en", "ru")))
        except FurnishError:
            continue  # such a table is not to be had


def play(report: Report, seed: int, until: Callable[[], bool]) -> None:
    """Play some deals of one match, or until the time is over."""
    chance = Random(seed)
    file = table_file(chance)
    with (
        tempfile.TemporaryDirectory(prefix="tableref-") as folder,
        SimulatedTable(file, Path(folder) / "journal.db", seed=seed) as table,
    ):
        bench = Bench(table, seed)
        for seat in range(1, len(file.wiring.seats) + 1):
            bench.seat_bot(seat, MISTAKES, FUMBLES)
        _go(report, bench, chance, until)
        table.faults.mend()
        told = [heard.ruling for heard in table.heard if heard.ruling is not None]
        recorded = [answer.ruling for answer in check_record(read_record(table.loop.record()))[1]]
    accepted = [ruling.entry for ruling in told if ruling.refusal is None]
    lost, invented = compare(accepted, [ruling.entry for ruling in recorded if ruling.refusal is None])
    report.lost, report.invented = report.lost + lost, report.invented + invented
    report.invented += sum(ruling.refusal is not None for ruling in recorded)
    report.actions += sum(isinstance(entry, Action) for entry in accepted)
    report.refused += len(told) - len(accepted)
    report.matches += 1
    report.games[file.table.game.name] += 1
    report.left.append(_left())


def _go(report: Report, bench: Bench, chance: Random, until: Callable[[], bool]) -> None:
    table = bench.table
    count, since, mended, restarted, deals = 0, table.clock.now(), False, False, chance.randint(1, DEALS)
    while table.match.standing is not Standing.OVER and table.match.deals < deals:
        if until():
            report.unfinished += 1
            return
        bench.step()
        if len(table.heard) != count:
            new = table.heard[count:]
            count = len(table.heard)
            if any(heard.ruling is not None and heard.ruling.refusal is None for heard in new):
                if restarted:
                    report.restarts_needed += 1
                since, mended, restarted = table.clock.now(), False, False
        if table.clock.now() - since > PATIENCE:
            table.faults.mend()
            _clear(table)
            if restarted:
                report.stuck += 1
                return
            if mended:
                bench.restart()
                restarted = True
            since, mended = table.clock.now(), True
        if not mended:
            _happen(report, bench, chance)


def _happen(report: Report, bench: Bench, chance: Random) -> None:
    """What may go wrong at a step."""
    dice, faults = chance.random(), bench.table.faults
    if dice < OFF:
        bench.restart()
        _clear(bench.table)
        report.switched_off += 1
    elif dice < OFF + FAULT:
        name = chance.choice(sorted(NAMED))
        places = faults.places(name)
        try:
            if places:
                faults.begin(name, chance.choice(places))
                report.faults[name] += 1
        except FaultError:
            pass  # it is there already
    elif dice < OFF + FAULT + MEND:
        faults.mend()


def _clear(table: SimulatedTable) -> None:
    """What lies on a reader is taken away, as the displays ask for: who laid it there has forgotten it."""
    for reader in table.wires.readers:
        table.wires.lift(reader)


def _left() -> Left:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
    return Left(threading.active_count(), sum(1 for _ in Path("/proc/self/fd").iterdir()), memory)


def endure(seconds: float, seed: int, tell: Callable[[str], None] = lambda line: None) -> Report:
    """Play one match after the other for so long, in real seconds."""
    report, chance, end = Report(), Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        match = chance.randrange(1 << 32)
        before = report.wrong
        play(report, match, lambda: time.monotonic() > end)
        said = "; here something went wrong" if report.wrong > before else ""
        tell(f"match {report.matches} (seed {match}): {report.actions} actions, {report.faults.total()} faults{said}")
    return report


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, in real seconds (default: 60)")
    parser.add_argument("--seed", type=int, default=None, help="the same seed plays the same matches")
    parser.add_argument("--match", type=int, default=None, help="only the match of this seed, to its end")
    parser.add_argument("--json", type=Path, default=None, metavar="PATH", help="write the report there, too")
    said = parser.parse_args(arguments)
    seed = Random().randrange(1 << 32) if said.seed is None else said.seed
    if said.match is not None:
        report = Report()
        play(report, said.match, lambda: False)
    else:
        print(f"seed {seed}", flush=True)
        report = endure(said.seconds, seed, lambda line: print(line, flush=True))
    for name, value in report.values().items():
        print(f"{name}: {value}")
    if said.json is not None:
        said.json.write_text(json.dumps({"seed": seed, **report.values()}, indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if report.well else 1)


if __name__ == "__main__":
    main()
