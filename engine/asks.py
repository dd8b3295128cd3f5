"""Questions to a seat: what it may give next, as tokens, until they make an action."""

from typing import NamedTuple

from engine.cards import Card

Token = str | Card
"""What a seat gives: a choice by its code, or a card. `END` closes a group of cards."""

END = "end"


class Ask(NamedTuple):
    """The next question to a seat.

    `prompt` is a code that the game's text catalogue words. Either `choices` (codes) or `cards` (those acceptable on
    what this seat may know) are given next; `source` says where the cards are looked for (`hand`). `end` says whether
    the seat may end the group here.
    """

    prompt: str
    choices: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    source: str = ""
    end: bool = False
