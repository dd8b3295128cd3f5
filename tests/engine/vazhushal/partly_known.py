"""Hands that are known in part, at random, and whether they can be declared, by trying every hand that they may be."""

from collections.abc import Sequence
from itertools import combinations, islice
from random import Random
from typing import NamedTuple

from engine.cards import COPIES, JOKER, PLAIN, cards_of, mask
from engine.laying import lay_all
from engine.melds import Meld, MeldRules, faults, read_meld
from engine.pieces import STANDS
from engine.vazhushal.finding import find_melds
from engine.vazhushal.settings import RULE_SETS, meld_rules, settings
from engine.vazhushal.shapes import mask_of


class Partly(NamedTuple):
    """A hand of which `known` is certain and `most` more cards come from `pool` (masks); the player's own melds."""

    rules: MeldRules
    known: int
    pool: int
    most: int
    own: tuple[Meld, ...]


def is_declarable(hand: Partly) -> bool:
    """Whether one of the hands that it may be can be laid whole."""
    tried = set()
    for cards in combinations(cards_of(hand.pool), hand.most):
        key = tuple(sorted([PLAIN[card] for card in cards]))
        if key not in tried:
            tried.add(key)
            if lay_all(hand.rules, hand.known | mask(cards), hand.own):
                return True
    return False


def random_rules(random: Random) -> tuple[MeldRules, int]:
    """Rules with any of the options that are about melds, and the cards played with."""
    options = {
        **RULE_SETS["standard"],
        "first_meld": random.choice(("pure", "pure-sequence")),
        "first_of_each_kind_pure": random.random() < 0.4,
        "negative_joker": True,
    }
    table = settings(random.choice((2, 4)), True, options)
    negative = random.choice([-1, -1, *cards_of(table.pack)])
    return meld_rules(table, negative), table.pack & ~(1 << negative if negative >= 0 else 0)


def random_own(random: Random, rules: MeldRules, cards: int) -> tuple[Meld, ...]:
    """Some melds that a player may have."""
    own: tuple[Meld, ...] = ()
    for _ in range(random.choice((0, 0, 1, 2, 3))):
        some = mask(random.sample(list(cards_of(cards)), 30))
        melds = [read_meld(rules, _physical(meld.pieces, some)) for meld in islice(find_melds(rules, some), 200)]
        random.shuffle(melds)
        for meld in melds:
            if isinstance(meld, Meld) and faults(rules, (*own, meld)) is None:
                own, cards = (*own, meld), cards & ~mask_of(meld.pieces)
                break
    return own


def _physical(pieces: Sequence[int], cards: int) -> list[int]:
    """The pieces with cards out of these, each card once."""
    found = []
    for piece in pieces:
        card = next(card for card in COPIES[piece % STANDS] if cards >> card & 1)
        cards ^= 1 << card
        found.append(card + piece - piece % STANDS)
    return found


def near(random: Random, cards: int, count: int) -> int:
    """So many of these cards: at random, or more of some suits and near ranks, or of few ranks; jokers among them."""
    suits, low, wide = random.sample(range(4), random.randint(1, 3)), random.randint(0, 8), random.randint(3, 7)
    ranks, way = random.sample(range(13), 3), random.random()

    def far(card: int) -> float:
        face = PLAIN[card]
        if way < 0.3 or face == JOKER:
            return random.random() * 1.1
        if way < 0.8:
            return random.random() + 1 - ((face // 13 in suits) + (low <= face % 13 < low + wide)) / 2
        return random.random() + (face % 13 not in ranks) * 0.7

    return mask(sorted(cards_of(cards), key=far)[:count])


def random_hand(random: Random) -> Partly:
    """A hand whose pool is small enough to try all."""
    rules, cards = random_rules(random)
    own = random_own(random, rules, cards)
    for meld in own:
        cards &= ~mask_of(meld.pieces)
    known = near(random, cards, random.randint(0, 9))
    if random.random() < 0.5:
        known |= mask([card for card in cards_of(cards & rules.wild) if random.random() < 0.25])
    most = random.randint(1, 5)
    pool = near(random, cards & ~known, random.randint(most, min(most + 5, 9)))
    return Partly(rules, known, pool, most, own)


def random_large(random: Random) -> Partly:
    """A hand as it may come up at a table, with a pool of any size."""
    rules, cards = random_rules(random)
    own = random_own(random, rules, cards)
    for meld in own:
        cards &= ~mask_of(meld.pieces)
    count = random.randint(0, 16)
    known = near(random, cards, count) if random.random() < 0.6 else mask(random.sample(list(cards_of(cards)), count))
    unseen = list(cards_of(cards & ~known))
    most = min(random.randint(1, random.choice((5, 13))), len(unseen))
    size = max(most, min(random.choice((most, most + 1, most + 2, most + 4, most + 8, 20, 40, 90)), len(unseen)))
    return Partly(rules, known, mask(random.sample(unseen, size)), most, own)
