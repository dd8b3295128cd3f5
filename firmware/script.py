"""Table scripts (`.table`): a line for each thing that is done at a table, or expected there; `docs/table-script.md`.

A script is read as a whole before its first line is played.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from engine.game import games
from engine.options import OptionError, OptionValue, parse_option
from engine.phrases import Phrase, either, reason, said_by
from firmware.bench import Bench, ExpectationError
from firmware.errors import FileError
from firmware.furnish import READERS, FurnishError, furnish
from firmware.pin import Officials
from firmware.script_forms import Act
from firmware.script_words import parse_words
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile, read_table_file
from firmware.ways import WAYS
from hal.small_files import read_small


class Statement(NamedTuple):
    """One line of a script: where it stands, its words, and what it does to a bench."""

    line: int
    text: str
    act: Act


class Script(NamedTuple):
    """A script that was read: the table that it is played on, and what is done there."""

    name: str
    table: TableFile
    seed: int
    statements: tuple[Statement, ...]


def read_script(path: Path) -> Script:
    """The script in a file; raises `FileError` with the line, or OSError."""
    data = read_small(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            str(path), line, Phrase("not UTF-8 ({reason}); expected a table script", reason=Phrase(error.reason))
        ) from None
    return parse_script(text, str(path), path.parent)


def parse_script(text: str, name: str = "script", folder: Path = Path()) -> Script:
    """The script that a text writes; raises `FileError`."""
    heading: dict[str, tuple[str, int]] = {}
    options: dict[str, tuple[str, int]] = {}
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        if line is None:
            raise FileError(
                name, number, Phrase('{raw!r} has a quote without another; expected texts as "TEXT"', raw=raw.strip())
            )
        word, _, rest = " ".join(line.split()).partition(" ")
        word = word.removesuffix(":").lower()
        if not line:
            continue
        if word in HEADING:
            if lines:
                raise FileError(
                    name, number, Phrase("`{word}` stands after the first action; expected it at the top", word=word)
                )
            place = options if word == "option" else heading
            key = rest.partition("=")[0].strip() if word == "option" else word
            if key in place:
                raise FileError(name, number, Phrase("`{word}` a second time; expected it once", word=word))
            place[key] = (rest.strip(), number)
            continue
        lines.append((number, line))
    seed = _number(name, heading, "seed", 0)
    table = _table(name, folder, heading, options)
    statements: list[Statement] = []
    for number, line in lines:
        try:
            statements.append(Statement(number, line, parse_words(line, len(table.wiring.seats), table.table.game)))
        except ValueError as error:
            raise FileError(name, number, said_by(error)) from None
    return Script(name, table, seed, tuple(statements))


HEADING = (
    "table", "game", "seats", "rules", "hands", "deal-by", "option", "readers", "dealer", "names", "language", "lobby",
    "director", "decks",
    "seed",
)  # fmt: skip
"""The words that stand at the top of a script and say which table it is played on."""


_DIRECTOR = re.compile(r"(?:pin (?P<pin>[0-9]{4,8}))?(?: ?card (?P<card>[0-9A-Fa-f]{8,20}))?")


def _without_comment(raw: str) -> str | None:
    """The line without a comment; a `#` between quotes is none. None: a text between quotes does not end."""
    found = re.fullmatch(r'((?:[^#"]|"[^"]*")*)(?:#.*)?', raw, re.DOTALL)
    return found[1].strip() if found else None


def _number(name: str, heading: Mapping[str, tuple[str, int]], key: str, otherwise: int) -> int:
    text, line = heading.get(key, (str(otherwise), 0))
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise FileError(name, line, Phrase("{key} is {text!r}; expected a whole number", key=key, text=text))
    return int(text)


def _table(
    name: str, folder: Path, heading: Mapping[str, tuple[str, int]], options: Mapping[str, tuple[str, int]]
) -> TableFile:
    if "table" in heading:
        text, line = heading["table"]
        others = [*(key for key in heading if key not in ("table", "seed")), *options]
        if others:
            raise FileError(
                name,
                line,
                Phrase("`table` and `{others}`; expected a table file, or a table made to order", others=others[0]),
            )
        try:
            return read_table_file(folder / text)
        except OSError as error:
            raise FileError(
                name,
                line,
                Phrase("{folder}: {why}; expected a table file", folder=folder / text, why=reason(error)),
            ) from None

    def word(key: str, otherwise: str, expected: tuple[str, ...]) -> str:
        value, line = heading.get(key, (otherwise, 0))
        if value not in expected:
            raise FileError(
                name,
                line,
                Phrase("{key} is {value!r}; expected {listed}", key=key, value=value, listed=either(expected)),
            )
        return value

    game = word("game", next(iter(games())), tuple(games()))
    values: dict[str, OptionValue] = {}
    for key, (text, line) in options.items():
        try:
            values[key] = parse_option(games()[game].options, key, text.partition("=")[2].strip())
        except OptionError as error:
            raise FileError(name, line, said_by(error)) from None
    text, line = heading.get("director", ("", 0))
    found = _DIRECTOR.fullmatch(text)
    if found is None:
        raise FileError(name, line, Phrase("director is {text!r}; expected pin DIGITS, card UID, or both", text=text))
    officials = Officials(found["pin"] or "", frozenset({found["card"].upper()} if found["card"] else ()))
    try:
        made = furnish(
            game,
            _number(name, heading, "seats", 4),
            word("rules", "standard", tuple(games()[game].rule_sets)),
            word("hands", "tracked", ("tracked", "concealed")) == "tracked" if "hands" in heading else None,
            values,
            word("readers", "seats", READERS),
            _number(name, heading, "dealer", 1),
            tuple(part.strip() for part in heading["names"][0].split(",")) if "names" in heading else (),
            word("language", "en", ("en", "ru")),
            word("deal-by", "", WAYS) if "deal-by" in heading else "",
            word("lobby", "no", ("yes", "no")) == "yes",
            _number(name, heading, "decks", 1),
        )
        return made._replace(officials=officials)
    except FurnishError as error:
        lines = [line for _, line in (*heading.values(), *options.values())]
        part = "deal-by" if error.part == "deal" else error.part
        line = heading[part][1] if part in heading else min(lines, default=1)
        raise FileError(name, line, said_by(error)) from None


def run_script(script: Script, journal: Path | None = None, capture: Path | None = None) -> None:
    """Play a script; raises `FileError` at the first line that cannot be done or whose expectation fails.

    With `capture`, what passes the wires is written to that file, until a `restart`; raises OSError when it cannot be.
    """
    with SimulatedTable(script.table, journal, script.seed, capture=capture) as table:
        bench = Bench(table, script.seed)
        for statement in script.statements:
            try:
                statement.act(bench)
            except (ExpectationError, ValueError) as error:
                raise FileError(
                    script.name, statement.line, Phrase("{text}: {error}", text=statement.text, error=said_by(error))
                ) from error
