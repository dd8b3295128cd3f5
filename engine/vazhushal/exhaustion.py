"""The end of the stock (rule 13): each seat melds once more and passes, then the points decide."""

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.cards import FACES, JOKER, PLAIN, cards_of, mask
from engine.melds import Meld
from engine.pieces import STANDS
from engine.values import Action, Notice, Outcome, Refusal
from engine.vazhushal.knowledge import find_all, leave, receive
from engine.vazhushal.state import Deal, Phase
from engine.vazhushal.turn import not_in_hand


def check_pass(deal: Deal, action: Action) -> Refusal | None:
    """Why a seat cannot end its last melds so: a hand that is not wholly known is named, card by card."""
    named = () if action.argument is None else action.argument
    assert isinstance(named, tuple)
    seat, places = action.seat, deal.places
    numbers = [number for number in named if isinstance(number, int)]
    known, unknown = places.known[seat - 1], places.unknown[seat - 1]
    expected = places.size(seat) if unknown else 0
    if numbers:
        found = find_all(known, places.pool(seat), unknown, numbers)
        if isinstance(found, int):
            return not_in_hand(found)
        if known & ~mask(found) and len(numbers) == expected:
            return not_in_hand(next(cards_of(known & ~mask(found))))
    if len(numbers) != expected:
        return not_in_hand(numbers[-1] if numbers else next(cards_of(known | places.pool(seat))))
    return None


def legal_passes(deal: Deal) -> Iterator[Action]:
    """The pass, with every hand that the seat may hold where it is not wholly known."""
    seat, places = deal.turn, deal.places
    if not places.unknown[seat - 1]:
        yield Action(seat, "pass")
        return
    certain = tuple(sorted([PLAIN[card] for card in cards_of(places.known[seat - 1])]))
    pool = sorted(Counter([PLAIN[card] for card in cards_of(places.pool(seat))]).items())
    for cards in _chosen(pool, places.pool(seat).bit_count(), places.unknown[seat - 1]):
        yield Action(seat, "pass", tuple(sorted(certain + cards)))


def _chosen(pool: Sequence[tuple[int, int]], size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Every choice of so many cards out of a pool of this size, equal ones told apart by nothing."""
    if not count:
        yield ()
        return
    for at, (card, copies) in enumerate(pool):
        if size < count:  # too few are left
            return
        size -= copies
        for number in range(1, min(copies, count) + 1):
            for rest in _chosen(pool[at + 1 :], size, count - number):
                yield (card,) * number + rest


def apply_pass(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a pass; after the last one the points decide."""
    places, seat = deal.places, action.seat
    if isinstance(action.argument, tuple):
        numbers = [number for number in action.argument if isinstance(number, int)]
        found = find_all(places.known[seat - 1], places.pool(seat), places.unknown[seat - 1], numbers)
        if isinstance(found, tuple):
            cards = mask(found)
            places = receive(leave(places, seat, cards), seat, cards)
    state = deal._replace(places=places, turn=seat % deal.settings.seats + 1, rest=deal.rest - 1, made=deal.made + 1)
    if state.rest:
        return state, ()
    scores = points(state)
    best = max(scores)
    won = tuple([int(score == best and scores.count(best) == 1) for score in scores])
    return state._replace(phase=Phase.OVER, turn=0, outcome=Outcome(won, complete=True)), ()


def points(deal: Deal) -> tuple[int, ...]:
    """What each seat has melded, less what it has not."""
    return tuple([
        sum(map(_melded, melds)) - sum([_value(card % FACES) for card in cards_of(cards)])
        for melds, cards in zip(deal.melds, deal.places.known, strict=True)
    ])  # fmt: skip


def _melded(meld: Meld) -> int:
    """A wild card counts as the card that it stands for."""
    return sum([_value(number // STANDS - 1 if number >= STANDS else number % FACES) for number in meld.pieces])


def _value(face: int) -> int:
    """A K Q J and 10 are worth 10, the others their number; a joker that is not melded nothing."""
    if face >= JOKER:
        return 0
    rank = face % 13
    return 10 if rank == 0 or rank > 8 else rank + 1
