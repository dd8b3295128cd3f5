"""The course of a match: what it is before its first deal, when it is over, and who is heard."""

from typing import Any

import pytest
from tables import BY_RANK, ONE_SUIT_EACH, deal_line, played

from engine import entries
from engine.cards import Card
from engine.game import Dealt, games
from engine.match import Standing, apply, begin, check, lay_table, seen_from, view
from engine.options import OptionError
from engine.pepper.game import Pepper
from engine.values import Action, Refusal
from engine.view import Score

EVERY_GAME = pytest.mark.parametrize("name", sorted(games()))


@EVERY_GAME
def test_a_table_of_which_nothing_else_is_said_follows_the_standard_rules_with_known_hands(name: str) -> None:
    game = games()[name]
    table = lay_table(game, game.seats[0])
    assert (table.rule_set, table.tracked, table.options) == ("standard", True, ())


@EVERY_GAME
@pytest.mark.parametrize("seats", [0, 1, 7])
def test_a_number_of_seats_that_a_game_has_not_is_told_with_those_that_it_has(name: str, seats: int) -> None:
    game = games()[name]
    said = f"{name} has no {seats} seats; expected 2 to {max(game.seats)}"
    with pytest.raises(OptionError, match=said):
        lay_table(game, seats)


@EVERY_GAME
def test_before_its_first_deal_a_match_has_no_dealer_and_no_deal(name: str) -> None:
    match = begin(lay_table(games()[name], 2))
    assert (match.standing, match.dealer, match.next_dealer, match.deals) == (Standing.BEFORE, 0, 0, 0)
    assert match.deal is None


def score_of(match: Any) -> Score:
    return next(block for block in view(match, 1).blocks if isinstance(block, Score))


def test_a_match_is_shown_as_over_when_it_is_and_not_before() -> None:
    done = played("deal 4", hands="concealed")
    assert not score_of(done.match).over
    done.rule("director void match")
    assert score_of(done.match).over


@pytest.mark.parametrize("seat", [0, 5, -1])
@pytest.mark.parametrize("made", [entries.SetTurn, entries.SetDealer])
def test_no_ruling_is_about_a_seat_that_is_not_there(made: Any, seat: int) -> None:
    match = played(deal_line(4)).match
    assert check(match, made(seat)) == Refusal("wrong-phase", "", (("standing", "running"),))


def test_whichever_side_a_ruling_makes_the_winner_it_is_told_and_stands() -> None:
    done = played("deal 4 / director void / director score 1 = 35", hands="concealed")
    assert done.result["winners"] == [1]
    assert done.rule("director score 2 = 36") == ["ok match-won"]
    assert done.result["winners"] == [2]
    assert done.rule("director score 1 = 37") == ["ok match-won"]
    assert done.result["winners"] == [1]


class Asked(Pepper):
    """Pepper, but it notes for which dealer cards are judged."""

    def check_deal(self, rules: Any, dealer: int, dealt: Dealt) -> Refusal | None:
        return Refusal("wrong-count", "2", (("dealer", dealer),))


@pytest.mark.parametrize(("said", "dealer"), [(3, 3), (0, 1)])
def test_cards_are_judged_for_the_dealer_who_is_said_and_else_for_the_next_one(said: int, dealer: int) -> None:
    match = begin(lay_table(Asked(), 4))._replace(next_dealer=1)
    hands = tuple(tuple(map(Card, cards.split())) for cards in ONE_SUIT_EACH)
    refusal = check(match, entries.Deal(said, Dealt(hands)))
    assert refusal is not None
    assert refusal.facts == (("dealer", dealer),)


def test_an_action_that_was_judged_on_what_its_seat_may_know_is_believed() -> None:
    """The table knows that another seat holds the card; who enters it by buttons must not learn that by a refusal."""
    lead = "1 bid 4 / 2 pass / 3 pass / 4 pass / 1 trump S / 1 play 9S"
    match = played(f"deal 4 / hand 1: {BY_RANK[0]} / {lead}", hands="concealed").match
    entered = Action(2, "play", Card("10C"))
    assert check(match, entered) is not None
    assert check(seen_from(match, 2), entered) is None
    after = apply(match, entered)
    assert (after.step, after.deal.turn) == (match.step + 1, 3)
