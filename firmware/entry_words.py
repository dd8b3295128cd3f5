"""What was entered, in a few words: what an undo would take back, what all are asked to agree to.

Cards are named only where the entry has laid them open: a card that was drawn or buried is nobody else's business.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from engine import entries
from engine.cards import PLAIN, Card, CardError, parse_card
from engine.entries import Entry
from engine.game import Game
from engine.match import Match, view
from engine.pieces import piece_card
from engine.referee import Referee
from engine.values import Action
from engine.view import PUBLIC, Melds, View
from firmware.words import Length, Words

_MOST = 4
"""Cards that are named, the first ones."""
_RULINGS: dict[type, str] = {
    entries.SetScore: "set-score",
    entries.VoidDeal: "void-deal",
    entries.VoidMatch: "void-match",
    entries.SetDealer: "set-dealer",
    entries.SetTurn: "set-turn",
    entries.SetHand: "set-hand",
    entries.SetName: "set-name",
    entries.Accept: "accept",
    entries.Penalty: "penalty",
    entries.Undo: "undo",
}


class Told(Protocol):
    """A match that something is told of: a table that plays it, or whoever reads its record."""

    words: Words

    @property
    def referee(self) -> Referee:
        """The referee of the match."""

    @property
    def match(self) -> Match:
        """The state of the match."""

    def who(self, seat: int) -> str:
        """The name of a seat, or its number in words."""


def entry_words(desk: Told, entry: Entry) -> str:
    """An entry in the words of the table, short enough for a display."""
    if isinstance(entry, Action):
        return f"{desk.who(entry.seat)}: {action_words(desk.words, desk.referee.before, desk.match, entry)}"
    return ruling_words(desk.words, desk.match, entry)


def saying(desk: Told, entry: Entry) -> Callable[[], str]:
    """The same said later, as it was and in the words that the table has then."""
    before, match = desk.referee.before, desk.match

    def said() -> str:
        if isinstance(entry, Action):
            return f"{who(desk.words, match, entry.seat)}: {action_words(desk.words, before, match, entry)}"
        return ruling_words(desk.words, match, entry)

    return said


def who(words: Words, match: Match, seat: int) -> str:
    """The name of a seat, or its number in words."""
    return (match.names[seat - 1] if seat and match.names else "") or words.short("seat-acts", seat=seat)


def side_name(words: Words, match: Match, first: int) -> str:
    """A side by the names of all who are of it, or by their seats; `first` is its lowest seat."""
    seats = next(side for side in match.table.sides if first in side)
    if len(seats) == 1:
        return who(words, match, first)
    names = [match.names[seat - 1] if match.names else "" for seat in seats]
    return "+".join(names if all(names) else map(str, seats))


def ruling_words(words: Words, match: Match, entry: Entry, length: Length = Length.OLED) -> str:
    """An entry that is no action of a seat."""
    if isinstance(entry, entries.Deal):
        named = words.among(match.names, match.table.sides)
        return named.short("deal-by", seat=entry.dealer) if entry.dealer else words.ask("dealing", Length.OLED)
    ruling = words.choice(_RULINGS[type(entry)], length)
    match entry:
        case entries.SetScore(side, score):
            return f"{ruling} {side_name(words, match, side)}: {score}"
        case entries.SetDealer(seat) | entries.SetTurn(seat) | entries.SetHand(seat, _):
            return f"{ruling}: {who(words, match, seat)}"
        case entries.SetName(seat, name):
            return f"{ruling} {who(words, match, seat)}: {name}"
        case entries.Accept(code):
            return f"{ruling}: {words.choice(code, Length.LINE)}"
        case entries.Penalty(_, choice):
            return f"{ruling}: {words.choice(penalty_code(choice), Length.LINE)}"
        case _:
            return ruling


def penalty_code(choice: str) -> str:
    """The code of the words for a penalty; the game has other words for the same code, such as a bid's."""
    return f"penalty-{choice}"


def action_words(words: Words, before: Match | None, after: Match, action: Action, length: Length = Length.OLED) -> str:
    """An action that led from one state to the other, with the cards that it has laid open."""
    opened = open_cards(view(after, PUBLIC)) - (open_cards(view(before, PUBLIC)) if before is not None else Counter())
    return opening_words(words, after.table.game, opened, action, length)


def opening_words(
    words: Words, game: Game, opened: Mapping[int, int], action: Action, length: Length = Length.OLED
) -> str:
    """An action by which these faces came to lie open."""
    verb, *rest = game.text(action).split() if action.verb in game.verbs else [action.verb]
    said = [words.choice(verb, length)] if verb in words.codes("choice") else []
    cards = 0
    for word in rest:
        card = _card(word)
        if card is None:
            said += [words.choice(word, length)] if len(rest) == 1 else []
        elif card in opened and cards < _MOST:
            said.append(words.card(card))
            cards += 1
    return " ".join(said) or words.short("last-action")


def _card(word: str) -> int | None:
    """The face of the card that a word names; None where it names none."""
    try:
        return PLAIN[parse_card(word.partition("=")[0])]
    except CardError:
        return None


def open_cards(seen: View) -> Counter[int]:
    """The faces of all cards that this view of everybody's shows."""
    cards: Counter[int] = Counter()

    def look(value: object) -> None:
        if isinstance(value, Card):
            cards[PLAIN[value]] += 1
        elif isinstance(value, Melds):
            cards.update(PLAIN[piece_card(piece)] for meld in value.melds for piece in meld)
        elif isinstance(value, tuple):
            for part in value:
                look(part)

    look(seen.blocks)
    return cards
