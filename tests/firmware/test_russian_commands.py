"""Every command, with the mistakes that people make, says what it says in Russian where that is asked for."""

import io
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.game import games
from engine.options import Number
from engine.phrases import Phrase
from firmware.command import main
from firmware.generations import make_copy
from firmware.journal import one_line
from firmware.output import Log, complain, speaking
from firmware.phrases import tell
from firmware.recovering import recover
from firmware.schema import SCHEMA
from firmware.seatview import MESSAGES, TableText
from firmware.storage import Disk
from firmware.table_option import example
from firmware.telling import device_line
from firmware.wiring_words import WiringWords
from firmware.words import Length, Words
from hal.events import ReaderStalled
from hal.probing import SPOKE
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


@pytest.mark.few(3)
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
        ("[game]\n", "[game]\noptions = { target = 0 }\n"),
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


# The history


def journal(path: Path, matches: bool = True) -> Path:
    """A journal with two matches of people with names, one of a game that nobody has, and one that cannot be read."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript(SCHEMA)
        header = "game: pepper\nrules: standard\nseats: 2\nhands: concealed\nnames: {}, {}"
        headers = [
            header.format("Аня", "Боря"),
            header.format("Аня", "Вера"),
            "game: skat",
            header.format("Аня", "Глеб"),
        ]
        for number, text in enumerate(headers if matches else [], 1):
            file.execute("INSERT INTO match (number, header, wall_time) VALUES (?, ?, ?)", (number, text, number * 3e4))
            entries = ["deal 1", "2 bid 1" if number < 4 else "dance"]
            for line, entry in enumerate(entries, 1):
                file.execute(
                    "INSERT INTO line (match, number, text, wall_time) VALUES (?, ?, ?, ?)",
                    (number, line, entry, number * 3e4 + line),
                )
    return path


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words",
    [
        (), ("--session", "2"), ("--session", "99"), ("--session", "none"), ("--player", "Аня"), ("--player", "Никто"),
        ("--json", "--csv"), ("--csv", "--output", "no/where.csv"), ("--csv", "--output", "."), ("show", "nowhere.db"),
        ("show", "table.toml"), ("show", "empty.db"), ("show", "empty.db", "--session", "1"),
        ("show", "empty.db", "--player", "Аня"), ("show", "newer.db"), ("show", "foreign.db"), ("show", "damaged.db"),
        ("show", "."), ("export", "99"), ("export", "0"), ("export",), ("export", "1", "--journal", "empty.db"),
        ("export", "1", "--output", "no/where.ctr"), ("merge", "nowhere.db"), ("merge", "table.toml"), ("merge", "."),
        ("merge", "tableref.db"), ("merge", "damaged.db"), ("merge", "newer.db"), ("merge", "other.db"),
        ("merge", "other.db", "--journal", "foreign.db"), ("merge",), ("--colour",), ("show", "a.db", "b.db"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_history_and_its_mistakes(here: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    for name in ("tableref.db", "newer.db", "damaged.db", "other.db"):
        journal(here / name)
    journal(here / "empty.db", matches=False)
    for name, statement in (
        ("newer.db", "PRAGMA user_version = 99"),
        ("foreign.db", "CREATE TABLE other (name TEXT)"),
        ("damaged.db", "UPDATE line SET text = x'FF00' WHERE match = 2"),
    ):
        with closing(sqlite3.connect(here / name)) as file, file:
            file.execute(statement)
    assert_russian(said("history", *words, "--lang", "ru"), "skat")


# A journal that a table finds damaged


@pytest.mark.few(7)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE line SET text = x'FF00' WHERE match = 2", "DELETE FROM line WHERE number = 1",
        "UPDATE line SET text = 'dance' WHERE match = 2", "UPDATE line SET text = '1 play 9D' WHERE number = 2",
        "UPDATE setting SET value = x'00'", "DELETE FROM match",
    ],
)  # fmt: skip
@pytest.mark.parametrize("copied", [True, False], ids=["with a copy", "without a copy"])
def test_what_a_table_says_of_a_damaged_journal(here: Path, statement: str, copied: bool) -> None:
    path = here / "played.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript(SCHEMA)
        file.execute("INSERT INTO setting VALUES ('key', 'value')")
        for number in (1, 2):
            file.execute("INSERT INTO match (number, header, wall_time) VALUES (?, ?, 1.0)", (number, RECORD.rstrip()))
            file.executemany(
                "INSERT INTO line (match, number, text, wall_time) VALUES (?, ?, ?, 1.0)",
                [(number, 1, "deal 1"), (number, 2, "2 bid 1")],
            )
    if copied:
        make_copy(path, Disk())
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement)
    heard: list[str] = []
    recover(path, RECORD.rstrip().split("\n"), lambda news: heard.append(tell(news, "ru")))
    assert heard or not copied
    for line in heard:
        assert_russian(line, "played.db")


def test_a_running_table_tells_of_its_journal_in_its_language(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("ru"):
        complain(Phrase("{path}: {why}; no copy of the journal is made", path="a.db", why=Phrase("disk I/O error")))
    complain(Phrase("the journal cannot be written: {why}", why=Phrase("database or disk is full")))
    assert capsys.readouterr().err.splitlines() == [
        "a.db: ошибка диска; копии журнала не будет",
        "the journal cannot be written: database or disk is full",
    ]


def test_a_line_of_its_own_tells_how_many_a_log_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    out, lost = io.StringIO(), Log(lambda: None)
    lost.language = "ru"
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115
    streams = [full, out]
    monkeypatch.setattr(lost, "_stream", lambda: streams[0])
    lost.say("one")
    del streams[0]
    lost.say("two")
    with suppress(OSError):
        full.close()
    assert out.getvalue() == "потеряно строк вывода: 1; их никто не принимал\ntwo\n"


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.DatabaseError("malformed database schema (line) - near \"x\": syntax error"),
        sqlite3.OperationalError("no such table: match"),
        sqlite3.OperationalError("no such column: text"),
        sqlite3.OperationalError("Could not decode to UTF-8 column 'text' with text 'x'"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    ],
)  # fmt: skip
def test_what_sqlite_finds_in_a_damaged_file(error: Exception) -> None:
    assert_russian(tell(one_line(error), "ru"), "match", "text", "line")


# Words that a command does not take


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--seats", "9"), ("demo", "--seats", "two"), ("demo", "--speed", "fast"), ("demo", "--speed", "99"),
        ("demo", "--mistakes", "2"), ("demo", "--colour"), ("demo", "--speed"), ("demo", "more"),
        ("demo", "--faults", "deaf", "--readers", "none"), ("demo", "--deal", "by-hand"), ("sim", "--bots", "9"),
        ("sim", "--bots", "x"), ("sim", "--seed", "x"), ("sim", "--mistakes", "nan"), ("sim", "--game", "whist"),
        ("sim", "--deal", "pad", "--readers", "none"), ("sim", "--rules", "x"), ("sim", "--seats", "7"),
        ("run",), ("run", "--table"), ("capture", "--table", "table.toml", "--limit", "x", "--to", "x"), ("dance",),
        pytest.param(("doctor",), marks=pytest.mark.long),  # it waits for devices that are not there
        ("doctor", "a", "b"), ("doctor", "table.toml", "--simulated=1"), ("check",), ("wiring", "dance"),
        ("bind", "--writ", "table.toml"), ("deck", "check"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_words_that_a_command_does_not_take(here: Path, words: tuple[str, ...]) -> None:
    options = ("--seats", "--mistakes", "--simulated", "--table", "--to", "FILE", "by-hand", "--lang ru")
    output = said(*words, "--lang", "ru")
    assert_russian(output, *options)
    assert "Usage" not in output


# What a display says of a value that an option does not take


def test_a_value_that_an_option_does_not_take() -> None:
    words = Words(games()["pepper"], "ru")
    fact = (("expected", Number(1, 99).expected),)
    for length in Length:
        assert_russian(words.message(TableText("value-out-of-range", fact), length), "OK")


# Devices


def test_a_button_that_is_held_down_and_a_reader_that_spoke() -> None:
    stuck = Phrase("held down for {seconds:g} s", seconds=60.0)
    assert tell(stuck, "ru") == "нажата уже 60 с"
    line = device_line(ReaderStalled("seat 2 reader", SPOKE, 1.0), WiringWords("ru"))
    assert line is not None
    assert_russian(line)


def test_bind_with_no_reader_anywhere(here: Path) -> None:
    assert_russian(said("bind", "table.toml", "--lang", "ru"))
