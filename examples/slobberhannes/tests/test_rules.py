"""The rules of Slobberhannes on records: who scores what, and when a match is over."""

from pathlib import Path
from random import Random

import pytest

from engine.answers import check_record
from engine.cards import Card
from engine.game import Dealt, games
from engine.match import lay_table
from engine.record import read_record
from engine.values import Action, Notice
from firmware.rulespage import rules_page
from firmware.words import LANGUAGES, Length, Words

GAME = games()["slobberhannes"]
RECORD = (Path(__file__).parent / "all-three.ctr").read_text(encoding="utf-8")


def rulings(text):
    """What the table rules on each line of a record, and the match after it."""
    referee, answers = check_record(read_record(text))
    return [answer.ruling for answer in answers], referee.match


def test_three_seats_play_without_the_black_sevens():
    packs = {seats: GAME.pack(lay_table(GAME, seats).rules) for seats in (3, 4)}
    assert {seats: len(pack) for seats, pack in packs.items()} == {3: 30, 4: 32}
    assert set(packs[4]) - set(packs[3]) == {Card("7C"), Card("7S")}


def test_each_of_the_three_is_noted_when_it_is_taken():
    ruled, _ = rulings(RECORD)
    noted = [notice.facts for ruling in ruled for notice in ruling.notices if notice.code == "forfeit"]
    assert noted == [(("seat", 1), ("what", what)) for what in ("first-trick", "queen", "last-trick")]


@pytest.mark.parametrize(("more", "points"), [(0, 3), (1, 4), (5, 8)])
def test_who_takes_all_three_pays_more(more, points):
    _, match = rulings(RECORD.replace("option: target = 4", f"option: target = 4\noption: all_three = {more}"))
    assert match.scores == (points, 0, 0)


def test_who_does_not_follow_suit_is_told_the_suit():
    ruled, _ = rulings(RECORD)
    refused = [ruling.refusal for ruling in ruled if ruling.refusal]
    assert [(refusal.code, refusal.rule, dict(refusal.facts)) for refusal in refused] == [
        ("must-follow-suit", "3", {"card": Card("7D"), "suit": "C"})
    ]


@pytest.mark.parametrize(
    ("scores", "winners", "losers"),
    [
        ((9, 9, 0, 4), (), ()),
        ((10, 9, 0, 4), (2,), (0,)),
        ((12, 10, 3, 3), (2, 3), (0, 1)),
        ((10, 10, 10, 10), (0, 1, 2, 3), ()),
    ],
)
def test_the_lowest_wins_when_somebody_has_ten(scores, winners, losers):
    rules = lay_table(GAME, 4).rules
    assert (GAME.winners(rules, scores), GAME.losers(rules, scores)) == (winners, losers)


@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("seats", [3, 4])
def test_every_deal_ends_and_check_accepts_what_legal_lists(seats, tracked):
    random = Random(seats)
    rules = lay_table(GAME, seats, tracked=tracked).rules
    cards = random.sample(GAME.pack(rules), len(GAME.pack(rules)))
    hands = tuple(tuple(cards[seat::seats]) if tracked else None for seat in range(seats))
    deal, _ = GAME.deal(rules, 1, Dealt(hands))
    for _ in cards:
        listed = list(GAME.legal(deal))
        (seat,) = GAME.to_act(deal)
        assert listed == [Action(seat, "play", card) for card in GAME.pack(rules)
                          if GAME.check(deal, Action(seat, "play", card)) is None]  # fmt: skip
        deal, _ = GAME.apply(deal, random.choice(listed))
    assert GAME.to_act(deal) == ()
    assert sum(deal.outcome.points) in (3, 4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_and_the_words_are_there(language):
    assert "`all_three`" in rules_page("slobberhannes", language)
    words = Words(GAME, language)
    for length in Length:
        for what in ("first-trick", "queen", "last-trick"):
            named = words.choice(what, length)
            assert named != what
            assert named in words.notice(Notice("forfeit", (("seat", 2), ("what", what))), length)
