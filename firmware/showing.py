"""The way out: what the seats' displays, LEDs and the buzzer are told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from firmware.low_screens import ROWS as LOW_ROWS
from firmware.low_screens import paint_low
from firmware.preferences import WRONG, Preferences
from firmware.screens import paint
from firmware.seatview import SeatView
from firmware.words import Words
from hal.cues import Cue
from hal.events import Event
from hal.hardware import Hardware
from hal.idle import Idle, beat
from hal.panels import Look

REST = 1.5
"""Seconds that a text which is too long stands before it goes round, so that its beginning can be read."""
PACE = 0.125
"""Seconds from step to step of a text that goes round: all of its rows are sent at each, so not too often."""
PIXELS = 2
"""Pixels of a step."""
ROUNDS = 2
"""Rounds after which it stands again: who has not read it then looks elsewhere, and the wires are quiet."""


def shift_at(seconds: float, length: int) -> int:
    """By how many pixels a text that goes round in `length` has moved on, so long after it came; 0: it stands."""
    moved = PIXELS * int(max(0.0, seconds - REST) / PACE)
    return moved if moved < ROUNDS * length else 0


@lru_cache(maxsize=64)  # asked for each display at every look, and seldom another
def _dressed(look: Look, beat: bool, contrast: int) -> Look:
    return replace(look, beat=beat, contrast=contrast)


class Showing:
    """Hands the hardware what has changed since the last time, seat by seat, as each place and the table want it.

    `answers` tells whether the display of a place, if it has one, can be read.
    """

    def __init__(
        self, hardware: Hardware, words: Words, preferences: Preferences, answers: Callable[[int], bool]
    ) -> None:
        self._hardware = hardware
        self._words = words
        self._preferences = preferences
        self._answers = answers
        self._shown: dict[int, SeatView] = {}
        self._asked: dict[int, bool] = {}
        self._rounds: dict[int, tuple[float, int, int]] = {}
        """By place, of a display where a text goes round: since when, how long a round is, where it is."""
        self._bases: dict[int, Cue] = {}
        self._lit: dict[int, Cue] = {}
        self._sounded = Cue.OFF
        self._waiting: dict[tuple[int, Cue], None] | None = None  # cues of a change that is not complete, in order
        self._idle = Idle()
        self._looks: dict[int, Look] = {}
        self._beat = False
        self._brighten()

    def speak(self, words: Words) -> None:
        """Show everything in these words from now on."""
        if (words.language, words.game) != (self._words.language, self._words.game):
            self._words = words
            self._shown.clear()
            self._rounds.clear()

    def show(self, place: int, seen: SeatView, *, asked: bool, first: bool, now: float) -> None:
        """Show a place its view, and `first` of all who did something there; its LED is lit while it is `asked` for
        something. What is on the way to something else (`at_once`) is not shown.
        """
        if self._waiting is not None:
            return
        display = self._hardware.displays.get(place)
        if display is not None and self._shown.get(place) != seen:
            self._shown[place] = seen
            length = self._draw(place, 0, first)
            self._rounds.pop(place, None)
            if length:
                self._rounds[place] = now, length, 0
        base = Cue.YOUR_TURN if asked and self._preferences.light(place, Cue.YOUR_TURN) else Cue.OFF
        if self._bases.get(place) != base:
            self._bases[place] = base
            for light in self._hardware.lights(place):
                light.show(base, now)
        if asked and self._asked.get(place) is False:  # not where it has been so from the start
            self._sound(Cue.YOUR_TURN, now)
        self._asked[place] = asked

    def _draw(self, place: int, shift: int, first: bool = False) -> int:
        """Draw what a place is shown; how long a text is there that goes round."""
        display = self._hardware.displays[place]
        painted = paint_low if display.panel.rows == LOW_ROWS else paint
        canvas = painted(self._shown[place], self._words, shift)
        display.show(canvas.image, first=first)
        return canvas.round

    def _go_round(self, now: float) -> None:
        """Move texts on that are too long for their place, until each has been round twice."""
        for place, (since, length, before) in list(self._rounds.items()):
            shift = shift_at(now - since, length)
            if shift != before:
                self._rounds[place] = since, length, shift
                self._draw(place, shift)
            if before and not shift:
                del self._rounds[place]

    def wake(self, event: Event) -> bool:
        """Note that something happens at the table; whether that does nothing but bring dark displays back."""
        return self._idle.take(event, self._hardware.displays)

    def stir(self, now: float) -> None:
        """Note that the game goes on: that is no rest, whatever brought it about."""
        self._idle.wake(now)

    def beat(self, now: float) -> None:
        """Show that somebody decides: called by the deciding loop as time passes, and by nothing else. A picture stays
        on its glass when the program hangs, and looks well.
        """
        self._beat = beat(now)
        self._go_round(now)
        self.dress(now)

    def dress(self, now: float) -> None:
        """Let displays at rest grow dim and dark, and move what they show over the glass: all seats alike, but for the
        contrast that each has been set to.
        """
        common = self._idle.look(now)
        for place, display in self._hardware.displays.items():
            look = _dressed(common, self._beat, self._preferences.contrast(place))
            if look != self._looks.get(place):
                self._looks[place] = look
                display.dress(look)

    def cue(self, place: int, cue: Cue, now: float) -> None:
        """A cue by the light of a place, and by the table's sound, as far as they are wanted. What is wrong is lit, or
        else sounded, whatever was set, where no display tells it.
        """
        if self._waiting is not None:
            self._waiting.pop((place, cue), None)
            self._waiting[place, cue] = None
            return
        lights = list(self._hardware.lights(place))
        unread = cue in WRONG and not (place in self._hardware.displays and self._answers(place))
        if unread or self._preferences.light(place, cue):
            self._lit[place] = cue
            for light in lights:
                light.show(cue, now)
        self._sound(cue, now, unread and not lights)

    def _sound(self, cue: Cue, now: float, needed: bool = False) -> None:
        if self._hardware.buzzer is not None and (needed or self._preferences.sound(cue)):
            self._sounded = cue
            self._hardware.buzzer.sound(cue, now)

    @contextmanager
    def at_once(self, now: Callable[[], float]) -> Iterator[None]:
        """What happens within is one change: nothing is shown before its end, and the same cue is given once, by the
        time that it is then.
        """
        self._waiting = {}
        try:
            yield
        finally:
            cues, self._waiting = self._waiting, None
            for place, cue in cues:
                self.cue(place, cue, now())

    def adjust(self, now: float) -> None:
        """Go by what was set now: at once, also where something else is lit or sounds."""
        for place, cue in self._lit.items():
            if not self._preferences.light(place, cue):
                for light in self._hardware.lights(place):
                    light.end(now)
        if self._hardware.buzzer is not None and not self._preferences.sound(self._sounded):
            self._hardware.buzzer.sound(Cue.OFF, now)
        self._brighten()
        self.resend()
        self.dress(now)

    def _brighten(self) -> None:
        if self._hardware.strip is not None:
            self._hardware.strip.brightness = self._preferences.brightness

    def resend(self) -> None:
        """Tell the lights anew what they are to say, from how things are: what they said before may no longer be so."""
        self._bases.clear()
        self._hardware.refresh_lights()

    def renew(self) -> None:
        """Set all displays and lights up anew: a chip that lost its supply for a moment does not say so."""
        self.resend()
        for display in self._hardware.displays.values():
            display.refresh()
