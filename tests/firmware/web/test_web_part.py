"""`[web]` of a table file, and what a command says of it."""

from pathlib import Path
from typing import NamedTuple

import pytest
from test_run import TABLE

from firmware.errors import FileError
from firmware.failures import Failure
from firmware.tablefile import read_table_file
from firmware.web_address import Address
from firmware.web_option import wanted_web
from firmware.web_part import Reveal, Web
from hal.errors import WiringError


def web_of(folder: Path, text: str) -> Web:
    path = folder / "table.toml"
    path.write_text(TABLE + text, encoding="utf-8")
    return read_table_file(path).web


def test_a_table_file_that_says_nothing_has_no_server(tmp_path: Path) -> None:
    assert web_of(tmp_path, "") == Web(None, "", Reveal.NEVER, ())


def test_a_table_file_says_where_the_table_can_be_seen(tmp_path: Path) -> None:
    text = '\n[web]\naddress = "0.0.0.0:80"\ntitle = "Table 3"\nreveal = "after-deal"\nhosts = ["cards.example.org"]\n'
    assert web_of(tmp_path, text) == Web(Address("0.0.0.0", 80), "Table 3", Reveal.AFTER_DEAL, ("cards.example.org",))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('address = "nowhere:at:all:x"', "expected HOST:PORT"),
        ("address = 80", "expected HOST:PORT"),
        ('reveal = "always"', "expected never or after-deal"),
        (f'title = "{"x" * 61}"', "expected at most 60 letters"),
        ('hosts = "one"', "expected a list of names of this machine"),
        ("port = 80", "expected address, title, reveal or hosts"),
    ],
)
def test_a_slip_is_told_with_its_line(tmp_path: Path, line: str, expected: str) -> None:
    number = (TABLE + "\n[web]\n").count("\n") + 1
    with pytest.raises((FileError, WiringError), match=expected) as failed:
        web_of(tmp_path, f"\n[web]\n{line}\n")
    assert f"table.toml:{number}:" in str(failed.value)


class Case(NamedTuple):
    text: str | None
    by_file: Address | None
    wanted: Address | None


@pytest.mark.parametrize(
    "case",
    [
        Case(None, None, None),
        Case(None, Address("0.0.0.0", 1), Address("0.0.0.0", 1)),
        Case("", None, Address("127.0.0.1", 8042)),
        Case("", Address("0.0.0.0", 1), Address("0.0.0.0", 1)),
        Case("9000", Address("0.0.0.0", 1), Address("127.0.0.1", 9000)),
    ],
)
def test_the_option_goes_before_the_file(case: Case) -> None:
    wanted = wanted_web(case.text, Web(case.by_file, "Club"))
    assert (wanted.address if wanted else None) == case.wanted
    assert wanted is None or wanted.title == "Club"


def test_an_option_that_is_no_address_is_told() -> None:
    with pytest.raises(Failure, match=r"--web: .*expected HOST:PORT"):
        wanted_web("a:b", Web())
