"""A referee that goes on between two deals answers as one that was there from the first one."""

from itertools import islice
from random import Random

import pytest

from benchmarks.rulings import play_deal, tables
from engine.entries import Entry, SetScore, Undo, VoidDeal
from engine.game import games
from engine.match import Table, begin
from engine.referee import Earlier, Referee

TABLES = [next(tables(game)) for game in games().values()]


def thrown_in(referee: Referee, chance: Random) -> list[Entry]:
    """A deal of which a little is played; gives what was entered."""
    before = referee.count
    list(islice(play_deal(referee, chance), 6))
    referee.rule(VoidDeal())
    return [entry for entry, _ in referee.accepted[before:]]


def going_on(table: Table, seed: int) -> tuple[Referee, Referee, list[int]]:
    """A referee of three deals, and one that has the last of them at hand; how often that one asked for the others."""
    whole, chance = Referee(begin(table)), Random(seed)
    for _ in range(2):
        thrown_in(whole, chance)
    entries = [entry for entry, _ in whole.accepted]
    asked: list[int] = []

    def load() -> Referee:
        asked.append(1)
        again = Referee(begin(table))
        for entry in entries:
            again.accept(entry)
        return again

    late = Referee(whole.match._replace(deal=None), Earlier(whole.count, whole.deal, load))
    for entry in thrown_in(whole, chance):
        assert late.check(entry) is None
        late.accept(entry)
    return whole, late, asked


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game.name)
def test_all_is_taken_back_as_if_it_had_been_there(table: Table) -> None:
    whole, late, asked = going_on(table, 5)
    first = whole.count - len(whole.since_deal())
    while whole.count:
        assert (late.match, late.count, late.deal, late.last) == (whole.match, whole.count, whole.deal, whole.last)
        assert late.since_deal() == whole.since_deal()
        assert bool(asked) == (whole.count <= first)
        assert late.before == whole.before
        for referee in (whole, late):
            referee.accept(Undo(None))
    assert len(asked) == 1


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game.name)
def test_what_was_forgotten_can_be_had_again(table: Table) -> None:
    whole, late, asked = going_on(table, 6)
    for entry in thrown_in(whole, Random(7)):
        late.accept(entry)
    assert late.held == 2
    kept = [entry for entry, _ in whole.accepted]

    def load() -> Referee:
        again = Referee(begin(table))
        for entry in kept[:third]:
            again.accept(entry)
        return again

    third = len(kept) - len(whole.since_deal())
    late.forget(Earlier(third, 3, load))
    assert late.held == 1
    assert (late.count, late.deal, late.since_deal()) == (whole.count, whole.deal, whole.since_deal())
    assert not asked
    assert late.accepted == [(entry, 0) for entry in kept]
    assert late.held == 4


def test_what_stands_before_any_deal_at_hand_is_had_first() -> None:
    whole, _, _ = going_on(TABLES[0], 8)
    entries = [entry for entry, _ in whole.accepted]

    def load() -> Referee:
        again = Referee(begin(TABLES[0]))
        for entry in entries:
            again.accept(entry)
        return again

    late = Referee(whole.match._replace(deal=None), Earlier(whole.count, whole.deal, load))
    for referee in (whole, late):
        referee.accept(SetScore(1, 3))
    assert (late.match, late.since_deal()) == (whole.match, whole.since_deal())
