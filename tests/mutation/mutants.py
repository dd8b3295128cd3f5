"""Small faults put into the heart of the engine, one after the other: which of them does no test notice?

`make mutants` runs it (`MODULES=tricks` for one). Each fault that lives has to stand in docs/mutants.md with a reason;
one that does not is printed, and the exit status is 1.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome
from hold import QUICK
from page import Mutant, explained, mutant

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/mutants.md"
FOLDERS = ("engine", "firmware", "hal", "tests")
TIMEOUT = 150.0
"""Seconds for all tests of one mutant, which end before that by themselves."""
SAME = re.compile(r"_Is(Not)?$|_Is_Eq$|_IsNot_NotEq$")
"""Identity in the place of equality, and the other way round, is left out: small numbers, and the standings of a match,
are one and the same object, so nothing could tell.
"""
SETTINGS = """[cosmic-ray]
module-path = "engine/{module}.py"
timeout = {timeout}
excluded-modules = []
test-command = "{python} tests/mutation/hold.py {module}"

[cosmic-ray.distributor]
name = "local"
"""


class Tally(NamedTuple):
    """How many mutants of a module there were, and which of them no test noticed."""

    module: str
    tried: int
    lived: tuple[Mutant, ...]


def tally(module: str, workers: int) -> Tally:
    """Try every mutant of a module, in as many copies of the project as there are workers."""
    with tempfile.TemporaryDirectory(prefix="tableref-mutants-") as folder:
        settings = Path(folder) / "settings.toml"
        python = sys.executable
        settings.write_text(SETTINGS.format(module=module, timeout=TIMEOUT, python=python), encoding="utf-8")
        whole = Path(folder) / "all.sqlite"
        _cosmic_ray(ROOT, "init", settings, whole)
        parts = list(_parts(whole, Path(folder), workers))
        with ThreadPoolExecutor(workers) as pool:
            outcomes = list(pool.map(partial(_try_part, settings), parts))
    return Tally(module, sum(count for count, _ in outcomes), tuple(one for _, lived in outcomes for one in lived))


def _parts(whole: Path, folder: Path, workers: int) -> Iterator[Path]:
    """Sessions that share the work, each beside a copy of the project."""
    with use_db(str(whole), WorkDB.Mode.open) as db:
        items = [item for item in db.work_items if not SAME.search(item.mutations[0].operator_name)]
    for number in range(workers):
        copy = folder / f"copy{number}"
        for name in FOLDERS:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, copy / name)
        session = copy / "session.sqlite"
        with use_db(str(session), WorkDB.Mode.create) as db:
            db.add_work_items(items[number::workers])
        yield session


def _try_part(settings: Path, session: Path) -> tuple[int, list[Mutant]]:
    _cosmic_ray(session.parent, "exec", settings, session)
    with use_db(str(session), WorkDB.Mode.open) as db:
        done = list(db.completed_work_items)
    for item, result in done:
        assert result.test_outcome in (TestOutcome.KILLED, TestOutcome.SURVIVED), (item, result)
    lived = [result.diff or "" for _, result in done if result.test_outcome == TestOutcome.SURVIVED]
    return len(done), [mutant(diff) for diff in lived]


def _cosmic_ray(folder: Path, *words: object) -> None:
    environment = os.environ | {
        "CI": "true",  # the same examples for each mutant
        "PYTHONPATH": str(folder),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "cosmic_ray.cli", *map(str, words)]
    subprocess.run(command, cwd=folder, env=environment, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the modules, and print what lives without a reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=sorted(QUICK), choices=[[], *sorted(QUICK)])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    said = parser.parse_args(arguments)
    known, unknown = explained(PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""), 0
    for module in said.modules:
        found = tally(module, said.workers)
        new = [one for one in found.lived if one not in known]
        unknown += len(new)
        print(f"{module}: {found.tried} mutants, {len(found.lived)} lived, {len(new)} of them without a reason")
        for one in new:
            print(one, flush=True)
    return min(unknown, 1)


if __name__ == "__main__":
    sys.exit(main())
