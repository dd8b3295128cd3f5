"""All settings of a table and its places as plain rows: what each is called, what holds, and what it may be."""

from collections.abc import Iterator
from typing import NamedTuple

from firmware.desk import Desk
from firmware.preferences import (
    LEAST_BRIGHTNESS,
    LIGHTS,
    MOST_BRIGHTNESS,
    OFF,
    ON,
    SOUND,
    SOUNDS,
    STRIP,
    contrast_key,
    cue_name,
    hand_key,
    light_key,
    sound_key,
)
from firmware.settings import LANGUAGE
from firmware.words import LANGUAGES
from hal.panels import LEAST_CONTRAST, MOST_CONTRAST


class SettingRow(NamedTuple):
    """A setting: the place that it belongs to (0: all), its subject, the cue that it is about if it is about one, its
    value, and either the values that it may have or a least and a most whole number.
    """

    key: str
    place: int
    subject: str
    cue: str
    value: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def takes(self, value: str) -> bool:
        """Whether a text can be its value."""
        if self.values:
            return value in self.values
        return value.isascii() and value.isdigit() and len(value) < 6 and self.least <= int(value) <= self.most


def setting_rows(desk: Desk) -> tuple[SettingRow, ...]:
    """The settings of the table, then those of each place: of what is wired here alone (`firmware.settings_menu`)."""
    return (*_table(desk), *(row for place in desk.places for row in _own(desk, place)))


def _table(desk: Desk) -> Iterator[SettingRow]:
    wanted, hardware = desk.preferences, desk.hardware
    yield SettingRow(LANGUAGE, 0, LANGUAGE, "", desk.words.language, LANGUAGES)
    if hardware.buzzer is not None:
        yield _switch(SOUND, 0, SOUND, "", wanted.loud)
        for cue in SOUNDS:
            yield _switch(sound_key(cue), 0, "sounds", cue_name(cue), wanted.says(cue))
    if hardware.strip is not None:
        yield SettingRow(STRIP, 0, STRIP, "", str(wanted.brightness), least=LEAST_BRIGHTNESS, most=MOST_BRIGHTNESS)


def _own(desk: Desk, place: int) -> Iterator[SettingRow]:
    wanted, hardware = desk.preferences, desk.hardware
    yield _switch(hand_key(place), place, "left-handed", "", wanted.left_handed(place))
    if place in hardware.displays:
        yield SettingRow(
            contrast_key(place), place, "contrast", "", str(wanted.contrast(place)),
            least=LEAST_CONTRAST, most=MOST_CONTRAST,
        )  # fmt: skip
    if any(hardware.lights(place)):
        for cue in LIGHTS:
            yield _switch(light_key(place, cue), place, "lights", cue_name(cue), wanted.light(place, cue))


def _switch(key: str, place: int, subject: str, cue: str, on: bool) -> SettingRow:
    return SettingRow(key, place, subject, cue, ON if on else OFF, (ON, OFF))
