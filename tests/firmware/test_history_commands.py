"""`tableref history`: what it prints and writes, in each form and language, and how it refuses."""

import csv
import io
import json
import re
import string
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from click.testing import CliRunner, Result
from test_history import EVENING, FIRST, HOUR, evening, header

import firmware
from engine.game import games
from engine.record import read_record
from engine.values import IRREGULARITIES
from firmware.command import main
from firmware.history import Played, Session, State
from firmware.history_forms import COLUMNS, HistoryWords, history_lines, history_rows, history_values
from firmware.words import LANGUAGES, Words

FOLDER = Path(firmware.__file__).parent


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    with evening(tmp_path / "tableref.db") as table:
        table.play(EVENING, header("Ann", "Ben"), FIRST)
        table.play(EVENING + HOUR, header("Ann", "Cleo"), [*FIRST, "director score 2 = 1"])
        table.play(EVENING + 24 * HOUR, ["game: skat", "seats: 3", "names: Ann, Ben, Dan"], ["deal 1"])
        table.play(EVENING + 25 * HOUR, header("Ben", "Ann"), FIRST[:5])
    return tmp_path / "tableref.db"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["history", *map(str, words)], catch_exceptions=False)


def printed(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.output


def test_sessions_matches_and_standings_are_printed(path: Path) -> None:
    lines = [" ".join(line.split()) for line in printed().splitlines()]
    assert [line for line in lines if line.startswith("Session")] == [
        line for line in lines if re.fullmatch(r"Session [12], 2027-01-1\d", line)]  # fmt: skip
    assert re.fullmatch(r"1 \d\d:\d\d–\d\d:\d\d Pepper, standard; deals: 1", lines[1])
    score = re.fullmatch(r"(\d+) Ann won", lines[2])
    assert score is not None
    assert lines[3].endswith(" Ben")
    assert re.fullmatch(r"2 .* Pepper, standard; deals: 1; amended: result 2", lines[4])
    assert "1 Cleo" in lines
    [skat] = [line for line in lines if "skat" in line]
    assert skat.endswith("skat; the game skat is not installed")
    assert "Ann, Ben, Dan" in lines
    assert any(line.endswith("deals: 0; not finished") for line in lines)
    at = lines.index("Standings, Pepper")
    assert lines[at + 1] == "player matches won deals points irregularities out of turn"
    assert lines[at + 2].startswith("1. Ann 2 2 2 ")
    assert [line.split()[1] for line in lines[at + 2 : at + 5]] == ["Ann", "Ben", "Cleo"]


def test_in_russian(path: Path) -> None:
    text = printed("--lang", "ru")
    assert "Встреча 1, " in text
    assert "исправлен: результат 2" in text
    assert "игра «skat» не установлена" in text
    assert "Положение игроков, Перец" in text
    assert "Перец, обычные; сдач: 1" in text
    assert {*re.findall("[A-Za-z]+", text)} == {"Ann", "Ben", "Cleo", "Dan", "skat"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "rules"), [(game, rules) for game in games() for rules in games()[game].rule_sets])
def test_games_and_rule_sets_are_called_as_on_the_displays(game: str, rules: str, language: str) -> None:
    match = Played(1, EVENING, EVENING, game, State.FINISHED, rules=rules)
    words, shown = HistoryWords(language), Words(games()[game], language)
    lines = [*history_lines([Session(1, (match,))], {game: []}, words)]
    assert lines[1].endswith(f"{shown.title()}, {shown.rule_set(rules)}")
    assert lines[3].endswith(f", {shown.title()}")
    assert history_values([Session(1, (match,))], {})["sessions"][0]["matches"][0]["rules"] == rules
    assert next(history_rows([Session(1, (match,))]))["game"] == game


def test_one_session_or_one_player_alone(path: Path) -> None:
    assert "Session 2" not in printed("--session", 1)
    assert "Session 1" not in printed(path, "--session", 2)
    cleo = json.loads(printed("--player", "Cleo", "--json"))
    assert [match["match"] for session in cleo["sessions"] for match in session["matches"]] == [2]
    assert [row["name"] for row in cleo["standings"]["pepper"]] == ["Cleo"]


def test_as_json(path: Path) -> None:
    values = json.loads(printed("--json"))
    assert [session["session"] for session in values["sessions"]] == [1, 2]
    first, second = values["sessions"][0]["matches"]
    assert (first["began"], first["state"], first["winners"]) == ("2027-01-15T08:00:00Z", "finished", [1])
    assert (first["revision"], first["amended"]) == (1, False)
    assert (second["revision"], second["amended"], second["scores"]["2"]) == (2, True, 1)
    assert [match["state"] for match in values["sessions"][1]["matches"]] == ["no-game", "unfinished"]
    assert values["standings"]["pepper"][0] | {"points": 0} == {
        "name": "Ann", "rank": 1, "matches": 2, "won": 2, "deals": 2, "points": 0, "irregularities": 0,
        "out_of_turn": 0}  # fmt: skip


def test_as_rows_in_a_file_or_on_standard_output(path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(printed("--csv"))))
    assert list(rows[0]) == list(COLUMNS)
    assert [(row["match"], row["seat"], row["name"], row["won"]) for row in rows] == [
        ("1", "1", "Ann", "1"), ("1", "2", "Ben", "0"), ("2", "1", "Ann", "1"), ("2", "2", "Cleo", "0"),
        ("3", "", "", ""), ("4", "1", "Ben", ""), ("4", "2", "Ann", "")]  # fmt: skip
    assert printed("--csv", "--output", "played.csv") == ""
    assert Path("played.csv").read_text(encoding="utf-8") == printed("--csv")


def test_a_record_is_written_as_the_table_exports_it(path: Path) -> None:
    text = printed("export", 2)
    assert text == "\n".join([*header("Ann", "Cleo"), "", *FIRST, "director score 2 = 1"]) + "\n"
    assert read_record(text).names == ("Ann", "Cleo")
    printed("export", 3, "--journal", path, "--output", "match-3.ctr")
    assert Path("match-3.ctr").read_text(encoding="utf-8").startswith("game: skat\n")


def test_a_merge_says_what_came_of_it(path: Path) -> None:
    with evening(Path("dead.db")) as table:
        table.play(EVENING + HOUR, header("Eve", "Dan"), FIRST)
    assert printed("merge", "dead.db") == "Matches added: 5\n"
    assert printed("merge", "dead.db", "--lang", "ru") == "Матчей, которые здесь уже были: 1\n"
    assert "(from dead.db)" in printed()


def test_a_journal_without_a_match_says_so(tmp_path: Path) -> None:
    with evening(tmp_path / "new.db"):
        pass
    assert printed(tmp_path / "new.db") == "No match was played yet.\n"
    assert printed(tmp_path / "new.db", "--lang", "ru") == "Ещё не сыграно ни одного матча.\n"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nowhere.db",), "nowhere.db: no such file; expected a journal"),
        (("text.db",), "text.db: file is not a database; expected a journal"),
        (("--session", "3"), "tableref.db: no session 3; expected 1 to 2"),
        (("--player", "Eve"), "tableref.db: no player 'Eve'; expected Ann or Ben or Cleo or Dan"),
        (("--json", "--csv"), "--json beside --csv; expected one of them"),
        (("export", "9"), "tableref.db: no match 9; expected 1 to 4"),
        (("export", "1", "--output", "no/x"), "no/x: No such file or directory; expected a file that can be written"),
        (("merge", "text.db"), "text.db: file is not a database; expected a journal"),
        (("merge", "tableref.db"), "tableref.db: this is the journal itself; expected another one"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line_with_status_2(
    path: Path, words: tuple[str, ...], reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("text.db").write_text("no journal " * 1000, encoding="utf-8")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert (result.stderr or capfd.readouterr().err) == f"{reason}\n"


# Words


def texts(language: str) -> dict[str, str]:
    with (FOLDER / "locale" / language / "LC_MESSAGES" / "history.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, language, "history") if message.id}


def facts_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_code_has_words_in_each_language_with_the_same_facts() -> None:
    codes = {f"state.{state}" for state in State if state is not State.FINISHED} | {f"note.{c}" for c in IRREGULARITIES}
    for module in ("history_forms", "history_commands"):
        source = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        codes |= set(re.findall(r'"((?:session|match|standings|history|merge)\.[a-z_-]+)"', source))
    english, russian = texts("en"), texts("ru")
    assert codes - english.keys() == set()
    assert english.keys() == russian.keys()
    for code, text in english.items():
        assert facts_in(text) == facts_in(russian[code]), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    folder = FOLDER / "locale" / language / "LC_MESSAGES"
    compiled = io.BytesIO()
    with (folder / "history.po").open("rb") as file:
        write_mo(compiled, read_po(file, language, "history"))
    compiled.seek(0)
    with (folder / "history.mo").open("rb") as file:
        shipped = {str(message.id): message.string for message in read_mo(file) if message.id}
    assert shipped == {str(message.id): message.string for message in read_mo(compiled) if message.id}
    assert HistoryWords(language).say("match.won") == shipped["match.won"]
