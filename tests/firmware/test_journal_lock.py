"""Two tables on one journal: the second is refused, and says whose it is. Nothing of that outlives a table."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from at_table import journal_rows

from firmware.errors import JournalError
from firmware.journal import Journal

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from pathlib import Path
from firmware.journal import Journal
journal = Journal(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def other(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another table that has the journal."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def write(journal: Journal, text: str) -> None:
    asyncio.run(journal.append(text))


def test_the_journal_of_another_table_is_refused_in_one_line_that_names_it(
    path: Path, other: subprocess.Popen[str]
) -> None:
    with pytest.raises(JournalError, match=rf"^{path}: .*\(pid {other.pid}\) writes to it; expected [^\n]*$"):
        Journal(path)


@pytest.mark.long
def test_the_command_ends_with_status_2_and_leaves_the_other_table_alone(
    path: Path, other: subprocess.Popen[str]
) -> None:
    table = ROOT / "examples" / "two-seats.toml"
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "run", "--simulated", "--table", str(table), "--journal", str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"(pid {other.pid}) writes to it" in done.stderr
    assert other.poll() is None


def test_a_table_that_was_killed_holds_nothing(path: Path, other: subprocess.Popen[str]) -> None:
    other.send_signal(signal.SIGKILL)
    other.wait(60)
    with closing(Journal(path)) as journal:
        assert journal.last_match() is None


def test_who_only_reads_is_let_in_while_a_table_writes(path: Path) -> None:
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(["game: pepper", "seats: 2"]))
        write(journal, "deal 2")
        assert journal_rows(path) == [(1, "deal 2")]
        write(journal, "1 bid 1")
        assert len(journal_rows(path)) == 2


def test_in_one_process_too_a_journal_has_one_table_and_that_goes_on(path: Path) -> None:
    with closing(Journal(path)) as journal:
        asyncio.run(journal.begin_match(["game: pepper", "seats: 2"]))
        link = path.with_name("link.db")
        link.symlink_to(path)
        for name in (path, link):
            with pytest.raises(JournalError, match="this process writes to it already"):
                Journal(name)
        write(journal, "deal 2")
    with closing(Journal(path)) as journal:
        assert journal.last_match() == ("game: pepper\nseats: 2", ["deal 2"])


def test_no_other_file_is_left(path: Path) -> None:
    Journal(path).close()
    assert [entry.name for entry in path.parent.iterdir()] == ["journal.db"]
