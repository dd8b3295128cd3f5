"""The tokens with which a seat enters a legal action."""

from collections.abc import Sequence

from engine.asks import END, Ask, Token
from engine.cards import CARDS, PLAIN, cards_of
from engine.pieces import STANDS
from engine.values import Action
from engine.vazhushal.asking import ask
from engine.vazhushal.choosing import is_in
from engine.vazhushal.groups import is_value
from engine.vazhushal.notation import NEW
from engine.vazhushal.state import Deal

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
        elif token in question.choices or not (is_value(token, "to") or is_value(token, "as")):
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


def _named(numbers: Sequence[object]) -> list[Token]:
    return [CARDS[number] for number in numbers if isinstance(number, int)]


def _group_tokens(deal: Deal, group: object, first: int = -1) -> list[Token]:
    """The cards of a group, its end, and what its wild cards stand for."""
    assert isinstance(group, tuple)
    cards = sorted([number % STANDS for number in group], key=lambda card: PLAIN[card] != first)
    wild = [number for number in group if is_in(deal.melding.wild, number % STANDS)]
    stands = sorted([(PLAIN[number % STANDS], number // STANDS - 1 if number >= STANDS else number) for number in wild])
    return [*_named(cards), END, *[f"as:{CARDS[face]}" for _, face in stands]]
