"""The page of faults: every row is there once, in order, and held by tests that exist, or says why by none."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
NUMBERS = {"A": 14, "B": 17, "C": 17, "D": 14, "E": 13}
FURTHER = (
    *(f"F{number}" for number in range(1, 16)),
    *(f"G{number}" for number in range(1, 24)),
    *(f"H{number}" for number in (1, 2, 3, 4, 5, 7, 12)),
)
"""All of storage, of play and results, and of installation and service what is done."""
ROWS = [line for line in PAGE.splitlines() if re.match(r"\| *[A-Z]\d", line)]
UNHELD = re.compile(r"\*\*(not yet|does not apply)\*\*: \S")


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


@cache
def functions_of(path: Path) -> frozenset[str]:
    """The test functions of a file, as pytest collects them."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))


def test_every_fault_is_there_once_and_in_order() -> None:
    expected = [f"{table}{number}" for table, count in NUMBERS.items() for number in range(1, count + 1)]
    assert [cells(row)[0] for row in ROWS] == [*expected, *FURTHER]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: cells(row)[0])
def test_a_fault_is_held_by_tests_that_exist_or_it_is_said_why_not(row: str) -> None:
    _, fault, here, held = cells(row)
    assert fault
    assert here
    parts = held.split("<br>")
    reason = parts.pop() if UNHELD.match(parts[-1]) else ""
    assert parts or reason
    assert len(set(parts)) == len(parts)
    for part in parts:
        if re.fullmatch(r"`tests/tables/[\w-]+\.table`", part):
            assert (ROOT / part.strip("`")).is_file(), f"no script {part}"
            continue
        named = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", part)
        assert named, f"{part} names no test"
        file, name = named.groups()
        assert (ROOT / file).is_file(), f"no file {file}"
        assert name in functions_of(ROOT / file), f"no {name} in {file}"
