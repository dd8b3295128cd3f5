"""How much of a hand can be laid as melds: all of it, or the most points. Knows no one game."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.meld_search import POINTS, Plan, Search, listed, points, pure_shapes
from engine.melds import (
    RUN,
    SET,
    Meld,
    MeldRules,
    faults,
    read_meld,
)
from engine.pieces import piece, piece_card

__all__ = ["POINTS", "Laid", "lay_all", "lay_most", "points"]


class Laid(NamedTuple):
    """A player's melds after laying, the own ones first and in their order, and the cards left in the hand (mask)."""

    melds: tuple[Meld, ...]
    left: int


def lay_all(rules: MeldRules, hand: int, own: Sequence[Meld] = ()) -> Laid | None:
    """The whole hand in new melds and additions to own ones, or None: proof that there is no way."""
    return _lay(rules, hand, tuple(own), whole=True) if hand else Laid(tuple(own), 0)


def lay_most(rules: MeldRules, hand: int, own: Sequence[Meld] = ()) -> Laid:
    """The way to lay cards that makes the points melded, less those left in the hand, as many as can be.

    A wild card melded counts what it stands for, a joker left nothing.
    """
    return _lay(rules, hand, tuple(own), whole=False) or Laid(tuple(own), hand)


def _lay(rules: MeldRules, hand: int, own: tuple[Meld, ...], *, whole: bool) -> Laid | None:
    """The best way; None where there is none, or nothing to be laid."""
    search = Search(rules, hand, own, whole=whole)
    if (whole and search.spare) or not (own or _can_begin(rules, search)):
        return None
    search.prepare()
    search.run(Plan())
    way = _built(rules, search)
    if way is None or faults(rules, way.melds) is None:
        return way
    # Without a thought for the rule for first melds the best way breaks it; so it is sought with each way to meet it.
    search.forget()
    for plan in plans(rules, own):
        search.run(plan)
    return _built(rules, search)


def _can_begin(rules: MeldRules, search: Search) -> bool:
    """False where a first meld must be pure and no pure one can be made."""
    if rules.first == "any" and not rules.each_kind_pure:
        return True
    kinds = (RUN,) if rules.first == "pure-sequence" else (RUN, SET)
    return any(next(pure_shapes(search.shapes, kind, search.ones), None) for kind in kinds)


def plans(rules: MeldRules, own: tuple[Meld, ...]) -> Iterator[Plan]:
    """The ways to meet the rule for first melds: by an own pure meld of a kind that stays so, or by a new one."""
    new = -1
    runs, sets = [[new, *[at for at, m in enumerate(own) if m.pure and m.kind == kind]] for kind in (RUN, SET)]
    if not rules.each_kind_pure:
        # One pure meld is enough, and everything else may be laid beside it.
        kinds = [(RUN, runs)] if rules.first == "pure-sequence" else [(RUN, runs), (SET, sets)]
        for kind, melds in kinds:
            for at in melds:
                yield Plan(new=(kind,)) if at == new else Plan(keep=(at,))
        return
    laid = {meld.kind for meld in own}
    for chosen in product((*runs, None), (*sets, None)):
        banned = [kind for kind, at in zip((RUN, SET), chosen, strict=True) if at is None]
        if not laid.intersection(banned) and not (rules.first == "pure-sequence" and RUN in banned):
            keep = tuple([at for at in chosen if at is not None and at != new])
            yield Plan(
                keep, tuple([kind for kind, at in zip((RUN, SET), chosen, strict=True) if at == new]), tuple(banned)
            )


def _built(rules: MeldRules, search: Search) -> Laid | None:
    """The way that the search found, with the cards themselves: natural ones the lowest copies first."""
    if search.found is None:
        return None
    counts, steps = search.found
    copies = {face: list(cards) for face, cards in search.copies.items()}
    wilds = [copies[face].pop() for face, count in zip(search.ranked, counts, strict=True) for _ in range(count)]
    wilds += search.jokers
    chosen = []
    while steps is not None:
        steps, *step = steps
        chosen.append(step)
    melds, new, left = list(search.own), [], search.hand
    for at, natural, missing in reversed(chosen):
        pieces = [copies[face].pop(0) for face in listed(natural)]
        pieces += [piece(wilds.pop(0), face) for face in listed(missing)]
        for number in pieces:
            left ^= 1 << piece_card(number)
        meld = read_meld(rules, pieces if at < 0 else (*melds[at].pieces, *pieces))
        assert isinstance(meld, Meld)
        if at < 0:
            new.append(meld)
        else:
            melds[at] = meld
    return Laid((*melds, *new), left)
