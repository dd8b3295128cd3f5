"""What a bot decides, from its view alone: pure functions of a question and the own cards.

Bots know no rules. What a question offers may be done; verbs that rid a hand of cards go before others.
"""

from collections.abc import Sequence
from random import Random

from engine.cards import PLAIN, Card
from engine.view import Trick, View

EAGER = ("declare", "meld", "add", "play", "out", "exchange", "draw", "discard")
"""Verbs in the order in which a bot likes them."""
RELUCTANT = ("pass", "return", "rearrange", "take", "show")
"""Verbs that a bot uses when nothing else is offered, or now and then."""
GUESSES = ("declare", "add", "take", "rearrange")
"""Verbs that the table offers at a hand that it does not know, whatever lies in it."""

_TAKES = 0.25
"""How often a bot takes open cards rather than drawing, where both are offered."""
_WORST_FIRST = ("discard", "exchange", "bury", "out")


def choice(choices: tuple[str, ...], own: Sequence[Card], known: bool, melds: bool, chance: Random) -> str:
    """One of these choices: a bid by the strength of the hand, the longest suit, a verb, or any.

    `known`: the table knows the hand, and offers only what it can be used for; else `melds` says that it has a meld.
    """
    if not known:
        guesses = GUESSES if melds else (*GUESSES, "meld")
        choices = tuple(word for word in choices if word not in guesses) or choices
    bids = [word for word in choices if word.isdigit()]
    if bids and "pass" in choices:
        strength = sum(card.rank in ("A", "J") for card in own) + chance.choice((0, 0, 1))
        good = [bid for bid in bids if int(bid) <= strength]
        return good[-1] if good and chance.random() < 0.7 else good[0] if good else "pass"
    suits = [word for word in choices if word in ("C", "D", "H", "S")]
    if suits:
        return max(suits, key=lambda suit: sum(card.suit == suit for card in own))
    if "take" in choices and chance.random() < _TAKES:
        return "take"
    return next((verb for verb in (*EAGER, *RELUCTANT) if verb in choices), None) or chance.choice(choices)


def card(prompt: str, offered: Sequence[Card], own: Sequence[Card], view: View, chance: Random) -> Card | None:
    """One of the own cards that a question offers; None: the bot has none of them."""
    faces = {PLAIN[one] for one in offered}
    right = [one for one in own if PLAIN[one] in faces]
    if not right:
        return None
    if prompt in _WORST_FIRST:
        least = min(_company(one, own) for one in right)
        return max((one for one in right if _company(one, own) == least), key=_points)
    return chance.choice(of_led_suit(view, right))


def meld(own: Sequence[Card], failed: Sequence[Sequence[Card]]) -> list[Card]:
    """Three cards or more in a row in one suit, or of one rank and different suits; empty where there are none.

    Not one that has `failed`: no meld in this game, or not now.
    """
    groups: list[list[Card]] = []
    for suit in "CDHS":
        row: list[Card] = []
        for one in sorted({PLAIN[one]: one for one in own if one.suit == suit}.values(), key=_points):
            row = [*row, one] if row and _points(one) == _points(row[-1]) + 1 else [one]
            groups.append(row)
    ranks: dict[str, list[Card]] = {one.rank: [] for one in own}
    for one in own:
        if one.suit and one.suit not in [other.suit for other in ranks[one.rank]]:
            ranks[one.rank].append(one)
    groups += ranks.values()
    return max((group for group in groups if len(group) > 2 and group not in failed), key=len, default=[])


def _company(one: Card, own: Sequence[Card]) -> int:
    """How much the hand would miss a card: others of its rank, and of its suit that are near it. A joker most."""
    if not one.suit:
        return 100
    near = 0
    for other in own:
        if other is one or not other.suit:
            continue
        distance = abs(other.face - one.face)
        near += 2 if other.rank == one.rank and other.suit != one.suit else 0
        near += 3 - distance if other.suit == one.suit and 0 < distance < 3 else 0
    return near


def _points(one: Card) -> int:
    return one.face % 13


def of_led_suit(view: View, cards: Sequence[Card]) -> list[Card]:
    """Those of the suit that was led, if there are any: what a player does whose hand the table does not know."""
    trick = next((block for block in view.blocks if isinstance(block, Trick)), None)
    if trick is None or not trick.plays:
        return list(cards)
    led = trick.plays[0][1].suit
    return [one for one in cards if one.suit == led] or list(cards)
