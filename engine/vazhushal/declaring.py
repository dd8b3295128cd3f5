"""Declaring: ways to lay the whole hand in new melds and in additions to the own ones (rule 4)."""

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.meld_search import listed
from engine.melds import Meld, MeldRules, faults
from engine.vazhushal.additions import additions_to, find_additions
from engine.vazhushal.completing import complete
from engine.vazhushal.covering import Cards, Search, coverable, coverings, plain
from engine.vazhushal.notation import NEW, Part
from engine.vazhushal.pure import THREES
from engine.vazhushal.shapes import faces_of, reach
from engine.vazhushal.state import Deal


def declaration(deal: Deal) -> tuple[Part, ...] | None:
    """A way to lay the whole hand, with cards for those that are not known; None: there is none."""
    melds = _laid(deal)
    return None if melds is None else _parts(deal.melds[deal.turn - 1], melds)


def _laid(deal: Deal) -> tuple[Meld, ...] | None:
    """The table after such a way, the own melds first."""
    seat = deal.turn
    own, places, rules = deal.melds[seat - 1], deal.places, deal.melding
    known, unknown = places.known[seat - 1], places.unknown[seat - 1]
    if not unknown and not _all_fit(rules, own, known):
        return None
    pool = places.pool(seat)
    if unknown and not _some_fit(rules, own, known, pool, unknown):
        return None  # quickly seen, and so at most hands
    if not own and not coverable(rules, Cards(known, 0, pool, unknown)):
        return None
    return complete(rules, known, pool, unknown, own)


def _parts(own: Sequence[Meld], melds: Sequence[Meld]) -> tuple[Part, ...]:
    """What was laid beside the own melds, and added to them, to come to this table."""
    added = [
        tuple([number for number in meld.pieces if number not in old.pieces])
        for meld, old in zip(melds, own, strict=False)
    ]
    return (
        *[(plain(meld.pieces), NEW) for meld in melds[len(own) :]],
        *[(plain(pieces), at) for at, pieces in enumerate(added, 1) if pieces],
    )


def declarations(deal: Deal, search: Search | None = None) -> Iterator[tuple[Part, ...]]:
    """Every way to lay the whole hand in new melds and in additions; fewer, at least one, where the `search` gives up.

    Of the ways to lay a hand that is known in part, that are searched long, one is known before; those come first that
    resemble it.
    """
    search = search or Search()
    seat = deal.turn
    own, places, rules = deal.melds[seat - 1], deal.places, deal.melding
    hand = Cards(places.known[seat - 1], 0, places.pool(seat), places.unknown[seat - 1])
    ways = _every_way(rules, own, hand, search)
    if hand.most:
        table = _laid(deal)
        if table is None:
            return
        ways = chain([_parts(own, table)], _alike(rules, own, hand, table, search), ways)
    elif not _all_fit(rules, own, hand.must):
        return
    seen = set[tuple[Part, ...]]()
    for parts in ways:
        key = tuple(sorted(parts))
        if key not in seen:
            seen.add(key)
            yield parts
    if search.given_up and not seen:
        way = declaration(deal)
        if way is not None:
            yield way


def _every_way(rules: MeldRules, own: Sequence[Meld], hand: Cards, search: Search) -> Iterator[tuple[Part, ...]]:
    """The ways to lay a whole hand, some of them more than once."""
    for added, grown, rest in _additions(rules, own, hand, 0):
        if not search.goes_on():
            return
        if not coverable(rules, rest):
            continue
        for melds in coverings(rules, rest, True, tuple([meld.faces for meld in grown]), search):
            if faults(rules, (*grown, *melds)) is None:
                yield (*[(meld.pieces, NEW) for meld in melds], *added)


def _alike(
    rules: MeldRules, own: Sequence[Meld], hand: Cards, table: tuple[Meld, ...], search: Search
) -> Iterator[tuple[Part, ...]]:
    """The ways to lay the hand that differ from one in the cards of a single new meld."""
    for at in range(len(own), len(table)):
        others = (*table[:at], *table[at + 1 :])
        parts, laid = _parts(own, others), tuple([meld.faces for meld in others])
        rest = hand
        for pieces, _ in parts:
            rest = rest.less(pieces)
        for melds in coverings(rules, rest, True, laid, search):
            if faults(rules, (*others, *melds)) is None:
                yield (*parts, *[(meld.pieces, NEW) for meld in melds])


def _all_fit(rules: MeldRules, own: Sequence[Meld], hand: int) -> bool:
    """Whether no card of a hand is too far from all others and from the own melds to be laid at all."""
    wilds = (hand & rules.wild).bit_count()
    if wilds > 1 or (wilds and own):
        return True
    apart = faces_of(hand & ~rules.wild) & ~reach(hand, wilds)
    for meld in own:
        for pieces, _ in find_additions(rules, meld, hand) if apart else ():
            for number in pieces:
                apart &= ~(1 << number)
    return not apart


def _some_fit(rules: MeldRules, own: Sequence[Meld], known: int, pool: int, most: int) -> bool:
    """The same for a hand that is known in part: whether it can grow an own meld where it is too small for a new one,
    and each certain card has others of the hand or of the pool to lie with."""
    there, wild = faces_of((known | pool) & ~rules.wild), rules.wild
    wilds, size = (known & wild).bit_count() + min(most, (pool & wild).bit_count()), known.bit_count() + most
    grown = 0
    for meld in own:
        for _, _, places in additions_to(meld.kind, meld.faces)[1]:
            if (places & ~there).bit_count() <= wilds and places.bit_count() <= size:
                grown |= places
    apart = faces_of(known & ~wild) & ~grown
    if size < 3:
        return bool(grown) and not apart
    return all(any((three & ~there).bit_count() <= wilds for three in THREES[face]) for face in listed(apart))


def _additions(
    rules: MeldRules, own: Sequence[Meld], hand: Cards, at: int
) -> Iterator[tuple[tuple[Part, ...], tuple[Meld, ...], Cards]]:
    """Every choice of additions to the own melds from a place on, the melds after it, and what is left of the hand."""
    if at == len(own):
        yield (), (), hand
        return
    for added, grown, rest in _additions(rules, own, hand, at + 1):
        yield added, (own[at], *grown), rest
    for pieces, meld in find_additions(rules, own[at], hand.must, hand.pool, hand.most):
        for added, grown, rest in _additions(rules, own, hand.less(pieces), at + 1):
            yield ((pieces, at + 1), *added), (meld, *grown), rest
