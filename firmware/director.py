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
from firmware.assent import Assent, ask_all, undo_saying
from firmware.card_entry import CardEntry
from firmware.correcting import correct_menu
from firmware.desk import Desk
from firmware.dialogs import (
    GO_ON,
    Agreed,
    Begin,
    Close,
    Correct,
    Dialog,
    Enter,
    Keep,
    Open,
    Outcome,
    Pick,
    Said,
    Say,
    Stay,
    Typing,
)
from firmware.entry_words import saying
from firmware.irregularities import unsigned
from firmware.known_names import known_names, type_name
from firmware.moments import Moment
from firmware.paths import hand_size, pick_reason, pick_seat
from firmware.pin import DIGITS, PIN, NewPin, PinPad, hashed
from firmware.reporting import report
from firmware.seatview import Sheet, TableText, Wording
from firmware.signing import sign_menu
from firmware.tokens import NewToken
from firmware.words import Length

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
        return len(unsigned(self._desk.match, self._desk.comments)) if self._desk.agreed else 0

    def _choices(self) -> tuple[str, ...]:
        desk, choices = self._desk, []
        if isinstance(desk.shared, Assent) and desk.gate.directed:
            choices.append("agree-for-all")
        if desk.agreed:
            choices += ["sign"] if self._unsigned() else []
            choices += ["undo"] if desk.referee.count else []
            choices += ["set-score"]
            choices += ["set-turn"] if self._seats_for(entries.SetTurn) else []
            choices += ["set-dealer"] if self._seats_for(entries.SetDealer) else []
            if desk.gate.directed and desk.match.standing is Standing.RUNNING:
                choices.append("set-hand")  # whether these cards can be there tells who holds them: no player's to hear
            choices += ["set-name", "report"]
            choices += ["void-deal"] if check(desk.match, entries.VoidDeal()) is None else []
            choices += ["void-match"] if desk.referee.check(entries.VoidMatch()) is None else []
            choices += ["correct-setup"] if desk.correctable else []
        choices += [] if desk.gate.fixed else ["set-pin"]
        choices += ["web-token"] if desk.new_token is not None else []
        return (*choices, LEAVE)

    def _seats_for(self, kind: type[entries.SetTurn] | type[entries.SetDealer]) -> list[int]:
        """The seats of which this can be ruled now."""
        seats = range(1, self._desk.table.seats + 1)
        return [seat for seat in seats if check(self._desk.match, kind(seat)) is None]

    def give(self, place: int, token: Token) -> Outcome:
        """Begin a ruling, or end the session."""
        since = self._desk.moment
        ways: dict[Token, Callable[[], Outcome]] = {
            "agree-for-all": self._agree_for_all,
            "sign": lambda: Open(sign_menu(self._desk, self._rule)),
            "undo": lambda: self._undo(since),
            "set-score": lambda: Open(self._pick_side(since)),
            "set-turn": lambda: self._pick_acting(since, entries.SetTurn, "set-turn"),
            "set-dealer": lambda: self._pick_acting(since, entries.SetDealer, "set-dealer"),
            "set-hand": lambda: Open(pick_seat(self._desk, "set-hand", lambda seat: self._take_hand(since, seat))),
            "set-name": lambda: Open(pick_seat(self._desk, "set-name", lambda seat: self._pick_name(since, seat))),
            "report": lambda: Open(report(self._desk)),
            "void-deal": lambda: self._reasoned(since, entries.VoidDeal()),
            "void-match": lambda: self._void_match(since),
            "correct-setup": lambda: Open(correct_menu(self._desk, self._rule)),
            "set-pin": lambda: Open(NewPin(self._keep_pin)),
            "web-token": lambda: Open(NewToken(self._desk)),
        }
        return ways[token]() if token in ways else Close()

    # What it comes to

    def _rule(self, outcome: Outcome, what: Said) -> Outcome:
        """A ruling: at once by a director, else when all agree. Nobody is asked for one that is too late."""
        late = isinstance(outcome, Enter | Correct) and not outcome.fits(self._desk.moment)
        return outcome if self._desk.gate.directed or late else ask_all(self._desk, self._place, what, outcome)

    def _reasoned(
        self, since: Moment, ruled: Entry, what: Said | None = None, big: Callable[[], Wording] | None = None
    ) -> Outcome:
        """An entry, with a reason."""
        said = what or saying(self._desk, ruled)
        return Open(
            pick_reason(self._desk, lambda reason: self._rule(Enter((ruled,), reason, since=since), said), big=big)
        )

    def _undo(self, since: Moment) -> Outcome:
        last = saying(self._desk, since.since[-1])
        return self._reasoned(since, entries.Undo(None), undo_saying(self._desk, since.since[-1]),
                              lambda: Wording("undo-what", (("what", last()),)))  # fmt: skip

    def _agree_for_all(self) -> Outcome:
        assent = self._desk.shared
        return Agreed(assent.asker, assent.outcome) if isinstance(assent, Assent) else Stay()

    def _keep_pin(self, pin: str) -> Outcome:
        """Whoever sets the first PIN directs from then on: while a match is agreed, all who play agree to that."""
        desk, kept = self._desk, Keep(PIN, hashed(pin, self._desk.salt()))
        return self._rule(kept, lambda: desk.words.choice("set-pin", Length.SENTENCE)) if desk.agreed else kept

    # Rulings

    def _pick_acting(
        self, since: Moment, kind: type[entries.SetTurn] | type[entries.SetDealer], prompt: str
    ) -> Outcome:
        seats = self._seats_for(kind)
        return Open(pick_seat(self._desk, prompt, lambda seat: self._reasoned(since, kind(seat)), seats))

    def _void_match(self, since: Moment) -> Outcome:
        choices = (GO_ON, "void-match")
        return Open(Pick("void-match", choices, lambda _: self._reasoned(since, entries.VoidMatch()), lasts=True))

    def _pick_side(self, since: Moment) -> Dialog:
        desk = self._desk
        scores = {f"side:{side[0]}": (side[0], score)
                  for side, score in zip(desk.table.sides, desk.match.scores, strict=True)}  # fmt: skip

        def labels() -> dict[str, str]:
            return {choice: f"{desk.side(side)}: {score}" for choice, (side, score) in scores.items()}

        return Pick("set-score", (*scores, GO_ON), lambda choice: self._type_score(since, choice), labels=labels,
                    lasts=True)  # fmt: skip

    def _type_score(self, since: Moment, choice: str) -> Outcome:
        side = int(choice.removeprefix("side:"))

        def typed(text: str) -> Outcome:
            if not _SCORE.fullmatch(text):
                return Say(TableText("no-score", bad=True))
            return self._reasoned(since, entries.SetScore(side, int(text)))

        signs = DIGITS + "-"
        return Open(Typing("score", signs, typed, most=SCORE, facts={"side": side}, lasts=True))

    def _take_hand(self, since: Moment, seat: int) -> Outcome:
        size = hand_size(self._desk, seat)

        def told(cards: tuple[Card, ...]) -> Outcome:
            return self._reasoned(since, entries.SetHand(seat, cards))

        return Open(CardEntry(self._desk, "hand-cards", told, most=size, least=size, unseen=True,
                              name=lambda: self._desk.who(seat)))  # fmt: skip

    def _pick_name(self, since: Moment, seat: int) -> Outcome:
        desk = self._desk
        labels = {f"name:{name}": name for name in known_names(desk) if name not in desk.match.names}

        def named(name: str) -> Outcome:
            if name in desk.match.names:
                return Say(TableText("name-taken", (("name", name),), bad=True))
            return self._rule(Enter((entries.SetName(seat, name),), since=since),
                              saying(desk, entries.SetName(seat, name)))  # fmt: skip

        def picked(choice: str) -> Outcome:
            return (
                Open(type_name(desk, named, whose=lambda: desk.who(seat)))
                if choice == "new-name"
                else named(choice.removeprefix("name:"))
            )

        return Open(Pick("late-name", ("new-name", *labels, GO_ON), picked, labels=labels, lasts=True))
