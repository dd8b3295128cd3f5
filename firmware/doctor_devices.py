"""What the doctor finds out by trying: lines, buttons, displays, readers and the strip, by the drivers of the table."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

from engine.phrases import reason, said_by
from firmware.doctor import Finding, System, fail, note, ok
from firmware.wiring_words import BUTTON_SIGNS
from hal.buttons import Buttons
from hal.chips import Chips
from hal.errors import TablerefHardwareError
from hal.events import Button, DeviceBack, DeviceLost, Event, Pressed
from hal.gpio import LgpioMissingError, LineBusyError
from hal.hardware import card_reader, seat_display
from hal.wires import Wires
from hal.wiring import Wiring
from hal.wiring_lines import UseKind, uses

TRIES = 3
"""How often a device is tried before it counts as absent: a marginal bus answers now and then."""
PAUSE = 0.6
"""Seconds between two tries: longer than the first wait of a driver, which doubles."""
LOOK = 0.1
"""Seconds for which the buttons are looked at."""
LOOKS = 5


def table_runs(wiring: Wiring, wires: Wires) -> bool:
    """Whether another program has the buttons of every seat. Then the displays are its own, too."""
    with closing(Chips(wiring, wires)) as chips:
        for seat in wiring.seats:
            try:
                lines = {button: chips.at(getattr(seat.buttons, button.value)) for button in Button}
                Buttons(seat.number, lines).close()
            except LineBusyError:
                continue
            except TablerefHardwareError:
                return False
            return False
    return True


def check_lines(system: System, wiring: Wiring, wires: Wires) -> Iterator[Finding]:
    """The real lgpio, every gpiochip by its label, and every line of LEDs and buzzer free to be claimed."""
    with closing(Chips(wiring, wires)) as chips:
        for name in ("", *(chip.name for chip in wiring.chips)):
            try:
                chip = chips.open(name)
            except TablerefHardwareError as error:
                yield fail("chip", why=said_by(error))
                return
            yield ok("chip-found", label=chip.label, number=chip.number)
        for use in uses(wiring):
            if use.kind in (UseKind.LED, UseKind.BUZZER):
                chip, line = chips.open(use.place.chip), use.place.number
                try:
                    chip.output(line).close()
                except TablerefHardwareError as error:
                    yield fail("line", use=use, why=said_by(error))


def check_buttons(system: System, wiring: Wiring, wires: Wires) -> Iterator[Finding]:
    """The buttons of each seat: their lines can be had, and none is down while nobody presses it. What is the matter at
    several seats is said once, and a missing lgpio by `check_lines` alone.
    """
    alike: dict[str, list[int]] = {}
    with closing(Chips(wiring, wires)) as chips:
        for seat in wiring.seats:
            try:
                lines = {button: chips.at(getattr(seat.buttons, button.value)) for button in Button}
                buttons = Buttons(seat.number, lines)
            except LgpioMissingError:
                return
            except TablerefHardwareError as error:
                alike.setdefault(said_by(error), []).append(seat.number)
                continue
            with closing(buttons):
                events = list(_looked_at(buttons.poll, system))
            lost = [event for event in events if isinstance(event, DeviceLost)]
            down = [BUTTON_SIGNS[event.button.value] for event in events if isinstance(event, Pressed)]
            if lost:
                yield fail("buttons", seat=seat.number, why=lost[0].why)
            elif down:
                yield fail("button-down", seat=seat.number, buttons=" ".join(down))
            else:
                yield ok("buttons-up", seat=seat.number)
    for why, seats in alike.items():
        if len(seats) == 1:
            yield fail("buttons", seat=seats[0], why=why)
        else:
            yield fail("buttons-of", seats=", ".join(map(str, seats)), why=why)


def _looked_at(poll: Callable[[float], list[Event]], system: System) -> Iterator[Event]:
    for _ in range(LOOKS):
        yield from poll(system.now())
        system.sleep(LOOK / LOOKS)


def check_displays(system: System, wiring: Wiring, wires: Wires) -> Iterator[Finding]:
    """The display of each seat answers; it stays dark."""
    for seat in wiring.seats:
        if seat.display is None:
            continue
        where = {"seat": seat.number, "bus": seat.display.bus, "address": f"0x{seat.display.address:02X}"}
        with closing(seat_display(seat.number, seat.display, wires)) as display:
            tries, why = _tried(display.poll, system)
        if why:
            yield fail("no-display", why=why, **where)
        else:
            yield ok("display", **where) if tries == 1 else note("display-late", tries=tries, **where)


def check_readers(system: System, wiring: Wiring, wires: Wires) -> Iterator[Finding]:
    """Each reader answers with its version and to a poll."""
    for place in wiring.readers():
        with closing(card_reader(place, wires)) as reader:
            tries, why = _tried(reader.poll, system)
        if why:
            yield fail("no-reader", reader=place, port=place.port, why=why)
        else:
            yield ok("reader", reader=place) if tries == 1 else note("reader-late", reader=place, tries=tries)


def check_strip(system: System, wiring: Wiring, wires: Wires) -> Iterator[Finding]:
    """The strip's port; whether a strip is there, nothing tells."""
    if wiring.strip is None:
        return
    with ExitStack() as close:
        try:
            close.callback(wires.open_spi(wiring.strip.port).close)
        except OSError as error:
            yield fail("no-strip", port=wiring.strip.port, why=reason(error))
        else:
            yield ok("strip", port=wiring.strip.port)


def _tried(poll: Callable[[float], list[Event]], system: System) -> tuple[int, str]:
    """At which try a device answered, and why not if it never did."""
    lost = [event for event in poll(system.now()) if isinstance(event, DeviceLost)]
    if not lost:
        return 1, ""
    for tries in range(2, TRIES + 1):
        system.sleep(PAUSE * 2 ** (tries - 2))
        if any(isinstance(event, DeviceBack) for event in poll(system.now())):
            return tries, ""
    return TRIES, lost[0].why


DEVICE_CHECKS: tuple[Callable[[System, Wiring, Wires], Iterator[Finding]], ...] = (
    check_lines,
    check_buttons,
    check_displays,
    check_readers,
    check_strip,
)
