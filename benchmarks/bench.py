"""One table of what the program costs on this machine: `python -m benchmarks.bench`."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from benchmarks import displays, idle, importtime, journal, melds, rulings, sent, tap
from benchmarks.peers import (
    chess_microseconds,
    openspiel_microseconds,
    pokerkit_microseconds,
    rlcard_microseconds,
)
from benchmarks.report import machine, markdown
from benchmarks.row import Row
from engine.game import games
from firmware.garbage import settle

_CHECK = "import sys; from firmware.command import main; sys.argv = ['tableref', 'check', sys.argv[1]]; main()"


DEALT = ", each card dealt an action"
EUCHRE = f"OpenSpiel euchre{DEALT}"
GIN = f"OpenSpiel gin_rummy{DEALT}"
HEARTS = f"OpenSpiel hearts{DEALT}"
RLCARD_GIN = "RLCard gin-rummy"
RLCARD_BRIDGE = "RLCard bridge"
POKERKIT = "PokerKit hold 'em"
CHESS = "python-chess"
PEERS = (EUCHRE, HEARTS, GIN, RLCARD_GIN, RLCARD_BRIDGE, POKERKIT, CHESS)
"""What other programs need for the same work, or for such work."""
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
    rounds with browsers and without, and the seconds of each (no rounds: nothing of the web); actions whose bytes are
    counted, seconds of taps for each kind of table, seconds of rest, actions of the longest journal (0: not measured).

    Short runs and many of them: on a busy machine some are left alone.
    """

    runs: int = 9
    deals: int = 20
    lines: int = 10_000
    hands: int = 10_000
    seed: int = 1
    rounds: int = 8
    seconds: int = 4
    sent: int = 20
    taps: int = 8
    rest: int = 6
    actions: int = 100_000


def measure(sizes: Sizes) -> Iterator[Row]:
    """Every row of all sections."""
    for _, rows in sections(sizes):
        yield from rows


def sections(sizes: Sizes) -> Iterator[tuple[str, Iterator[Row]]]:
    """What is measured, by subject; each is measured as its rows are taken."""
    yield "Rulings", ruling_rows(sizes)
    yield "Melds", meld_rows(sizes)
    yield "Changes of a display", display_rows()
    yield "Start of the engine", engine_rows(sizes)
    if sizes.sent:
        yield "Bytes an action sends to all displays together", sent.rows(sizes.sent)
    if sizes.taps:
        yield "From the card to the glass", tap.rows(sizes.taps)
    if sizes.seconds and sizes.rest:
        yield "A table at rest: six seats, eight readers", idle.rows(sizes.rest)
    if sizes.actions:
        yield "The journal", journal.rows((100, sizes.actions // 10, sizes.actions))
    yield "What browsers cost the table", web_rows(sizes)


def ruling_rows(sizes: Sizes) -> Iterator[Row]:
    """The runs of yardstick, rule sets and peers take turns, so a busy minute falls on all of them."""
    measures: dict[tuple[str, str], Callable[[], float | None]] = {("a loop of 100,000 steps (yardstick)", "ms"): _loop}
    for game in games().values():
        for table in rulings.tables(game):
            name = f"{game.name} {table.rule_set}, {table.seats} seats"
            measures[name, "µs/action"] = partial(rulings.microseconds, table, sizes.deals, sizes.seed)
    measures[EUCHRE, "µs/action"] = partial(openspiel_microseconds, "euchre", sizes.deals, sizes.seed)
    measures[HEARTS, "µs/action"] = partial(openspiel_microseconds, "hearts", sizes.deals, sizes.seed)
    measures[GIN, "µs/action"] = partial(openspiel_microseconds, "gin_rummy", sizes.deals, sizes.seed)
    measures[RLCARD_GIN, "µs/action"] = partial(rlcard_microseconds, "gin-rummy", 1, sizes.seed)
    measures[RLCARD_BRIDGE, "µs/action"] = partial(rlcard_microseconds, "bridge", 1, sizes.seed)
    measures[POKERKIT, "µs/action"] = partial(pokerkit_microseconds, 2, sizes.seed)
    measures[CHESS, "µs/action"] = partial(chess_microseconds, 1, sizes.seed)
    rounds = [[figure() for figure in measures.values()] for _ in range(sizes.runs)]
    for (name, unit), figures in zip(measures, zip(*rounds, strict=True), strict=True):
        known = [figure for figure in figures if figure is not None]
        if known:
            yield Row(name, unit, known)


def meld_rows(sizes: Sizes) -> Iterator[Row]:
    """What it costs to lay a hand."""
    for laid in melds.figures(sizes.hands):
        yield Row(f"{laid.name}, of {laid.hands} hands the median", "ms", [laid.median])
        yield Row(f"{laid.name}, of {laid.hands} hands the worst", "ms", [laid.worst])


def engine_rows(sizes: Sizes) -> Iterator[Row]:
    """How long a fresh interpreter takes."""
    imports = importtime.milliseconds([importtime.ENGINE, importtime.GAMES], sizes.runs)
    yield Row("import of the engine", "ms", imports[0])
    yield Row("import of the engine, games found", "ms", imports[1])
    yield Row(f"tableref check, {sizes.lines} lines", "s", check_seconds(sizes))


def display_rows() -> Iterator[Row]:
    """Bytes that changes take."""
    for shown in displays.figures():
        yield Row(f"{shown.controller}: {shown.name}", "bytes", [shown.bytes])


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


def text(rows: Sequence[Row]) -> str:
    """The rows as lines in columns, and the ratio to the peer where it was measured."""
    width = max(len(row.name) for row in rows)
    lines = [f"{'':{width}}  {'minimum':>9}  {'median':>9}"]
    lines += [f"{row.name:{width}}  {row.least:9.2f}  {row.median:9.2f}  {row.unit}" for row in rows]
    lines += [
        f"{'the one to the other':{width}}  {least:9.2f}  {median:9.2f}  ({one} : {other})"
        for one, other, least, median in ratios(rows)
    ]
    return "\n".join(lines)


def ratios(rows: Sequence[Row]) -> list[tuple[str, str, float, float]]:
    """Of each pair that was measured: the one, the other, and the ratios of their minima and of their medians."""
    named = {row.name: row for row in rows}
    pairs = [(one, other) for one, other in (*COMPARED, *SERVED) if one in named and other in named]
    return [
        (one, other.removesuffix(DEALT), named[one].least / named[other].least, named[one].median / named[other].median)
        for one, other in pairs
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    for name, size in Sizes()._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=size, help=f"default: {size}")
    parser.add_argument("--write", type=Path, metavar="PATH", help="write the table as a page, too")
    said = vars(parser.parse_args(arguments))
    path = said.pop("write")
    settle()  # as the table does when it has started
    print(machine())
    found: list[tuple[str, list[Row]]] = []
    for name, measured in sections(Sizes(**said)):
        rows = list(measured)
        found.append((name, rows))
        if rows:
            print(f"\n{name}\n{text(rows)}", flush=True)
    if path is not None:
        path.write_text(markdown(found, ratios([row for _, rows in found for row in rows])), encoding="utf-8")


if __name__ == "__main__":
    main()
