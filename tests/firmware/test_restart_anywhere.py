"""A table that is switched off after any line of what is done there comes to the same end."""

from collections.abc import Iterable, Sequence
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
IN_EVERY_RUN = (
    "concealed-deal", "counted-once", "dealing-pad", "director-pin", "fumbles", "picked-in-steps", "private-list",
    "scan-in-possession", "scan-in-vazhushal", "shuffling-over-the-readers", "turned-joker", "undo-own",
)  # fmt: skip
"""Scripts that between them use each kind of line, each game and each way of reading; a soak takes the others too."""
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


def kinds(paths: Iterable[Path]) -> set[object]:
    """What people do in scripts, the games that they play, and the readers that they have for it."""
    found: set[object] = set()
    for path in paths:
        script = read_script(path)
        found |= {statement.text.split()[0] for statement in script.statements}
        found |= {script.table.table.game, *(place.role for place in script.table.wiring.readers())}
    return found


def test_every_run_has_scripts_of_each_kind() -> None:
    plain = plain_scripts()
    assert set(IN_EVERY_RUN) <= {path.stem for path in plain}
    assert kinds(path for path in plain if path.stem in IN_EVERY_RUN) == kinds(plain)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path.stem in IN_EVERY_RUN else pytest.mark.soak, id=path.stem)
        for path in plain_scripts()
    ],
)
def test_a_script_comes_to_the_same_end_when_the_table_is_switched_off_after_its_lines(
    path: Path, tmp_path: Path
) -> None:
    script = read_script(path)
    state, lines, _ = outcome(script, tmp_path / "plain.db", restarts=False)
    again, lines_again, _ = outcome(script, tmp_path / "restarted.db", restarts=True)
    assert (again, lines_again) == (state, lines)


@pytest.mark.long
@pytest.mark.parametrize("name", ["following-suit", "undo-own"])
def test_a_script_is_interrupted_often(name: str, tmp_path: Path) -> None:
    """So that the test above tests something."""
    assert outcome(read_script(SCRIPTS / f"{name}.table"), tmp_path / "journal.db", restarts=True)[2] > 4


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("game", "rules", "reader"),
    [
        pytest.param(game, rules, reader, marks=() if (number + tapped) % 2 else pytest.mark.soak)
        for number, (game, rules) in enumerate(EVERY_RULE_SET)
        for tapped, reader in enumerate(("none", "seats"))
    ],
)
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
