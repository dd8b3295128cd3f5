"""`tableref capture`, `tableref replay` and `--capture`: what they print, their status, and mistakes in one line."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from test_run import COMMAND, TABLE, has_match

from engine.record import header_lines
from firmware.capture_commands import Pace
from firmware.capturing import start_of
from firmware.command import main
from hal.capture import read_capture
from hal.sim.lgpio import SimLgpio

ROOT = Path(__file__).parents[2]
CAPTURE = ROOT / "tests" / "captures" / "display-pulled.capture"
SCRIPT = "seats 2\nhands concealed\nreaders none\ndealer 2\nchoose 2 dealt\nchoose 1 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def tableref(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def assert_one_line(result: Result, said: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


# Replaying


def test_a_replay_tells_what_is_ruled_and_that_all_is_as_captured(folder: Path) -> None:
    result = tableref("replay", str(CAPTURE), "--record", "match.ctr")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert any(line.strip().endswith("1 bid 1  ✓") for line in lines)
    assert lines[-1] == "all as captured"
    assert tableref("check", "match.ctr").exit_code == 0


def test_a_quiet_replay_says_only_how_it_ended(folder: Path) -> None:
    result = tableref("replay", "--quiet", str(CAPTURE))
    assert result.stdout.splitlines()[-1] == "all as captured"
    assert len(result.stdout.splitlines()) == 2


def test_a_replay_that_differs_has_status_1_and_says_where(folder: Path) -> None:
    text = CAPTURE.read_text(encoding="utf-8")
    assert "1 bid 1: ok" in text
    (folder / "one.capture").write_text(text.replace("1 bid 1: ok", "1 bid 2: ok"), encoding="utf-8")
    result = tableref("replay", "--quiet", "one.capture")
    assert result.exit_code == 1
    assert "s, table: captured '1 bid 2: ok', now '1 bid 1: ok'" in result.stdout


def test_a_capture_with_nothing_but_its_header_is_none(folder: Path) -> None:
    (folder / "one.capture").write_bytes(CAPTURE.read_bytes().split(b"\n")[0] + b"\n")
    assert_one_line(tableref("replay", "one.capture"), "one.capture:2: nothing but a header; expected what passed")


def test_a_cut_capture_is_said_to_be_cut(folder: Path) -> None:
    data = CAPTURE.read_bytes()
    (folder / "one.capture").write_bytes(data[: len(data) // 2])
    result = tableref("replay", "--quiet", "one.capture")
    assert result.exit_code == 0, result.output
    assert "the capture was cut there" in result.stdout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "one.capture:1: nothing; expected a capture"),
        (b"game: pepper\n", "one.capture:1: no JSON; expected a line of a capture"),
        (b'{"capture": 9}\n', "one.capture:1: a capture of version 9; expected version 2"),
        (b'{"capture": 2}\n', "one.capture:1: a header that lacks seed or table"),
        (b'{"capture": 2}\nhello\n', "one.capture:2: no JSON"),
        (b"\xff\xfe\n", "one.capture:1: not UTF-8"),
    ],
)
def test_what_is_no_capture_is_one_line(folder: Path, data: bytes, said: str) -> None:
    (folder / "one.capture").write_bytes(data)
    assert_one_line(tableref("replay", "one.capture"), said)


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_capture_is_replayed_or_is_one_line_that_says_where(folder: Path, seed: int) -> None:
    """Cut anywhere, a bit turned over in the header or elsewhere, or a few bytes overwritten."""
    data, chance = bytearray(CAPTURE.read_bytes()), Random(seed)
    match seed % 4:
        case 0:
            del data[chance.randrange(len(data)) :]
        case 1:
            data[chance.randrange(data.index(b"\n"))] ^= 1 << chance.randrange(8)
        case 2:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case _:
            for _ in range(5):
                data[chance.randrange(len(data))] = chance.randrange(256)
    (folder / "one.capture").write_bytes(data)
    result = tableref("replay", "--quiet", "one.capture")
    if result.exit_code == 2:
        assert_one_line(result, "one.capture:")
    else:
        assert result.exit_code in (0, 1)
        assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_huge_file_is_not_read_to_its_end(folder: Path) -> None:
    with (folder / "one.capture").open("wb") as file:
        file.truncate(3 << 40)  # no disk is needed for nothing but zeros
    assert_one_line(tableref("replay", "one.capture"), "one.capture:1: larger than 1024 MB; expected a capture")


def test_a_table_in_it_that_cannot_be_opened_is_one_line(folder: Path) -> None:
    text = CAPTURE.read_text(encoding="utf-8")
    (folder / "one.capture").write_text(text.replace('"seed": 0', '"seed": "\\ud800"', 1), encoding="utf-8")
    assert_one_line(tableref("replay", "one.capture"), "one.capture:1: a header that lacks seed or table")
    (folder / "one.capture").write_text(text.replace("[game]", "[game]\\ud800", 1), encoding="utf-8")
    assert_one_line(tableref("replay", "one.capture"), "one.capture:1: the table in it cannot be used")


def test_a_match_in_it_that_cannot_go_on_is_one_line(folder: Path) -> None:
    capture = read_capture(CAPTURE)
    table = start_of(capture).table
    match = {"header": "\n".join(header_lines(table.table, names=table.names)), "entries": ["1 play 9C"]}
    (folder / "one.capture").write_text(json.dumps(capture.header | {"match": match}) + "\n", encoding="utf-8")
    assert_one_line(tableref("replay", "one.capture"), "one.capture:1: a match that cannot be read: ")


def test_a_file_that_is_not_there(folder: Path) -> None:
    assert_one_line(tableref("replay", "no.capture"), "no.capture: No such file or directory; expected a capture")


def test_a_record_that_could_not_be_written_is_said_before_anything_is_played(folder: Path) -> None:
    assert_one_line(tableref("replay", str(CAPTURE), "--record", "no/match.ctr"), "no/match.ctr: no folder no")


def test_at_a_speed_each_step_waits_and_lost_time_is_made_up() -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    pace = Pace(2.0, sleep, lambda: now[0])
    pace(1.0)
    now[0] += 0.75  # a step that took long
    pace(1.0)
    pace(1.0)
    assert slept == pytest.approx([0.5, 0.25])


# Writing captures


def test_a_script_can_be_captured(folder: Path) -> None:
    (folder / "one.table").write_text(SCRIPT, encoding="utf-8")
    assert tableref("script", "one.table", "--capture", "one.capture").exit_code == 0
    result = tableref("replay", "one.capture")
    assert "1 bid 1  ✓" in result.stdout
    assert result.exit_code == 0


def test_one_ruling_is_counted_as_one(folder: Path) -> None:
    script = "seats 2\nhands concealed\nreaders none\ndealer 2\nchoose 2 dealt\n"
    (folder / "one.table").write_text(script, encoding="utf-8")
    assert tableref("script", "one.table", "--capture", "one.capture").output == "one.table: ok, 1 line\n"
    assert " s, 1 ruling or message\n" in tableref("replay", "--quiet", "one.capture").stdout


def test_one_capture_is_of_one_script(folder: Path) -> None:
    (folder / "one.table").write_text(SCRIPT, encoding="utf-8")
    result = tableref("script", "one.table", "one.table", "--capture", "one.capture")
    assert_one_line(result, "--capture beside several scripts; expected one")


def test_a_simulated_table_can_be_captured(folder: Path) -> None:
    made = ("--game", "pepper", "--seats", "2", "--readers", "none")
    assert tableref("sim", *made, "--capture", "one.capture", typed="deal\nchoose 1 1\n").exit_code == 0
    assert read_capture(folder / "one.capture").complete
    assert tableref("replay", "--quiet", "one.capture").exit_code == 0


@pytest.mark.parametrize("command", ["sim", "demo", "script"])
def test_a_capture_that_cannot_be_written_is_one_line(folder: Path, command: str) -> None:
    (folder / "one.table").write_text(SCRIPT, encoding="utf-8")
    arguments = ["one.table"] if command == "script" else ["--game", "pepper", "--seats", "2", "--readers", "none"]
    assert_one_line(tableref(command, *arguments, "--capture", "no/one.capture"), "no/one.capture: ")


@pytest.mark.parametrize("command", ["sim", "demo", "script", "capture"])
def test_a_capture_that_is_there_is_not_written_over(folder: Path, command: str) -> None:
    (folder / "one.table").write_text(SCRIPT, encoding="utf-8")
    (folder / "two.toml").write_text(TABLE, encoding="utf-8")
    (folder / "one.capture").write_text("the fault of last night", encoding="utf-8")
    made = ["--game", "pepper", "--seats", "2", "--readers", "none"]
    arguments = {"script": ["one.table"], "capture": ["--table", "two.toml", "--simulated"]}.get(command, made)
    option = "--to" if command == "capture" else "--capture"
    said = "one.capture: File exists; expected a new file that can be written"
    assert_one_line(tableref(command, *arguments, option, "one.capture"), said)
    assert (folder / "one.capture").read_text(encoding="utf-8") == "the fault of last night"
    assert not isinstance(sys.modules.get("lgpio"), SimLgpio)  # no simulated wires are left behind


def test_the_help_says_that_a_capture_holds_all_cards() -> None:
    assert "UIDs" in " ".join(tableref("capture", "--help").stdout.split())
    for command in ("sim", "demo", "script"):
        assert "it holds all cards" in " ".join(tableref(command, "--help").stdout.split())


@pytest.mark.long
@pytest.mark.threads
def test_a_table_is_run_with_a_capture_that_a_signal_ends(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(TABLE, encoding="utf-8")
    command = ["capture", "--table", "two.toml", "--simulated", "--journal", "book.db", "--to", "one.capture"]
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*COMMAND, *command], cwd=tmp_path, env=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None and not has_match(tmp_path / "book.db"):
            os.sched_yield()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")
    assert out == "pepper, 2 seats; LGPIOFactory on pinctrl-rp1; journal book.db\n"
    capture = read_capture(tmp_path / "one.capture")
    assert capture.complete
    again = subprocess.run(
        [sys.executable, "-m", "firmware", "replay", str(tmp_path / "one.capture")],
        env=here, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (again.returncode, again.stderr) == (0, "")


def test_mistakes_of_a_captured_table_are_those_of_a_table_that_is_run(folder: Path) -> None:
    assert_one_line(tableref("capture", "--table", "no.toml"), "no.toml: No such file or directory")
    (folder / "two.toml").write_text(TABLE, encoding="utf-8")
    command = ("capture", "--table", "two.toml", "--simulated", "--to", "no/one.capture")
    assert_one_line(tableref(*command), "no/one.capture: No such file or directory; expected a new file")


def test_a_speed_that_is_no_number_is_one_line(folder: Path) -> None:
    assert_one_line(tableref("replay", "--speed", "nan", "one.capture"), "--speed is no number; expected one")


@pytest.mark.parametrize("names", [",", "garbled,,deaf", " ", "garbled,"])
def test_an_empty_name_of_a_fault_is_one_line(folder: Path, names: str) -> None:
    assert_one_line(tableref("demo", "--faults", names), "has an empty name; expected names with one comma between")
