"""A turn of the melding game: draw or take, meld and add, discard (rules 9 and 10)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from engine.cards import mask
from engine.hands import Hands, leave
from engine.melds import RUN, Meld, MeldRules, read_meld, shapes
from engine.possession.build import put_claims
from engine.possession.claims import Claims, come_out, enter
from engine.possession.drawing import (
    blocked,
    fits,
    is_ordered,
    legal_draws,
    misnamed,
    nothing_left,
    out,
    seen_drawing,
    take_top,
)
from engine.possession.holding import meant
from engine.possession.naming import addition, faces, find
from engine.possession.state import MELD, STEP, Deal
from engine.stock import Stock, lay_down
from engine.values import Action, Argument, Notice, Refusal, make

TAKE = tuple(Action(seat, "take") for seat in range(5))
DISCARD = tuple(tuple(Action(seat, "discard", card) for card in range(52)) for seat in range(5))

_CLUBS = (1 << 13) - 1
_SUITS = tuple(_CLUBS << 13 * suit for suit in range(4))
_RANKS = tuple(sum(1 << rank + 13 * suit for suit in range(4)) for rank in range(13))

_BESIDE = tuple(sum(1 << near for near in range(card - card % 13, card - card % 13 + 13) if abs(near - card) == 1)
                for card in range(52))  # fmt: skip
"""By card: those of its suit one rank above and below, of which any run needs one."""
_WITHIN_TWO = tuple(sum(1 << near for near in range(card - card % 13, card - card % 13 + 13) if abs(near - card) < 3)
                    for card in range(52))  # fmt: skip
"""By card: those of its suit that may lie beside it in a sequence of three."""

Cards = tuple[int, ...]
Melding = tuple[int, Cards]
"""A meld or an addition as it is written: the mask of its cards, and the cards in order."""


_RULES = MeldRules(ace_high=False, runs=True, sets=True, longest=13, wild=0, identical=True, first="any",
                   each_kind_pure=False)  # fmt: skip
_RUNS = tuple(
    [shape for shape in shapes(_RULES).values() if shape.kind == RUN and shape.faces & suit] for suit in _SUITS
)
_SETS = [shape for shape in shapes(_RULES).values() if shape.kind != RUN]
_THIRDS = sum(1 << card for card in range(52) if card % 13 < 11)
"""The cards above which two more of the suit may lie."""


@lru_cache(maxsize=1 << 13)
def _runs(suit: int, cards: int) -> tuple[Melding, ...]:
    """Every sequence of cards of one suit."""
    return tuple([(shape.faces, shape.order) for shape in _RUNS[suit] if not shape.faces & ~cards])


def melds(cards: int, sets: bool) -> Iterator[Melding]:
    """Every meld of cards written without their packs (a mask), sequences first."""
    if cards & cards >> 1 & cards >> 2 & _THIRDS:
        for suit, mask in enumerate(_SUITS):
            own = cards & mask
            if own & own >> 1 & own >> 2:
                yield from _runs(suit, own)
    if sets:
        for shape in _SETS:
            if not shape.faces & ~cards:
                yield shape.faces, shape.order


def takes(meld: Meld, cards: int) -> bool:
    """Whether any of these cards (a mask, without packs) may be added to a meld."""
    kind, faces, pieces, _ = meld
    if kind != RUN:
        return bool(_RANKS[pieces[0] % 54 % 13] & ~faces & cards)
    return bool((faces << 1 | faces >> 1) & ~faces & _SUITS[pieces[0] % 54 // 13] & cards)


def additions(meld: Meld, cards: int) -> Iterator[Melding]:
    """Every addition of these cards (a mask, without packs) to a meld: at either end of a run, or both; to a set."""
    if meld.kind != RUN:
        missing = _RANKS[meld.pieces[0] % 54 % 13] & ~meld.faces & cards
        if missing:
            yield missing, (missing.bit_length() - 1,)
        return
    suit = _SUITS[meld.pieces[0] % 54 // 13] & cards
    down: list[int] = [0]
    card = (meld.faces & -meld.faces) >> 1
    while card & suit:
        down.append(down[-1] | card)
        card >>= 1
    up: list[int] = [0]
    card = 1 << meld.faces.bit_length()
    while card & suit:
        up.append(up[-1] | card)
        card <<= 1
    for below in down:
        for above in up:
            added = below | above
            if added:
                yield added, tuple(_numbers(added))


def _numbers(cards: int) -> Iterator[int]:
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


class Held(NamedTuple):
    """A hand without packs: the cards that are certainly in it, those that may be, and how many may be others."""

    certain: int
    cards: int
    blind: int


def held(hands: Hands, seat: int, gone: int = 0, come: int = 0) -> Held:
    """What the seat holds, as far as it is known, after these cards (masks) have left its hand or come into it."""
    known, blind = hands.known[seat - 1], hands.unknown[seat - 1]
    unseen = hands.unseen if blind else 0
    if gone:
        blind -= (gone & ~known).bit_count()
        known, unseen = known & ~gone, unseen & ~gone
    certain = faces(known | come)
    return make(Held, (certain, certain | faces(unseen) if blind else certain, blind))


def is_usable(hand: Held, own: tuple[Meld, ...], card: int, sets: bool) -> bool:
    """Whether a meld or an addition may use this card (a mask) of the hand."""
    certain, cards, blind = hand
    number = card.bit_length() - 1
    near = cards & _WITHIN_TWO[number]
    if sets:
        near |= cards & _RANKS[number % 13]
    ways = [melds(near, sets)] if near.bit_count() > 2 else []
    ways += [additions(meld, cards) for meld in own if meld.kind != RUN or meld.faces & _SUITS[number // 13]]
    for way in ways:
        for bits, _ in way:
            if bits & card and (not blind or (bits & ~certain).bit_count() <= blind):
                return True
    return False


def legal_step(deal: Deal) -> Iterator[Action]:
    """Step 1: the draw, and the take of a card that may be used: after another one only an undo would help."""
    draws = () if nothing_left(deal) else legal_draws(deal)
    return iter((*draws, TAKE[deal.turn]) if _may_take(deal) else draws)


def legal_melding(deal: Deal) -> Iterator[Action]:
    """Steps 2 and 3: every discard, meld and addition."""
    seat, hands, taken = deal.turn, deal.hands, deal.taken
    _, cards, _ = held(hands, seat)
    layings = _legal_layings(deal, seat, cards)
    if taken:
        return layings
    discards = (
        _discards(seat, cards & _CLUBS)
        + _discards(seat, cards & _CLUBS << 13)
        + _discards(seat, cards & _CLUBS << 26)
        + _discards(seat, cards & _CLUBS << 39)
    )
    return chain(discards, layings)


def _legal_layings(deal: Deal, seat: int, cards: int) -> Iterator[Action]:
    if cards & cards >> 1 & cards >> 2 & _THIRDS or deal.settings.melds.sets:
        for _, order in legal_melds(deal):
            yield make(Action, (seat, "meld", order))
    for number, meld in enumerate(deal.melds[seat - 1], 1):
        if takes(meld, cards):
            for _, order in legal_additions(deal, number):
                yield make(Action, (seat, "add", (order, number)))


@lru_cache(maxsize=1 << 13)
def _discards(seat: int, cards: int) -> tuple[Action, ...]:
    """The discards of one seat by the cards of one suit."""
    return tuple([DISCARD[seat][card] for card in _numbers(cards)])


def legal_melds(deal: Deal) -> Iterator[Melding]:
    """Every new meld of the seat to act, but for those that leave a card taken without use."""
    certain, cards, blind = held(deal.hands, deal.turn)
    bound = _is_bound(deal)
    for bits, order in melds(cards, deal.settings.melds.sets):
        if (not blind or (bits & ~certain).bit_count() <= blind) and not (bound and _wastes(deal, order, 0)):
            yield bits, order


def legal_additions(deal: Deal, number: int) -> Iterator[Melding]:
    """Every addition of the seat to act to its meld of this number, but for those that leave a card taken useless."""
    certain, cards, blind = held(deal.hands, deal.turn)
    bound = _is_bound(deal)
    for bits, order in additions(deal.melds[deal.turn - 1][number - 1], cards):
        if (bits & ~certain).bit_count() <= blind and not (bound and _wastes(deal, order, number)):
            yield bits, order


def _is_bound(deal: Deal) -> bool:
    """Whether a card was taken that may still be used."""
    if not deal.taken:
        return False
    seat = deal.turn
    return is_usable(held(deal.hands, seat), deal.melds[seat - 1], faces(deal.taken), deal.settings.melds.sets)


def _cards(deal: Deal, written: tuple[Argument, ...]) -> Cards | Refusal:
    """The cards of the hand that are meant; of two equal ones the card taken first."""
    return find(deal.hands, deal.turn, written, deal.taken)


def _wastes(deal: Deal, written: Cards, number: int) -> bool:
    """Whether after this meld (or addition to the meld `number`) nothing could use the card taken any more."""
    cards = _cards(deal, written)
    meld = cards if isinstance(cards, Refusal) else _made(deal, cards, number)
    if isinstance(cards, Refusal) or not isinstance(meld, Meld) or mask(cards) & deal.taken:
        return False
    left = held(deal.hands, deal.turn, mask(cards))
    return not is_usable(left, _table(deal, meld, number), faces(deal.taken), deal.settings.melds.sets)


def _made(deal: Deal, cards: Cards, number: int) -> Meld | str:
    """The meld of these cards, together with those of the own meld of this number (0: a new one)."""
    before = deal.melds[deal.turn - 1][number - 1].pieces if number else ()
    return read_meld(deal.settings.melds, before + cards)


def _table(deal: Deal, meld: Meld, number: int) -> tuple[Meld, ...]:
    """The own melds with this one in place of the one of this number, or at the end."""
    own = deal.melds[deal.turn - 1]
    return own[: number - 1] + (meld,) + own[number:] if number else (*own, meld)  # noqa: RUF005 — see `put_claims`


def check_draw(deal: Deal, action: Action) -> Refusal | None:
    """Why a draw is illegal at this seat's turn."""
    card = action.argument
    fitting = fits(deal, card)
    if not fitting and not is_ordered(deal):
        return misnamed(deal, card)
    if deal.phase is MELD:
        return Refusal("already-drew", "9")
    if nothing_left(deal):
        return Refusal("nothing-to-draw", "4")
    return None if fitting else misnamed(deal, card)


def check_take(deal: Deal, action: Action) -> Refusal | None:
    """Why the top discard cannot be taken."""
    if deal.phase is MELD:
        return Refusal("already-drew", "9")
    if not deal.discards:
        return Refusal("nothing-to-draw", "9")
    if deal.hands.unknown[deal.turn - 1] or _may_take(deal):  # a hand that is known in part is not judged by it
        return None
    return Refusal("take-not-used", "9", (("card", deal.discards[-1]),))


def _may_take(deal: Deal) -> bool:
    """Whether some meld or addition may use the top discard."""
    discards = deal.discards
    if not discards:
        return False
    seat, hands = deal.turn, deal.hands
    card, own, sets = discards[-1] % 54, deal.melds[seat - 1], deal.settings.melds.sets
    if not sets and not hands.unknown[seat - 1]:
        near = hands.known[seat - 1]
        near |= near >> 54
        for meld in own:
            near |= meld.faces
        if not near & _BESIDE[card]:
            return False
    return is_usable(held(hands, seat, come=1 << card), own, 1 << card, sets)


def check_meld(deal: Deal, action: Action) -> Refusal | None:
    """Why a new meld is illegal at this seat's turn."""
    assert isinstance(action.argument, tuple)
    return _check_melding(deal, action.argument, 0)


def check_addition(deal: Deal, action: Action) -> Refusal | None:
    """Why an addition is illegal at this seat's turn."""
    return _check_melding(deal, *addition(action.argument))


def _check_melding(deal: Deal, written: tuple[Argument, ...], number: int) -> Refusal | None:
    cards = _cards(deal, written)
    if isinstance(cards, Refusal):
        return cards
    if deal.phase is STEP:
        return Refusal("must-draw-first", "9")
    if number > len(deal.melds[deal.turn - 1]):
        return Refusal("not-your-meld", "9", (("meld", number),))
    meld = _made(deal, cards, number)
    return Refusal(meld, "10") if isinstance(meld, str) else None


def check_discard(deal: Deal, action: Action) -> Refusal | None:
    """Why a discard is illegal at this seat's turn."""
    cards = find(deal.hands, deal.turn, (action.argument,))
    if isinstance(cards, Refusal):
        return cards
    if deal.phase is STEP:
        return Refusal("must-draw-first", "9")
    taken = deal.taken
    return Refusal("take-not-used", "9", (("card", taken.bit_length() - 1),)) if taken else None


def draw(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal draw."""
    (rules, dealer, _, seat, _, stock, _, refills, passes, made, drawn, taken, table, claims,
     seen, showing, outcome) = deal  # fmt: skip
    if not stock.places and refills >= rules.max_refills:
        return blocked(deal)
    stock, hands, discards, card, notices = take_top(deal, action.argument)
    seen = seen_drawing(deal, card)
    if notices:
        refills += 1
    index = seat - 1
    if claims[index].open:
        claims = put_claims(claims, index, enter(claims[index], made, card))
    deal = make(Deal, (rules, dealer, MELD, seat, hands, stock, discards, refills, passes, made + 1, drawn, taken,
                       table, claims, seen, showing, outcome))  # fmt: skip
    return deal, notices


def take(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal take."""
    seat, hands, card = deal.turn, deal.hands, deal.discards[-1]
    index = seat - 1
    known = (*hands.known[:index], hands.known[index] | 1 << card, *hands.known[seat:])
    return deal._replace(
        phase=MELD,
        hands=hands._replace(known=known),
        discards=deal.discards[:-1],
        made=deal.made + 1,
        taken=1 << card,
        open=deal.open | 1 << card,
        claims=put_claims(deal.claims, index, enter(deal.claims[index], deal.made, card)),
    ), ()


def meld(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal new meld."""
    assert isinstance(action.argument, tuple)
    return _lay(deal, action.argument, 0)


def add(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal addition."""
    return _lay(deal, *addition(action.argument))


def _lay(deal: Deal, written: tuple[Argument, ...], number: int) -> tuple[Deal, tuple[Notice, ...]]:
    cards = meant(deal, deal.turn, written, deal.taken)
    laid = _made(deal, cards, number)
    assert isinstance(laid, Meld)
    index = deal.turn - 1
    own = _table(deal, laid, number)
    stock, hands, claims, notices = _leave(deal, cards)
    deal = deal._replace(
        hands=hands,
        stock=stock,
        made=deal.made + 1,
        taken=deal.taken & ~mask(cards),
        melds=(*deal.melds[:index], own, *deal.melds[deal.turn :]),
        claims=claims,
    )
    return _ended(deal, index + 1, notices)


def discard(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal discard: the turn ends."""
    (rules, dealer, _, seat, hands, stock, discards, refills, passes, made, drawn, taken, table, claims,
     seen, showing, outcome) = deal  # fmt: skip
    known, number = hands.known[seat - 1], action.argument
    assert isinstance(number, int)
    notices: tuple[Notice, ...] = ()
    card = number if known >> number & 1 else number + 54
    if number < 52 and known >> card & 1 and not claims[seat - 1].fitting >> card & 1:
        cards: Cards = (card,)  # mostly it is certain which card that is, and nothing is proven by it
        hands = leave(hands, seat, card)
    else:
        cards = meant(deal, seat, (number,))
        stock, hands, claims, notices = _leave(deal, cards)
    deal = make(Deal, (rules, dealer, STEP, rules.after[seat], hands, stock, discards + cards, refills, passes,
                       made + 1, drawn, taken, table, claims, seen, showing, outcome))  # fmt: skip
    return _ended(deal, seat, notices)


def _leave(deal: Deal, cards: Cards) -> tuple[Stock, Hands, tuple[Claims, ...], tuple[Notice, ...]]:
    """Stock, hands, claims and notices after these cards have left the hand of the seat to act."""
    seat, hands, stock, claims = deal.turn, deal.hands, deal.stock, deal.claims
    before = own = claims[seat - 1]
    notices: tuple[Notice, ...] = ()
    for card in cards:
        stock, hands = lay_down(stock, hands, seat, card)
        if own.fitting >> card & 1:
            own, proven = come_out(own, seat, deal.made, card)
            notices += proven
    if own is not before:
        claims = put_claims(claims, seat - 1, own)
    return stock, hands, claims, notices


def _ended(deal: Deal, seat: int, notices: tuple[Notice, ...]) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal, over where the seat holds no card any more."""
    if deal.hands.known[seat - 1] or deal.hands.unknown[seat - 1]:
        return deal, notices
    deal, ended = out(deal, seat)
    return deal, notices + ended
