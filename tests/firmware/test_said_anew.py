"""What is open when the table's language is changed is said anew: menus, rulings in the making, what all are asked."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_table import LED, prompted, seated
from dialog_scenes import SCRIPTS, TABLES

from engine.values import Fact
from firmware.bench import Bench
from firmware.dialogs import SIGN
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.script import read_script
from firmware.seatview import Sheet
from firmware.simulated import SimulatedTable
from firmware.splash import SECONDS
from firmware.words import Words
from hal.events import Button

_WORD = re.compile(r"[A-Za-z]{3}")
_TAG = re.compile(r"[0-9A-F]{8,}")
_LANGUAGES = ("English", "Русский")
"""Languages are called what they call themselves."""


def spoken(sheet: Sheet) -> Iterator[str]:
    """All words of a sheet that do not come from the catalogue as it is drawn."""
    facts: list[tuple[str, Fact]] = [*sheet.facts]
    for wording in (sheet.big, sheet.text):
        facts += wording.facts if wording is not None else ()
    for name, value in facts:
        if isinstance(value, str) and not value.startswith(("deck:", "way:")) and name not in ("way", "deck", "game"):
            yield value
    yield from (said for choice, said in sheet.labels if not choice.startswith(SIGN))


def kept(table: SimulatedTable, place: int) -> set[str]:
    """The English words that a place would still be shown if the table spoke Russian from now on."""
    loop = table.loop
    sheet, english = loop.seat_view(place).sheet, loop.words
    if sheet is None:
        return set()
    loop.words = Words(loop.table.game, "ru")
    try:
        after = loop.seat_view(place).sheet
    finally:
        loop.words = english
    assert after is not None
    names = (*loop.match.names, *loop.known_names, *_LANGUAGES, *(one.name for one in loop.decks.kept))
    found = set()
    for said in {*spoken(sheet)} & {*spoken(after)}:
        nameless = _TAG.sub("", said)
        for name in filter(None, names):
            nameless = nameless.replace(name, "")
        if _WORD.search(nameless):
            found.add(said)
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SCRIPTS)
def test_no_dialog_keeps_words_of_the_language_that_it_was_opened_in(name: str) -> None:
    script = read_script(TABLES / f"{name}.table")
    with SimulatedTable(script.table._replace(language="en"), None, script.seed) as table:
        bench = Bench(table, script.seed)
        for statement in script.statements:
            if not statement.text.startswith("expect"):
                statement.act(bench)
                for place in table.loop.places:
                    assert kept(table, place) == set(), statement.text


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["pepper", "possession", "vazhushal"])
def test_nor_does_the_lobby(game: str) -> None:
    with SimulatedTable(furnish(game, 4, free=True, names=("Ann", "Ben", "Cleo", "Dan"))) as table:
        table.wait(SECONDS + 1)
        table.choose(1, "join")
        table.choose(2, "join")
        for choices in (["name"], ["game"], ["rules"], ["options"], ["options", "last"], ["deal-way"], ["dealer"]):
            for choice in choices:
                offered = table.loop.seat_view(1).ask
                assert offered is not None
                table.choose(1, offered.choices[-2] if choice == "last" else choice)
                assert kept(table, 1) == set(), choice
            while prompted(table, 1) != "lobby":
                table.hold(1, Button.LEFT)
                table.release(1, Button.LEFT)


def test_a_question_of_assent_speaks_the_language_that_another_place_sets(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        for place in (1, 3):
            table.hold(place, Button.LEFT)
            table.release(place, Button.LEFT)
        table.choose(1, "undo")
        assert prompted(table, 2) == "assent"
        assert shows(table.picture(2), "Seat 1: 9♣")
        for choice in ("settings", "table-settings", "language", "ru"):
            table.choose(3, choice)
        assert shows(table.picture(2), "Вернуть: Место 1: 9♣")
        table.choose(2, "agree")
        assert prompted(table, 4) == "assent", "the question goes on"
