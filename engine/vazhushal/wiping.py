"""Taking cards of the line (rule 5): whether a meld that is allowed can use the deepest of them."""

from collections.abc import Iterator, Sequence

from engine.cards import JOKER, PLAIN
from engine.melds import RUN, Meld, MeldRules
from engine.vazhushal.finding import FEW_WILD, KINDS, Bounds, find_melds, find_pure_melds
from engine.vazhushal.pure import NEAR, RUN_THREES, THREES, has_first, pure_melds, pure_with
from engine.vazhushal.shapes import faces_of, without
from engine.vazhushal.state import Deal


def fits(rules: MeldRules, own: Sequence[Meld], meld: Meld) -> bool:
    """Whether a legal meld may be laid beside a player's own legal ones (rules 7 and 8)."""
    kind, faces, _, pure = meld
    if not own:
        return pure and (kind == RUN or rules.first == "pure")
    for other in own:
        if other.faces == faces and other.kind == kind:
            return False
    return pure or not rules.each_kind_pure or kind in [other.kind for other in own]


def first_melds(rules: MeldRules, cards: int) -> Iterator[Meld]:
    """Every pure first meld of these cards."""
    return (meld for meld in pure_melds(cards) if meld.kind == RUN or rules.first == "pure")


def layable(
    deal: Deal, own: Sequence[Meld], known: int, pool: int, most: int, longest: int = 13, using: int = -1
) -> Iterator[Meld]:
    """Every meld that may be laid beside the own ones, of certain cards and of some out of a pool.

    `longest` leaves out longer melds where they are slow to list.
    """
    rules = deal.melding
    if not own:
        melds = find_pure_melds(known, pool, most, using)
        return melds if rules.first == "pure" else (meld for meld in melds if meld.kind == RUN)
    laid = [meld.faces for meld in own]
    kinds = [meld.kind for meld in own] if rules.each_kind_pure else KINDS
    bounds = None
    if pool or (known & rules.wild).bit_count() > FEW_WILD:
        bounds = Bounds(0, range(3, longest + 1), 0, laid, kinds)
    found = find_melds(rules, known, pool, most, using, bounds)
    if rules.each_kind_pure:
        return (meld for meld in found if meld.faces not in laid and (meld.pure or meld.kind in kinds))
    return (meld for meld in found if meld.faces not in laid)


def take_fault(deal: Deal, index: int) -> str | None:
    """Why the line cannot be wiped down to this place; a hand that is not wholly known may do it (rule 5)."""
    own = deal.melds[deal.turn - 1]
    if index == 0 and deal.joker_first:
        return None if any(meld.kind == RUN and meld.pure for meld in own) else "take-not-melded"
    if deal.places.unknown[deal.turn - 1] or _is_useful(deal, index):
        return None
    if not own and index < len(deal.line) - 1:
        deeper = range(index)
        newer = range(index + 1, len(deal.line))
        if not any(_is_useful(deal, at) for at in deeper) and any(_is_useful(deal, at) for at in newer):
            return "take-too-deep"
    return "take-not-melded"


def legal_takes(deal: Deal) -> Iterator[int]:
    """The cards, written without their pack, down to which the line can be wiped, the newest first."""
    line, seat, rules, joker_first = deal.line, deal.turn, deal.melding, deal.joker_first
    cards, known = deal.places.known[seat - 1], not deal.places.unknown[seat - 1]
    first = not deal.melds[seat - 1] and not has_first(rules, cards)  # then the card must be in a pure first meld
    threes = RUN_THREES if first and rules.first != "pure" else THREES
    wild = 0 if first else rules.wild
    faces, seen = faces_of(cards), 0
    for index in range(len(line) - 1, -1, -1):
        number = line[index]
        cards |= 1 << number
        card = PLAIN[number]
        bit = 1 << card
        if seen & bit:
            continue
        seen |= bit
        faces |= bit
        if index == 0 and joker_first:
            useful = take_fault(deal, 0) is None
        elif not known:
            useful = True
        elif cards & wild:
            useful = _uses(deal, cards, card)
        else:
            near, useful = faces & NEAR[card], False
            if near.bit_count() > 2:
                for three in threes[card]:
                    if three & near == three:
                        useful = first or _uses(deal, cards, card)
                        break
        if useful:
            yield card


def _is_useful(deal: Deal, index: int) -> bool:
    """Whether a permitted meld can use the card at this place of the line as the deepest one taken."""
    if index == 0 and deal.joker_first:
        return False
    cards = deal.places.known[deal.turn - 1]
    for card in deal.line[index:]:
        cards |= 1 << card
    return _uses(deal, cards, PLAIN[deal.line[index]])


def _uses(deal: Deal, cards: int, deepest: int) -> bool:
    """The same with the cards that the seat would hold then."""
    own, rules = deal.melds[deal.turn - 1], deal.melding
    if own:
        return can_meld(deal, own, cards, deepest)
    if deepest < JOKER and pure_with(cards, deepest, rules.first == "pure"):
        return True
    held = deal.places.known[deal.turn - 1]
    if not has_first(rules, held):
        return False
    taken = cards & ~held
    return any(
        can_meld(deal, (first,), without(held, first.pieces) | taken, deepest) for first in first_melds(rules, held)
    )


def _quickly(rules: MeldRules, own: Sequence[Meld], cards: int, deepest: int) -> bool | None:
    """Whether some of these cards make a meld with this one, where three of them tell; None: not quickly seen."""
    if deepest >= JOKER or rules.wild >> deepest & 1:
        return None
    wild = cards & rules.wild
    missing = ~faces_of(cards)
    if not wild:
        held = [three for three in THREES[deepest] if not three & missing]
        if not held:
            return False
        return (
            True if len(held) > len(own) else any(three not in [meld.faces for meld in own] for three in held) or None
        )
    free = wild.bit_count()
    near = [three for three in THREES[deepest] if (three & missing).bit_count() <= free]
    if not near:
        return False
    lacking, laid = 0 if rules.each_kind_pure else free, [meld.faces for meld in own]
    missing = ~faces_of(cards & ~wild)
    return any((three & missing).bit_count() <= lacking and three not in laid for three in near) or None


def can_meld(deal: Deal, own: Sequence[Meld], known: int, deepest: int, pool: int = 0, most: int = 0) -> bool:
    """Whether a meld with this card can be laid beside the own ones, out of certain cards and of some that may be."""
    longest = known.bit_count() + most - deal.settings.face_down
    if not most:
        quickly = _quickly(deal.melding, own, known, deepest)
        if quickly is not None and longest > 2:
            return quickly
    return any(len(meld.pieces) <= longest for meld in layable(deal, own, known, pool, most, longest, deepest))


def stays_possible(deal: Deal, first: Meld, cards: Sequence[int]) -> bool:
    """Whether the deepest card taken can still be melded after this first meld of these cards."""
    seat, places = deal.turn, deal.places
    known, most = places.known[seat - 1], places.unknown[seat - 1]
    for card in cards:
        if known >> card & 1:
            known ^= 1 << card
        else:
            most -= 1
    pool = places.pool(seat)
    for card in cards:
        pool &= ~(1 << card)
    return can_meld(deal, (first,), known, PLAIN[deal.duty], pool, most)
