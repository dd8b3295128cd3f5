"""The engine and a second Pepper, written from the rules alone, judge random actions alike."""

from collections import Counter
from random import Random

import pytest
from model import Model
from tables import BIDS, random_options, random_table, shuffled

from engine.cards import CARDS, Card
from engine.entries import Deal
from engine.game import Dealt, games
from engine.match import Standing, begin, lay_table, to_act
from engine.pepper.auction import BIDS as BID_TEXTS
from engine.pepper.auction import TRUMPS
from engine.referee import Referee
from engine.values import Action, Argument

FOREIGN = ("2C", "8H", "JK", "9D'2", "JK'4")


def random_action(random: Random, referee: Referee) -> tuple[int, str, str | None]:
    """Any action at all, more often one of the seat to act and with cards of its own hand."""
    match = referee.match
    turn = to_act(match)
    seat = turn[0] if turn and random.random() < 0.7 else random.randint(1, match.table.seats)
    phase = {"auction": ("bid", "bid", "pass"), "trump": ("trump",), "play": ("play",)}
    likely = phase.get(match.deal.phase.value if match.deal else "", ("pass",))
    verb = random.choice(likely) if random.random() < 0.9 else random.choice(("bid", "pass", "trump", "play", "meld"))
    if verb == "bid":
        return seat, verb, random.choice(BIDS[:4] if random.random() < 0.6 else BIDS)
    if verb == "trump":
        return seat, verb, random.choice(TRUMPS)
    if verb != "play":
        return seat, verb, None
    held = match.deal.hands.known[seat - 1] if match.deal else 0
    own = [str(card) for card in CARDS[:52] if held >> card & 1]
    every = [rank + suit for rank in ("9", "10", "J", "Q", "K", "A") for suit in "CDHS"]
    return seat, verb, random.choice(own if own and random.random() < 0.8 else [*every, *FOREIGN])


def engine_argument(verb: str, text: str | None) -> Argument:
    if text is None:
        return None
    if verb == "play":
        return Card(text)
    return BID_TEXTS.index(text) if verb == "bid" else TRUMPS.index(text)


def compare_a_match(random: Random, steps: int) -> Counter[str]:
    """Play a match on both, legal or not; gives how often each verdict came."""
    table = random_table(random, tracked=True)
    options = {name: value for name, value in table.options if name != "revoke_penalty"}
    table = lay_table(games()["pepper"], table.seats, table.rule_set, True, options)
    model = Model(table.seats, table.rule_set, options)
    referee = Referee(begin(table))
    seen: Counter[str] = Counter()
    for _ in range(steps):
        if referee.match.standing in (Standing.BEFORE, Standing.BETWEEN) and random.random() < 0.7:
            dealer = model.next_dealer or random.randint(1, table.seats)
            hands = shuffled(random, table)
            assert referee.rule(Deal(dealer, Dealt(tuple(map(tuple, hands))))).refusal is None
            model.deal(dealer, [[str(card) for card in hand] for hand in hands])
        seat, verb, text = random_action(random, referee)
        expected = model.verdict(seat, verb, text)
        ruling = referee.rule(Action(seat, verb, engine_argument(verb, text)))
        assert (ruling.refusal.code if ruling.refusal else None) == expected, (seat, verb, text, model.__dict__)
        seen[expected or "ok"] += 1
        if expected is None:
            model.act(seat, verb, text)
        match = referee.match
        assert list(match.scores) == model.scores
        assert match.deals == model.deals
        assert [match.table.sides[place][0] for place in match.winners] == ([model.winner] if model.winner else [])
        assert list(to_act(match)) == ([model.turn()] if model.running else [])
    return seen


@pytest.mark.parametrize("seed", range(60))
def test_every_action_of_a_random_match_gets_the_verdict_of_the_second_pepper(seed: int) -> None:
    compare_a_match(Random(seed), 300)


def test_the_random_actions_meet_every_verdict() -> None:
    seen = sum((compare_a_match(Random(seed), 150) for seed in range(100, 140)), Counter[str]())
    codes = {
        "ok", "unknown-action", "match-over", "deal-over", "wrong-phase", "already-passed", "not-your-turn",
        "not-in-hand", "must-follow-suit", "bid-too-low", "bid-out-of-range",
    }  # fmt: skip
    assert set(seen) == codes
    assert min(seen.values()) >= 5


def test_random_options_take_every_value() -> None:
    random = Random(5)
    met: dict[str, set[object]] = {}
    for _ in range(300):
        for name, value in random_options(random).items():
            met.setdefault(name, set()).add(value)
    assert set(met) == set(games()["pepper"].options)
    assert min(len(values) for values in met.values()) >= 2
