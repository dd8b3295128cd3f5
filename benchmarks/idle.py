"""What a table costs at which nothing happens: `python -m benchmarks.idle`.

Six seats and eight readers that are polled, no web. The chips behind the simulated wires live in the table's process;
their thread is told apart from the table's own, whose threads are counted one by one by the kernel
(/proc/PID/task/TID/schedstat). What a chip does within a table's thread, such as the lines' levels, stays counted.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.importtime import compiled
from benchmarks.row import Row
from firmware.furnish import furnish
from firmware.run import running
from firmware.tablefile import TableFile
from hal.clock import SteadyClock
from hal.reader_group import REST_AFTER
from hal.sim.board import SimulatedWires
from hal.wiring import CommonRole, ReaderWiring

CPU, MEMORY, START = 3.0, 55.0, 1.5
"""What is allowed: percent of a core, megabytes, seconds."""
SECONDS = 8.0
CHIPS = "serial bench"
"""The thread of the simulated chips."""
LISTED = 8
"""How many imports are listed."""
_ROOT = Path(__file__).parent.parent
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")


class Rest(NamedTuple):
    """A table at rest: seconds from start to ready, megabytes (RSS), and the share of a core that each thread takes,
    %, by its name.
    """

    ready: float
    memory: float
    shares: dict[str, float]

    @property
    def own(self) -> float:
        """What the table itself takes."""
        return sum(share for name, share in self.shares.items() if name != CHIPS)


def table_file() -> TableFile:
    """Six seats with a reader each, a dealing pad and one in the middle."""
    file = furnish("vazhushal", 6)
    centre = ReaderWiring(role=CommonRole.CENTRE, port="/dev/simulated/centre")
    return file._replace(wiring=replace(file.wiring, common_readers=(*file.wiring.common_readers, centre)))


async def rest(began: float, seconds: float) -> Rest:
    """Let a table stand for so long. `began` is when its process began, by the monotonic clock."""
    file = table_file()
    with closing(SimulatedWires(file.wiring)) as wires, TemporaryDirectory(prefix="tableref-") as folder:
        async with running(file, wires, Path(folder) / "journal.db", SteadyClock(), Random(1)):
            ready = time.monotonic() - began
            await asyncio.sleep(REST_AFTER + 1.0 if seconds >= 1 else seconds)
            before, at = _worked(), time.monotonic()
            await asyncio.sleep(seconds)
            took = time.monotonic() - at
            shares = {name: 100 * (now - before.get(name, 0.0)) / took for name, now in _worked().items()}
            return Rest(ready, _megabytes(), shares)


def _worked() -> dict[str, float]:
    """Seconds of a core that each thread has had, by name."""
    return {
        thread.name: int(Path(f"/proc/self/task/{thread.native_id}/schedstat").read_text(encoding="utf-8").split()[0])
        / 1e9
        for thread in threading.enumerate()
    }


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


def at_rest(seconds: float = SECONDS) -> Rest:
    """The same in a process of its own."""
    with compiled() as environment:
        for each in (0.1, seconds):  # the first writes the bytecode
            began = time.monotonic()
            command = [sys.executable, "-m", "benchmarks.idle", "--began", str(began), "--seconds", str(each)]
            done = subprocess.run(command, cwd=_ROOT, env=environment, check=True, capture_output=True, text=True)
    ready, memory, *shares = done.stdout.splitlines()
    named = (line.partition(" ")[::2] for line in shares)
    return Rest(float(ready), float(memory), {name: float(share) for share, name in named})


def imports() -> list[tuple[str, float]]:
    """What a table loads, by package, with the milliseconds that each took itself; the dearest first."""
    command = [sys.executable, "-X", "importtime", "-c", "import firmware.command, firmware.run, hal.sim.board"]
    with compiled() as environment:
        for _ in range(2):  # the first writes the bytecode
            done = subprocess.run(command, cwd=_ROOT, env=environment, check=True, capture_output=True, text=True)
    costs: dict[str, float] = {}
    for own, _, _, name in _IMPORT.findall(done.stderr):
        package = name.partition(".")[0]
        costs[package] = costs.get(package, 0.0) + int(own) / 1000
    return sorted(costs.items(), key=lambda item: -item[1])


def rows(seconds: float = SECONDS) -> Iterator[Row]:
    """Time, memory, the share of a core, and the dearest imports."""
    found = at_rest(seconds)
    yield Row("from the start of the process to ready", "s", [found.ready], START)
    yield Row("memory", "MB", [found.memory], MEMORY)
    yield Row("CPU of the table itself", "% of a core", [found.own], CPU)
    yield Row("CPU of the simulated chips beside it", "% of a core", [found.shares.get(CHIPS, 0.0)])
    costs = imports()
    yield Row("all imports", "ms", [sum(cost for _, cost in costs)])
    for name, cost in costs[:LISTED]:
        yield Row(f"import of {name}", "ms", [cost])


def main() -> None:
    """Print the figures; with `--began` those of a table in this very process, for whoever started it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.idle", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--began", type=float, help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.began is None:
        for row in rows(said.seconds):
            print(f"{row.name:48} {row.median:8.2f} {row.unit}", flush=True)
        return
    found = asyncio.run(rest(said.began, said.seconds))
    print(found.ready, found.memory, sep="\n")
    for name, share in found.shares.items():
        print(f"{share} {name}")


if __name__ == "__main__":
    main()
