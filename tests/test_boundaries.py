"""The three rooms, and who may enter which."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]

RECORD = """game: pepper
seats: 4
hands: concealed
deal 1
2 bid big
2 bid big
"""


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_contracts_between_the_rooms_are_kept() -> None:
    result = run(LINT)
    assert result.returncode == 0, result.stdout
    assert " 0 broken" in result.stdout


@pytest.mark.long
def test_a_broken_contract_would_be_seen(tmp_path: Path) -> None:
    contract = tmp_path / "contract.toml"
    contract.write_text(
        "[tool.importlinter]\n"
        'root_packages = ["engine", "firmware"]\n'
        "[[tool.importlinter.contracts]]\n"
        'name = "the table does not know the rules"\n'
        'type = "forbidden"\n'
        'source_modules = ["firmware"]\n'
        'forbidden_modules = ["engine"]\n',
        encoding="utf-8",
    )
    result = run([*LINT, "--config", str(contract)])
    assert result.returncode == 1
    assert "0 kept, 1 broken" in result.stdout


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module
            yield node.module


ENGINE = sorted((ROOT / "engine").rglob("*.py"))


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_engine_uses_the_standard_library_only(path: Path) -> None:
    foreign = {name for name in imports(path) if name.split(".")[0] not in {*sys.stdlib_module_names, "engine"}}
    assert foreign == set()


OUTSIDE = {
    "asyncio", "datetime", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil", "socket", "sqlite3",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_engine_has_no_clock_no_randomness_and_no_files(path: Path) -> None:
    assert {name.split(".")[0] for name in imports(path)} & OUTSIDE == set()


def test_the_engine_is_imported_where_no_other_package_is_installed() -> None:
    names = [path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in ENGINE]
    modules = ", ".join(name.removesuffix(".__init__") for name in names)
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {modules}"
    result = run([sys.executable, "-I", "-S", "-c", code])
    assert (result.returncode, result.stderr) == (0, "")


def loaded_by(arguments: list[str]) -> set[str]:
    """The top-level modules that are loaded when a command has run."""
    script = (
        "import sys\n"
        "from firmware.command import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    print('loaded', *{name.split('.')[0] for name in sys.modules})\n"
    )
    result = run([sys.executable, "-c", script, *arguments])
    assert result.stderr == ""
    return set(result.stdout.splitlines()[-1].split()) - {"loaded"}


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["check", "legal"])
def test_checking_a_record_loads_neither_wires_nor_drawing(command: str, tmp_path: Path) -> None:
    record = tmp_path / "table.ctr"
    record.write_text(RECORD, encoding="utf-8")
    loaded = loaded_by([command, str(record)])
    assert "engine" in loaded
    assert loaded & {"hal", "PIL", "luma", "gpiozero", "lgpio", "serial", "smbus2", "msgspec"} == set()


def test_only_commands_that_have_the_option_import_the_web_and_only_when_it_is_given() -> None:
    wrong = []
    for path in (ROOT / "firmware").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inner = {id(node) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for node in ast.walk(one)}
        for node in ast.walk(tree):
            named = isinstance(node, ast.ImportFrom) and (node.module or "").startswith("firmware.web.")
            if named and not (path.name == "playing_commands.py" and id(node) in inner):
                wrong.append(path.name)
    assert wrong == []
    for room in ("engine", "hal", "firmware"):
        for path in (ROOT / room).rglob("*.py"):
            assert "import aiohttp" not in path.read_text(encoding="utf-8") or path.parent.name == "web", path
            assert "from aiohttp" not in path.read_text(encoding="utf-8") or path.parent.name == "web", path
