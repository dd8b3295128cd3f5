"""What a finished deal of Pepper scores (rules 6, 7 and the option `revoke_penalty`)."""

from engine.pepper.state import BIG, LITTLE, Deal


def points(deal: Deal) -> tuple[int, ...]:
    """The points of each side, in the order of the sides."""
    rules = deal.settings
    tricks = [sum(deal.won[seat - 1] for seat in side) for side in rules.sides]
    bidders = next(place for place, side in enumerate(rules.sides) if deal.bidder in side)
    made = tricks[bidders] >= min(deal.bid, rules.cards)
    forfeits: set[int] = set()
    if deal.penalty == "fail-bid" and deal.revokes:
        first = min(deal.revokes, key=lambda revoke: (revoke.trick, revoke.place))
        made = first.seat not in rules.sides[bidders]
        if made:
            revokers = {revoke.seat for revoke in deal.revokes}
            forfeits = {place for place, side in enumerate(rules.sides) if revokers & set(side)}
    scored = [count if rules.defenders_score and place not in forfeits else 0 for place, count in enumerate(tricks)]
    scored[bidders] = _bid_made(deal, tricks[bidders]) if made else -_bid_failed(deal)
    return tuple(scored)


def _bid_made(deal: Deal, tricks: int) -> int:
    if deal.bid >= LITTLE:
        return deal.settings.cards * (2 if deal.bid == BIG else 1)
    return max(tricks, deal.bid)


def _bid_failed(deal: Deal) -> int:
    if deal.bid >= LITTLE or deal.settings.failed == "all":
        return deal.settings.cards * (2 if deal.bid == BIG else 1)
    return deal.bid


def winners(target: int, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The side that has won, by its place: the one with the highest total if that is enough and no other has it."""
    best = max(scores)
    return (scores.index(best),) if best >= target and scores.count(best) == 1 else ()
