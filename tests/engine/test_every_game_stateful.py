"""Every installed game under a machine that plays, errs, takes back and rules, and looks after each step."""

from random import Random
from typing import Any

import pytest
from every_game import (
    GAMES,
    in_play,
    lying,
    mutations,
    pick,
    random_deal,
    random_ruling,
    random_table,
    record_of,
    some,
    strands,
)
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.answers import check_record
from engine.entries import Deal, Entry, Undo
from engine.game import Game
from engine.match import Match, Standing, begin, check, legal, to_act, view
from engine.record import read_record, write_record
from engine.referee import Referee
from engine.view import DIRECTOR, PUBLIC

chance = st.integers(0, 2**32).map(Random)


class Play(RuleBasedStateMachine):
    """A referee, and the matches before each entry that it accepted."""

    game: Game

    @initialize(random=chance)
    def lay_table(self, random: Random) -> None:
        self.first = begin(random_table(random, self.game))
        self.referee = Referee(self.first)
        self.kept: list[Match] = []
        deal = random_deal(random, self.first.table, random.randint(1, self.first.table.seats))
        self.enter(deal)

    @property
    def match(self) -> Match:
        return self.referee.match

    def enter(self, entry: Entry) -> None:
        before, text = self.match, repr(self.match.deal)
        ruling = self.referee.rule(entry, len(self.kept))
        assert repr(before.deal) == text
        if ruling.refusal is None:
            self.kept.append(before)
        else:
            assert self.match is before

    @precondition(lambda self: self.match.standing is Standing.RUNNING)
    @rule(random=chance, steps=st.integers(1, 8))
    def act(self, random: Random, steps: int) -> None:
        for _ in range(steps):
            actions = some(self.match)
            if not actions:
                return
            action = pick(random, actions)
            assert check(self.match, action) is None
            self.enter(action)

    @precondition(lambda self: self.match.standing is Standing.RUNNING)
    @rule(random=chance)
    def act_otherwise(self, random: Random) -> None:
        for action in mutations(random, self.match, some(self.match), 3):
            self.enter(action)
            if self.match.deal is not None and strands(self.game, self.match.deal):
                self.undo(1, None)  # nothing else helps; so such a step is accepted, but never listed
                assert action not in legal(self.match)

    @precondition(lambda self: self.match.standing in (Standing.BEFORE, Standing.BETWEEN))
    @rule(random=chance)
    def deal(self, random: Random) -> None:
        dealer = self.match.next_dealer if random.random() < 0.8 else 0
        self.enter(random_deal(random, self.match.table, dealer or random.randint(1, self.match.table.seats)))

    @rule(random=chance)
    def say_as_director(self, random: Random) -> None:
        self.enter(random_ruling(random, self.match))

    @rule(steps=st.integers(1, 5), seat=st.sampled_from([None, 1, 2]))
    def undo(self, steps: int, seat: int | None) -> None:
        for _ in range(steps):
            ruling = self.referee.rule(Undo(seat))
            assert (ruling.refusal is None) is bool(self.kept)
            if not self.kept:
                return
            assert self.match == self.kept.pop()._replace(notices=())

    @invariant()
    def somebody_is_to_act_while_a_deal_runs(self) -> None:
        running = self.match.standing is Standing.RUNNING
        assert bool(to_act(self.match)) is running
        assert bool(next(legal(self.match), None)) is running

    @invariant()
    def every_card_lies_in_one_place(self) -> None:
        if self.match.deal is None:
            return
        dealt = [entry for entry, _ in self.referee.accepted if isinstance(entry, Deal)]
        shown, count = lying(self.match)
        assert len(set(shown)) == len(shown)
        assert set(shown) <= set(self.game.pack(self.match.table.rules))
        assert count == in_play(self.match.table, dealt[-1])

    @invariant()
    def every_viewer_has_a_view(self) -> None:
        for viewer in (DIRECTOR, PUBLIC, *range(1, self.match.table.seats + 1)):
            assert view(self.match, viewer).viewer == viewer

    @invariant()
    def the_end_is_what_the_scores_say(self) -> None:
        match = self.match
        if match.standing is not Standing.RUNNING and not match.voided:
            assert match.winners == self.game.winners(match.table.rules, match.scores)
            assert (match.standing is Standing.OVER) is bool(match.winners)

    def teardown(self) -> None:
        """What was accepted, fed to another referee and written as a record, gives the same match."""
        if not hasattr(self, "referee"):
            return
        again = Referee(self.first)
        again.begun = self.referee.begun  # the first deal may have been taken back before the director spoke
        for entry, line in self.referee.accepted:
            assert again.rule(entry, line).refusal is None
        assert again.match._replace(notices=()) == self.match._replace(notices=())
        if not (self.referee.accepted and isinstance(self.referee.accepted[0][0], Deal)):
            return  # no record has a line of the director before the first deal
        text = record_of(self.referee, self.first)
        record = read_record(text)
        assert write_record(record) == text
        checked, answers = check_record(record)
        assert all(answer.ruling.refusal is None for answer in answers)
        assert checked.match._replace(notices=()) == self.match._replace(notices=())


def machine(game: Game, **settled: Any) -> Any:
    """The test case of one game."""
    kind: Any = type(f"Play_{game.name}", (Play,), {"game": game})
    case = kind.TestCase
    case.settings = settings(settings(), **settled)
    return case


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_machine_that_plays_errs_takes_back_and_rules(game: Game) -> None:
    machine(game, max_examples=5, stateful_step_count=15, derandomize=True)("runTest").runTest()


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_machine_that_plays_errs_takes_back_and_rules_for_long(game: Game) -> None:
    machine(game, max_examples=200, stateful_step_count=60)("runTest").runTest()
