"""A person at a simulated table, for tests: sits at seat 1 and does what a browser asks for."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.cards import PLAIN, Card
from engine.match import to_act, view
from engine.view import DIRECTOR, Hand
from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.seatview import SeatView, verbs_of
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.web import deeds
from firmware.web.playing import Playing


@contextmanager
def playing(file: TableFile | None = None, seed: int = 3, people: int = 1) -> Iterator[Playing]:
    """A table at which people sit at the first seats, and bots at the others."""
    file = file or furnish("pepper", 4)
    with SimulatedTable(file, seed=seed) as table:
        bench = Bench(table, seed)
        for seat in range(people + 1, file.table.seats + 1):
            bench.seat_bot(seat)
        yield Playing(bench, seed)


def look(played: Playing, seat: int = 1) -> SeatView:
    """What a seat sees."""
    return played.bench.table.loop.seat_view(seat)


def wait(played: Playing, seconds: float) -> None:
    """Let time pass."""
    for _ in range(round(seconds / 0.02)):
        played.poll()


def deal(played: Playing) -> None:
    """Have the cards dealt."""
    played.do(deeds.DealForMe(), 1)
    for _ in range(6000):
        played.poll()
        if not played.deal_is_due and not played.dealing_for_somebody:
            return
    raise AssertionError("the deal does not end")


def until_asked(played: Playing, limit: float = 60.0) -> bool:
    """Let time pass until seat 1 is to act; whether it is, and not the next deal."""
    for _ in range(round(limit / 0.02)):
        if played.deal_is_due or played.bench.table.loop.over:
            return False
        turn = look(played)
        if turn.ask is not None and turn.sheet is None and 1 in acting(played):
            return True
        played.poll()
    raise AssertionError("nobody asks seat 1")


def acting(played: Playing) -> tuple[int, ...]:
    """Who is to act."""
    return to_act(played.bench.table.match)


def show(played: Playing, card: Card, seat: int = 1) -> None:
    """Drag a card to the reader of a seat."""
    played.do(deeds.Pad(played.world.number(card), f"seat {seat} reader"), seat)


def own(played: Playing, seat: int = 1) -> list[Card]:
    """The cards in a seat's hand, as they lie there."""
    return [*played.bench.cards.hands.get(seat, [])]


def as_the_table_says(played: Playing) -> bool:
    """Whether each person's hand holds the cards that the table counts there: bots take a moment longer."""
    blocks = [block for block in view(played.bench.table.match, DIRECTOR).blocks if isinstance(block, Hand)]
    return all(
        sorted(PLAIN[card] for card in own(played, hand.seat)) == sorted(PLAIN[card] for card in hand.cards)
        for hand in blocks
        if hand.seat not in played.bench.bots
    )


def play_on(played: Playing) -> None:
    """Answer as seat 1: by the buttons what has words, else by a card of the hand that is asked for."""
    seen = look(played)
    assert seen.ask is not None
    faces = {PLAIN[card] for card in seen.offered}
    fitting = [card for card in own(played) if PLAIN[card] in faces]
    verbs = verbs_of(seen.ask)
    if fitting and not verbs:
        show(played, fitting[0])
    else:
        played.bench.table.choose(1, "pass" if "pass" in verbs else (verbs or [seen.ask.cards[0]])[0])
    wait(played, 1.2)
