"""What can be done with the cards themselves, at a place, while no card is in a hand."""

from firmware.audit import audit, count, worn_tags
from firmware.decks import IN_USE
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Keep, Open, Outcome, Pick
from firmware.enrolling import enrol, enrollable
from firmware.replacing import replace_card
from firmware.seatview import Wording
from firmware.tag_dialogs import deck_fact, pick_deck


def has_decks(desk: Desk) -> bool:
    """Whether there is anything to do with cards now."""
    return desk.quiet and any(desk.readers) and (bool(desk.decks.kept) or desk.decks.shelf.grows)


def deck_menu(desk: Desk) -> Dialog:
    """Look at cards, give one a new tag, enrol a deck, play with another."""
    some = [kept for kept in desk.decks.kept if kept.deck.cards]
    choices = (
        *(("audit", "count-cards", "worn-tags", "replace-card") if some else ()),
        *(("enrol",) if enrollable(desk) else ()),
        *(("use-deck",) if len(some) > 1 else ()),
        GO_ON,
    )
    used = desk.decks.in_use
    text = Wording("deck-in-use", (deck_fact(used), ("count", len(used.deck.cards)))) if used is not None else None
    return Pick("decks", choices, lambda choice: _chosen(desk, choice), text=text)


def _chosen(desk: Desk, choice: str) -> Outcome:
    opened = {
        "audit": audit,
        "count-cards": count,
        "worn-tags": worn_tags,
        "replace-card": replace_card,
        "enrol": enrol,
        "use-deck": _use_deck,
    }
    return Open(opened[choice](desk))


def _use_deck(desk: Desk) -> Dialog:
    names = [kept.name for kept in desk.decks.kept if kept.deck.cards]
    return pick_deck("use-deck", names, lambda name: Keep(IN_USE, name))
