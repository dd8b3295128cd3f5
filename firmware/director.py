"""The director at a place: rulings, each by a few choices, while the others go on.

A table with neither a PIN nor a director's card has no director: then all players agree to a ruling.
"""

import re
from collections.abc import Callable

from engine import entries
from engine.asks import Ask, Token
from engine.cards import Card
from engine.entries import Entry
from engine.match import Standing, check
from firmware.assent import Assent, ask_all
from firmware.card_entry import CardEntry
from firmware.correcting import correct_menu, correctable
from firmware.desk import Desk
from firmware.dialogs import (
    GO_ON,
    Agreed,
    Begin,
    Close,
    Dialog,
    Enter,
    Keep,
    Open,
    Outcome,
    Pick,
    Say,
    Stay,
    Typing,
)
from firmware.entry_words import entry_words
from firmware.irregularities import unsigned
from firmware.known_names import known_names, type_name
from firmware.paths import hand_size, pick_reason, pick_seat
from firmware.pin import DIGITS, PIN, NewPin, PinPad, hashed
from firmware.reporting import report
from firmware.seatview import Sheet, TableText, Wording
from firmware.signing import sign_menu
from firmware.tokens import NewToken

SCORE = 6
"""Signs of a score that is typed, its own sign among them."""
_SCORE = re.compile(r"-?[0-9]{1,5}")
LEAVE = "leave-director"


def enter_session(desk: Desk, place: int) -> Outcome:
    """What comes of a wish to direct at a place: the PIN is asked for, where there is one."""
    if desk.gate.has_pin:
        return Open(PinPad(desk.gate, lambda: desk.now, lambda: Begin(Session(desk, place))))
    if desk.gate.directed:
        return Say(TableText("director-card-wanted", bad=True))
    return Begin(Session(desk, place))


def by_card(desk: Desk, place: int) -> Outcome:
    """What comes of a director's card: a card that lies about does nothing by itself while a deal runs."""
    session = Session(desk, place)
    if desk.match.standing is not Standing.RUNNING or not desk.agreed:
        return Begin(session)
    return Open(Pick("direct-here", ("direct", GO_ON), lambda _: Begin(session), start=1, lasts=True))


class Session(Dialog):
    """The director's menu at a place. It ends by choice, or when nobody has pressed anything there for a while."""

    lasts = True
    home = True

    def __init__(self, desk: Desk, place: int) -> None:
        self._desk = desk
        self._place = place

    def sheet(self, place: int) -> Sheet:
        """The rulings that can be made now."""
        waiting = self._unsigned()
        text = Wording("irregular-count", (("count", waiting),)) if waiting else None
        if not self._desk.gate.directed:
            text = Wording("no-director")
        return Sheet(Ask("director", choices=self._choices()), text=text, start=0)

    def _unsigned(self) -> int:
        return len(unsigned(self._desk.match, self._desk.lines)) if self._desk.agreed else 0

    def _choices(self) -> tuple[str, ...]:
        desk, choices = self._desk, []
        if isinstance(desk.shared, Assent) and desk.gate.directed:
            choices.append("agree-for-all")
        if desk.agreed:
            choices += ["sign"] if self._unsigned() else []
            choices += ["undo"] if desk.referee.accepted else []
            choices += ["set-score"]
            choices += ["set-turn"] if self._seats_for(entries.SetTurn) else []
            choices += ["set-dealer"] if self._seats_for(entries.SetDealer) else []
            choices += ["set-hand"] if desk.match.standing is Standing.RUNNING else []
            choices += ["set-name", "report"]
            choices += ["void-deal"] if check(desk.match, entries.VoidDeal()) is None else []
            choices += ["void-match"] if check(desk.match, entries.VoidMatch()) is None else []
            choices += ["correct-setup"] if correctable(desk) else []
        choices += [] if desk.gate.fixed else ["set-pin"]
        choices += ["web-token"] if desk.new_token is not None else []
        return (*choices, LEAVE)

    def _seats_for(self, kind: type[entries.SetTurn] | type[entries.SetDealer]) -> list[int]:
        """The seats of which this can be ruled now."""
        seats = range(1, self._desk.table.seats + 1)
        return [seat for seat in seats if check(self._desk.match, kind(seat)) is None]

    def give(self, place: int, token: Token) -> Outcome:
        """Begin a ruling, or end the session."""
        ways: dict[Token, Callable[[], Outcome]] = {
            "agree-for-all": self._agree_for_all,
            "sign": lambda: Open(sign_menu(self._desk, self._rule)),
            "undo": lambda: self._reasoned(entries.Undo(None)),
            "set-score": lambda: Open(self._pick_side()),
            "set-turn": lambda: self._pick_acting(entries.SetTurn, "set-turn"),
            "set-dealer": lambda: self._pick_acting(entries.SetDealer, "set-dealer"),
            "set-hand": lambda: Open(pick_seat(self._desk, "set-hand", self._take_hand)),
            "set-name": lambda: Open(pick_seat(self._desk, "set-name", self._pick_name)),
            "report": lambda: Open(report(self._desk)),
            "void-deal": lambda: self._reasoned(entries.VoidDeal()),
            "void-match": self._void_match,
            "correct-setup": lambda: Open(correct_menu(self._desk, self._rule)),
            "set-pin": lambda: Open(NewPin(self._keep_pin)),
            "web-token": lambda: Open(NewToken(self._desk)),
        }
        return ways[token]() if token in ways else Close()

    # What it comes to

    def _rule(self, outcome: Outcome, what: str) -> Outcome:
        """A ruling: at once by a director, else when all agree."""
        return outcome if self._desk.gate.directed else ask_all(self._desk, self._place, what, outcome)

    def _reasoned(self, *ruled: Entry) -> Outcome:
        """These entries, with a reason."""
        what = entry_words(self._desk, ruled[0])
        last = self._desk.referee.accepted[-1:] if isinstance(ruled[0], entries.Undo) else []
        if last:
            what = self._desk.words.short("undo-of", what=entry_words(self._desk, last[0][0]))
        return Open(pick_reason(self._desk, lambda reason: self._rule(Enter(ruled, reason), what)))

    def _agree_for_all(self) -> Outcome:
        assent = self._desk.shared
        return Agreed(assent.asker, assent.outcome) if isinstance(assent, Assent) else Stay()

    def _keep_pin(self, pin: str) -> Outcome:
        return Keep(PIN, hashed(pin, self._desk.salt()))

    # Rulings

    def _pick_acting(self, kind: type[entries.SetTurn] | type[entries.SetDealer], prompt: str) -> Outcome:
        return Open(pick_seat(self._desk, prompt, lambda seat: self._reasoned(kind(seat)), self._seats_for(kind)))

    def _void_match(self) -> Outcome:
        choices = (GO_ON, "void-match")
        return Open(Pick("void-match", choices, lambda _: self._reasoned(entries.VoidMatch()), lasts=True))

    def _pick_side(self) -> Dialog:
        desk = self._desk
        labels = {}
        for side, score in zip(desk.table.sides, desk.match.scores, strict=True):
            labels[f"side:{side[0]}"] = f"{desk.side(side[0])}: {score}"
        return Pick("set-score", (*labels, GO_ON), self._type_score, labels=labels, lasts=True)

    def _type_score(self, choice: str) -> Outcome:
        side = int(choice.removeprefix("side:"))

        def typed(text: str) -> Outcome:
            if not _SCORE.fullmatch(text):
                return Say(TableText("no-score", bad=True))
            return self._reasoned(entries.SetScore(side, int(text)))

        signs = DIGITS + "-"
        return Open(Typing("score", signs, typed, most=SCORE, facts={"side": side}, lasts=True))

    def _take_hand(self, seat: int) -> Outcome:
        size = hand_size(self._desk, seat)

        def told(cards: tuple[Card, ...]) -> Outcome:
            return self._reasoned(entries.SetHand(seat, cards))

        return Open(CardEntry(self._desk, "hand-cards", told, most=size, least=size, unseen=True,
                              name=self._desk.who(seat)))  # fmt: skip

    def _pick_name(self, seat: int) -> Outcome:
        desk = self._desk
        labels = {f"name:{name}": name for name in known_names(desk) if name not in desk.match.names}

        def named(name: str) -> Outcome:
            if name in desk.match.names:
                return Say(TableText("name-taken", (("name", name),), bad=True))
            return self._rule(Enter((entries.SetName(seat, name),)),
                              entry_words(desk, entries.SetName(seat, name)))  # fmt: skip

        def picked(choice: str) -> Outcome:
            return (
                Open(type_name(desk, named, whose=desk.who(seat)))
                if choice == "new-name"
                else named(choice.removeprefix("name:"))
            )

        return Open(Pick("late-name", ("new-name", *labels, GO_ON), picked, labels=labels, lasts=True))
