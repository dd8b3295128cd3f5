"""Cards that fill the places of a shape: certain ones, wild ones, and some out of a pool."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import COPIES, FACES, JOKER, cards_of
from engine.melds import MeldRules
from engine.pieces import STANDS
from engine.vazhushal.shapes import faces_of


@lru_cache(maxsize=1 << 10)
def wild_faces(wild: int) -> tuple[int, ...]:
    """The faces of wild cards, each as often as it is there; all jokers are one face."""
    return tuple([min(card % FACES, JOKER) for card in cards_of(wild)])


def supply_of(rules: MeldRules, known: int, pool: int) -> "Supply":
    wild = rules.wild & (known | pool)
    faces = sorted({min(card % FACES, JOKER) for card in cards_of(wild)})
    left, left_pool = {face: _count(known, face) for face in faces}, {face: _count(pool, face) for face in faces}
    return Supply(faces_of(known), faces_of(pool), left, left_pool)


class Supply:
    """Cards that are certain, a pool of those that may be there, and what of them is wild."""

    def __init__(self, faces: int, pool: int, left: dict[int, int], left_pool: dict[int, int]) -> None:
        self.faces, self.pool = faces, pool
        self.left, self.left_pool = left, left_pool
        self.sources = sorted(left)
        self.wilds = sum(left.values())
        self.all_wilds = self.wilds + sum(left_pool.values())
        """How many wild cards there are at most, those of the pool among them."""
        self.left_wilds = self.all_wilds
        self.fixed = -1
        """A card that lies everywhere as itself, -1: none."""

    def fill(self, order: Sequence[int], most: int, natural: bool) -> Iterator[tuple[int, ...]]:
        """The pieces that can lie at these places, in every way, at most so many out of the pool.

        One of them has to be a natural card, unless there is one already (`natural`).
        """
        count, faces, some = len(order), self.faces, self.faces | self.pool
        lacking, absent = [0] * (count + 1), [0] * (count + 1)
        for at in range(count - 1, -1, -1):
            face = order[at]
            lacking[at] = lacking[at + 1] + (not faces >> face & 1)
            absent[at] = absent[at + 1] + (not some >> face & 1)
        return self._fill(order, lacking, absent, [], most, natural)

    def _fill(
        self,
        order: Sequence[int],
        lacking: Sequence[int],
        absent: Sequence[int],
        chosen: list[int],
        most: int,
        natural: bool,
    ) -> Iterator[tuple[int, ...]]:
        """`lacking`: from each place on, how many cards are not certain; `absent`: how many only wild ones can be."""
        start = at = len(chosen)
        faces, left, count = self.faces, self.left, len(order)
        room = self.wilds + most - lacking[at]
        if room < 0 or absent[at] > self.left_wilds:
            return
        if at and not natural and not any(faces >> face & 1 or (most and self.pool >> face & 1) for face in order[at:]):
            return
        while not room and at < count and faces >> order[at] & 1 and order[at] not in left:
            chosen.append(order[at])  # nothing can be spared: what is there lies there as itself
            natural, at = True, at + 1
        if at == count:
            if natural:
                yield tuple(chosen)
        else:
            face = order[at]
            spare = self.wilds + most - lacking[at + 1]
            wild = [source for source in self.sources if source != face] if spare and face != self.fixed else []
            last = at + 1 == count
            for source in (face, *wild):
                itself, kept = source == face, source in left
                cost = self._take(source) if kept else 0 if faces >> face & 1 else 1 if self.pool >> face & 1 else -1
                if 0 <= cost <= most:
                    piece = face if itself else source + STANDS * (face + 1)
                    if not last:
                        chosen.append(piece)
                        yield from self._fill(order, lacking, absent, chosen, most - cost, natural or itself)
                        chosen.pop()
                    elif natural or itself:
                        yield (*chosen, piece)
                if kept:
                    self._give_back(source, cost)
        del chosen[start:]

    def _take(self, source: int) -> int:
        """Lay a wild card: 0 for a certain one, 1 for one out of the pool, -1 where there is none."""
        if self.left[source]:
            self.left[source] -= 1
            self.wilds -= 1
            self.left_wilds -= 1
            return 0
        if self.left_pool[source]:
            self.left_pool[source] -= 1
            self.left_wilds -= 1
            return 1
        return -1

    def _give_back(self, source: int, cost: int) -> None:
        if cost < 0:
            return
        self.left_wilds += 1
        if cost:
            self.left_pool[source] += 1
        else:
            self.left[source] += 1
            self.wilds += 1


def _count(cards: int, face: int) -> int:
    """How many copies of a card are in a set; of jokers, all."""
    return sum([cards >> copy & 1 for copy in COPIES[face]])
