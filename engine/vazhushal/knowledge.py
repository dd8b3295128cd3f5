"""What the table knows of where the cards lie: hands that are known, partly known or not, and the stock.

A card is certain in a hand, or unseen (in any hand or in the stock), or loose: after a burial that nobody saw, a card
known before lies in that hand or under the stock, and so in no other hand, until it is seen again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import CARD_COUNT, COPIES_MASK, JOKER, mask
from engine.hands import put
from engine.values import make

UNKNOWN_CARD = CARD_COUNT
"""In the stock: a card that nobody has shown."""


class Places(NamedTuple):
    """Where the cards lie that are neither in the line nor melded. Tuples by seat begin with seat 1.

    `known`: mask of the cards certainly in each hand. `unknown`: how many more each holds. `unseen`: mask of the cards
    that nobody has shown. `loose`: by seat the mask of the cards that lie in that hand or were buried from it unseen.
    `stock`: from its top on, each a card, `UNKNOWN_CARD`, or minus the seat that buried it unseen. `hidden`: how many
    of these are no card. `open`: mask of the cards that everybody saw where they lie now. `buried`: by seat the mask of
    the cards that it named when it put them under the stock, while it can tell where they are. `deduced`: mask of cards
    that are known by exclusion alone, which holds only as long as nothing else becomes unknown.
    """

    known: tuple[int, ...]
    unknown: tuple[int, ...]
    unseen: int
    loose: tuple[int, ...]
    stock: tuple[int, ...]
    hidden: int
    open: int
    buried: tuple[int, ...]
    deduced: int = 0

    def size(self, seat: int) -> int:
        """How many cards the seat holds."""
        return self.known[seat - 1].bit_count() + self.unknown[seat - 1]

    def pool(self, seat: int) -> int:
        """The cards that the seat may hold beside those that are certain, as a mask."""
        return self.unseen | self.loose[seat - 1] if self.unknown[seat - 1] else 0

    def top(self) -> int:
        """The cards that may lie on top of the stock, as a mask."""
        card = self.stock[0]
        if 0 <= card < UNKNOWN_CARD:
            return 1 << card
        return self.unseen if card > 0 else self.unseen | self.loose[-card - 1]


def find(places: Places, seat: int, number: int) -> int:
    """The card of a hand that a written card means: a certain one first, then one that may be there; -1: none."""
    copies = COPIES_MASK[number]
    there = places.known[seat - 1] & copies or places.pool(seat) & copies
    return (there & -there).bit_length() - 1


def find_all(known: int, pool: int, most: int, numbers: Sequence[int], first: int = 0) -> tuple[int, ...] | int:
    """The cards that written ones mean, or the first of these that cannot be there.

    `most`: how many of them may come from `pool`. Certain ones in the mask `first` are taken before others.
    """
    if max(numbers) <= JOKER:
        return _find_plain(known, pool, most, numbers, known & first)
    found = [-1] * len(numbers)
    used = 0
    for at in sorted(range(len(numbers)), key=lambda at: numbers[at] <= JOKER):  # a card with its pack is that very one
        there = _find_plain(known & ~used, pool & ~used, most, (numbers[at],), known & first & ~used)
        if isinstance(there, int):
            return there
        found[at] = there[0]
        used |= 1 << there[0]
        most -= not known >> there[0] & 1
    return tuple(found)


def _find_plain(known: int, pool: int, most: int, numbers: Sequence[int], first: int) -> tuple[int, ...] | int:
    """The same, each written card taking what is left by those before it."""
    known ^= first
    found = []
    for number in numbers:
        copies = COPIES_MASK[number]
        there = first & copies
        if there:
            bit = there & -there
            first ^= bit
        else:
            there = known & copies
            if there:
                bit = there & -there
                known ^= bit
            else:
                there = pool & copies
                if not there or most <= 0:
                    return number
                bit = there & -there
                pool ^= bit
                most -= 1
        found.append(bit.bit_length() - 1)
    return tuple(found)


def leave(places: Places, seat: int, cards: int) -> Places:
    """The places after a seat showed these cards (a mask) out of its hand.

    A card that was thought to lie elsewhere did not: what lies there is unknown.
    """
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    index = seat - 1
    held = known[index]
    if not cards & ~held:
        known, deduced = put(known, index, held ^ cards), deduced & ~cards
        return make(Places, (known, unknown, unseen, loose, stock, hidden, seen, buried, deduced))
    if deduced:
        return leave(reopened(places), seat, cards)
    shown = cards & ~held
    left = unknown[index] - shown.bit_count()
    if left < 0:  # what was concluded about this hand was wrong
        left = places.size(seat) - cards.bit_count()
        unseen, buried, held = unseen | held & ~cards, _forget(buried, held), 0
    known, unknown = put(known, index, held & ~cards), put(unknown, index, left)
    return settled(_show(Places(known, unknown, unseen, loose, stock, hidden, seen, buried, deduced), shown))


def _forget(buried: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """Nobody who buried one of these cards can tell any more where it is."""
    return tuple([own & ~cards for own in buried]) if any(buried) else buried


def _show(places: Places, cards: int) -> Places:
    """The places after these cards were seen where they were not known to lie."""
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    elsewhere = cards & ~unseen
    unseen &= ~cards
    if elsewhere:
        loose, buried = tuple([own & ~cards for own in loose]), _forget(buried, elsewhere)
        unknown = tuple([count + (own & elsewhere).bit_count() for count, own in zip(unknown, known, strict=True)])
        known = tuple([own & ~elsewhere for own in known])
        wrong = [card for card in stock if 0 <= card < UNKNOWN_CARD and elsewhere >> card & 1]
        if wrong:
            stock = tuple([UNKNOWN_CARD if card in wrong else card for card in stock])
            hidden += len(wrong)
    return Places(known, unknown, unseen, loose, stock, hidden, seen, buried, deduced)


def settled(places: Places) -> Places:
    """The same places, where what is left over is known by exclusion."""
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    if any(loose) and any(
        count > (unseen | own).bit_count() for count, own in zip(unknown, loose, strict=True)
    ):  # what was buried unseen has come back to others
        for own in loose:
            unseen |= own
        loose = (0,) * len(loose)
        places = Places(known, unknown, unseen, loose, stock, hidden, seen, buried, deduced)
    if hidden:
        return places
    holders = [index for index, count in enumerate(unknown) if count]
    if len(holders) != 1:
        return places
    for own in loose:
        unseen |= own
    index = holders[0]
    known = put(known, index, known[index] | unseen)
    deduced |= unseen
    return Places(known, put(unknown, index, 0), 0, (0,) * len(loose), stock, 0, seen, buried, deduced)


def reopened(places: Places) -> Places:
    """The same places without what is known by exclusion alone: something is about to become unknown."""
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    if not deduced:
        return places
    for index, cards in enumerate(known):
        if cards & deduced:
            known = put(known, index, cards & ~deduced)
            unknown = put(unknown, index, unknown[index] + (cards & deduced).bit_count())
            unseen |= cards & deduced
    return Places(known, unknown, unseen, loose, stock, hidden, seen, buried)


def draw(places: Places, seat: int, card: int) -> Places:
    """The places after a seat took the top card of the stock; -1: nobody said which it is."""
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    top, stock, index = stock[0], stock[1:], seat - 1
    if 0 <= top < UNKNOWN_CARD:
        if card not in (-1, top):  # the order that was known is not the order of this stock
            stock, buried = (UNKNOWN_CARD, *stock), _forget(buried, 1 << top)
            places = Places(known, unknown, unseen | 1 << top, loose, stock, hidden + 1, seen, buried, deduced)
            return draw(reopened(places), seat, card)
        known = put(known, index, known[index] | 1 << top)
        return make(Places, (known, unknown, unseen, loose, stock, hidden, seen, buried, deduced))
    hidden -= 1
    if card >= 0:
        known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = _show(
            Places(known, unknown, unseen, loose, stock, hidden, seen, buried, deduced), 1 << card
        )
        known = put(known, index, known[index] | 1 << card)
    else:
        unknown = put(unknown, index, unknown[index] + 1)
        if top not in (UNKNOWN_CARD, -seat):  # it may be any card that its hand was known to hold
            unseen, loose = unseen | loose[-top - 1], put(loose, -top - 1, 0)
    return settled(Places(known, unknown, unseen, loose, stock, hidden, seen, buried, deduced))


def bury(places: Places, seat: int, card: int) -> Places:
    """The places after a seat put a card under the stock; -1: nobody said which."""
    index = seat - 1
    held = places.known[index]
    if card < 0 and places.size(seat) == 1 and held:
        card = held.bit_length() - 1
    if card >= 0:
        known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = leave(places, seat, 1 << card)
        buried = _forget(buried, held)  # it may be any of these for all that the others know
        seen &= ~(held | 1 << card)
        buried = put(buried, index, buried[index] | 1 << card)
        return make(Places, (known, unknown, unseen, loose, (*stock, card), hidden, seen, buried, deduced))
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    unknown = put(unknown, index, places.size(seat) - 1)
    loose, buried = put(loose, index, loose[index] | held), _forget(buried, held)
    known, stock = put(known, index, 0), (*stock, -seat)
    return settled(Places(known, unknown, unseen, loose, stock, hidden + 1, seen & ~held, buried, deduced & ~held))


def receive(places: Places, seat: int, cards: int) -> Places:
    """The places after a seat took these cards (a mask) from the line."""
    known, unknown, unseen, loose, stock, hidden, seen, buried, deduced = places
    known = put(known, seat - 1, known[seat - 1] | cards)
    return make(Places, (known, unknown, unseen, loose, stock, hidden, seen | cards, buried, deduced))


def named(places: Places, seat: int, cards: tuple[int, ...]) -> Places:
    """The places after the director said what a seat holds; cards known there before and not named are unseen."""
    index, held, places = seat - 1, mask(cards), reopened(places)
    gone = (places.known[index] | places.loose[index]) & ~held
    places = Places(
        put(places.known, index, 0),
        put(places.unknown, index, cards.count(UNKNOWN_CARD)),
        places.unseen | gone | (places.known[index] & held),
        put(places.loose, index, 0),
        places.stock,
        places.hidden,
        places.open,
        _forget(places.buried, gone),
    )
    places = _show(places, held)
    return settled(places._replace(known=put(places.known, index, held)))


def seen_from(places: Places, seat: int) -> Places:
    """The places on what one seat may know: its own hand, what it buried itself, and what everybody saw.

    0 is somebody without a hand.
    """
    known, _, unseen, loose, stock, _, seen, buried, _ = places
    own_buried = tuple([cards if at == seat else 0 for at, cards in enumerate(buried, 1)])
    told = seen | sum(own_buried)  # where it went when others drew it, too
    own = tuple([cards if at == seat else cards & told for at, cards in enumerate(known, 1)])
    own_loose = tuple([cards if at == seat else 0 for at, cards in enumerate(loose, 1)])
    for cards, kept in zip(known + loose, own + own_loose, strict=True):
        unseen |= cards & ~kept
    slots = []
    for card in stock:
        kept = told >> card & 1 if 0 <= card < UNKNOWN_CARD else card == -seat < 0
        slots.append(card if kept else UNKNOWN_CARD)
        if not kept and 0 <= card < UNKNOWN_CARD:
            unseen |= 1 << card
    unknown = tuple([places.size(at) - cards.bit_count() for at, cards in enumerate(own, 1)])
    hidden = sum([not 0 <= card < UNKNOWN_CARD for card in slots])
    return settled(Places(own, unknown, unseen, own_loose, tuple(slots), hidden, seen, own_buried))
