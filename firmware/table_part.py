"""The `[table]` of a table file: how the table speaks, and how it is until somebody sets it otherwise there."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from engine.phrases import Phrase, either
from firmware.errors import FileError
from firmware.preferences import LIGHTS, SOUNDED, SOUNDS, Defaults, cue_name
from hal.cues import Cue
from hal.panels import CONTRAST, LEAST_CONTRAST, MOST_CONTRAST
from hal.toml_lines import KeyPath, TomlFile
from hal.toml_types import shown


class TablePart(Struct, frozen=True, forbid_unknown_fields=True):
    """`[table]`: how the table speaks; whether players agree at the table on what is played, also where there is a
    `[game]`, which is then what is proposed at first; and what lights, sounds, buttons and displays do where nothing
    was set at the table. `lights` and `sounds` are the names of cues.
    """

    language: str = "en"
    lobby: bool = False
    sound: bool = True
    lights: tuple[str, ...] = tuple(map(cue_name, LIGHTS))
    sounds: tuple[str, ...] = tuple(map(cue_name, SOUNDED))
    left_handed: tuple[int, ...] = ()
    contrast: Annotated[int, Meta(ge=LEAST_CONTRAST, le=MOST_CONTRAST)] = CONTRAST


EXPECTED: Mapping[str, str] = {
    "table": Phrase("language, lobby, sound, lights, sounds, left_handed or contrast"),
    "language": Phrase('"en" or "ru"'),
    "lobby": Phrase("true or false"),
    "sound": Phrase("true or false"),
    "lights": Phrase("a list of what lights say"),
    "sounds": Phrase("a list of what the buzzer says"),
    "left_handed": Phrase("a list of the numbers of seats"),
    "contrast": Phrase("{least} to {most}", least=LEAST_CONTRAST, most=MOST_CONTRAST),
}
"""What is to be there, by key."""


def defaults_of(file: TomlFile, part: TablePart, seats: int) -> Defaults:
    """What holds at a table of so many seats where nothing was set; raises `FileError`."""
    for index, number in enumerate(part.left_handed):
        if not 1 <= number <= seats:
            problem = Phrase("no seat {seat}; expected 1 to {seats}", seat=number, seats=seats)
            raise _wrong(file, ("table", "left_handed", index), problem)
    lights, sounds = _cues(file, "lights", part.lights, LIGHTS), _cues(file, "sounds", part.sounds, SOUNDS)
    return Defaults(part.sound, lights, sounds, frozenset(part.left_handed), part.contrast)


def _cues(file: TomlFile, key: str, names: tuple[str, ...], known: tuple[Cue, ...]) -> frozenset[Cue]:
    """The cues with these names."""
    by_name = {cue_name(cue): cue for cue in known}
    for index, name in enumerate(names):
        if name not in by_name:
            problem = Phrase("{name} in {key}; expected {listed}", name=shown(name), key=key, listed=either(by_name))
            raise _wrong(file, ("table", key, index), problem)
    return frozenset(by_name[name] for name in names)


def _wrong(file: TomlFile, path: KeyPath, problem: str) -> FileError:
    return FileError(file.name, file.line(path), problem)
