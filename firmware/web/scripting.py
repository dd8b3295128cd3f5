"""A session as a table script: every movement of hands at the wires, and what was wanted at the console, with the time
between them. Played again, it leads to the same rulings, whoever or whatever the hands belonged to.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.options import option_text
from firmware.console_words import console_line
from firmware.furnish import READERS, FurnishError, furnish
from firmware.instructions import Instruction
from firmware.script_forms import known_card
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.web.world import DeedError

MOST_LINES = 200_000
_VERBS = {"press": "down", "release": "up", "place": "put", "lift": "take"}


class SessionScript:
    """What was done at a table since it was switched on."""

    def __init__(self, table: SimulatedTable, seed: int) -> None:
        self._table = table
        self._file = table.file
        self._seed = seed
        self._lines: list[str] = []
        self._goes_on = bool(table.loop.line_count)
        self._written = table.clock.now()
        self.follow()

    def follow(self) -> None:
        """Note what hands do at the wires that are there now, and what its loop is told."""
        self._table.wires.hands_told = self._note
        if self._told not in self._table.loop.instructed:
            self._table.loop.instructed.append(self._told)

    def text(self) -> str:
        """The script so far; raises `DeedError` for a table that the headings of a script cannot say."""
        headings = script_headings(self._file)
        if headings is None or self._goes_on:
            raise DeedError("no-script", "a table from a file, or a match that goes on; expected one made to order")
        if len(self._lines) > MOST_LINES:
            raise DeedError("too-long", "this session is too long for a script; expected a capture")
        rest = self._passed()
        return "\n".join([*headings, f"seed {self._seed}", "", *self._lines, *([rest] if rest else []), ""])

    def _passed(self) -> str:
        """The line for the time since the last one."""
        seconds = round(self._table.clock.now() - self._written, 3)
        return f"wait {seconds:g}" if seconds > 0 else ""

    def _add(self, line: str) -> None:
        if len(self._lines) > MOST_LINES:
            return
        waited = self._passed()
        if waited:
            self._lines.append(waited)
            self._written += float(waited.split()[1])
        self._lines.append(line)

    def remark(self, text: str) -> None:
        """Say in the script what it cannot do."""
        self._add(f"# {text}")

    @contextmanager
    def said(self, line: str) -> Iterator[None]:
        """Something that a line of a script does as a whole, with the time that it takes; empty: nothing."""
        if line:
            self._add(line)
        yield
        if line:
            self._written = self._table.clock.now()
            self.follow()

    @contextmanager
    def instructing(self) -> Iterator[None]:
        """Meanwhile something may be wanted at the console; the time that this takes is no time between two lines."""
        before = len(self._lines)
        yield
        if len(self._lines) != before:
            self._written = self._table.clock.now()

    def _told(self, told: Instruction) -> None:
        self._add(console_line(told))

    def _note(self, what: str, where: str | int, which: str) -> None:
        if isinstance(where, int):
            self._add(f"{_VERBS[what]} {where} {which}")
            return
        place = where.split()[1] if where.startswith("seat ") else where.split()[0]
        self._add(f"{_VERBS[what]} {place} {self._card(which)}" if which else f"lift {place}")

    def _card(self, tag: str) -> str:
        """A card by its name, if that means this very tag."""
        card = self._file.deck.card(tag) if self._file.deck is not None else None
        return str(card) if card is not None and known_card(str(card)) == card else f"tag:{tag}"


def script_headings(file: TableFile) -> list[str] | None:
    """The headings of a script for this table; None where they cannot say it."""
    table, seats = file.table, len(file.wiring.seats)
    options = dict(table.options)
    for readers in READERS:
        try:
            made = furnish(table.game.name, seats, table.rule_set, None, options, readers, file.dealer, file.names,
                           file.language, file.deal.value, file.free, max(1, len(file.shelf.kept)))  # fmt: skip
        except FurnishError:
            continue
        if made == file:
            break
    else:
        return None
    headings = [f"game {table.game.name}", f"seats {seats}", f"rules {table.rule_set}", f"deal-by {file.deal.value}",
                f"readers {readers}", f"dealer {file.dealer}", f"language {file.language}"]  # fmt: skip
    headings += [f"option {name} = {option_text(value)}" for name, value in options.items()]
    if file.names:
        headings.append(f"names {', '.join(file.names)}")
    if file.free:
        headings.append("lobby yes")
    if len(file.shelf.kept) > 1:
        headings.append(f"decks {len(file.shelf.kept)}")
    return headings
