"""The commands: what they print, their status, and that a mistake is one line and leaves nothing behind."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.command import main
from firmware.failures import unforeseen
from firmware.table_option import example
from firmware.whole import write_whole

ROOT = Path(__file__).parents[2]
GOOD = "seats 2\nhands concealed\nreaders none\ndealer 2\nchoose 2 dealt\nexpect turn 1\n"
FAILS = GOOD + "expect turn 2\n"
UNREADABLE = GOOD + "dance\n"
BAD_TABLES = {
    "no-toml": "[game\n",
    "unknown-game": '[game]\nname = "whist"\n',
    "no-game": "",
    "two-on-one-line": "[game]\nname = 'pepper'\nhands = 'concealed'\n"
    + "".join(f"[[seat]]\nnumber = {seat}\nbuttons = {{ left = 4, ok = 17, right = 27 }}\n" for seat in (1, 2)),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def tableref(*arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def assert_one_line(result: Result, *said: str) -> None:
    """Status 2, one line on standard error, no traceback."""
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    for one in said:
        assert one in result.stderr


# Table files


@pytest.mark.parametrize("command", ["run", "sim", "demo"])
@pytest.mark.parametrize("kind", BAD_TABLES)
def test_a_bad_table_file_is_one_line_and_nothing_is_written(folder: Path, command: str, kind: str) -> None:
    (folder / "bad.toml").write_text(BAD_TABLES[kind], encoding="utf-8")
    assert_one_line(tableref(command, "--table", "bad.toml"), "bad.toml:", "expected")
    assert [path.name for path in folder.iterdir()] == ["bad.toml"]


@pytest.mark.parametrize("command", ["run", "sim", "demo"])
def test_a_table_file_that_is_not_there(folder: Path, command: str) -> None:
    assert_one_line(
        tableref(command, "--table", "no.toml"), "no.toml: No such file or directory; expected a table file"
    )
    assert list(folder.iterdir()) == []


def test_a_bad_deck_is_said_by_the_command_that_runs_the_table(folder: Path) -> None:
    (folder / "table.toml").write_bytes(example("two-seats.toml").read_bytes())
    (folder / "deck-24.csv").write_text("04A1B2C3, AS\n04A1B2C3, KS\n", encoding="utf-8")
    result = tableref("run", "--table", "table.toml", "--journal", "book.db")
    assert_one_line(result, "deck-24.csv:2: tag 04A1B2C3 is in AS already (line 1)")
    assert not (folder / "book.db").exists()


def test_as_a_process_too_there_is_no_traceback(folder: Path) -> None:
    (folder / "bad.toml").write_text(BAD_TABLES["two-on-one-line"], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "run", "--table", "bad.toml"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bad.toml:9: GPIO line 4 is taken by seat 1 left button (line 6")
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in folder.iterdir()] == ["bad.toml"]


def test_run_needs_a_table_file(folder: Path) -> None:
    result = tableref("run")
    assert result.exit_code == 2
    assert "--table" in result.stderr


def test_a_journal_that_cannot_be_opened_is_one_line(folder: Path) -> None:
    result = tableref("run", "--simulated", "--table", str(example("two-seats.toml")), "--journal", "no/book.db")
    assert_one_line(result, "no/book.db", "expected a journal that can be written")


# Scripts


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


def test_a_script_that_goes_as_it_expects(folder: Path) -> None:
    result = tableref("script", write(folder, "good.table", GOOD))
    assert (result.exit_code, result.output) == (0, "good.table: ok, 2 lines\n")
    assert tableref("script", write(folder, "short.table", "wait 1\n")).output == "short.table: ok, 1 line\n"


def test_a_failing_script_names_the_line_and_the_others_are_played(folder: Path) -> None:
    result = tableref("script", write(folder, "fails.table", FAILS), write(folder, "good.table", GOOD))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "fails.table:7: expect turn 2: to act: 1",
        "good.table: ok, 2 lines",
    ]


def test_a_script_that_cannot_be_read_stops_all(folder: Path) -> None:
    result = tableref("script", write(folder, "good.table", GOOD), write(folder, "bad.table", UNREADABLE))
    assert_one_line(result, "bad.table:7: no word 'dance'; expected one of")


def test_a_script_that_is_not_there(folder: Path) -> None:
    assert_one_line(tableref("script", "no.table"), "no.table: No such file or directory; expected a table script")


def test_a_bad_table_file_of_a_script_is_one_line(folder: Path) -> None:
    write(folder, "bad.toml", BAD_TABLES["unknown-game"])
    assert_one_line(tableref("script", write(folder, "one.table", "table bad.toml\n")), "bad.toml:")


# Playing


def test_the_simulated_table_plays_lines_that_are_piped_to_it(folder: Path) -> None:
    table = str(example("two-seats.toml"))
    result = tableref("sim", "--table", table, "--record", "match.ctr", typed="deal\nquit\n")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("Sides 1 : 2: 0 : 0 after 0 deals")
    assert tableref("check", "match.ctr").exit_code == 0


@pytest.mark.parametrize("bots", ["5", "1,x", "0", "1 2"])
def test_bots_sit_at_seats_that_there_are(folder: Path, bots: str) -> None:
    result = tableref("sim", "--bots", bots, typed="")
    assert result.exit_code == 2
    assert "expected some of 1 to 4, with commas" in result.stderr


def test_a_record_that_cannot_be_written(folder: Path) -> None:
    result = tableref("sim", "--table", str(example("two-seats.toml")), "--record", "no/match.ctr", typed="quit\n")
    assert result.exit_code == 2
    assert result.stderr == "no/match.ctr: no folder no; expected one that is there\n"


def test_a_record_is_written_through_a_link_and_into_a_pipe(folder: Path) -> None:
    target, link, pipe = folder / "target.ctr", folder / "link.ctr", folder / "pipe.ctr"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    write_whole(link, "new\n")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new\n"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "through\n")
        assert os.read(end, 100) == b"through\n"
    finally:
        os.close(end)
    assert pipe.is_fifo()


def test_a_match_by_bots_from_lines_can_be_checked(folder: Path) -> None:
    text = example("two-seats.toml").read_text(encoding="utf-8")
    write(folder, "table.toml", text.replace("[deck]", "options = { target = 1 }\n\n[deck]", 1))
    write(folder, "deck-24.csv", example("deck-24.csv").read_text(encoding="utf-8"))
    result = tableref("sim", "--table", "table.toml", "--bots", "1,2", "--record", "match.ctr", typed="quit\n")
    assert result.exit_code == 0
    checked = tableref("check", "--json", "match.ctr")
    assert checked.exit_code == 0
    assert json.loads(checked.stdout.splitlines()[-1])["result"]["deals"] >= 1


# Checking


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"game: pepper\nseats: 4\n\xff", "-:3:1: not UTF-8; expected a text file in UTF-8"),
        (b"game: whist\nseats: 4\n", "-:1:"),
        ("game: pepper\nseats: 4\n\ndeal 4\n1 play К♦\n".encode(), "Cyrillic"),
    ],
)
def test_a_file_that_is_no_record(folder: Path, data: bytes, said: str) -> None:
    assert_one_line(tableref("check", "-", typed=data), said)


def test_a_record_that_is_not_there(folder: Path) -> None:
    assert_one_line(tableref("check", "no.ctr"), "no.ctr: No such file or directory; expected a record (.ctr)")


def test_a_refused_line_gives_status_1_and_the_wording_in_the_language(folder: Path) -> None:
    record = write(folder, "one.ctr", "game: pepper\nseats: 2\nhands: concealed\n\ndeal 2\n2 bid 1\n")
    for language, said in (("en", "It is the turn of seat 1."), ("ru", "Сейчас ход места 1.")):
        result = tableref("check", record, "--lang", language)
        assert result.exit_code == 1
        assert f"refused not-your-turn: {said}" in result.stdout


def test_legal_actions_of_a_record(folder: Path) -> None:
    record = write(folder, "one.ctr", "game: pepper\nseats: 2\nhands: concealed\n\ndeal 2\n1 bid 5\n")
    result = tableref("legal", record)
    assert (result.exit_code, result.stdout.split("\n")[:3]) == (0, ["2 bid little", "2 bid big", "2 pass"])
    limited = tableref("legal", record, "--json", "--limit", "1")
    assert [json.loads(line) for line in limited.stdout.splitlines()] == [
        {"seat": 2, "action": "bid little"},
        {"more": 2},
    ]


# Help


@pytest.mark.parametrize("command", ["check", "legal", "demo", "script", "sim", "run"])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help(command: str, flag: str) -> None:
    result = tableref(command, flag)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


def test_an_unknown_command(folder: Path) -> None:
    assert tableref("dance").exit_code == 2


def test_checking_imports_neither_wires_nor_pictures(folder: Path) -> None:
    record = write(folder, "one.ctr", "game: pepper\nseats: 2\nhands: concealed\n\ndeal 2\n1 bid 5\n")
    program = (
        "import sys\nfrom firmware.command import main\n"
        f"try:\n    main(['check', {record!r}])\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'hal', 'PIL', 'gpiozero', 'luma', 'serial'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "[]"


# Streams that are closed or full


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("redirected", "status", "said"),
    [
        ("> /dev/full", 2, "tableref: standard output cannot be written: No space left on device\n"),
        ("<&-", 2, "-:1:1: no line `game:` before the first deal; expected one, such as `game: pepper`\n"),
        (">&-", 2, "-:1:1: no line `game:` before the first deal; expected one, such as `game: pepper`\n"),
    ],
)
def test_a_stream_that_is_closed_or_full_is_one_line_and_no_traceback(redirected: str, status: int, said: str) -> None:
    record = (
        "" if status == 2 and "/dev/full" not in redirected else "game: pepper\nseats: 2\nhands: concealed\ndeal 1\n"
    )
    command = f"{sys.executable} -m firmware check - {redirected}"
    result = subprocess.run(command, shell=True, input=record, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (status, said)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("command", "redirected"),
    [
        ("script one.table", "> /dev/full"),
        ("doctor --simulated table.toml", "| true"),
        ("check one.ctr", "> /dev/full"),
        ("check one.ctr", "| true"),
        pytest.param("script one.table", "| true", marks=pytest.mark.soak),
        pytest.param("doctor --simulated table.toml", "> /dev/full", marks=pytest.mark.soak),
    ],
)
def test_an_output_that_nobody_takes_is_told_as_such_and_no_file_is_blamed(
    folder: Path, command: str, redirected: str
) -> None:
    write(folder, "one.table", GOOD)
    write(folder, "one.ctr", "game: pepper\nseats: 2\nhands: concealed\ndeal 1\n")
    for name in ("two-seats.toml", "deck-24.csv"):
        (folder / name.replace("two-seats", "table")).write_bytes(example(name).read_bytes())
    # a broken pipe: what reads it has ended before anything is written
    shell = f"(sleep 0.3; exec {sys.executable} -m firmware {command}; ) {redirected}; exit ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", shell], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    why = "No space left on device" if "full" in redirected else "Broken pipe"
    assert (done.returncode, done.stderr) == (2, f"tableref: standard output cannot be written: {why}\n")


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["check no.ctr", "run --table no.toml", "dance"])
def test_an_error_that_cannot_be_written_keeps_its_status(folder: Path, command: str) -> None:
    shell = f"{sys.executable} -m firmware {command} 2> /dev/full"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(shell, shell=True, cwd=folder, env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["demo", "sim"])
def test_a_folder_in_the_place_of_the_record_is_told_before_anything_is_played(folder: Path, command: str) -> None:
    assert_one_line(tableref(command, "--record", "."), ".: Is a directory; expected a file that can be written")


def test_words_that_the_terminal_cannot_show_do_not_end_a_command() -> None:
    record = "game: pepper\nseats: 2\nhands: concealed\ndeal 1\n1 bid 1\n"
    plain = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "firmware", "check", "--lang", "ru", "-"]
    result = subprocess.run(command, input=record, capture_output=True, text=True, check=False, env=plain)
    assert (result.returncode, result.stderr) == (1, "")
    assert "refused not-your-turn" in result.stdout


@pytest.mark.parametrize("option", ["--speed", "--pace", "--mistakes"])
def test_a_demonstration_takes_no_number_that_is_none(folder: Path, option: str) -> None:
    result = tableref("demo", option, "nan")
    assert result.exit_code == 2
    assert result.stderr == f"{option} is no number; expected one\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--deal", "cut"), "no deal 'cut'; expected pad or scan-in or concealed"),
        (("--deal", "scan-in", "--readers", "centre"), "a deal that is scanned in needs a reader at each seat"),
        (("--deal", "pad", "--readers", "none"), "tracked hands need a dealing pad"),
    ],
)
def test_a_demonstration_says_which_deals_it_cannot_have(folder: Path, options: tuple[str, ...], said: str) -> None:
    result = tableref("demo", *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("bounce,nonsense", "--faults: no fault 'nonsense'; expected one of bounce, glitch, "),
        ("deaf", "--faults: this table has no place for deaf"),
    ],
)
def test_a_demonstration_says_which_faults_it_cannot_have(folder: Path, names: str, said: str) -> None:
    result = tableref("demo", "--readers", "none", "--faults", names)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1


@pytest.mark.few(2)
@pytest.mark.parametrize("command", [("check",), ("legal",), ("wiring", "check"), ("doctor",), ("script",)])
def test_a_file_that_is_far_too_large_is_said_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as huge:
        huge.truncate(1 << 40)
    done = CliRunner().invoke(main, [*command, str(file)])
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert "File too large" in done.output


def test_a_file_that_this_user_may_not_read_is_named_with_who_may() -> None:
    error = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/var/lib/tableref/tableref.db")
    assert str(unforeseen(error)).startswith(
        "/var/lib/tableref/tableref.db: Permission denied; as the user of the table"
    )
    assert str(unforeseen(OSError(errno.EIO, os.strerror(errno.EIO), "a.db"))) == "a.db: Input/output error"
    assert str(unforeseen(OSError(errno.EIO, os.strerror(errno.EIO)))) == "tableref: Input/output error"
