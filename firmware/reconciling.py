"""After a restart in a running deal: each place is shown what the table believes, and says whether it is so.

Nobody needs to answer. Whoever plays on takes the table's word, and ends it everywhere; after a while it goes by
itself. What is not so is put right in the usual ways: the last action is taken back, or a card is shown once more.
Cards that lie on readers when the power returns are looked at, and count for nothing until somebody shows them anew.
"""

from engine.asks import Ask, Token
from engine.cards import PLAIN, Card
from engine.match import ask, to_act, view
from engine.pieces import piece_card
from engine.values import Action
from engine.view import Hand, Line, Melds, Piles, Trick, View
from firmware.assent import wish_undo
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Open, Outcome, Pick, Shown, Stay
from firmware.director import enter_session
from firmware.menu import Menu
from firmware.seatview import Sheet, TableText, Wording
from hal.events import Event, TagLifted, TagPlaced
from hal.hardware import Hardware

SECONDS = 30.0
"""Seconds after which the table takes it that all is as it says."""
SOON = 0.6
"""Seconds from the start in which seven readers in turns have looked once. What one sees first that comes later may
have been shown since: it counts."""
_SO, _NOT_SO = "so-it-is", "not-so"


class Reconciling(Dialog):
    """One comparison by the whole table. An accepted action ends it."""

    yields = True

    def __init__(self, desk: Desk, now: float) -> None:
        self._desk = desk
        self._end = now + SECONDS
        self._answered: set[int] = set()
        self._doubters: list[int] = []

    def sheet(self, place: int) -> Sheet | None:
        """What lies open, whose turn it is, and whether that is so; nothing where that was answered, or nobody sits."""
        if place in self._answered or not self._desk.setup.seat(place):
            return None
        return Sheet(Ask("compare", choices=(_SO, _NOT_SO)), text=self._text(place), start=0, table=True)

    def waits_for(self, place: int) -> bool:
        """The table waits for those who are to act, and for no answer."""
        return self._desk.setup.seat(place) in to_act(self._desk.match)

    def _text(self, place: int) -> Wording:
        if self._doubters:
            return Wording("compare-doubted", (("seat", self._desk.setup.seat(self._doubters[0])),))
        acting = to_act(self._desk.match)
        if self._desk.setup.seat(place) in acting:
            return Wording("compare-yours")  # it may have begun something that the table no longer knows
        return Wording("compare-turn", (("seat", acting[0]),))

    def give(self, place: int, token: Token) -> Outcome:
        """One place less; the last one ends it."""
        self._answered.add(place)
        if token == _NOT_SO:
            self._doubters.append(place)
            return Open(self._guide(place))
        return Close() if self._answered >= {*self._desk.setup.places} else Stay()

    def take(self, place: int, shown: Shown) -> Outcome | None:
        """Whoever shows a card takes the table's word; the card goes to the game."""
        self._answered.add(place)
        return None

    def back(self, place: int) -> Outcome:
        """The menu of the place."""
        return Open(Menu(self._desk, place))

    def pass_time(self, now: float) -> Outcome | None:
        """It goes by itself."""
        return Close() if now >= self._end else None

    # What is not so

    def _guide(self, place: int) -> Dialog:
        last = self._desk.referee.last
        seat = last.seat if isinstance(last, Action) else 0
        text = Wording("last-to-act", (("seat", seat),)) if seat else Wording("last-deal")
        return Pick(
            "what-is-wrong",
            ("card-missing", "undo", "director", GO_ON),
            lambda choice: self._mend(place, choice),
            text=text,
        )

    def _mend(self, place: int, choice: str) -> Outcome:
        if choice == "undo":
            return wish_undo(self._desk, place)
        if choice == "director":
            return enter_session(self._desk, place)
        acting = to_act(self._desk.match)
        return Close(TableText("show-missing", (("seat", acting[0] if acting else 0),)))


# Cards that lie on readers


class Lying:
    """Knows which cards lie where they lay when the table came up."""

    def __init__(self, hardware: Hardware) -> None:
        self._hardware = hardware
        self._moved: set[tuple[str, str]] = set()
        self._end = 0.0

    def begin(self, now: float) -> None:
        """The table comes up."""
        self._end = now + SOON

    def take(self, event: Event) -> TagPlaced | None:
        """Note an event; gives it if it tells of a card that nobody has shown since the start. Where lifts are not
        seen, it is told so once.
        """
        if isinstance(event, TagLifted):
            self._moved.add((event.reader, event.uid))
        if not isinstance(event, TagPlaced) or (event.reader, event.uid) in self._moved:
            return None
        if event.at > self._end or not self._hardware.lay_there(event.reader, event.uid):
            return None
        if not self._hardware.readers[event.reader].capability.sees_lifts:
            self._moved.add((event.reader, event.uid))
        return event


def lying_text(desk: Desk, seat: int, card: Card, owned: bool) -> TableText:
    """What is said at a seat of a card that lay on its reader when the power returned, on what that seat may know;
    `owned`: the reader is that seat's own.
    """
    seen, facts = view(desk.match, seat), (("card", card),)
    player = _who_laid(seen, card)
    if player is not None:
        if not owned or player in (0, seat):
            return TableText("counted-already", facts)
        return TableText("played-by", (*facts, ("seat", player)), bad=True)
    asked = ask(desk.match, seat, ())
    if isinstance(asked, Ask) and PLAIN[card] in {PLAIN[offered] for offered in asked.cards}:
        return TableText("not-kept", facts, bad=True)
    hand = next((block for block in seen.blocks if isinstance(block, Hand) and block.seat == seat), None)
    if hand is not None and (hand.unknown or PLAIN[card] in {PLAIN[held] for held in hand.cards}):
        return TableText("in-your-hand", facts, bad=True)
    return TableText("lies-elsewhere", facts, bad=True)


def _who_laid(seen: View, card: Card) -> int | None:
    """The seat that has laid a card open, as far as that is seen; 0: it lies there, whoever did; None: it does not."""
    plain = PLAIN[card]
    for block in seen.blocks:
        match block:
            case Trick(plays=plays, last=last):
                for seat, played in (*plays, *last):
                    if PLAIN[played] == plain:
                        return seat
            case Line(cards):
                if plain in {PLAIN[lying] for lying in cards}:
                    return 0
            case Piles(top=top):
                if top is not None and PLAIN[top] == plain:
                    return 0
            case Melds(seat, melds):
                if plain in {PLAIN[piece_card(piece)] for meld in melds for piece in meld}:
                    return seat
            case _:
                pass
    return None
