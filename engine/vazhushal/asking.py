"""Questions to a seat, and the tokens that answer them.

A seat begins with a verb, or with a card, to which the verbs are offered that it may be meant for. The cards of a group
follow, closed by `END` where more could be added; what a wild card stands for is asked only where it is not clear.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, PLAIN, UNKNOWN, Card, cards_of, mask
from engine.melds import RUN, Shape
from engine.pieces import STANDS
from engine.values import Action
from engine.vazhushal.choosing import ANY, NO, PURE, Grouping, Listed, Modes, Supply
from engine.vazhushal.covering import Search, must_stay_pure, rearrangements
from engine.vazhushal.dealing import needed, possible_doubles
from engine.vazhushal.declaring import declaration, declarations
from engine.vazhushal.finding import find_additions
from engine.vazhushal.knowledge import find
from engine.vazhushal.legal import growing, legal, longest, plain_cards
from engine.vazhushal.melding import check_lay
from engine.vazhushal.notation import NEW, Group, Part
from engine.vazhushal.state import Deal, Phase
from engine.vazhushal.wiping import layable, legal_takes

Answer = Ask | Action | None

Way = tuple[Part, ...]
"""The groups of a whole table or hand, each a new meld or an addition."""


def ask(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    """The next question to a seat, or the action that its tokens make; `deal` is what this seat knows."""
    if not given:
        return _ask_verb(deal, seat)
    verb, rest = given[0], given[1:]
    if isinstance(verb, Card):
        if verb == UNKNOWN:
            return None
        if seat != deal.turn:
            return Action(seat, "discard", int(verb))
        meant = _purposes(deal, verb)
        if not meant:
            return _attempt(deal, verb)
        if not rest and len(meant) > 1:
            return Ask("purpose", choices=meant)
        if not rest:
            return _ask_more(deal, seat, meant[0], (verb,))
        chosen, rest = rest[0], rest[1:]
        if chosen not in meant:
            return None
        first = [token for token in rest[:1] if _is_value(token, "to")]
        return _ask_more(deal, seat, chosen, (*first, verb, *rest[len(first) :]))
    if verb not in _verbs(deal, seat):
        return None
    return _ask_more(deal, seat, verb, rest)


def _is_value(token: Token, code: str) -> bool:
    return isinstance(token, str) and token.startswith(f"{code}:")


# Verbs


def _ask_verb(deal: Deal, seat: int) -> Ask | None:
    verbs = _verbs(deal, seat)
    prompt = "double" if seat != deal.turn else deal.phase.value
    return Ask(prompt, choices=verbs) if verbs else None


@lru_cache(maxsize=16)
def _verbs(deal: Deal, seat: int) -> tuple[str, ...]:
    """What the seat may do, on what it knows."""
    shown = ("show",) if _may_show(deal, seat) else ()
    if seat != deal.turn:
        return shown
    shut, phase = deal.settings.shut, deal.phase
    if phase is Phase.DRAW:
        verbs = ["draw" if "exchange" in shut else "exchange"]
        if "take" not in shut and next(legal_takes(deal), None) is not None:
            verbs.append("take")
        if "declare" not in shut and declaration(deal) is not None:
            verbs.append("declare")
        return (*verbs, *shown)
    if phase in (Phase.TAKEN, Phase.DUTY):
        if phase is Phase.DUTY:
            return ("meld",)
        return ("meld", "return") if any(action.verb == "meld" for action in legal(deal)) else ("return",)
    verbs = _layings(deal, seat)
    if phase is Phase.LAST:
        return (*verbs, "pass")
    end = "out" if deal.settings.face_down and deal.places.size(seat) == 1 else "discard"
    return (end, *verbs, "return") if deal.taken else (end, *verbs)


def _layings(deal: Deal, seat: int) -> list[str]:
    places, own = deal.places, deal.melds[seat - 1]
    known, pool, unknown = places.known[seat - 1], places.pool(seat), places.unknown[seat - 1]
    verbs, most = [], longest(deal)
    if any(len(meld.pieces) <= most for meld in layable(deal, own, known, pool, unknown)):
        verbs.append("meld")
    if next(iter(growing(deal)), None) is not None:
        verbs.append("add")
    if own and "rearrange" not in deal.settings.shut:
        verbs.append("rearrange")
    return verbs


def _may_show(deal: Deal, seat: int) -> bool:
    open_now = deal.claims and not deal.looked and not deal.made
    return open_now and bool(_more_doubles(deal, seat, []))


def _purposes(deal: Deal, card: Card) -> tuple[str, ...]:
    """What a card that the seat to act showed may be meant for."""
    seat, places = deal.turn, deal.places
    verbs = _verbs(deal, seat)
    held = _is_in(places.known[seat - 1] | places.pool(seat), card)
    meant = []
    for verb in verbs:
        if verb == "take":
            fits = _is_in(mask([CARDS[number] for number in deal.line]), card)
        elif verb == "draw":
            fits = _is_in(places.top(), card)
        elif verb == "show":
            fits = PLAIN[card] in possible_doubles(deal, seat)
        elif verb in ("meld", "add", "rearrange", "declare"):
            fits = held and _begins(deal, verb, card)
        else:
            fits = held and verb not in ("return", "pass")
        if fits:
            meant.append(verb)
    return tuple(meant)


def _attempt(deal: Deal, card: Card) -> Action:
    """What the seat to act tries by showing a card that fits nothing; the refusal says why it cannot."""
    if deal.phase is not Phase.DRAW:
        return Action(deal.turn, "discard", int(card))
    if "exchange" in deal.settings.shut:
        return Action(deal.turn, "draw", int(card))
    return Action(deal.turn, "exchange", (int(card),))


def _begins(deal: Deal, verb: str, card: Card) -> bool:
    """Whether this card can be the first that is laid."""
    question = _Laying(deal, deal.turn, verb, (card,)).answer()
    return isinstance(question, Ask) and not _is_dead(question)


def _is_in(cards: int, number: int) -> bool:
    return any(cards >> copy & 1 for copy in COPIES[number])


def _ask_more(deal: Deal, seat: int, verb: str, given: tuple[Token, ...]) -> Answer:
    """The next question after a verb."""
    if verb in ("meld", "add", "rearrange", "declare"):
        return _Laying(deal, seat, verb, given).answer()
    return _SIMPLE[verb](deal, seat, given)


def _cards(cards: int) -> tuple[Card, ...]:
    return tuple([CARDS[card] for card in plain_cards(cards)])


def _hand(deal: Deal, seat: int) -> int:
    return deal.places.known[seat - 1] | deal.places.pool(seat)


def _ask_draw(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    if not given:
        return Ask("drawn", cards=_cards(deal.places.top()), source="stock", end=True)
    return Action(seat, "draw", _number(given[0])) if given[0] == END or isinstance(given[0], Card) else None


def _number(token: Token) -> int | None:
    return int(token) if isinstance(token, Card) else None


def _ask_exchange(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    """The card that is buried, then the one that is drawn; each may stay unnamed, the first only with the second."""
    if not given:
        return Ask("bury", cards=_cards(_hand(deal, seat)), source="hand", end=True)
    if not isinstance(given[0], Card):
        return Action(seat, "exchange") if given[0] == END else None
    if len(given) == 1:
        buried = find(deal.places, seat, given[0])
        top = deal.places.top() & ~(1 << buried if buried >= 0 else 0)
        return Ask("drawn", cards=_cards(top), source="stock", end=True)
    if isinstance(given[1], Card):
        return Action(seat, "exchange", (int(given[0]), int(given[1])))
    return Action(seat, "exchange", (int(given[0]),)) if given[1] == END else None


def _ask_take(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    if not given:
        return Ask("take", cards=tuple([CARDS[card] for card in legal_takes(deal)]), source="line")
    return Action(seat, "take", int(given[0])) if isinstance(given[0], Card) else None


def _ask_return(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    return Action(seat, "return")


def _ask_end(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    """The card that ends the turn, face up or face down."""
    verb = "out" if deal.settings.face_down and deal.places.size(seat) == 1 else "discard"
    if not given:
        return Ask(verb, cards=_cards(_hand(deal, seat)), source="hand")
    return Action(seat, verb, int(given[0])) if isinstance(given[0], Card) else None


def _ask_show(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    """One card of each double."""
    faces = [PLAIN[token] for token in given if isinstance(token, Card)]
    if len(faces) < len(given):
        return None
    if len(faces) == needed(deal.settings):
        return Action(seat, "show", tuple([face for face in faces for _ in (0, 1)]))
    return Ask("show", cards=tuple([CARDS[face] for face in _more_doubles(deal, seat, faces)]), source="hand")


def _more_doubles(deal: Deal, seat: int, chosen: list[int]) -> list[int]:
    """The doubles that the hand may hold beside those chosen, and as many more as are needed."""
    places = deal.places

    def lacking(face: int) -> int:
        return 2 - sum([places.known[seat - 1] >> copy & 1 for copy in COPIES[face]])

    rest = sorted([face for face in possible_doubles(deal, seat) if face not in chosen], key=lacking)
    after = needed(deal.settings) - len(chosen) - 1
    unknown = places.unknown[seat - 1] - sum(map(lacking, chosen))
    found = []
    for face in rest:
        others = [lacking(other) for other in rest if other != face][:after]
        if len(others) == after and lacking(face) + sum(others) <= unknown:
            found.append(face)
    return sorted(found)


def _ask_pass(deal: Deal, seat: int, given: tuple[Token, ...]) -> Answer:
    """The cards that are not known, one by one."""
    places = deal.places
    if not places.unknown[seat - 1]:
        return Action(seat, "pass")
    supply = Supply(0, places.pool(seat), places.unknown[seat - 1])
    numbers = []
    for token in given:
        if not isinstance(token, Card) or not supply.has(token):
            return None
        numbers.append(int(token))
        supply = supply.less(token)
    if len(numbers) < places.unknown[seat - 1]:
        return Ask("name-hand", cards=_cards(supply.pool), source="hand")
    certain = [PLAIN[card] for card in cards_of(places.known[seat - 1])]
    return Action(seat, "pass", tuple(sorted([*certain, *numbers])))


_SIMPLE = {
    "draw": _ask_draw,
    "exchange": _ask_exchange,
    "take": _ask_take,
    "return": _ask_return,
    "discard": _ask_end,
    "out": _ask_end,
    "show": _ask_show,
    "pass": _ask_pass,
}


# Groups of cards


class _Laying:
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
            legal_faces = None if melds is None else {mask(_named_cards(meld)) for meld in melds}

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
        if not isinstance(token, str) or not _is_value(token, "to"):
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
            if token == END and _is_dead(self._freely(given[:at])):
                self.given = given[at + 1 :]
                return self._listed(ways)
        answer = self._freely(given)
        return Ask(self.verb, source="hand", end=True) if _is_dead(answer) else answer

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


def _is_dead(answer: Answer) -> bool:
    """Whether a question has no answer."""
    return isinstance(answer, Ask) and not (answer.choices or answer.cards or answer.end)


def _plain_part(group: Group, number: int) -> tuple[tuple[int, ...], int]:
    return tuple(sorted([PLAIN[piece % STANDS] + piece - piece % STANDS for piece in group])), number


def _less(way: list[Part], part: tuple[tuple[int, ...], int]) -> list[Part]:
    """What is left of a way without a part."""
    at = [_plain_part(*other) for other in way].index(part)
    return way[:at] + way[at + 1 :]


# Tokens

_WHOLE = "whole"
"""Where an action says that no further group follows, not that a group ends."""


def tokens(deal: Deal, action: Action) -> tuple[Token, ...]:
    """What the seat gives to make a legal action; `deal` is what this seat knows."""
    given: tuple[Token, ...] = ()
    wanted = _wanted(deal, action)
    while wanted:
        question = ask(deal, action.seat, given)
        if not isinstance(question, Ask):
            break
        token = wanted.pop(0)
        if token in (END, _WHOLE):
            if question.end and (token == _WHOLE) == (question.prompt == "rearrange"):
                given = (*given, END)
        elif token in question.choices or not (_is_value(token, "to") or _is_value(token, "as")):
            given = (*given, token)
    return given


def _wanted(deal: Deal, action: Action) -> list[Token]:
    """All that an action says, token by token; what is not asked for is left out of it."""
    verb, argument = action.verb, action.argument
    found: list[Token] = [verb]
    if argument is None:
        return [*found, END] if verb in ("draw", "exchange") else found
    if isinstance(argument, int):
        return [*found, CARDS[argument]]
    assert isinstance(argument, tuple)
    if verb == "show":
        return [*found, *_named(argument[::2])]
    if verb == "exchange":
        return [*found, *_named(argument), END]
    if verb == "pass":
        rest = [number for number in argument if isinstance(number, int)]
        for card in cards_of(deal.places.known[action.seat - 1]):
            rest.remove(next(number for number in rest if PLAIN[number] == PLAIN[card]))
        return [*found, *_named(rest)]
    if verb == "meld":
        return [*found, *_group_tokens(deal, argument, first=PLAIN[deal.duty] if deal.duty >= 0 else -1)]
    if verb == "rearrange":
        for group in argument:
            found += _group_tokens(deal, group)
        return [*found, _WHOLE]
    for part in [argument] if verb == "add" else argument:
        assert isinstance(part, tuple)
        group, number = part
        found += ([] if number == NEW else [f"to:{number}"]) + _group_tokens(deal, group)
    return found


def _named_cards(group: object) -> list[int]:
    """The cards of a group whose cards are all themselves."""
    assert isinstance(group, tuple)
    return [number for number in group if isinstance(number, int)]


def _named(numbers: Sequence[object]) -> list[Token]:
    return [CARDS[number] for number in numbers if isinstance(number, int)]


def _group_tokens(deal: Deal, group: object, first: int = -1) -> list[Token]:
    """The cards of a group, its end, and what its wild cards stand for."""
    assert isinstance(group, tuple)
    cards = sorted([number % STANDS for number in group], key=lambda card: PLAIN[card] != first)
    wild = [number for number in group if _is_in(deal.melding.wild, number % STANDS)]
    stands = sorted([(PLAIN[number % STANDS], number // STANDS - 1 if number >= STANDS else number) for number in wild])
    return [*_named(cards), END, *[f"as:{CARDS[face]}" for _, face in stands]]
