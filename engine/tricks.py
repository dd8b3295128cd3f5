"""Tricks: which suit a card belongs to, which cards may follow, and which card wins. No knowledge of any one game."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine.cards import CARD_COUNT, FACES

NO_TRUMP = 4
"""Stands where a suit 0–3 (C D H S) would, when no suit is trump."""

_JACK = 10


class TrickOrder(NamedTuple):
    """The order of the cards under one trump. Tuples are by card number.

    `suit`: the suit that a card belongs to when it is led, followed with or called for. `power`: higher beats lower
    within that suit. `suits`: for each suit 0–3 the mask of the cards that belong to it.
    """

    trump: int
    suit: tuple[int, ...]
    power: tuple[int, ...]
    suits: tuple[int, ...]


@cache
def trick_order(trump: int, ranks: tuple[int, ...], trump_ranks: tuple[int, ...], left_bower: bool) -> TrickOrder:
    """The order where plain suits rank as in `ranks` and trumps as in `trump_ranks`, low to high (A is 0, K is 12).

    With `left_bower` the other jack of the trump's colour belongs to the trump suit and comes second there.
    """
    suit, power = [-1] * CARD_COUNT, [0] * CARD_COUNT
    for number in range(CARD_COUNT):
        face = number % FACES
        if face >= 52:
            continue
        own, rank = divmod(face, 13)
        suit[number] = own
        order = trump_ranks if own == trump else ranks
        power[number] = order.index(rank) * 2 + 2 if rank in order else 0
        if left_bower and rank == _JACK and own == 3 - trump:  # without a trump that is no suit
            suit[number], power[number] = trump, len(trump_ranks) * 2 - 1
    suits = tuple(sum(1 << number for number in range(CARD_COUNT) if suit[number] == one) for one in range(4))
    return TrickOrder(trump, tuple(suit), tuple(power), suits)


def may_follow(order: TrickOrder, hand: int, led: int) -> int:
    """The cards of a hand that may be played to a trick in which the suit `led` was led: follow suit if able."""
    return hand & order.suits[led] or hand


def winner(order: TrickOrder, cards: Sequence[int]) -> int:
    """The index of the card that wins: the highest trump, else the highest of the suit led. The first was led."""
    suit, power, trump = order.suit, order.power, order.trump
    best, best_suit, best_power = 0, suit[cards[0]], power[cards[0]]
    for index in range(1, len(cards)):
        card = cards[index]
        if suit[card] == best_suit:
            if power[card] > best_power:
                best, best_power = index, power[card]
        elif suit[card] == trump:
            best, best_suit, best_power = index, trump, power[card]
    return best
