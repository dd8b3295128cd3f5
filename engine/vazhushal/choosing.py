"""Choosing the cards of one meld, card by card: what fits to those chosen, and what a wild card stands for."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, JOKER, PLAIN, Card, CardError, parse_card
from engine.melds import STANDS, Meld, MeldRules, Shape
from engine.vazhushal.finding import additions_to, all_shapes, faces_of, find_additions, find_melds
from engine.vazhushal.notation import Group
from engine.vazhushal.settings import JOKERS


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


def _is_wild(wild: int, face: int) -> bool:
    return any(wild >> copy & 1 for copy in COPIES[face])


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
        found = 0
        for shape in shapes:
            mode = self.modes(shape)
            if mode:
                found |= self._fitting(shape.faces & ~base, plain, left, self.wild if mode == ANY else 0)
        return tuple([CARDS[face] for face in range(JOKER + 1) if found >> face & 1])

    def _fitting(self, places: int, plain: list[int], left: Supply, wild: int) -> int:
        """Which cards, by their faces, bring those chosen nearer to filling these places, as a mask."""
        held = wilds = 0
        for face in plain:
            if _is_wild(wild, face):
                wilds += 1
            elif not places & ~held & 1 << face:
                return 0
            else:
                held |= 1 << face
        open_faces = places & ~held
        room = open_faces.bit_count() - wilds
        if room < 1:
            return 0
        most = left.most if left.pool else 0
        pool = left.pool if most > 0 else 0
        sure = open_faces & faces_of(left.known & ~wild)
        some = open_faces & faces_of(pool & ~wild) & ~sure
        known_wilds, pool_wilds = (left.known & wild).bit_count(), (pool & wild).bit_count()
        bare, need = (open_faces & ~sure & ~some).bit_count(), (open_faces & ~sure).bit_count()
        itself = bool(self.base or held) or any(places >> face & 1 for face in plain)

        def fills(chosen: int, known: int, pooled: int, bare: int, need: int, most: int, some: int) -> bool:
            return bare <= chosen + known + min(pooled, most) and need <= chosen + known + min(most, some + pooled)

        count = some.bit_count()
        natural = bool(sure or some or faces_of((left.known | pool) & wild) & places)
        found = 0
        if fills(wilds, known_wilds, pool_wilds, bare, need, most, count):
            found |= sure
        if most > 0 and fills(wilds, known_wilds, pool_wilds, bare, need - 1, most - 1, count - 1):
            found |= some
        if itself or (natural and room > 1):
            may = faces_of(wild & left.known), bool(wild & left.known & JOKERS)
            if known_wilds and fills(wilds + 1, known_wilds - 1, pool_wilds, bare, need, most, count):
                found |= may[0] | may[1] << JOKER
            if pool_wilds and fills(wilds + 1, known_wilds, pool_wilds - 1, bare, need, most - 1, count):
                found |= faces_of(wild & pool) | bool(wild & pool & JOKERS) << JOKER
        elif room > 0 and natural:
            found |= faces_of((left.known | pool) & wild) & places
        return found

    def _is_wild(self, face: int) -> bool:
        return _is_wild(self.wild, face)

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
