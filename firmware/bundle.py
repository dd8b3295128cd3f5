"""A bundle: all that a report of a fault needs in one file, and nothing that anybody at the table is not to know.

No card is in it, neither of a running deal nor of an ended one, no name, no number of a tag, no PIN and no token. What
the journal holds is told by its shape: which match, which verbs at which times, which readers.
"""

import json
import platform
import re
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from engine.phrases import reason
from firmware.deck_check import readable_deck
from firmware.doctor import System
from firmware.errors import TableError
from firmware.generations import FAULTS, connect_uri, generations, is_sound
from firmware.journal_reading import Kept, read_journal
from firmware.known_names import NAMES, texts_of
from firmware.last_good import kept_copy
from firmware.lobby import SITTING
from firmware.redacting import Redactor
from firmware.schema import columns_in, tables_in
from firmware.table_part import TablePart
from firmware.tablefile import OWN, DeckPart, DirectorPart, GamePart
from firmware.wall_clock import is_clock_set
from firmware.web_part import WebPart
from hal.errors import TablerefHardwareError
from hal.toml_lines import read_toml

FORMAT, FORMAT_VERSION = "tableref-bundle", 1
MOST = 1_000_000
"""Bytes of a part; of a log the last ones are kept, of anything else the first."""
MOST_LINES = 2_000
"""Entries of the journal, and notes, that are told: the newest."""
MOST_OUTLINED = 20_000
"""Lines of a capture."""
PACKAGES = ("tableref", "gpiozero", "lgpio", "luma.core", "luma.oled", "pillow", "pyserial", "smbus2", "msgspec",
            "click", "aiohttp", "evdev")  # fmt: skip
_SECRET_KEYS = frozenset({"names", "pin", "cards", "title", "hosts"})
_KNOWN: Mapping[str, tuple[str, ...]] = {
    "game": GamePart.__struct_fields__,
    "deck": DeckPart.__struct_fields__,
    "director": DirectorPart.__struct_fields__,
    "table": TablePart.__struct_fields__,
    "web": WebPart.__struct_fields__,
}
_UNKNOWN = "left out: the table file cannot be read, so nobody knows which names and numbers in a log are secret\n"
_VERB = re.compile(r"[a-z][a-z-]{0,24}")
_NAME = re.compile(r"^name \d+ *= *(?P<name>[^;\n]+)", re.MULTILINE)


class Sources(NamedTuple):
    """Where a bundle is made from. `doctor` tells the doctor's report, `log` the log of the service."""

    table_file: Path
    journal: Path
    doctor: Callable[[], str] = lambda: ""
    log: Callable[[], str] = lambda: ""
    captures: tuple[Path, ...] = ()


def redactor_of(sources: Sources) -> Redactor:
    """A redactor that knows all names and numbers of a table, whatever of its files can be read."""
    names, tags, pins = [], [], []
    data = _table_data(sources)
    game, director = data.get("game", {}), data.get("director", {})
    if isinstance(game, dict):
        names += _texts(game.get("names", ()))
    if isinstance(director, dict):
        pins += _texts(list(director.values()))  # whatever the key: it may be misspelt
        tags += _texts(director.get("cards", ()))
    deck = readable_deck(sources.table_file)
    tags += [] if deck is None else [*deck.cards]
    for kept in _matches(sources.journal)[0]:
        header = dict(line.split(": ", 1) for line in kept.header.split("\n") if ": " in line)
        names += header.get("names", "").split(",")
        names += [found["name"] for text in kept.texts for found in _NAME.finditer(text)]
    with suppress(*FAULTS), closing(sqlite3.connect(connect_uri(sources.journal), uri=True)) as file:
        if "setting" in tables_in(file):
            kept_settings = dict(file.execute("SELECT key, value FROM setting"))
            names += texts_of(kept_settings.get(NAMES, ""), list[str])
            names += texts_of(kept_settings.get(SITTING, ""), dict[str, str]).values()
        if "note" in tables_in(file):
            tags += [tag for (tag,) in file.execute("SELECT DISTINCT tag FROM note") if isinstance(tag, str)]
    return Redactor(names, tags, pins)


def _texts(value: object) -> list[str]:
    """All texts and numbers in a value of a table file, however deep."""
    if isinstance(value, Mapping):
        return _texts(list(value.values()))
    if isinstance(value, list | tuple):
        return [text for one in value for text in _texts(one)]
    return [] if isinstance(value, bool) else [str(value)]


def bundle(sources: Sources, system: System) -> bytes:
    """The file's bytes. Raises nothing: a part that cannot be had says why."""
    redactor = redactor_of(sources)
    parts: dict[str, str] = {
        "versions.json": _json(versions(system)),
        "table.json": _json(table_part(sources.table_file)),
        "journal.json": _tried(lambda: _json(journal_part(sources.journal, redactor))),
        "doctor.txt": _tried(sources.doctor),
        "log.txt": _tried(sources.log) if _is_known(sources) else _UNKNOWN,
    }
    for number, path in enumerate(sources.captures, 1):
        parts[f"capture-{number}.jsonl"] = _tried(partial(capture_outline, path))
    made = datetime.now(UTC).isoformat(timespec="seconds")
    texts = {name: _cut(redactor.text(text), last=name == "log.txt") for name, text in parts.items()}
    manifest = {"format": FORMAT, "version": FORMAT_VERSION, "made": made, "clock_set": is_clock_set(system.root),
                "files": {name: len(text.encode()) for name, text in texts.items()}}  # fmt: skip
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", redactor.text(json.dumps(manifest, indent=1)))
        for name, text in texts.items():
            archive.writestr(name, text)
    return out.getvalue()


def _tried(part: Callable[[], str]) -> str:
    try:
        return part()
    except Exception as error:  # whatever is wrong with one part: that is what the bundle is made for
        return f"not to be had: {type(error).__name__}: {error}\n"


def _cut(text: str, *, last: bool) -> str:
    data = text.encode()
    if len(data) <= MOST:
        return text
    kept = data[-MOST:] if last else data[:MOST]
    return kept.decode(errors="ignore")


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


# The parts


def versions(system: System) -> dict[str, Any]:
    """Which programs, on which machine."""
    found: dict[str, str | None] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    release = dict(line.split("=", 1) for line in (system.text("/etc/os-release") or "").splitlines() if "=" in line)
    return {
        "packages": found,
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "system": release.get("PRETTY_NAME", "").strip('"'),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "model": system.text("/proc/device-tree/model"),
    }


def table_part(table_file: Path) -> dict[str, Any]:
    """What the table file says of wiring and game; where something secret stands, that it does."""
    try:
        data = read_toml(table_file).data
    except (ValueError, TablerefHardwareError) as error:
        return {"unreadable": f"line {getattr(error, 'line', '?')}"}
    except OSError as error:
        return {"unreadable": str(reason(error))}
    return {key: _shown(key, value) for key, value in data.items()}


def _shown(section: str, value: object) -> object:
    """A section: of one that is not of the wiring the keys that are known, for a misspelt one may hold anything."""
    if section not in OWN or not isinstance(value, Mapping):
        return _without_secrets(value)
    known = _KNOWN.get(section, ())
    return {key: _without_secrets(inner, key) if key in known else "left out" for key, inner in value.items()}


def _without_secrets(value: object, key: str = "") -> object:
    if key in _SECRET_KEYS:
        return f"{len(value)} left out" if isinstance(value, list) else "left out"
    if isinstance(value, Mapping):
        return {name: _without_secrets(inner, str(name)) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_secrets(one) for one in value]
    return value if isinstance(value, str | int | float | bool) else str(value)


def _table_data(sources: Sources) -> dict[str, Any]:
    """What the table file says, or the last good one, where that cannot be read."""
    for path in (sources.table_file, kept_copy(sources.journal)):
        with suppress(ValueError, OSError, TablerefHardwareError):
            return read_toml(path).data
    return {}


def _is_known(sources: Sources) -> bool:
    """Whether it is known what is secret; where a table file is there and says nothing, it is not."""
    return bool(_table_data(sources)) or not sources.table_file.exists()


def _matches(journal: Path) -> tuple[list[Kept], str]:
    try:
        return read_journal(journal), ""
    except (TableError, OSError) as error:
        return [], str(error)


def journal_part(journal: Path, redactor: Redactor) -> dict[str, Any]:
    """The shape of a journal: matches, verbs, times, notes; of settings the keys alone."""
    matches, problem = _matches(journal)
    found: dict[str, Any] = {
        "problem": problem,
        "size": journal.stat().st_size if journal.is_file() else None,
        "copies": [{"size": copy.stat().st_size, "sound": is_sound(copy)} for copy in generations(journal)],
        "beside": sorted(
            path.name.removeprefix(journal.name)
            for path in (journal.parent.iterdir() if journal.parent.is_dir() else ())
            if path.name.startswith(journal.name)
        ),
        "matches": [_match(kept) for kept in matches[-50:]],
        "lines": [line for kept in matches[-3:] for line in _lines(kept)][-MOST_LINES:],
    }
    try:
        with closing(sqlite3.connect(connect_uri(journal), uri=True)) as file:
            found["version"] = file.execute("PRAGMA user_version").fetchone()[0]
            found["tables"] = {
                table: file.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
                for table in sorted(tables_in(file))
            }
            found["settings"] = sorted(
                key for (key,) in file.execute("SELECT key FROM setting") if isinstance(key, str)
            )
            found["notes"] = _notes(file, redactor)
    except FAULTS as error:
        found["unread"] = f"{type(error).__name__}: {error}"
    return found


def _match(kept: Kept) -> dict[str, Any]:
    header = dict(line.split(": ", 1) for line in kept.header.split("\n") if ": " in line)
    options = [line.removeprefix("option: ") for line in kept.header.split("\n") if line.startswith("option: ")]
    shown = {key: header.get(key) for key in ("game", "rules", "seats", "hands")}
    return {"match": kept.number, **shown, "options": options, "entries": len(kept.texts), "starts": kept.starts,
            "merged": bool(kept.source), "clock_set": kept.clock}  # fmt: skip


def _since(at: object, first: object) -> float | None:
    """Seconds between two times of a journal; None where one of them is none, as damage leaves it."""
    if isinstance(at, int | float) and isinstance(first, int | float):
        return round(at - first, 1)
    return None


def _lines(kept: Kept) -> Iterable[list[object]]:
    """Of each entry: the match, its number, the seconds since the match began, whether the clock was set, the seat or
    nothing, the verb.
    """
    for number, (text, at, clock) in enumerate(zip(kept.texts, kept.times, kept.clocks, strict=True), 1):
        seat, verb = entry_shape(text)
        yield [kept.number, number, _since(at, kept.began), clock, seat, verb]


def entry_shape(text: str) -> tuple[int | None, str]:
    """Who has done what, without the cards that it was done with."""
    words = text.split("\n", 1)[0].removeprefix("#").replace(":", " ").split()
    seat = int(words[0]) if words and words[0].isascii() and words[0].isdigit() and len(words[0]) < 3 else None
    verb = next((word for word in words[seat is not None :][:1] if _VERB.fullmatch(word)), "?")
    return seat, f"# {verb}" if text.startswith("#") else verb


def _notes(file: sqlite3.Connection, redactor: Redactor) -> list[list[object]]:
    look = "look" if "look" in columns_in(file, "note") else "0"
    rows = file.execute(
        f"SELECT match, line, device, tag, what, wall_time, {look} FROM note ORDER BY number DESC LIMIT ?",
        (MOST_LINES,),
    ).fetchall()[::-1]
    first = rows[0][5] if rows else 0.0
    return [[match, line, device, redactor.tag(tag), redactor.text(what), _since(at, first), number]
            for match, line, device, tag, what, at, number in rows]  # fmt: skip


def capture_outline(path: Path) -> str:
    """When what kind of thing passed which wire, and how much of it: of the contents, which hold all cards, nothing."""
    lines = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file):
            if number > MOST_OUTLINED:
                break
            with suppress(ValueError):
                value = json.loads(line)
                match value:
                    case {"capture": capture}:
                        lines.append(json.dumps({"capture": capture, "size": len(line)}))
                    case [float() | int() as at, str() as wire, str() as kind, data]:
                        lines.append(json.dumps([at, wire, kind, len(json.dumps(data))]))
    return "\n".join(lines) + "\n"
