"""A turn of the handbook's game: build on the top card, draw or pass (rules 3 to 6)."""

from collections.abc import Iterator
from functools import cache

from engine.cards import SUITS, UNKNOWN
from engine.possession.claims import Claims, claim, claim_and_enter, come_out, enter
from engine.possession.drawing import (
    blocked,
    fits,
    is_ordered,
    legal_draws,
    misnamed,
    nothing_left,
    out,
    seen_drawing,
    take_top,
)
from engine.possession.holding import meant
from engine.possession.naming import faces, find
from engine.possession.settings import BOTH
from engine.possession.state import BUILD, DRAWN, Deal
from engine.stock import lay_down
from engine.values import Action, Argument, Notice, Refusal, make

PASS = tuple(Action(seat, "pass") for seat in range(5))


def _touching(face: int) -> int:
    suit, rank = divmod(face, 13)
    return sum(1 << suit * 13 + near | 1 << 54 + suit * 13 + near for near in (rank - 1, rank + 1) if 0 <= near < 13)


TOUCHING = tuple(_touching(number % 54) if number % 54 < 52 else 0 for number in range(108))
"""By card: the cards of its suit one rank above and below, of both packs."""


@cache
def ways(seat: int, top: int) -> tuple[tuple[tuple[int, Action], ...], ...]:
    """Every play on this face by direction, the shorter first: its last card as a mask, and the action."""
    suit, rank = divmod(top, 13)
    up = [suit * 13 + next_rank for next_rank in range(rank + 1, 13)]
    down = [suit * 13 + next_rank for next_rank in range(rank - 1, -1, -1)]
    return tuple(
        tuple((1 << line[end], Action(seat, "play", tuple(line[: end + 1]))) for end in range(len(line)))
        for line in (down, up)
    )


def firsts(deal: Deal) -> int:
    """The cards that may begin a play of the seat to act, on what is known."""
    (known, unknown, unseen, _, _), index = deal.hands, deal.turn - 1
    held = known[index] | (unseen if unknown[index] else 0)
    if deal.phase is DRAWN:
        held &= deal.drawn
    return held & TOUCHING[deal.discards[-1]]


def legal_plays(deal: Deal) -> list[Action]:
    """Every play of the cards that the seat may hold."""
    start = firsts(deal)
    plays: list[Action] = []
    if not start:
        return plays
    hands, index = deal.hands, deal.turn - 1
    blind, certain = hands.unknown[index], faces(hands.known[index])
    held = certain | faces(hands.unseen) if blind else certain
    first, certain_first = faces(start), faces(start & hands.known[index])
    for way in ways(deal.turn, deal.discards[-1] % 54):
        if not way or not first & way[0][0]:
            continue
        left = blind - (not certain_first & way[0][0])
        plays.append(way[0][1])
        for card, action in way[1:]:
            if not certain & card:
                left -= 1
                if left < 0 or not held & card:
                    break
            plays.append(action)
    return plays


def legal_turn(deal: Deal) -> Iterator[Action]:
    """Every play, then the draw or the pass."""
    seat, hands, discards = deal.turn, deal.hands, deal.discards
    fits = hands.known[seat - 1] & TOUCHING[discards[-1]]
    plays = legal_plays(deal) if fits or hands.unknown[seat - 1] else []
    if deal.stock.places or len(discards) > 1:
        if not fits or deal.settings.voluntary:
            draws = legal_draws(deal)
            return iter((*plays, *draws) if plays else draws)
    elif not fits:
        plays.append(PASS[seat])
    return iter(plays)


def legal_drawn(deal: Deal) -> Iterator[Action]:
    """Every play that begins with the card drawn, and the pass."""
    return iter([*legal_plays(deal), PASS[deal.turn]])


def can_play(deal: Deal) -> bool:
    """Whether the seat to act certainly holds a legal play."""
    return bool(deal.hands.known[deal.turn - 1] & TOUCHING[deal.discards[-1]])


def may_draw(deal: Deal) -> bool:
    """Whether the seat to act may draw."""
    return (deal.settings.voluntary or not can_play(deal)) and not nothing_left(deal)


def may_pass(deal: Deal) -> bool:
    """Whether the seat to act may pass at the start of its turn."""
    return nothing_left(deal) and not can_play(deal)


def check_play(deal: Deal, action: Action) -> Refusal | None:
    """Why a play is illegal at this seat's turn."""
    assert isinstance(action.argument, tuple)
    cards = find(deal.hands, deal.turn, action.argument, _preferred(deal, action.argument))
    if isinstance(cards, Refusal):
        return cards
    top = deal.discards[-1]
    suit, rank = divmod(top % 54, 13)
    for card in cards:
        if card % 54 // 13 != suit:
            return Refusal("wrong-suit", "3", (("card", card), ("suit", SUITS[suit])))
    way = cards[0] % 54 % 13 - rank
    if way not in (-1, 1):
        return Refusal("not-adjacent", "3", (("card", cards[0]), ("played", top)))
    for number, card in enumerate(cards, 1):
        if card % 54 % 13 - rank != way * number:
            return Refusal("not-consecutive", "3", (("card", card),))
    if deal.phase is DRAWN and not deal.drawn >> cards[0] & 1:
        return Refusal("already-drew", "3")
    return None


def _preferred(deal: Deal, written: tuple[Argument, ...]) -> int:
    """The copies of the first card that may be the card drawn: that one is meant first."""
    first = written[0]
    if not deal.drawn or not isinstance(first, int) or not 0 <= first < 52:
        return 0
    return deal.drawn & (1 << first | 1 << first + 54)


def check_draw(deal: Deal, action: Action) -> Refusal | None:
    """Why a draw is illegal at this seat's turn."""
    card, discards = action.argument, deal.discards
    fitting = card is None or fits(deal, card)
    if not fitting and not is_ordered(deal):
        return misnamed(deal, card)
    if deal.phase is DRAWN:
        return Refusal("already-drew", "3")
    if deal.hands.known[deal.turn - 1] & TOUCHING[discards[-1]] and not deal.settings.voluntary:
        return Refusal("can-play", "3")
    if not deal.stock.places and len(discards) < 2:
        return Refusal("nothing-to-draw", "4")
    return None if fitting else misnamed(deal, card)


def check_pass(deal: Deal, action: Action) -> Refusal | None:
    """Why a pass is illegal at this seat's turn."""
    if deal.phase is DRAWN:
        return None
    if can_play(deal):
        return Refusal("can-play", "3")
    return None if nothing_left(deal) else Refusal("can-draw", "3")


def play(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal play."""
    (rules, dealer, _, seat, hands, stock, discards, refills, _, made, drawn, taken, melds, claims,
     seen, showing, outcome) = deal  # fmt: skip
    assert isinstance(action.argument, tuple)
    cards = meant(deal, seat, action.argument, _preferred(deal, action.argument) if drawn else 0)
    index = seat - 1
    notices: tuple[Notice, ...] = ()
    own = claims[index]
    for card in cards:
        stock, hands = lay_down(stock, hands, seat, card)
        if own.fitting >> card & 1:
            own, proven = come_out(own, seat, made, card)
            notices += proven
    deal = make(Deal, (rules, dealer, BUILD, rules.after[seat], hands, stock, discards + cards, refills, 0,
                       made + 1, 0, taken, melds, put_claims(claims, index, own), seen, showing, outcome))  # fmt: skip
    if not hands.known[index] and not hands.unknown[index]:
        deal, ended = out(deal, seat)
        notices += ended
    return deal, notices


def draw(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal draw: the turn ends, but for `play_drawn_card` with a card that may be a legal play."""
    (rules, dealer, phase, seat, before, stock, discards, refills, _, made, _, taken, melds, claims,
     seen, showing, outcome) = deal  # fmt: skip
    if not stock.places and refills >= rules.max_refills:
        return blocked(deal)
    stock, hands, discards, card, notices = take_top(deal, action.argument)
    seen = seen_drawing(deal, card)
    if notices:
        refills += 1
    index, turn, drawn = seat - 1, rules.after[seat], 0
    top = TOUCHING[discards[-1]]
    own = claims[index]
    own = enter(own, made, card) if rules.voluntary else claim_and_enter(own, made, top & rules.pack, card)
    if rules.play_drawn and (card == UNKNOWN or top >> card & 1):
        # an unknown card is none of those that were certainly in the hand before
        phase, turn, drawn = DRAWN, seat, BOTH & ~before.known[index] if card == UNKNOWN else 1 << card
    deal = make(Deal, (rules, dealer, phase, turn, hands, stock, discards, refills, 0, made + 1, drawn, taken,
                       melds, put_claims(claims, index, own), seen, showing, outcome))  # fmt: skip
    return deal, notices


def decline(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a legal pass. One that declines the card drawn is no claim and blocks nothing."""
    rules, seat = deal.settings, deal.turn
    turn = rules.after[seat]
    if deal.phase is DRAWN:
        return deal._replace(phase=BUILD, turn=turn, drawn=0, made=deal.made + 1), ()
    if deal.passes + 1 == rules.seats:
        return blocked(deal)
    index = seat - 1
    own = claim(deal.claims[index], deal.made, TOUCHING[deal.discards[-1]] & rules.pack)
    claims = put_claims(deal.claims, index, own)
    return deal._replace(turn=turn, passes=deal.passes + 1, made=deal.made + 1, claims=claims), ()


def put_claims(claims: tuple[Claims, ...], index: int, own: Claims) -> tuple[Claims, ...]:
    """The claims with those of one seat in place."""
    return claims[:index] + (own,) + claims[index + 1 :]  # noqa: RUF005 — half the time of unpacking
