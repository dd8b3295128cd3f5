"""Questions to a seat: what it may do, and with which card.

A seat begins with a verb, or with a card, to which the verbs are offered that it may be meant for. The cards of a group
follow, closed by `END` where more could be added; what a wild card stands for is asked only where it is not clear.
"""

from functools import lru_cache

from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, PLAIN, UNKNOWN, Card, cards_of, mask
from engine.values import Action
from engine.vazhushal.choosing import Supply, is_in
from engine.vazhushal.dealing import needed, possible_doubles
from engine.vazhushal.declaring import declaration
from engine.vazhushal.groups import Answer, Laying, is_dead, is_value
from engine.vazhushal.knowledge import find
from engine.vazhushal.legal import growing, legal, longest, plain_cards
from engine.vazhushal.state import Deal, Phase
from engine.vazhushal.wiping import layable, legal_takes


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
        first = [token for token in rest[:1] if is_value(token, "to")]
        return _ask_more(deal, seat, chosen, (*first, verb, *rest[len(first) :]))
    if verb not in _verbs(deal, seat):
        return None
    return _ask_more(deal, seat, verb, rest)


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
    if any(len(meld.pieces) <= most for meld in layable(deal, own, known, pool, unknown, most)):
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
    held = is_in(places.known[seat - 1] | places.pool(seat), card)
    meant = []
    for verb in verbs:
        if verb == "take":
            fits = is_in(mask([CARDS[number] for number in deal.line]), card)
        elif verb == "draw":
            fits = is_in(places.top(), card)
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
    question = Laying(deal, deal.turn, verb, (card,)).answer()
    return isinstance(question, Ask) and not is_dead(question)


def _ask_more(deal: Deal, seat: int, verb: str, given: tuple[Token, ...]) -> Answer:
    """The next question after a verb."""
    if verb in ("meld", "add", "rearrange", "declare"):
        return Laying(deal, seat, verb, given).answer()
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
