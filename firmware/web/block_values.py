"""The blocks of a view as JSON takes them: a closed vocabulary, in which codes have their words beside them.

Cards are text, as records write them (`9D`, `JK`, `9D'2`); what a card stands for in a meld is with it.
"""

from collections.abc import Iterable
from typing import Any

from engine.asks import Ask
from engine.cards import CARDS, Card
from engine.pieces import piece_card, piece_face
from engine.view import Auction, Block, Hand, Line, Melds, Notices, Piles, Score, Trick, Turn
from firmware.web.saying import Saying

Values = dict[str, Any]


def block_values(block: Block, saying: Saying) -> Values | None:
    """A block; None for a question to a seat, which is nobody else's business."""
    match block:
        case Turn(seats, phase, dealer):
            return {"block": "turn", "seats": list(seats), "phase": saying.phase(phase), "dealer": dealer}
        case Hand(seat, cards, unknown):
            return {"block": "hand", "seat": seat, "cards": _cards(cards), "unknown": unknown}
        case Auction(calls, bidder, bid, trump):
            made = [{"seat": seat, "call": saying.choice(call)} for seat, call in calls]
            standing = {"bidder": bidder, "bid": saying.choice(bid), "trump": saying.choice(trump)}
            return {"block": "auction", "calls": made, **standing}
        case Trick(number, plays, last, winner, won):
            lying = {"number": number, "plays": _plays(plays), "last": _plays(last)}
            return {"block": "trick", **lying, "winner": winner, "won": list(won)}
        case Piles(stock, discards, top):
            return {"block": "piles", "stock": stock, "discards": discards, "top": None if top is None else str(top)}
        case Line(cards):
            return {"block": "line", "cards": _cards(cards)}
        case Melds(seat, melds):
            return {"block": "melds", "seat": seat, "melds": [list(map(_piece, meld)) for meld in melds]}
        case Score() as score:
            return score_values(score)
        case Notices(notices):
            return {"block": "notices", "notices": [saying.notice(notice) for notice in notices]}
        case Ask():
            return None


def score_values(score: Score) -> Values:
    """The totals."""
    sides = [
        {"side": seats[0], "seats": list(seats), "score": total, "won": seats[0] in score.winners}
        for seats, total in zip(score.sides, score.totals, strict=True)
    ]
    return {"block": "score", "sides": sides, "target": score.target, "deals": score.deals, "over": score.over}


def blocks_values(blocks: Iterable[Block], saying: Saying) -> list[Values]:
    """All blocks in their order."""
    return [values for block in blocks if (values := block_values(block, saying)) is not None]


def _cards(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _plays(plays: Iterable[tuple[int, Card]]) -> list[Values]:
    return [{"seat": seat, "card": str(card)} for seat, card in plays]


def _piece(piece: int) -> Values:
    face = piece_face(piece)
    card = str(CARDS[piece_card(piece)])
    return {"card": card} if face is None else {"card": card, "as": str(CARDS[face])}
