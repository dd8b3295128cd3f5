"""Every legal action of a state, lazily: what is quickly said first, then melds, additions and whole tables."""

from collections.abc import Iterator

from engine.cards import JOKER, PLAIN, mask
from engine.values import Action, make
from engine.vazhushal.covering import declarations, must_stay_pure, rearrangements
from engine.vazhushal.dealing import legal_shows
from engine.vazhushal.exhaustion import legal_passes
from engine.vazhushal.finding import NO_WILD, faces_of, find_additions
from engine.vazhushal.knowledge import find, find_all
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.state import Deal, Phase
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


def plain_cards(cards: int) -> Iterator[int]:
    """The cards of a set, written without their pack, each once."""
    faces = faces_of(cards)
    while faces:
        low = faces & -faces
        yield low.bit_length() - 1
        faces ^= low
    if cards & JOKERS:
        yield JOKER


def legal(deal: Deal) -> Iterator[Action]:
    """Every action that `check` accepts, equal cards told apart by nothing."""
    return _PHASES[deal.phase](deal)


def _none(deal: Deal) -> Iterator[Action]:
    return iter(())


# Step 1


def _legal_draws(deal: Deal) -> Iterator[Action]:
    seat, shut = deal.turn, deal.settings.shut
    yield _DRAW[seat] if "exchange" in shut else _EXCHANGE[seat]
    if "take" not in shut:
        takes = _TAKE[seat]
        for card in legal_takes(deal):
            yield takes[card]
    if "exchange" in shut:
        for card in plain_cards(deal.places.top()):
            yield Action(seat, "draw", card)
    else:
        yield from _legal_exchanges(deal)
    if not deal.made:
        yield from legal_shows(deal)
    if "declare" not in shut:
        for parts in declarations(deal):
            yield Action(seat, "declare", parts)


def _legal_exchanges(deal: Deal) -> Iterator[Action]:
    """A card of the hand, alone or with the one that is drawn."""
    seat, places = deal.turn, deal.places
    hand = places.known[seat - 1] | places.pool(seat)
    exchanges = _EXCHANGE_ONE[seat]
    for card in plain_cards(hand):
        yield exchanges[card]
    for card in plain_cards(hand):
        buried = find(places, seat, card)
        for drawn in plain_cards(places.top() & ~(1 << buried)):
            yield Action(seat, "exchange", (card, drawn))


# While cards of the line have to be melded


def _legal_taken(deal: Deal) -> Iterator[Action]:
    yield _RETURN[deal.turn]
    yield from _legal_duty(deal)
    if not deal.melds[deal.turn - 1]:
        yield from _legal_firsts(deal)


def _legal_duty(deal: Deal) -> Iterator[Action]:
    """The melds in which the deepest card taken is."""
    return _legal_melds(deal, PLAIN[deal.duty])


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


def _legal_turn(deal: Deal) -> Iterator[Action]:
    seat, places = deal.turn, deal.places
    out = deal.settings.face_down and places.size(seat) == 1
    ends = _OUT[seat] if out else _DISCARD[seat]
    for card in plain_cards(places.known[seat - 1] | places.pool(seat)):
        yield ends[card]
    if deal.taken:
        yield _RETURN[seat]
    yield from _legal_layings(deal)


def _legal_last(deal: Deal) -> Iterator[Action]:
    """A pass, the melds, then the other passes: there may be many hands to name."""
    passes = legal_passes(deal)
    yield next(passes)
    yield from _legal_layings(deal)
    yield from passes


def _legal_layings(deal: Deal) -> Iterator[Action]:
    seat = deal.turn
    yield from _legal_melds(deal, -1)
    if deal.melds[seat - 1]:
        yield from _legal_additions(deal)
        if "rearrange" not in deal.settings.shut:
            for groups in rearrangements(deal):
                yield make(Action, (seat, "rearrange", groups))


def _longest(deal: Deal) -> int:
    """How many cards may leave the hand at once (rule 12)."""
    return deal.places.size(deal.turn) - (deal.settings.face_down and deal.phase is not Phase.LAST)


def _legal_melds(deal: Deal, using: int) -> Iterator[Action]:
    seat, places = deal.turn, deal.places
    own, longest = deal.melds[seat - 1], _longest(deal)
    known, unknown = places.known[seat - 1], places.unknown[seat - 1]
    for meld in layable(deal, own, known, places.pool(seat), unknown, using):
        if len(meld.pieces) <= longest:
            yield make(Action, (seat, "meld", meld.pieces))


def _legal_additions(deal: Deal) -> Iterator[Action]:
    seat, places, rules = deal.turn, deal.places, deal.melding
    own, longest = deal.melds[seat - 1], _longest(deal)
    known, pool, unknown = places.known[seat - 1], places.pool(seat), places.unknown[seat - 1]
    laid = [meld.faces for meld in own]
    for at, meld in enumerate(own):
        naturals = ~JOKERS if must_stay_pure(rules, own, at) else -1
        within = rules if naturals == -1 else NO_WILD
        for pieces, grown in find_additions(within, meld, known & naturals, pool & naturals, unknown):
            if len(pieces) <= longest and grown.faces not in laid:
                yield make(Action, (seat, "add", (pieces, at + 1)))


_PHASES = {
    Phase.DRAW: _legal_draws,
    Phase.TAKEN: _legal_taken,
    Phase.DUTY: _legal_duty,
    Phase.MELD: _legal_turn,
    Phase.LAST: _legal_last,
    Phase.OVER: _none,
}
