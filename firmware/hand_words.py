"""The words of table scripts for single movements of hands, in which no time passes: what a recorded session is made
of. `wait` lies between them.
"""

import re

from engine.phrases import Phrase
from firmware.bench import Bench, ExpectationError
from firmware.script_forms import BUTTON, CARD, PLACE, SEAT, Act, Form, card_or_tag, form, place_of, seat_of
from hal.events import Button


def _touch(found: re.Match[str]) -> Act:
    """A card comes onto a reader, or leaves it."""
    place, card, down = place_of(found), card_or_tag(found["card"]), found["verb"].lower() == "put"

    def act(bench: Bench) -> None:
        table = bench.table
        reader = table.reader(place)
        if reader not in table.wires.readers:
            raise ExpectationError(Phrase("no {reader} at this table", reader=Phrase(reader)))
        try:
            tag = table.uid(card)
        except KeyError:
            raise ExpectationError(Phrase("{card} is not in the deck of this table", card=card)) from None
        (table.wires.place if down else table.wires.lift)(reader, tag)

    return act


def _move(found: re.Match[str]) -> Act:
    """A button goes down, or comes up."""
    seat, button, down = seat_of(found), Button(found["button"].lower()), found["verb"].lower() == "down"

    def act(bench: Bench) -> None:
        wires, now = bench.table.wires, bench.table.clock.now()
        (wires.press if down else wires.release)(seat, button, now)

    return act


HANDS: tuple[Form, ...] = (
    form(rf"(?P<verb>put|take) {PLACE}:? {CARD}", "put|take SEAT CARD", _touch),
    form(rf"(?P<verb>down|up) {SEAT} {BUTTON}", "down|up SEAT left|ok|right", _move),
)
