"""What can be added to a meld, of cards that are certain and of some that may be there."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.melds import RUN, Meld, MeldRules, Shape
from engine.pieces import STANDS
from engine.values import make
from engine.vazhushal.kept import Kept
from engine.vazhushal.shapes import RANK, RUNS, SETS, SUIT, faces_of
from engine.vazhushal.supply import Supply, supply_of, wild_faces


class Addition(NamedTuple):
    """A meld that grows to another shape by the cards at these places."""

    shape: Shape
    places: tuple[int, ...]
    faces: int
    """These places as a mask."""


@lru_cache(maxsize=1 << 12)
def additions_to(kind: str, faces: int) -> tuple[int, tuple[Addition, ...]]:
    """What a meld may grow to, the small ones first, and the mask of the faces of which one has to be among them."""
    suit, rank = divmod(faces.bit_length() - 1, 13)
    alike = RUNS[suit] if kind == RUN else SETS[rank]
    grown = [shape for shape in alike if shape.faces & faces == faces != shape.faces]
    found = [
        Addition(shape, tuple([face for face in shape.order if not faces >> face & 1]), shape.faces & ~faces)
        for shape in grown
    ]
    found.sort(key=lambda addition: len(addition.places))
    next_to = 0
    for addition in found:
        if len(addition.places) == 1:
            next_to |= 1 << addition.places[0]
    return next_to, tuple(found)


def find_additions(
    rules: MeldRules,
    meld: Meld,
    known: int,
    pool: int = 0,
    most: int = 0,
    longest: int = 13,
    laid: Sequence[int] = (),
) -> Iterator[tuple[tuple[int, ...], Meld]]:
    """Every group of cards that can be added to a meld, and the meld's new shape (its pieces are left out).

    `longest`: how many cards may leave the hand. `laid`: the faces that the meld must not grow to.
    """
    next_to, grown = additions_to(meld.kind, meld.faces)
    faces = faces_of(known)
    wild = known & rules.wild
    if most <= 0:
        pool = 0
    if not wild and not pool:
        if faces & next_to:
            for shape, places, added in grown:
                if not added & ~faces and len(places) <= longest and shape.faces not in laid:
                    yield places, Meld(meld.kind, shape.faces, (), meld.pure)
        return
    if not pool:
        suit, rank = divmod(meld.faces.bit_length() - 1, 13)
        near = SUIT << 13 * suit if meld.kind == RUN else RANK << rank
        for pieces, larger in _wild_additions(meld.kind, meld.faces, meld.pure, faces & near, wild_faces(wild)):
            if len(pieces) <= longest and larger.faces not in laid:
                yield pieces, larger
        return
    supply = supply_of(rules, known, pool)
    yield from _fill_additions(meld, supply, min(most, pool.bit_count()), longest, laid)


@lru_cache(maxsize=1 << 10)
def _wild_additions(
    kind: str, laid: int, pure: bool, faces: int, wilds: tuple[int, ...]
) -> Kept[tuple[tuple[int, ...], Meld]]:
    """The additions of certain cards, some of them wild, to a meld of these faces."""
    meld = Meld(kind, laid, (), pure)
    left = {face: wilds.count(face) for face in sorted(wilds)}
    return Kept(lambda: _fill_additions(meld, Supply(faces, 0, dict(left), dict.fromkeys(left, 0)), 0, 13, ()))


def _fill_additions(
    meld: Meld, supply: Supply, most: int, longest: int, laid: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Meld]]:
    faces, kind = supply.faces, meld.kind
    free, some = supply.wilds + most, supply.faces | supply.pool
    for shape, places, added in additions_to(kind, meld.faces)[1]:
        if (added & ~faces).bit_count() > free or (added & ~some).bit_count() > supply.all_wilds:
            continue
        if len(places) > longest or shape.faces in laid:
            continue
        for pieces in supply.fill(places, most, natural=True):
            pure = meld.pure and max(pieces) < STANDS
            yield pieces, make(Meld, (kind, shape.faces, (), pure))
