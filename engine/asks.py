"""Questions to a seat: what it may give next, as tokens, until they make an action."""

from typing import NamedTuple

from engine.cards import Card

Token = str | Card
"""What a seat gives: a choice, or a card. `END` closes a group of cards.

A choice is a code that the game's text catalogue words, or a code with a value: `to:2`, `as:9D`.
"""

END = "end"


class Ask(NamedTuple):
    """The next question to a seat.

    `prompt` is a code that the game's text catalogue words. One of the `choices` or of the `cards` (those acceptable on
    what this seat may know) is given next; `source` says where the cards are looked for: `hand`, `stock` (a card that
    is drawn), `line` (cards that lie open). `end` says whether the seat may end the group here. A card given before the
    purpose is known is answered with the purposes that it may have, as `choices`.
    """

    prompt: str
    choices: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    source: str = ""
    end: bool = False
