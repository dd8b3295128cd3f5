"""How long a fresh interpreter takes until the engine is ready: imported, and every game found."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ENGINE = "import engine.answers, engine.record, engine.pepper"
GAMES = f"{ENGINE}; from engine.game import games; games()"

_ROOT = Path(__file__).parent.parent
_TIMED = "import time; began = time.perf_counter(); {}; print((time.perf_counter() - began) * 1000)"


def milliseconds(statements: Sequence[str], runs: int) -> list[list[float]]:
    """For each statement the milliseconds of so many runs, each in an interpreter of its own.

    The start of the interpreter itself is not in it. Bytecode is read and not made: a run before the timed ones writes
    it to a folder that is deleted afterwards. The statements take turns. Raises ValueError for fewer than one run.
    """
    if runs < 1:
        raise ValueError(f"{runs} runs cannot be timed; expected at least 1")
    with compiled() as environment:
        rounds = [[_run(statement, environment) for statement in statements] for _ in range(runs + 1)]
    return [list(times) for times in zip(*rounds[1:], strict=True)]


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """The environment of a process that keeps its bytecode where later ones find it, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield environment


def _run(statement: str, environment: dict[str, str]) -> float:
    command = [sys.executable, "-c", _TIMED.format(statement)]
    done = subprocess.run(command, cwd=_ROOT, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)
