"""`tableref run --web`: the board beside a real table, which comes after the game."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_run import TABLE

COMMAND = [sys.executable, "-c", "from firmware.command import main; main()", "run", "--simulated"]


@contextmanager
def started(folder: Path, *options: str, text: str = "") -> Iterator[subprocess.Popen[str]]:
    table = folder / "table.toml"
    table.write_text(TABLE + text, encoding="utf-8")
    command = [*COMMAND, "--table", str(table), "--journal", str(folder / "j.db"), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=60)


def line_with(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout is not None
    return next(line for line in process.stdout if words in line)


@pytest.mark.few(1)
@pytest.mark.threads
@pytest.mark.parametrize("way", ["option", "file"])
def test_the_board_is_there_and_the_table_ends_cleanly(tmp_path: Path, way: str) -> None:
    options = ("--web", "127.0.0.1:0") if way == "option" else ()
    text = '\n[web]\naddress = "127.0.0.1:0"\ntitle = "Club"\n' if way == "file" else ""
    with started(tmp_path, *options, text=text) as process:
        url = line_with(process, "in browsers: ").split()[-1]
        with urllib.request.urlopen(f"{url}api/v1/table", timeout=20) as answer:
            told = json.load(answer)
        assert (told["title"], told["standing"]) == ("Club" if text else "", "before")
        with urllib.request.urlopen(f"{url}board", timeout=20) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")


@pytest.mark.threads
def test_a_table_whose_address_is_taken_says_so_and_runs(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started(tmp_path, "--web", str(port)) as process:
            assert process.stderr is not None
            assert f"127.0.0.1:{port}: " in process.stderr.readline()
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            assert process.returncode == 0


@pytest.mark.threads
def test_a_table_of_which_nobody_said_so_loads_no_server(tmp_path: Path) -> None:
    code = (
        "import sys, asyncio\nfrom firmware.command import main\n"
        "try:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass\n"
        "import firmware.run\nprint('aiohttp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "False"
