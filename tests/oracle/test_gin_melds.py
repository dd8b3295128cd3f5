"""Melds against the gin rummy of OpenSpiel and of RLCard, each where it is installed; run by `make oracle`.

Gin's melds are those of one pack without jokers, the ace low: runs of three and more, sets of three or four. Ten cards
hold three melds at most. Deadwood is counted as gin counts it: an ace 1, ten and court cards 10.
"""

import importlib
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from engine.cards import RANKS, Card, cards_of, mask
from engine.laying import lay_all, lay_most
from engine.melds import MeldRules, melds_in
from engine.pieces import piece_card

pytestmark = pytest.mark.oracle

GIN = MeldRules(
    ace_high=False, runs=True, sets=True, longest=13, wild=0, identical=False, first="any", each_kind_pure=False
)
SEEDS = (1, 2, 3)
HANDS = 1500

Group = Sequence[frozenset[Card]]
"""Melds that share no card."""


class OpenSpiel:
    """OpenSpiel's melds, of cards as texts such as `Ts`. It lists no run of more than five: they are two runs."""

    longest = 5

    def __init__(self) -> None:
        spiel = pytest.importorskip("pyspiel")
        self.utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)

    def melds(self, hand: Sequence[Card]) -> set[frozenset[Card]]:
        return {self._ours(meld) for meld in self.utils.all_melds(self._theirs(hand))}

    def groups(self, hand: Sequence[Card]) -> list[Group]:
        return [[self._ours(meld) for meld in group] for group in self.utils.all_meld_groups(self._theirs(hand))]

    def deadwood(self, hand: Sequence[Card]) -> int:
        return int(self.utils.min_deadwood(self._theirs(hand)))

    def _theirs(self, hand: Sequence[Card]) -> list[int]:
        texts = [card.rank.replace("10", "T") + card.suit.lower() for card in hand]
        return list(self.utils.card_strings_to_card_ints(texts))

    def _ours(self, meld: Sequence[int]) -> frozenset[Card]:
        return frozenset(Card(self.utils.card_string(card).upper()) for card in meld)


class RLCard:
    """RLCard's melds, of cards as its own objects."""

    longest = 10

    def __init__(self) -> None:
        pytest.importorskip("rlcard")
        self.melding: Any = importlib.import_module("rlcard.games.gin_rummy.utils.melding")
        self.utils: Any = importlib.import_module("rlcard.games.gin_rummy.utils.utils")

    def melds(self, hand: Sequence[Card]) -> set[frozenset[Card]]:
        theirs = self._theirs(hand)
        found = self.melding.get_all_run_melds(theirs) + self.melding.get_all_set_melds(theirs)
        return {self._ours(meld) for meld in found}

    def groups(self, hand: Sequence[Card]) -> list[Group]:
        clusters = self.melding.get_meld_clusters(self._theirs(hand))
        return [[self._ours(meld) for meld in cluster] for cluster in clusters]

    def deadwood(self, hand: Sequence[Card]) -> int:
        theirs = self._theirs(hand)
        best = self.melding.get_best_meld_clusters(theirs) or [[]]
        return int(self.utils.get_deadwood_count(theirs, best[0]))

    def _theirs(self, hand: Sequence[Card]) -> list[Any]:
        return [self.utils.card_from_text(card.rank.replace("10", "T") + card.suit) for card in hand]

    def _ours(self, meld: Sequence[Any]) -> frozenset[Card]:
        return frozenset(Card(card.rank + card.suit) for card in meld)


Judge = OpenSpiel | RLCard


@pytest.fixture(params=[OpenSpiel, RLCard])
def judge(request: pytest.FixtureRequest) -> Judge:
    """Each of the two; one that is not installed skips its tests."""
    found = request.param()
    assert isinstance(found, OpenSpiel | RLCard)
    return found


def hands(seed: int) -> Iterator[list[Card]]:
    """Ten cards: every other hand from the whole pack, the others from a part of it where melds are many."""
    chance = random.Random(seed)
    pack = [Card(rank + suit) for suit in "CDHS" for rank in RANKS]
    for number in range(HANDS):
        start, suits = chance.randrange(9), chance.choice(["CDHS", "CDH", "HS"])
        near = [card for card in pack if card.suit in suits and 0 <= RANKS.index(card.rank) - start < 7]
        yield chance.sample(pack if number % 2 else near, 10)


def our_melds(hand: Sequence[Card]) -> list[frozenset[Card]]:
    """Every meld in the hand, as its cards."""
    numbers = [mask(map(piece_card, meld.pieces)) for meld in melds_in(GIN, mask(hand))]
    return [frozenset(cards_of(number)) for number in numbers]


def gin_points(card: Card) -> int:
    """What a card counts as deadwood in gin."""
    return min(RANKS.index(card.rank) + 1, 10)


def rule_points(card: Card) -> int:
    """What a card counts in the exhaustion: as in gin, but an ace 10."""
    return 10 if card.rank == "A" else gin_points(card)


def least(hand: Sequence[Card], groups: Sequence[Group], points: Callable[[Card], int]) -> int:
    """The least that stays in the hand with the best of these groups."""
    total = sum(map(points, hand))
    return min((total - sum(points(card) for meld in group for card in meld) for group in groups), default=total)


def our_groups(melds: Sequence[frozenset[Card]]) -> Iterator[Group]:
    """Every choice of melds that share no card."""
    yield []
    for place, meld in enumerate(melds):
        for others in our_groups([other for other in melds[place + 1 :] if not meld & other]):
            yield [meld, *others]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_melds_are_in_a_hand(judge: Judge, seed: int) -> None:
    for hand in hands(seed):
        ours = our_melds(hand)
        assert len(ours) == len(set(ours)), hand
        assert {meld for meld in ours if len(meld) <= judge.longest} == judge.melds(hand), hand


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_deadwood_is_the_same(judge: Judge, seed: int) -> None:
    for hand in hands(seed):
        assert least(hand, list(our_groups(our_melds(hand))), gin_points) == judge.deadwood(hand), hand


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_is_laid_whole_where_it_is_gin(judge: Judge, seed: int) -> None:
    gin = 0
    for hand in hands(seed):
        laid = lay_all(GIN, mask(hand))
        assert (laid is not None) == (judge.deadwood(hand) == 0), hand
        gin += laid is not None
    assert HANDS / 100 < gin < HANDS / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_no_group_of_melds_leaves_less_than_the_best_laying(judge: Judge, seed: int) -> None:
    for hand in hands(seed):
        left = sum(map(rule_points, cards_of(lay_most(GIN, mask(hand)).left)))
        assert left == least(hand, judge.groups(hand), rule_points), hand
