"""The next thing that a person at a seat can do, in a word: pages have a sentence for it."""

from typing import Any

from engine.asks import Ask
from engine.values import Refusal
from engine.view import Turn
from firmware.seatview import SeatView, TableText
from firmware.web.playing import Playing

_TOLD = {
    "device-lost": "device-lost",
    "button-stuck": "device-lost",
    "restarted": "restarted",
    "deal-lost": "restarted",
}
"""The hints for messages that refuse nothing."""


def hint(playing: Playing, seat: int) -> dict[str, Any]:
    """The code of what is to be done at this seat, whom the others wait for, and whether a reader reads here."""
    seen = playing.bench.table.loop.seat_view(seat)
    turn = next((block.seats for block in seen.view.blocks if isinstance(block, Turn)), ())
    dealer = seen.dealing.dealer if seen.dealing is not None else 0
    code, of = _code(playing, seen, seat, turn), dealer or next(iter(turn), 0)
    if playing.stuck and code in ("wait", "bot-deals", "bot"):
        code, of = "stuck", playing.stuck
    return {"seat": seat, "code": code, "of": of, "reads": seen.tapping}


def _code(playing: Playing, seen: SeatView, seat: int, turn: tuple[int, ...]) -> str:
    if seat in playing.bench.bots:
        return "bot"
    if isinstance(seen.message, Refusal):
        return "not-drawn" if _lies_in_the_stock(playing, seen) else "refused"
    if isinstance(seen.message, TableText) and seen.message.bad:
        return _TOLD.get(seen.message.code, "refused")
    if seen.dealing is not None:
        return _dealing(playing, seen, seat)
    if seen.ask is None:
        return "wait" if turn else "over" if playing.bench.table.loop.over else "look"
    if seen.ask.prompt == "next-match":
        return "over"
    if seat not in turn and turn:
        return "wait"
    return _asked(seen, seen.ask)


def _lies_in_the_stock(playing: Playing, seen: SeatView) -> bool:
    """Whether a card was refused that was never drawn: the table can but say that it is not where it was looked for."""
    cards = playing.bench.cards
    drawing = seen.ask is not None and seen.ask.source == "stock"
    return seen.shown is not None and not drawing and playing.world.last_shown in cards.stock


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
    if ask.prompt == "compare":
        return "compare"
    cards = bool(seen.offered) and seen.sheet is None
    if cards and not seen.tapping and any(name.endswith("reader") for name in seen.lost):
        return "no-reader"
    if ask.source == "stock":
        return "draw" if seen.tapping else "answer"
    if cards and seen.tapping:
        return "show-or-answer" if ask.choices and not all(one.startswith("pick:") for one in ask.choices) else "show"
    return "answer"
