"""Who starts (rule 2): the comparison of known hands, and the shows where they are not known."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from engine.cards import mask
from engine.hands import by_exclusion, put
from engine.possession.claims import claim
from engine.possession.holding import meant
from engine.possession.naming import find
from engine.possession.settings import BOTH
from engine.possession.state import Deal, Phase, Showing
from engine.stock import unsettle
from engine.values import Action, Notice, Refusal

FARTHEST = 12
"""The distance from A to K."""


def _cards(ranks: Sequence[int]) -> int:
    return sum(1 << number for number in range(108) if BOTH >> number & 1 and number % 54 % 13 in ranks)


AT = tuple(
    tuple(_cards([rank for rank in range(13) if abs(rank - turned) == distance]) for distance in range(FARTHEST + 1))
    for turned in range(13)
)
"""By the rank of the turn-up and the distance: the cards that far from it, of both packs."""

WITHIN = tuple(tuple(sum(at[:end]) for end in range(FARTHEST + 2)) for at in AT)
"""By the rank of the turn-up: the cards nearer than a distance."""

_BLACK = sum(1 << number for number in range(108) if BOTH >> number & 1 and number % 54 // 13 in (0, 3))


def colour(card: int) -> int:
    """The cards of the same colour."""
    return _BLACK if _BLACK >> card & 1 else BOTH & ~_BLACK


def starter(turn_up: int, seats: Sequence[int], known: Sequence[int]) -> int:
    """The one of these seats, first in order, that starts; their hands are known."""
    same = colour(turn_up)
    for at in AT[turn_up % 54 % 13]:
        nearest = [((known[seat - 1] & at).bit_count(), (known[seat - 1] & at & same).bit_count()) for seat in seats]
        best = max(nearest)
        seats = [seat for seat, cards in zip(seats, nearest, strict=True) if cards == best]
        if len(seats) == 1:
            break
    return seats[0]


def begin(deal: Deal) -> Deal:
    """The deal with the seat to act where all hands are known, else with the shows before it."""
    seats = deal.settings.from_left(deal.dealer)
    if not any(deal.hands.unknown):
        return _started(deal, starter(deal.discards[0], seats, deal.hands.known))
    count = deal.settings.seats
    tied = tuple(sorted(seats))
    return deal._replace(phase=Phase.SHOW, turn=0, showing=Showing(tied, (-1,) * count, ((),) * count, tied))


def starts(deal: Deal) -> tuple[Notice, ...]:
    """The notice of the seat that starts, once it is known."""
    return (Notice("starts", (("seat", deal.turn),)),) if deal.turn else ()


def _started(deal: Deal, seat: int) -> Deal:
    phase = Phase.BUILD if deal.settings.build else Phase.STEP
    return deal._replace(phase=phase, turn=seat, showing=None)


def owing(deal: Deal) -> tuple[int, ...]:
    """The seats that still owe the show of this round."""
    return () if deal.showing is None else deal.showing.owing


def _awaited(deal: Deal, showing: Showing) -> Deal:
    """The deal with the seats that owe a show, on all that is known."""
    owing = [seat for seat in showing.tied if not showing.shows[seat - 1] and _unshown(deal, showing, seat)]
    return deal._replace(showing=showing._replace(owing=tuple(owing)))


def _unshown(deal: Deal, showing: Showing, seat: int) -> int:
    """The cards farther than the last show that the seat may hold."""
    hands = deal.hands
    held = hands.known[seat - 1] | (hands.unseen if hands.unknown[seat - 1] else 0)
    return held & ~WITHIN[_turned(deal)][showing.reach[seat - 1] + 1]


def _turned(deal: Deal) -> int:
    return deal.discards[0] % 54 % 13


def distance(deal: Deal, card: int) -> int:
    """How far a card is from the turn-up."""
    return abs(card % 54 % 13 - _turned(deal))


def check_show(deal: Deal, action: Action) -> Refusal | None:
    """Why a show is illegal: all cards at the nearest distance not yet shown, as far as that is known."""
    seat, showing = action.seat, deal.showing
    assert isinstance(action.argument, tuple)
    assert showing is not None
    cards = find(deal.hands, seat, action.argument)
    if isinstance(cards, Refusal):
        return cards
    far = distance(deal, cards[0])
    reach = showing.reach[seat - 1]
    if far <= reach or any(distance(deal, card) != far for card in cards):
        return Refusal("wrong-show", "2")
    within = WITHIN[_turned(deal)]
    left_out = deal.hands.known[seat - 1] & within[far + 1] & ~within[reach + 1] & ~mask(cards)
    return Refusal("wrong-show", "2") if left_out else None


def legal_shows(deal: Deal) -> Iterator[Action]:
    """Every show of every seat that owes one."""
    for seat in owing(deal):
        for cards in shows(deal, seat):
            yield Action(seat, "show", cards)


def shows(deal: Deal, seat: int) -> Iterator[tuple[int, ...]]:
    """Every show that a seat may make: nearer ones first."""
    showing, hands = deal.showing, deal.hands
    assert showing is not None
    known, blind = hands.known[seat - 1], hands.unknown[seat - 1]
    for far in range(showing.reach[seat - 1] + 1, FARTHEST + 1):
        at = AT[_turned(deal)][far]
        certain = known & at
        possible = hands.unseen & at if blind else 0
        fewest = [_copies(certain, face) for face in range(52)]
        most = [count + _copies(possible, face) for face, count in enumerate(fewest)]
        wanted = [face for face, count in enumerate(most) if count]
        for counts in product(*[range(fewest[face], most[face] + 1) for face in wanted]):
            if 0 < sum(counts) <= certain.bit_count() + blind:
                yield tuple([face for face, count in zip(wanted, counts, strict=True) for _ in range(count)])
        if certain:
            return


def _copies(cards: int, face: int) -> int:
    return (cards >> face & 1) + (cards >> face + 54 & 1)


def further(deal: Deal, seat: int, shown: Counter[int]) -> tuple[list[int], bool]:
    """Which cards a show may have after these (all written without packs), and whether it may end with these."""
    showing, hands = deal.showing, deal.hands
    assert showing is not None
    known, blind = hands.known[seat - 1], hands.unknown[seat - 1]
    unseen = hands.unseen if blind else 0
    blind -= sum(max(count - _copies(known, face), 0) for face, count in shown.items() if face < 52)
    more: list[int] = []
    for far in range(showing.reach[seat - 1] + 1, FARTHEST + 1):
        at = AT[_turned(deal)][far]
        if not shown or all(face < 52 and at >> face & 1 for face in shown):
            fresh = unseen if blind > 0 else 0
            more += [face for face in range(52) if shown[face] < _copies((known | fresh) & at, face)]
            if shown:
                return more, all(shown[face] >= _copies(known & at, face) for face in range(52))
        if known & at:
            break
    return (more, False) if not shown else ([], False)


def show(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a show; the last one of a round decides who is still in, and perhaps who starts."""
    seat, showing, hands = action.seat, deal.showing, deal.hands
    index = seat - 1
    assert showing is not None
    assert isinstance(action.argument, tuple)
    cards, stock = meant(deal, seat, action.argument), deal.stock
    shown = mask(cards)
    fresh = shown & ~hands.known[index]
    for card in cards:
        if (fresh & ~hands.unseen) >> card & 1:
            stock, hands = unsettle(stock, hands, card)
    fresh = shown & ~hands.known[index]
    hands = by_exclusion(
        hands._replace(
            known=put(hands.known, index, hands.known[index] | shown),
            unknown=put(hands.unknown, index, hands.unknown[index] - fresh.bit_count()),
            unseen=hands.unseen & ~fresh,
        )
    )
    far, within = distance(deal, cards[0]), WITHIN[_turned(deal)]
    denied = within[far + 1] & ~within[showing.reach[index] + 1] & ~shown & deal.settings.pack
    claims = deal.claims
    claims = (*claims[:index], claim(claims[index], deal.made, denied), *claims[seat:])
    same = (shown & colour(deal.discards[0])).bit_count()
    showing = Showing(
        showing.tied,
        put(showing.reach, index, far),
        (*showing.shows[:index], (-far, len(cards), same), *showing.shows[seat:]),
        (),
    )
    deal = settle(deal._replace(hands=hands, stock=stock, claims=claims, showing=showing, made=deal.made + 1,
                                open=deal.open | shown))  # fmt: skip
    return deal, starts(deal)


def settle(deal: Deal) -> Deal:
    """The deal after the last show of a round: the best shows are still in; one alone starts."""
    showing = deal.showing
    assert showing is not None
    while not owing(deal := _awaited(deal, showing)):
        best = max([showing.shows[seat - 1] for seat in showing.tied], key=lambda made: (bool(made), made))
        tied = tuple([seat for seat in showing.tied if showing.shows[seat - 1] == best])
        if len(tied) == 1 or not best:
            return _started(deal, next(seat for seat in deal.settings.from_left(deal.dealer) if seat in tied))
        showing = showing._replace(tied=tied, shows=((),) * deal.settings.seats)
    return deal


def renamed(deal: Deal) -> Deal:
    """The deal after the director has named a hand: when all hands are known, the shows end."""
    showing = deal.showing
    if showing is None:
        return deal
    if any(deal.hands.unknown):
        return settle(deal)
    seats = [seat for seat in deal.settings.from_left(deal.dealer) if seat in showing.tied]
    return _started(deal, starter(deal.discards[0], seats, deal.hands.known))
