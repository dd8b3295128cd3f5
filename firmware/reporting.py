"""An irregularity is reported at a place: what it is, whose, and with which cards.

The table notes it for the director.
"""

from engine.cards import Card
from firmware.card_entry import CardEntry
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Enter, Open, Outcome, Pick, Typing
from firmware.irregularities import REPORTED, WITH_CARDS, WITH_COUNT, note_text
from firmware.paths import hand_size, pick_seat
from firmware.pin import DIGITS


def report(desk: Desk) -> Dialog:
    """What has happened."""
    choices = tuple(code for code in REPORTED if desk.match.deal is not None or code == "misdeal")
    return Pick("irregularity", (*choices, GO_ON), lambda code: Open(_whose(desk, code)), lasts=True)


def _whose(desk: Desk, code: str) -> Dialog:
    return pick_seat(desk, "whose", lambda seat: _more(desk, code, seat))


def _more(desk: Desk, code: str, seat: int) -> Outcome:
    if code == WITH_CARDS:

        def exposed(cards: tuple[Card, ...]) -> Outcome:
            return _noted(code, seat, " ".join(map(str, cards)))

        most = max(1, hand_size(desk, seat))
        return Open(CardEntry(desk, "exposed-cards", exposed, most=most, name=desk.who(seat)))
    if code == WITH_COUNT:
        facts = {"name": desk.who(seat)}
        return Open(Typing("how-many", DIGITS, lambda typed: _noted(code, seat, str(int(typed))), most=2, facts=facts,
                           lasts=True))  # fmt: skip
    return _noted(code, seat)


def _noted(code: str, seat: int, what: str = "") -> Outcome:
    return Enter((), notes=((code, note_text(seat, what)),))
