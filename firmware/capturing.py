"""What a capture says beside the traffic of the wires: the table at its start, and what was ruled and said there.

The table goes into the header as the texts of a table file and a deck, so a capture needs no other file.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from engine.match import Table
from engine.notation import RecordError, entry_text
from engine.phrases import Phrase, said_by
from engine.record import read_record
from engine.values import Notice, Refusal
from firmware.deck import deck_of
from firmware.decks import Kept, Shelf, made_up
from firmware.desk import Heard
from firmware.errors import FileError
from firmware.generations import RESERVE
from firmware.journal import MERGED, NEXT, SESSION
from firmware.pin import PIN
from firmware.preferences import LIGHTS, SOUNDS, cue_name
from firmware.seatview import TableText
from firmware.tablefile import TableFile, read_table_file
from firmware.tokens import TOKEN
from hal.capture import BEGAN, LIMIT, TABLE, TICK, Capture, CaptureError
from hal.clock import Clock
from hal.errors import TablerefHardwareError
from hal.events import (
    Chord,
    DeviceBack,
    DeviceLost,
    Event,
    Held,
    Pressed,
    ReaderStalled,
    Released,
    SeveralTags,
    TagConflict,
    TagGlimpsed,
    TagLifted,
    TagPlaced,
)
from hal.recorder import Recorder
from hal.recording import RecordingWires
from hal.wires import Wires

_TABLE_FILE, _DECK_FILE = "table.toml", "deck.csv"


class Start(NamedTuple):
    """How a captured table began: what a replay needs to begin in the same way."""

    table: TableFile
    seed: int
    """Of the chance that draws the first dealer."""
    match: tuple[str, list[str]] | None
    """The header and the entries of the match that the journal held; None: it held none."""
    settings: Mapping[str, str] = {}
    """What the journal remembered of the table (`remembered`)."""


class Recording:
    """A capture that is being written to a new file, which nobody else may read.

    Raises OSError when it cannot be made, or is there: a capture that was not looked at yet is not written over.
    """

    def __init__(
        self,
        path: Path,
        start: Start,
        clock: Clock,
        complain: Callable[[str], None] = lambda problem: None,
        limit: int = LIMIT,
    ) -> None:
        out = os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w", encoding="utf-8"
        )
        self._table = start.table.table
        self._taken_at = 0.0
        self._recorder = Recorder(
            out,
            clock,
            header_of(start),
            lambda problem: complain(Phrase("{path}: {problem}", path=path, problem=problem)),
            limit,
            lambda: shutil.disk_usage(path.parent).free > RESERVE,
        )

    def wires(self, wires: Wires) -> RecordingWires:
        """These wires, recorded."""
        return RecordingWires(wires, self._recorder)

    def began(self, now: float) -> None:
        """Keep when the loop starts."""
        self._recorder.looked(BEGAN, now)

    def take(self, event: Event) -> None:
        """Keep that the loop decides on this event now. Device threads may be late: the order is not that of times."""
        self._taken_at = self._recorder.time(event.at)
        self._recorder.note(TABLE, "event", [self._taken_at, event_device(event), event_text(event)])

    def decided(self, now: float) -> None:
        """Keep when what came of the last event was shown, if the disk took its time."""
        if self._recorder.time(now) > self._taken_at:
            self._recorder.note(TABLE, "decided", self._recorder.time(now))

    def ticked(self, now: float) -> None:
        """Keep that the loop lets time pass."""
        self._recorder.looked(TICK, now)

    def instructed(self, told: str, now: float) -> None:
        """Keep what a director wants from beside the table."""
        self._taken_at = self._recorder.time(now)
        self._recorder.note(TABLE, "instructed", [self._taken_at, told])

    def hear(self, heard: Heard) -> None:
        """An observer of the loop: keep what was ruled or said."""
        self._recorder.note(TABLE, "heard", heard_text(self._table, heard))

    def end(self, record: str | None = None) -> None:
        """Close the capture, with the record of what was played. Ending again does nothing."""
        if record is not None:
            self._recorder.note(TABLE, "record", record)
        self._recorder.end()

    def close(self) -> None:
        """Close the capture as it is, if that was not done."""
        self.end()


def remembered(settings: Mapping[str, str]) -> dict[str, str]:
    """Of the settings in a journal those of the table that anybody may know; the others are about the journal's own
    matches, or let the director in.
    """
    own = (NEXT, PIN, TOKEN)
    return {key: value for key, value in settings.items() if key not in own and not key.startswith((SESSION, MERGED))}


def event_device(event: Event) -> str:
    """The name of what an event comes from."""
    match event:
        case Pressed(seat, button) | Held(seat, button) | Released(seat, button):
            return f"seat {seat} {button} button"
        case Chord(seat):
            return f"seat {seat} buttons"
        case DeviceLost(device) | DeviceBack(device):
            return device
        case TagConflict(readers):
            return " and ".join(readers)
        case TagPlaced(reader) | TagLifted(reader) | TagGlimpsed(reader) | SeveralTags(reader) | ReaderStalled(reader):
            return reader


def event_text(event: Event) -> str:
    """An event without its time, and without what is for logs and notes."""
    left_out = ("at", "why", "look", "looks")
    told = (getattr(event, field.name) for field in fields(event) if field.name not in left_out)
    texts = (" ".join(sorted(each)) if isinstance(each, frozenset) else str(each) for each in told)
    return " ".join([type(event).__name__, *texts])


def heard_text(table: Table, heard: Heard) -> str:
    """A ruling or a message by its codes, so that another wording is no other ruling."""
    if heard.ruling is None:
        assert heard.message is not None
        return f"seat {heard.seat} is told {_coded(heard.message)}"
    said = f"{entry_text(table, heard.ruling.entry)}: "
    if heard.ruling.refusal is not None:
        return said + f"refused {_coded(heard.ruling.refusal)}"
    return said + " ".join(["ok", *map(_coded, heard.ruling.notices)])


def _coded(said: Refusal | Notice | TableText) -> str:
    facts = ",".join(f"{name}={value}" for name, value in said.facts)
    return f"{said.code}({facts})" if facts else said.code


def header_of(start: Start) -> dict[str, Any]:
    """The header of a capture."""
    file = start.table
    deck = None if file.deck is None else "".join(f"{uid}, {card}\n" for uid, card in file.deck.cards.items())
    match = None if start.match is None else {"header": start.match[0], "entries": start.match[1]}
    decks = {"grows": file.decks.grows, "kept": [[kept.name, kept.text] for kept in file.decks.kept]}
    return {
        "seed": start.seed,
        "match": match,
        "settings": dict(start.settings),
        "table": table_text(file),
        "deck": deck,
        "decks": decks,
    }


def start_of(capture: Capture) -> Start:
    """How the captured table began; raises `CaptureError`."""
    header = capture.header
    deck = header.get("deck")
    if not isinstance(deck, str | None):
        raise CaptureError(
            capture.name, 1, Phrase("a deck that is no text; expected its lines, or null where there is none")
        )
    match header:
        case {"seed": int() as seed, "table": str() as table} if not isinstance(seed, bool):
            file = _read_table(capture.name, table, deck)
            return Start(file._replace(shelf=_shelf(capture, file)), seed, _match(capture), _settings(capture))
        case _:
            raise CaptureError(capture.name, 1, Phrase("a header that lacks seed or table; expected both"))


def _match(capture: Capture) -> tuple[str, list[str]] | None:
    match capture.header.get("match"):
        case None:
            return None
        case {"header": str() as header, "entries": [*entries], **more} if not more and _texts(entries):
            try:
                read_record("\n".join([header, "", *entries]))
            except RecordError as error:
                raise CaptureError(
                    capture.name, 1, Phrase("a match that cannot be read: {problem}", problem=error.problem)
                ) from None
            return header, entries
        case _:
            raise CaptureError(capture.name, 1, Phrase("a match that cannot be read; expected header and entries"))


def _shelf(capture: Capture, file: TableFile) -> Shelf:
    """All decks of the captured table. A replay writes no file: they are kept in memory."""
    match capture.header.get("decks"):
        case None:
            return Shelf((made_up(file.deck, "deck"),)) if file.deck is not None else Shelf()
        case {"grows": bool() as grows, "kept": [*kept]} if all(map(_is_pair, kept)):
            try:
                return Shelf(tuple(Kept(name, deck_of(text, name), text) for name, text in kept), grows=grows)
            except FileError as error:
                raise CaptureError(
                    capture.name, 1, Phrase("a deck that cannot be read: {why}", why=said_by(error))
                ) from None
        case _:
            raise CaptureError(capture.name, 1, Phrase("decks that cannot be read; expected grows and kept"))


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and _texts(value)


def _settings(capture: Capture) -> dict[str, str]:
    """What the table remembered; nothing in a capture of before there was any such thing."""
    settings = capture.header.get("settings", {})
    if not isinstance(settings, dict) or not _texts([*settings.values()]) or remembered(settings) != settings:
        problem = Phrase("settings that cannot be read; expected names and texts of what the table remembered")
        raise CaptureError(capture.name, 1, problem)
    return settings


def _texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _read_table(name: str, table: str, deck: str | None) -> TableFile:
    with TemporaryDirectory(prefix="tableref-") as folder:
        place = Path(folder) / _TABLE_FILE
        try:
            place.write_text(table, encoding="utf-8")
            if deck is not None:
                (Path(folder) / _DECK_FILE).write_text(deck, encoding="utf-8")
            return read_table_file(place)
        except (ValueError, TablerefHardwareError) as error:
            problem = said_by(error).mapped(lambda text: text.replace(f"{folder}{os.sep}", ""))
            raise CaptureError(name, 1, Phrase("the table in it cannot be used: {problem}", problem=problem)) from None


def table_text(file: TableFile) -> str:
    """A table file that says the same, with its deck beside it."""
    game: dict[str, Any] = {
        "name": file.table.game.name,
        "rules": file.table.rule_set,
        "hands": "tracked" if file.table.tracked else "concealed",
        "deal": file.deal.value,
        "dealer": file.dealer,
        "names": list(file.names),
        "options": dict(file.table.options),
    }
    deck = {"deck": {"file": _DECK_FILE}} if file.deck is not None else {}
    official = {"pin": file.officials.pin or None, "cards": sorted(file.officials.cards)}
    director = {"director": official} if any(official.values()) else {}
    wiring = msgspec.to_builtins(file.wiring)
    return "\n".join(_toml({"game": game, "table": _table(file), **deck, **director, **wiring}))


def _table(file: TableFile) -> dict[str, Any]:
    defaults = file.defaults
    return {
        "language": file.language,
        "lobby": file.free,
        "sound": defaults.sound,
        "lights": [cue_name(cue) for cue in LIGHTS if cue in defaults.lights],
        "sounds": [cue_name(cue) for cue in SOUNDS if cue in defaults.sounds],
        "left_handed": sorted(defaults.left_handed),
        "contrast": defaults.contrast,
    }


def _toml(tables: Mapping[str, Any]) -> Iterable[str]:
    """The lines of a TOML text with these tables and arrays of tables; what is None is left out."""
    for name, value in tables.items():
        for table in value if isinstance(value, list | tuple) else [value]:
            if table is None:
                continue
            yield f"[[{name}]]" if isinstance(value, list | tuple) else f"[{name}]"
            for key, item in table.items():
                if item not in (None, {}):
                    yield f"{key} = {_toml_value(item)}"
            yield ""


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        items = (f"{json.dumps(key)} = {_toml_value(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)  # strings, numbers and booleans are written as TOML does
