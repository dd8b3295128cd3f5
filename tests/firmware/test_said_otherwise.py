"""A card that another seat has said it drew or buried, by buttons: who holds it plays it, and learns nothing.

The table takes back what was said and says it anew, in one entry of the journal; its record stays legal line by line.
"""

from pathlib import Path

import pytest
from at_table import bare, journal_rows, take_back
from lying_cards import enter, table_of
from test_secrecy import wires_of

from engine import entries
from engine.game import Dealt, games
from engine.match import begin, lay_table, to_act
from engine.notation import parse_cards, parse_entry, words_of
from engine.referee import Referee
from engine.values import Action
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

MISTAKES = {
    "vazhushal": ("2H", ("1 exchange AS", "1 discard 3C", "2 exchange"), "2 discard AS"),
    "possession": ("8C", ("2 show 7S", "1 show 9D", "2 draw 9C"), "1 play 9C"),
}
"""By game: the turn-up, what was entered, one line of it wrong, and the action that shows which."""


def started(game: str, *lines: str, turn_up: str) -> Referee:
    table = lay_table(games()[game], 2, tracked=False)
    referee = Referee(begin(table))
    referee.rule(entries.Deal(1, Dealt((None, None), parse_cards(table, words_of(turn_up), 1))))
    for line in lines:
        assert referee.rule(parse_entry(table, line, 1)).refusal is None
    return referee


def action_of(table: SimulatedTable, line: str) -> Action:
    action = parse_entry(table.match.table, line, 1)
    assert isinstance(action, Action)
    return action


@pytest.mark.parametrize("game", MISTAKES)
def test_it_is_played_and_the_record_is_legal(tmp_path: Path, game: str) -> None:
    turn_up, lines, shows = MISTAKES[game]
    referee = started(game, *lines, turn_up=turn_up)
    with table_of(tmp_path, game, 2, referee, tracked=False, readers="none") as table:  # it checks the record
        before, rows = bare(table.match), len(journal_rows(table.journal_file))
        enter(table, action_of(table, shows), "none")
        assert table.heard[-1].ruling is not None
        assert table.heard[-1].ruling.refusal is None
        assert table.loop.lines[-1] == shows
        assert f"# said otherwise before: {shows}" in table.loop.lines
        assert len(journal_rows(table.journal_file)) == rows + 1
        assert table.match.step == before.step + 1
        played = bare(table.match)
        table.restart()
        assert bare(table.match) == played


@pytest.mark.parametrize("game", MISTAKES)
def test_it_is_taken_back_like_any_other(tmp_path: Path, game: str) -> None:
    turn_up, lines, shows = MISTAKES[game]
    referee = started(game, *lines, turn_up=turn_up)
    seat = int(shows[0])
    with table_of(tmp_path, game, 2, referee, tracked=False, readers="none") as table:
        step, waiting = table.match.step, to_act(table.match)
        enter(table, action_of(table, shows), "none")
        take_back(table, seat)
        assert table.match.step == step
        assert to_act(table.match) == waiting


def test_who_plays_it_cannot_tell_that_another_seat_had_named_it(tmp_path: Path) -> None:
    seen = []
    for named in ("AS", "KD"):
        trace = Trace()
        referee = started("vazhushal", f"1 exchange {named}", "1 discard 3C", "2 exchange", turn_up="2H")
        with table_of(tmp_path / named, "vazhushal", 2, referee, trace, tracked=False, readers="none") as table:
            enter(table, action_of(table, "2 discard AS"), "none")
            corrected = any("otherwise" in line for line in table.loop.lines)
            assert corrected is (named == "AS")
            table.hold(2, Button.RIGHT)
            table.release(2, Button.RIGHT)
            wires = wires_of(table, 2)
            seen.append([(entry.wire, entry.what, entry.data) for entry in trace if entry.wire in wires])
    assert seen[0] == seen[1]


def test_what_a_seat_said_that_it_buried_it_cannot_play(tmp_path: Path) -> None:
    referee = started("vazhushal", "1 exchange AS", turn_up="2H")
    with table_of(tmp_path, "vazhushal", 2, referee, tracked=False, readers="none") as table:
        table.choose(1, "discard")
        offered = table.loop.seat_view(1).offered
        assert parse_cards(table.match.table, words_of("KS"), 1)[0] in offered
        assert parse_cards(table.match.table, words_of("AS"), 1)[0] not in offered
