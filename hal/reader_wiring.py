"""The part of a table file that names a reader: its kind, its port, and how it is to be read."""

import os
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from hal.phrases import Phrase, both
from hal.reader_kinds import CAPABILITIES, ReaderKind
from hal.toml_lines import KeyPath, TomlFile
from hal.toml_types import shown

_MOVING_PORT = re.compile(r"/dev/(tty(USB|ACM)|input/event)\d+")
_BY_ID = re.compile(r"(?P<folder>.*)/by-id/[^/]+")

Seconds = Annotated[float, Meta(ge=0, le=10)]
ResetLine = Annotated[int, Meta(ge=2, le=27)]


class ReaderSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a reader is, where it is, and how it is read. `settle` and `release` are in seconds, and by default
    its kind's; `reset` is the line on a PN532's RSTPDN pin; `grab` takes a keyboard's keys from everybody else;
    `apart` says that no other reader is near enough to disturb it.
    """

    kind: ReaderKind = ReaderKind.PN532
    port: str
    reset: ResetLine | None = None
    settle: Seconds | None = None
    release: Seconds | None = None
    grab: bool = True
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a reader cannot be as the file has it, and the key that is to blame; without one, the port."""

    key: str
    words: str


def settings_of(reader: str | ReaderSettings) -> ReaderSettings:
    """The settings of a reader that the file gives as a table, or by the path of its port alone."""
    return ReaderSettings(port=reader) if isinstance(reader, str) else reader


READER_KEYS = Phrase("port and perhaps kind, reset, settle, release, grab, apart")
EXPECTED = {
    "kind": Phrase('"pn532", "rdm6300", "id12la" or "keyboard"'),
    "port": Phrase("the path of a serial port, or of a keyboard's event device"),
    "reset": Phrase("the BCM number of the line on the chip's RSTPDN pin, 2 to 27"),
    "settle": Phrase("seconds from 0 to 10 for which a card must lie before it counts"),
    "release": Phrase("seconds from 0 to 10 after which a card that is not seen has left"),
    "grab": Phrase("true or false"),
    "apart": Phrase("true or false"),
}


def problem_of(settings: ReaderSettings) -> Problem | None:
    """What is wrong with a reader by itself, if anything."""
    able = CAPABILITIES[settings.kind]
    if settings.reset is not None and settings.kind is not ReaderKind.PN532:
        return Problem(
            "reset", Phrase("a reader of kind {kind} has no reset pin; expected none here", kind=settings.kind)
        )
    if not settings.grab and settings.kind is not ReaderKind.KEYBOARD:
        return Problem(
            "grab", Phrase("a reader of kind {kind} types nothing; expected no grab here", kind=settings.kind)
        )
    if settings.settle and not able.sees_lifts:
        words = Phrase(
            "a reader of kind {kind} tells a card once and cannot watch it settle; expected no settle here",
            kind=settings.kind,
        )
        return Problem("settle", words)
    port = port_problem(settings.port)
    if port is None and settings.kind is ReaderKind.KEYBOARD and not settings.port.startswith("/dev/input/"):
        port = Phrase(
            "port of a keyboard is {port}; expected its name under /dev/input/by-path", port=shown(settings.port)
        )
    return None if port is None else Problem("port", port)


def port_problem(port: str) -> str | None:
    """Why a path cannot stand for one device for ever."""
    if not port.startswith("/") or "\0" in port:
        return Phrase("port is {port}; expected a path, such as /dev/serial/by-path/…", port=shown(port))
    said = normal(port)
    if _MOVING_PORT.fullmatch(said):
        place = "/dev/input/by-path" if "/input/" in said else "/dev/serial/by-path"
        return Phrase(
            "{port} can be another device after a restart; expected its name under {place}", port=port, place=place
        )
    if port != said:
        return Phrase("port is {port}; expected it as {said}", port=shown(port), said=said)
    return _twins(port)


def normal(port: str) -> str:
    """A path without what says nothing: `//`, `.` and `..`. Links are left as they are: their names are meant."""
    return "/" + posixpath.normpath(port).lstrip("/")


def _twins(port: str) -> str | None:
    """A name under by-id tells two devices of one maker apart only by their serial numbers, which cheap adapters
    lack: then one name is there for all, and means now this one, now that. Devices without any name under by-id
    give them away.
    """
    found = _BY_ID.fullmatch(port)
    if found is None:
        return None
    folder = Path(found["folder"])
    suffix = "-event-kbd" if port.endswith("-event-kbd") else ""
    named = _devices(folder / "by-id", suffix)
    nameless = _devices(folder / "by-path", suffix, among="usb") - named
    if not nameless:
        return None
    twins = both(sorted(nameless))
    return Phrase(
        "{port} may mean more than one device: {twins} has no such name, so there are several without a serial number; "
        "expected its name under {folder}/by-path",
        port=port,
        twins=twins,
        folder=folder,
    )


def _devices(folder: Path, suffix: str, among: str = "") -> set[str]:
    """What the links in a folder lead to; nothing where there is no such folder."""
    try:
        links = [link for link in folder.iterdir() if link.name.endswith(suffix) and among in link.name]
    except OSError:
        return set()
    return {os.path.realpath(link) for link in links}


def check(file: TomlFile, settings: ReaderSettings, path: KeyPath, *, table: bool) -> None:
    """Raises WiringError when a reader by itself is wrong; `table`: the file gives it as a table at `path`."""
    problem = problem_of(settings)
    if problem is not None:
        raise file.error((*path, problem.key) if table else path, problem.words)
