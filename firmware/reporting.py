"""An irregularity is reported at a place: what it is, whose, and with which cards.

The table notes it for the director.
"""

from engine.cards import Card
from firmware.card_entry import CardEntry
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Enter, Open, Outcome, Pick, Typing
from firmware.irregularities import REPORTED, WITH_CARDS, WITH_COUNT, note_text
from firmware.moments import Moment
from firmware.paths import hand_size, pick_seat
from firmware.pin import DIGITS


def report(desk: Desk) -> Dialog:
    """What has happened."""
    choices = tuple(code for code in REPORTED if desk.match.deal is not None or code == "misdeal")
    since = desk.moment
    return Pick("irregularity", (*choices, GO_ON), lambda code: Open(_whose(desk, since, code)), lasts=True)


def _whose(desk: Desk, since: Moment, code: str) -> Dialog:
    return pick_seat(desk, "whose", lambda seat: _more(desk, since, code, seat))


def _more(desk: Desk, since: Moment, code: str, seat: int) -> Outcome:
    if code == WITH_CARDS:

        def exposed(cards: tuple[Card, ...]) -> Outcome:
            return _noted(since, code, seat, " ".join(map(str, cards)))

        most = max(1, hand_size(desk, seat))
        return Open(CardEntry(desk, "exposed-cards", exposed, most=most, name=lambda: desk.who(seat)))
    if code == WITH_COUNT:

        def counted(typed: str) -> Outcome:
            return _noted(since, code, seat, str(int(typed)))

        return Open(Typing("how-many", DIGITS, counted, most=2, facts=lambda: {"name": desk.who(seat)}, lasts=True))
    return _noted(since, code, seat)


def _noted(since: Moment, code: str, seat: int, what: str = "") -> Outcome:
    return Enter((), notes=((code, note_text(seat, what)),), since=since)
