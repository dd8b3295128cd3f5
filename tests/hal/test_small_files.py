"""Files that people write are small: what is not is told at once and read no further."""

import os
from pathlib import Path

import pytest

from hal.small_files import read_small


def test_a_file_of_the_size_that_is_allowed_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    file.write_bytes(b"12345678")
    assert read_small(file, most=8) == b"12345678"


def test_a_file_that_is_too_large_is_no_deck_and_no_table(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    with file.open("wb") as huge:
        huge.truncate(1 << 40)  # holds nothing, and could never be read
    with pytest.raises(OSError, match="File too large"):
        read_small(file)


def test_a_pipe_that_nobody_writes_to_is_no_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "table.toml")
    with pytest.raises(OSError, match="a pipe; expected a file"):
        read_small(tmp_path / "table.toml")
