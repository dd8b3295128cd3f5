"""Captures are written whatever happens to their file, and are read only when they are what they say."""

import errno
import io
import json
import termios
from pathlib import Path
from typing import Any

import msgspec
import pytest
from at_wires import UID, WIRING
from gpiozero import DigitalInputDevice
from hypothesis import given
from hypothesis import strategies as st
from smbus2 import i2c_msg

from hal.capture import LINES, CaptureError, Look, pack, pack_looks, read_capture, unpack, unpack_looks
from hal.clock import SteppedClock
from hal.events import Button, DeviceLost, Event, TagPlaced
from hal.hardware import Hardware
from hal.reader import CardReader
from hal.reader_drivers import Opener
from hal.recorder import Recorder
from hal.recording import RecordingWires, error_words
from hal.sim.board import CHIP, SimulatedWires
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine
from hal.wiring import ReaderPlace, StripWiring

READER = "seat 1 reader"


class Kept(io.StringIO):
    """A file in memory whose text stays when it is closed."""

    def close(self) -> None:
        self.closed_by_recorder = True

    def entries(self) -> list[list[Any]]:
        """The lines after the header."""
        return [json.loads(line) for line in self.getvalue().splitlines()[1:]]

    def of(self, wire: str) -> list[list[Any]]:
        """Kind and data of what happened on a wire."""
        return [entry[2:] for entry in self.entries() if entry[1] == wire]


class Full(Kept):
    """A file on a disk that is full after so many lines."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.left = lines

    def write(self, text: str) -> int:
        if self.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.left -= 1
        return super().write(text)


class Bench:
    """A table on simulated wires that are recorded, looked at every 20 ms."""

    def __init__(self, out: Kept, wires: SimulatedWires) -> None:
        self.out = out
        self.clock = SteppedClock()
        self.sim = wires
        self.recorder = Recorder(out, self.clock, {})
        self.hardware = Hardware(WIRING, RecordingWires(wires, self.recorder))

    def step(self, seconds: float) -> list[Event]:
        events: list[Event] = []
        for _ in range(round(seconds / 0.02)):
            self.clock.time = round(self.clock.time + 0.02, 2)
            now = self.clock.time
            events += self.hardware.poll_lines(now) + self.hardware.poll_readers(now) + self.hardware.poll_displays(now)
        return events


@pytest.fixture
def out() -> Kept:
    return Kept()


@pytest.fixture
def bench(out: Kept) -> Any:
    with SimulatedWires(WIRING) as wires:
        made = Bench(out, wires)
        yield made
        made.hardware.close()


# Bytes as text


@given(st.binary(max_size=1100))
def test_bytes_come_back_from_their_text(data: bytes) -> None:
    assert unpack(pack(data)) == data


def test_short_bytes_can_be_read_by_people_and_a_dark_frame_is_short() -> None:
    assert pack(b"\x00\xff\x02") == "00ff02"
    assert len(pack(bytes(1025))) < 40


@pytest.mark.parametrize("text", ["0", "xy", "z:!", "z:AAAA", "z:"])
def test_a_text_that_no_bytes_have_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(text)


# Recording


def test_an_answer_is_written_when_it_changes_with_the_time_of_the_last_one_like_before(out: Kept) -> None:
    clock = SteppedClock()
    recorder = Recorder(out, clock, {"seed": 1})
    for at, answer in ((1.0, b"\x01"), (2.0, b"\x01"), (3.0, b"\x01"), (4.0, b"\x02")):
        recorder.exchange(READER, b"\x4a", answer, 0, at)
    recorder.exchange(READER, b"\x32", b"", 0, 4.5)
    assert out.entries() == [
        [1.0, READER, "exchange", ["4a", "01", 0]],
        [3.0, READER, "same", None],
        [4.0, READER, "exchange", ["4a", "02", 0]],
        [4.5, READER, "exchange", ["32", "", 0]],
    ]


def test_a_command_that_is_written_twice_in_one_poll_has_two_answers(out: Kept) -> None:
    recorder = Recorder(out, SteppedClock(), {})
    for at in (1.0, 2.0):
        recorder.looked(READER, at)
        for answer in (b"\x01", b"\x02"):
            recorder.exchange(READER, b"\x4a", answer, recorder.asked(READER, b"\x4a"), at)
    exchanges = [data for kind, data in out.of(READER) if kind == "exchange"]
    assert exchanges == [["4a", "01", 0], ["4a", "02", 1]]


def test_a_poll_that_fails_half_way_began_when_all_was_well_until_the_poll_before(out: Kept) -> None:
    """Else the replay takes the reader for lost from half way since its last news, which may be long ago."""
    recorder = Recorder(out, SteppedClock(), {})
    for at in (1.0, 7.0, 8.0):
        recorder.exchange(READER, b"\x4a", b"\x01", 0, at)
    recorder.note(READER, "error", ["write", "OSError", 5, "gone"], 8.0)
    assert [(entry[0], entry[2]) for entry in out.entries()] == [(1.0, "exchange"), (7.0, "same"), (8.0, "error")]


def test_every_look_is_written_before_the_event_that_came_of_it(out: Kept) -> None:
    clock = SteppedClock()
    clock.time = 100.0
    recorder = Recorder(out, clock, {})
    for at in (100.5, 100.53, 100.61):
        recorder.looked(LINES, at)
    recorder.looked(READER, 100.6)  # another thread had the time before, and comes later
    clock.time = 100.7
    recorder.note("table", "event", [0.61, READER, "TagPlaced"])
    looks, event = out.entries()
    assert looks == [0.5, "table", "looks", [[LINES, READER], "0:500000 0:30000 0:80000 1:-10000"]]
    assert event[:3] == [0.7, "table", "event"]
    assert unpack_looks(looks[3])[-2:] == [Look(0.61, LINES), Look(0.6, READER)]


def test_a_table_that_reports_nothing_loses_few_looks_when_the_plug_is_pulled(out: Kept) -> None:
    recorder = Recorder(out, SteppedClock(), {})
    for number in range(1000):
        recorder.looked(LINES, number / 100)
    assert sum(len(unpack_looks(data)) for kind, data in out.of("table") if kind == "looks") >= 800


@given(st.lists(st.tuples(st.integers(0, 10**12), st.sampled_from([LINES, READER, "tick"])), min_size=1))
def test_looks_come_back_from_their_text(looks: list[tuple[int, str]]) -> None:
    assert unpack_looks(pack_looks(looks)) == [Look(at / 1e6, device) for at, device in looks]


def test_times_count_from_the_start_of_the_capture(out: Kept) -> None:
    clock = SteppedClock()
    clock.time = 5000.0
    recorder = Recorder(out, clock, {})
    clock.time = 5001.25
    recorder.note("table", "heard", "hello")
    assert out.entries() == [[1.25, "table", "heard", "hello"]]


def test_a_line_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "one.capture"
    recorder = Recorder(path.open("w"), SteppedClock(), {})
    recorder.note("table", "heard", "hello")
    assert path.read_text(encoding="utf-8").endswith('"hello"]\n')
    recorder.end()


@pytest.mark.parametrize("lines", [0, 1, 2])
def test_a_full_disk_ends_the_capture_with_one_message_and_stops_nothing(lines: int) -> None:
    said: list[str] = []
    recorder = Recorder(Full(lines), SteppedClock(), {}, said.append)
    for number in range(5):
        recorder.note("table", "heard", str(number))
        recorder.exchange(READER, b"\x4a", bytes([number]), 0, 1.0)
    recorder.end()
    assert said == ["the capture cannot be written and ends here: No space left on device; the game goes on"]
    assert not recorder.recording


def test_a_capture_that_reaches_its_limit_ends_there_and_can_be_read(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "one.capture"
    recorder = Recorder(path.open("w"), SteppedClock(), {}, said.append, limit=200)
    for _ in range(50):
        recorder.note("table", "heard", "hello")
    assert said == ["the capture has reached its limit and ends here; the game goes on"]
    assert path.stat().st_size <= 200
    assert 0 < len(read_capture(path).entries) < 50


def test_a_file_that_somebody_closed_is_said_too(tmp_path: Path) -> None:
    said: list[str] = []
    file = (tmp_path / "one.capture").open("w")
    recorder = Recorder(file, SteppedClock(), {}, said.append)
    file.close()
    recorder.note("table", "heard", "hello")
    assert len(said) == 1


# What passes the wires


def test_a_card_on_a_reader_is_a_changed_answer_however_often_it_was_polled(bench: Bench, out: Kept) -> None:
    bench.step(1)
    before = len(out.of(READER))
    bench.sim.place(READER, UID)
    assert [type(event) for event in bench.step(1)] == [TagPlaced]
    kinds = [kind for kind, _ in out.of(READER)[before:]]
    assert kinds == ["same", "exchange"]
    assert UID.lower() in out.of(READER)[-1][1][1]


def test_a_reader_that_is_pulled_out_is_an_error_by_name_after_the_last_good_answer(bench: Bench, out: Kept) -> None:
    bench.step(1)
    bench.sim.unplug_reader(READER)
    assert [type(event) for event in bench.step(1)] == [DeviceLost]
    told = [entry for entry in out.entries() if entry[1] == READER]
    first = next(number for number, entry in enumerate(told) if entry[2] == "error")
    assert told[first - 1][2] == "same"
    assert told[first][3][:2] == ["reset_input_buffer", "termios.error"]
    assert [entry[3][0] for entry in told[first + 1 :]] == ["open"] * (len(told) - first - 1)


@pytest.mark.few(4)
@pytest.mark.parametrize("fault", list(Fault))
def test_a_reader_reports_the_same_with_and_without_a_recording(fault: Fault, out: Kept) -> None:
    clock = SteppedClock()
    recorder = Recorder(out, clock, {})
    place = ReaderPlace(READER, "/dev/one", seat=1)

    class Wires:
        def __init__(self, opener: Opener) -> None:
            self.opener = opener

        def port_opener(self, place: ReaderPlace) -> Opener:
            return self.opener

    readers = []
    for recorded in (False, True):
        line = DirectLine(Pn532Chip())
        opener: Opener = line.open
        if recorded:
            opener = RecordingWires(Wires(opener), recorder).port_opener(place)  # type: ignore[arg-type]
        readers.append((line, CardReader(READER, "/dev/one", open_port=opener)))
    seen: list[list[Event]] = [[], []]
    for step in range(240):
        clock.time = step / 8
        for number, (line, reader) in enumerate(readers):
            line.chip.field = [bytes.fromhex(UID)] if step // 16 % 2 else []  # type: ignore[attr-defined]
            faults = {fault} if 80 <= step < 160 else set()
            line.chip.faults = faults  # type: ignore[attr-defined]
            (line.unplug if step == 200 else line.plug if step == 208 else list)()
            seen[number] += reader.poll(clock.time)
    assert seen[0] == seen[1]
    assert seen[0]


@pytest.mark.long
def test_silence_is_an_exchange_without_an_answer(bench: Bench, out: Kept) -> None:
    bench.step(0.5)
    bench.sim.readers[READER].faults.add(Fault.DEAF)
    bench.hardware.poll_reader(READER, bench.clock.time)
    silent = [data for kind, data in out.of(READER) if kind == "exchange" and data[1] == ""]
    assert any("d44a" in written for written, *_ in silent)


class Speaking:
    """A port on which something says what it likes, in pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)
        self.in_waiting = 16

    def read(self, size: int, /) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""

    def write(self, data: bytes, /) -> int:
        return len(data)

    def reset_input_buffer(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_what_comes_unasked_is_written_as_it_came_and_apart_from_answers(bench: Bench, out: Kept) -> None:
    port = Speaking(b"\x02\x36", b"\x03", b"", b"\x0a", b"", b"\x0b")
    place = ReaderPlace("centre reader", "/dev/one")
    bench.sim.port_opener = lambda place: lambda path: port  # type: ignore[method-assign]
    opened = RecordingWires(bench.sim, bench.recorder).port_opener(place)("/dev/one")
    for _ in range(3):
        opened.read(16)
    opened.write(b"\x4a")
    for _ in range(3):
        opened.read(16)  # an answer, nothing more, and then something else
    opened.close()
    told = [entry for entry in out.of("centre reader") if entry[0] != "same"]
    assert told == [["open", None], ["came", "0236"], ["came", "03"], ["exchange", ["4a", "0a", 0]], ["came", "0b"]]


def test_presses_are_edges_and_the_levels_that_were_read(bench: Bench, out: Kept) -> None:
    bench.step(0.1)
    line = f"line {bench.sim.line(2, Button.OK)[1]} of pinctrl-rp1"
    before = len(out.of(line))
    bench.sim.press(2, Button.OK)
    bench.step(0.1)
    bench.sim.release(2, Button.OK)
    bench.step(0.1)
    told = [entry for entry in out.of(line)[before:] if entry[0] != "same"]
    assert told == [["edge", 0], ["level", 0], ["edge", 1], ["level", 1]]


def test_edges_have_the_time_of_the_look_that_found_them(bench: Bench, out: Kept) -> None:
    """Between two looks they come in a thread of lgpio's: what counts is which look they came before."""
    bench.step(0.1)
    line = f"line {bench.sim.line(2, Button.OK)[1]} of pinctrl-rp1"
    before = len(out.of(line))
    bench.sim.press(2, Button.OK)
    bench.clock.time += 0.2
    bench.sim.release(2, Button.OK)
    bench.step(0.02)
    told = [entry for entry in out.entries() if entry[1] == line][before:]
    assert [(at, kind, data) for at, _, kind, data in told if kind != "same"] == [
        (0.32, "edge", 0), (0.32, "edge", 1), (0.32, "level", 1)
    ]  # fmt: skip


def test_an_edge_between_the_question_for_edges_and_the_reading_belongs_to_the_next_look(
    bench: Bench, out: Kept
) -> None:
    """lgpio's thread comes in between: what the driver took for no edge is none in the capture either."""
    bench.step(0.1)
    line = f"line {bench.sim.line(2, Button.OK)[1]} of pinctrl-rp1"
    buttons = bench.hardware.buttons[2]
    before = len(out.of(line))
    bench.sim.press(2, Button.OK)
    bench.step(0.02)
    found = [button for button in buttons._lines.values() if button.name.endswith("ok button")]
    take = found[0]._edge.take

    def meanwhile() -> bool:
        came = take()
        bench.sim.release(2, Button.OK)
        bench.sim.press(2, Button.OK)
        found[0]._edge.take = take  # type: ignore[method-assign]
        return came

    found[0]._edge.take = meanwhile  # type: ignore[method-assign]
    bench.step(0.02)
    bench.step(0.02)
    told = [(at, kind, data) for at, _, kind, data in [each for each in out.entries() if each[1] == line][before:]]
    assert [each for each in told if each[1] == "edge"] == [(0.12, "edge", 0), (0.16, "edge", 1), (0.16, "edge", 0)]


def test_a_strip_is_what_is_written_to_its_port_and_how_that_fails(out: Kept) -> None:
    wiring = msgspec.structs.replace(WIRING, strip=StripWiring(leds=2, two_wires=True))
    with SimulatedWires(wiring) as sim:
        wires = RecordingWires(sim, Recorder(out, SteppedClock(), {}))
        port = wires.open_spi("/dev/spidev0.0")
        port.write(b"\x00\xff")
        assert sim.strip is not None
        sim.strip.unplugged = True
        with pytest.raises(OSError, match=r"Input/output error"):
            port.write(b"\x00\xff")
        port.close()
    assert out.of("spidev0.0") == [
        ["open", None], ["write", "00ff"], ["error", ["write", "OSError", errno.EIO, "Input/output error"]],
    ]  # fmt: skip


def test_a_recorded_input_still_is_one_that_reports_edges(bench: Bench) -> None:
    chip = RecordingWires(bench.sim, bench.recorder).open_chip()
    assert isinstance(chip.input(22), DigitalInputDevice)
    chip.close()


def test_a_line_that_cannot_be_read_is_an_error(bench: Bench, out: Kept) -> None:
    bench.step(0.1)
    bench.sim.lgpio.chips[CHIP].absent = True
    lost = [event for event in bench.step(0.1) if isinstance(event, DeviceLost)]
    assert lost
    errors = [entry for entry in out.entries() if entry[2] == "error"]
    assert len(errors) >= len(lost)
    assert errors[0][3][0] == "read"
    bench.sim.lgpio.chips[CHIP].absent = False


def test_a_display_that_does_not_acknowledge_is_an_error_with_its_number(bench: Bench, out: Kept) -> None:
    bench.step(0.1)
    bench.sim.buses[1].nak.add(0x3C)
    bench.hardware.displays[1].refresh()
    assert [type(event) for event in bench.step(0.1)] == [DeviceLost]
    assert ["error", ["write", "OSError", errno.EREMOTEIO, "Remote I/O error"]] in out.of("i2c-1 3C")
    assert "error" not in [kind for kind, _ in out.of("i2c-1 3D")]


def test_what_is_read_on_a_bus_is_written_down_too(bench: Bench, out: Kept) -> None:
    bus = RecordingWires(bench.sim, bench.recorder).open_bus(1)
    before = len(out.of("i2c-1 3C"))
    bus.i2c_rdwr(i2c_msg.read(0x3C, 1))
    assert [kind for kind, _ in out.of("i2c-1 3C")[before:]] == ["read"]
    bus.close()


def test_errors_keep_their_class_number_and_words() -> None:
    assert error_words(termios.error(5, "Input/output error")) == ("termios.error", 5, "Input/output error")
    assert error_words(OSError(2, "No such file")) == ("FileNotFoundError", 2, "No such file")
    assert error_words(OSError("just words")) == ("OSError", None, "just words")


# Reading


HEADER = '{"capture": 2, "seed": 0, "table": ""}\n'
ONE = '[1.0, "table", "heard", "hello"]\n'


def written(tmp_path: Path, data: str | bytes) -> Path:
    path = tmp_path / "one.capture"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_entries_are_in_order_of_time_and_keep_the_order_of_the_file_within_one(tmp_path: Path) -> None:
    lines = '[2, "i2c-1", "open", null]\n[1.5, "line 4 of x", "same", null]\n[2.0, "i2c-3", "open", null]\n'
    capture = read_capture(written(tmp_path, HEADER + lines))
    assert [(entry.at, entry.wire) for entry in capture.entries] == [
        (1.5, "line 4 of x"),
        (2.0, "i2c-1"),
        (2.0, "i2c-3"),
    ]
    assert capture.seconds == 2.0
    assert not capture.complete


@pytest.mark.parametrize("cut", ["[2.0, ", '[2.0, "table", "heard", "hell', "[", '[2.0, "table", "heard", "♠'])
def test_a_line_that_is_cut_off_at_the_end_does_not_count(tmp_path: Path, cut: str) -> None:
    data = (HEADER + ONE + cut).encode()
    assert len(read_capture(written(tmp_path, data)).entries) == 1
    if not cut.isascii():
        assert len(read_capture(written(tmp_path, data[:-1])).entries) == 1


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        ("", 1, "nothing; expected a capture"),
        ('{"capture": 2', 1, "a header that is cut off; expected a capture"),
        ("game: pepper\n", 1, "no JSON; expected a line of a capture"),
        ("[1, 2]\n", 1, "no header of a capture"),
        ('{"version": 2}\n', 1, "no header of a capture"),
        ('{"capture": 1}\n', 1, "a capture of version 1; expected version 2"),
        (HEADER + ONE + "hello\n", 3, "no JSON"),
        (HEADER + "[" * 100_000 + "\n", 2, "no JSON"),
        (HEADER + ONE + "{}\n", 3, "no entry of a capture; expected [seconds, wire, kind, data]"),
        (HEADER + '[1.0, "table", "heard"]\n', 2, "no entry of a capture"),
        (HEADER + '["1", "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + '[-1, "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + '[NaN, "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + '[1, "table", "heard", 5]\n', 2, "data of 'heard' that cannot be"),
        (HEADER + '[1, "seat 1 reader", "exchange", ["4a"]]\n', 2, "data of 'exchange' that cannot be"),
        (HEADER + '[1, "seat 1 reader", "exchange", ["4", ""]]\n', 2, "data of 'exchange' that cannot be"),
        (HEADER + '[1, "seat 1 reader", "came", null]\n', 2, "data of 'came' that cannot be"),
        (HEADER + '[1, "seat 1 reader", "error", "gone"]\n', 2, "data of 'error' that cannot be"),
        (HEADER + '[1, "line 4 of x", "level", 2]\n', 2, "data of 'level' that cannot be"),
        (HEADER + '[1e9, "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + f'[1{"0" * 400}, "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + '[1, "table", "event", "Held"]\n', 2, "data of 'event' that cannot be"),
        (HEADER + '[1, "table", "looks", [["lines"], "1:5"]]\n', 2, "data of 'looks' that cannot be"),
        (HEADER + '[1, "table", "looks", [["lines"], "0:-5"]]\n', 2, "data of 'looks' that cannot be"),
        (HEADER + '[1, "table", "looks", [["lines"], "0:5 0"]]\n', 2, "data of 'looks' that cannot be"),
        (HEADER + '[1, "table", "looks", [[5], "0:5"]]\n', 2, "data of 'looks' that cannot be"),
        (HEADER + '[1, "table", "looks", null]\n', 2, "data of 'looks' that cannot be"),
        (HEADER + f'[1, "i2c-1 3C", "read", "{pack(bytes(100_000))}"]\n', 2, "data of 'read' that cannot be"),
        (HEADER + ONE + '[1, "table", "herd", ""]\n', 3, "no kind 'herd' of table; expected decided, end, event"),
        (HEADER + '[1, "seat 1 reader", "level", 1]\n', 2, "no kind 'level' of seat 1 reader"),
        (HEADER + '[1, "seat 1 raeder", "came", ""]\n', 2, "no wire 'seat 1 raeder'; expected a reader, a line"),
        (HEADER + '[1, "i2c-1 3c", "write", ""]\n', 2, "no wire 'i2c-1 3c'"),
        (HEADER + '[1, "seat 1 reader", "error", ["raed", "OSError", 5, ""]]\n', 2, "data of 'error' that cannot be"),
        (HEADER + '[1, "seat 1 reader", "error", ["read", "OSError", true, ""]]\n', 2, "data of 'error' that"),
        (HEADER + '[1, "seat 1 reader", "open", 1]\n', 2, "data of 'open' that cannot be"),
        (HEADER + '[1, "i2c-1 3C", "write", "0"]\n', 2, "data of 'write' that cannot be"),
        (HEADER + '[1, "line 4 of x", "level", true]\n', 2, "data of 'level' that cannot be"),
        (HEADER + '[true, "table", "heard", ""]\n', 2, "no entry of a capture"),
        (HEADER + '[1, "table", "event", [NaN, "a", "b"]]\n', 2, "data of 'event' that cannot be"),
        (HEADER + '[1, "table", "decided", "x"]\n', 2, "data of 'decided' that cannot be"),
    ],
)
def test_what_is_no_capture_is_said_with_its_line(tmp_path: Path, data: str, line: int, said: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(CaptureError) as caught:
        read_capture(path)
    assert str(caught.value).startswith(f"{path}:{line}: {said}")
    assert "\n" not in str(caught.value)
    assert "expected" in str(caught.value)


def test_a_file_that_is_no_text_is_no_capture(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match=r"one\.capture:3: not UTF-8; expected a capture"):
        read_capture(written(tmp_path, (HEADER + ONE).encode() + b"\xff\xff\n"))
