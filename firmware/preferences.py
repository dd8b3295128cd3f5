"""How the table, and each place at it, is to say things and to be used: as was set there, else as the table file says.

What is set is remembered as settings of the table (`firmware.settings`), the own ones of a place by its number.
"""

from typing import NamedTuple

from firmware.settings import Settings
from hal.cues import BUZZER_PATTERNS, LED_BASE, LED_PATTERNS, Cue
from hal.panels import CONTRAST, LEAST_CONTRAST, MOST_CONTRAST

LIGHTS: tuple[Cue, ...] = tuple(cue for cue in Cue if cue in (*LED_BASE, *LED_PATTERNS) and cue is not Cue.OFF)
"""What a light can say."""
SOUNDS: tuple[Cue, ...] = tuple(cue for cue in Cue if cue in BUZZER_PATTERNS)
"""What the buzzer can say."""
SOUNDED = (Cue.REFUSED, Cue.DUPLICATE, Cue.UNKNOWN_TAG, Cue.DEVICE_LOST)
"""What it does say where nothing else is said."""
WRONG = frozenset({Cue.REFUSED, Cue.DUPLICATE, Cue.UNKNOWN_TAG, Cue.DEVICE_LOST})
"""What nobody may miss who has no display to read it on."""
LEAST_BRIGHTNESS, MOST_BRIGHTNESS = 1, 31
"""What the brightness of a strip may be."""

SOUND = "sound"
STRIP = "strip"
ON, OFF = "on", "off"


class Defaults(NamedTuple):
    """What holds where nothing was set at the table."""

    sound: bool = True
    lights: frozenset[Cue] = frozenset(LIGHTS)
    sounds: frozenset[Cue] = frozenset(SOUNDED)
    left_handed: frozenset[int] = frozenset()
    contrast: int = CONTRAST


AT_FIRST = Defaults()
"""What holds where neither the table file nor anybody at the table has said anything."""


def cue_name(cue: Cue) -> str:
    """A cue in a table file, a setting and a choice."""
    return cue.value.replace(" ", "-")


def light_key(place: int, cue: Cue) -> str:
    """The setting of a cue by the light of a place."""
    return f"place:{place}:light:{cue_name(cue)}"


def sound_key(cue: Cue) -> str:
    """The setting of a cue by the buzzer."""
    return f"sound:{cue_name(cue)}"


def hand_key(place: int) -> str:
    """The setting of the order of a place's buttons."""
    return f"place:{place}:left-handed"


def contrast_key(place: int) -> str:
    """The setting of the contrast of a place's display."""
    return f"place:{place}:contrast"


class Preferences:
    """What holds now. `brightness` is that of the strip where nothing was set."""

    def __init__(self, settings: Settings, defaults: Defaults = AT_FIRST, brightness: int = MOST_BRIGHTNESS) -> None:
        self._settings = settings
        self._defaults = defaults
        self._brightness = brightness

    def light(self, place: int, cue: Cue) -> bool:
        """Whether the light of a place says a cue."""
        return self._is_on(light_key(place, cue), cue in self._defaults.lights)

    def says(self, cue: Cue) -> bool:
        """Whether a cue is among those that are sounded while there is sound at all."""
        return self._is_on(sound_key(cue), cue in self._defaults.sounds)

    @property
    def loud(self) -> bool:
        """Whether there is sound at all."""
        return self._is_on(SOUND, self._defaults.sound)

    def sound(self, cue: Cue) -> bool:
        """Whether the buzzer says a cue."""
        return self.loud and self.says(cue)

    def left_handed(self, place: int) -> bool:
        """Whether ◀ and ▶ change places."""
        return self._is_on(hand_key(place), place in self._defaults.left_handed)

    def contrast(self, place: int) -> int:
        """The contrast of a place's display while it is not dim."""
        return self._settings.number(contrast_key(place), self._defaults.contrast, LEAST_CONTRAST, MOST_CONTRAST)

    @property
    def brightness(self) -> int:
        """The brightness of the strip."""
        return self._settings.number(STRIP, self._brightness, LEAST_BRIGHTNESS, MOST_BRIGHTNESS)

    def _is_on(self, key: str, otherwise: bool) -> bool:
        said = self._settings.get(key)
        return said == ON if said in (ON, OFF) else otherwise
