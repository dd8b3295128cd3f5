"""A machine without the extra `web`: a server that is wanted is said to be missing, and nothing else misses it."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_run import TABLE

import engine
import firmware
import hal

BLOCKED = "import sys; sys.modules['aiohttp'] = None\n"
MAIN = f"{BLOCKED}from firmware.command import entry\nentry()"
MISSING = {
    "en": "the extra `web` is not here; expected it for --web and [web]: pip install 'tableref[web]'",
    "ru": "pip install 'tableref[web]'",
}


def command(*words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """A command on such a machine."""
    line = [sys.executable, "-c", MAIN, *words]
    return subprocess.run(line, input=typed, capture_output=True, text=True, timeout=100)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("way", ["sim", "run", "file"])
def test_a_server_that_is_wanted_is_said_to_be_missing(tmp_path: Path, way: str, language: str) -> None:
    table, journal = tmp_path / "table.toml", tmp_path / "j.db"
    web = '\n[web]\naddress = "127.0.0.1:0"\n' if way == "file" else ""
    table.write_text(TABLE.replace("[table]", f'[table]\nlanguage = "{language}"') + web, encoding="utf-8")
    words = ["sim", "--web"] if way == "sim" else ["run", "--simulated", "--journal", str(journal)]
    done = command(*words, *(["--web"] if way == "run" else []), "--table", str(table))
    assert (done.returncode, done.stdout) == (2, "")
    assert MISSING[language] in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not journal.exists()


@pytest.mark.long
def test_all_else_is_imported_without_the_server() -> None:
    rooms = ((one.__name__, one.__path__) for one in (engine, hal, firmware))
    names = [found.name for name, path in rooms for found in pkgutil.walk_packages(path, f"{name}.")]
    wanted = [name for name in names if not name.startswith("firmware.web.") and not name.endswith("__main__")]
    assert len(wanted) > 200
    code = f"{BLOCKED}import importlib\nfor name in {wanted!r}:\n    importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_a_simulated_table_and_a_script_are_played_without_the_server() -> None:
    done = command("sim", "--game", "pepper", "--seats", "2", "--bots", "1,2", typed="wait 1\nquit\n")
    assert (done.returncode, done.stdout.splitlines()[-1][:5]) == (0, "Sides"), done.stderr
    tables = Path(__file__).parents[2] / "tables"
    done = command("script", str(tables / "following-suit.table"))
    assert (done.returncode, done.stderr) == (0, "")
