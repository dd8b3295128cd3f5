"""Every command, with the mistakes that people make, says what it says in Russian where that is asked for."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.command import example, main
from firmware.seatview import MESSAGES
from tests.russian import english_in

TABLE = example("four-seats.toml").read_text(encoding="utf-8")
RECORD = "game: pepper\nseats: 2\nrules: standard\nhands: concealed\n"
# Codes of rulings, of games and faults, and keys are the same in every language.
CODES = ("four-seats", "deck-24", "pepper", "possession", "vazhushal", "standard", "tableref", "/dev/null")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table file and its deck, where the commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    (tmp_path / "deck-24.csv").write_text(example("deck-24.csv").read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def said(*words: str, given: str | None = None) -> str:
    """All that a command says on both streams."""
    result = CliRunner().invoke(main, words, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


def assert_russian(text: str, *names: str) -> None:
    assert re.search("[а-яё]", text), text
    assert english_in(text, *CODES, *MESSAGES, *names) == [], text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("number = 1\n", ""),
        ("number = 1\n", "number = 2\n"),
        ("number = 1\n", "number = 9\n"),
        ("number = 1\n", 'number = "one"\n'),
        ("number = 1\n", "number = 1\ncolour = 3\n"),
        ("number = 1\n", "number = 1\nled = 99\n"),
        ("number = 1\n", "number = 1\nled = 2\n"),
        ("number = 1\n", 'number = 1\nled = "mcp.3"\n'),
        ("number = 1\n", "number 1\n"),
        ("[game]\n", "[game\n"),
        ("[game]\n", "[gone]\n"),
        ("[game]\n", "[game]\nrule = 3\n"),
        ("[game]\n", "[game]\ndealer = 9\n"),
        ("[game]\n", '[game]\nnames = ["Ann"]\n'),
        ("[game]\n", "[game]\noptions = { target = 1 }\n"),
        ("[game]\n", "[game]\noptions = { glue = 1 }\n"),
        ("deck-24.csv", "nowhere.csv"),
        ("0x3C", "0x3E"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("doctor", "table.toml", "--simulated"), ("wiring", "check", "table.toml"), ("run", "--table", "table.toml")],
    ids=lambda words: words[0],
)
def test_a_mistake_in_a_table_file(here: Path, old: str, new: str, command: tuple[str, ...]) -> None:
    if command[0] == "run" and new == "number = 1\nled = 2\n":
        pytest.skip("nothing is wrong where the header's lines are free")
    assert old in TABLE
    (here / "table.toml").write_text(TABLE.replace(old, new, 1), encoding="utf-8")
    if command[0] == "wiring" and ("[game]" in old or "deck" in old) and "[game\n" not in new and "[gone]" not in new:
        return  # the wiring is right
    assert_russian(said(*command, "--lang", "ru"))


@pytest.mark.parametrize(
    "line",
    ["04A1", "04A1B2C, 9D", "04A1B2C3, 11D", "04A1B2C3, 9X", "04A1B2C3, ??", "zz, 9D", "00000000, 9D", "88010203, 9D",
     "04A1B2C3, 9D\n04A1B2C3, 9H", "04A1B2C3, 9D\n04A1B2C4, 9D", "04, 9D", "04A1B2C3, Ж"],
)  # fmt: skip
def test_a_mistake_in_a_deck_file(here: Path, line: str) -> None:
    (here / "deck-24.csv").write_text(line + "\n", encoding="utf-8")
    assert_russian(said("deck", "check", "deck-24.csv", "--table", "table.toml", "--lang", "ru"))
    assert_russian(said("run", "--table", "table.toml", "--lang", "ru"))


@pytest.mark.parametrize(
    "text",
    ["dance 2", "tap 2", "tap 2 11X", "tap 2 ??", "tap 2 tag:12", "tap 5 9D", "press 2 up", "wait", "deal 9D / 9D",
     "deal 9D / XX", "expect", "expect message 1 nonsense", "expect ruling 1 refused nonsense", "seats 9", "game whist",
     "rules x", "seats many", "wait 1\nseats 2", "seats 2\nseats 3", 'expect display 1 "OK', "option glue = 3",
     "table nowhere.toml", "table table.toml\nseats 2", "language fr", "names Ann", "dealer 9", "readers far",
     "fault gloom", "fault deaf display 2", "fault full-disk 2 s", "mend deaf", "mend all 2", "fault slow-disk 0",
     "tap dealing 9D\nexpect ruling 1 ok", "expect turn 1", "expect score 1 2", "expect over", "expect led 1 on",
     "expect dark 1", "deal 9D / 10D / JD / QD", "turn up 9D", "choose 1 pass", "play deal", "plug reader 1",
     "unplug reader centre", "tap centre 9D", "tap 1 2C", 'expect display 1 "Nonsense"', "expect message 1 not-saved"],
)  # fmt: skip
def test_a_script_that_does_not_hold(here: Path, text: str) -> None:
    (here / "one.table").write_text(text + "\n", encoding="utf-8")
    output = said("script", "one.table", "--lang", "ru")
    assert_russian(output.replace(text.split("\n")[-1], ""))


def test_a_script_speaks_the_language_of_its_table(here: Path) -> None:
    (here / "one.table").write_text("language ru\nwait 1\n", encoding="utf-8")
    assert said("script", "one.table") == "one.table: всё верно, строк: 1\n"
    (here / "one.table").write_text("language ru\ndance\n", encoding="utf-8")
    assert "нет слова" in said("script", "one.table")


@pytest.mark.parametrize(
    "words",
    [
        ("doctor", "nowhere.toml"), ("bind", "nowhere.toml"), ("dark", "nowhere.toml"),
        ("wiring", "show", "nowhere.toml"),
        ("deck", "check", "nowhere.csv"), ("deck", "check", "."), ("replay", "nowhere.capture"),
        ("replay", "table.toml"),
        ("run", "--table", "nowhere.toml"), ("capture", "--table", "nowhere.toml"), ("script", "nowhere.table"),
        ("rules", "whist"), ("legal", "nowhere.ctr"), ("check", "nowhere.ctr"), ("check", "table.toml"),
        ("demo", "--game", "whist"), ("demo", "--seats", "8"), ("demo", "--readers", "far"),
        ("demo", "--faults", "gloom"),
        ("demo", "--faults", "deaf,"), ("demo", "--record", "no/where.ctr"), ("demo", "--rules", "x"),
        ("demo", "--table", "table.toml"), ("sim", "--record", "."), ("sim", "--capture", "table.toml"),
        ("capture", "--table", "table.toml", "--simulated", "--to", "table.toml"),
        ("run", "--table", "table.toml", "--simulated", "--journal", "table.toml"),
        ("doctor", "table.toml", "--simulated"), ("wiring", "show", "table.toml"), ("wiring", "check", "table.toml"),
        ("deck", "check", "deck-24.csv", "--table", "table.toml"), ("dark", "table.toml"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_a_command_says(here: Path, words: tuple[str, ...]) -> None:
    assert_russian(said(*words, "--lang", "ru"), "MOSI", "A0", "GND")


@pytest.mark.parametrize(
    "line",
    ["game whist", "seats 9", "hands: open", "colour: red", "deal 3", "1 play", "deal 1\n1 dance 9D",
     "deal 1\n1 bid 99",     "deal 1\ndirector no", "deal 1\nmade: 9D", "option: target", "names: Ann"],
)  # fmt: skip
def test_a_text_that_is_no_record(here: Path, line: str) -> None:
    (here / "one.ctr").write_text(f"{RECORD}{line}\n", encoding="utf-8")
    output = said("check", "one.ctr", "--lang", "ru")
    assert_russian(output.replace(line, ""))


def test_what_is_typed_at_a_simulated_table(here: Path) -> None:
    output = said("sim", "--seats", "2", "--lang", "ru", given="help\ndance\ntap 9\ntap 9D\nfault gloom\nquit\n")
    assert_russian(output, "tap 2 9D", "tap 9D", "press 2 ok", "bots 2 3 4", "fault full-disk", "mend all", "deal")


def test_the_table_file_says_which_language_where_nobody_else_does(here: Path) -> None:
    broken = TABLE.replace("number = 1\n", "") + '[table]\nlanguage = "ru"\n'
    (here / "table.toml").write_text(broken, encoding="utf-8")
    for command in (("doctor", "table.toml"), ("wiring", "check", "table.toml"), ("run", "--table", "table.toml")):
        assert_russian(said(*command))
        assert "не хватает" not in said(*command, "--lang", "en")
