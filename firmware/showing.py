"""The way out: what the seats' displays, LEDs and the buzzer are told."""

from dataclasses import replace

from firmware.low_screens import ROWS as LOW_ROWS
from firmware.low_screens import draw_low
from firmware.screens import draw
from firmware.seatview import SeatView
from firmware.words import Words
from hal.cues import Cue
from hal.events import Event
from hal.hardware import Hardware
from hal.idle import Idle, beat
from hal.panels import Look


class Showing:
    """Hands the hardware what has changed since the last time, seat by seat."""

    def __init__(self, hardware: Hardware, words: Words) -> None:
        self._hardware = hardware
        self._words = words
        self._shown: dict[int, SeatView] = {}
        self._bases: dict[int, Cue] = {}
        self._idle = Idle()
        self._look = Look()
        self._beat = False

    def speak(self, words: Words) -> None:
        """Show everything in these words from now on."""
        if (words.language, words.game) != (self._words.language, self._words.game):
            self._words = words
            self._shown.clear()

    def show(self, place: int, seen: SeatView, *, asked: bool, now: float) -> None:
        """Show a place its view; its LED is lit while it is `asked` for something."""
        display = self._hardware.displays.get(place)
        if display is not None and self._shown.get(place) != seen:
            self._shown[place] = seen
            drawn = draw_low if display.panel.rows == LOW_ROWS else draw
            display.show(drawn(seen, self._words))
        base = Cue.YOUR_TURN if asked else Cue.OFF
        if self._bases.get(place) != base:
            self._bases[place] = base
            for light in self._hardware.lights(place):
                light.show(base, now)

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
        self.dress(now)

    def dress(self, now: float) -> None:
        """Let displays at rest grow dim and dark, and move what they show over the glass: all seats alike."""
        look = replace(self._idle.look(now), beat=self._beat)
        if look != self._look:
            self._look = look
            for display in self._hardware.displays.values():
                display.dress(look)

    def cue(self, place: int, cue: Cue, now: float) -> None:
        """A cue by the light of a place, and by the table's sound."""
        for light in self._hardware.lights(place):
            light.show(cue, now)
        if self._hardware.buzzer is not None:
            self._hardware.buzzer.sound(cue, now)

    def renew(self) -> None:
        """Set all displays and lights up anew: a chip that lost its supply for a moment does not say so."""
        self._hardware.refresh_lights()
        for display in self._hardware.displays.values():
            display.refresh()
