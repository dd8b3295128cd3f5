"""Golden playthroughs: long records of every rule set are answered, line by line, as they were.

The answers are written anew by `python tests/engine/playthrough.py`; one that changes needs a reason.
"""

import pytest
from every_game import RULE_SETS
from playthrough import answered, file_of

from engine.game import Game

NAMES = [f"{game.name}-{rule_set}" for game, rule_set in RULE_SETS]


@pytest.mark.parametrize(("game", "rule_set"), RULE_SETS, ids=NAMES)
def test_every_line_of_the_playthrough_is_answered_as_before(game: Game, rule_set: str) -> None:
    text = file_of(game, rule_set).read_text(encoding="utf-8")
    assert answered(text) == text


@pytest.mark.parametrize(("game", "rule_set"), RULE_SETS, ids=NAMES)
def test_a_playthrough_has_all_kinds_of_lines(game: Game, rule_set: str) -> None:
    text = file_of(game, rule_set).read_text(encoding="utf-8")
    assert text.startswith(f"game: {game.name}\nrules: {rule_set}\n")
    assert text.count(" # ok") > 60
    assert text.count(" # refused") > 5
    assert text.count(" undo ") > 2
    assert text.count("\ndirector ") > 5
