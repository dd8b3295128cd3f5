"""Cards as they are written and the physical cards that they mean."""

from collections.abc import Sequence

from engine.cards import CARDS, COPIES, UNKNOWN, CardError, cards_of, parse_card
from engine.game import NotationError
from engine.hands import Hands
from engine.phrases import Phrase, said_by
from engine.possession.settings import FACES
from engine.values import Action, Argument, Refusal

WRITTEN = len(COPIES)
"""Numbers below this one can be written for a card."""


def parse(verb: str, words: Sequence[str]) -> Argument:
    """The argument that a verb's words write: nothing, a card, cards, or cards and a meld's number."""
    if verb in ("pass", "take"):
        if words:
            raise NotationError(Phrase("{verb}: expected nothing more", verb=verb), 0)
        return None
    if verb == "add":
        return _parse_addition(words)
    if verb in ("draw", "discard"):
        if len(words) > 1:
            raise NotationError(Phrase("{verb}: expected nothing more", verb=verb), 1)
        if not words and verb == "draw":
            return None
    if not words:
        raise NotationError(Phrase("{verb}: expected a card", verb=verb), 0)
    if verb == "draw" and words[0] == "??":
        return None
    cards = tuple([_parse_card(word, place) for place, word in enumerate(words)])
    return cards[0] if verb in ("draw", "discard") else cards


def _parse_addition(words: Sequence[str]) -> Argument:
    if len(words) < 2 or words[-2] != "to":
        raise NotationError(
            Phrase("add: expected cards, then `to` and the number of an own meld"), max(len(words) - 2, 0)
        )
    number = words[-1]
    if not (number.isascii() and number.isdigit() and number[0] != "0" and len(number) < 10):
        raise NotationError(
            Phrase("{number!r} is no number of a meld; expected 1, 2, …", number=number), len(words) - 1
        )
    if len(words) == 2:
        raise NotationError(Phrase("add: expected a card"), 0)
    cards = tuple([_parse_card(word, place) for place, word in enumerate(words[:-2])])
    return cards, int(number)


def _parse_card(word: str, place: int) -> int:
    """A card; a joker may say which card it stands for, and is a card that this game does not use all the same."""
    text, mark, meaning = word.partition("=")
    joker = bool(mark) and text.upper().startswith("JK")
    offset = 0
    try:
        card = parse_card(text if joker else word)
        offset = len(text) + 1
        if joker and parse_card(meaning) == UNKNOWN:
            raise CardError(Phrase("a joker stands for a known card; expected one such as 9D"))
    except CardError as error:
        raise NotationError(said_by(error), place, error.offset + offset) from None
    if card == UNKNOWN:
        raise NotationError(Phrase("?? is not known; expected a card such as 9D"), place)
    return int(card)


def text(action: Action) -> str:
    """The action in the record's notation, without its seat."""
    argument = action.argument
    if isinstance(argument, int):
        return f"{action.verb} {CARDS[argument]}"
    if not isinstance(argument, tuple):
        return action.verb
    cards, number = addition(argument) if action.verb == "add" else (argument, 0)
    written = " ".join([str(CARDS[card]) for card in cards if isinstance(card, int)])
    return f"{action.verb} {written}" + (f" to {number}" if number else "")


def addition(argument: Argument) -> tuple[tuple[Argument, ...], int]:
    """The cards of an addition and the number of the meld; none and 0 where the argument is no addition."""
    if isinstance(argument, tuple) and len(argument) == 2:
        cards, number = argument
        if isinstance(cards, tuple) and isinstance(number, int):
            return cards, number
    return (), 0


def find(hands: Hands, seat: int, cards: tuple[Argument, ...], preferred: int = 0) -> tuple[int, ...] | Refusal:
    """The physical cards of a hand that written cards mean, or why they cannot be in it.

    Of equal cards one in `preferred` is meant first, then one that is certainly in the hand, then one that may be; a
    card written with its pack is that very one.
    """
    known = hands.known[seat - 1]
    if len(cards) == 1 and not preferred:
        (card,) = cards
        if isinstance(card, int) and 0 <= card < 52:
            if known >> card & 1:
                return (card,)
            if known >> card + 54 & 1:
                return (card + 54,)
    unseen, blind = hands.unseen, hands.unknown[seat - 1]
    found: dict[int, int] = {}
    order = sorted(range(len(cards)), key=lambda place: _spellings(cards[place]))
    for place in order:
        copies = _copies(cards[place])
        may_be = known | unseen if blind else known
        fitting = [copy for copy in copies if may_be >> copy & 1]
        if not fitting:
            written = cards[place]
            return Refusal("not-in-hand", "", (("card", written if isinstance(written, int) else UNKNOWN),))
        if len(fitting) > 1:
            fitting.sort(key=lambda copy: (not preferred >> copy & 1, not known >> copy & 1))
        card = found[place] = fitting[0]
        blind -= not known >> card & 1
        known &= ~(1 << card)
        unseen &= ~(1 << card)
    return tuple([found[place] for place in range(len(cards))])


def _copies(card: Argument) -> tuple[int, ...]:
    return COPIES[card] if isinstance(card, int) and 0 <= card < WRITTEN else ()


def _spellings(card: Argument) -> int:
    """How many cards are meant: those that are written with their pack come first."""
    return len(_copies(card))


def place_hand(pack: int, held: int, unseen: int, cards: Sequence[int]) -> tuple[int, ...] | Refusal:
    """The physical cards of a hand that the director names, or why it cannot hold them.

    `held`: those that are known in it; `unseen`: those that may be.
    """
    free = held | unseen
    found: dict[int, int] = {}
    for place in sorted(range(len(cards)), key=lambda place: _spellings(cards[place])):
        card = cards[place]
        if card == UNKNOWN:
            found[place] = card
            continue
        own = [copy for copy in COPIES[card] if pack >> copy & 1]
        fitting = [copy for copy in own if free >> copy & 1]
        if (own and not fitting) or (not own and list(cards).count(card) > 1):
            return Refusal("duplicate-card", "1", (("card", card),))
        found[place] = min(fitting, key=lambda copy: not held >> copy & 1) if fitting else card
        free &= ~(1 << found[place])
    for card in cards:
        if card != UNKNOWN and not any(pack >> copy & 1 for copy in COPIES[card]):
            return Refusal("not-in-pack", "1", (("card", card),))
    return tuple([found[place] for place in range(len(cards))])


def faces(cards: int) -> int:
    """A set of physical cards as it is written without packs."""
    return (cards | cards >> 54) & FACES


def plain(cards: int) -> tuple[int, ...]:
    """The cards of a set in order, written without their packs, equal ones once each."""
    return tuple([int(card) for card in cards_of(faces(cards))])
