"""What a game answers, for every caller the same few questions, and how games are found."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any, NamedTuple, Protocol

from engine.asks import Ask, Token
from engine.cards import Card
from engine.options import Option, OptionValue
from engine.phrases import Phrase
from engine.values import Action, Argument, Notice, Outcome, Refusal
from engine.view import Block

ENTRY_POINTS = "tableref.games"


class NotationError(ValueError):
    """Words that are no action of a verb. `word` is the number of the wrong one, or one past the last."""

    def __init__(self, problem: str, word: int, offset: int = 0) -> None:
        super().__init__(problem)
        self.word = word
        self.offset = offset


class Dealt(NamedTuple):
    """What a deal laid where, as far as it is known. `hands` are by seat; None is a hand of which nothing is known."""

    hands: tuple[tuple[Card, ...] | None, ...]
    turn_up: tuple[Card, ...] = ()
    stock: tuple[Card, ...] | None = None
    buried: Card | None = None


class DealState(Protocol):
    """The state of one deal; each game has its own, immutable."""

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended, or None while it runs."""


class Game(Protocol):
    """A game, with every number of seats and every option. `Rules` stands for the game's own immutable settings."""

    name: str
    catalogue: str
    """The package whose folder `locale` holds the game's words, as gettext catalogues of the domain `name`."""
    seats: range
    rule_sets: Mapping[str, Mapping[str, OptionValue]]
    options: Mapping[str, Option]
    verbs: frozenset[str]
    silent: frozenset[str]
    """Those verbs by which no card becomes known to anybody: a seat takes them back without asking."""
    deal_lines: frozenset[str]
    """Which of the lines `turn-up`, `stock`, `buried` a deal of this game can have."""
    penalties: Mapping[str, tuple[str, ...]]
    """The choices that the rules give the director for an irregularity."""

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Any:
        """The settings of one match; raises `OptionError` for a combination that makes no sense."""

    def required_lines(self, rules: Any) -> frozenset[str]:
        """Which of `deal_lines` every deal must have."""

    def pack(self, rules: Any) -> tuple[Card, ...]:
        """Every card that is dealt from."""

    def sides(self, rules: Any) -> tuple[tuple[int, ...], ...]:
        """The seats of each side, in the order of their lowest seats."""

    def target(self, rules: Any) -> int:
        """The score that ends the match."""

    def winners(self, rules: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The sides that have won with these scores, by their place in `sides`; none while the match goes on."""

    def losers(self, rules: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The sides that have lost once a match is won, by their place in `sides` (`others` where all others have)."""

    def parse(self, verb: str, words: Sequence[str]) -> Argument:
        """The argument that a verb's words write; raises `NotationError`."""

    def text(self, action: Action) -> str:
        """The action in the record's notation, without its seat."""

    def places(self, rules: Any, dealer: int) -> tuple[int, ...]:
        """To which seat each card is dealt, in order; 0 stands for a place that is no seat's."""

    def check_deal(self, rules: Any, dealer: int, dealt: Dealt) -> Refusal | None:
        """Why cards cannot have been dealt so."""

    def wanted(self, rules: Any, dealt: Dealt) -> str | None:
        """Which of `deal_lines` the table needs a card for next, once the hands are dealt; None: nothing more."""

    def deal(self, rules: Any, dealer: int, dealt: Dealt) -> tuple[Any, tuple[Notice, ...]]:
        """The state after a deal that `check_deal` accepts, and what it brought about; it may be over at once."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        """The seats that the table waits for; none when the deal has ended."""

    def legal(self, state: Any) -> Iterator[Action]:
        """Every action that `check` accepts, lazily and without repeats.

        But for steps of a turn that the turn could not be ended after: the rules refuse only what would end it.
        """

    def check(self, state: Any, action: Action) -> Refusal | None:
        """Why the action is illegal, or None."""

    def apply(self, state: Any, action: Action) -> tuple[Any, tuple[Notice, ...]]:
        """The state after an action that `check` accepts, and what it brought about."""

    def ask(self, state: Any, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
        """The next question to a seat that has given these tokens, or the action that they make; None: nothing."""

    def tokens(self, state: Any, action: Action) -> tuple[Token, ...]:
        """What the seat gives, token by token as `ask` offers them, to make a legal action."""

    def unnamed(self, state: Any, action: Action) -> tuple[tuple[Action, ...], ...]:
        """What is to be written for an action if fewer of those cards are named that nobody else sees, at last none of
        them; nothing where the action names no such card. It leads to the same turn.
        """

    def seen_from(self, state: Any, viewer: int) -> Any:
        """The state on what this viewer may know."""

    def blocks(self, state: Any, viewer: int) -> tuple[Block, ...]:
        """The game's own blocks of a view."""

    def with_dealer(self, state: Any, dealer: int) -> Any | None:
        """The state with another dealer, or None after the first action by a seat."""

    def with_turn(self, state: Any, seat: int) -> Any | None:
        """The state with this seat to act, or None where the phase does not allow it."""

    def check_hand(self, state: Any, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Why the seat cannot hold these cards."""

    def with_hand(self, state: Any, seat: int, cards: tuple[Card, ...]) -> Any:
        """The state in which the seat holds these cards."""

    def with_penalty(self, state: Any, code: str, choice: str) -> Any | None:
        """The state with the director's choice for an irregularity, or None where the deal has no such one."""


def others(sides: Sequence[tuple[int, ...]], winners: tuple[int, ...]) -> tuple[int, ...]:
    """The places of all sides that have not won, once one has."""
    return tuple(place for place in range(len(sides)) if place not in winners) if winners else ()


@cache
def games() -> Mapping[str, Game]:
    """Every installed game by its name, but for those that cannot be loaded (`broken_games`)."""
    return _installed()[0]


def broken_games() -> Mapping[str, str]:
    """The installed games that cannot be used, each with what is wrong with it: its package fails as it is loaded, or
    what it offers is no game.
    """
    return _installed()[1]


def forget_games() -> None:
    """Look for games anew at the next question, such as when a package was mended."""
    games.cache_clear()
    _installed.cache_clear()


@cache
def _installed() -> tuple[Mapping[str, Game], Mapping[str, str]]:
    from importlib.metadata import entry_points  # costs more to import than all of the engine

    found: dict[str, Game] = {}
    broken: dict[str, str] = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            loaded = point.load()
            missing = missing_in(loaded)
            wrong = "" if missing else _wrong_in(loaded)
        except KeyboardInterrupt:
            raise  # somebody is in a hurry
        except BaseException as error:  # whatever a foreign package does: the others are there all the same
            text = " ".join(str(error).split())
            broken[point.name] = f"{type(error).__name__}: {text}" if text else type(error).__name__
            continue
        if missing:
            broken[point.name] = Phrase("it has no {missing}", missing=missing[0])
        elif wrong:
            broken[point.name] = Phrase("its {value} is not what a game has there", value=wrong)
        else:
            found[point.name] = loaded
    return dict(sorted(found.items())), dict(sorted(broken.items()))


_KINDS: Mapping[str, type] = {
    "name": str, "catalogue": str, "seats": range, "rule_sets": Mapping, "options": Mapping, "verbs": Set,
    "silent": Set, "deal_lines": Set, "penalties": Mapping,
}  # fmt: skip


def _wrong_in(loaded: Any) -> str:
    """What an object has in the place of a game's value that is of no such kind, or empty where it must not be."""
    from importlib.util import find_spec  # costs much, too

    for name, kind in _KINDS.items():
        if not isinstance(getattr(loaded, name), kind):
            return name
    if not loaded.seats or not loaded.rule_sets:
        return "seats" if not loaded.seats else "rule_sets"
    return "" if find_spec(loaded.catalogue) else "catalogue"


def missing_in(loaded: object) -> list[str]:
    """What an object lacks of a game."""
    methods = [name for name, value in vars(Game).items() if callable(value) and not name.startswith("_")]
    values = [name for name in Game.__annotations__ if not hasattr(loaded, name)]
    return values + [name for name in methods if not callable(getattr(loaded, name, None))]
