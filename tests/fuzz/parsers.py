"""Everything that reads what people, wires, browsers or a damaged disk give: by name, with what each may answer."""

import json
import os
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from engine.answers import check_record
from engine.notation import RecordError
from engine.record import read_record
from firmware.deck import deck_of
from firmware.errors import FileError, JournalError, TableError
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.known_names import texts_of
from firmware.opening import own_header
from firmware.recovering import recover
from firmware.script import parse_script
from firmware.tablefile import read_table_file
from firmware.web.deeds import parse_deed
from firmware.web.world import DeedError
from hal.capture import CaptureError, read_capture
from hal.em4100 import ID12LA_END, RDM6300_END, FrameParser, frame_of
from hal.errors import ReaderError, TablerefHardwareError
from hal.keyboard import EVENT, KeyParser
from hal.pn532 import Pn532, tags_of
from hal.pn532_frames import ACK, CHIP_TO_HOST, Parser, frame

ROOT = Path(__file__).parent.parent.parent
TAG = bytes.fromhex("62E3086CED")
LINES = 90
"""Lines of a long file that are kept: mutations of more find nothing else."""


class Fuzzed(NamedTuple):
    """A parser of bytes, the errors that it may raise, and what it reads without any."""

    read: Callable[[bytes, Path], object]
    errors: tuple[type[Exception], ...]
    seeds: Callable[[], list[bytes]]


def files(*patterns: str) -> Callable[[], list[bytes]]:
    """The beginnings of files of the repository."""

    def read() -> list[bytes]:
        found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
        return [b"\n".join(path.read_bytes().split(b"\n")[:LINES]) for path in found]

    return read


def text_of(data: bytes) -> str:
    """As the commands decode a file; what is no UTF-8 is told before anything is read."""
    return data.decode("utf-8", errors="surrogateescape" if os.environ.get("PYTHONUTF8") else "replace")


def record(data: bytes, folder: Path) -> None:
    """Read, and judged to its end."""
    for answer in check_record(read_record(text_of(data)))[1]:
        assert answer.ruling is not None


def table(data: bytes, folder: Path) -> None:
    """A table file, with the decks beside it."""
    (folder / "table.toml").write_bytes(data)
    for deck in ("deck-24.csv", "deck-108.csv"):
        (folder / deck).write_bytes((ROOT / "examples" / deck).read_bytes())
    read_table_file(folder / "table.toml")


def capture(data: bytes, folder: Path) -> None:
    """A capture."""
    (folder / "a.capture").write_bytes(data)
    read_capture(folder / "a.capture")


def pn532(data: bytes, folder: Path) -> None:
    """What comes from a chip: whole, in pieces, as the answer to a poll, and as a list of tags."""
    Parser().feed(data)
    parser = Parser()
    for start in range(0, len(data), 3):
        parser.feed(data[start : start + 3])
    tags_of(data)
    Pn532(Wire(data)).poll()


class Wire:
    """A port from which these bytes come, a few at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def in_waiting(self) -> int:
        """As many as one read gives."""
        return min(7, len(self._data))

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        found, self._data = self._data[:size], self._data[size:]
        return found

    def write(self, data: bytes, /) -> int:
        """Nobody listens."""
        return len(data)

    def reset_input_buffer(self) -> None:
        """What comes is still to come."""

    def close(self) -> None:
        """Nothing to give back."""


def em4100(end: bytes) -> Callable[[bytes, Path], None]:
    """A reader that speaks by itself."""

    def read(data: bytes, folder: Path) -> None:
        parser = FrameParser(end)
        for place in range(0, len(data), 5):
            parser.feed(data[place : place + 5], place / 1000)

    return read


def keyboard(data: bytes, folder: Path) -> None:
    """A reader that types."""
    parser = KeyParser()
    for place in range(0, len(data), 17):
        parser.feed(data[place : place + 17], place / 1000)


def deed(data: bytes, folder: Path) -> None:
    """A message of a page, as the server takes it."""
    try:
        wanted = json.loads(data)
    except (ValueError, RecursionError):
        return  # told as no JSON
    parse_deed(wanted)


def settings(data: bytes, folder: Path) -> None:
    """What a journal remembers of names."""
    texts_of(text_of(data), list[str])
    texts_of(text_of(data), dict[str, str])


def journal(data: bytes, folder: Path) -> None:
    """The bytes of a journal: looked through, mended as far as may be, and opened."""
    path = folder / "journal.db"
    for left in folder.iterdir():
        left.unlink()
    path.write_bytes(data)
    recover(path, own_header(furnish("pepper", 4)), lambda said: None)
    with closing(Journal(path)) as book:
        book.last_match()


def keys(digits: str) -> bytes:
    """The records of a keyboard that types a number and Enter."""
    codes = {digit: code for code, digit in enumerate("1234567890", 2)}
    typed = [*[codes[digit] for digit in digits], 28]
    return b"".join(struct.pack(EVENT.format, 0, 0, 1, code, value) for code in typed for value in (1, 0))


def answers() -> list[bytes]:
    """Answers of a chip: nothing, a tag, two, a refusal."""
    lists = ["00", "01 01 00 04 08 04 A1B2C3D4", "02 01 00 04 08 04 A1B2C3D4 02 00 44 00 07 04112233445566", "7F"]
    return [ACK + frame(CHIP_TO_HOST, b"\x4b" + bytes.fromhex(text)) for text in lists]


DEEDS = [
    {"do": "press", "seat": 1, "button": "ok"},
    {"do": "hand", "card": 5, "seat": 1},
    {"do": "fault", "name": "deaf", "place": 0, "on": True},
    {"do": "table", "game": "pepper", "rules": "standard", "seats": 4},
    {"do": "felt", "card": 5, "x": 0.5, "y": -0.5},
]

JOURNALS = "tests/firmware/old_journals/*.db"
"""Small ones, of each version."""

PARSERS: dict[str, Fuzzed] = {
    "record": Fuzzed(record, (RecordError,), files("tests/records/*/*.ctr")),
    "table": Fuzzed(table, (TableError, TablerefHardwareError), files("examples/*.toml")),
    "deck": Fuzzed(
        lambda data, folder: deck_of(text_of(data), "deck.csv"), (FileError,), files("examples/deck-24.csv")
    ),
    "script": Fuzzed(
        lambda data, folder: parse_script(text_of(data)),
        (FileError,),
        files("tests/tables/*.table"),
    ),
    "capture": Fuzzed(capture, (CaptureError,), files("tests/captures/*.capture")),
    "pn532": Fuzzed(pn532, (ReaderError,), answers),
    "rdm6300": Fuzzed(em4100(RDM6300_END), (), lambda: [frame_of(TAG, RDM6300_END) * 3]),
    "id12la": Fuzzed(em4100(ID12LA_END), (), lambda: [frame_of(TAG, ID12LA_END) * 3]),
    "keyboard": Fuzzed(keyboard, (), lambda: [keys("0012345678"), keys("1234")]),
    "deed": Fuzzed(deed, (DeedError,), lambda: [json.dumps(one).encode() for one in DEEDS]),
    "settings": Fuzzed(settings, (), lambda: [b'["Anna", "Boris"]', b'{"1": "Anna"}']),
    "journal": Fuzzed(
        journal,
        (JournalError,),
        lambda: [path.read_bytes() for path in sorted(ROOT.glob(JOURNALS))],
    ),
}
