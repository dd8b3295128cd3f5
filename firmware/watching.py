"""Presses and taps as they come, for whoever has just soldered a table."""

from collections.abc import Callable, Iterator

from firmware.doctor import System
from firmware.wiring_words import BUTTON_SIGNS, WiringWords
from hal.events import (
    Button,
    ButtonStuck,
    Chord,
    DeviceBack,
    DeviceLost,
    Event,
    Held,
    Pressed,
    Released,
    SeveralTags,
    TagPlaced,
)
from hal.hardware import Hardware

STEP = 0.01
"""Seconds between two looks."""


def watched(hardware: Hardware, system: System) -> Iterator[Event]:
    """All events of all devices, for as long as somebody takes them."""
    while True:
        now = system.now()
        yield from hardware.poll_lines(now)
        yield from hardware.poll_readers(now)
        yield from hardware.poll_displays(now)
        system.sleep(STEP)


def event_line(event: Event, words: WiringWords, card: Callable[[str], str]) -> str:
    """One event as a line; empty for one that is not worth one. `card` names the card that a tag is in, if any."""
    match event:
        case Pressed(seat, button):
            return words.say("watch.pressed", seat=seat, button=BUTTON_SIGNS[button.value])
        case Held(seat, button):
            return words.say("watch.held", seat=seat, button=BUTTON_SIGNS[button.value])
        case Chord(seat, buttons):
            signs = " ".join(BUTTON_SIGNS[button.value] for button in Button if button in buttons)
            return words.say("watch.held", seat=seat, button=signs)
        case Released(seat, button):
            return words.say("watch.released", seat=seat, button=BUTTON_SIGNS[button.value])
        case TagPlaced(reader, uid):
            name = words.device(reader)
            return words.say("watch.tag", reader=name, uid=uid, card=card(uid) or words.say("watch.no-card"))
        case SeveralTags(reader, uids):
            return words.say("watch.several", reader=words.device(reader), uids=" ".join(uids))
        case ButtonStuck(device):
            return words.say("watch.stuck", device=words.device(device))
        case DeviceLost(device, why):
            return words.say("watch.lost", device=words.device(device), why=why)
        case DeviceBack(device):
            return words.say("watch.back", device=words.device(device))
    return ""
