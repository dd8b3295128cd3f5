"""All devices of one table, opened as its wiring says. Stepped by `poll`, or driven by `hal.threads`."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from functools import partial

from hal.buttons import Buttons
from hal.capture import I2C, LINES
from hal.chips import Chips
from hal.cues import Buzzer, OutputLine, SeatLed
from hal.displays import DisplayBus, SeatDisplay
from hal.events import Button, Event
from hal.oled import Bus
from hal.reader import CardReader
from hal.reader_group import REST_AFTER, ReaderGroup
from hal.reader_kinds import CAPABILITIES
from hal.strip import ReopenedSpi, SeatGlow, Strip
from hal.wires import Wires
from hal.wiring import BUZZER, DisplayPlace, ReaderPlace, Wiring, display_name, led_name, reset_name


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
        self._looked = wires.looked
        self._pressed: float | None = None
        self.chips = chips = Chips(wiring, wires)
        self._close.callback(chips.close)
        self.buttons: dict[int, Buttons] = {}
        self.leds: dict[int, SeatLed] = {}
        self.strip: Strip | None = None
        self.displays: dict[int, SeatDisplay] = {}
        by_bus: dict[int, list[SeatDisplay]] = {}
        for seat in wiring.seats:
            number = seat.number
            lines = {button: chips.at(getattr(seat.buttons, button.value)) for button in Button}
            self.buttons[number] = Buttons(number, lines, wake=wake)
            self._close.callback(self.buttons[number].close)
            if seat.led is not None:
                self.leds[number] = SeatLed(OutputLine(led_name(number), *chips.at(seat.led)))
                self._close.callback(self.leds[number].close)
            if seat.display is not None:
                self.displays[number] = seat_display(number, seat.display, wires)
                by_bus.setdefault(seat.display.bus, []).append(self.displays[number])
        self.buses = {
            bus: DisplayBus(displays, partial(wires.looked, f"{I2C}{bus}")) for bus, displays in by_bus.items()
        }
        for display_bus in self.buses.values():
            self._close.callback(display_bus.close)
            display_bus.darken()
        self.readers: dict[str, CardReader] = {}
        neighbours: list[CardReader] = []
        apart: list[CardReader] = []
        for reader in wiring.readers():
            reset: OutputLine | None = None
            if reader.reset is not None:
                reset = OutputLine(reset_name(reader.name), *chips.at(reader.reset), active_high=False)
                self._close.callback(reset.close)
            self.readers[reader.name] = card_reader(reader, wires, reset)
            self._close.callback(self.readers[reader.name].close)
            (apart if reader.apart else neighbours).append(self.readers[reader.name])
        self.reader_groups = [
            ReaderGroup(group, looked=wires.looked) for group in (neighbours, *([one] for one in apart)) if group
        ]
        self.buzzer: Buzzer | None = None
        if wiring.buzzer is not None:
            self.buzzer = Buzzer(OutputLine(BUZZER, *chips.at(wiring.buzzer.line), tone=wiring.buzzer.tone))
            self._close.callback(self.buzzer.close)
        if wiring.strip is not None:
            strip = wiring.strip
            port = ReopenedSpi(lambda: wires.open_spi(strip.port))
            self.strip = Strip(port, len(wiring.seats), strip.leds, strip.brightness)
            self._close.callback(self.strip.close)

    @property
    def busy(self) -> bool:
        """Whether a button is being pressed, so that the lines should be looked at often."""
        return any(buttons.busy for buttons in self.buttons.values())

    def poll_lines(self, now: float) -> list[Event]:
        """Look at the buttons and step the cues."""
        self._looked(LINES, now)
        events = [event for buttons in self.buttons.values() for event in buttons.poll(now)]
        if events or self._pressed is None:
            self._pressed = now
            for group in self.reader_groups:
                group.stir(now)
        for cue in self._cues():
            events += cue.poll(now)
        return events

    def at_rest(self, now: float) -> bool:
        """Whether nothing has been going on at any reader or button for a while, and nothing blinks or sounds."""
        pressed = self._pressed is not None and now - self._pressed < REST_AFTER
        return (
            not pressed
            and not any(cue.plays(now) for cue in self._cues())
            and all(group.rests(now) for group in self.reader_groups)
        )

    def poll_readers(self, now: float) -> list[Event]:
        """Poll the readers that are due; for a table without device threads."""
        return [event for group in self.reader_groups for event in group.poll_all(now)]

    def poll_reader(self, name: str, now: float) -> list[Event]:
        """Poll one reader, whether it is due or not."""
        return self._group(name).poll_reader(name, now)

    def enrol(self, uids: Collection[str]) -> None:
        """Tell the readers which tags are the table's (see `CardReader.enrol`)."""
        for reader in self.readers.values():
            reader.enrol(uids)

    def lay_there(self, reader: str, uid: str) -> bool:
        """Whether a tag lay on a reader when that was looked at for the first time (see `Presence.lay_there`)."""
        return self.readers[reader].lay_there(uid)

    def forget_taps(self, besides: str | None = None) -> None:
        """Let cards that were told by readers without lifts count anew: the game has gone back or begun again, or the
        cards have left the table. `besides` is the reader whose card has just brought that about: it may still be on
        its way down.

        Elsewhere a card counts anew once it was lifted; one that still lies there must not play itself again.
        """
        for name, reader in self.readers.items():
            if name != besides and not reader.capability.sees_lifts:
                reader.forget()

    def poll_displays(self, now: float) -> list[Event]:
        """Write what the displays do not show yet."""
        return [event for bus in self.buses.values() for event in bus.poll(now)]

    def close(self) -> None:
        """Leave everything dark and give it up. Closing again does nothing."""
        self._close.close()

    def lights(self, seat: int) -> Iterator[SeatLed | SeatGlow]:
        """What a seat is told by: its LED and its part of the strip, as far as it has them."""
        if seat in self.leds:
            yield self.leds[seat]
        if self.strip is not None:
            yield self.strip.glows[seat]

    def refresh_lights(self) -> None:
        """Write all lights anew at the next poll; see `SeatLed.refresh`."""
        for led in self.leds.values():
            led.refresh()

    def _group(self, reader: str) -> ReaderGroup:
        return next(group for group in self.reader_groups if reader in group.readers)

    def _cues(self) -> Iterator[SeatLed | Buzzer | Strip]:
        yield from self.leds.values()
        if self.buzzer is not None:
            yield self.buzzer
        if self.strip is not None:
            yield self.strip


def seat_display(seat: int, place: DisplayPlace, wires: Wires) -> SeatDisplay:
    """The display of a seat, which opens its bus when it is polled."""

    def open_bus() -> Bus:
        return wires.open_bus(place.bus)

    return SeatDisplay(display_name(seat), open_bus, place.address, place.panel)


def card_reader(place: ReaderPlace, wires: Wires, reset: OutputLine | None = None) -> CardReader:
    """The reader of a place, which opens its port when it is polled; `reset` is the line to its reset pin."""
    return CardReader(
        place.name,
        wires.serial_path(place),
        CAPABILITIES[place.kind].settle if place.settle is None else place.settle,
        wires.port_opener(place),
        place.kind,
        place.release,
        reset,
    )
