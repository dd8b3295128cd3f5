"""The plug is pulled in the middle of everything that a table writes (`plug_lives.py`, `plug.c`).

Every second or seventh call of each kind is tried here, every one of them by `make soak`.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("cc") or shutil.which("gcc")
SCENES = ("journal", "first", "copy", "older", "damaged", "deck", "export", "table", "capture", "bundle", "backup")
LONG = {"journal", "first", "copy", "older", "damaged"}

pytestmark = pytest.mark.skipif(COMPILER is None, reason="calls of the system are caught by a library in C: needs cc")


@pytest.fixture(scope="session")
def plug(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that pulls it."""
    assert COMPILER is not None
    library = tmp_path_factory.mktemp("plug") / "plug.so"
    command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "plug.c"), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return library


def pulled(plug: Path, folder: Path, what: str, step: int) -> dict[str, Any]:
    environment = {
        **os.environ, "LD_PRELOAD": str(plug), "PYTHONPATH": f"{HERE.parents[1]}{os.pathsep}{HERE}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [sys.executable, str(HERE / "plug_lives.py"), what, str(folder), str(step)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("what", SCENES)
def test_whenever_the_plug_is_pulled_the_old_or_the_new_is_there_whole(plug: Path, tmp_path: Path, what: str) -> None:
    found = pulled(plug, tmp_path, what, 7 if what in LONG else 2)
    assert found["broken"] == []
    assert found["early"] == 0
    assert found["lives"] >= 4


@pytest.mark.soak
@pytest.mark.parametrize("what", SCENES)
def test_so_it_is_at_every_single_call(plug: Path, tmp_path: Path, what: str) -> None:
    found = pulled(plug, tmp_path, what, 1)
    assert found["broken"] == []
    assert found["lives"] == 2 * found["calls"] > 0


def test_a_file_that_is_written_in_its_place_is_found_out(plug: Path, tmp_path: Path) -> None:
    assert pulled(plug, tmp_path, "in place", 1)["broken"]


def test_a_file_that_is_renamed_before_it_is_on_disk_is_found_out(plug: Path, tmp_path: Path) -> None:
    assert pulled(plug, tmp_path, "unsynced", 1)["early"] == 1
