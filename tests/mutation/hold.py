"""Run the tests that hold one module of the engine: those that are quickest first. What fails is enough."""

import signal
import sys

import pytest

QUICK = {
    "tricks": ("test_tricks.py", "test_tricks_positions.py", "test_pepper_tricks.py", "test_pepper_revokes.py"),
    "melds": ("test_melds.py", "test_laying.py"),
    "match": ("test_match.py", "test_records.py", "test_undo.py", "test_director.py", "test_referee_edges.py"),
}
"""Tests of `tests/engine` that take a second or two, by module."""

WIDE = ("tests/engine",)
"""All that know the engine alone."""

QUICK_SECONDS, WIDE_SECONDS = 20, 100
"""How long the tests may take, several times what they do: a mutant for which they take longer never ends."""

OPTIONS = ("-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "-W", "ignore::SyntaxWarning")
COMMON = "not long and not soak and not oracle and not browser"


def main(module: str) -> int:
    """0 when every test passes, so the mutant lives."""
    quick = [f"tests/engine/{name}" for name in QUICK[module]]
    return _run(quick, QUICK_SECONDS) or _run(list(WIDE), WIDE_SECONDS)


def _run(tests: list[str], seconds: int) -> int:
    """The status of these tests; after so many seconds the process ends by SIGALRM, which is a failure, too."""
    signal.alarm(seconds)
    return pytest.main([*OPTIONS, "-m", COMMON, *tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
