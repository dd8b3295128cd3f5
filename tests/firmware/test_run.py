"""Starting and ending the table as a program, and what it writes beside the journal."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from at_table import journal_rows, write_journal

from engine.referee import Ruling
from engine.values import Action, Notice
from firmware.desk import Heard
from firmware.run import Exporter, run_table, until_stopped
from firmware.simulated import SimulatedTable
from firmware.sitting import LeftBehind
from firmware.tablefile import read_table_file
from firmware.whole import write_whole
from hal.clock import SteadyClock
from hal.sim.board import SimulatedWires
from hal.wiring import Wiring

TABLE = """
[game]
name = "pepper"
hands = "concealed"
dealer = 1
options = { target = 3 }

[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }
display = { bus = 1, address = 0x3C }

[[seat]]
number = 2
buttons = { left = 5, ok = 6, right = 13 }
display = { bus = 1, address = 0x3D }
"""

COMMAND = [sys.executable, "-c", "from firmware.command import main; main()"]


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    path = tmp_path / "two-seats.toml"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run_tableref(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.few(1)
@pytest.mark.threads
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_running_table_ends_with_status_0_at_a_signal(tmp_path: Path, table_file: Path, number: int) -> None:
    journal = tmp_path / "journal.db"
    process = subprocess.Popen(
        [*COMMAND, "run", "--table", str(table_file), "--simulated", "--journal", str(journal)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while process.poll() is None and not has_match(journal):
            os.sched_yield()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")
    assert out == f"pepper, 2 seats; LGPIOFactory on pinctrl-rp1; journal {journal}\n"


@pytest.mark.long
@pytest.mark.threads
def test_a_table_whose_log_cannot_be_written_runs_on_to_a_clean_end(tmp_path: Path, table_file: Path) -> None:
    journal = tmp_path / "journal.db"
    with Path("/dev/full").open("wb") as full:
        process = subprocess.Popen(
            [*COMMAND, "run", "--table", str(table_file), "--simulated", "--journal", str(journal)],
            cwd=tmp_path, stdout=full, stderr=full,
        )  # fmt: skip
    try:
        while process.poll() is None and not has_match(journal):
            os.sched_yield()
        for number in (signal.SIGUSR1, signal.SIGUSR2):  # they say nothing to a table
            process.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.0)
        process.send_signal(signal.SIGQUIT)
        assert process.wait(60) == 0
    finally:
        process.kill()


@pytest.mark.few(1)
@pytest.mark.threads
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_table_whose_log_goes_into_a_full_pipe_that_nobody_reads_runs_on_to_a_clean_end(
    tmp_path: Path, table_file: Path, unbuffered: str
) -> None:
    journal = tmp_path / "journal.db"
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"." * 4096)
    os.set_blocking(writing, True)
    process = subprocess.Popen(
        [*COMMAND, "run", "--table", str(table_file), "--simulated", "--journal", str(journal)],
        cwd=tmp_path, stdout=writing, stderr=writing, env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    try:
        while process.poll() is None and not has_match(journal):
            os.sched_yield()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(writing)
        os.close(reading)


class WithoutDisplay(SimulatedWires):
    """The table's wires, but for the display of seat 2."""

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring)
        self.unplug_display(2)


def test_the_log_names_devices_in_the_language_of_the_table(
    tmp_path: Path, table_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table_file.write_text(f'[table]\nlanguage = "ru"\n{TABLE}', encoding="utf-8")
    file = read_table_file(table_file)

    async def start_and_stop() -> None:
        wires = WithoutDisplay(file.wiring)
        running = asyncio.create_task(run_table(file, wires, tmp_path / "j.db", SteadyClock(30), Random(1)))
        for _ in range(600):
            await asyncio.sleep(0.05)
            said.append(capsys.readouterr().err)
            if "потеряно" in said[-1]:
                break
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    said: list[str] = []
    asyncio.run(start_and_stop())
    assert "дисплей места 2: потеряно, " in "".join(said)


@pytest.mark.threads
def test_a_table_whose_journal_is_damaged_starts_and_its_log_says_what_became_of_it(
    tmp_path: Path, table_file: Path
) -> None:
    journal = tmp_path / "journal.db"
    write_journal(journal, read_table_file(table_file), ["deal 2", "1 bid 1"])
    data = journal.read_bytes()
    journal.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    process = subprocess.Popen(
        [*COMMAND, "run", "--table", str(table_file), "--simulated", "--journal", str(journal)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while process.poll() is None and not (list(tmp_path.glob("*.damaged-*")) and has_match(journal)):
            os.sched_yield()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert err.startswith(f"{journal}: the journal is damaged (")
    [aside] = tmp_path.glob("journal.db.damaged-*")
    assert err.endswith(f"; it is set aside as {aside.name}; a new one is begun\n")


def has_match(journal: Path) -> bool:
    """Whether the journal holds a match: by then the table handles signals."""
    if not journal.exists():
        return False
    try:
        file = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
        try:
            return bool(file.execute("SELECT 1 FROM match").fetchall())
        finally:
            file.close()
    except sqlite3.OperationalError:
        return False


@pytest.mark.long
@pytest.mark.threads
def test_the_demonstration_plays_a_match_to_its_end_and_its_record_is_accepted(
    tmp_path: Path, table_file: Path
) -> None:
    played = run_tableref("demo", "--table", str(table_file), "--record", "match.ctr", folder=tmp_path)
    assert (played.returncode, played.stderr) == (0, "")
    assert "The match is in match.ctr" in played.stdout
    checked = run_tableref("check", "match.ctr", folder=tmp_path)
    assert checked.returncode == 0
    assert "over: true" in checked.stdout


@pytest.mark.long
@pytest.mark.threads
def test_the_demonstration_plays_on_through_faults_and_its_record_is_accepted(tmp_path: Path, table_file: Path) -> None:
    played = run_tableref(
        "demo", "--table", str(table_file), "--faults", "bounce,full-disk,slow-disk,stuck-button", folder=tmp_path
    )
    assert played.returncode == 0
    # The thread that makes copies may meet the full disk.
    assert all(line.endswith("; no copy of the journal is made") for line in played.stderr.splitlines()), played.stderr
    assert "The match is in tableref-demo.ctr" in played.stdout
    checked = run_tableref("check", "tableref-demo.ctr", folder=tmp_path)
    assert checked.returncode == 0
    assert "over: true" in checked.stdout


def test_a_journal_that_cannot_be_opened_ends_the_start_with_status_2(tmp_path: Path, table_file: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    failed = run_tableref("run", "--table", str(table_file), "--simulated", "--journal", "journal.db", folder=tmp_path)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1
    assert failed.stderr.startswith("journal.db: ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_stops_the_table_instead_of_ending_the_process(number: int) -> None:
    async def stopped() -> bool:
        stop = asyncio.Event()
        with until_stopped(stop.set):
            os.kill(os.getpid(), number)
            await stop.wait()
        return stop.is_set()

    before = signal.getsignal(number)
    assert asyncio.run(stopped())
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_a_signal_that_says_nothing_to_a_table_does_not_end_it(number: int) -> None:
    async def runs_on() -> bool:
        stop = asyncio.Event()
        with until_stopped(stop.set):
            os.kill(os.getpid(), number)
            await asyncio.sleep(0)
        return not stop.is_set()

    assert asyncio.run(runs_on())


# The export


def left_behind(folder: Path, older: str | None) -> None:
    """Leave match 7 behind, of which an older export is there."""
    if older is not None:
        (folder / "match-7.ctr").write_text(older, encoding="utf-8")
    Exporter(folder).keep(LeftBehind(7, "game: pepper\n\ndeal 2\n1 bid 1\n"))


@pytest.mark.parametrize("older", [None, "game: pepper\n\ndeal 2\n"])
def test_the_record_of_a_match_that_is_left_behind_is_exported_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], older: str | None
) -> None:
    left_behind(tmp_path, older)
    path = tmp_path / "match-7.ctr"
    assert path.read_text(encoding="utf-8") == "game: pepper\n\ndeal 2\n1 bid 1\n"
    assert capsys.readouterr().err == (
        f"match 7 of the journal was begun with another table file and ends here: {path}\n"
    )


def test_an_older_export_that_says_otherwise_is_kept_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left_behind(tmp_path, "game: pepper\noption: target = 3\n\ndeal 2\n")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["match-7-left.ctr", "match-7.ctr"]
    assert "target = 3" in (tmp_path / "match-7.ctr").read_text(encoding="utf-8")
    assert "match-7-left.ctr" in capsys.readouterr().err


@pytest.mark.threads
def test_a_table_with_changed_options_exports_the_match_that_it_does_not_play_on(
    tmp_path: Path, table_file: Path
) -> None:
    journal = tmp_path / "journal.db"
    write_journal(journal, read_table_file(table_file), ["deal 2", "1 bid 1"])
    table_file.write_text(TABLE.replace("target = 3", "target = 4"), encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "run", "--table", str(table_file), "--simulated", "--journal", str(journal)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("pepper, 2 seats")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    record = tmp_path / "match-1.ctr"
    assert (process.returncode, err) == (
        0, f"match 1 of the journal was begun with another table file and ends here: {record}\n",
    )  # fmt: skip
    assert "option: target = 3\n\ndeal 2\n1 bid 1\n" in record.read_text(encoding="utf-8")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "match.ctr"
    write_whole(path, "old\n")
    write_whole(path, "new\n")
    assert path.read_text(encoding="utf-8") == "new\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.ctr"]


def test_a_write_that_fails_leaves_the_old_file_and_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.ctr"
    write_whole(path, "old\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new\n")
    assert path.read_text(encoding="utf-8") == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.ctr"]


def ruled(*codes: str) -> Heard:
    return Heard(1, Ruling(Action(1, "play", 0), None, tuple(Notice(code) for code in codes)), None)


def exporter(path: Path) -> Exporter:
    made = Exporter(path.parent)
    made.loop = SimpleNamespace(number=7, record=lambda: "the record\n")  # type: ignore[assignment]
    return made


@pytest.mark.parametrize("code", ["deal-scored", "thrown-in"])
def test_the_record_is_exported_when_a_deal_has_ended(tmp_path: Path, code: str) -> None:
    exporter(tmp_path / "match-7.ctr")(ruled("trick-won", code))
    assert (tmp_path / "match-7.ctr").read_text(encoding="utf-8") == "the record\n"


def test_nothing_is_exported_while_a_deal_runs_because_a_record_holds_all_hands(tmp_path: Path) -> None:
    export = exporter(tmp_path / "match-7.ctr")
    export(ruled("trick-won"))
    export(Heard(1, None, None))
    assert not (tmp_path / "match-7.ctr").exists()


def test_an_export_that_fails_is_said_and_stops_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exporter(tmp_path / "missing" / "match-7.ctr")(ruled("deal-scored"))
    assert "match-7.ctr: No such file or directory; the record was not exported" in capsys.readouterr().err


def test_the_journal_and_no_other_file_is_left_by_a_table_that_was_switched_on_and_off(
    tmp_path: Path, table_file: Path
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    with SimulatedTable(read_table_file(table_file), folder / "journal.db"):
        pass
    assert [entry.name for entry in folder.iterdir()] == ["journal.db"]
    assert journal_rows(folder / "journal.db") == []
