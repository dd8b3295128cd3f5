"""Key paths find their lines in every way of writing TOML."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import TablerefHardwareError, WiringError
from hal.toml_lines import KeyPath, TomlFile, key_lines, read_toml

EVERYTHING = '''\
# a comment with [brackets] and = signs
title = "x"

[game]                      # line 4
name = "pepper"
"quoted key" = 1
'literal.key' = 2
site.with.dots = 3
site."with".more = 4

[[seat]]                    # line 11
number = 1
buttons = { left = 4, ok = 17, right = 27 }

  [[ seat ]]                # line 15
  number = 2
  [seat.buttons]            # line 17
  left = 5
  [seat.display]
  bus = 1

[[seat]]
text = """
[not.a.table]
key = 1 \\""" and "two" quotes"""
other = \'\'\'
[[seat]]
\'\'\'
after = true                # line 29
list = [
    1, 2,                   # ] in a comment
    "]", [3,
      4],
    { a = 1, b = { c = [5] } },
]
when = 2020-01-01 10:00:00
float = -1.5e3
"escaped \\"name\\"" = 1
empty = []
none = {}
last = "no newline at the end"'''


def paths_of(value: object, path: KeyPath = ()) -> list[KeyPath]:
    """The path of everything in parsed TOML."""
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in [(*path, key), *paths_of(inner, (*path, key))]]
    if isinstance(value, list):
        return [found for n, inner in enumerate(value) for found in [(*path, n), *paths_of(inner, (*path, n))]]
    return []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("game",), 4),
        (("game", "name"), 5),
        (("game", "quoted key"), 6),
        (("game", "literal.key"), 7),
        (("game", "site"), 8),
        (("game", "site", "with", "dots"), 8),
        (("game", "site", "with", "more"), 9),
        (("seat",), 11),
        (("seat", 0), 11),
        (("seat", 0, "number"), 12),
        (("seat", 0, "buttons", "ok"), 13),
        (("seat", 1), 15),
        (("seat", 1, "number"), 16),
        (("seat", 1, "buttons"), 17),
        (("seat", 1, "buttons", "left"), 18),
        (("seat", 1, "display", "bus"), 20),
        (("seat", 2), 22),
        (("seat", 2, "text"), 23),
        (("seat", 2, "other"), 26),
        (("seat", 2, "after"), 29),
        (("seat", 2, "list", 1), 31),
        (("seat", 2, "list", 2), 32),
        (("seat", 2, "list", 3, 1), 33),
        (("seat", 2, "list", 4, "b", "c", 0), 34),
        (("seat", 2, "when"), 36),
        (("seat", 2, "float"), 37),
        (("seat", 2, 'escaped "name"'), 38),
        (("seat", 2, "last"), 41),
    ],
)
def test_a_key_path_finds_its_line(path: KeyPath, line: int) -> None:
    assert key_lines(EVERYTHING)[path] == line


@pytest.mark.parametrize("end", ['"""', '""""', '"""""', "'''", "''''", "'''''"])
def test_a_text_of_several_lines_may_end_in_quotes_of_its_own(end: str) -> None:
    assert key_lines(f"a = {end[:3]}say\n{end}\nb = 1")[("b",)] == 3


def test_every_key_that_the_parser_finds_has_a_line_and_no_other_has() -> None:
    assert sorted(map(str, key_lines(EVERYTHING))) == sorted(map(str, paths_of(tomllib.loads(EVERYTHING))))


def test_a_missing_key_stands_where_its_table_does() -> None:
    file = TomlFile("t.toml", EVERYTHING)
    assert file.line(("seat", 1, "led")) == 15
    assert file.line(("seat", 1, "buttons", "right")) == 17
    assert file.line(("buzzer", "line")) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_change_no_line(tmp_path: Path, newline: str, mark: str) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes((mark + EVERYTHING.replace("\n", newline)).encode())
    file = read_toml(path)
    assert file.data["title"] == "x"
    assert file.line(("title",)) == 2
    assert file.line(("seat", 2, "last")) == 41


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = 1\nb = \n", "2:5"),
        ("a = 1\n\n[game\n", "3:6"),
        ("a = 1\na = 2\n", "2:6"),
        ("a = [1,\n", "2:1"),
        ('a = """never closed\n\n', "3:1"),
        ("a = 1\r\nb = \r\n", "2:5"),
        ("ключ = 1\n", "1:1"),
    ],
)
def test_invalid_toml_is_one_line_with_line_and_column(text: str, place: str) -> None:
    with pytest.raises(WiringError) as caught:
        TomlFile("t.toml", text)
    words = str(caught.value)
    assert words.startswith(f"t.toml:{place}: ")
    assert words.endswith("; expected valid TOML")
    assert "\n" not in words
    assert "at line" not in words


def test_bytes_that_are_no_utf_8_are_placed_too(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"a = 1\nb = 'caf\xe9'\n")
    with pytest.raises(WiringError, match=r"table\.toml:2:9: byte E9 is no UTF-8; expected text in UTF-8"):
        read_toml(path)


def test_a_wiring_error_is_of_this_room_and_a_value_error() -> None:
    error = TomlFile("t.toml", "[a]\nb = 1\n").error(("a", "b"), "b  =\n 3")
    assert isinstance(error, TablerefHardwareError)
    assert isinstance(error, ValueError)
    assert (error.file, error.line, error.column, str(error)) == ("t.toml", 2, None, "t.toml:2: b = 3")


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
scalars = st.one_of(st.integers(-99, 99), st.booleans(), names)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)


def written(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return '"' + "".join(f"\\U{ord(letter):08X}" for letter in value) + '"'
        case list():
            return "[ # ]\n" + ",\n".join(map(written, value)) + "\n]"
        case dict():
            return "{" + ", ".join(f"{written(key)} = {written(inner)}" for key, inner in value.items()) + "}"
    raise AssertionError(value)


@given(st.dictionaries(names, values, max_size=4))
def test_whatever_a_file_holds_every_key_is_found(data: dict[str, object]) -> None:
    text = "\n\n".join(f"{written(key)} = {written(value)}" for key, value in data.items())
    lines = key_lines(text)
    assert set(lines) == set(paths_of(tomllib.loads(text)))
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a = 1\nb = " + "9" * 10_000 + "\n", 2, "a number of thousands of digits; expected a shorter one"),
        ("a = 1\nb = " + "[" * 100_000 + "\n", 2, "brackets within brackets without end; expected a few at most"),
        ("a = 1\n\nb = " + "{a = " * 5000 + "\n", 3, "brackets within brackets without end; expected a few at most"),
    ],
)
def test_what_no_parser_can_hold_is_said_in_our_own_words_with_its_place(text: str, line: int, said: str) -> None:
    with pytest.raises(WiringError) as caught:
        TomlFile("table.toml", text)
    assert str(caught.value) == f"table.toml:{line}:5: {said}"
