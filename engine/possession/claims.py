"""Claims that later cards may prove false: a draw or a pass says that no card fitted, a show that it was complete.

A card that comes out of the hand proves nothing where it may have gone in after the claim. So a claim is false when
more fitting cards have come out since than unknown cards have gone in.
"""

from typing import NamedTuple

from engine.cards import PLAIN, UNKNOWN
from engine.values import Notice, make


class Claims(NamedTuple):
    """The claims of one seat that are not proven false.

    `open`: the number of each claiming action in the deal, and the mask of the cards that fitted then. `fitting`: all
    those cards. `entered`: what has gone into the hand since the first claim, by the number of the action that brought
    it. `left`: the fitting cards that have come out, each with the numbers of the action that laid it down and of the
    last one that had brought it (-1: it has not been seen going in).
    """

    open: tuple[tuple[int, int], ...] = ()
    fitting: int = 0
    entered: tuple[tuple[int, int], ...] = ()
    left: tuple[tuple[int, int, int], ...] = ()


NONE = Claims()


def claim(claims: Claims, number: int, fitting: int) -> Claims:
    """The claims with that of one more action: none of these cards was in the hand."""
    made, before, entered, left = claims
    return make(Claims, (made + ((number, fitting),), before | fitting, entered, left))  # noqa: RUF005 — see `put`


def claim_and_enter(claims: Claims, number: int, fitting: int, card: int) -> Claims:
    """The same, and this card, perhaps unknown, went into the hand."""
    made, before, entered, left = claims
    return make(Claims, (made + ((number, fitting),), before | fitting, entered + ((number, card),), left))  # noqa: RUF005


def enter(claims: Claims, number: int, card: int) -> Claims:
    """A card, perhaps unknown, went into the hand."""
    made, fitting, entered, left = claims
    return make(Claims, (made, fitting, entered + ((number, card),), left)) if made else claims  # noqa: RUF005


def come_out(claims: Claims, seat: int, number: int, card: int) -> tuple[Claims, tuple[Notice, ...]]:
    """A card came out of the hand; gives a notice for each claim that it proves false."""
    made, fitting, entered, left = claims
    if not fitting >> card & 1:
        return claims, ()
    brought = -1
    for when, other in entered:
        if other == card:
            brought = when
    denied = [entry for entry in made if entry[0] > brought and entry[1] >> card & 1]
    if not denied:
        return claims, ()
    left = (*left, (card, brought, number))
    proven = [entry for entry in denied if _is_false(*entry, entered, left)]
    still = tuple([entry for entry in made if entry not in proven])
    fitting = 0
    for _, fits in still:
        fitting |= fits
    notices = [Notice("false-claim", (("seat", seat), ("claim", when), ("card", PLAIN[card]))) for when, _ in proven]
    return Claims(still, fitting, entered, left), tuple(notices)


def _is_false(
    made: int, fits: int, entered: tuple[tuple[int, int], ...], left: tuple[tuple[int, int, int], ...]
) -> bool:
    """Whether more fitting cards, not seen going in since, have come out than unknown ones have gone in."""
    out = sum([brought < made < number for card, brought, number in left if fits >> card & 1])
    return out > sum([card == UNKNOWN for number, card in entered if number >= made])


def misread(claims: Claims, gone: int) -> Claims:
    """These cards never were in the hand: what went into it instead is not known."""
    entered = tuple([(number, UNKNOWN if gone >> card & 1 else card) for number, card in claims.entered])
    return claims._replace(entered=entered)
