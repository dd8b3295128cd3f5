"""From the tables of a TOML file to typed, frozen structs, with errors that name the line."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from hal.errors import WiringError
from hal.phrases import Phrase
from hal.toml_lines import KeyPath, TomlFile

StructT = TypeVar("StructT", bound=msgspec.Struct)

_ERROR = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|\.([^.\[]+)")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def typed(
    file: TomlFile,
    data: Mapping[str, Any],
    kind: type[StructT],
    expected: Mapping[str, str],
    at: KeyPath = (),
) -> StructT:
    """Turn `data`, the table that stands at `at` in `file`, into a `kind`.

    `expected` tells for each key, and for the table as a whole under the empty name, what was to be there.
    Raises WiringError at the first key that is unknown, missing, or has another type or range.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _in_words(file, data, str(error), expected, at) from None


def _in_words(
    file: TomlFile, data: Mapping[str, Any], words: str, expected: Mapping[str, str], at: KeyPath
) -> WiringError:
    parts = _ERROR.fullmatch(words)
    assert parts is not None  # the pattern takes any text
    steps = _STEP.findall(parts["path"] or "")
    path: KeyPath = tuple(name or int(number) for number, name in steps)
    missing = _MISSING.fullmatch(parts["what"])
    if missing is not None:
        key = missing[1]
        return file.error(
            (*at, *path, key), Phrase('"{key}" is missing; expected {expected}', key=key, expected=expected[key])
        )
    unknown = _UNKNOWN.fullmatch(parts["what"])
    table = _name(path, "")
    if unknown is not None:
        key = unknown[1]
        return file.error(
            (*at, *path, key),
            Phrase("unknown key {key}; expected {expected}", key=shown(key), expected=expected[table]),
        )
    value: Any = data
    for step in path:
        value = value[step]
    return file.error(
        (*at, *path),
        Phrase(
            "{table} is {value}; expected {expected}",
            table=table or _name(at, Phrase("it")),
            value=shown(value),
            expected=expected[table],
        ),
    )


def _name(path: KeyPath, otherwise: str) -> str:
    """The last name on a path: elements of arrays go by the name of the array."""
    return next((step for step in reversed(path) if isinstance(step, str)), otherwise)


def shown(value: object) -> str:
    """A value as it stands in a TOML file; only its kind where it may be long."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value.replace("\\", r"\\").replace("\n", r"\n") + '"'
        case dict():
            return Phrase("a table")
        case list():
            return Phrase("an array") if value else Phrase("an empty array")
        case _:
            return str(value)
