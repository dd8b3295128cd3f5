"""A value is changed, and nothing else: not a comment, not a blank, not a line end."""

from pathlib import Path

import pytest

from hal.toml_edit import EditError, with_values
from hal.toml_lines import TomlFile

TEXT = """\
# A table.
[[seat]]
number = 1            # North
reader = "/dev/old"   # the blue cable
led = 22

[[seat]]
number = 2

[[reader]]
role = "dealing"
port = '/dev/pad'
"""


def test_a_value_is_changed_where_it_stands() -> None:
    assert with_values(TEXT, {("seat", 0, "reader"): "/dev/new"}) == TEXT.replace("/dev/old", "/dev/new")


def test_a_value_that_is_not_there_yet_gets_a_line_of_its_own_table() -> None:
    changed = with_values(TEXT, {("seat", 1, "reader"): "/dev/b"})
    assert TomlFile("", changed).data["seat"][1] == {"number": 2, "reader": "/dev/b"}
    assert [line for line in changed.split("\n") if line not in TEXT.split("\n")] == ['reader = "/dev/b"']


def test_several_at_once() -> None:
    changed = with_values(TEXT, {("seat", 1, "reader"): "b", ("reader", 0, "port"): "c", ("seat", 0, "reader"): "a"})
    data = TomlFile("", changed).data
    assert [seat["reader"] for seat in data["seat"]] == ["a", "b"]
    assert data["reader"][0]["port"] == "c"
    assert changed.count("#") == TEXT.count("#")


def test_a_value_with_quotes_and_backslashes_is_written_so_that_it_is_read_again() -> None:
    changed = with_values(TEXT, {("seat", 0, "reader"): 'a "b" \\c'})
    assert TomlFile("", changed).data["seat"][0]["reader"] == 'a "b" \\c'


def test_windows_line_ends_stay() -> None:
    text = TEXT.replace("\n", "\r\n")
    changed = with_values(text, {("seat", 1, "reader"): "b", ("seat", 0, "reader"): "a"})
    assert changed.count("\n") == changed.count("\r\n") == text.count("\n") + 1


def test_a_value_in_a_table_on_one_line_is_changed() -> None:
    text = 'seat = [{ number = 1, reader = "a" }, { number = 2, led = 3 }]\n'
    assert with_values(text, {("seat", 0, "reader"): "b"}) == text.replace('"a"', '"b"')


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("seat = [{ number = 1 }, { number = 2, led = 3 }]\n", ("seat", 0, "reader")),
        ('seat = [{ reader = "a" }, { reader = "b" }]\n', ("seat", 1, "reader")),
        ('[[seat]]\nreader = """a"""\n', ("seat", 0, "reader")),
        ("[[seat]]\nreader = 5\n", ("seat", 0, "reader")),
        ('[[seat]]\nbuttons = """\nreader = "a"\n"""\n', ("seat", 0, "other")),
    ],
)
def test_what_cannot_be_changed_in_place_is_refused_and_never_spoilt(text: str, path: tuple[str, int, str]) -> None:
    try:
        changed = with_values(text, {path: "new"})
    except EditError:
        return
    data = TomlFile("", changed).data
    expected = TomlFile("", text).data
    expected[path[0]][path[1]][path[2]] = "new"
    assert data == expected


def test_the_examples_can_be_written_to() -> None:
    for path in (Path(__file__).parents[2] / "examples").glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        changed = with_values(text, {("seat", 1, "reader"): "/dev/new"})
        assert [line for line in text.split("\n") if "#" in line] == [
            line for line in changed.split("\n") if "#" in line
        ]
