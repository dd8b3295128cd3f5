"""A table whose plug is pulled at any moment: one life of it, with players who fumble.

Each life runs in a process of its own, reports what it has taken, what somebody is about to do and what is accepted and
visible, and is killed at a stage of a commit, or by whoever hears its reports, whenever that is.
"""

import os
import signal
import tempfile
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

from crash_lives import DeadlyTrace
from lying_cards import EVERY_RULE_SET, deal_cards, lay

from engine.answers import check_record
from engine.cards import Card, physical
from engine.game import games
from engine.match import to_act
from engine.options import OptionError
from engine.record import read_record
from firmware.desk import Heard
from firmware.furnish import furnish
from firmware.seatview import verbs_of
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.taking_up import believed
from firmware.ways import Way
from hal.events import Button

LONGEST = 400
"""Things that players do in one life before it ends by itself."""


class Visible(NamedTuple):
    """What a life reports once something is accepted: the match's number, how long its record is, its last line."""

    match: int
    lines: int
    last: str


class Does(NamedTuple):
    """What a life reports before somebody does something: the match's number and the seat, or 0."""

    match: int
    seat: int


class CountingTrace(DeadlyTrace):
    """Kills the process when a stage is reached for the `count`th time; without count never."""

    def __init__(self, stage: str, count: int) -> None:
        super().__init__("")
        self._kills_at, self._left, self._kept = stage, count, False

    def note(self, wire: str, what: str, data: bytes | int = b"") -> None:
        super().note(wire, what, data)
        shown = self._kept and wire.startswith("i2c-")
        self._kept = (self._kept or (wire == "journal" and what == "durable")) and not shown
        if not self._left or self._kills_at != (what if wire == "journal" else "shown" if shown else ""):
            return
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)


def some_table(chance: Random) -> TableFile:
    """Any game, rule set, number of seats, way of dealing and kind of readers; now and then with a lobby."""
    while True:
        game, rules = chance.choice(EVERY_RULE_SET)
        seats, way = chance.choice(games()[game].seats), chance.choice([*Way])
        readers = {Way.SCAN_IN: ["seats"], Way.PAD: ["seats", "centre"]}.get(way, ["seats", "centre", "none"])
        with suppress(OptionError, ValueError):
            return furnish(
                game, seats, rules, readers=chance.choice(readers), deal=way.value, free=chance.random() < 0.25
            )


def live(journal: Path, order: int, seed: int, stage: str, count: int, report: Connection) -> None:
    """Switch a table on and let people play. `order` says which table it is, `seed` what people do."""
    tempfile.tempdir = str(journal.parent)  # nobody clears up after a SIGKILL
    chance = Random(seed)
    with SimulatedTable(some_table(Random(order)), journal, trace=CountingTrace(stage, count)) as table:
        assert_stands_as_journalled(table)

        def tell(heard: Heard) -> None:
            if heard.ruling is not None and heard.ruling.refusal is None:
                report.send(Visible(table.loop.number, len(table.loop.lines), table.loop.lines[-1]))

        table.loop.observers.append(tell)
        report.send(list(table.loop.lines))
        for _ in range(LONGEST):
            with suppress(ValueError):  # what was to be picked is no longer offered: people look again
                do_something(table, chance, report)
    report.send("lived")


def assert_stands_as_journalled(table: SimulatedTable) -> None:
    """The record is accepted and leads to the state; nothing is half given or dealt."""
    referee, answers = check_record(read_record(table.loop.record()))
    refused = [answer.ruling for answer in answers if answer.ruling.refusal is not None]
    assert all(believed(ruling.entry, ruling.refusal.code) for ruling in refused if ruling.refusal)
    assert refused or referee.match._replace(notices=()) == table.match._replace(notices=())
    for place in table.loop.places:
        seen = table.loop.seat_view(place)
        assert seen.given == ()
        assert seen.dealing is None or not (seen.dealing.begun or any(seen.dealing.counts))


def do_something(table: SimulatedTable, chance: Random, report: Connection) -> None:
    """One thing that somebody does at the table; now and then it is the wrong one."""
    acting = to_act(table.match)
    dealing = table.loop.dealing
    seat = chance.choice(acting) if acting else dealing.dealer if dealing is not None else 0
    place = table.loop.setup.place(seat) if seat else chance.choice(table.loop.places)
    if chance.random() < 0.08:
        fumble(table, chance, report)
        return
    seen = table.loop.seat_view(place)
    report.send(Does(table.loop.number, seat))
    if seen.message is not None:
        table.press(place, Button.OK)
    elif seen.sheet is not None:
        choices = verbs_of(seen.sheet.ask)
        likely = [choice for choice in ("join", "begin", "so-it-is", "go-on", "done") if choice in choices]
        if choices:
            table.choose(place, likely[0] if likely and chance.random() < 0.7 else chance.choice(choices))
        else:  # it waits for a card, or for somebody else
            table.press(place, Button.OK)
    elif dealing is not None:
        deal_cards(table, lay(chance, table.loop.table, dealing.dealer))
    elif seen.ask is not None:
        answer(table, place, chance)
    else:
        table.wait(0.3)


def answer(table: SimulatedTable, place: int, chance: Random) -> None:
    """Give something that is offered, by the reader where there is one; or go a step back."""
    seen = table.loop.seat_view(place)
    assert seen.ask is not None
    verbs = [*verbs_of(seen.ask), *(["end"] if seen.ask.end else [])]
    if len(seen.given) > chance.randint(1, 8):
        go_back(table, place)
    elif seen.offered and (not verbs or chance.random() < 0.5):
        card = chance.choice(seen.offered)
        if seen.tapping and chance.random() < 0.8:
            table.tap(reader_of(table, place), tagged(table, card))
        else:
            table.choose(place, card)
    elif verbs:
        table.choose(place, chance.choice(verbs))


def fumble(table: SimulatedTable, chance: Random, report: Connection) -> None:
    """Any card at any reader, or a button that was held: it may even be legal, for whoever's seat it is."""
    place = chance.choice(table.loop.places)
    report.send(Does(table.loop.number, 0))
    readers = table.loop.readers
    if readers and table.file.deck is not None and chance.random() < 0.7:
        reader = chance.choice(readers)
        uid = chance.choice([*table.file.deck.cards])
        table.tap(reader.seat if reader.seat is not None else str(reader.role), uid)
    else:
        go_back(table, place)
        if chance.random() < 0.3:
            table.choose(place, chance.choice(["undo", "go-on", "lock"]))


def go_back(table: SimulatedTable, place: int) -> None:
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)


def reader_of(table: SimulatedTable, place: int) -> int | str:
    return place if any(reader.seat == place for reader in table.loop.readers) else "centre"


def tagged(table: SimulatedTable, card: Card) -> Card | str:
    """The card as it lies there; of two equal ones either."""
    deck = table.file.deck
    assert deck is not None
    physically = physical(card)
    return physically if physically in deck.cards.values() else next(iter(deck.cards))
