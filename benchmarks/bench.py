"""One table of what the program costs on this machine: `python -m benchmarks.bench`."""

import argparse
import gc
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from benchmarks import displays, importtime, melds, rulings
from benchmarks.peers import openspiel_microseconds, rlcard_microseconds
from engine.game import games

_CHECK = "import sys; from firmware.command import main; sys.argv = ['tableref', 'check', sys.argv[1]]; main()"


DEALT = ", each card dealt an action"
EUCHRE = f"OpenSpiel euchre{DEALT}"
GIN = f"OpenSpiel gin_rummy{DEALT}"
RLCARD_GIN = "RLCard gin-rummy"
COMPARED = (
    ("pepper standard, 4 seats", EUCHRE),
    ("possession standard, 2 seats", GIN),
    ("possession melds, 2 seats", RLCARD_GIN),
    ("vazhushal standard, 2 seats", RLCARD_GIN),
    ("vazhushal wipe, 2 seats", RLCARD_GIN),
)
"""Which rows stand beside each other as ratios: a game and its peer."""
SERVED = (
    ("tap to ruling, median, 20 browsers look", "tap to ruling, median, nobody looks"),
    ("tap to ruling, p99, 20 browsers look", "tap to ruling, p99, nobody looks"),
    ("memory of an idle table, with the server", "memory of an idle table, without"),
)
"""And what the web costs, beside a table without it."""


class Sizes(NamedTuple):
    """How much is measured: runs of each row, deals a run, lines of the record, hands to lay, the seed of all chance;
    rounds with browsers and without, and the seconds of each (no rounds: nothing of the web).

    Short runs and many of them: on a busy machine some are left alone.
    """

    runs: int = 11
    deals: int = 20
    lines: int = 10_000
    hands: int = 10_000
    seed: int = 1
    rounds: int = 3
    seconds: int = 4


class Row(NamedTuple):
    """What was measured, in which unit, and the figure of each run."""

    name: str
    unit: str
    figures: Sequence[float]

    @property
    def least(self) -> float:
        """The run that was disturbed least."""
        return min(self.figures)

    @property
    def median(self) -> float:
        """The run in the middle."""
        return statistics.median(self.figures)


def measure(sizes: Sizes) -> Iterator[Row]:
    """Every row; the runs of yardstick, rule sets and peer take turns, so a busy minute falls on all of them."""
    measures: dict[tuple[str, str], Callable[[], float | None]] = {("a loop of 100,000 steps (yardstick)", "ms"): _loop}
    for game in games().values():
        for table in rulings.tables(game):
            name = f"{game.name} {table.rule_set}, {table.seats} seats"
            measures[name, "µs/action"] = partial(rulings.microseconds, table, sizes.deals, sizes.seed)
    measures[EUCHRE, "µs/action"] = partial(openspiel_microseconds, "euchre", sizes.deals, sizes.seed)
    measures[GIN, "µs/action"] = partial(openspiel_microseconds, "gin_rummy", sizes.deals, sizes.seed)
    measures[RLCARD_GIN, "µs/action"] = partial(rlcard_microseconds, "gin-rummy", 1, sizes.seed)
    rounds = [[figure() for figure in measures.values()] for _ in range(sizes.runs)]
    for (name, unit), figures in zip(measures, zip(*rounds, strict=True), strict=True):
        known = [figure for figure in figures if figure is not None]
        if known:
            yield Row(name, unit, known)
    imports = importtime.milliseconds([importtime.ENGINE, importtime.GAMES], sizes.runs)
    for laid in melds.figures(sizes.hands):
        yield Row(f"{laid.name}, of {laid.hands} hands the median", "ms", [laid.median])
        yield Row(f"{laid.name}, of {laid.hands} hands the worst", "ms", [laid.worst])
    for shown in displays.figures():
        yield Row(f"{shown.controller}: {shown.name}", "bytes", [shown.bytes])
    yield Row("import of the engine", "ms", imports[0])
    yield Row("import of the engine, games found", "ms", imports[1])
    yield Row(f"tableref check, {sizes.lines} lines", "s", check_seconds(sizes))
    yield from web_rows(sizes)


def web_rows(sizes: Sizes) -> Iterator[Row]:
    """What the board costs; nothing where the extra `web` is not installed."""
    try:
        web = import_module("benchmarks.web")
    except ImportError:
        return
    if sizes.rounds:
        yield from (Row(*figure) for figure in web.figures(sizes.rounds, sizes.seconds, sizes.seconds))


def check_seconds(sizes: Sizes) -> list[float]:
    """Seconds from start to end of `tableref check` on a record of random play, by a fresh interpreter each run."""
    table = next(rulings.tables(games()["pepper"]))
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "random.ctr"
        record.write_text(rulings.random_record(table, sizes.lines, sizes.seed), encoding="utf-8")
        return [_check(record) for _ in range(sizes.runs)]


def _check(record: Path) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", _CHECK, str(record)], check=True, capture_output=True)
    return time.perf_counter() - began


def _loop() -> float:
    began, value = time.perf_counter(), 0
    for step in range(100_000):
        value = (value * 31 + step) & 0xFFFF
    return (time.perf_counter() - began) * 1000


def machine() -> str:
    """The processor, the system and the Python."""
    about = Path("/proc/cpuinfo")
    facts = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    model = next((line.partition(":")[2].strip() for line in facts if line.startswith(("model name", "Model"))), "")
    system = f"{platform.system()} {platform.machine()}"
    return f"{model or 'unknown processor'}, {system}, {platform.python_implementation()} {platform.python_version()}"


def text(rows: Sequence[Row]) -> str:
    """The rows as lines in columns, and the ratio to the peer where it was measured."""
    width = max(len(row.name) for row in rows)
    lines = [f"{'':{width}}  {'minimum':>9}  {'median':>9}"]
    lines += [f"{row.name:{width}}  {row.least:9.2f}  {row.median:9.2f}  {row.unit}" for row in rows]
    named = {row.name: row for row in rows}
    for one, other in (*COMPARED, *SERVED):
        if one in named and other in named:
            ours, peer = named[one], named[other]
            ratios = f"{ours.least / peer.least:9.2f}  {ours.median / peer.median:9.2f}"
            lines.append(f"{'the one to the other':{width}}  {ratios}  ({one} : {other.removesuffix(DEALT)})")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    for name, size in Sizes()._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=size, help=f"default: {size}")
    sizes = Sizes(**vars(parser.parse_args(arguments)))
    gc.collect()
    gc.freeze()  # as the table does when it has started
    print(machine())
    print(text(list(measure(sizes))))


if __name__ == "__main__":
    main()
