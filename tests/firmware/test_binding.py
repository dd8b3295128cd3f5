"""Which reader is whose: a card at each place that is named, and the lines for the table file."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.binding import Binder, compass, file_lines, path_of, places_to_bind
from firmware.doctor import System
from firmware.doctor_commands import run_bind
from firmware.failures import Failure
from hal.clock import SteppedClock
from hal.events import TagLifted, TagPlaced
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import SerialBench
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip, TalkerChip
from hal.toml_lines import read_toml
from hal.wiring import CommonRole, ReaderPlace, read_wiring

OTHERS = ("game", "deck", "table")
UID = bytes.fromhex("04A0015EC0DE80")
TEXT = """\
# Two seats and a pad.
[[seat]]
number = 2   # South
buttons = { left = 5, ok = 6, right = 13 }
reader = "/dev/serial/by-path/old-2"   # the blue cable

[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }
reader = "/dev/serial/by-path/old-1"

[[reader]]
role = "dealing"
port = "/dev/serial/by-path/old-pad"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def chip_at(name: str) -> Pn532Chip | TalkerChip:
    """What is plugged in, by the beginning of its name."""
    match name.partition("-")[0]:
        case "rdm6300" | "id12la" as kind:
            return Em4100Chip(repeats=kind == "rdm6300")
        case "../../input/by":  # a name below the folder of serial ports
            return KeyboardChip()
        case _:
            return Pn532Chip()


KEYS = "../../input/by-path/{}-event-kbd"


class Room:
    """A machine with readers at its ports, and somebody who taps a card whenever a moment has passed."""

    def __init__(self, root: Path, names: tuple[str, ...]) -> None:
        (root / "dev/serial/by-path").mkdir(parents=True)
        (root / "dev/input/by-path").mkdir(parents=True)
        self.bench = SerialBench(root / "dev/serial/by-path")
        self.chips: dict[str, Pn532Chip | TalkerChip] = {name: chip_at(name) for name in names}
        for name, chip in self.chips.items():
            self.bench.plug(name, chip)
        self.clock = SteppedClock()
        self.system = System(root, 0, frozenset(), lambda folder: 0, self.clock.now, self.sleep)
        self.taps: list[str | None] = []
        self._steps = 0

    def sleep(self, seconds: float) -> None:
        self.clock.time += 0.2
        self._steps += 1
        if self._steps % 6 == 0:
            for chip in self.chips.values():
                chip.field.clear()
        if self._steps % 6 == 3:
            if not self.taps:
                raise KeyboardInterrupt
            tapped = self.taps.pop(0)
            if tapped is not None:
                self.chips[tapped].field.append(UID[: 7 if isinstance(self.chips[tapped], Pn532Chip) else 5])
        self._let_them_speak()

    def _let_them_speak(self) -> None:
        """Until the thread that is the line has carried what is said by now; what it carried before it asks again."""
        talkers = [chip for chip in self.chips.values() if isinstance(chip, TalkerChip)]
        asked = {id(chip): chip.polls for chip in talkers}
        until = time.monotonic() + 10.0
        while any(chip.polls < asked[id(chip)] + 2 for chip in talkers) and time.monotonic() < until:
            self.bench.nudge()
            time.sleep(0.001)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "root", ("a", "b", "c"))
    yield made
    made.bench.close()


def bind(file: Path, room: Room, write: bool = False, language: str = "en") -> bool:
    return run_bind(file, read_wiring(file, OTHERS), language, write, room.system)


# At the ports


def test_a_card_at_each_place_ties_its_port_to_it(file: Path, room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.taps = ["b", "c", "a"]
    assert bind(file, room)
    assert capsys.readouterr().out.splitlines() == [
        "3 ports; Ctrl-C ends it.",
        "Tap a card at: North (seat 1)",
        "Tap a card at: South (seat 2)",
        "Tap a card at: the dealing pad",
        'reader = "/dev/serial/by-path/b"  # seat 1',
        'reader = "/dev/serial/by-path/c"  # seat 2',
        'port = "/dev/serial/by-path/a"  # the dealing pad',
    ]
    assert file.read_text(encoding="utf-8") == TEXT


def test_a_reader_that_is_bound_already_says_whose_it_is(
    file: Path, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.taps = ["b", "b", "c", "a"]
    assert bind(file, room, language="ru")
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == ["Приложите карту: Юг (место 2)", "Этот считыватель уже занят: место 1"]


def test_the_file_is_written_when_that_is_asked_and_comments_stay(file: Path, room: Room) -> None:
    room.taps = ["b", "c", "a"]
    assert bind(file, room, write=True)
    expected = TEXT
    for old, new in (("old-1", "b"), ("old-2", "c"), ("old-pad", "a")):
        expected = expected.replace(old, new)
    assert file.read_text(encoding="utf-8") == expected
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["table.toml"]


def test_who_stops_early_has_what_was_bound_so_far(file: Path, room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.taps = ["c"]
    assert not bind(file, room, write=True)
    assert 'reader = "/dev/serial/by-path/c"  # seat 1' in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == TEXT.replace("old-1", "c")


def test_more_places_than_ports_end_when_the_ports_do(file: Path, room: Room) -> None:
    room.bench.unplug("c")
    room.taps = ["a", "b", "a", "a"]
    assert not bind(file, room)
    assert len(room.taps) == 2


def test_a_port_with_no_reader_behind_it_is_told_once(
    file: Path, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.bench.plug("d", Pn532Chip())
    room.bench.unplug("d")
    (room.system.at("/dev/serial/by-path") / "d").touch()
    room.taps = ["a", None, None, "b", "c"]
    assert bind(file, room)
    silent = [line for line in capsys.readouterr().out.splitlines() if line.startswith("/dev/serial/by-path/d: ")]
    assert len(silent) == 1


def test_no_port_at_all_is_one_line_and_not_every_place_has_one(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = System(tmp_path, 0, frozenset(), lambda folder: 0, lambda: 0.0, lambda seconds: None)
    assert not run_bind(file, read_wiring(file, OTHERS), "en", write=False, system=system)
    assert capsys.readouterr().err == (
        "No port for a reader is there under /dev/serial or /dev/input: is the hub plugged in and powered?\n"
    )


def test_a_file_on_one_line_is_left_alone_and_said(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = (
        "seat = [{ number = 1, buttons = { left = 4, ok = 17, right = 27 } }, "
        "{ number = 2, buttons = { left = 5, ok = 6, right = 13 } }]\n"
    )
    file.write_text(text, encoding="utf-8")
    room.taps = ["a", "b"]
    with pytest.raises(Failure, match=r"expected \[\[seat\]\] tables"):
        bind(file, room, write=True)
    assert file.read_text(encoding="utf-8") == text


# Readers of other kinds


@contextmanager
def other_room(tmp_path: Path, *names: str) -> Iterator[Room]:
    made = Room(tmp_path / "root", names)
    try:
        yield made
    finally:
        made.bench.close()


SEATS = """\
[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }

[[seat]]
number = 2   # South
buttons = { left = 5, ok = 6, right = 13 }
"""


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "first", "second", "folder"),
    [
        ("rdm6300", "rdm6300-a", "rdm6300-b", "/dev/serial/by-path/"),
        ("id12la", "id12la-a", "id12la-b", "/dev/serial/by-path/"),
        ("keyboard", KEYS.format("a"), KEYS.format("b"), "/dev/input/by-path/"),
    ],
)
@pytest.mark.parametrize("named", [True, False], ids=["the file names the kind", "the file names no readers"])
def test_readers_that_speak_by_themselves_are_tied_by_a_card_too(
    tmp_path: Path, kind: str, first: str, second: str, folder: str, named: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text = tmp_path / "table.toml", SEATS
    if named:
        for pin in (27, 13):
            old = f'reader = {{ kind = "{kind}", port = "{folder}old-{pin}" }}\n'
            text = text.replace(f"right = {pin} }}\n", f"right = {pin} }}\n{old}")
    file.write_text(text, encoding="utf-8")
    ports = [folder + name.rpartition("/")[2] for name in (second, first)]
    with other_room(tmp_path, first, second) as room:
        room.taps = [second, second, first, first]  # twice: a busy kernel may hand on half of what was said
        assert bind(file, room, write=True)
    assert f'reader = {{ kind = "{kind}", port = "{ports[0]}" }}  # seat 1' in capsys.readouterr().out
    readers = list(read_wiring(file, OTHERS).readers())
    assert [(place.seat, place.kind, place.port) for place in readers] == [(1, kind, ports[0]), (2, kind, ports[1])]
    assert "# South" in file.read_text(encoding="utf-8")


def test_kinds_are_found_out_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = "".join(
        f"[[seat]]\nnumber = {seat}\nbuttons = {{ left = {line}, ok = {line + 1}, right = {line + 2} }}\n"
        for seat, line in ((1, 4), (2, 7), (3, 10), (4, 13))
    )
    file.write_text(text, encoding="utf-8")
    names = ("pn532-a", "rdm6300-a", "id12la-a", KEYS.format("a"))
    with other_room(tmp_path, *names) as room:
        room.taps = [name for index in (3, 1, 0, 2) for name in (names[index], names[index])]
        assert bind(file, room, write=True)
    kinds = [place.kind for place in read_wiring(file, OTHERS).readers()]
    assert kinds == ["keyboard", "rdm6300", "pn532", "id12la"]


def test_a_reader_of_another_kind_than_the_file_has_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    text = SEATS.replace(
        "right = 27 }\n", 'right = 27 }\nreader = { kind = "rdm6300", port = "/dev/serial/by-path/old" }\n'
    )
    text = text.replace("right = 13 }\n", 'right = 13 }\nreader = "/dev/serial/by-path/older"\n')
    file.write_text(text, encoding="utf-8")
    with other_room(tmp_path, "pn532-a", "rdm6300-a") as room:
        room.taps = ["pn532-a", None, "rdm6300-a", "rdm6300-a", "pn532-a", None]
        assert bind(file, room)
    lines = capsys.readouterr().out.splitlines()
    assert "This is a pn532; the table file has a rdm6300 there." in lines
    assert lines[-2:] == [
        'reader = { kind = "rdm6300", port = "/dev/serial/by-path/rdm6300-a" }  # seat 1',
        'reader = "/dev/serial/by-path/pn532-a"  # seat 2',
    ]


def test_a_keyboard_is_left_to_who_types_on_it_and_what_people_type_is_no_card(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(SEATS, encoding="utf-8")
    with other_room(tmp_path, KEYS.format("a"), KEYS.format("b")) as room:
        keyboard = room.chips[KEYS.format("a")]
        assert isinstance(keyboard, KeyboardChip)
        keyboard.field.append(bytes.fromhex("1234"))
        room.taps = [KEYS.format("b"), None]
        assert not bind(file, room)
        assert not keyboard.grabbed
        assert "1234" in keyboard.console


# What is asked for


def test_a_file_without_readers_is_asked_for_one_at_each_seat(room: Room, file: Path) -> None:
    text = "".join(line for line in TEXT.splitlines(keepends=True) if not line.startswith("reader"))
    file.write_text(text.partition("\n[[reader]]")[0] + "\n", encoding="utf-8")
    assert [place.seat for place in places_to_bind(read_wiring(file, OTHERS))] == [1, 2]
    room.taps = ["a", "c"]
    assert bind(file, room, write=True)
    wiring = read_wiring(file, OTHERS)
    assert [seat.reader for seat in wiring.seats] == ["/dev/serial/by-path/a", "/dev/serial/by-path/c"]
    assert "# South" in file.read_text(encoding="utf-8")


def test_only_a_card_binds_and_only_once() -> None:
    places = [ReaderPlace("seat 1 reader", "", seat=1), ReaderPlace("dealing reader", "", role=CommonRole.DEALING)]
    binder = Binder(places)
    assert binder.take(TagLifted("a", "AA", 0.0)) is None
    assert binder.take(TagPlaced("a", "AA", 0.0)) is None
    assert binder.take(TagPlaced("a", "BB", 0.0)) == places[0]
    assert binder.take(TagPlaced("b", "AA", 0.0)) is None
    assert not binder.asked
    assert [line for _, line in file_lines(binder)] == ['reader = "a"', 'port = "b"']
    assert binder.take(TagPlaced("c", "AA", 0.0)) is None


def test_a_place_is_found_in_the_file_whatever_the_order(file: Path) -> None:
    places = list(read_wiring(file, OTHERS).readers())
    paths = [path_of(place, read_toml(file).data) for place in places]
    assert paths == [("seat", 1, "reader"), ("seat", 0, "reader"), ("reader", 0, "port")]
    data = {"seat": [{"number": 1, "reader": {"port": "/dev/x"}}]}
    assert path_of(places[0], data) == ("seat", 0, "reader", "port")


@pytest.mark.parametrize(
    ("seats", "sides"), [(2, ["north", "south"]), (4, ["north", "east", "south", "west"]), (3, ["", "", ""])]
)
def test_seats_go_by_the_compass_where_there_is_one(seats: int, sides: list[str]) -> None:
    assert [compass(ReaderPlace("", "", seat=seat), seats) for seat in range(1, seats + 1)] == sides
    assert compass(ReaderPlace("", "", role=CommonRole.CENTRE), 4) == ""
