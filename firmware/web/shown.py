"""What browsers are shown of a played table: displays, lights, cards for each viewer, and what there is at the table.

Nothing is drawn or written anew that has not changed, so that a table at which nothing happens costs little.
"""

import base64
import json
from typing import Any

from engine.cards import Card
from engine.values import Refusal
from firmware.seatview import SeatView, picks_of
from firmware.web.faults_drawer import drawer
from firmware.web.feed import Feed
from firmware.web.hints import hint
from firmware.web.playing import Playing
from firmware.web.sayings import Sayings
from firmware.web.world import EVERYBODY
from firmware.words import LANGUAGES, Words
from hal.sim.oled import SimOled

LINGERS = 0.5
"""Seconds for which a hand may still be on a glass after the table has taken it away."""


def is_private(seen: SeatView) -> bool:
    """Whether the display of a seat shows what is nobody else's business: cards of the hand, what can be done with
    them, or why something cannot be. That a card was refused tells of the hand, too: it is still there.
    """
    picking = seen.ask is not None and seen.cursor is not None and bool(seen.ask.cards or picks_of(seen.ask))
    choosing = seen.sheet is None and seen.ask is not None and seen.cursor is not None
    refused = isinstance(seen.message, Refusal) or seen.shown is not None
    told = [seen.message.facts] if seen.message is not None else []
    if seen.sheet is not None:
        told += [seen.sheet.facts, *(words.facts for words in (seen.sheet.big, seen.sheet.text) if words is not None)]
    names_cards = any(isinstance(fact, Card) or name in _CARDS for facts in told for name, fact in facts)
    return seen.peeking or picking or choosing or bool(seen.given) or refused or names_cards


_CARDS = ("card", "played")
"""Facts that are cards, also where they are but numbers."""


MOST_SEATS = 8


class Shown:
    """What was published last, and what has changed since."""

    def __init__(self, playing: Playing, feed: Feed) -> None:
        self._playing = playing
        self._feed = feed
        self._glasses: dict[int, tuple[object, ...]] = {}
        self._private_until: dict[int, float] = {}
        self._version = -1
        self._restarts = 0
        self._sayings = Sayings(playing.bench)
        for seat in range(len(playing.bench.table.wires.wiring.seats) + 1, MOST_SEATS + 1):
            for topic in ("display", "glass", "light", "cards", "said", "hint"):
                feed.publish(f"{topic}:{seat}", "null")  # there may have been a larger table before
        self._hinted: dict[int, tuple[SeatView, object]] = {}
        self._scene_of: tuple[object, ...] = ()
        self._faults_of: tuple[object, ...] = ()

    def publish(self) -> None:
        """Publish what has changed."""
        playing = self._playing
        if playing.restarts != self._restarts:
            self._restarts = playing.restarts
            self._sayings.listen()
        table = playing.bench.table
        for place, glass in table.wires.glasses.items():
            self._publish_glass(place, glass)
        for seat in table.wires.wiring.seats:
            self._feed.publish(f"light:{seat.number}", "true" if table.wires.lit(seat.number) else "false")
        self._feed.publish("sound", "true" if table.wires.sounding() else "false")
        self._feed.publish("strip", self._strip())
        viewers = [EVERYBODY, 0, *(seat.number for seat in table.wires.wiring.seats)]
        if playing.world.version != self._version:
            self._version = playing.world.version
            for viewer in viewers:
                self._feed.publish(f"cards:{viewer}", json.dumps(playing.world.seen(viewer)))
        if self._sayings.changed():
            for viewer in viewers:
                self._feed.publish(f"said:{viewer}", json.dumps(self._sayings.lines(viewer)))
        self._publish_hints()
        self._publish_scene()

    def _publish_glass(self, place: int, glass: SimOled) -> None:
        """The pixels for who sits there; for others too, unless it shows what they may not see."""
        now = self._playing.bench.table.clock.now()
        if is_private(self._playing.bench.table.loop.seat_view(place)):
            self._private_until[place] = now + LINGERS
        covered = now < self._private_until.get(place, 0.0)
        state = (covered, glass.state)
        if state == self._glasses.get(place):
            return
        self._glasses[place] = state
        text = json.dumps(pixels(glass))
        self._feed.publish(f"glass:{place}", text)
        self._feed.publish(f"display:{place}", '{"covered":true}' if covered else text)

    def _strip(self) -> str:
        strip = self._playing.bench.table.wires.strip
        return "null" if strip is None else json.dumps([list(colour) for colour in strip.colours])

    def _publish_hints(self) -> None:
        """Only where the table shows something else, or another sits there or deals."""
        bench, playing = self._playing.bench, self._playing
        about = (tuple(bench.bots), playing.dealing_for_somebody, playing.stuck)
        for seat in bench.table.wires.wiring.seats:
            seen = bench.table.loop.seat_view(seat.number)
            if (seen, about) != self._hinted.get(seat.number):
                self._hinted[seat.number] = seen, about
                self._feed.publish(f"hint:{seat.number}", json.dumps(hint(playing, seat.number)))

    def _publish_scene(self) -> None:
        bench, playing = self._playing.bench, self._playing
        loop = bench.table.loop
        of = (loop.table, loop.match.names, tuple(bench.bots), playing.dealing_for_somebody, playing.deal_is_due,
              loop.words.language, playing.capture)  # fmt: skip
        if of != self._scene_of:
            self._scene_of = of
            self._feed.publish("scene", json.dumps(self._scene()))
        faults = (playing.restarts, *bench.table.faults.on)
        if faults != self._faults_of:
            self._faults_of = faults
            self._feed.publish("faults", json.dumps(drawer(bench)))

    def _scene(self) -> dict[str, Any]:
        """What there is at the table, whoever looks."""
        bench, playing = self._playing.bench, self._playing
        table = bench.table
        own = {place.seat: place.name for place in table.wires.wiring.readers() if place.seat is not None}
        common = [{"name": place.name, "role": str(place.role)}
                  for place in table.wires.wiring.readers() if place.role is not None]  # fmt: skip
        names, played = table.match.names, table.loop.table
        seats = [
            {
                "seat": seat.number,
                "name": names[seat.number - 1] if seat.number <= len(names) else "",
                "reader": own.get(seat.number),
                "display": seat.display is not None,
                "led": seat.led is not None,
                "bot": seat.number in bench.bots,
            }
            for seat in table.wires.wiring.seats
        ]
        return {
            "seats": seats,
            "pads": common,
            "game": played.game.name,
            "title": {language: Words(played.game, language).title() for language in LANGUAGES},
            "rules": played.rule_set,
            "way": table.file.deal.value,
            "language": table.loop.words.language,
            "dealing": playing.dealing_for_somebody,
            "due": playing.deal_is_due,
            "capture": playing.capture.value,
            "journals": playing.journals,
            "table": playing.number,
        }


def pixels(glass: SimOled) -> dict[str, object]:
    """A picture as a browser draws it: its size, how bright it is, and a bit for each pixel, row by row, in base64."""
    picture = glass.picture()
    bits = base64.b64encode(picture.tobytes()).decode()
    return {"columns": picture.width, "rows": picture.height, "bits": bits, "contrast": glass.contrast}
