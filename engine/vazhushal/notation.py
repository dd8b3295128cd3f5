"""How records write what a seat did: cards, groups of cards, and what a wild card stands for.

A group is a tuple of pieces (`engine.pieces.piece`). `show` and `pass` have a tuple of cards, `exchange` one or two,
`draw`, `take`, `discard` and `out` a card, `meld` a group, `rearrange` a tuple of groups. `add` has a part: a group and
the number of an own meld; `declare` a tuple of parts, where `NEW` is the number of a new meld. Nothing is None.
"""

import re
from collections.abc import Sequence

from engine.cards import CARDS, PLAIN, UNKNOWN, Card, CardError, parse_card
from engine.game import NotationError
from engine.phrases import Phrase, said_by
from engine.pieces import piece, piece_card, piece_face
from engine.values import Action, Argument

NEW = -1
"""In a part of a declaration: the group is a new meld."""

Group = tuple[int, ...]
Part = tuple[Group, int]

VERBS = frozenset(
    ("show", "exchange", "draw", "take", "return", "meld", "add", "rearrange", "declare", "discard", "out", "pass")
)

_LEAST = {"show": 1, "take": 1, "discard": 1, "out": 1}
_MOST = {"exchange": 2, "draw": 1, "take": 1, "return": 0, "discard": 1, "out": 1}
_ONE = frozenset(("draw", "take", "discard", "out"))
_NUMBER = re.compile(r"0|[1-9]\d{0,2}", re.ASCII)


def parse(verb: str, words: Sequence[str]) -> Argument:
    """The argument that a verb's words write; raises `NotationError`."""
    if verb in ("meld", "add", "rearrange", "declare"):
        return _parse_groups(verb, words)
    least, most = _LEAST.get(verb, 0), _MOST.get(verb, len(words))
    if not least <= len(words) <= most:
        expected = Phrase("a card") if len(words) < least else Phrase("nothing more")
        raise NotationError(Phrase("{verb}: expected {expected}", verb=verb, expected=expected), min(len(words), most))
    cards = tuple([_parse_card(word, at) for at, word in enumerate(words)])
    return cards[0] if cards and verb in _ONE else cards or None


def _parse_groups(verb: str, words: Sequence[str]) -> Argument:
    """The groups of a verb that lays cards; between two of them stands a stroke."""
    parts: list[Part] = []
    start = 0
    for end in (*(at for at, word in enumerate(words) if word == "/"), len(words)):
        parts.append(_parse_part(verb, words[start:end], start))
        start = end + 1
    if len(parts) > 1 and verb in ("meld", "add"):
        raise NotationError(Phrase("{verb}: expected one group of cards", verb=verb), words.index("/"))
    if verb == "declare":
        return tuple(parts)
    if verb == "add":
        return parts[0]
    return parts[0][0] if verb == "meld" else tuple([group for group, _ in parts])


def _parse_part(verb: str, words: Sequence[str], start: int) -> Part:
    number, cards = NEW, words
    if "to" in words and verb in ("add", "declare"):
        at = words.index("to")
        if at + 2 != len(words) or not _NUMBER.fullmatch(words[at + 1]):
            raise NotationError(
                Phrase("{verb}: expected the number of an own meld after `to`", verb=verb), start + at + 1
            )
        number, cards = int(words[at + 1]), words[:at]
    elif verb == "add":
        raise NotationError(Phrase("add: expected cards, then `to` and the number of an own meld"), start + len(words))
    if not cards:
        raise NotationError(Phrase("{verb}: expected cards", verb=verb), start)
    return tuple([_parse_piece(word, start + at) for at, word in enumerate(cards)]), number


def _parse_piece(word: str, at: int) -> int:
    """A card, or a card and the one that it stands for."""
    text, mark, meaning = word.partition("=")
    card = _parse_card(text, at)
    if not mark:
        return card
    face = _parse_card(meaning, at, len(text) + 1)
    return piece(card, PLAIN[face])


def _parse_card(text: str, at: int, offset: int = 0) -> Card:
    try:
        card = parse_card(text)
    except CardError as error:
        raise NotationError(said_by(error), at, offset + error.offset) from None
    if card == UNKNOWN:
        raise NotationError(Phrase("?? is a card that nobody has seen; expected a card such as 9D"), at, offset)
    return card


def text(action: Action) -> str:
    """The action as records write it, without its seat."""
    argument = action.argument
    if argument is None:
        return action.verb
    if isinstance(argument, int):
        return f"{action.verb} {CARDS[argument]}"
    return f"{action.verb} {_words(action.verb, argument)}"


def _words(verb: str, argument: Argument) -> str:
    assert isinstance(argument, tuple)
    if verb == "add":
        return _part_text(argument)
    if verb == "declare":
        return " / ".join(map(_part_text, argument))
    if verb == "rearrange":
        return " / ".join(map(group_text, argument))
    return group_text(argument)


def _part_text(part: Argument) -> str:
    assert isinstance(part, tuple)
    group, number = part
    return group_text(group) if number == NEW else f"{group_text(group)} to {number}"


def group_text(group: Argument) -> str:
    """The cards of a group, each wild one with what it stands for."""
    assert isinstance(group, tuple)
    return " ".join([piece_text(number) for number in group if isinstance(number, int)])


def piece_text(number: int) -> str:
    """A card, and the one that it stands for where that was said."""
    face = piece_face(number)
    card = CARDS[piece_card(number)]
    return str(card) if face is None else f"{card}={CARDS[face]}"
