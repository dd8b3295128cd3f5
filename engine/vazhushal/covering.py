"""All ways to lay a set of cards in melds, and tables rearranged (rule 4)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import permutations
from typing import NamedTuple

from engine.cards import COPIES, PLAIN
from engine.melds import RUN, Meld, MeldRules, faults
from engine.pieces import STANDS
from engine.vazhushal.additions import additions_to
from engine.vazhushal.finding import FEW_WILD, KINDS, Bounds, find_melds, find_pure_melds
from engine.vazhushal.kept import Kept
from engine.vazhushal.notation import Group
from engine.vazhushal.pure import pure_melds
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.shapes import faces_of, mask_of, place_of, reach
from engine.vazhushal.state import Deal, Phase
from engine.vazhushal.wiping import layable

ENDLESS = 1 << 62
"""More ways than anyone looks through."""


class Cards(NamedTuple):
    """Cards that all have to be laid, cards that may be, and a pool of which at most so many may be."""

    must: int
    may: int
    pool: int
    most: int

    def less(self, pieces: Sequence[int]) -> "Cards":
        """What is left when these pieces are laid."""
        must, may, pool, most = self
        for number in pieces:
            for card in COPIES[number % STANDS]:
                if must >> card & 1:
                    must ^= 1 << card
                    break
            else:
                for card in COPIES[number % STANDS]:
                    if may >> card & 1:
                        may ^= 1 << card
                        break
                else:
                    pool ^= next(1 << card for card in COPIES[number % STANDS] if pool >> card & 1)
                    most -= 1
        return Cards(must, may, pool, most)


Laid = tuple[int, ...]
"""The faces of the melds that are there already: no other may have the same (rule 8)."""


class Search:
    """What a search has learnt: what can be laid in no way, and how many melds it may still try."""

    def __init__(self, tries: int = ENDLESS) -> None:
        self.dead: set[tuple[Cards, Laid]] = set()
        self._tries = tries

    def goes_on(self) -> bool:
        """Count one try; whether it may be made."""
        self._tries -= 1
        return self._tries >= 0

    @property
    def given_up(self) -> bool:
        """Whether it ended before all was tried."""
        return self._tries < 0


def coverings(rules: MeldRules, cards: Cards, exact: bool, laid: Laid, search: Search) -> Iterator[tuple[Meld, ...]]:
    """Every way to lay these cards in melds; with `exact` so many out of the pool have to be laid, not fewer.

    Cards that cannot stand for others come first: where one of them fits nowhere, nothing else has to be tried.
    """
    must = cards.must
    if not must:
        yield from _more(rules, cards, exact, laid, 0, search)
        return
    first = must & ~rules.wild or must & ~JOKERS or must
    pivot = PLAIN[(first & -first).bit_length() - 1]
    found = False
    longest = _LONGEST
    if cards.most:  # else there is nothing to guess, and the search is short
        others = _least_melds(faces_of(must & ~rules.wild)) - 1
        longest = (must | cards.may).bit_count() + cards.most - 3 * max(others, 0)
    bounds = Bounds(0, range(3, longest + 1), 0, laid)
    for meld in find_melds(rules, must | cards.may, cards.pool, cards.most, pivot, bounds):
        if not search.goes_on():
            return
        if meld.faces in laid or len(meld.pieces) > longest:
            continue
        left, now = cards.less(meld.pieces), (*laid, meld.faces)
        if (left, now) not in search.dead and coverable(rules, left):
            for rest in coverings(rules, left, exact, now, search):
                found = True
                yield (meld, *rest)
    if not found and not search.given_up:
        search.dead.add((cards, laid))


def coverable(rules: MeldRules, cards: Cards) -> bool:
    """Whether no card that has to be laid is too far from all others, and the cards suffice for the melds it takes."""
    there = cards.must | cards.may
    free = (there & rules.wild).bit_count() + cards.most
    if free <= 1 and faces_of(cards.must & ~rules.wild) & ~reach(there, free):
        return False
    if not cards.most:
        return True
    return _least_melds(faces_of(cards.must & ~rules.wild)) * 3 <= there.bit_count() + cards.most


_SUIT = (1 << 13) - 1


def _least_melds(faces: int) -> int:
    """A number of melds without which these faces cannot be laid: so many of them differ both in rank and in suit."""
    suits = [ranks for at in range(0, 52, 13) if (ranks := faces >> at & _SUIT)]
    return _pairs(suits, 0)


def _pairs(suits: Sequence[int], taken: int) -> int:
    """The most suits that each get a rank of their own."""
    if not suits:
        return 0
    first, *others = suits
    most, free = 0, first & ~taken
    while free and most < len(suits):
        rank = free & -free
        free ^= rank
        most = max(most, 1 + _pairs(others, taken | rank))
    return most if most == len(suits) else max(most, _pairs(others, taken))


_LONGEST = 13
_EVERY_SIZE = frozenset(range(3, 14))


def _more(
    rules: MeldRules, cards: Cards, exact: bool, laid: Laid, start: int, search: Search
) -> Iterator[tuple[Meld, ...]]:
    """Further melds of the cards that need not be laid, from a shape on: each in one order only."""
    most = cards.most
    if not exact or not most:
        yield ()
    if exact and most < 3:
        return
    sizes = frozenset((*range(3, most - 2), most)) if exact else _EVERY_SIZE
    for meld in find_melds(rules, cards.may, cards.pool, most, bounds=Bounds(start, sizes, 0, laid)):
        if not search.goes_on():
            return
        place = place_of(meld.faces)
        if place >= start and meld.faces not in laid and len(meld.pieces) in sizes:
            for rest in _more(rules, cards.less(meld.pieces), exact, laid, place + 1, search):
                yield (meld, *rest)


@lru_cache(maxsize=128)
def _arrangements(rules: MeldRules, cards: Cards, longest: int) -> Kept[tuple[Group, ...]]:
    """The legal arrangements of these cards, kept: a seat may rearrange the same cards again and again."""
    return Kept(lambda: _search(rules, cards, longest), ENDLESS)


def _search(rules: MeldRules, cards: Cards, longest: int) -> Iterator[tuple[Group, ...]]:
    laid, seen = cards.must.bit_count(), set()
    for melds in coverings(rules, cards, False, (), Search()):
        groups = tuple([meld.pieces for meld in melds])
        key = tuple(sorted(groups))
        if key not in seen and sum(map(len, groups)) - laid <= longest and faults(rules, melds) is None:
            seen.add(key)
            yield groups


def rearrangements(deal: Deal) -> Iterator[Iterator[tuple[Group, ...]]]:
    """Every arrangement of the own melds and of cards of the hand, each in all its orders: they number the melds anew.

    As they lie comes first, then with one more meld, then with another in the place of one, then all that is left.
    """
    seat = deal.turn
    own, places, rules = deal.melds[seat - 1], deal.places, deal.melding
    known, pool, unknown = places.known[seat - 1], places.pool(seat), places.unknown[seat - 1]
    lain = tuple([plain(meld.pieces) for meld in own])
    yield permutations(lain)
    done = {tuple(sorted(lain))}
    longest = places.size(seat) - (deal.settings.face_down and deal.phase is not Phase.LAST)
    if not longest:  # the last card stays in the hand
        known = pool = unknown = 0
    for meld in layable(deal, own, known, pool, unknown, longest):
        if len(meld.pieces) <= longest:
            groups = (*lain, meld.pieces)
            done.add(tuple(sorted(groups)))
            yield permutations(groups)
    melded = [mask_of(meld.pieces) for meld in own]
    table = sum(melded)
    natural = not unknown and not (table | known) & rules.wild
    if natural and _lies_fast(own, table, known):
        return
    faces, many = faces_of(known), unknown or ((table | known) & rules.wild).bit_count() > FEW_WILD
    for at, meld in enumerate(own):
        if natural and not additions_to(meld.kind, meld.faces)[0] & faces:
            continue
        bounds = _bounds_instead(rules, own, at, longest) if many else None
        for other in _instead(rules, Cards(melded[at], known, pool, unknown), must_stay_pure(rules, own, at), bounds):
            groups = (*lain[:at], other.pieces, *lain[at + 1 :])
            key = tuple(sorted(groups))
            if len(other.pieces) - len(meld.pieces) <= longest and key not in done and _stays(rules, own, at, other):
                done.add(key)
                yield permutations(groups)
    for groups in _arrangements(rules, Cards(table, known, pool, unknown), longest):
        if tuple(sorted(groups)) not in done:
            yield permutations(groups)


def _lies_fast(own: Sequence[Meld], table: int, hand: int) -> bool:
    """Whether nothing but one new meld can be laid, and no card of the own ones in any other; no card is wild."""
    laid, faces = [meld.faces for meld in own], faces_of(table)
    if any(meld.faces & faces and meld.faces not in laid for meld in pure_melds(table | hand)):
        return False
    return hand.bit_count() < 6 or not _two(pure_melds(hand))


def _two(melds: Iterator[Meld]) -> bool:
    """Whether there are two of these."""
    return next(melds, None) is not None and next(melds, None) is not None


def must_stay_pure(rules: MeldRules, own: Sequence[Meld], at: int) -> bool:
    """Whether this meld alone meets what one of the player's legal melds has to be (rule 7)."""
    kind, _, _, pure = own[at]
    if not pure:
        return False
    others = [meld.kind for other, meld in enumerate(own) if meld.pure and other != at]
    if rules.each_kind_pure and kind not in others:
        return True
    return RUN not in others and kind == RUN if rules.first == "pure-sequence" else not others


def _stays(rules: MeldRules, own: Sequence[Meld], at: int, other: Meld) -> bool:
    """Whether a player's legal melds stay so with another in the place of one, pure where it must be."""
    if other.kind != own[at].kind:
        return faults(rules, (*own[:at], other, *own[at + 1 :])) is None
    return other.faces not in [meld.faces for place, meld in enumerate(own) if place != at]


def _bounds_instead(rules: MeldRules, own: Sequence[Meld], at: int, longest: int) -> Bounds:
    """What may lie in the place of a meld: all of its cards and others of the hand."""
    _, _, pieces, _ = own[at]
    others = (*own[:at], *own[at + 1 :])
    mixed = tuple([other.kind for other in others if other.pure]) if rules.each_kind_pure else KINDS
    size = len(pieces)
    return Bounds(
        sizes=range(size, size + longest + 1),
        holding=faces_of(mask_of(pieces) & ~rules.wild),
        laid=tuple([other.faces for other in others]),
        mixed=mixed,
        held=size,
    )


def _instead(rules: MeldRules, cards: Cards, pure: bool, bounds: Bounds | None) -> Iterable[Meld]:
    """The melds in which all cards of one are that have to be laid."""
    return _search_instead(rules, cards, pure, bounds) if cards.most else _kept_instead(rules, cards, pure, bounds)


@lru_cache(maxsize=1 << 9)
def _kept_instead(rules: MeldRules, cards: Cards, pure: bool, bounds: Bounds | None) -> Iterable[Meld]:
    if (cards.must | cards.may) & rules.wild:
        return Kept(lambda: _search_instead(rules, cards, pure, bounds))
    return tuple(_search_instead(rules, cards, pure, bounds))


def _search_instead(rules: MeldRules, cards: Cards, pure: bool, bounds: Bounds | None) -> Iterator[Meld]:
    must, may, pool, most = cards
    size = must.bit_count()
    natural = must & ~rules.wild or must
    pivot = PLAIN[(natural & -natural).bit_length() - 1]
    find = find_pure_melds if pure else partial(find_melds, rules)
    certain, guessed, count = (must, may | pool, may.bit_count() + most) if bounds else (must | may, 0, 0)
    for meld in find(certain, guessed, count, pivot, bounds):
        if len(meld.pieces) >= size:
            left = cards.less(meld.pieces)
            if not left.must and left.most >= 0:
                yield meld


@lru_cache(maxsize=1 << 10)
def plain(pieces: tuple[int, ...]) -> Group:
    """The pieces, each card without its pack."""
    return tuple([PLAIN[number % STANDS] + number - number % STANDS for number in pieces])
