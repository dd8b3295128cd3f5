"""What the referee does at its edges: a refused deal, a score before the first deal, cards as values."""

import copy
import pickle

import pytest
from tables import deal_line, played

from engine import entries
from engine.cards import CARDS, Card, CardError
from engine.game import Dealt, games
from engine.match import Standing, begin, lay_table, to_act
from engine.record import read_record
from engine.referee import Referee

BAD = "deal 1 / hand 1: 9C / hand 2: 9D 10D JD QD KD AD / hand 3: 9H 10H JH QH KH AH / hand 4: 9S 10S JS QS KS AS"


def test_nothing_is_legal_after_a_refused_deal_until_the_next_deal_line() -> None:
    done = played(deal_line(4), "1 bid 2", BAD)
    assert done.verdicts[-1] == "wrong-count"
    assert list(done.referee.legal()) == []
    assert to_act(done.match) == (2,)
    assert done.rule("2 bid 3") == ["wrong-phase"]


DEAL = entries.Deal(2, Dealt((None,) * 4))


@pytest.mark.parametrize(
    "entry", [entries.SetScore(1, 40), entries.SetName(2, "Ben"), entries.VoidMatch(), entries.VoidDeal()]
)
def test_before_the_first_deal_a_record_has_no_place_for_a_ruling(entry: entries.Entry) -> None:
    referee = Referee(begin(lay_table(games()["pepper"], 4, tracked=False)))
    refusal = referee.rule(entry).refusal
    assert refusal is not None
    assert (refusal.code, refusal.facts) == ("wrong-phase", (("standing", "before"),))
    assert referee.accepted == []


def test_a_score_after_a_first_deal_that_was_taken_back_ends_the_match_and_can_open_it_again() -> None:
    referee = Referee(begin(lay_table(games()["pepper"], 4, tracked=False)))
    referee.rule(DEAL)
    referee.rule(entries.Undo(None))
    ruling = referee.rule(entries.SetScore(1, 40))
    assert [notice.code for notice in ruling.notices] == ["match-won"]
    ended = referee.match.standing
    assert ended is Standing.OVER
    referee.rule(entries.SetScore(1, 4))
    assert referee.match.standing is Standing.BEFORE
    assert referee.rule(DEAL).refusal is None


def test_a_first_deal_needs_a_dealer() -> None:
    referee = Referee(begin(lay_table(games()["pepper"], 4)))
    with pytest.raises(ValueError, match="expected a seat"):
        referee.rule(entries.Deal(None, Dealt((None,) * 4)))


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_copied_and_pickled_as_the_same_card(card: Card) -> None:
    assert copy.deepcopy(card) == pickle.loads(pickle.dumps(card)) == card
    assert type(copy.copy(card)) is Card


@pytest.mark.parametrize("text", ["9\u017f", "\u2096S", "\uff19D"])
def test_letters_that_only_look_like_a_card_are_none(text: str) -> None:
    with pytest.raises(CardError):
        Card(text)


def test_a_semicolon_in_a_header_value_is_text() -> None:
    record = read_record("game: pepper\nseats: 2\nx-url: a;b\nnames: A;x, B\n")
    assert record.names == ("A;x", "B")
