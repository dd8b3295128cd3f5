"""Laying cards: new melds, additions, rearrangement, and the declaration of a whole hand (rules 4 to 8)."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple, cast

from engine.cards import CARDS, PLAIN, mask
from engine.cards import very as spelt
from engine.hands import put
from engine.melds import Meld, MeldRules, faults, read_meld
from engine.pieces import STANDS
from engine.values import Action, Notice, Refusal, make
from engine.vazhushal.covering import plain
from engine.vazhushal.knowledge import find_all, leave
from engine.vazhushal.notation import NEW, Group
from engine.vazhushal.shapes import mask_of
from engine.vazhushal.state import DRAW, DUTY, LAST, MELD, TAKEN, Deal
from engine.vazhushal.turn import ALREADY_DREW, MUST_DRAW_FIRST, MUST_KEEP_LAST, TAKE_NOT_MELDED, not_in_hand, won
from engine.vazhushal.wiping import fits, stays_possible

_ORDER = (
    "meld-too-short", "meld-all-jokers", "joker-unnamed", "not-a-meld", "meld-identical", "first-meld-not-sequence",
    "first-meld-not-pure",
)  # fmt: skip
_RULES = {"meld-identical": "8", "first-meld-not-sequence": "11", "first-meld-not-pure": "7"}
_FAULTS = {code: Refusal(code, _RULES.get(code, "6")) for code in _ORDER}
_NOT_ALL_MELDED = Refusal("not-all-melded", "4")


class Laid(NamedTuple):
    """What a legal action lays: the cards that leave the hand (a mask), and the player's melds after it."""

    cards: int
    melds: tuple[Meld, ...]


_last: tuple[Deal | None, Action | None, Refusal | Laid | None] = (None, None, None)


def lay(deal: Deal, action: Action) -> Refusal | Laid:
    """What an action lays, or why it cannot. An action is checked and then applied: the last answer is kept."""
    global _last
    last, done, laid = _last
    if last is not deal or done is not action or laid is None:
        laid = _LAY[action.verb](deal, action)
        _last = deal, action, laid
    return laid


def check_lay(deal: Deal, action: Action) -> Refusal | None:
    """Why cards cannot be laid so."""
    laid = lay(deal, action)
    return laid if isinstance(laid, Refusal) else None


def apply_lay(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after cards were laid; an empty hand has won (rule 9)."""
    laid = lay(deal, action)
    if isinstance(laid, Refusal):  # legal on what the seat knows, though the table thought the cards elsewhere
        laid = _LAY[action.verb](_trusting(deal, action.seat), action)
    assert isinstance(laid, Laid), laid
    (rules, melding, dealer, phase, _, places, line, melds, joker_first, taken, duty, rest, made, claims, looked,
     negative, outcome) = deal  # fmt: skip
    seat = action.seat
    if phase in (TAKEN, DUTY) and not laid.cards >> duty & 1:
        phase = DUTY
    elif phase is not LAST:
        phase, taken, duty = MELD, (), -1
    if laid.cards:
        places = leave(places, seat, laid.cards)
    melds = (*melds[: seat - 1], laid.melds, *melds[seat:])
    state = make(Deal, (rules, melding, dealer, phase, deal.turn, places, line, melds, joker_first, taken, duty, rest,
                        made + 1, claims, looked, negative, outcome))  # fmt: skip
    return (state, ()) if places.size(seat) else won(state, seat)


def _trusting(deal: Deal, seat: int) -> Deal:
    """The deal in which the seat may hold every card that does not lie open."""
    places = deal.places
    away = mask(deal.line)
    for melds in deal.melds:
        for meld in melds:
            away |= mask([number % STANDS for number in meld.pieces])
    size, index = places.size(seat), seat - 1
    return deal._replace(
        places=places._replace(
            known=put(places.known, index, mask(deal.taken)),
            unknown=put(places.unknown, index, size - len(deal.taken)),
            unseen=deal.settings.pack & ~away & ~mask(deal.taken),
        )
    )


def _numbers(groups: Sequence[Sequence[int]]) -> list[int]:
    return [number % STANDS for group in groups for number in group]


@lru_cache(maxsize=16)
def _reader(rules: MeldRules) -> Callable[[tuple[int, ...]], Meld | str]:
    """What reads a group by these rules, and remembers it: a table is read again and again."""
    return lru_cache(maxsize=1 << 11)(partial(read_meld, rules))


def _pieces(group: Sequence[int], cards: tuple[int, ...]) -> tuple[int, ...]:
    """The pieces of a group with the cards that they mean."""
    if max(group) < STANDS:
        return cards
    return tuple([card + number - number % STANDS for number, card in zip(group, cards, strict=True)])


# A new meld


def _lay_meld(deal: Deal, action: Action) -> Refusal | Laid:
    seat, group = action.seat, action.argument
    assert isinstance(group, tuple)
    pieces = [number for number in group if isinstance(number, int)]
    places, own = deal.places, deal.melds[seat - 1]
    known, pool, most = places.known[seat - 1], places.pool(seat), places.unknown[seat - 1]
    duty = deal.duty
    numbers = [number % STANDS for number in pieces]
    if duty < 0:
        found = find_all(known, pool, most, numbers)
    else:
        found = find_all(known, pool, most, _with_deepest(numbers, duty), mask(deal.taken))
    if isinstance(found, int):
        return not_in_hand(found)
    if deal.phase is DRAW:
        return MUST_DRAW_FIRST
    if duty >= 0 and duty not in found:
        return _lay_first(deal, seat, pieces)
    meld = _reader(deal.melding)(_pieces(pieces, found))
    if isinstance(meld, str):
        return _FAULTS[meld]
    melds = (*own, meld)
    fault = faults(deal.melding, melds)
    if fault is not None:
        return _FAULTS[fault]
    return _kept(deal, seat, mask(found), melds)


def _with_deepest(numbers: list[int], duty: int) -> list[int]:
    """The written cards, the first that may mean the deepest card taken as that very one."""
    very, plain = int(spelt(CARDS[duty])), PLAIN[duty]
    if very not in numbers and plain in numbers:
        at = numbers.index(plain)
        return [*numbers[:at], very, *numbers[at + 1 :]]
    return numbers


def _lay_first(deal: Deal, seat: int, pieces: list[int]) -> Refusal | Laid:
    """A pure first meld from the cards held before a take, between it and the meld of its deepest card (rule 5)."""
    places = deal.places
    if deal.phase is not TAKEN or deal.melds[seat - 1]:
        return TAKE_NOT_MELDED
    held = places.known[seat - 1] & ~mask(deal.taken)
    numbers = [number % STANDS for number in pieces]
    found = find_all(held, places.pool(seat), places.unknown[seat - 1], numbers)
    if isinstance(found, int):
        return TAKE_NOT_MELDED
    meld = _reader(deal.melding)(_pieces(pieces, found))
    if isinstance(meld, str) or not fits(deal.melding, (), meld) or not stays_possible(deal, meld, found):
        return TAKE_NOT_MELDED
    return Laid(mask(found), (meld,))


def _kept(deal: Deal, seat: int, cards: int, melds: tuple[Meld, ...]) -> Refusal | Laid:
    """Rule 12: a card is left to go out with, but for the time after the stock's end."""
    if deal.settings.face_down and deal.phase is not LAST and cards.bit_count() == deal.places.size(seat):
        return MUST_KEEP_LAST
    return Laid(cards, melds)


# Own melds


def _not_your_meld(number: int) -> Refusal:
    return Refusal("not-your-meld", "4", (("meld", number),))


def _lay_add(deal: Deal, action: Action) -> Refusal | Laid:
    seat, part = action.seat, action.argument
    assert isinstance(part, tuple)
    group, number = part
    assert isinstance(group, tuple)
    assert isinstance(number, int)
    pieces = [piece for piece in group if isinstance(piece, int)]
    places, own = deal.places, deal.melds[seat - 1]
    found = find_all(places.known[seat - 1], places.pool(seat), places.unknown[seat - 1], _numbers([pieces]))
    if isinstance(found, int):
        return not_in_hand(found)
    if deal.phase is DRAW:
        return MUST_DRAW_FIRST
    if deal.duty >= 0:
        return TAKE_NOT_MELDED
    if not 1 <= number <= len(own):
        return _not_your_meld(number)
    meld = _reader(deal.melding)(own[number - 1].pieces + _pieces(pieces, found))
    if isinstance(meld, str):
        return _FAULTS[meld]
    melds = (*own[: number - 1], meld, *own[number:])
    fault = faults(deal.melding, melds)
    if fault is not None:
        return _FAULTS[fault]
    return _kept(deal, seat, mask(found), melds)


def _lay_rearranged(deal: Deal, action: Action) -> Refusal | Laid:
    seat, argument = action.seat, action.argument
    assert isinstance(argument, tuple)
    groups = cast(tuple[Group, ...], argument)
    places, own = deal.places, deal.melds[seat - 1]
    lain = {plain(meld.pieces): meld for meld in own}
    if len(groups) == len(lain) and lain.keys() == set(groups) and deal.phase is not DRAW and deal.duty < 0:
        return Laid(0, tuple([lain[group] for group in groups]))
    table = 0
    for meld in own:
        table |= mask_of(meld.pieces)
    written = list(chain.from_iterable(groups))
    known, numbers = places.known[seat - 1] | table, [number % STANDS for number in written]
    found = find_all(known, places.pool(seat), places.unknown[seat - 1], numbers, table)
    if isinstance(found, int):
        return not_in_hand(found)
    if deal.phase is DRAW:
        return MUST_DRAW_FIRST
    if deal.duty >= 0:
        return TAKE_NOT_MELDED
    if not own:
        return _not_your_meld(1)
    melds = _read_all(deal, _split(_pieces(written, found), groups))
    if isinstance(melds, Refusal):
        return melds
    cards = mask(found)
    if table & ~cards:
        return _NOT_ALL_MELDED
    return _kept(deal, seat, cards & ~table, melds)


def _split(pieces: tuple[int, ...], groups: Sequence[Group]) -> list[tuple[int, ...]]:
    """The pieces of all groups, one group after the other, in groups as long as these."""
    parts, start = [], 0
    for group in groups:
        end = start + len(group)
        parts.append(pieces[start:end])
        start = end
    return parts


def _read_all(deal: Deal, groups: Sequence[tuple[int, ...]]) -> Refusal | tuple[Meld, ...]:
    """The melds of a whole table, or the first code in the order of the rules that one of them or all deserve."""
    melds, codes = [], []
    for meld in map(_reader(deal.melding), groups):
        if type(meld) is Meld:
            melds.append(meld)
        else:
            codes.append(cast(str, meld))
    if codes:
        return _FAULTS[min(codes, key=_ORDER.index)]
    fault = faults(deal.melding, melds)
    return tuple(melds) if fault is None else _FAULTS[fault]


def _lay_declared(deal: Deal, action: Action) -> Refusal | Laid:
    seat, argument = action.seat, action.argument
    assert isinstance(argument, tuple)
    places, own = deal.places, deal.melds[seat - 1]
    parts: list[tuple[list[int], int]] = []
    for part in argument:
        assert isinstance(part, tuple)
        group, number = part
        assert isinstance(group, tuple)
        assert isinstance(number, int)
        parts.append(([piece for piece in group if isinstance(piece, int)], number))
    numbers = _numbers([group for group, _ in parts])
    found = find_all(places.known[seat - 1], places.pool(seat), places.unknown[seat - 1], numbers)
    if isinstance(found, int):
        return not_in_hand(found)
    if deal.phase is not DRAW:
        return ALREADY_DREW
    groups = [meld.pieces for meld in own]
    at = 0
    for cards, number in parts:
        pieces = _pieces(cards, found[at : at + len(cards)])
        at += len(cards)
        if number == NEW:
            groups.append(pieces)
        elif 1 <= number <= len(own):
            groups[number - 1] += pieces
        else:
            return _not_your_meld(number)
    melds = _read_all(deal, groups)
    if isinstance(melds, Refusal):
        return melds
    return Laid(mask(found), melds) if len(found) == places.size(seat) else _NOT_ALL_MELDED


_LAY = {"meld": _lay_meld, "add": _lay_add, "rearrange": _lay_rearranged, "declare": _lay_declared}
