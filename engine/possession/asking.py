"""What a seat is asked, token by token, until they make an action; a card may come before its purpose is known."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from engine.asks import END, Ask, Token
from engine.cards import CARDS, PLAIN, UNKNOWN, Card, cards_of
from engine.possession import build, meld, start
from engine.possession.drawing import may_follow
from engine.possession.naming import addition, faces
from engine.possession.state import Deal, Phase
from engine.values import Action, Argument

Answer = Ask | Action | None
Given = tuple[Token, ...]
Cards = tuple[Argument, ...]


def ask(deal: Deal, seat: int, given: Given) -> Answer:
    """The next question to a seat, or the action that its tokens make. `deal` is what the seat may know of it."""
    if UNKNOWN in given:
        return None
    waiting = seat == deal.turn or (deal.phase is Phase.SHOW and seat in start.owing(deal))
    if not waiting:
        return _attempt(deal, seat, given[0]) if given and isinstance(given[0], Card) else None
    return _QUESTIONS[deal.phase](deal, seat, given)


def _attempt(deal: Deal, seat: int, card: Card) -> Action:
    """What a seat tries to do by showing a card that is not asked for; the refusal says why it cannot."""
    if deal.phase is Phase.SHOW:
        return Action(seat, "show", (int(card),))
    return Action(seat, "play", (int(card),)) if deal.settings.build else Action(seat, "discard", int(card))


def _face(token: Token) -> int:
    """The bit of a card without its pack; 0 for a choice and for a joker."""
    face = PLAIN[token] if isinstance(token, Card) else 52
    return 1 << face if face < 52 else 0


def _offered(cards: int) -> tuple[Card, ...]:
    """The cards of a mask without packs."""
    return tuple(cards_of(cards))


# The shows


def _ask_show(deal: Deal, seat: int, given: Given) -> Answer:
    """All cards at one distance, one after the other."""
    written = [card for card in given if isinstance(card, Card)]
    counts = Counter(PLAIN[card] for card in written)
    cards = tuple(sorted(counts.elements())) if all(_is_plain(card) for card in written) else tuple(map(int, written))
    done = Action(seat, "show", cards)
    more, complete = start.further(deal, seat, counts)
    if given and (given[-1] == END or not more):
        return done
    return Ask("show", cards=tuple(CARDS[card] for card in more), source="hand", end=complete)


def _is_plain(card: Card) -> bool:
    return card == PLAIN[card]


# Building


def _ask_turn(deal: Deal, seat: int, given: Given) -> Answer:
    draws, passes = build.may_draw(deal), build.may_pass(deal)
    if not given:
        choices = ("draw",) * draws + ("pass",) * passes
        return Ask("turn", choices, _offered(faces(build.firsts(deal))), "hand")
    first, rest = given[0], given[1:]
    if not isinstance(first, Card):
        if first == "draw" and draws:
            return _ask_draw(deal, seat, rest)
        return build.PASS[seat] if first == "pass" and passes else None
    playable = _face(first) & faces(build.firsts(deal))
    if draws and _face(first) & faces(may_follow(deal)):
        if not playable or rest[:1] == ("draw",):
            return Action(seat, "draw", int(first))
        if rest[:1] != ("play",):
            return None if rest else Ask("purpose", ("play", "draw"))
        rest = rest[1:]
    return _ask_play(deal, seat, (first, *rest))


def _ask_drawn(deal: Deal, seat: int, given: Given) -> Answer:
    if not given:
        return Ask("drawn", ("pass",), _offered(faces(build.firsts(deal))), "hand")
    if given[0] == "pass":
        return build.PASS[seat]
    return _ask_play(deal, seat, given) if isinstance(given[0], Card) else None


def _ask_play(deal: Deal, seat: int, given: Given) -> Answer:
    """The cards of a play, each one further than the one before."""
    ways = [way for action in build.legal_plays(deal) if isinstance(way := action.argument, tuple)]
    written = [card for card in given if isinstance(card, Card)]
    meant = tuple(PLAIN[card] for card in written)
    longer = [way[len(meant)] for way in ways if way[: len(meant)] == meant and len(way) > len(meant)]
    if given[-1] == END or not longer:
        return _finished(seat, "play", written, ways)
    return Ask(
        "play-on", cards=tuple(CARDS[card] for card in longer[:1] if isinstance(card, int)), source="hand", end=True
    )


def _ask_draw(deal: Deal, seat: int, given: Given) -> Answer:
    """Which card was drawn, where the seat says so."""
    cards = faces(may_follow(deal))
    if not given:
        return Ask("draw", cards=_offered(cards), source="stock", end=True) if cards else Action(seat, "draw")
    if given[0] == END:
        return Action(seat, "draw")
    return Action(seat, "draw", int(given[0])) if isinstance(given[0], Card) else None


# Melding


def _ask_step(deal: Deal, seat: int, given: Given) -> Answer:
    legal = {action.verb for action in meld.legal_step(deal)}
    if not given:
        return Ask(
            "step" if "take" in legal else "step-draw", tuple(verb for verb in ("draw", "take") if verb in legal)
        )
    first, rest = given[0], given[1:]
    if not isinstance(first, Card):
        if first == "draw" and "draw" in legal:
            return _ask_draw(deal, seat, rest)
        return meld.TAKE[seat] if first == "take" and "take" in legal else None
    drawn = "draw" in legal and _face(first) & faces(may_follow(deal))
    taken = "take" in legal and _face(first) & faces(1 << deal.discards[-1])
    if drawn and taken and rest[:1] not in (("draw",), ("take",)):
        return None if rest else Ask("purpose", ("take", "draw"))
    if drawn and rest[:1] != ("take",):
        return Action(seat, "draw", int(first))
    if taken or (deal.discards and _face(first) & faces(1 << deal.discards[-1])):
        return meld.TAKE[seat]
    return _attempt(deal, seat, first)


def _ask_meld(deal: Deal, seat: int, given: Given) -> Answer:
    added = {
        number: [cards for _, cards in meld.legal_additions(deal, number)]
        for number in range(1, len(deal.melds[seat - 1]) + 1)
    }
    ways: dict[str, list[tuple[int, ...]]] = {
        "meld": [cards for _, cards in meld.legal_melds(deal)],
        "add": [cards for additions in added.values() for cards in additions],
        "discard": [] if deal.taken else [(card,) for card in _numbers(meld.held(deal.hands, seat).cards)],
    }
    verbs = tuple(verb for verb, way in ways.items() if way)
    if not given:
        cards = {card for way in ways.values() for cards in way for card in cards}
        return Ask("melding", verbs, tuple(CARDS[card] for card in sorted(cards)), "hand")
    if isinstance(given[0], Card):
        verbs = tuple(verb for verb in verbs if any(PLAIN[given[0]] in cards for cards in ways[verb]))
        if not verbs:
            return _attempt(deal, seat, given[0])
        if len(verbs) == 1:
            given = (verbs[0], *given)
        elif len(given) == 1:
            return Ask("purpose", verbs)
        else:
            given = (given[1], given[0], *given[2:])
    verb, rest = given[0], given[1:]
    if verb not in verbs:
        return None
    if verb == "add":
        return _ask_addition(seat, rest, added)
    if verb == "meld" or not rest:
        return _collect(seat, str(verb), rest, ways[str(verb)])
    return Action(seat, "discard", int(rest[0])) if isinstance(rest[0], Card) else None


def _numbers(cards: int) -> list[int]:
    return [int(card) for card in cards_of(cards)]


def _ask_addition(seat: int, given: Given, added: dict[int, list[tuple[int, ...]]]) -> Answer:
    """To which own meld, where that is open; then the cards."""
    cards = [token for token in given if isinstance(token, Card)]
    wanted = {PLAIN[card] for card in cards}
    numbers = [number for number, ways in added.items() if any(wanted <= set(way) for way in ways)]
    chosen = [token for token in given if not isinstance(token, Card) and token.startswith("to:")]
    if chosen:
        number = int(chosen[0].removeprefix("to:"))
        if number not in added:
            return None
    elif len(numbers) > 1:
        return Ask("to", tuple(f"to:{number}" for number in numbers))
    elif numbers:
        number = numbers[0]
    else:
        number = next(number for number, ways in added.items() if ways)
    answer = _collect(seat, "add", tuple(token for token in given if token not in chosen), added[number])
    return answer._replace(argument=(answer.argument, number)) if isinstance(answer, Action) else answer


def _collect(seat: int, verb: str, given: Given, ways: Sequence[tuple[int, ...]]) -> Ask | Action:
    """The cards of a group in any order, until they can be no more, or are ended."""
    written = [card for card in given if isinstance(card, Card)]
    counts = Counter(PLAIN[card] for card in written)
    fitting = [way for way in ways if counts <= Counter(way)]
    more = sorted({card for way in fitting for card in Counter(way) - counts})
    if given[-1:] == (END,) or not more:
        return _finished(seat, verb, written, ways)
    complete = any(Counter(way) == counts for way in fitting)
    return Ask(verb, cards=tuple(CARDS[card] for card in more), source="hand", end=complete)


def _finished(seat: int, verb: str, written: Sequence[Card], ways: Iterable[Cards]) -> Action:
    """The action of these cards, in the order in which it is listed."""
    cards: Cards = tuple([int(card) for card in written])
    listed = [way for way in ways if Counter(way) == Counter(cards)]
    return Action(seat, verb, listed[0] if listed else cards)


_QUESTIONS: dict[Phase, Callable[[Deal, int, Given], Answer]] = {
    Phase.SHOW: _ask_show,
    Phase.BUILD: _ask_turn,
    Phase.DRAWN: _ask_drawn,
    Phase.STEP: _ask_step,
    Phase.MELD: _ask_meld,
}


def tokens(deal: Deal, action: Action) -> Given:
    """What the seat gives to make this action; `deal` is what the seat may know of it."""
    argument, number = action.argument, 0
    if action.verb == "add":
        argument, number = addition(argument)
    cards = list(argument) if isinstance(argument, tuple) else [] if argument is None else [argument]
    left = [CARDS[PLAIN[card]] for card in cards if isinstance(card, int)]
    given: Given = ()
    while isinstance(answer := ask(deal, action.seat, given), Ask):
        if action.verb in answer.choices:
            given = (*given, action.verb)
        elif f"to:{number}" in answer.choices:
            given = (*given, f"to:{number}")
        elif left:
            given = (*given, left.pop(0))
        else:
            given = (*given, END)
    return given
