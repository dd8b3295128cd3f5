"""The table as everybody may see it, as JSON takes it. All of the game in it is made of the public view alone."""

from typing import Any, NamedTuple

from engine.match import Match, Standing, view
from engine.view import DIRECTOR, PUBLIC, Hand, Melds, Score, Trick, Turn, View
from firmware.seatview import DealingView
from firmware.setups import Setup
from firmware.web.block_values import block_values, blocks_values
from firmware.web.saying import Saying
from firmware.web_part import Reveal

VERSION = 1
"""Raised when a client that reads what there was would no longer understand it."""
LOBBY = "lobby"
"""How a table stands where players agree on what is played."""

Values = dict[str, Any]


class Stand(NamedTuple):
    """What a table shows to everybody: all that it depends on, so that nothing is made anew where nothing changed."""

    match: Match
    number: int
    deal: int
    setup: Setup
    agreed: bool
    locked: bool
    dealing: DealingView | None


def table_values(stand: Stand, seen: View, saying: Saying, title: str, reveal: Reveal) -> Values:
    """The table; `seen` is the public view of its match."""
    match = stand.match
    table = match.table
    score, turn = _one(seen, Score), _one(seen, Turn)
    values: Values = {"version": VERSION, "title": title, "match": stand.number, "locked": stand.locked}
    if not stand.agreed:
        return values | {"standing": LOBBY}
    assert score is not None
    values |= {
        "standing": match.standing.value,
        "voided": match.voided,
        "game": saying.game(table.game.name),
        "rules": saying.rule_set(table.rule_set),
        "tracked": table.tracked,
        "deal": stand.deal,
        "dealer": _dealer(stand),
        "next_dealer": match.next_dealer or (stand.dealing.dealer if stand.dealing else 0),
        "phase": saying.phase(turn.phase) if turn is not None and match.standing is Standing.RUNNING else None,
        "turn": list(turn.seats) if turn is not None else [],
    }
    values |= {key: value for key, value in (block_values(score, saying) or {}).items() if key != "block"}
    values["dealing"] = _dealing(stand.dealing)
    values["seats"] = _seats(stand, seen)
    values["blocks"] = game_blocks(seen, match, saying, reveals(match, reveal))
    return values


def game_blocks(seen: View, match: Match, saying: Saying, revealed: bool) -> list[Values]:
    """The blocks of the game and its notices; `revealed`: with all hands as the table knows them."""
    blocks = [block for block in seen.blocks if not isinstance(block, Score)]
    if revealed:
        known = {block.seat: block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)}
        blocks = [known.get(block.seat, block) if isinstance(block, Hand) else block for block in blocks]
    return blocks_values(blocks, saying)


def public(match: Match) -> View:
    """What everybody may see of a match."""
    return view(match, PUBLIC)


def reveals(match: Match, reveal: Reveal) -> bool:
    """Whether hands may be told."""
    return reveal is Reveal.AFTER_DEAL and match.deal is not None and match.standing is not Standing.RUNNING


def _dealer(stand: Stand) -> int:
    if stand.match.standing is Standing.RUNNING or stand.dealing is None:
        return stand.match.dealer
    return stand.dealing.dealer


def _dealing(dealing: DealingView | None) -> Values | None:
    if dealing is None:
        return None
    counts, size = list(dealing.counts), dealing.size
    return {"dealer": dealing.dealer, "next": dealing.next_seat or None, "counts": counts, "size": size}


def _seats(stand: Stand, seen: View) -> list[Values]:
    match = stand.match
    turn, trick = _one(seen, Turn), _one(seen, Trick)
    hands = {block.seat: block for block in seen.blocks if isinstance(block, Hand)}
    melds = {block.seat: len(block.melds) for block in seen.blocks if isinstance(block, Melds)}
    return [
        {
            "seat": seat,
            "place": stand.setup.place(seat),
            "name": match.names[seat - 1] if match.names else "",
            "side": next(side[0] for side in match.table.sides if seat in side),
            "dealer": seat == _dealer(stand),
            "turn": turn is not None and seat in turn.seats,
            "cards": len(hands[seat].cards) + hands[seat].unknown if seat in hands else None,
            "tricks": trick.won[seat - 1] if trick is not None else None,
            "melds": melds.get(seat),
        }
        for seat in range(1, match.table.seats + 1)
    ]


def _one(seen: View, kind: type[Any]) -> Any:
    return next((block for block in seen.blocks if isinstance(block, kind)), None)
