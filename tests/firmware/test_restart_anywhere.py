"""A table that is switched off after any line of what is done there comes to the same end."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from at_table import bare
from lying_cards import EVERY_RULE_SET, by_verb, deal_cards, enter, lay, some

from engine.match import Standing
from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.script import Script, Statement, read_script
from firmware.simulated import SimulatedTable
from hal.events import Button

SCRIPTS = Path(__file__).parents[1] / "tables"
UNKEPT = ("bots ", "fault ", "mend ", "play ", "unplug ", "restart")
"""Lines whose outcome comes from more than the journal: chance, time, or what was pulled out."""


def plain_scripts() -> list[Path]:
    """The scripts in which nothing but people's input decides."""
    found = []
    for path in sorted(SCRIPTS.glob("*.table")):
        script = read_script(path)
        if not script.table.free and not any(line.text.startswith(UNKEPT) for line in script.statements):
            found.append(path)
    return found


def may_restart(table: SimulatedTable, following: Sequence[Statement]) -> bool:
    """Whether all that is under way has been journalled: nothing is half given, held, lying on a reader, or told and
    still to be looked at.
    """
    places = [table.loop.seat_view(place) for place in table.loop.places]
    under_way = any(seen.given or seen.peeking or seen.cursor is not None or seen.sheet for seen in places)
    locked = any(seen.ask is not None and seen.ask.prompt == "locked" for seen in places)
    lying = any(reader.field for reader in table.wires.readers.values())
    dealing = table.loop.dealing is not None and table.loop.dealing.begun
    told = bool(following) and following[0].text.startswith(("expect", "press", "release", "no fault"))
    return not (under_way or locked or lying or dealing or told)


def take_the_word(table: SimulatedTable) -> None:
    """At every place: the message goes, or it is so."""
    for place in table.loop.places:
        if table.loop.seat_view(place).sheet or table.loop.seat_view(place).message:
            table.press(place, Button.OK)


def outcome(script: Script, journal: Path, restarts: bool) -> tuple[object, list[str], int]:
    """The state and the record that a script leads to, and how often the table was switched off."""
    count = 0
    with SimulatedTable(script.table, journal, script.seed) as table:
        bench = Bench(table, script.seed)
        for number, statement in enumerate(script.statements, 1):
            statement.act(bench)
            if restarts and may_restart(table, script.statements[number:]):
                table.restart()
                take_the_word(table)
                count += 1
        lines = [line for line in table.loop.lines if line and not line.startswith("#")]
        return bare(table.match), lines, count


@pytest.mark.parametrize("path", plain_scripts(), ids=lambda path: path.stem)
def test_a_script_comes_to_the_same_end_when_the_table_is_switched_off_after_its_lines(
    path: Path, tmp_path: Path
) -> None:
    script = read_script(path)
    state, lines, _ = outcome(script, tmp_path / "plain.db", restarts=False)
    again, lines_again, _ = outcome(script, tmp_path / "restarted.db", restarts=True)
    assert (again, lines_again) == (state, lines)


@pytest.mark.parametrize("name", ["following-suit", "undo-own"])
def test_a_script_is_interrupted_often(name: str, tmp_path: Path) -> None:
    """So that the test above tests something."""
    assert outcome(read_script(SCRIPTS / f"{name}.table"), tmp_path / "journal.db", restarts=True)[2] > 4


@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
@pytest.mark.parametrize("reader", ["seats", "none"])
def test_a_deal_stands_as_before_when_the_table_is_switched_off_after_each_of_its_actions(
    game: str, rules: str, reader: str, tmp_path: Path
) -> None:
    file = furnish(game, 2, rules, tracked=reader == "seats", readers=reader, dealer=1)
    chance = Random(game + rules + reader)
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        deal_cards(table, lay(chance, file.table, 1))
        for _ in range(10):
            before, lines = bare(table.match), list(table.loop.lines)
            table.restart()
            assert (bare(table.match), table.loop.lines) == (before, lines)
            take_the_word(table)
            if table.match.standing is not Standing.RUNNING:
                break
            enter(table, by_verb(chance, some(table.match)), reader)
            assert table.match.step == before.step + 1
