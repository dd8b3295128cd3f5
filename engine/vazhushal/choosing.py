"""Choosing the cards of one meld, card by card: what fits to those chosen, and what a wild card stands for."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, JOKER, PLAIN, Card, CardError, parse_card
from engine.melds import Meld, MeldRules, Shape
from engine.pieces import STANDS
from engine.vazhushal.additions import additions_to, find_additions
from engine.vazhushal.finding import find_melds
from engine.vazhushal.notation import Group
from engine.vazhushal.settings import JOKERS
from engine.vazhushal.shapes import all_shapes, faces_of


class Supply(NamedTuple):
    """Cards that are certain, and a pool out of which at most so many may come."""

    known: int
    pool: int
    most: int

    def has(self, number: int) -> bool:
        """Whether a written card may be among them."""
        cards = self.known | (self.pool if self.most else 0)
        return any(cards >> copy & 1 for copy in COPIES[number])

    def less(self, number: int) -> "Supply":
        """What is left without a card that may be among them."""
        for card in COPIES[number]:
            if self.known >> card & 1:
                return self._replace(known=self.known ^ 1 << card)
        card = next(card for card in COPIES[number] if self.pool >> card & 1)
        return self._replace(pool=self.pool ^ 1 << card, most=self.most - 1)

    def without(self, group: Group) -> "Supply":
        """What is left without the cards of a group."""
        left = self
        for number in group:
            left = left.less(number % STANDS)
        return left

    @property
    def cards(self) -> int:
        """All that may be among them, as a mask."""
        return self.known | (self.pool if self.most > 0 else 0)


class Read(NamedTuple):
    """A group that was read, or (empty) the question that is open about it; None: what was given is no answer."""

    group: Group = ()
    question: Ask | None = None


NO, PURE, ANY = 0, 1, 2
"""Whether a shape may be laid: not at all, of cards that are themselves, or with wild ones."""

Modes = Callable[[Shape], int]


def _any_mode(shape: Shape) -> int:
    return ANY


def is_in(cards: int, number: int) -> bool:
    """Whether a written card may be among these."""
    return any(cards >> copy & 1 for copy in COPIES[number])


class Grouping:
    """One meld that is being chosen: a new one, or an own one (`base`) that grows.

    `first`: the card that has to be named first, -1: any. `modes`: what each shape may be made of.
    """

    def __init__(
        self, rules: MeldRules, supply: Supply, base: Meld | None = None, first: int = -1, modes: Modes = _any_mode
    ) -> None:
        self.rules, self.supply, self.base, self.first, self.modes = rules, supply, base, first, modes
        self.wild = rules.wild

    def read(self, given: list[Token], allowed: Callable[[Group], bool]) -> Read:
        """The group that the next tokens make, or the next question about it. What is read leaves the list."""
        numbers: list[int] = []
        left = self.supply
        while True:
            readings = [pieces for pieces in self._readings(numbers) if allowed(pieces)]
            if readings or not given:
                offered = self.offered(numbers)
                if readings and not offered:
                    break
                if not given:
                    return Read(question=Ask("group", cards=offered, source="hand", end=bool(readings)))
            token = given.pop(0)
            if token == END and readings:
                break
            if not isinstance(token, Card) or not left.has(token):
                return Read()
            numbers.append(int(token))
            left = left.less(token)
        return self._told(readings, given)

    def offered(self, numbers: list[int]) -> tuple[Card, ...]:
        """The cards that can still be added to those chosen."""
        if self.first >= 0 and not numbers:
            return (CARDS[self.first],)
        left = self.supply
        for number in numbers:
            left = left.less(number)
        plain = [PLAIN[number] for number in numbers]
        base = self.base.faces if self.base else 0
        shapes = all_shapes() if self.base is None else [grown.shape for grown in additions_to(*self.base[:2])[1]]
        fitting = {ANY: _Fitting(left, plain, self.wild, base), PURE: _Fitting(left, plain, 0, base)}
        found = 0
        for shape in shapes:
            mode = self.modes(shape)
            if mode and not fitting[mode].held & ~shape.faces:
                found |= fitting[mode].cards(shape.faces & ~base)
        return tuple([CARDS[face] for face in range(JOKER + 1) if found >> face & 1])

    def _is_wild(self, face: int) -> bool:
        return is_in(self.wild, face)

    def _readings(self, numbers: list[int]) -> list[Group]:
        """The groups that these cards can be, each card as it was named."""
        if not numbers:
            return []
        cards = 0
        for number in numbers:
            card = next((card for card in COPIES[number] if not cards >> card & 1), None)
            if card is None:
                return []
            cards |= 1 << card
        rules = self.rules
        found = (
            [pieces for pieces, _ in find_additions(rules, self.base, cards)]
            if self.base
            else [meld.pieces for meld in find_melds(rules, cards)]
        )
        return [self._as_named(pieces, numbers) for pieces in found if len(pieces) == len(numbers)]

    def _as_named(self, pieces: Group, numbers: list[int]) -> Group:
        """The same pieces, each card with the pack that it was named with."""
        left = list(numbers)
        named = []
        for number in pieces:
            card = next(card for card in left if PLAIN[card] == number % STANDS)
            left.remove(card)
            named.append(card + number - number % STANDS)
        return tuple(named)

    def _told(self, readings: list[Group], given: list[Token]) -> Read:
        """The one of these readings that the next tokens choose."""
        at = 0
        while len(readings) > 1:
            stands = [self._stands(pieces)[at] for pieces in readings]
            if len(set(stands)) > 1:
                if not given:
                    return Read(
                        question=Ask("stands-for", choices=tuple([f"as:{CARDS[face]}" for face in sorted(set(stands))]))
                    )
                face = _face(given.pop(0))
                readings = [pieces for pieces, other in zip(readings, stands, strict=True) if other == face]
                if not readings:
                    return Read()
            at += 1
        return Read(readings[0])

    def _stands(self, pieces: Group) -> list[int]:
        """What each card stands for that may stand for another, in the order of these cards."""
        wild = [number for number in pieces if self._is_wild(PLAIN[number % STANDS])]
        pairs = [
            (PLAIN[number % STANDS], number // STANDS - 1 if number >= STANDS else PLAIN[number]) for number in wild
        ]
        return [face for _, face in sorted(pairs)]


class _Fitting:
    """Which cards bring those chosen nearer to filling the places of a shape."""

    def __init__(self, left: Supply, plain: list[int], wild: int, base: int) -> None:
        pool = left.pool if left.most > 0 else 0
        self.plain, self.base = plain, base
        self.most = left.most if pool else 0
        natural = [face for face in plain if not is_in(wild, face)]
        self.held, self.wilds = sum([1 << face for face in set(natural)]), len(plain) - len(natural)
        self.twice = len(set(natural)) < len(natural) or bool(self.held & base)
        self.known, self.pool = faces_of(left.known & ~wild), faces_of(pool & ~wild)
        self.known_wild, self.pool_wild = left.known & wild, pool & wild
        self.known_wilds, self.pool_wilds = self.known_wild.bit_count(), self.pool_wild.bit_count()

    def cards(self, places: int) -> int:
        """The faces of these cards, as a mask; the places are those that the meld has not filled yet."""
        open_faces = places & ~self.held
        room = open_faces.bit_count() - self.wilds
        sure = open_faces & self.known
        some = open_faces & self.pool & ~sure
        count, need = some.bit_count(), (open_faces & ~sure).bit_count()
        bare, most, pooled = need - count, self.most, self.pool_wilds
        wilds = self.wilds + self.known_wilds
        if self.twice or room < 1 or bare > wilds + min(pooled, most) or need > wilds + min(most, count + pooled):
            return 0
        itself = bool(self.base or self.held) or any(places >> face & 1 for face in self.plain)
        by_itself = (faces_of(self.known_wild) | (faces_of(self.pool_wild) if most else 0)) & places
        found = sure
        if most and bare <= wilds + min(pooled, most - 1):
            found |= some
        if itself or (room > 1 and (sure or some or by_itself)):
            found |= _faces_and_joker(self.known_wild)
            if pooled and need <= wilds + 1 + min(most - 1, count + pooled - 1):
                found |= _faces_and_joker(self.pool_wild)
        else:
            found |= by_itself
        return found


def _faces_and_joker(cards: int) -> int:
    return faces_of(cards) | bool(cards & JOKERS) << JOKER


class Listed(Grouping):
    """A group that has to be one of those listed."""

    def __init__(self, rules: MeldRules, supply: Supply, groups: Iterable[Group]) -> None:
        super().__init__(rules, supply)
        self.groups = sorted(set(groups))

    def offered(self, numbers: list[int]) -> tuple[Card, ...]:
        """The cards of the groups in which those chosen are."""
        chosen = Counter(PLAIN[number] for number in numbers)
        faces = set[int]()
        for group in self.groups:
            cards = Counter(number % STANDS for number in group)
            if chosen <= cards:
                faces.update(cards - chosen)
        return tuple([CARDS[face] for face in sorted(faces)])

    def _readings(self, numbers: list[int]) -> list[Group]:
        plain = sorted(PLAIN[number] for number in numbers)
        found = [group for group in self.groups if sorted(number % STANDS for number in group) == plain]
        return [self._as_named(group, numbers) for group in found]


def _face(token: Token) -> int:
    """The face of `as:9D`, -1 for any other token."""
    if isinstance(token, Card) or not token.startswith("as:"):
        return -1
    try:
        return int(parse_card(token.removeprefix("as:")))
    except CardError:
        return -1
