"""A log that cannot be written: its lines are dropped, nothing is raised, and nothing is left for later to fail on."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from select import PIPE_BUF
from threading import Thread

import pytest

from firmware import output
from firmware.output import Log, Output, OutputError, complain, log


@pytest.fixture(autouse=True)
def _no_losses_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_OUT", Log(lambda: sys.stdout))
    monkeypatch.setattr(output, "_ERRORS", Log(lambda: sys.stderr))


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


# A pipe that is open at its other end, where nobody reads


@pytest.fixture(params=["buffered", "unbuffered"])
def pipe(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Complaints go into a pipe that is full. What is given is its other end."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b"." * PIPE_BUF)
    os.set_blocking(writing, True)
    raw = io.FileIO(writing, "w")
    buffer: io.BufferedWriter = io.BufferedWriter(raw) if request.param == "buffered" else raw  # type: ignore[assignment]
    with io.TextIOWrapper(buffer, "utf-8", write_through=True) as stream:
        monkeypatch.setattr(output, "_ERRORS", Log(lambda: stream))
        yield reading
    os.close(reading)


def emptied(reading: int) -> str:
    """All that is in the pipe."""
    os.set_blocking(reading, False)
    read = b""
    with suppress(BlockingIOError):
        while True:
            read += os.read(reading, 1 << 20)
    return read.decode().replace(".", "")


def test_a_full_pipe_that_nobody_reads_holds_nobody_up_and_its_losses_are_told(pipe: int) -> None:
    for number in range(1000):
        complain(f"line {number}")
    assert emptied(pipe) == ""
    complain("next")
    complain("last")
    assert emptied(pipe) == "1000 lines of this log were lost: nobody took them\nnext\nlast\n"


def test_a_pipe_takes_what_it_has_room_for_and_no_half_lines(pipe: int) -> None:
    emptied(pipe)
    lines = [f"{number:06}" + "x" * 300 for number in range(1000)]
    for line in lines:
        complain(line)
    taken = emptied(pipe).splitlines()
    assert 0 < len(taken) < 1000
    assert taken == lines[: len(taken)]
    complain("next")
    assert emptied(pipe) == f"{1000 - len(taken)} lines of this log were lost: nobody took them\nnext\n"


def test_a_line_that_is_longer_than_a_pipe_takes_at_once_is_cut(pipe: int) -> None:
    emptied(pipe)
    complain("x" * 10 * PIPE_BUF)
    assert emptied(pipe) == "x" * (PIPE_BUF - 1) + "\n"


def complain_often() -> None:
    for _ in range(100):
        complain("y" * 1000)


def test_threads_that_complain_at_once_wait_for_nobody(pipe: int) -> None:
    emptied(pipe)
    threads = [Thread(target=complain_often, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)
    assert not any(thread.is_alive() for thread in threads)
    assert set(emptied(pipe).splitlines()) == {"y" * 1000}


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
