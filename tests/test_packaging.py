"""What is shipped: the three packages with fonts and catalogues, examples and service file; one version."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.command import main

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("engine", "hal", "firmware")


def files_under(*folders: str) -> set[str]:
    """The files of a checkout that belong to a folder, without what Python leaves there."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }


# One version


def test_the_version_stands_in_one_place() -> None:
    number = PROJECT["project"]["version"]
    assert version("tableref") == number
    assert CliRunner().invoke(main, ["--version"]).output.strip().endswith(f"version {number}")
    sources = [ROOT / name for name in files_under(*PACKAGES) if name.endswith(".py")]
    assert [path for path in sources if re.search(rf"[\"']{re.escape(number)}[\"']", path.read_text("utf-8"))] == []


def test_the_change_log_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\S+?),? ", text, re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


# What others find


def test_the_command_the_games_and_the_plugin_are_found() -> None:
    groups = {
        "console_scripts": ("tableref", "firmware.command:entry"),
        "pytest11": ("tableref", "firmware.pytest_plugin"),
    }
    games = [("tableref.games", (name, f"engine.{name}:GAME")) for name in ("pepper", "possession", "vazhushal")]
    for group, (name, value) in (*groups.items(), *games):
        (point,) = entry_points(group=group, name=name)
        assert point.value == value
        assert point.load() is not None


def test_the_license_is_there() -> None:
    assert PROJECT["project"]["license"] in (ROOT / "LICENSE").read_text(encoding="utf-8")


OWN_KINDS = re.compile(r"\.(py|po|mo|css|js|html|md|toml|csv|ctr|table|service|timer|conf|rules|typed)")
"""Endings of what is written for this program."""
OWN = {"systemd/install", "systemd/uninstall"}


def test_every_shipped_file_that_may_be_somebody_else_s_has_its_licence_told() -> None:
    text = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    shipped = files_under(*PACKAGES, "examples", "systemd") - OWN
    others = {name for name in shipped if not OWN_KINDS.fullmatch(Path(name).suffix)}
    assert any(name.endswith(".pcf.gz") for name in others)
    told = {name for name in others if f"`{name}`" in text or f"({name})" in text}
    assert others - told == set()
    named = set(re.findall(r"`((?:firmware|engine|hal)/[^`]+\.[a-z.]+)`", text))
    assert {name for name in named if not (ROOT / name).is_file()} == set()


def test_every_package_beside_it_has_its_licence_told() -> None:
    pinned = re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements/pi.txt").read_text(encoding="utf-8"), re.MULTILINE)
    rows = re.findall(r"^\| ([a-z0-9-]+) \| \S", (ROOT / "LICENSES.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [row for row in rows if row not in ("files", "package", "---")] == pinned


def test_every_third_party_module_that_is_imported_is_a_dependency() -> None:
    named = {re.split(r"[^A-Za-z0-9_.-]", one)[0].lower() for one in PROJECT["project"]["dependencies"]}
    modules = {"PIL": "pillow", "serial": "pyserial", "luma": "luma.oled"}
    extras = {"aiohttp", "lgpio", "pytest"}
    imported = set()
    for name in files_under(*PACKAGES):
        if name.endswith(".py"):
            text = (ROOT / name).read_text(encoding="utf-8")
            imported |= set(re.findall(r"^\s*(?:from|import) ([A-Za-z_]\w*)", text, re.MULTILINE))
    others = {name for name in imported if name not in sys.stdlib_module_names and name not in PACKAGES}
    assert {modules.get(name, name) for name in others} - extras <= named


def test_every_catalogue_is_compiled() -> None:
    written = {name.removesuffix(".po") for name in files_under(*PACKAGES) if name.endswith(".po")}
    assert len(written) == 18
    assert {name.removesuffix(".mo") for name in files_under(*PACKAGES) if name.endswith(".mo")} == written


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout; building needs hatchling, from an index or a folder of wheels."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.soak
def test_the_wheel_holds_what_a_table_needs_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
    assert inside == files_under(*PACKAGES)
    shared = {name.partition(".data/data/share/tableref/")[2] for name in names if ".data/" in name}
    assert shared == files_under("examples", "systemd")
    for licence in ("LICENSE", "LICENSES.md", "firmware/fonts/LICENCE-terminus.txt"):
        assert any(name.endswith(f"licenses/{licence}") for name in names)
    assert wheel.name == f"tableref-{PROJECT['project']['version']}-py3-none-any.whl"


@pytest.mark.soak
def test_what_was_shipped_runs_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(place)
    (tmp_path / "one.ctr").write_text("game: pepper\nseats: 2\nhands: concealed\n\ndeal 2\n2 bid 1\n", encoding="utf-8")
    program = "import engine, firmware, hal; print(engine.__file__); from firmware.command import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--lang", "ru", "one.ctr"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.startswith(str(place))
    assert "refused not-your-turn: Сейчас ход места 1." in done.stdout
    assert done.returncode == 1
