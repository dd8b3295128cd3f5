"""Undo: the last accepted entry is taken back, whatever it was, back to the start of the match."""

from random import Random

import every_game
import pytest
from tables import BY_RANK, deal_line, hand_lines, play_on, played, random_deal, random_table, random_walk

from engine import entries
from engine.cards import PLAIN, Card
from engine.game import games
from engine.match import Match, Standing, begin, view
from engine.pieces import piece_card
from engine.referee import Need, Referee, Undoing
from engine.values import Action
from engine.view import Melds


def without_notices(match: Match) -> Match:
    return match._replace(notices=())


PASSED_OUT = "1 pass / 2 pass / 3 pass / 4 pass"


def test_an_undo_takes_back_the_last_accepted_action() -> None:
    done = played(deal_line(4), "1 bid 2 / 2 bid 1 / 3 undo / 1 bid 3")
    assert done.verdicts == ["ok", "ok", "bid-too-low", "ok", "ok"]


def test_an_undo_is_open_to_every_seat_and_the_director_at_any_time() -> None:
    for who in ("1", "2", "3", "4", "director"):
        assert played(deal_line(4), f"1 bid 2 / {who} undo").match.deal.calls == ()


def test_undo_after_undo_takes_back_one_more() -> None:
    done = played(deal_line(4), "1 bid 2 / 2 bid 3 / 3 bid 4 / 1 undo / 1 undo")
    assert done.result["to_act"] == [2]


def test_an_undone_trick_is_running_again() -> None:
    body = "1 bid big / 1 trump none / 1 play 9C / 2 play JC / 3 play QC / 4 play AC"
    done = played(deal_line(4, BY_RANK), body, "4 undo / 4 play AC")
    assert done.verdicts[-3:] == ["ok trick-won", "ok", "ok trick-won"]


def test_cards_seen_in_what_was_taken_back_are_forgotten() -> None:
    done = played("deal 4", "1 bid big / 1 trump none / 1 play 9C / 1 undo / 1 play 10C / 2 play 9C", hands="concealed")
    assert done.last == "ok"


def test_undo_of_a_deal_without_actions_takes_back_the_deal_and_reopens_the_one_before() -> None:
    done = played("deal 4", PASSED_OUT, "deal / 1 undo / 2 pass / 1 undo / 4 bid 1", hands="concealed")
    assert done.verdicts[-5:] == ["ok", "ok", "deal-over", "ok", "ok auction-won"]


def test_the_last_action_of_a_reopened_deal_is_still_done() -> None:
    done = played("deal 4", PASSED_OUT, "deal / 1 undo", hands="concealed")
    assert done.match.standing is Standing.BETWEEN
    assert done.match.deal.calls[-1] == (4, 0)


def test_undo_goes_back_to_the_start_of_the_match_and_no_further() -> None:
    done = played("deal 4", "1 bid 2", hands="concealed")
    assert done.rule("1 undo / 1 undo / 1 undo / director undo") == ["ok", "ok", "nothing-to-undo", "nothing-to-undo"]
    assert without_notices(done.match) == begin(done.match.table)


def test_after_the_first_deal_was_taken_back_another_can_be_dealt_by_any_seat() -> None:
    done = played("deal 4", "1 undo / deal 2", hands="concealed")
    assert done.verdicts == ["ok", "ok", "ok"]
    assert done.match.dealer == 2


@pytest.mark.parametrize(
    "ruling",
    [
        "director score 1 = 5",
        "director void",
        "director void match",
        "director dealer = 2",
        "director turn = 3",
        "director hand 2: 9C 10C JC QC KC AC",
        "director name 1 = Ann",
    ],
)
def test_each_ruling_of_the_director_is_taken_back_like_an_action(ruling: str) -> None:
    before = played("deal 4", hands="concealed").match
    done = played("deal 4", ruling, "director undo", hands="concealed")
    assert done.verdicts[-1] == "ok"
    assert without_notices(done.match) == without_notices(before)


def test_undo_takes_back_the_end_of_a_match() -> None:
    done = play_on(played(deal_line(4), "1 bid big / 1 trump none", scores="20 0"))
    assert done.result["winners"] == [1]
    assert done.rule("1 undo") == ["ok"]
    assert done.scores == (20, 0)
    assert done.result["over"] is False
    assert done.match.standing is Standing.RUNNING


def test_an_undone_wrong_dealer_is_gone() -> None:
    done = played("deal 4", "director void / deal 1 / 2 undo", hands="concealed")
    assert done.result["irregularities"] == []
    assert done.rule("deal") == ["ok"]
    assert done.match.dealer == 4


def test_undo_in_a_deal_does_not_touch_the_deals_before() -> None:
    done = played("deal 4", PASSED_OUT, "deal / 2 bid 3 / 2 undo", hands="concealed")
    assert done.result["to_act"] == [2]
    assert done.match.dealer == 1


RULINGS = (
    entries.SetScore(1, 3),
    entries.VoidDeal(),
    entries.SetDealer(2),
    entries.SetTurn(1),
    entries.SetName(1, "Ann"),
    entries.Accept("wrong-dealer"),
    entries.Penalty("revoke", "fail-bid"),
)


@pytest.mark.parametrize("seed", range(12))
def test_every_undo_gives_the_state_before_back_to_the_start_and_replaying_gives_the_same_again(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    referee = Referee(begin(table))
    states = [referee.match]

    def rule(entry: entries.Entry) -> None:
        if referee.rule(entry).refusal is None:
            states.append(referee.match)

    for _ in range(6):
        rule(random_deal(random, table, random.randint(1, table.seats)))
        for _ in random_walk(random, referee):
            states += [referee.match] if referee.match.step == len(states) else []
            if random.random() < 0.08:
                rule(random.choice(RULINGS))
        states += [referee.match] if referee.match.step == len(states) else []
    assert [match.step for match in states] == list(range(len(states)))
    end, accepted = referee.match, [entry for entry, _ in referee.accepted]

    again = Referee(begin(table))
    for entry, state in zip(accepted, states[1:], strict=True):
        assert again.rule(entry).refusal is None
        assert again.match == state
    assert again.match == end

    for state in reversed(states[:-1]):
        assert referee.rule(entries.Undo(None)).refusal is None
        assert without_notices(referee.match) == without_notices(state)
    assert referee.can_undo(1) == Undoing(Need.NOTHING)
    refusal = referee.rule(entries.Undo(1)).refusal
    assert refusal
    assert refusal.code == "nothing-to-undo"


def test_undo_and_other_actions_mixed_leave_what_the_kept_entries_give() -> None:
    random = Random(3)
    for _ in range(10):
        table = random_table(random)
        referee = Referee(begin(table))
        for _ in range(4):
            referee.rule(random_deal(random, table, random.randint(1, table.seats)))
            for _ in random_walk(random, referee):
                while random.random() < 0.3 and referee.accepted:
                    referee.rule(entries.Undo(None))
        again = Referee(begin(table))
        for entry, _ in referee.accepted:
            assert again.rule(entry).refusal is None
        assert without_notices(again.match) == without_notices(referee.match)
        assert again.accepted == [(entry, 0) for entry, _ in referee.accepted]


def test_undo_reaches_back_over_hand_lines_of_a_tracked_deal() -> None:
    done = played(deal_line(4), PASSED_OUT, f"deal / {hand_lines(BY_RANK)}", "2 undo / 2 undo")
    assert done.result["to_act"] == [4]
    assert done.match.deal.hands.known[0].bit_count() == 6


def undoing(body: str, by: int) -> tuple[str, tuple[int, ...]]:
    """What it needs that a seat's wish is met after these actions, and whose assent."""
    answer = played(deal_line(4, BY_RANK), body).referee.can_undo(by)
    return answer.need.value, answer.asked


AUCTION = "1 bid big / 1 trump none"


def test_nothing_can_be_taken_back_before_the_first_deal() -> None:
    assert Referee(begin(random_table(Random(1)))).can_undo(1) == Undoing(Need.NOTHING)


def test_a_call_is_taken_back_freely_by_who_made_it_and_by_nobody_else() -> None:
    assert undoing("1 bid 2", 1) == ("freely", ())
    assert undoing("1 bid 2 / 2 pass", 2) == ("freely", ())
    assert undoing(AUCTION, 1) == ("freely", ())
    assert undoing("1 bid 2", 2) == ("assent", (1, 3))


def test_a_card_that_was_seen_is_taken_back_with_the_assent_of_the_other_side() -> None:
    assert undoing(f"{AUCTION} / 1 play 9C", 1) == ("assent", (2, 4))


def test_who_did_it_is_asked_too_where_the_partner_wants_it_back() -> None:
    assert undoing(f"{AUCTION} / 1 play 9C", 3) == ("assent", (1, 2, 4))
    assert undoing(f"{AUCTION} / 1 play 9C", 2) == ("assent", (1, 3))


def test_a_deal_was_seen_by_all_of_its_players() -> None:
    assert undoing("", 4) == ("assent", (1, 3))
    assert undoing("", 2) == ("assent", (1, 3, 4))


def test_a_ruling_of_the_director_is_taken_back_with_the_assent_of_the_other_side() -> None:
    assert undoing("1 bid 2 / director score 1 = 5", 1) == ("assent", (2, 4))


@pytest.mark.parametrize("name", ["pepper", "possession", "vazhushal"])
def test_whoever_may_see_a_card_by_a_silent_action_saw_it_before(name: str) -> None:
    """What every seat sees after an action that is taken back freely it saw before it."""
    random = Random(name)
    told = 0
    for _ in range(8):
        referee = Referee(begin(every_game.random_table(random, games()[name])))
        every_game.deal_until_running(random, referee)
        match = referee.match
        for after in every_game.walk(random, referee, most=60):
            done = referee.accepted[-1][0]
            if match is not after and isinstance(done, Action) and done.verb in match.table.game.silent:
                told += 1
                for seat in range(1, match.table.seats + 1):
                    assert seen_cards(after, seat) <= seen_cards(match, seat)
            match = after
    assert told


def seen_cards(match: Match, seat: int) -> set[int]:
    """The faces that a seat may see."""
    cards: set[int] = set()

    def look(value: object) -> None:
        if isinstance(value, Card):
            cards.add(PLAIN[value])
        elif isinstance(value, Melds):
            cards.update(PLAIN[piece_card(piece)] for meld in value.melds for piece in meld)
        elif isinstance(value, tuple):
            for part in value:
                look(part)

    look(view(match, seat).blocks)
    return cards
