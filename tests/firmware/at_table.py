"""A simulated table in the middle of a match, and what tests look at there."""

import sqlite3
from asyncio import run
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Required, TypedDict

from PIL import Image

from engine.answers import check_record
from engine.asks import Ask
from engine.match import Match
from engine.record import header_lines, read_record
from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.seatview import DealingView
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from hal.events import Button
from hal.panels import MARK
from hal.sim.trace import Trace

HANDS = (
    "JS AS KS QS 9C 10C",
    "AC KC QC AH KH AD",
    "9S 9D 10D 9H 10H JD",
    "10S JC QH JH QD KD",
)
DEALT = "\n".join(["deal 4", *(f"hand {seat}: {hand}" for seat, hand in enumerate(HANDS, 1))])
"""Seat 4 has dealt: seat 1 is to bid."""
BIDDEN = (DEALT, "1 bid 4", "2 pass", "3 pass", "4 pass", "1 trump S")
"""Seat 1 is to lead."""
LED = (*BIDDEN, "1 play 9C")
"""Seat 2 is to follow to a club."""


class Order(TypedDict, total=False):
    """What kind of simulated table is wanted, as `furnish` takes it."""

    seats: Required[int]
    rules: str
    tracked: bool
    readers: str


def write_journal(path: Path, file: TableFile, entries: Sequence[str]) -> None:
    """A journal with the running match of this table."""

    async def write(journal: Journal) -> None:
        await journal.begin_match(header_lines(file.table, names=file.names))
        for entry in entries:
            await journal.append(entry)

    with closing(Journal(path)) as journal:
        run(write(journal))


def journal_rows(path: Path) -> list[tuple[int, str]]:
    """The number of the match and the text of every entry that is on disk."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT match, text FROM line ORDER BY match, number").fetchall()


def standing(table: SimulatedTable) -> tuple[Match, list[str], list[tuple[int, str]]]:
    """All that an entry changes: the state, the record, the journal."""
    return table.match, list(table.loop.lines), journal_rows(table.journal_file)


@contextmanager
def seated(
    tmp_path: Path,
    entries: Sequence[str] = (),
    seats: int = 4,
    trace: Trace | None = None,
    seed: int = 0,
    **settings: Any,
) -> Iterator[SimulatedTable]:
    """A table whose match has got so far. At the end its record must be one that the engine accepts."""
    file = furnish("pepper", seats, **{"dealer": seats, **settings})
    journal = tmp_path / "journal.db"
    if entries:
        write_journal(journal, file, entries)
    with SimulatedTable(file, journal, seed, trace) as table:
        if entries:
            for seat in range(1, seats + 1):
                table.press(seat, Button.OK)  # the message that the table was restarted
        table.heard.clear()
        yield table
        assert_record(table)


def assert_record(table: SimulatedTable) -> None:
    """The record of the table is accepted line by line and leads to the table's state."""
    referee, answers = check_record(read_record(table.loop.record()))
    refused = [answer for answer in answers if answer.ruling.refusal is not None]
    assert refused == []
    assert bare(referee.match) == bare(table.match)


def bare(match: Match) -> Match:
    """The match without what the last entry brought about, which an undo does not bring back."""
    return match._replace(notices=())


def messages(table: SimulatedTable, seat: int) -> list[str]:
    """The codes of the messages and refusals at a seat, in order."""
    said = []
    for heard in table.heard:
        if heard.seat == seat and heard.message is not None:
            said.append(heard.message.code)
        elif heard.seat == seat and heard.ruling is not None and heard.ruling.refusal is not None:
            said.append(heard.ruling.refusal.code)
    return said


def asked(table: SimulatedTable, seat: int) -> Ask:
    """What a seat is asked, which must be something."""
    ask = table.loop.seat_view(seat).ask
    assert ask is not None
    return ask


def dealing_view(table: SimulatedTable) -> DealingView:
    """How far the dealing has got, as every seat sees it."""
    seen = table.loop.seat_view(1).dealing
    assert seen is not None
    return seen


def unmarked(picture: Image.Image) -> bytes:
    """A picture without the corner whose mark goes to and fro by the clock alone."""
    picture.paste(0, MARK)
    return picture.tobytes()


def pictures(table: SimulatedTable) -> dict[int, bytes]:
    """What every display shows, but for the mark in its corner."""
    return {seat: unmarked(table.picture(seat)) for seat in range(1, table.file.table.seats + 1)}


def all_bots(table: SimulatedTable, seed: int = 0, mistakes: float = 0.0) -> Bench:
    """Bots at all seats."""
    bench = Bench(table, seed)
    for seat in range(1, table.file.table.seats + 1):
        bench.seat_bot(seat, mistakes)
    return bench


def prompted(table: SimulatedTable, place: int) -> str:
    """The code of the question at a place; empty when nothing is asked there."""
    question = table.loop.seat_view(place).ask
    return question.prompt if question is not None else ""


def take_back(table: SimulatedTable, seat: int) -> None:
    """A seat wishes the last entry taken back, by its menu; whoever is asked agrees."""
    table.hold(seat, Button.LEFT)
    table.release(seat, Button.LEFT)
    table.choose(seat, "undo")
    for place in table.loop.places:
        if prompted(table, place) == "assent":
            table.choose(place, "agree")
