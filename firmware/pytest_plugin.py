"""For authors of games: a simulated table as a pytest fixture, and table scripts (`.table`) collected as tests.

Loaded by pytest wherever tableref is installed, so nothing is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from firmware.simulated import SimulatedTable


def pytest_configure(config: pytest.Config) -> None:
    """Keep quiet about a call in the display driver that Pillow 13 takes and Pillow 14, which is shut out, does not."""
    config.addinivalue_line("filterwarnings", "ignore:Image.Image.getdata is deprecated:DeprecationWarning")


@pytest.fixture
def simulated_table(tmp_path: Path) -> Iterator[Callable[..., SimulatedTable]]:
    """Makes simulated tables: `simulated_table("pepper", seats=4, rules="bowers", tracked=False, seed=7)`.

    Arguments are those of `firmware.furnish.furnish`, and `seed`. The tables are switched off after the test.
    """
    from firmware.furnish import furnish
    from firmware.simulated import SimulatedTable

    with ExitStack() as tables:

        def make(game: str, seats: int, seed: int = 0, **settings: Any) -> SimulatedTable:
            journal = tmp_path / f"journal-{len(list(tmp_path.iterdir()))}.db"
            return tables.enter_context(SimulatedTable(furnish(game, seats, **settings), journal, seed))

        yield make


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    """Collect table scripts."""
    if file_path.suffix == ".table":
        return ScriptFile.from_parent(parent, path=file_path)
    return None


class ScriptFile(pytest.File):
    """A table script."""

    def collect(self) -> Iterator[pytest.Item]:
        """The script as one test."""
        yield ScriptItem.from_parent(self, name=self.path.stem)


class ScriptItem(pytest.Item):
    """A table script as a test."""

    def runtest(self) -> None:
        """Play it."""
        from firmware.script import read_script, run_script

        run_script(read_script(self.path))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """The line of the script and what was found there."""
        from firmware.errors import TableError

        if isinstance(excinfo.value, TableError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test stands."""
        return self.path, 0, f"table script {self.path.name}"
