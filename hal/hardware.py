"""All devices of one table, opened as its wiring says. Stepped by `poll`, or driven by `hal.threads`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from hal.buttons import Buttons
from hal.cues import Buzzer, OutputLine, SeatLed
from hal.displays import DisplayBus, SeatDisplay
from hal.events import Button, Event
from hal.oled import Bus
from hal.reader import CardReader
from hal.wires import Wires
from hal.wiring import BUZZER, Wiring, display_name, led_name

READER_INTERVAL = 0.08
"""Seconds from one poll of a reader to the next."""


class Hardware:
    """The devices of a table. Raises `hal.gpio.GpioError` when a GPIO line cannot be had; a display or a reader
    that is not there is reported as lost and tried again.
    """

    def __init__(self, wiring: Wiring, wires: Wires, wake: Callable[[], None] | None = None) -> None:
        self._close = ExitStack()
        try:
            self._open(wiring, wires, wake)
        except BaseException:
            self._close.close()
            raise

    def _open(self, wiring: Wiring, wires: Wires, wake: Callable[[], None] | None) -> None:
        self._close.callback(wires.close)
        chip = wires.open_chip()
        self._close.callback(chip.close)
        self.buttons: dict[int, Buttons] = {}
        self.leds: dict[int, SeatLed] = {}
        self.displays: dict[int, SeatDisplay] = {}
        by_bus: dict[int, list[SeatDisplay]] = {}
        for seat in wiring.seats:
            number = seat.number
            lines = {button: (chip, getattr(seat.buttons, button.value)) for button in Button}
            self.buttons[number] = Buttons(number, lines, wake=wake)
            self._close.callback(self.buttons[number].close)
            if seat.led is not None:
                self.leds[number] = SeatLed(OutputLine(led_name(number), chip, seat.led))
                self._close.callback(self.leds[number].close)
            if seat.display is not None:
                place = seat.display
                display = SeatDisplay(display_name(number), _opener(wires, place.bus), place.address, place.panel)
                self.displays[number] = display
                by_bus.setdefault(place.bus, []).append(display)
        self.buses = {bus: DisplayBus(displays) for bus, displays in by_bus.items()}
        for display_bus in self.buses.values():
            self._close.callback(display_bus.close)
            display_bus.darken()
        self.readers: dict[str, CardReader] = {}
        for reader in wiring.readers():
            self.readers[reader.name] = CardReader(reader.name, wires.serial_path(reader))
            self._close.callback(self.readers[reader.name].close)
        self.buzzer: Buzzer | None = None
        if wiring.buzzer is not None:
            self.buzzer = Buzzer(OutputLine(BUZZER, chip, wiring.buzzer.line))
            self._close.callback(self.buzzer.close)
        self._readers_due = 0.0

    @property
    def busy(self) -> bool:
        """Whether a button is being pressed, so that the lines should be looked at often."""
        return any(buttons.busy for buttons in self.buttons.values())

    def poll_lines(self, now: float) -> list[Event]:
        """Look at the buttons and step the cues."""
        events = [event for buttons in self.buttons.values() for event in buttons.poll(now)]
        for cue in self._cues():
            events += cue.poll(now)
        return events

    def poll_readers(self, now: float) -> list[Event]:
        """Poll the readers that are due; for a table without device threads."""
        if now < self._readers_due:
            return []
        self._readers_due = now + READER_INTERVAL
        return [event for reader in self.readers.values() for event in reader.poll(now)]

    def poll_displays(self, now: float) -> list[Event]:
        """Write what the displays do not show yet."""
        return [event for bus in self.buses.values() for event in bus.poll(now)]

    def close(self) -> None:
        """Leave everything dark and give it up. Closing again does nothing."""
        self._close.close()

    def _cues(self) -> Iterator[SeatLed | Buzzer]:
        yield from self.leds.values()
        if self.buzzer is not None:
            yield self.buzzer


def _opener(wires: Wires, bus: int) -> Callable[[], Bus]:
    return lambda: wires.open_bus(bus)
