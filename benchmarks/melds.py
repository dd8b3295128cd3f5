"""What it costs to lay a hand: `python -m benchmarks.melds`.

Hands of 14 cards out of two packs with up to four jokers, half of them with up to three wild-rank cards besides; every
other hand is rich in melds, every second pair belongs to a player who has a meld already. Each hand is laid once, so
nothing has been seen before. Time is that of the processor: the machine may be busy with something else.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.cards import FACES, JOKER, PACKS, mask
from engine.laying import lay_all, lay_most
from engine.melds import Meld, MeldRules, read_meld, shapes

HANDS = 10_000
SIZE = 14
SEED = 1

_JOKERS = [pack * FACES + face for pack in range(PACKS) for face in (JOKER, JOKER + 1)]
_NATURAL = [pack * FACES + face for pack in range(PACKS) for face in range(JOKER)]
_RANKED = [pack * FACES + face for pack in range(PACKS) for face in (20, 33)]  # 8D, 8H: the negative joker is 8S

_ONLY_JOKERS = MeldRules(True, True, True, 13, mask(_JOKERS), False, "pure", False)
_WILD_RANK = _ONLY_JOKERS._replace(wild=mask(_JOKERS + _RANKED), first="pure-sequence")


class Held(NamedTuple):
    """What a player has, and by which rules: the hand as a mask, and own melds."""

    rules: MeldRules
    hand: int
    own: tuple[Meld, ...]


class Figure(NamedTuple):
    """Milliseconds of one function over all hands."""

    name: str
    hands: int
    median: float
    worst: float


def hands(ranked: bool, count: int = HANDS, seed: int = SEED) -> Iterator[Held]:
    """So many hands with up to four jokers, the same ones for a seed; `ranked`: and up to three of a wild rank."""
    chance = random.Random(seed)
    for number in range(count):
        rules = _WILD_RANK if ranked else _ONLY_JOKERS
        cards = set(chance.sample(_JOKERS, chance.randrange(5)))
        if ranked:
            cards.update(chance.sample(_RANKED, chance.randrange(4)))
        _fill(cards, rich=number % 2 == 1, avoided=_RANKED if ranked else [], chance=chance)
        yield Held(rules, mask(cards), (_own_meld(rules, cards, chance),) if number // 2 % 2 else ())


def _fill(cards: set[int], *, rich: bool, avoided: list[int], chance: random.Random) -> None:
    """Natural cards until there are enough: any, or melds of 3 to 5 cards of which now and then one is missing."""
    if not rich:
        free = [card for card in _NATURAL if card not in cards and card not in avoided]
        cards.update(chance.sample(free, SIZE - len(cards)))
        return
    short = [shape.order for shape in shapes(_ONLY_JOKERS).values() if len(shape.order) <= 5]
    while True:
        for face in chance.choice(short):
            card = face + FACES * chance.randrange(PACKS)
            if chance.random() < 0.85 and card not in avoided:
                cards.add(card)
            if len(cards) == SIZE:
                return


def _own_meld(rules: MeldRules, cards: set[int], chance: random.Random) -> Meld:
    """A pure sequence of cards that are not in the hand."""
    runs = [shape.order for shape in shapes(rules).values() if shape.kind == "run" and len(shape.order) <= 5]
    while True:
        pack = FACES * chance.randrange(PACKS)
        meld = read_meld(rules, [face + pack for face in chance.choice(runs)])
        if isinstance(meld, Meld) and cards.isdisjoint(meld.pieces):
            return meld


def figures(count: int = HANDS, seed: int = SEED) -> list[Figure]:
    """Median and worst of both functions."""
    lays: dict[str, Callable[[Held], object]] = {"lay_all": lambda held: lay_all(*held),
                                                 "lay_most": lambda held: lay_most(*held)}  # fmt: skip
    return [
        _figure(f"{name}, {'jokers and a wild rank' if ranked else 'jokers'}", lay, ranked, count, seed)
        for ranked in (False, True)
        for name, lay in lays.items()
    ]


def _figure(name: str, lay: Callable[[Held], object], ranked: bool, count: int, seed: int) -> Figure:
    times = []
    for held in hands(ranked, count, seed):
        began = time.thread_time_ns()
        lay(held)
        times.append((time.thread_time_ns() - began) / 1e6)
    return Figure(name, count, statistics.median(times), max(times))


def main(count: int = HANDS) -> None:
    """Print the figures."""
    for figure in figures(count):
        print(f"{figure.name:32} {figure.hands} hands  median {figure.median:.2f} ms  worst {figure.worst:.2f} ms")


if __name__ == "__main__":
    main()
