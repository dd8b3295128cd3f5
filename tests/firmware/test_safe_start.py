"""A table that cannot start says so on its displays, stays up, and starts when that is mended."""

import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from test_run import TABLE, has_match

from engine.game import broken_games, forget_games, games, missing_in
from firmware.deck_check import check_table_file
from firmware.doctor import finding_line
from firmware.errors import BrokenGameError, DiskFullError, FileError, JournalError
from firmware.last_good import copy_instead, keep_good, kept_copy
from firmware.plugged import leave_out_what_hangs, look_for_games
from firmware.reading import shows
from firmware.safe_start import AGAIN, LOOK, PAGE, Ending, SafeMode, files_of, readable_wiring
from firmware.schema import NewerError
from firmware.starting import stays
from firmware.tablefile import read_table_file
from firmware.trouble import Trouble, trouble_of
from firmware.trouble_screen import trouble_pages
from firmware.wiring_words import WiringWords
from hal.events import Button
from hal.hardware import Hardware
from hal.panels import Panel
from hal.sim.board import SimulatedWires

COMMAND = [sys.executable, "-m", "firmware", "run", "--simulated"]
BAD = TABLE.replace("target = 3", "target = 3333333")
TROUBLE = Trouble("table.toml:6: a long story of what is wrong in this line; expected something else", "mend it")


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    return path


class AtTable:
    """The mode on simulated wires, stepped by hand."""

    def __init__(self, table_file: Path, trouble: Trouble = TROUBLE, language: str = "en") -> None:
        wiring = readable_wiring(table_file)
        assert wiring is not None
        self.wires = SimulatedWires(wiring)
        self.hardware = Hardware(wiring, self.wires)
        self.now = 0.0
        self.mode = SafeMode(trouble, language, files_of(table_file, table_file.parent / "j.db"), self.hardware, 0.0)

    def wait(self, seconds: float) -> Ending | None:
        end = self.now + seconds
        while self.now < end:
            self.now += 0.02
            ended = self.mode.step(self.now)
            if ended is not None:
                return ended
        return None

    def press(self, place: int, button: Button) -> Ending | None:
        self.wires.press(place, button)
        ended = self.wait(0.2)
        self.wires.release(place, button)
        return ended or self.wait(0.2)

    def shows(self, place: int, text: str) -> bool:
        return shows(self.wires.picture(place), text)


@contextmanager
def at(table_file: Path, trouble: Trouble = TROUBLE, language: str = "en") -> Iterator[AtTable]:
    table = AtTable(table_file, trouble, language)
    with closing(table.hardware):
        yield table


# On the displays


def test_every_display_says_what_is_wrong_and_what_to_do_page_by_page(table_file: Path) -> None:
    with at(table_file) as table:
        table.wait(0.5)
        for place in (1, 2):
            assert table.shows(place, "Cannot start")
            assert table.shows(place, "table.toml:6: a long")
            assert not table.shows(place, "mend it")
        table.wait(PAGE)
        assert table.shows(1, "mend it")
        table.press(2, Button.LEFT)
        assert table.shows(1, "table.toml:6: a long")


def test_they_say_it_in_the_language_of_the_table(table_file: Path) -> None:
    with at(table_file, trouble_of(NewerError(table_file, 9), table_file), "ru") as table:
        table.wait(0.5)
        assert table.shows(1, "Стол не запущен")


@pytest.mark.parametrize("rows", [32, 64])
def test_all_of_the_words_are_on_the_pages(rows: int) -> None:
    pages = trouble_pages("Cannot start", (TROUBLE.what, TROUBLE.todo), "OK: try again", Panel(rows=rows))
    assert len(pages) > 1
    for word in ("table.toml:6:", "expected", "mend it"):
        assert any(shows(page, word) for page in pages)
    assert all(page.size == (128, rows) for page in pages)


# How it ends


def test_ok_tries_again_and_the_other_buttons_turn_the_pages(table_file: Path) -> None:
    with at(table_file) as table:
        assert table.press(1, Button.RIGHT) is None
        assert table.press(2, Button.OK) is Ending.ASKED


def test_a_file_that_was_changed_and_then_stands_still_ends_it(table_file: Path) -> None:
    with at(table_file) as table:
        assert table.wait(3 * LOOK) is None
        table_file.write_text(TABLE + "\n# half", encoding="utf-8")
        assert table.wait(2 * LOOK + 0.1) is Ending.MENDED


def test_while_a_file_is_still_being_written_nothing_is_tried(table_file: Path) -> None:
    with at(table_file) as table:
        for length in range(6):
            table_file.write_text(TABLE + "#" * (length + 1), encoding="utf-8")
            assert table.wait(LOOK) is None


def test_what_nobody_mends_is_not_tried_again(table_file: Path) -> None:
    with at(table_file) as table:
        assert table.wait(10 * AGAIN) is None
    with at(table_file, TROUBLE._replace(passing=True)) as table:
        assert table.wait(AGAIN + 1) is Ending.PASSED


# Who is told what


def errors(path: Path) -> list[BaseException]:
    return [
        FileError(str(path), 3, "x"), FileError("deck.csv", 3, "x"), BrokenGameError(str(path), 3, "x"),
        NewerError(path, 9), DiskFullError("x"), JournalError("x"), FileNotFoundError(2, "No such file", str(path)),
        RuntimeError("x"),
    ]  # fmt: skip


def test_each_trouble_has_words_of_its_own_in_both_languages(table_file: Path) -> None:
    todos = [trouble_of(error, table_file).todo for error in errors(table_file)]
    assert len(set(todos)) == len(todos)
    words = WiringWords("ru")
    assert all(words.tell(todo) != todo for todo in todos)


def test_the_doctor_says_the_same_words(table_file: Path) -> None:
    table_file.write_text(BAD, encoding="utf-8")
    with pytest.raises(ValueError, match="target") as raised:
        read_table_file(table_file)
    trouble = trouble_of(raised.value, table_file)
    said = " ".join(finding_line(finding, WiringWords()) for finding in check_table_file(table_file))
    assert trouble.what in said
    assert trouble.todo in said


@pytest.mark.parametrize(
    ("asked", "environment", "expected"),
    [
        (None, {}, False), (None, {"NOTIFY_SOCKET": "/run/x"}, True), (True, {}, True),
        (False, {"NOTIFY_SOCKET": "/run/x"}, False),
    ],
)  # fmt: skip
def test_a_service_stays_and_a_command_ends(asked: bool | None, environment: dict[str, str], expected: bool) -> None:
    assert stays(asked, environment) is expected


# A game that cannot be loaded


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Installs a package with a game called skat, of this text."""
    monkeypatch.syspath_prepend(str(tmp_path / "site"))

    def install(text: str) -> None:
        (tmp_path / "site").mkdir(exist_ok=True)
        (tmp_path / "site" / "plugged_skat.py").write_text(text, encoding="utf-8")
        info = tmp_path / "site" / "plugged_skat-1.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-skat\nVersion: 1\n", encoding="utf-8")
        (info / "entry_points.txt").write_text("[tableref.games]\nskat = plugged_skat:GAME\n", encoding="utf-8")
        look_for_games()

    yield install
    sys.modules.pop("plugged_skat", None)
    monkeypatch.undo()
    look_for_games()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"), ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise GeneratorExit", "GeneratorExit"), ("class Own(BaseException): pass\nraise Own", "Own"),
        ("class GAME:\n def __getattr__(self, name): raise RuntimeError(name)\nGAME = GAME()", "RuntimeError: name"),
        ("class GAME:\n def __getattr__(self, name): return lambda *all: 3\nGAME = GAME()", "its name is not what"),
        ("from engine.pepper import GAME as G\nclass Own(type(G)): catalogue = 'none'\nGAME = Own()", "its catalogue"),
        ("from engine.pepper import GAME as G\nclass Own(type(G)): seats = range(0)\nGAME = Own()", "its seats is not"),
        ("GAME = 1 +", "SyntaxError"), ("GAME = 3", "it has no name"), ("", "AttributeError"),
    ],
)  # fmt: skip
def test_a_broken_game_costs_no_other_and_a_table_that_names_it_says_why(
    plugged: Callable[[str], None], table_file: Path, text: str, why: str
) -> None:
    plugged(text)
    assert "skat" not in games()
    assert {"pepper", "possession", "vazhushal"} <= set(games())
    assert broken_games()["skat"].startswith(why)
    read_table_file(table_file)
    table_file.write_text(TABLE.replace('"pepper"', '"skat"'), encoding="utf-8")
    with pytest.raises(BrokenGameError, match="the game skat cannot be loaded"):
        read_table_file(table_file)


def test_a_game_whose_package_never_comes_to_an_end_is_left_out_and_said(
    plugged: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.plugged.PATIENCE", 0.05)
    told: list[str] = []
    plugged("GAME = 3")
    sys.modules.pop("plugged_skat", None)
    (Path(next(path for path in sys.path if path.endswith("site"))) / "plugged_skat.py").write_text(
        "from threading import Event\nEvent().wait(5)\n", encoding="utf-8"
    )
    leave_out_what_hangs(told.append)
    forget_games()
    assert [str(said) for said in told] == ["the package of the game skat does not come to an end when it is loaded"]
    assert "plugged_skat" in broken_games()["skat"]
    assert {"pepper", "possession", "vazhushal"} <= set(games())


def test_a_game_that_fails_as_the_table_starts_is_named_also_where_it_wants_to_leave(
    plugged: Callable[[str], None], table_file: Path
) -> None:
    plugged(
        "import sys\nfrom engine.pepper import GAME as G\nclass Own(type(G)):\n"
        " name = 'skat'\n def rules(self, *all): sys.exit(0)\nGAME = Own()"
    )
    with pytest.raises(SystemExit) as left:
        games()["skat"].rules(2, True, {})
    trouble = trouble_of(left.value, table_file)
    assert trouble.what == "the game skat has failed: SystemExit: 0"
    assert "play another game" in trouble.todo


def test_a_game_that_was_mended_is_found_without_a_new_start(plugged: Callable[[str], None]) -> None:
    plugged("GAME = 3")
    assert "skat" in broken_games()
    time.sleep(0.01)
    plugged("from engine.pepper import GAME  # mended")
    assert "skat" in games(), broken_games()


def test_every_game_that_is_shipped_lacks_nothing() -> None:
    assert all(missing_in(game) == [] for game in games().values())


# A table file that a power cut has emptied


@pytest.mark.parametrize("lost", [b"", b"\0" * 300])
def test_of_an_empty_table_file_the_last_good_one_is_used_and_it_is_not_written_to(
    tmp_path: Path, table_file: Path, lost: bytes
) -> None:
    journal = tmp_path / "j.db"
    keep_good(table_file, journal)
    table_file.write_bytes(lost)
    keep_good(table_file, journal)
    copy = copy_instead(table_file, journal)
    assert copy == kept_copy(journal)
    assert read_table_file(table_file, copy).table.rules.target == 3
    assert table_file.read_bytes() == lost


def test_a_table_file_with_a_mistake_is_not_replaced(tmp_path: Path, table_file: Path) -> None:
    keep_good(table_file, tmp_path / "j.db")
    table_file.write_text("seat = [", encoding="utf-8")
    assert copy_instead(table_file, tmp_path / "j.db") is None
    assert readable_wiring(table_file) is None
    assert readable_wiring(table_file, kept_copy(tmp_path / "j.db")) is not None


# As a service


@contextmanager
def service(folder: Path, table_file: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(60)
        process = subprocess.Popen(
            [*COMMAND, "--table", str(table_file), "--journal", str(folder / "journal.db"), *more],
            cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "400000"},
        )  # fmt: skip
        try:
            yield process, manager
        finally:
            process.kill()
            process.communicate()


def until(manager: socket.socket, wanted: str) -> str:
    """What is said to the supervisor with these words in it."""
    while True:
        said = manager.recv(4096).decode()
        if wanted in said:
            return said


@pytest.mark.threads
def test_a_service_with_a_broken_table_file_stays_alive_and_starts_when_it_is_mended(
    tmp_path: Path, table_file: Path
) -> None:
    table_file.write_text(BAD, encoding="utf-8")
    with service(tmp_path, table_file) as (process, manager):
        said = until(manager, "STATUS=")
        assert "READY=1" in said
        assert "Cannot start: " in said
        assert "target" in said
        for _ in range(3):
            until(manager, "WATCHDOG=1")
        assert process.poll() is None
        table_file.write_text(TABLE, encoding="utf-8")
        until(manager, "READY=1")
        assert has_match(tmp_path / "journal.db")
        process.terminate()
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith("pepper, 2 seats; ")
    assert err.count("\n") == 2, err
    assert "mend this line of table.toml" in err


@pytest.mark.threads
def test_a_service_that_cannot_start_ends_at_a_signal(tmp_path: Path, table_file: Path) -> None:
    table_file.unlink()
    with service(tmp_path, table_file) as (process, manager):
        until(manager, "STATUS=")
        process.terminate()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "put the table file there" in err


@pytest.mark.threads
def test_a_service_whose_journal_is_of_a_newer_program_stays_and_does_not_touch_it(
    tmp_path: Path, table_file: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        file.execute("PRAGMA user_version = 99")
    before = (tmp_path / "journal.db").read_bytes()
    with service(tmp_path, table_file) as (process, manager):
        assert "version 99" in until(manager, "STATUS=")
        assert process.poll() is None
    assert (tmp_path / "journal.db").read_bytes() == before


def test_what_lies_in_the_place_of_the_copy_and_is_no_file_is_not_written_to(tmp_path: Path, table_file: Path) -> None:
    os.mkfifo(kept_copy(tmp_path / "journal.db"))
    with pytest.raises(FileExistsError):
        keep_good(table_file, tmp_path / "journal.db")
