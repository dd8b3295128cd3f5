"""What a place sets by its menu: how it wants to be told things itself, and how the whole table is.

Each setting holds at once, and the dialog stays, so that one sees and hears what it does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.asks import Ask, Token
from firmware import preferences
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Open, Outcome, Pick, Put
from firmware.preferences import LIGHTS, OFF, ON, SOUND, SOUNDS, STRIP, cue_name
from firmware.seatview import Sheet
from firmware.settings import LANGUAGE
from firmware.words import LANGUAGE_NAMES, Length
from hal.cues import Cue

OWN, TABLE = "own-settings", "table-settings"
HAND, LIGHT, CONTRAST = "left-handed", "lights", "contrast"
SOUNDED, LANGUAGES = "sounds", "language"
CONTRASTS = (0x10, 0x30, 0x60, 0x8F, 0xCF)
"""Contrasts of a display, of 255, that can be chosen."""
BRIGHTNESSES = (1, 3, 8, 16, 31)
"""Brightnesses of a strip, of 31, that can be chosen."""
_CUE, _LEVEL = "cue:", "level:"


class Listed(Dialog):
    """Settings, each with what holds now, or the values of one. `rows` are the choices and their words; `big` is what
    stands above them.
    """

    lasts = True

    def __init__(
        self,
        prompt: str,
        rows: Callable[[], Mapping[str, str]],
        then: Callable[[str], Outcome],
        big: Callable[[], str] = str,
        start: int = 0,
    ) -> None:
        self._prompt = prompt
        self._rows = rows
        self._then = then
        self._big = big
        self._start = start

    def sheet(self, place: int) -> Sheet:
        """The settings as they are now."""
        rows = self._rows()
        ask = Ask(self._prompt, choices=(*rows, GO_ON))
        return Sheet(ask, labels=tuple((code, said) for code, said in rows.items() if said), typed=self._big(),
                     start=self._start)  # fmt: skip

    def give(self, place: int, token: Token) -> Outcome:
        """Set something, or go on to where it is set."""
        return Close() if token == GO_ON else self._then(str(token))


def settings_menu(desk: Desk, place: int) -> Dialog:
    """What can be set at a place."""
    return Pick("settings", (OWN, TABLE, GO_ON), lambda choice: Open(_SUBJECTS[choice](desk, place)))


def _own(desk: Desk, place: int) -> Dialog:
    wanted, hardware = desk.preferences, desk.hardware

    def rows() -> dict[str, str]:
        found = {HAND: _marked(desk.words.choice(HAND, Length.OLED), wanted.left_handed(place))}
        if any(hardware.lights(place)):
            found[LIGHT] = ""
        if place in hardware.displays:
            found[CONTRAST] = _with(desk, CONTRAST, _level(CONTRASTS, wanted.contrast(place)))
        return found

    def then(choice: str) -> Outcome:
        if choice == HAND:
            return _turn(preferences.hand_key(place), wanted.left_handed(place))
        if choice == LIGHT:
            return Open(
                _cues(desk, LIGHT, LIGHTS, lambda cue: wanted.light(place, cue),
                      lambda cue: preferences.light_key(place, cue))
            )  # fmt: skip
        return Open(_levels(CONTRAST, CONTRASTS, preferences.contrast_key(place), lambda: wanted.contrast(place)))

    return Listed(OWN, rows, then)


def _table(desk: Desk, place: int) -> Dialog:
    wanted, hardware = desk.preferences, desk.hardware

    def rows() -> dict[str, str]:
        found = {}
        if hardware.buzzer is not None:
            found = {SOUND: _marked(desk.words.choice(SOUND, Length.OLED), wanted.loud), SOUNDED: ""}
        if hardware.strip is not None:
            found[STRIP] = _with(desk, STRIP, _level(BRIGHTNESSES, wanted.brightness))
        return found | {LANGUAGES: ""}

    def then(choice: str) -> Outcome:
        if choice == SOUND:
            return _turn(SOUND, wanted.loud)
        if choice == SOUNDED:
            return Open(_cues(desk, SOUNDED, SOUNDS, wanted.says, preferences.sound_key))
        if choice == LANGUAGES:
            start = [*LANGUAGE_NAMES].index(desk.words.language)
            return Open(Listed(LANGUAGES, lambda: LANGUAGE_NAMES, lambda chosen: Put(LANGUAGE, chosen), start=start))
        return Open(_levels(STRIP, BRIGHTNESSES, STRIP, lambda: wanted.brightness))

    return Listed(TABLE, rows, then)


_SUBJECTS = {OWN: _own, TABLE: _table}


def _cues(
    desk: Desk, prompt: str, cues: Iterable[Cue], says: Callable[[Cue], bool], key: Callable[[Cue], str]
) -> Dialog:
    """Cues that are each on or off."""
    by_choice = {f"{_CUE}{cue_name(cue)}": cue for cue in cues}

    def rows() -> dict[str, str]:
        return {
            choice: _marked(desk.words.short(f"cue-{cue_name(cue)}"), says(cue)) for choice, cue in by_choice.items()
        }

    return Listed(prompt, rows, lambda choice: _turn(key(by_choice[choice]), says(by_choice[choice])))


def _levels(prompt: str, steps: Sequence[int], key: str, now: Callable[[], int]) -> Dialog:
    """A value in steps, the lowest first."""
    by_choice = {f"{_LEVEL}{number}": step for number, step in enumerate(steps, 1)}
    labels = {choice: choice.removeprefix(_LEVEL) for choice in by_choice}
    return Listed(
        prompt,
        lambda: labels,
        lambda choice: Put(key, str(by_choice[choice])),
        big=lambda: f"{_level(steps, now())}/{len(steps)}",
        start=int(_level(steps, now())) - 1,
    )


def _turn(key: str, on: bool) -> Outcome:
    return Put(key, OFF if on else ON)


def _level(steps: Sequence[int], value: int) -> str:
    """The number of the step that is nearest to a value, from 1."""
    return str(1 + min(range(len(steps)), key=lambda place: abs(steps[place] - value)))


def _marked(said: str, on: bool) -> str:
    return f"{'●' if on else '○'} {said}"


def _with(desk: Desk, choice: str, value: str) -> str:
    return f"{desk.words.choice(choice, Length.OLED)}: {value}"
