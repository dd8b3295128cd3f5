"""The figures as a page: on which machine, with what, and how far the runs lay apart."""

import os
import platform
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.row import Row

PROGRAMS = ("luma.oled", "pillow", "aiohttp", "open_spiel", "rlcard", "pokerkit", "chess")
"""Whose versions are named, where they are installed."""

_HEAD = """\
# What it costs

`make bench` measures all of this on the machine that it runs on, and writes this page anew. The rows say what a table
promises; times are those of one machine and hold for no other, ratios and bytes hold anywhere. Where something is to be
at most so much, the last column says so, and marks what missed it.

The wires are simulated. Bytes on them take as long as on true ones where the card is followed to the glass; how long a
reader's chip searches for tags is not in it. Whole frames are luma.oled's: one to each display for each action.

![Time, memory, journal and history over a session of a thousand deals](images/growth.svg)

`make growth` plays a match of a thousand deals, and draws this picture anew.
"""

_NOTES = {
    "Rulings": """\
Pepper was to be no slower than OpenSpiel's euchre. That is C++ driven from Python, keeps one state that changes, and
tells only which cards are legal; the table's states never change, so that every one can be gone back to, and it tells
why a card is refused and what is noted. In Python that takes several times as long. All games are faster than RLCard's
gin, which is written in Python, too.
""",
    "Bytes an action sends to all displays together": """\
The bar of 10 % cannot be met by sending less: the bytes that differ from picture to picture alone are more than that,
for an action changes what every seat sees (what lies there, whose turn it is, what may follow), and what the acting one
sees several times while its cards are chosen. What is sent beside those bytes are addresses, and unchanged bytes
between two runs where they are fewer than another address has; no other choice of runs on a page is shorter
(`tests/hal/test_gddram.py`).
""",
    "From the card to the glass": """\
Most of the time from card to glass is the readers': neighbours take turns, and a card that brushes past is none.
""",
}
"""What is to be said to the figures of a section."""


def machine() -> str:
    """The processor, the system and the Python."""
    about = Path("/proc/cpuinfo")
    facts = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    model = next((line.partition(":")[2].strip() for line in facts if line.startswith(("model name", "Model"))), "")
    system = f"{platform.system()} {platform.machine()}"
    return f"{model or 'unknown processor'}, {system}, {platform.python_implementation()} {platform.python_version()}"


def versions() -> list[str]:
    """SQLite, and the programs that are installed."""
    found = [f"SQLite {sqlite3.sqlite_version}"]
    for name in PROGRAMS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found


def markdown(
    sections: Iterable[tuple[str, Sequence[Row]]], ratios: Iterable[tuple[str, str, float, float]] = ()
) -> str:
    """The page."""
    load = ", ".join(f"{share:.1f}" for share in os.getloadavg())
    lines = [
        _HEAD,
        f"- Measured: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, on {os.cpu_count()} cores with a load of {load}",
        f"- Machine: {machine()}",
        f"- With: {', '.join(versions())}",
    ]
    for name, rows in sections:
        if rows:
            lines += ["", f"## {name}", "", *([_NOTES[name]] if name in _NOTES else [])]
            lines += ["| what | unit | minimum | median | maximum | runs | at most |",
                      "| --- | --- | ---: | ---: | ---: | ---: | --- |", *map(_line, rows)]  # fmt: skip
    if pairs := list(ratios):
        lines += ["", "## The one to the other", "", "| the one | the other | of the minima | of the medians |",
                  "| --- | --- | ---: | ---: |"]  # fmt: skip
        lines += [f"| {one} | {other} | {least:.2f} | {median:.2f} |" for one, other, least, median in pairs]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    missed = row.bar is not None and row.median > row.bar
    bar = "" if row.bar is None else f"{row.bar:g}{' (missed)' if missed else ''}"
    figures = f"{row.least:.2f} | {row.median:.2f} | {row.most:.2f} | {len(row.figures)}"
    return f"| {row.name} | {row.unit} | {figures} | {bar} |"
