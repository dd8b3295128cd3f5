"""Lists too long for one row, picked from in steps: any card in at most eight presses of ◀ ▶ and OK.

First the suits, with what else can be chosen; then, where a suit has many cards, a few ranks beside each other; then
the card. A step that leaves nothing to choose is left out. Pure functions of a question and of what its seat knows.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import PLAIN, SUITS, Card
from engine.view import Hand, Trick, View
from firmware.seatview import PICK, items_of, picks_of

PRESSES = 8
"""Presses in which anything that a question offers is picked, OK among them."""
ROW = 14
"""Items that stand in one row: from either end, so many are within `PRESSES`."""

_CARDS = 7
"""Cards that stand in one row as a last step: from the middle, each is within three moves."""
_SPANS: dict[int, tuple[int, ...]] = {
    8: (3, 3, 2),
    9: (3, 3, 3),
    10: (3, 4, 3),
    11: (3, 5, 3),
    12: (1, 3, 5, 3),
    13: (1, 3, 5, 3, 1),
}
"""How many cards stand for one step, by how many there are: the more, the nearer to where the cursor is. So each of 13
is within four presses."""


class Likely(NamedTuple):
    """What a seat's own view makes likelier than the rest: its certain cards, and the suit that was led."""

    certain: frozenset[int] = frozenset()
    """Faces, as in `PLAIN`."""
    suit: str = ""
    tricks: bool = False
    """Whether cards are played in tricks, so that the ace is the highest."""


UNSURE = Likely()
"""Nothing is likelier than the rest."""


class Row(NamedTuple):
    """A question as buttons answer it now: what stands in one row, and where the cursor comes in.

    From nowhere ▶ goes to `enter` and ◀ to the item before it; after a step the cursor is at `enter`. `path` are the
    steps so far, of those asked for the ones that the question still has.
    """

    ask: Ask
    enter: int = 0
    path: tuple[str, ...] = ()
    offered: tuple[Card, ...] = ()
    """The cards that can still be picked after these steps."""


def likely_of(view: View) -> Likely:
    """What a seat's own view makes likelier."""
    hands = [block.cards for block in view.blocks if isinstance(block, Hand) and block.seat == view.viewer]
    trick = next((block.plays for block in view.blocks if isinstance(block, Trick)), None)
    certain = frozenset(PLAIN[card] for cards in hands for card in cards)
    return Likely(certain, trick[0][1].suit if trick else "", trick is not None)


@lru_cache(maxsize=64)
def row_of(ask: Ask, path: tuple[str, ...] = (), likely: Likely = UNSURE) -> Row:
    """The row that a question shows after these steps."""
    if not ask.cards:
        return Row(ask)
    if len(items_of(ask)) <= ROW:
        return Row(ask._replace(cards=_likely_first(ask.cards, likely)), offered=ask.cards)
    steps = _first_steps(ask, likely)
    taken: list[str] = []
    cards: Sequence[Card] = ask.cards
    for token in path:
        if token not in steps or not is_step(token):
            break
        taken.append(token)
        cards = steps[token]
        steps = {} if len(cards) <= _CARDS else _spans(cards)
    offered = tuple(cards)
    if not taken:
        first = ask._replace(choices=(*ask.choices, *steps), cards=())
        return Row(first, _way_in(first, steps), offered=offered)
    if steps:
        step = ask._replace(choices=tuple(steps), cards=(), end=False)
        return Row(step, max(range(len(steps)), key=lambda place: len(steps[step.choices[place]])), (*taken,), offered)
    cards = by_suit(cards) if likely.tricks else cards
    middle = (len(cards) - 1) // 2
    sure = (place for place, card in enumerate(cards) if PLAIN[card] in likely.certain)
    last = ask._replace(choices=(), cards=tuple(cards), end=False)
    return Row(last, next(sure, middle), (*taken,), offered)


def card_of(token: Token) -> Card | None:
    """The card that an item gives when it is picked; None for a step, and for any other choice."""
    if isinstance(token, Card):
        return token
    value = token.removeprefix(PICK)
    return None if value == token or value in SUITS or "-" in value else Card(value)


def span_of(token: str) -> tuple[Card, Card] | None:
    """The first and the last card of a step that stands for ranks beside each other; None for anything else."""
    first, dash, last = token.removeprefix(PICK).partition("-")
    return (Card(first), Card(last)) if dash and token.startswith(PICK) else None


def is_step(token: Token) -> bool:
    """Whether an item stands for several cards, of which one is to be picked next."""
    return isinstance(token, str) and token.startswith(PICK) and card_of(token) is None


def is_ranks(ask: Ask) -> bool:
    """Whether a row is nothing but ranks of one suit, some of them together."""
    picks = picks_of(ask)
    return len(picks) == len(items_of(ask)) and any(span_of(pick) for pick in picks)


def leading_to(wanted: Token, row: Sequence[Token]) -> Token | None:
    """The item of a row that is what is wanted, or a card equal to it, or the step that leads there."""
    if wanted in row or not isinstance(wanted, Card):
        return wanted if wanted in row else None
    cards = [(item, card_of(item)) for item in row]
    equal = (item for item, card in cards if card is not None and PLAIN[card] == PLAIN[wanted])
    steps = (item for item in row if is_step(item) and _is_within(wanted, str(item)))
    return next(chain(equal, steps), None)


def _is_within(card: Card, step: str) -> bool:
    span = span_of(step)
    return step == PICK + card.suit if span is None else PLAIN[span[0]] <= PLAIN[card] <= PLAIN[span[1]]


def moves_to(row: Sequence[Token], enter: int, cursor: int | None, item: Token) -> int:
    """How often ▶ is to be pressed until the cursor is at an item, or ◀ where it is negative: the shorter way."""
    count, place = len(row), row.index(item)
    right = (place - enter) % count + 1 if cursor is None else (place - cursor) % count
    left = (enter - 1 - place) % count + 1 if cursor is None else (cursor - place) % count
    return right if right <= left else -left


# Steps


def by_suit(cards: Iterable[Card]) -> list[Card]:
    """Black and red suits in turn, ranks upwards with the ace on top."""
    return sorted(cards, key=lambda card: ("CDSH".find(card.suit), (card.face - 1) % 13))


def _likely_first(cards: Sequence[Card], likely: Likely) -> tuple[Card, ...]:
    cards = by_suit(cards) if likely.tricks else cards
    return tuple(sorted(cards, key=lambda card: (PLAIN[card] not in likely.certain, card.suit != likely.suit)))


def _first_steps(ask: Ask, likely: Likely) -> dict[str, Sequence[Card]]:
    """The certain cards, as many as one row has room for, then the suits, the one that was led first, then jokers."""
    suits = {suit: _by_rank(card for card in ask.cards if card.suit == suit) for suit in SUITS}
    suits = {suit: suits[suit] for suit in sorted(SUITS, key=lambda suit: suit != likely.suit) if suits[suit]}
    jokers = [card for card in ask.cards if not card.suit]
    sure = [card for card in _by_rank(ask.cards) if PLAIN[card] in likely.certain]
    if len(sure) == len(ask.cards):
        sure = []
    room = max(0, ROW - len(ask.choices) - ask.end - len(suits) - len(jokers))
    steps: dict[str, Sequence[Card]] = {f"{PICK}{card}": (card,) for card in sure[:room]}
    if len(suits) > 1 or not suits:
        steps |= {f"{PICK}{suit}": cards for suit, cards in suits.items() if len(cards) > 1}
        alone = [cards[0] for cards in suits.values() if len(cards) == 1]
    else:
        (cards,) = suits.values()
        steps |= _spans(cards)
        alone = []
    return steps | {f"{PICK}{card}": (card,) for card in (*alone, *jokers)}


def _spans(cards: Sequence[Card]) -> dict[str, Sequence[Card]]:
    """The cards of one suit in a few steps of neighbours."""
    steps: dict[str, Sequence[Card]] = {}
    first = 0
    for size in _sizes(len(cards)):
        part = cards[first : first + size]
        steps[f"{PICK}{part[0]}" if len(part) == 1 else f"{PICK}{part[0]}-{part[-1]}"] = part
        first += size
    return steps


def _sizes(count: int) -> tuple[int, ...]:
    """How many cards each step stands for; with both packs there may be more of a suit than ranks."""
    size = -(-count // 5)
    return _SPANS.get(count) or (size,) * (count // size) + ((count % size,) if count % size else ())


def _by_rank(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: (PLAIN[card], card.pack))


# How far everything is


def _way_in(ask: Ask, steps: dict[str, Sequence[Card]]) -> int:
    """Where the cursor comes in to a first row: at its ends, or, where a suit would be too far then, beside a suit."""
    row = items_of(ask)
    needs = [_need(len(steps[item])) if isinstance(item, str) and item in steps else 0 for item in row]
    first = next((place for place, need in enumerate(needs) if need), 0)
    far = {
        enter: max(abs(moves_to(row, enter, None, item)) + 1 + need for item, need in zip(row, needs, strict=True))
        for enter in (0, first + 1)
    }
    return 0 if far[0] <= PRESSES else min(far, key=lambda enter: far[enter])


def _need(count: int) -> int:
    """Presses that a step still takes after its own OK, at most, by the cards that it stands for."""
    if count <= _CARDS:
        return 0 if count == 1 else count // 2 + 1
    sizes = _sizes(count)
    at = sizes.index(max(sizes))
    away = [min((place - at) % len(sizes), (at - place) % len(sizes)) for place in range(len(sizes))]
    return max(moves + 1 + _need(size) for moves, size in zip(away, sizes, strict=True))
