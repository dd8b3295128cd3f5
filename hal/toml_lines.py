"""Where in a TOML text a key stands: the parsers at hand keep no line numbers.

The text is taken to be valid; it was parsed before. Keys are paths, such as ``("seat", 1, "buttons",
"left")``: names of tables and keys, and numbers from 0 for the elements of arrays.
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hal.errors import WiringError
from hal.phrases import Phrase
from hal.small_files import read_small

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[ \t\n]|#[^\n]*)*")  # what may stand between the elements of an array
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'  # the closing quotes may follow up to two that belong to the text
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]+")  # numbers, times, true and false
_LONG_NUMBER = re.compile(r"[0-9_]{4000,}")  # Python makes no number of more digits than 4300
_NESTED = re.compile(r"(?:[\[{]\s*(?:[A-Za-z0-9_.\"' -]+=\s*)?){50,}")
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlFile:
    """A TOML file with the places of its keys. `data` is what it says; `name` how messages call it."""

    def __init__(self, name: str, text: str) -> None:
        """Raises WiringError, with line and column, when `text` is no TOML."""
        self.name = name
        self._text = text.replace("\r\n", "\n")
        try:
            self.data: dict[str, Any] = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise self._invalid(str(error)) from None
        except ValueError:
            raise self._too_much(
                _LONG_NUMBER, Phrase("a number of thousands of digits; expected a shorter one")
            ) from None
        except RecursionError:
            raise self._too_much(
                _NESTED, Phrase("brackets within brackets without end; expected a few at most")
            ) from None
        try:
            self._lines = key_lines(self._text)
        except RecursionError:  # this parser goes deeper than that one
            raise self._too_much(
                _NESTED, Phrase("brackets within brackets without end; expected a few at most")
            ) from None

    def line(self, path: Sequence[str | int]) -> int:
        """The line on which `path` stands, from 1. For a key that is not there, the line of the table in
        which it is missing; 1 for one missing at the top.
        """
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return 1

    def error(self, path: Sequence[str | int], message: str) -> WiringError:
        """The error that says `message` at the line of `path`."""
        return WiringError(self.name, self.line(path), message)

    def _too_much(self, pattern: re.Pattern[str], problem: str) -> WiringError:
        """The error of what a parser cannot hold, at the place of what looks like it; else at the top."""
        found = pattern.search(self._text)
        at = found.start() if found else 0
        line, column = self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at)
        return WiringError(self.name, line, problem, column)

    def _invalid(self, words: str) -> WiringError:
        place = _TOML_PLACE.search(words)
        lines = self._text.split("\n")
        line, column = len(lines), len(lines[-1]) + 1
        if place is not None and place[1] is not None:
            line, column = int(place[1]), int(place[2])
        what = _TOML_PLACE.sub("", words)
        return WiringError(
            self.name, line, Phrase("{what}; expected valid TOML", what=Phrase(f"{what[:1].lower()}{what[1:]}")), column
        )


def read_toml(path: Path, name: str = "") -> TomlFile:
    """Read the TOML file at `path`, in UTF-8 with or without byte order mark; `name` is what to call it, if not so.

    Raises WiringError for a file that is no UTF-8 or no TOML, OSError for one that cannot be read.
    """
    data, name = read_small(path), name or str(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        what = Phrase("byte {data:02X} is no UTF-8", data=data[error.start])
        raise WiringError(name, line, Phrase("{what}; expected text in UTF-8", what=what), column) from None
    return TomlFile(name, text)


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every table, key and array element in `text`, which must be valid TOML with
    ``\\n`` alone as line end. A table that several headers and dotted keys open stands where the first of
    them does.
    """
    return _Scanner(text).scan()


class _Scanner:
    """One pass over a text, from place to place; `_at` is the next character."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted_to = 0
        self._line = 1
        self._lines: dict[KeyPath, int] = {}
        self._arrays: dict[KeyPath, int] = {}  # arrays of tables, with how many tables each has so far

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while True:
            self._skip(_BETWEEN)
            if self._at >= len(self._text):
                return self._lines
            if self._text.startswith("[", self._at):
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> KeyPath:
        several = self._text.startswith("[[", self._at)
        self._at += 2 if several else 1
        names = self._key()
        self._at += 2 if several else 1
        path: KeyPath = ()
        for name in names[:-1]:
            path = self._last_table((*path, name))
            self._note(path)
        path = (*path, names[-1])
        self._note(path)
        if several:
            self._arrays[path] = self._arrays.get(path, 0) + 1
            path = self._last_table(path)
            self._note(path)
        return path

    def _last_table(self, path: KeyPath) -> KeyPath:
        """A header below an array of tables means the last table of that array."""
        count = self._arrays.get(path)
        return path if count is None else (*path, count - 1)

    def _pair(self, table: KeyPath) -> None:
        """A key, the equals sign and the value."""
        path = table
        for name in self._key():
            path = (*path, name)
            self._note(path)
        self._at += 1  # the equals sign
        self._skip(_BLANK)
        self._value(path)

    def _key(self) -> list[str]:
        """A key with its dots; afterwards, `_at` stands at what ends it."""
        names: list[str] = []
        while True:
            self._skip(_BLANK)
            bare = _BARE_KEY.match(self._text, self._at)
            if bare is not None:
                names.append(bare[0])
                self._at = bare.end()
            else:
                names.append(_unquoted(self._take(_STRING)))
            self._skip(_BLANK)
            if not self._text.startswith(".", self._at):
                return names
            self._at += 1

    def _value(self, path: KeyPath) -> None:
        first = self._text[self._at]
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        elif first in "\"'":
            self._take(_STRING)
        else:
            self._take(_SCALAR)

    def _array(self, path: KeyPath) -> None:
        self._at += 1
        index = 0
        while True:
            self._skip(_BETWEEN)
            if self._text[self._at] == "]":
                break
            element = (*path, index)
            self._note(element)
            self._value(element)
            index += 1
            self._comma()
        self._at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        while True:
            self._skip(_BETWEEN)  # from TOML 1.1 on, lines may end here as in arrays
            if self._text[self._at] == "}":
                break
            self._pair(path)
            self._comma()
        self._at += 1

    def _comma(self) -> None:
        self._skip(_BETWEEN)
        if self._text[self._at] == ",":
            self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"no valid TOML at character {self._at}")
        self._at = match.end()
        return match[0]

    def _note(self, path: KeyPath) -> None:
        """`path` stands here, unless it has stood somewhere before."""
        self._line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        self._lines.setdefault(path, self._line)


def _unquoted(key: str) -> str:
    """The name that a quoted key means; its escapes are TOML's."""
    return next(iter(tomllib.loads(f"{key} = 0")))
