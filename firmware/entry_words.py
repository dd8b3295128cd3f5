"""What was entered, in a few words: what an undo would take back, what all are asked to agree to.

Cards are named only where the entry has laid them open: a card that was drawn or buried is nobody else's business.
"""

from collections import Counter

from engine import entries
from engine.cards import PLAIN, Card, CardError, parse_card
from engine.entries import Entry
from engine.match import Match, view
from engine.pieces import piece_card
from engine.values import Action
from engine.view import PUBLIC, Melds
from firmware.desk import Desk
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


def entry_words(desk: Desk, entry: Entry) -> str:
    """An entry in the words of the table, short enough for a display."""
    if isinstance(entry, Action):
        return f"{desk.who(entry.seat)}: {action_words(desk.words, desk.referee.before, desk.match, entry)}"
    if isinstance(entry, entries.Deal):
        return (
            desk.named.short("deal-by", seat=entry.dealer) if entry.dealer else desk.words.ask("dealing", Length.OLED)
        )
    ruling = desk.words.choice(_RULINGS[type(entry)], Length.OLED)
    match entry:
        case entries.SetScore(side, score):
            return f"{ruling} {desk.side(side)}: {score}"
        case entries.SetDealer(seat) | entries.SetTurn(seat) | entries.SetHand(seat, _):
            return f"{ruling}: {desk.who(seat)}"
        case entries.SetName(seat, name):
            return f"{ruling} {desk.who(seat)}: {name}"
        case entries.Accept(code):
            return f"{ruling}: {desk.words.choice(code, Length.LINE)}"
        case entries.Penalty(_, choice):
            return f"{ruling}: {desk.words.choice(penalty_code(choice), Length.LINE)}"
        case _:
            return ruling


def penalty_code(choice: str) -> str:
    """The code of the words for a penalty; the game has other words for the same code, such as a bid's."""
    return f"penalty-{choice}"


def action_words(words: Words, before: Match | None, after: Match, action: Action) -> str:
    """An action that led from one state to the other, with the cards that it has laid open."""
    game = after.table.game
    verb, *rest = game.text(action).split() if action.verb in game.verbs else [action.verb]
    opened = _open_cards(after) - (_open_cards(before) if before is not None else Counter())
    said = [words.choice(verb, Length.OLED)] if verb in words.codes("choice") else []
    cards = 0
    for word in rest:
        card = _card(word)
        if card is None:
            said += [words.choice(word, Length.OLED)] if len(rest) == 1 else []
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


def _open_cards(match: Match) -> Counter[int]:
    """The faces of all cards that everybody may see."""
    cards: Counter[int] = Counter()

    def look(value: object) -> None:
        if isinstance(value, Card):
            cards[PLAIN[value]] += 1
        elif isinstance(value, Melds):
            cards.update(PLAIN[piece_card(piece)] for meld in value.melds for piece in meld)
        elif isinstance(value, tuple):
            for part in value:
                look(part)

    look(view(match, PUBLIC).blocks)
    return cards
