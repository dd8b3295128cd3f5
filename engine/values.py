"""The plain values that every game speaks in: actions, refusals, notices, and what was ruled."""

from typing import NamedTuple

make = tuple.__new__
"""`make(Hands, (known, …))` is `Hands(known, …)`, every field given, in half the time: for what each action makes."""

Argument = int | str | tuple["Argument", ...] | None
Fact = int | str | None | tuple[int, ...] | tuple[str, ...] | tuple[tuple[int, int], ...]


class Action(NamedTuple):
    """What a seat did: a verb and what it was done with (a bid, a suit, a card), as the game's notation defines it."""

    seat: int
    verb: str
    argument: Argument = None


class Refusal(NamedTuple):
    """Why an action is illegal: the code, the number of the rule in the game's file, and what the words need."""

    code: str
    rule: str
    facts: tuple[tuple[str, Fact], ...] = ()


class Notice(NamedTuple):
    """What an accepted action brought about. `facts` are in the order in which they are written."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()


IRREGULARITIES = frozenset({"wrong-dealer", "revoke", "false-claim", "out-of-turn"})
"""The notices that a referee has to rule on and that a record's result lists."""


class Irregularity(NamedTuple):
    """A notice that the result lists, with the number of the accepted entry (counted from 0) that it stands on."""

    step: int
    notice: Notice
    accepted: bool = False


class Outcome(NamedTuple):
    """How a deal ended. `points` are by side in the order of the sides; `complete` is false for a deal thrown in."""

    points: tuple[int, ...]
    complete: bool
    same_dealer: bool = False
