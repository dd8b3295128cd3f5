"""A log that cannot be written: its lines are dropped, nothing is raised, and nothing is left for later to fail on."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.output import Output, OutputError, complain, log


@pytest.fixture(params=["full", "broken", "unbuffered", "closed"])
def untaken(request: pytest.FixtureRequest) -> Iterator[io.TextIOWrapper]:
    """A stream that takes nothing."""
    if request.param == "broken":
        reading, writing = os.pipe()
        os.close(reading)
    else:
        writing = os.open("/dev/full", os.O_WRONLY)
    raw = io.FileIO(writing, "w")
    buffer: io.BufferedWriter = raw if request.param == "unbuffered" else Output(raw)  # type: ignore[assignment]
    stream = io.TextIOWrapper(buffer, "utf-8", write_through=True)
    if request.param == "closed":
        stream.close()
    yield stream
    stream.close()  # raises if anything was left in its buffers


@pytest.mark.parametrize(("name", "write"), [("stdout", log), ("stderr", complain)])
def test_a_line_that_nobody_takes_is_dropped(
    untaken: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch, name: str, write: Callable[[str], None]
) -> None:
    monkeypatch.setattr(sys, name, untaken)
    for _ in range(3):
        write("a line")


def test_a_line_is_written_when_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with io.TextIOWrapper(io.BufferedWriter(io.FileIO(writing, "w")), "ascii") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        print("before", end=" ")
        log("A♠ ✓")
        assert os.read(reading, 100) == b"before A? ?\n"
    os.close(reading)


def test_an_output_that_cannot_be_written_is_no_error_of_a_file() -> None:
    raw = io.FileIO("/dev/full", "w")
    output = Output(raw)
    output.write(b"words")
    with pytest.raises(OutputError, match="standard output cannot be written: No space left"):
        output.flush()
    assert not issubclass(OutputError, OSError)
    with Path(os.devnull).open("wb") as taken:
        os.dup2(taken.fileno(), raw.fileno())
    output.close()
