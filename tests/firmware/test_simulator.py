"""The simulated table at a terminal: keys, typed words, displays; and that the terminal is given back."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from terminal_process import at_terminal

from firmware.command import main
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from firmware.simulator import Simulator, keys_of
from firmware.table_option import example

HANDS = "deal AC KC QC JC 10C 9C / AD KD QD JD 10D 9D"


@pytest.fixture
def person() -> Iterator[Simulator]:
    """A person at seat 1 of two; nobody has dealt."""
    with SimulatedTable(furnish("pepper", 2, tracked=False, dealer=2, names=("Ann", "Ben"))) as table:
        yield Simulator(table, (), 1, 0.0)


def typed(person: Simulator, text: str) -> None:
    for letter in text:
        person.key("'" + letter)
    person.key("ok")


# Keys


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"\x1b[D\x1b[C\r", ["left", "right", "ok"]),
        (b"\x1bOD\x1bOC\n", ["left", "right", "ok"]),
        (b"\x1b[A\x1b[B\t\x04", ["peek", "back", "seat", "quit"]),
        (b"tap\x7f", ["'t", "'a", "'p", "erase"]),
        ("д♣".encode(), ["'д", "'♣"]),
        (b"\x1b[3~x", ["'x"]),
        (b"\x1b[1;5Cx", ["'x"]),
        (b"\x1bOPx", ["'x"]),
        (b"\x1bx", ["'x"]),
        (b"\x1b", []),
        (b"\xff\xfe", []),
        (b"\x00\x01", []),
        (b"", []),
    ],
)
def test_keys_of_a_terminal(data: bytes, names: list[str]) -> None:
    assert list(keys_of(data)) == names


def test_arrows_and_enter_are_the_buttons_of_the_seat(person: Simulator) -> None:
    person.say(HANDS)
    for key in ("right", "right", "left", "ok"):
        person.key(key)
    assert person.table.loop.lines[-1] == "1 bid 1"


def test_tab_goes_from_seat_to_seat(person: Simulator) -> None:
    assert person.seat == 1
    person.key("seat")
    assert person.seat == 2
    person.key("ok")
    assert person.table.loop.lines == ["deal 2"]
    person.key("seat")
    assert person.seat == 1


def test_up_peeks_until_it_is_pressed_again(person: Simulator) -> None:
    person.say(HANDS)
    person.key("peek")
    person.table.wait(1.0)
    assert shows(person.table.picture(1), "Your hand")
    person.key("peek")
    assert not shows(person.table.picture(1), "Your hand")


@pytest.mark.parametrize("key", ["left", "seat"])
def test_any_other_key_ends_the_peek(person: Simulator, key: str) -> None:
    person.say(HANDS)
    person.key("peek")
    person.table.wait(1.0)
    person.key(key)
    person.table.wait(0.1)
    assert not shows(person.table.picture(1), "Your hand")


def test_down_opens_the_menu(person: Simulator) -> None:
    person.key("back")
    assert shows(person.table.picture(1), "Menu")


def test_a_typed_line_is_done_at_enter_and_letters_can_be_erased(person: Simulator) -> None:
    typed(person, "deal")
    assert person.table.loop.lines == ["deal 2"]
    for key in ("'q", "'u", "erase", "erase", "erase"):
        person.key(key)
    assert person.line == ""
    person.key("ok")  # a button now
    assert not person.done


def test_end_of_input_ends_it(person: Simulator) -> None:
    person.key("quit")
    assert person.done


# Typed words


def test_the_words_of_the_simulator_alone_are_among_those_that_are_expected(person: Simulator) -> None:
    person.say("dance")
    assert person.log[-1].endswith(", help, quit")


def test_a_tap_without_a_seat_is_at_the_own_seat(person: Simulator) -> None:
    person.say("deal")
    for line in ("choose 1 1", "choose 2 pass", "choose 1 C", "tap 9D"):
        person.say(line)
    assert person.table.loop.lines[-1] == "1 play 9D"
    assert person.log[-1].startswith("1 play 9D  ✓")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dance", "? no word 'dance'; expected one of tap"),
        ("tap", "? cannot read 'tap'; expected tap SEAT CARD"),
        ("tap XX", "? 'XX' is no card"),
        ("tap 2C", "? 2C is not in the deck of this table"),
        ("press 3 ok", "? no seat 3; expected 1 to 2"),
        ("tap 3 9D", "? no seat 3; expected 1 to 2"),
        ("plug reader 1", "? the seat 1 reader is in already"),
        ("tap centre 9D", "? no centre reader; this table has seat 1 reader"),
        ("choose 1 9D", "? seat 1 is offered nothing"),
        ("expect turn 1", "? to act: nobody"),
        ("play deal", "? nobody plays"),
        ("deal 9D / 9C", "? hands of 1, 1 cards"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_else_happens(person: Simulator, text: str, said: str) -> None:
    person.say(text)
    assert person.log[-1].startswith(said)
    assert person.table.loop.lines == []
    assert not person.done


def test_help_quit_and_nothing(person: Simulator) -> None:
    person.say("")
    assert not person.log
    person.say("help")
    assert any("Tab" in line for line in person.log)
    person.say("quit")
    assert person.done


def test_rulings_are_told_after_a_restart_too(person: Simulator) -> None:
    person.say("deal")
    person.say("restart")
    person.say("choose 1 so-it-is")
    person.say("choose 1 1")
    assert person.log[-1].startswith("1 bid 1  ✓")
    assert len([line for line in person.log if line.startswith("1 bid 1")]) == 1


def test_bots_play_when_they_are_told(person: Simulator) -> None:
    person.say("bots 1 2")
    person.say("play deal")
    assert person.table.match.deals == 1


# The picture


def test_the_screen_has_every_display_the_log_and_the_line(person: Simulator) -> None:
    person.say("deal")
    typed_so_far = "tap 9"
    for letter in typed_so_far:
        person.key("'" + letter)
    lines = person.screen(140, 50)
    assert len(lines) == 50
    assert lines[-1] == "seat 1> tap 9█"
    text = "\n".join(lines)
    assert "1 Ann <" in text
    assert "2 Ben" in text
    assert "deal 2  ✓" in text
    assert re.search("[\u2801-\u28ff]", text)


@pytest.mark.few(2)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (20, 5), (1, 2), (300, 100)])
def test_any_terminal_is_filled(person: Simulator, columns: int, rows: int) -> None:
    assert len(person.screen(columns, rows)) == rows


def test_a_bot_is_marked_and_the_keys_begin_at_the_first_person() -> None:
    with SimulatedTable(furnish("pepper", 2, tracked=False, dealer=2)) as table:
        person = Simulator(table, (1,), 1, 0.0)
        assert person.seat == 2
        assert "1 (bot)" in "\n".join(person.screen(140, 50))


# Line by line


def test_lines_from_a_file_are_played_to_their_end(person: Simulator) -> None:
    out = io.StringIO()
    person.run_lines(io.StringIO("deal\n\nchoose 1 1\ndance\nquit\nchoose 2 pass\n"), out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "deal 2  ✓"
    assert "1 bid 1  ✓" in lines
    assert any(line.startswith("? no word 'dance'") for line in lines)
    assert lines[-1].startswith("Sides 1 : 2: 0 : 0")
    assert person.table.loop.lines[-1] == "1 bid 1"


def test_bots_answer_between_the_lines() -> None:
    with SimulatedTable(furnish("pepper", 2, tracked=False, dealer=2, readers="none")) as table:
        person = Simulator(table, (2,), 1, 0.0)
        out = io.StringIO()
        person.run_lines(io.StringIO("choose 1 7\nchoose 1 big\nchoose 1 C\n"), out)
        assert out.getvalue().splitlines()[0] == "deal 2  ✓"  # the bot deals at once
        assert table.loop.lines[:3] == ["deal 2", "1 bid big", "1 trump C"]


# At a true terminal


@pytest.mark.threads
def test_at_a_terminal_keys_work_and_ctrl_c_gives_it_back(tmp_path: Path) -> None:
    table = str(example("two-seats.toml"))
    with at_terminal(["sim", "--table", table, "--record", "match.ctr"], tmp_path) as command:
        command.read_until("seat 1> █", "⣿")
        command.type("deal\r")
        command.read_until("✓")
        command.type("\t")
        command.read_until("seat 2> █")
        command.type("\x03")
        assert command.wait() == 0
        assert command.restored()
        assert "Traceback" not in command.text
        assert "winner: –" in command.text
    assert "deal " in (tmp_path / "match.ctr").read_text(encoding="utf-8")


def test_a_match_goes_on_the_next_time_and_has_a_history(tmp_path: Path) -> None:
    order = ["sim", "--game", "pepper", "--seats", "2", "--readers", "none"]
    journal, record = tmp_path / "evening.db", tmp_path / "match.ctr"
    for words in ("deal\nchoose 2 1\nquit\n", "choose 1 so-it-is\nchoose 1 pass\nquit\n"):
        played = CliRunner().invoke(main, [*order, "--journal", str(journal), "--record", str(record)], input=words)
        assert played.exit_code == 0, played.output
        assert "--journal" not in played.stderr
    text = record.read_text(encoding="utf-8")
    assert "2 bid 1" in text
    assert "1 pass" in text
    history = CliRunner().invoke(main, ["history", str(journal)])
    assert "not finished" in history.output
    assert "--journal FILE" in CliRunner().invoke(main, order, input="deal\nchoose 2 1\nquit\n").stderr


@pytest.mark.long
@pytest.mark.threads
def test_quit_gives_the_terminal_back_too(tmp_path: Path) -> None:
    with at_terminal(["sim", "--table", str(example("two-seats.toml"))], tmp_path, 80, 24) as command:
        command.read_until("seat 1> █")
        command.type("quit\r")
        assert command.wait() == 0
        assert command.restored()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.threads
def test_all_of_a_large_terminal_is_used(tmp_path: Path) -> None:
    with at_terminal(["sim", "--bots", "2,3,4"], tmp_path, 140, 45) as command:
        command.read_until("seat 1> █")
        command.type("quit\r")
        assert command.wait() == 0
        assert "4 (bot)" in command.text  # an 80 by 24 has room for one display
        assert "keys: ←" in command.text


@pytest.mark.long
@pytest.mark.threads
def test_the_demonstration_shows_displays_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    table = str(example("two-seats.toml"))
    with at_terminal(["demo", "--table", table, "--seed", "3"], tmp_path) as command:
        command.read_until("⣿", "✓")
        command.type("\x03")
        assert command.wait() == 0
        assert command.restored()
        assert "Traceback" not in command.text
        assert "What was played is in tableref-demo.ctr" in command.text
    assert (tmp_path / "tableref-demo.ctr").read_text(encoding="utf-8").startswith("game: pepper\n")
