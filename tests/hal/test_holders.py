"""Who has a port: named where that can be seen, and never a reason to fail."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial

from hal.events import DeviceBack, DeviceLost
from hal.holders import holders, is_taken
from hal.reader import CardReader
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import SerialBench

HOLD = """
import sys, serial
port = serial.Serial(sys.argv[1], exclusive=True)
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_program(path: str) -> Iterator[int]:
    """A program that has opened a port for itself alone; gives its process number."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "open\n"
        yield process.pid
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


def test_a_reader_whose_port_another_program_has_names_that_program_and_comes_when_it_ends(tmp_path: Path) -> None:
    with SerialBench(tmp_path) as wires:
        path = str(wires.plug("one", Pn532Chip()))
        reader = CardReader("seat 1 reader", path)
        with another_program(path) as pid:
            [lost] = reader.poll(0.0)
            assert isinstance(lost, DeviceLost)
            assert f"(pid {pid}) has it" in lost.why
            assert "python" in lost.why
        assert reader.poll(1.0) == [DeviceBack("seat 1 reader", 1.0)]
        reader.close()


def process(proc: Path, number: int, name: str | None, *files: str) -> None:
    folder = proc / str(number) / "fd"
    folder.mkdir(parents=True)
    for descriptor, file in enumerate(files):
        (folder / str(descriptor)).symlink_to(file)
    if name is not None:
        (folder.parent / "comm").write_text(f"{name}\n", encoding="utf-8")


def test_every_program_that_has_it_is_named_in_order(tmp_path: Path) -> None:
    port, proc = str(tmp_path / "ttyUSB0"), tmp_path / "proc"
    process(proc, 1200, "minicom", "/dev/null", port)
    process(proc, 31, "ModemManager", port)
    process(proc, 900, "tableref", "/dev/null")
    process(proc, 44, None, port)
    (proc / "self").mkdir()
    (proc / "77").mkdir()  # whose files this user may not see
    assert holders(port, proc) == ("ModemManager (pid 31)", "? (pid 44)", "minicom (pid 1200)")


def test_the_name_of_a_port_may_be_a_link(tmp_path: Path) -> None:
    file, link, proc = tmp_path / "ttyUSB0", tmp_path / "by-path", tmp_path / "proc"
    file.touch()
    link.symlink_to(file)
    process(proc, 12, "cu", str(file))
    assert holders(str(link), proc) == ("cu (pid 12)",)


def test_this_program_does_not_name_itself(tmp_path: Path) -> None:
    port, proc = str(tmp_path / "ttyUSB0"), tmp_path / "proc"
    process(proc, os.getpid(), "tableref", port)
    assert holders(port, proc) == ()


def test_where_nothing_can_be_seen_nobody_is_named(tmp_path: Path) -> None:
    assert holders("/dev/ttyUSB0", tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("fault", "taken"),
    [
        (serial.SerialException(errno.EAGAIN, "Could not exclusively lock port"), True),
        (OSError(errno.EBUSY, "grab"), True),
        (OSError(errno.ENOENT, "no port"), False),
        (serial.SerialException("device disconnected?"), False),
        (ValueError("no fault of a port"), False),
    ],
)
def test_only_a_port_that_is_taken_is_looked_after(fault: Exception, taken: bool) -> None:
    assert is_taken(fault) == taken
