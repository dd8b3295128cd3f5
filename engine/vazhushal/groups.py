"""Questions about the groups of cards that are laid: melds, additions, whole tables and whole hands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from engine.asks import END, Ask, Token
from engine.cards import CARDS, PLAIN, Card, mask
from engine.melds import RUN, Shape
from engine.pieces import STANDS
from engine.values import Action
from engine.vazhushal.additions import find_additions
from engine.vazhushal.choosing import ANY, NO, PURE, Grouping, Listed, Modes, Supply
from engine.vazhushal.covering import Search, must_stay_pure, rearrangements
from engine.vazhushal.declaring import declarations
from engine.vazhushal.legal import growing, legal, longest
from engine.vazhushal.melding import check_lay
from engine.vazhushal.notation import NEW, Group, Part
from engine.vazhushal.state import Deal, Phase

Answer = Ask | Action | None

Way = tuple[Part, ...]
"""The groups of a whole table or hand, each a new meld or an addition."""


def is_value(token: Token, code: str) -> bool:
    """Whether a token is a value of this kind, such as `to:2`."""
    return isinstance(token, str) and token.startswith(f"{code}:")


def named_cards(group: object) -> list[int]:
    """The cards of a group whose cards are all themselves."""
    assert isinstance(group, tuple)
    return [number for number in group if isinstance(number, int)]


class Laying:
    """Reads the tokens after a verb that lays cards, from the first to the last."""

    def __init__(self, deal: Deal, seat: int, verb: str, given: tuple[Token, ...]) -> None:
        self.deal, self.seat, self.verb = deal, seat, verb
        self.given = list(given)
        self.own = deal.melds[seat - 1]
        places = deal.places
        self.supply = Supply(places.known[seat - 1], places.pool(seat), places.unknown[seat - 1])

    def answer(self) -> Answer:
        """The next question, or the action."""
        if self.verb == "meld":
            return self._meld()
        return self._add() if self.verb == "add" else self._whole()

    def _legal(self, action: Action) -> bool:
        return check_lay(self.deal, action) is None

    def _meld(self) -> Answer:
        deal = self.deal
        first = PLAIN[deal.duty] if deal.phase is Phase.DUTY or (deal.phase is Phase.TAKEN and self.own) else -1
        grouping = Grouping(deal.melding, self.supply, first=first, modes=self._meld_modes())
        read = grouping.read(self.given, lambda pieces: self._legal(Action(self.seat, "meld", pieces)))
        return Action(self.seat, "meld", read.group) if read.group else read.question

    def _meld_modes(self) -> Modes:
        """What may be laid as a new meld."""
        deal, own, rules = self.deal, self.own, self.deal.melding
        if not own:
            melds = [action.argument for action in legal(deal) if action.verb == "meld"] if deal.taken else None
            legal_faces = None if melds is None else {mask(named_cards(meld)) for meld in melds}

            def first(shape: Shape) -> int:
                if legal_faces is not None:
                    return PURE if shape.faces in legal_faces else NO
                fits = len(shape.order) <= longest(deal) and (shape.kind == RUN or rules.first == "pure")
                return PURE if fits else NO

            return first
        laid, kinds = [meld.faces for meld in own], [meld.kind for meld in own]

        def later(shape: Shape) -> int:
            if shape.faces in laid or len(shape.order) > longest(deal):
                return NO
            return PURE if rules.each_kind_pure and shape.kind not in kinds else ANY

        return later

    def _add(self) -> Answer:
        number = 1
        if len(self.own) > 1:
            if not self.given:
                return Ask("add-to", choices=tuple([f"to:{at}" for at in growing(self.deal)]))
            if isinstance(self.given[0], Card):
                card = PLAIN[self.given[0]]
                fitting = [at for at in growing(self.deal) if card in self._added(at).offered([])]
                return Ask("add-to", choices=tuple([f"to:{at}" for at in fitting])) if fitting else None
            number = self._to(self.given.pop(0))
            if not number:
                return None
        grouping = self._added(number)
        read = grouping.read(self.given, lambda pieces: self._legal(Action(self.seat, "add", (pieces, number))))
        return Action(self.seat, "add", (read.group, number)) if read.group else read.question

    def _added(self, number: int) -> Grouping:
        """The choice of what is added to an own meld."""
        rules, own, base = self.deal.melding, self.own, self.own[number - 1]
        laid, pure = [meld.faces for meld in own], must_stay_pure(rules, own, number - 1)
        most = base.faces.bit_count() + longest(self.deal)

        def modes(shape: Shape) -> int:
            if shape.faces in laid or len(shape.order) > most:
                return NO
            return PURE if pure else ANY

        return Grouping(rules, self.supply, base, modes=modes)

    def _growing(self) -> list[int]:
        """The numbers of the own melds to which something can be added, in a declaration."""
        rules, supply = self.deal.melding, self.supply
        return [
            at
            for at, meld in enumerate(self.own, 1)
            if next(find_additions(rules, meld, supply.known, supply.pool, supply.most), None) is not None
        ]

    def _to(self, token: Token) -> int:
        """The number of an own meld, 0 where the token names none."""
        if not isinstance(token, str) or not is_value(token, "to"):
            return 0
        number = token.removeprefix("to:")
        return int(number) if number.isdigit() and 1 <= int(number) <= len(self.own) else 0

    def _whole(self) -> Answer:
        """A whole table, or a whole hand that is laid.

        Where all ways are few, only what leads to one of them is offered. Else any cards that fit together are, and
        where nothing fits on, `END` takes them all back; from then on only what leads to one of some ways is offered.
        """
        ways, all_known = _ways(self.deal, self.verb)
        given = self.given
        if all_known:
            return self._listed(ways)
        for at, token in enumerate(given):
            if token == END and is_dead(self._freely(given[:at])):
                self.given = given[at + 1 :]
                return self._listed(ways)
        answer = self._freely(given)
        return Ask(self.verb, source="hand", end=True) if is_dead(answer) else answer

    def _freely(self, given: list[Token]) -> Answer:
        """The same, whether or not it leads anywhere; an action that is not legal is a question without an answer."""
        self.given = list(given)
        answer = self._rearrange() if self.verb == "rearrange" else self._declare()
        if isinstance(answer, Action) and not self._legal(answer):
            return None if self.given else Ask(self.verb)
        return answer

    def _listed(self, ways: Sequence[Way]) -> Answer:
        """The same where it has to be one of these ways."""
        parts: list[Part] = []
        supply = self.supply
        if self.verb == "rearrange":
            supply = supply._replace(known=supply.known | self._table())
        left = [list(way) for way in ways]
        while True:
            complete = not all(left)
            if complete and not any(left):
                return self._made(parts)
            to = sorted({number for way in left for _, number in way if number != NEW})
            listed = Listed(
                self.deal.melding, supply, [group for way in left for group, number in way if number == NEW]
            )
            if not self.given:
                choices = tuple([f"to:{number}" for number in to])
                return Ask(self.verb, choices=choices, cards=listed.offered([]), source="hand", end=complete)
            if self.given[0] == END:
                return self._made(parts) if complete else None
            number = self._to(self.given[0]) or NEW
            if number != NEW:
                self.given.pop(0)
                groups = [group for way in left for group, other in way if other == number]
                listed = Listed(self.deal.melding, supply, groups)
            read = listed.read(self.given, lambda pieces: True)
            if not read.group:
                return read.question
            parts.append((read.group, number))
            supply = supply.without(read.group)
            part = _plain_part(read.group, number)
            left = [_less(way, part) for way in left if part in [_plain_part(*other) for other in way]]

    def _made(self, parts: list[Part]) -> Action:
        argument = tuple(parts) if self.verb == "declare" else tuple([group for group, _ in parts])
        return Action(self.seat, self.verb, argument)

    def _table(self) -> int:
        """The cards of the own melds, as a mask."""
        return mask([CARDS[number % STANDS] for meld in self.own for number in meld.pieces])

    def _rearrange(self) -> Answer:
        """Group after group, until all cards of the own melds are in one."""
        supply = self.supply._replace(known=self.supply.known | self._table())
        groups: list[Group] = []
        while True:
            action = Action(self.seat, "rearrange", tuple(groups))
            complete = bool(groups) and self._legal(action)
            grouping = Grouping(self.deal.melding, supply)
            offered = grouping.offered([])
            if complete and not offered:
                return action
            if not self.given or self.given[0] == END:
                if not self.given:
                    return Ask("rearrange", cards=offered, source="hand", end=complete)
                return action if complete else None
            read = grouping.read(self.given, lambda pieces: True)
            if not read.group:
                return read.question
            groups.append(read.group)
            supply = supply.without(read.group)

    def _declare(self) -> Answer:
        """New melds and additions, until the whole hand is laid."""
        parts: list[Part] = []
        supply, rules = self.supply, self.deal.melding
        left = self.deal.places.size(self.seat)
        while left:
            used = [number for _, number in parts]
            growing = [at for at in self._growing() if at not in used]
            offered = Grouping(rules, supply).offered([])
            if not self.given:
                return Ask("declare", choices=tuple([f"to:{at}" for at in growing]), cards=offered, source="hand")
            number = self._to(self.given[0])
            if number:
                self.given.pop(0)
            grouping = Grouping(rules, supply, self.own[number - 1]) if number else Grouping(rules, supply)
            read = grouping.read(self.given, lambda pieces: True)
            if not read.group:
                return read.question
            parts.append((read.group, number or NEW))
            supply, left = supply.without(read.group), left - len(read.group)
        return Action(self.seat, "declare", tuple(parts))


# Whole tables and hands

_MANY, _SOME = 400, 48
"""So many ways are looked through where the hand is known, and of all others so many are offered."""

_TRIES, _FEW_TRIES = 60_000, 6_000
"""So many melds are tried in search of these: tenths of a second at most, as a question at a display may take."""


@lru_cache(maxsize=16)
def _ways(deal: Deal, verb: str) -> tuple[tuple[Way, ...], bool]:
    """Ways to rearrange or to declare, and whether these are all of them."""
    known = not deal.places.unknown[deal.turn - 1]
    search = Search(_TRIES if known else _FEW_TRIES)
    found: Iterator[Way] = declarations(deal, search)
    if verb == "rearrange":
        found = (tuple([(group, NEW) for group in next(orders)]) for orders in rearrangements(deal))
    ways = tuple(islice(found, _MANY + 1 if known else _SOME))
    return ways[: _MANY if known else _SOME], known and len(ways) <= _MANY and not search.given_up


def is_dead(answer: Answer) -> bool:
    """Whether a question has no answer."""
    return isinstance(answer, Ask) and not (answer.choices or answer.cards or answer.end)


def _plain_part(group: Group, number: int) -> tuple[tuple[int, ...], int]:
    return tuple(sorted([PLAIN[piece % STANDS] + piece - piece % STANDS for piece in group])), number


def _less(way: list[Part], part: tuple[tuple[int, ...], int]) -> list[Part]:
    """What is left of a way without a part."""
    at = [_plain_part(*other) for other in way].index(part)
    return way[:at] + way[at + 1 :]
