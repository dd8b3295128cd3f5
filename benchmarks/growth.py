"""What a long session does to a table: `python -m benchmarks.growth`, or `make growth`.

One match of a thousand deals, played at random: each entry is ruled on by the table's own loop, is on the disk, and has
reached the simulated displays and what browsers are sent before the next. After so many deals each: what an entry took,
the memory of the process, the size of the journal, what it takes to ask for the history, and what each browser that has
the board open is sent for an entry. What grows with what was played is to be seen.
"""

import argparse
import gc
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.row import Row
from benchmarks.rulings import play_deal
from engine.cards import UNKNOWN
from engine.entries import Entry
from engine.match import begin
from engine.referee import Referee
from engine.values import Action
from firmware.furnish import furnish
from firmware.history import read_sessions
from firmware.rulings import Tap
from firmware.simulated import SimulatedTable
from firmware.svg import Part, Text, Wire, document
from firmware.web.feed import Feed
from firmware.web.publisher import Publisher

GAME, SEATS, TARGET = "pepper", 2, 999
DEALS, EVERY = 1000, 50
GREW = 1.5
"""Times that an entry at the end is to take at most of what one took at the start."""
SEED = 1


class Stand(NamedTuple):
    """After so many deals, with so many entries: milliseconds an entry (the median of the last deals, and the mean, in
    which the ends of deals count), megabytes of the process, kilobytes of the journal, milliseconds that the history
    takes, kilobytes that a browser is sent for an entry.
    """

    deals: int
    entries: int
    entry: float
    mean: float
    memory: float
    journal: float
    history: float
    browser: float


class Counted(Feed):
    """What browsers are sent, counted."""

    sent = 0

    def publish(self, topic: str, value: str) -> None:
        """Count what has changed."""
        before = self.newest([topic]).get(topic)
        super().publish(topic, value)
        self.sent += len(value) if value != before else 0


def session(deals: int = DEALS, every: int = EVERY) -> Iterator[Stand]:
    """Play, and stand still now and then."""
    file = furnish(GAME, SEATS, dealer=1, options={"target": TARGET})
    with TemporaryDirectory(prefix="tableref-") as folder:
        journal = Path(folder) / "journal.db"
        with SimulatedTable(file, journal, SEED) as table:
            players, chance, feed = Referee(begin(file.table)), Random(SEED), Counted()
            Publisher(feed).attach(table.loop)
            count, times, sent = 0, list[float](), 0
            for deal in range(1, deals + 1):
                players = Referee(players.match)  # else all that was played would be kept for nobody
                for entry in play_deal(players, chance):
                    began = time.perf_counter()
                    table.do(_enter(table, entry))
                    table.wait(0.03)
                    times.append((time.perf_counter() - began) * 1000)
                    count += 1
                table.heard.clear()  # what it keeps for tests is no table's
                if deal % every == 0:
                    median, mean = statistics.median(times), statistics.fmean(times)
                    browser, sent = (feed.sent - sent) / len(times) / 1024, feed.sent
                    yield Stand(deal, count, median, mean, _memory(), _size(journal), _history(journal), browser)
                    times = []
            assert table.match.step == players.match.step


async def _enter(table: SimulatedTable, entry: Entry) -> None:
    """As the loop does it when all is given; an action as one that was shown."""
    place = entry.seat if isinstance(entry, Action) else 1
    assert await table.loop._submit(place, entry, Tap("", UNKNOWN), table.clock.now()), entry


def _memory() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


def _size(journal: Path) -> float:
    return sum(path.stat().st_size for path in (journal, Path(f"{journal}-wal")) if path.exists()) / 1024


def _history(journal: Path) -> float:
    began = time.perf_counter()
    read_sessions(journal)
    return (time.perf_counter() - began) * 1000


def rows(stands: Sequence[Stand]) -> Iterator[Row]:
    """The first and the last stand, and how much an entry grew."""
    first, last = stands[0], stands[-1]
    for at in (first, last):
        yield Row(f"an entry, after {at.deals} deals", "ms", [at.entry])
        yield Row(f"the same, with the ends of deals, after {at.deals} deals", "ms", [at.mean])
        yield Row(f"memory, after {at.deals} deals", "MB", [at.memory])
        yield Row(f"journal, after {at.deals} deals", "KB", [at.journal])
        yield Row(f"history, after {at.deals} deals", "ms", [at.history])
        yield Row(f"to a browser for an entry, after {at.deals} deals", "KB", [at.browser])
    yield Row("an entry, the last to the first", "times", [last.entry / first.entry], GREW)
    yield Row("the same, with the ends of deals", "times", [last.mean / first.mean], GREW)
    yield Row("to a browser, the last to the first", "times", [last.browser / first.browser], GREW)
    yield Row(
        "memory for each further deal", "KB", [(last.memory - first.memory) * 1024 / max(1, last.deals - first.deals)]
    )


CURVES = (
    ("ms an entry", "mean"),
    ("MB of memory", "memory"),
    ("KB of journal", "journal"),
    ("ms for the history", "history"),
    ("KB an entry to each browser", "browser"),
)
WIDTH, HEIGHT, LEFT, GAP = 900.0, 190.0, 130.0, 60.0


def plot(stands: Sequence[Stand]) -> str:
    """Four curves over the deals, each from 0, as SVG."""
    parts = [Part(field, HEIGHT + GAP, tuple(_curve(name, field, stands))).moved(0.0, 40.0 + place * (HEIGHT + GAP))
             for place, (name, field) in enumerate(CURVES)]  # fmt: skip
    return document("A long session", LEFT + WIDTH + 40, 40 + len(CURVES) * (HEIGHT + GAP), parts)


def _curve(name: str, field: str, stands: Sequence[Stand]) -> Iterator[Text | Wire]:
    values, deals = [float(getattr(at, field)) for at in stands], stands[-1].deals
    most = max(values) or 1.0
    yield Wire(((LEFT, 0.0), (LEFT, HEIGHT), (LEFT + WIDTH, HEIGHT)), thick=1)
    points = [(LEFT + WIDTH * at.deals / deals, HEIGHT - HEIGHT * value / most)
              for at, value in zip(stands, values, strict=True)]  # fmt: skip
    yield Wire(tuple(points), "#1f5fa8", 3)
    yield Text(LEFT, -12, name, 18)
    yield Text(LEFT - 10, 14, f"{most:.1f}", 16, "end")
    yield Text(LEFT - 10, HEIGHT, "0", 16, "end")
    yield Text(LEFT + WIDTH, HEIGHT + 24, f"{deals} deals", 16, "end")


def main() -> None:
    """Play, print and plot."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--every", type=int, default=EVERY)
    parser.add_argument("--plot", type=Path, metavar="PATH")
    said = parser.parse_args()
    stands = []
    for at in session(said.deals, said.every):
        stands.append(at)
        print("  ".join(f"{name} {value:.1f}" for name, value in at._asdict().items()), flush=True)
    for row in rows(stands):
        print(f"{row.name:48} {row.median:10.2f} {row.unit}")
    if said.plot is not None:
        said.plot.write_text(plot(stands), encoding="utf-8")


if __name__ == "__main__":
    main()
