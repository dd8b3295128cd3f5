"""The three buttons of a seat, between a GPIO line and ground each.

The levels are what counts; the edges that lgpio reports only say when to look sooner. So a lost edge, or the
death of lgpio's notify thread, makes a button slower by `REREAD` and nothing worse. A chip that reports no edges,
as one whose interrupt is not wired, is read at every poll.
"""

from collections.abc import Callable, Mapping

from gpiozero import DigitalInputDevice, InputDevice

from hal.backoff import Backoff
from hal.events import Button, ButtonStuck, Chord, DeviceBack, DeviceLost, Event, Held, Pressed, Released
from hal.gpio import GpioChip
from hal.phrases import Phrase, said_by
from hal.presses import PressDecoder, Turn

REREAD = 0.025
"""Seconds after which the level of a button at rest is read again, edge or no edge: at each look of a thread that looks
every 0.03 s. So a press of 0.06 s is seen without edges too, and has settled before it ends.
"""

TOGETHER = 0.15
"""Seconds within which buttons go down that are meant together."""

Wake = Callable[[], object]


class _Line:
    """One button: its line, the edge noted on it, and what is known of its level."""

    def __init__(self, chip: GpioChip, line: int, name: str, decoder: PressDecoder, wake: Wake | None) -> None:
        self.name = name
        self.decoder = decoder
        self.backoff = Backoff()
        self.errors = chip.errors
        self._wake = wake
        self._read_at: float | None = None
        self._device: InputDevice | None = chip.input(line)
        self._edge = chip.edges(line)
        self._has_edges = isinstance(self._device, DigitalInputDevice)
        if self._has_edges:
            self._device.when_activated = self._note_edge
            self._device.when_deactivated = self._note_edge

    def _note_edge(self) -> None:
        """Runs in lgpio's only notify thread, which an exception would end for every button of the table."""
        self._edge.set()
        if self._wake is not None:
            try:
                self._wake()
            except Exception:  # whatever it is: see above; the next poll finds the level anyway
                return

    def wants_reading(self, now: float) -> bool:
        """Whether reading the level could tell anything."""
        if self._device is None or not self.backoff.due(now):
            return False
        if self._read_at is None or self._edge.is_set() or not self.decoder.at_rest or not self._has_edges:
            return True
        return now - self._read_at >= REREAD

    def read(self, now: float) -> tuple[bool, bool]:
        """Whether the button is down, and whether an edge came since the last reading. Raises one of
        `errors`.
        """
        if self._device is None:
            return False, False
        edge = self._edge.take()  # before the reading: an edge after it must count for the next one
        self._read_at = now
        return bool(self._device.is_active), edge

    def close(self) -> None:
        if self._device is not None:
            device, self._device = self._device, None
            if self._has_edges:
                device.pin.when_changed = None  # closing a gpiozero device leaves its callback with lgpio
            device.close()


class Buttons:
    """The buttons of one seat.

    `lines` says on which line of which chip each button lies. `wake`, if given, is called in lgpio's thread
    at every edge, to make the polling loop look at once; it must only set a flag or the like. Raises
    `LineBusyError` or `GpioError`, naming the line, when one cannot be had; the others are then free again.
    """

    def __init__(
        self,
        seat: int,
        lines: Mapping[Button, tuple[GpioChip, int]],
        *,
        settle: float = 0.010,
        hold: float = 0.6,
        stuck: float = 60.0,
        wake: Wake | None = None,
    ) -> None:
        self.seat = seat
        self._stuck_words = Phrase("held down for {seconds:g} s", seconds=stuck)
        self._held: set[Button] = set()  # down for the hold time, and not told: others that may belong to it were not
        self._lines: dict[Button, _Line] = {}
        try:
            for button, (chip, line) in lines.items():
                name = f"seat {seat} {button} button"
                self._lines[button] = _Line(chip, line, name, PressDecoder(settle, hold, stuck), wake)
        except BaseException:
            self.close()
            raise

    @property
    def busy(self) -> bool:
        """Whether a press is under way, so that polls should follow each other at the settle time or faster."""
        return any(not line.decoder.at_rest for line in self._lines.values())

    def poll(self, now: float) -> list[Event]:
        """Look at the buttons at `now` and return what happened since the last poll.

        A button that is stuck, or whose line cannot be read, is lost: `ButtonStuck` or another `DeviceLost` ends a
        press that is under way, and no `Released` follows for it.
        """
        events: list[Event] = []
        for button, line in self._lines.items():
            if not line.wants_reading(now):
                continue
            try:
                down, edge = line.read(now)
            except line.errors as exc:
                line.decoder.reset()
                if line.backoff.failed(now):
                    events.append(DeviceLost(line.name, said_by(exc), now))
                continue
            if line.backoff.worked():
                events.append(DeviceBack(line.name, now))
            for turn in line.decoder.sample(down, edge, now):
                events += self._events(button, line, turn, now)
        return events + self._left_alone(now)

    def close(self) -> None:
        """Give the lines up. Closing again does nothing."""
        for line in self._lines.values():
            line.close()

    def _events(self, button: Button, line: _Line, turn: Turn, now: float) -> list[Event]:
        if turn is Turn.HELD:
            self._held.add(button)
            return self._told(button, now)
        events = [self._event(button, line, turn, now)]
        if turn is Turn.RELEASED_AFTER_HOLD and button in self._held:
            events.insert(0, Held(self.seat, button, now))  # it leaves before the others' hold time: no chord
        if turn is not Turn.PRESSED:
            self._held.discard(button)
        return events

    def _told(self, button: Button, now: float) -> list[Event]:
        """The hold or the chord of a button that was held, once all that belong to it were: the others are due within
        `TOGETHER` of each other.
        """
        chord = self._chord(button)
        if not chord <= self._held:
            return []
        self._held -= chord
        return [Held(self.seat, button, now) if len(chord) == 1 else Chord(self.seat, frozenset(chord), now)]

    def _left_alone(self, now: float) -> list[Event]:
        """Holds and chords that have waited for a button which came up again, or was lost."""
        return [event for button in tuple(self._held) if button in self._held for event in self._told(button, now)]

    def _chord(self, button: Button) -> set[Button]:
        """The buttons that are down and went down together with this one, itself included: each within `TOGETHER` of
        another, for three fingers take longer than two.
        """
        known = {each: line.decoder.down_since for each, line in self._lines.items()}
        downs = {each: since for each, since in known.items() if since is not None}
        self._held &= {button, *downs}
        chord = {button}
        for _ in downs:
            chord |= {
                each
                for each, since in downs.items()
                if any(abs(since - downs[other]) <= TOGETHER for other in chord if other in downs)
            }
        return chord

    def _event(self, button: Button, line: _Line, turn: Turn, now: float) -> Event:
        match turn:
            case Turn.PRESSED:
                return Pressed(self.seat, button, now)
            case Turn.HELD:
                return Held(self.seat, button, now)
            case Turn.RELEASED:
                return Released(self.seat, button, False, now)
            case Turn.RELEASED_AFTER_HOLD:
                return Released(self.seat, button, True, now)
            case Turn.STUCK:
                return ButtonStuck(line.name, self._stuck_words, now, self.seat, button)
            case Turn.FREED:
                return DeviceBack(line.name, now)
