"""What a seat's LED and the table's buzzer say, as patterns that are stepped by the time that they are told.

Nothing here knows a secret: a cue says what happened at a seat, never with which card.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from hal.backoff import Backoff
from hal.events import DeviceBack, DeviceLost, Event
from hal.gpio import GpioChip
from hal.phrases import said_by


class Cue(StrEnum):
    """What can be said by a light or a sound."""

    OFF = "off"
    YOUR_TURN = "your turn"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    DUPLICATE = "duplicate"
    UNKNOWN_TAG = "unknown tag"
    DEVICE_LOST = "device lost"


Pattern = tuple[tuple[float, bool], ...]
"""Steps of so many seconds on (True) or off (False)."""

# Every blink begins and ends dark, so that it shows on a lit LED too. No step is shorter than a loop may be
# late.
_BLINK: Pattern = ((0.08, False), (0.12, True))
_GAP: Pattern = ((0.08, False),)

LED_BASE: Mapping[Cue, bool] = {Cue.OFF: False, Cue.YOUR_TURN: True}
"""The cues that last: the LED goes back to the newest of them after a pattern."""

LED_PATTERNS: Mapping[Cue, Pattern] = {
    Cue.ACCEPTED: _BLINK + _GAP,
    Cue.REFUSED: _BLINK * 3 + _GAP,
    Cue.DUPLICATE: _BLINK * 2 + _GAP,
    Cue.UNKNOWN_TAG: (*_BLINK, (0.08, False), (0.5, True), *_GAP),
    Cue.DEVICE_LOST: ((0.3, False), (0.5, True)) * 2 + ((0.3, False),),
}

BUZZER_PATTERNS: Mapping[Cue, Pattern] = {
    Cue.YOUR_TURN: ((0.25, True), (0.08, False), (0.08, True)),
    Cue.ACCEPTED: ((0.08, True), (0.08, False), (0.25, True)),
    Cue.REFUSED: ((0.08, True), (0.08, False), (0.08, True)),
    Cue.DUPLICATE: ((0.08, True),),
    Cue.UNKNOWN_TAG: ((0.4, True),),
    Cue.DEVICE_LOST: ((0.8, True),),
}
"""OFF, which is not here, makes no sound."""

_PAUSE: Pattern = ((0.2, False),)  # between what is accepted and whose turn it is then

LATE = 0.5
"""Seconds that a cue may be told late and is still shown from its beginning; what is later is over in part."""


def level_at(pattern: Pattern, elapsed: float) -> bool | None:
    """The level of a pattern `elapsed` seconds after its start; None when it is over."""
    for seconds, level in pattern:
        if elapsed < seconds:
            return level
        elapsed -= seconds
    return None


class _Output(Protocol):
    def on(self) -> None: ...
    def off(self) -> None: ...
    def close(self) -> None: ...


class OutputLine:
    """A line that is written only when its level is to change, and that may fail and come back.

    With a `tone`, in hertz, it carries that while it is on. Raises `LineBusyError` or `GpioError` when it cannot
    be had.
    """

    def __init__(self, name: str, chip: GpioChip, line: int, active_high: bool = True, tone: int | None = None) -> None:
        self.name = name
        self._errors = chip.errors
        self._backoff = Backoff()
        self._output: _Output | None = chip.output(line, active_high) if tone is None else chip.tone(line, tone)
        self._level: bool | None = False  # what the line has; None when a write failed

    def set(self, level: bool, now: float) -> list[Event]:
        """Write the level, if it is not there yet. A failed write is tried again as the back-off allows."""
        if self._output is None or level == self._level or not self._backoff.due(now):
            return []
        try:
            if level:
                self._output.on()
            else:
                self._output.off()
        except self._errors as exc:
            self._level = None
            return [DeviceLost(self.name, said_by(exc), now)] if self._backoff.failed(now) else []
        self._level = level
        return [DeviceBack(self.name, now)] if self._backoff.worked() else []

    def refresh(self) -> None:
        """Write the level anew at the next `set`: a chip that lost its supply for a moment does not say so."""
        self._level = None

    def close(self) -> None:
        """Switch off and give the line up. A line that fails now is given up all the same."""
        if self._output is None:
            return
        output, self._output = self._output, None
        try:
            if self._level is not False:
                output.off()
            output.close()
        except self._errors:
            return  # nothing can be done about it any more, and the chip frees its lines when it closes


class Player:
    """A pattern that is playing, since when. One that is told a little late, as a card is for which the neighbours
    had to look first, loses nothing of its beginning.
    """

    def __init__(self) -> None:
        self._pattern: Pattern = ()
        self._start = 0.0
        self._begun = True

    def play(self, pattern: Pattern, now: float) -> None:
        self._pattern, self._start, self._begun = pattern, now, False

    def rest(self, now: float) -> Pattern:
        """What is still to come of the pattern."""
        if not self._begun and now - self._start <= LATE:
            return self._pattern
        rest, passed = [], now - self._start
        for seconds, level in self._pattern:
            if passed < seconds:
                rest.append((seconds - max(passed, 0.0), level))
            passed -= seconds
        return tuple(rest)

    def step(self, now: float) -> bool | None:
        """The level to be written at `now`; the first call begins the pattern, if that is not too late."""
        if not self._begun:
            self._begun = True
            if now - self._start <= LATE:
                self._start = now
        return self.level(now)

    def plays(self, now: float) -> bool:
        return not self._begun or self.level(now) is not None

    def level(self, now: float) -> bool | None:
        return level_at(self._pattern, now - self._start)


class SeatLed:
    """The LED of one seat. `show` says what, `poll` writes it: nothing reaches the line in between."""

    def __init__(self, line: OutputLine) -> None:
        self._line = line
        self._base = False
        self._player = Player()

    def show(self, cue: Cue, now: float) -> None:
        """Show a cue from `now` on. A lasting one (`LED_BASE`) comes after a pattern that plays; any other
        plays once, in place of a pattern that plays, and then the newest lasting one is back.
        """
        if cue in LED_BASE:
            self._base = LED_BASE[cue]
        else:
            self._player.play(LED_PATTERNS[cue], now)

    def poll(self, now: float) -> list[Event]:
        """Write the level that is due at `now`, if it differs."""
        level = self._player.step(now)
        return self._line.set(self._base if level is None else level, now)

    def plays(self, now: float) -> bool:
        """Whether a pattern plays, or is about to."""
        return self._player.plays(now)

    def end(self, now: float) -> None:
        """End a pattern that plays; the lasting cue is back."""
        self._player.play((), now)

    def refresh(self) -> None:
        """Write the level anew at the next poll."""
        self._line.refresh()

    def close(self) -> None:
        """Switch off and give the line up."""
        self._line.close()


class Buzzer:
    """The table's buzzer, which sounds while its line is on: an active one, or a passive one on a line with a tone."""

    def __init__(self, line: OutputLine) -> None:
        self._line = line
        self._player = Player()
        self._called = False  # whether what sounds says that it is somebody's turn

    def sound(self, cue: Cue, now: float) -> None:
        """Sound a cue from `now` on, in place of one that sounds. OFF ends it. YOUR_TURN comes after one that sounds,
        once for all whose turn it is.
        """
        rest = self._player.rest(now) if cue is Cue.YOUR_TURN else ()
        if rest and self._called:
            return
        self._called = cue is Cue.YOUR_TURN
        pattern = BUZZER_PATTERNS.get(cue, ())
        self._player.play((*rest, *_PAUSE, *pattern) if rest else pattern, now)

    def plays(self, now: float) -> bool:
        """Whether a pattern sounds, or is about to."""
        return self._player.plays(now)

    def poll(self, now: float) -> list[Event]:
        """Write the level that is due at `now`, if it differs."""
        return self._line.set(bool(self._player.step(now)), now)

    def close(self) -> None:
        """Switch off and give the line up."""
        self._line.close()
