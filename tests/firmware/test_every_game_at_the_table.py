"""Every installed game, at every kind of table: bots play it, and each legal action can be entered there."""

from pathlib import Path
from random import Random

import pytest
from at_table import all_bots, bare, take_back
from lying_cards import EVERY_RULE_SET, enter, plain, played, some, table_of

from engine.game import games
from engine.match import lay_table
from firmware.simulated import SimulatedTable

READERS = ("seats", "centre", "none")
FEW_REFUSALS = 3
"""A bot may err about what it holds; it does not go on with it."""


def name_of(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Bots at every table

TABLES = [
    (game, rules, seats, tracked, readers)
    for game, rules in EVERY_RULE_SET
    for seats in games()[game].seats
    for tracked in (True, False)
    for readers in READERS
    if not (tracked and readers == "none")  # tracked hands need a dealing pad
]
SHORT = [
    pytest.param(("pepper", "standard", 2, False, "none"), marks=pytest.mark.soak),
    ("possession", "standard", 2, True, "seats"),
    ("possession", "melds", 2, False, "centre"),
    pytest.param(("vazhushal", "standard", 3, False, "none"), marks=pytest.mark.soak),
    ("vazhushal", "wipe", 2, False, "seats"),
]


def rulings(table: SimulatedTable) -> int:
    return sum(heard.ruling is not None and heard.ruling.refusal is None for heard in table.heard)


def bots_play(folder: Path, kind: tuple[str, str, int, bool, str], most: int, seed: int = 1) -> SimulatedTable:
    """Bots from the first deal to its end, or for so many actions; the record is one that the referee accepts."""
    game, rules, seats, tracked, readers = kind
    with table_of(folder, game, seats, rules=rules, tracked=tracked, readers=readers) as table:
        bench = all_bots(table, seed)
        bench.play_until(lambda: table.match.deals > 0 or rulings(table) >= most, limit=60.0 + 20.0 * most)
        refused = [heard for heard in table.heard if heard.ruling is not None and heard.ruling.refusal is not None]
        assert len(refused) <= FEW_REFUSALS, refused
        assert table.match.deals > 0 or rulings(table) >= most
        return table


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", SHORT, ids=name_of)
def test_bots_deal_and_play_at_this_table(tmp_path: Path, kind: tuple[str, str, int, bool, str]) -> None:
    table = bots_play(tmp_path, kind, most=9)
    assert any(line.startswith("deal ") for line in table.loop.lines)


@pytest.mark.soak
@pytest.mark.parametrize("kind", TABLES[::9], ids=name_of)
def test_bots_play_a_deal_at_tables_of_many_kinds(tmp_path: Path, kind: tuple[str, str, int, bool, str]) -> None:
    bots_play(tmp_path, kind, most=120)


# Every legal action can be entered

ENTERED = [
    (game, rules, tracked, readers)
    for game, rules in EVERY_RULE_SET
    for tracked, readers in ((True, "seats"), (False, "none"), (True, "centre"), (False, "seats"))
]


def assert_entered(folder: Path, kind: tuple[str, str, bool, str], seed: int, most: int, tries: int) -> None:
    """At a random state each of some legal actions is entered and taken back again."""
    game, rules, tracked, readers = kind
    chance = Random(seed)
    seats = chance.choice(games()[game].seats[:3])
    referee = played(chance, lay_table(games()[game], seats, rules, tracked), 1, chance.randint(0, most))
    listed = some(referee.match, 200)
    verbs = sorted({action.verb for action in listed})
    chosen = [next(action for action in chance.sample(listed, len(listed)) if action.verb == verb) for verb in verbs]
    chosen += chance.sample(listed, min(tries, len(listed)))
    entered = "none" if seed % 2 else readers  # cards by buttons alone, also where there is a reader
    with table_of(folder, game, seats, referee, rules=rules, tracked=tracked, readers=readers) as table:
        before = bare(table.match)
        for action in chosen:
            table.heard.clear()
            enter(table, action, entered)
            ruling = table.heard[-1].ruling if table.heard else None
            assert ruling is not None, (action, table.heard, table.loop.lines)
            assert ruling.refusal is None, (action, ruling, table.loop.lines)
            made = ruling.entry
            assert made is not None
            assert plain(table.file.table, made) == plain(table.file.table, action)  # type: ignore[arg-type]
            take_back(table, action.seat)
            assert bare(table.match) == before


@pytest.mark.few(1)
@pytest.mark.parametrize(("seed", "kind"), list(enumerate(ENTERED)), ids=name_of)
def test_a_legal_action_of_each_verb_is_entered_at_the_table(
    tmp_path: Path, seed: int, kind: tuple[str, str, bool, str]
) -> None:
    assert_entered(tmp_path, kind, seed, most=8, tries=0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("kind", ENTERED, ids=name_of)
def test_every_legal_action_is_entered_at_the_table(
    tmp_path: Path, kind: tuple[str, str, bool, str], seed: int
) -> None:
    assert_entered(tmp_path, kind, seed, most=40, tries=12)
