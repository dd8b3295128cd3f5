"""Every legal action of a state, lazily: what is quickly said first, then melds, additions and whole tables."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product, repeat

from engine.cards import JOKER, PLAIN, mask
from engine.values import Action, Argument, make
from engine.vazhushal.additions import additions_to, find_additions
from engine.vazhushal.covering import must_stay_pure, rearrangements
from engine.vazhushal.dealing import legal_shows
from engine.vazhushal.declaring import declarations
from engine.vazhushal.exhaustion import legal_passes
from engine.vazhushal.knowledge import find, find_all
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.shapes import NO_WILD, faces_of
from engine.vazhushal.state import DRAW, DUTY, LAST, MELD, OUT, OVER, TAKEN, Deal
from engine.vazhushal.wiping import layable, legal_takes, stays_possible

_SEATS = range(7)
_CARDS = range(JOKER + 1)
_DRAW = tuple(Action(seat, "draw") for seat in _SEATS)
_EXCHANGE = tuple(Action(seat, "exchange") for seat in _SEATS)
_RETURN = tuple(Action(seat, "return") for seat in _SEATS)
_TAKE = tuple(tuple(Action(seat, "take", card) for card in _CARDS) for seat in _SEATS)
_EXCHANGE_ONE = tuple(tuple(Action(seat, "exchange", (card,)) for card in _CARDS) for seat in _SEATS)
_DISCARD = tuple(tuple(Action(seat, "discard", card) for card in _CARDS) for seat in _SEATS)
_OUT = tuple(tuple(Action(seat, "out", card) for card in _CARDS) for seat in _SEATS)


_SUIT = (1 << 13) - 1
_JOKER = (JOKER,)


def plain_cards(cards: int) -> tuple[int, ...]:
    """The cards of a set, written without their pack, each once."""
    faces = faces_of(cards)
    found = (
        _in_order(faces & _SUIT)
        + _in_order(faces & _SUIT << 13)
        + _in_order(faces & _SUIT << 26)
        + _in_order(faces & _SUIT << 39)
    )
    return found + _JOKER if cards & JOKERS else found


@lru_cache(maxsize=1 << 13)
def _in_order(faces: int) -> tuple[int, ...]:
    """The faces of one suit: a hand seldom comes again, its suits do."""
    found = []
    while faces:
        low = faces & -faces
        found.append(low.bit_length() - 1)
        faces ^= low
    return tuple(found)


Batches = Iterator[Iterable[Action]]
"""Actions some at a time: nothing is looked for before it is asked for, and the caller gets them without detours."""


def legal(deal: Deal) -> Iterator[Action]:
    """Every action that `check` accepts, equal cards told apart by nothing."""
    return chain.from_iterable(_PHASES[deal.phase](deal))


def _none(deal: Deal) -> Batches:
    return iter(())


def _actions(seat: int, verb: str, arguments: Iterable[Argument]) -> Iterable[Action]:
    return map(make, repeat(Action), zip(repeat(seat), repeat(verb), arguments, strict=False))


# Step 1


def _legal_draws(deal: Deal) -> Batches:
    seat, shut = deal.turn, deal.settings.shut
    yield ((_DRAW if "exchange" in shut else _EXCHANGE)[seat],)
    if "take" not in shut:
        takes = _TAKE[seat]
        for card in legal_takes(deal):
            yield (takes[card],)
    if "exchange" in shut:
        yield _actions(seat, "draw", plain_cards(deal.places.top()))
    else:
        yield from _legal_exchanges(deal)
    if not deal.made:
        yield legal_shows(deal)
    if "declare" not in shut:
        yield _actions(seat, "declare", declarations(deal))


def _legal_exchanges(deal: Deal) -> Batches:
    """A card of the hand, alone or with the one that is drawn."""
    seat, places = deal.turn, deal.places
    hand = plain_cards(places.known[seat - 1] | places.pool(seat))
    exchanges = _EXCHANGE_ONE[seat]
    yield map(exchanges.__getitem__, hand)
    top = places.top()
    may_come = plain_cards(top)
    if not places.unknown[seat - 1]:
        yield _actions(seat, "exchange", product(hand, may_come))
        return
    for card in hand:
        buried = 1 << find(places, seat, card)
        drawn = plain_cards(top & ~buried) if top & buried else may_come
        yield _actions(seat, "exchange", zip(repeat(card), drawn, strict=False))


# While cards of the line have to be melded


def _legal_taken(deal: Deal) -> Batches:
    yield (_RETURN[deal.turn],)
    yield _legal_melds(deal, PLAIN[deal.duty])
    if not deal.melds[deal.turn - 1]:
        yield _legal_firsts(deal)


def _legal_duty(deal: Deal) -> Batches:
    """The melds in which the deepest card taken is."""
    yield _legal_melds(deal, PLAIN[deal.duty])


def _legal_firsts(deal: Deal) -> Iterator[Action]:
    """The pure first melds of the cards held before the take that leave what its deepest card needs."""
    seat, places = deal.turn, deal.places
    held, pool, most = places.known[seat - 1] & ~mask(deal.taken), places.pool(seat), places.unknown[seat - 1]
    deepest = PLAIN[deal.duty]
    for meld in layable(deal, (), held, pool, most):
        if deepest not in meld.pieces:
            found = find_all(held, pool, most, meld.pieces)
            if isinstance(found, tuple) and stays_possible(deal, meld, found):
                yield Action(seat, "meld", meld.pieces)


# Steps 2 and 3, and the last melds


def _legal_turn(deal: Deal) -> Batches:
    seat, places = deal.turn, deal.places
    out = deal.settings.face_down and places.size(seat) == 1
    ends = (_OUT if out else _DISCARD)[seat]
    yield map(ends.__getitem__, plain_cards(places.known[seat - 1] | places.pool(seat)))
    if deal.taken:
        yield (_RETURN[seat],)
    yield from _legal_layings(deal)


def _legal_last(deal: Deal) -> Batches:
    """A pass, the melds, then the other passes: there may be many hands to name."""
    passes = legal_passes(deal)
    yield (next(passes),)
    yield from _legal_layings(deal)
    yield passes


def _legal_layings(deal: Deal) -> Batches:
    seat = deal.turn
    yield _legal_melds(deal, -1)
    if deal.melds[seat - 1]:
        yield _legal_additions(deal)
        if "rearrange" not in deal.settings.shut:
            for orders in rearrangements(deal):
                yield _actions(seat, "rearrange", orders)


def longest(deal: Deal) -> int:
    """How many cards may leave the hand at once (rule 12)."""
    return deal.places.size(deal.turn) - (deal.settings.face_down and deal.phase is not LAST)


def _legal_melds(deal: Deal, using: int) -> Iterator[Action]:
    seat, places = deal.turn, deal.places
    own, most = deal.melds[seat - 1], longest(deal)
    known, unknown = places.known[seat - 1], places.unknown[seat - 1]
    for meld in layable(deal, own, known, places.pool(seat), unknown, most, using):
        pieces = meld.pieces
        if len(pieces) <= most:
            yield make(Action, (seat, "meld", pieces))


def _legal_additions(deal: Deal) -> Iterator[Action]:
    seat = deal.turn
    for at in _near(deal):
        for pieces in _additions(deal, at):
            yield make(Action, (seat, "add", (pieces, at + 1)))


def _near(deal: Deal) -> Sequence[int]:
    """The places of the own melds to which the hand may add something: a wild card, or one that is next to them."""
    seat, places = deal.turn, deal.places
    own, known = deal.melds[seat - 1], places.known[seat - 1]
    if known & deal.melding.wild or places.unknown[seat - 1]:
        return range(len(own))
    faces = faces_of(known)
    return [at for at, (kind, laid, _, _) in enumerate(own) if additions_to(kind, laid)[0] & faces]


def _additions(deal: Deal, at: int) -> Iterator[tuple[int, ...]]:
    """What can be added to one of the own melds."""
    seat, places, rules = deal.turn, deal.places, deal.melding
    own, most = deal.melds[seat - 1], longest(deal)
    known, pool, unknown = places.known[seat - 1], places.pool(seat), places.unknown[seat - 1]
    laid = [other.faces for other in own]
    naturals = ~JOKERS if must_stay_pure(rules, own, at) else -1
    within = rules if naturals == -1 else NO_WILD
    for pieces, _ in find_additions(within, own[at], known & naturals, pool & naturals, unknown, most, laid):
        yield pieces


def growing(deal: Deal) -> list[int]:
    """The numbers of the own melds to which something can be added."""
    return [at + 1 for at in _near(deal) if next(_additions(deal, at), None) is not None]


_PHASES = {
    DRAW: _legal_draws,
    TAKEN: _legal_taken,
    DUTY: _legal_duty,
    MELD: _legal_turn,
    LAST: _legal_last,
    OVER: _none,
    OUT: _none,
}
