"""Changing single values in a TOML file, with everything else left as it stands: comments, order, line ends."""

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

from hal.phrases import Phrase, said_by
from hal.toml_lines import KeyPath, TomlFile

_VALUE = r"""(?P<before>(?:^|[\s,{{.]){key}\s*=\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*')"""


Value = str | Mapping[str, str]
"""A text, or a table of texts that is written on one line."""


class EditError(ValueError):
    """The file is written in a way in which a value cannot be changed in place; the text says which."""


def with_values(text: str, values: Mapping[KeyPath, Value]) -> str:
    """`text` with a value set for each path, such as ``("seat", 0, "reader")``: in place where the key stands,
    else on a line of its own below the first line of its table.

    Raises `EditError` when what comes out would not say exactly that.
    """
    expected = copy.deepcopy(TomlFile("", text).data)
    for path, value in values.items():
        text = _with_value(text, path, value)
        table: Any = expected
        for step in path[:-1]:
            table = table[step]
        table[str(path[-1])] = value if isinstance(value, str) else dict(value)
    try:
        found = TomlFile("", text).data
    except ValueError as error:
        raise EditError(Phrase("the lines cannot be put in by themselves ({error})", error=said_by(error))) from None
    if found != expected:
        raise EditError(Phrase("the lines cannot be put in by themselves"))
    return text


def _with_value(text: str, path: KeyPath, value: Value) -> str:
    file = TomlFile("", text)
    lines = text.split("\n")
    at = file.line(path) - 1
    key = str(path[-1])
    pattern = re.compile(_VALUE.format(key=re.escape(key)))
    if _stands(file.data, path):
        lines[at], count = pattern.subn(lambda found: found["before"] + quoted(value), lines[at], count=1)
        if not count:
            raise EditError(Phrase("line {at} holds no plain text for {key}", at=at + 1, key=key))
    else:
        end = "\r" if lines[at].endswith("\r") else ""
        lines.insert(at + 1, f"{key} = {quoted(value)}{end}")
    return "\n".join(lines)


def quoted(value: Value) -> str:
    """A value as TOML has it.

    >>> quoted({"kind": "rdm6300", "port": "/dev/x"})
    '{ kind = "rdm6300", port = "/dev/x" }'
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # a JSON text is a TOML basic string
    return f"{{ {', '.join(f'{key} = {quoted(each)}' for key, each in value.items())} }}"


def _stands(data: Any, path: KeyPath) -> bool:
    try:
        for step in path:
            data = data[step]
    except (KeyError, IndexError):
        return False
    return True
