"""Short paths of menus that several dialogs of the director, and reports of players, are made of."""

from collections.abc import Callable, Iterable

from engine.match import view
from engine.view import PUBLIC, Hand
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Outcome, Pick, Said
from firmware.seatview import Wording
from firmware.words import Length

Rule = Callable[[Outcome, Said], Outcome]
"""What comes of a ruling, in a few words: it is made, or all are asked."""
REASONS = ("no-reason", "slip-of-hand", "agreed-by-all", "rule-misapplied", "device-failed")
"""Reasons that are offered for a ruling; the first is none."""


def pick_seat(desk: Desk, prompt: str, then: Callable[[int], Outcome], seats: Iterable[int] | None = None) -> Dialog:
    """One of these seats, or of all, by name."""
    wanted = range(1, desk.table.seats + 1) if seats is None else seats
    choices = {f"seat:{seat}": seat for seat in wanted}
    return Pick(prompt, (*choices, GO_ON), lambda choice: then(choices[choice]), lasts=True,
                labels=lambda: {choice: desk.who(seat) for choice, seat in choices.items()})  # fmt: skip


def pick_reason(desk: Desk, then: Callable[[str], Outcome], big: Callable[[], Wording] | None = None) -> Dialog:
    """Why it is ruled so, or no reason at all; `big` says what is ruled, where that is not what was just picked."""

    def picked(choice: str) -> Outcome:
        return then("" if choice == REASONS[0] else desk.words.choice(choice, Length.SENTENCE))

    return Pick("reason", REASONS, picked, big=big, lasts=True)


def hand_size(desk: Desk, seat: int) -> int:
    """How many cards a seat holds, as everybody may see; 0 where no deal has been dealt."""
    blocks = view(desk.match, PUBLIC).blocks
    hands = [block for block in blocks if isinstance(block, Hand) and block.seat == seat]
    return len(hands[0].cards) + hands[0].unknown if hands else 0
