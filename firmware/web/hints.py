"""The next thing that a person at a seat can do, in a word: pages have a sentence for it."""

from typing import Any

from engine.asks import Ask
from engine.values import Refusal
from engine.view import Turn
from firmware.seatview import SeatView, TableText
from firmware.web.playing import Playing


def hint(playing: Playing, seat: int) -> dict[str, Any]:
    """The code of what is to be done at this seat, and the seat that the others wait for."""
    seen = playing.bench.table.loop.seat_view(seat)
    turn = next((block.seats for block in seen.view.blocks if isinstance(block, Turn)), ())
    dealer = seen.dealing.dealer if seen.dealing is not None else 0
    return {"seat": seat, "code": _code(playing, seen, seat, turn), "of": dealer or next(iter(turn), 0)}


def _code(playing: Playing, seen: SeatView, seat: int, turn: tuple[int, ...]) -> str:
    if seat in playing.bench.bots:
        return "bot"
    if isinstance(seen.message, Refusal) or (isinstance(seen.message, TableText) and seen.message.bad):
        return "refused"
    if seen.dealing is not None:
        return _dealing(playing, seen, seat)
    if seen.ask is None:
        return "wait" if turn else "over" if playing.bench.table.loop.over else "look"
    if seen.ask.prompt == "next-match":
        return "over"
    if seat not in turn and turn:
        return "wait"
    return _asked(seen, seen.ask)


def _dealing(playing: Playing, seen: SeatView, seat: int) -> str:
    assert seen.dealing is not None
    if playing.dealing_for_somebody:
        return "being-dealt"
    if seen.dealing.wanted is not None and seen.dealing.dealer == seat:
        return "turn-up"
    if seen.dealing.dealer == seat:
        return "deal" if not seen.dealing.begun else "go-on-dealing"
    return "bot-deals" if seen.dealing.dealer in playing.bench.bots else "other-deals"


def _asked(seen: SeatView, ask: Ask) -> str:
    if ask.source == "stock":
        return "draw" if seen.tapping else "answer"
    cards = bool(seen.offered) and seen.sheet is None
    if cards and seen.tapping:
        return "show-or-answer" if ask.choices and not all(one.startswith("pick:") for one in ask.choices) else "show"
    return "answer"
