"""Whatever is read is understood, or refused by an error of its own in words. What once broke something is kept in
`corpus`, in a folder for each parser, and is read in every run.
"""

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated
from parsers import PARSERS

CORPUS = Path(__file__).parent / "corpus"
KEPT = [
    pytest.param(path.parent.name, path, id=f"{path.parent.name}-{path.name}") for path in sorted(CORPUS.glob("*/*"))
]
MORE = int(os.environ.get("TABLEREF_FUZZ", "1"))
"""How many times as many inputs are tried: `make fuzz MORE=100`."""


def read(name: str, data: bytes, folder: Path) -> None:
    """Read it; an error must be one of the parser's, and say something in one line."""
    parser = PARSERS[name]
    try:
        parser.read(data, folder)
    except parser.errors as error:
        said = str(error)
        assert said.strip(), "an error without a word"
        assert "\n" not in said.strip()


def test_each_folder_of_the_corpus_is_that_of_a_parser() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(PARSERS)


@pytest.mark.parametrize(("name", "path"), KEPT)
def test_what_is_kept_is_read_or_refused(name: str, path: Path, tmp_path: Path) -> None:
    read(name, path.read_bytes(), tmp_path)


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_right_is_read_without_any_error(name: str, tmp_path: Path) -> None:
    for seed in PARSERS[name].seeds():
        if name not in ("record", "script", "capture"):  # of these only the first lines are here
            PARSERS[name].read(seed, tmp_path)


@pytest.mark.parametrize("name", PARSERS)
@settings(max_examples=25 * MORE)
@given(seed=st.integers(0, 1 << 48))
def test_what_is_changed_is_read_or_refused(name: str, seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp() / f"fuzz-{name}"
    folder.mkdir(exist_ok=True)
    read(name, mutated(PARSERS[name].seeds(), Random(seed)), folder)
