"""Thousands of positions and tricks that another program judged: what may follow, and which card wins.

The files were written by `tests/oracle/openspiel.py` from random deals of OpenSpiel, which is not needed here.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.cards import SUITS, Card, cards_of, mask
from engine.tricks import NO_TRUMP, TrickOrder, may_follow, trick_order, winner

ORACLE = Path(__file__).parents[1] / "oracle"

EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = 7, 8, 9, 10, 11, 12, 0
FULL = (*range(1, 13), ACE)
PEPPER = (NINE, TEN, JACK, QUEEN, KING, ACE)
PEPPER_TRUMPS = (NINE, TEN, QUEEN, KING, ACE, JACK)

ORDERS = {
    "euchre": (PEPPER, PEPPER_TRUMPS, True),
    "oh_hell": (FULL, FULL, False),
    "bridge": (FULL, FULL, False),
}
"""Plain ranks, trump ranks and left bower of each game. Euchre's are those of Pepper with the left bower."""

LEFT_BOWER = {"C": "JS", "S": "JC", "D": "JH", "H": "JD"}

Follow = tuple[str, list[str], list[str], list[str]]
"""Trump, the cards of the trick so far, the hand, and what of it is legal."""

Trick = tuple[str, list[str], int]
"""Trump, the cards of a finished trick, and the place of its winner."""


def read(game: str) -> tuple[list[Follow], list[Trick]]:
    """The positions and the finished tricks in a game's file."""
    follows: list[Follow] = []
    tricks: list[Trick] = []
    for line in (ORACLE / f"positions-{game}.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        match json.loads(line):
            case [trump, trick, hand, legal]:
                follows.append((trump, trick.split(), hand.split(), legal.split()))
            case [trump, trick, won]:
                tricks.append((trump, trick.split(), won))
    return follows, tricks


FOLLOWS = {game: read(game)[0] for game in ORDERS}
TRICKS = {game: read(game)[1] for game in ORDERS}


def order_of(trump: str, orders: tuple[tuple[int, ...], tuple[int, ...], bool]) -> TrickOrder:
    number = NO_TRUMP if trump == "none" else SUITS.index(trump)
    return trick_order(number, *orders)


def followed(order: TrickOrder, trick: Sequence[str], hand: Sequence[str]) -> set[str]:
    """The texts of the cards that the engine lets follow."""
    legal = may_follow(order, mask(map(Card, hand)), order.suit[Card(trick[0])])
    return set(map(str, cards_of(legal)))


@pytest.mark.parametrize("game", ORDERS)
def test_the_same_cards_may_follow(game: str) -> None:
    differing = [
        (trump, trick, hand, legal)
        for trump, trick, hand, legal in FOLLOWS[game]
        if followed(order_of(trump, ORDERS[game]), trick, hand) != set(legal)
    ]
    assert differing == []


@pytest.mark.parametrize("game", ORDERS)
def test_the_same_card_wins(game: str) -> None:
    differing = [
        (trump, cards, won)
        for trump, cards, won in TRICKS[game]
        if winner(order_of(trump, ORDERS[game]), [Card(card) for card in cards]) != won
    ]
    assert differing == []


def test_without_the_left_bower_in_sight_the_same_cards_may_follow_in_standard_pepper() -> None:
    standard = (PEPPER, PEPPER_TRUMPS, False)
    shared = [row for row in FOLLOWS["euchre"] if LEFT_BOWER[row[0]] not in row[1] + row[2]]
    assert len(shared) > 1000
    differing = [
        (trump, trick, hand, legal)
        for trump, trick, hand, legal in shared
        if followed(order_of(trump, standard), trick, hand) != set(legal)
    ]
    assert differing == []


def test_a_trick_without_the_left_bower_is_won_by_the_same_card_in_standard_pepper() -> None:
    standard = (PEPPER, PEPPER_TRUMPS, False)
    shared = [row for row in TRICKS["euchre"] if LEFT_BOWER[row[0]] not in row[1]]
    assert len(shared) > 700
    differing = [
        (trump, cards, won)
        for trump, cards, won in shared
        if winner(order_of(trump, standard), [Card(card) for card in cards]) != won
    ]
    assert differing == []


def test_the_second_pack_follows_and_wins_like_the_first() -> None:
    for game, orders in ORDERS.items():
        for trump, trick, hand, legal in FOLLOWS[game][:300]:
            mine, others = [f"{card}'2" for card in hand], [f"{card}'2" for card in trick]
            assert followed(order_of(trump, orders), others, mine) == {f"{card}'2" for card in legal}
        for trump, cards, won in TRICKS[game][:300]:
            assert winner(order_of(trump, orders), [Card(f"{card}'2") for card in cards]) == won


@pytest.mark.parametrize("game", ORDERS)
def test_the_files_hold_enough_of_every_trump_and_every_place(game: str) -> None:
    trumps = ["C", "D", "H", "S", *(["none"] if game == "bridge" else [])]
    follows = Counter(row[0] for row in FOLLOWS[game])
    tricks = Counter(row[0] for row in TRICKS[game])
    assert set(follows) == set(tricks) == set(trumps)
    assert min(follows.values()) > 100
    assert min(tricks.values()) > 75
    assert min(Counter(won for _, _, won in TRICKS[game]).values()) > 20


@pytest.mark.parametrize("game", ORDERS)
def test_the_files_hold_duties_and_freedoms_to_follow(game: str) -> None:
    bound = sum(set(legal) != set(hand) for _, _, hand, legal in FOLLOWS[game])
    void = sum(set(legal) == set(hand) and len(hand) > 1 for _, _, hand, legal in FOLLOWS[game])
    assert bound > 500
    assert void > 200


def left_bower_follows(legal: bool, trump_led: bool) -> int:
    """Euchre positions of a hand that must follow and holds the left bower: how many may (not) play it.

    A trump was led there, or else the suit that the left bower shows.
    """
    count = 0
    for trump, trick, hand, allowed in FOLLOWS["euchre"]:
        bower = LEFT_BOWER[trump]
        led = trump if trick[0] == bower else trick[0][-1]
        if bower in hand and set(allowed) != set(hand) and led == (trump if trump_led else bower[-1]):
            count += (bower in allowed) is legal
    return count


def test_the_left_bower_must_follow_trumps_and_may_not_follow_the_suit_that_it_shows() -> None:
    assert left_bower_follows(legal=True, trump_led=True) > 20
    assert left_bower_follows(legal=False, trump_led=False) > 20
    assert left_bower_follows(legal=False, trump_led=True) == 0
    assert left_bower_follows(legal=True, trump_led=False) == 0


def test_the_left_bower_that_is_led_calls_for_trumps() -> None:
    led = [row for row in FOLLOWS["euchre"] if row[1][0] == LEFT_BOWER[row[0]]]
    bound = [row for row in led if set(row[2]) != set(row[3])]
    assert len(led) > 50
    assert len(bound) > 20
    assert all(card[-1] == trump for trump, _, _, legal in bound for card in legal)


def test_the_left_bower_beats_the_ace_of_trumps_and_loses_to_the_right_bower() -> None:
    above, below = 0, 0
    for trump, cards, won in TRICKS["euchre"]:
        if LEFT_BOWER[trump] in cards:
            right = f"J{trump}" in cards
            assert cards[won] == (f"J{trump}" if right else LEFT_BOWER[trump])
            above, below = above + (not right and f"A{trump}" in cards), below + right
    assert above > 10
    assert below > 10
