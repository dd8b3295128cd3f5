"""What documents tell one to type is what the program takes; where that can be on a PC, it is run."""

import re
import shlex
import shutil
from contextlib import ExitStack, suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from firmware.command import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^ *```(?:\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:sudo (?:-u \w+ )?)?tableref [^`]*)`")


def commands(page: Path) -> list[str]:
    """The lines of a page that begin with the command, in blocks and within text; without what is behind a `#`."""
    text = page.read_text(encoding="utf-8")
    lines = [line for block in _BLOCK.findall(text) for line in re.sub(r"\\\n *", " ", block).splitlines()]
    found = [*lines, *_INLINE.findall(_BLOCK.sub("", text))]
    told = []
    for line in found:
        bare = re.sub(r"^(?:\$ )?(?:sudo )?(?:-u \w+ )?", "", line.strip()).split(" # ")[0].split("   #")[0].strip()
        if bare.startswith("tableref "):
            told.append(bare)
    return told


ALL = sorted({(page.name, command) for page in PAGES for command in commands(page)})


def parse(command: str) -> click.Command:
    """The command that is meant; its arguments are taken as click takes them, without running anything.

    Raises click.UsageError for what it does not take.
    """
    words = [word.strip("[]") for word in shlex.split(command.split(" | ")[0])[1:] if word != "…"]
    found: click.Command = main
    context = click.Context(main, info_name="tableref", **main.context_settings)
    while isinstance(found, click.Group):
        if words and words[0] in found.commands:
            found = found.commands[words.pop(0)]
        elif found.name == "history":
            found = found.commands["show"]
        elif words:
            raise click.UsageError(f"no command {words[0]}")
        else:
            return found
        context = click.Context(found, parent=context, info_name=found.name)
    found.parse_args(context, words)
    return found


def test_pages_tell_commands() -> None:
    pages = {page for page, _ in ALL}
    assert {"building.md", "hosting.md", "commands.md", "troubleshooting.md", "hosting.ru.md"} <= pages


@pytest.mark.parametrize(("page", "command"), ALL, ids=str)
def test_a_command_of_a_page_is_one_that_the_program_takes(page: str, command: str) -> None:
    in_a_sentence = f"`{command}`" in (ROOT / "docs" / page).read_text(encoding="utf-8")
    with ExitStack() as may:
        if in_a_sentence:  # there a command may be named without what it needs
            may.enter_context(suppress(click.MissingParameter, click.BadOptionUsage))
        if re.search(r"\b[A-Z]+\b", command):  # what stands for a value, such as N
            may.enter_context(suppress(click.BadParameter))
        parse(command)


ROWS = [
    (row, names)
    for row in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").splitlines()
    if (names := re.findall(r"`(tableref [^`]+)`", row.removeprefix("| ").partition(" | ")[0]))
]


@pytest.mark.parametrize(("row", "names"), ROWS, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_the_options_that_the_list_of_commands_names_exist(row: str, names: list[str]) -> None:
    found = [parse_name(name) for name in names]
    further = [parse_name(f"tableref {name}") for name in re.findall(r"`((?:wiring|deck) \w+)`", row)]
    further += [command for group in found if isinstance(group, click.Group) for command in group.commands.values()]
    options = {option for command in (*found, *further) for param in command.params for option in param.opts}
    assert set(re.findall(r"--[a-z][\w-]*", row)) <= options


def parse_name(command: str) -> click.Command:
    """The command of that name; what follows it is not looked at."""
    found: click.Command = main
    for word in command.split()[1:]:
        if not isinstance(found, click.Group) or word not in found.commands:
            break
        found = found.commands[word]
    return found


def test_every_command_is_in_the_list() -> None:
    listed = " ".join(row for row, _ in ROWS)
    assert [name for name in main.commands if f"`tableref {name}" not in listed] == []


HERE = re.compile(r"tableref (wiring \w+ .|rules (?!slob)|doctor .*--simulated|deck check \w)")
RUN = sorted({command for _, command in ALL if HERE.match(command)})
"""The commands that need neither a table nor people."""


@pytest.mark.few(3)
@pytest.mark.parametrize("command", RUN)
def test_a_command_of_a_page_that_can_be_run_here_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"table.toml": "four-seats.toml", "FILE": "four-seats.toml", "deck-24.csv": "deck-24.csv"}
    for name, example in (names | {"deck.csv": "deck-24.csv"}).items():
        shutil.copy(ROOT / "examples" / example, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    told = command.replace("/etc/tableref/", "").replace("GAME", "pepper")
    words = shlex.split(told.replace("deck check FILE", "deck check deck.csv"))[1:]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
