"""What a finished deal of Pepper scores (rules 6, 7 and the option `revoke_penalty`)."""

from engine.pepper.state import BIG, LITTLE, Deal


def points(deal: Deal) -> tuple[int, ...]:
    """The points of each side, in the order of the sides."""
    rules = deal.settings
    tricks = [sum([deal.winners.count(seat) for seat in side]) for side in rules.sides]
    bidders = [deal.bidder in side for side in rules.sides].index(True)
    made = tricks[bidders] >= min(deal.bid, rules.cards)
    scored = tricks.copy() if rules.defenders_score else [0] * len(tricks)
    if deal.revokes and deal.penalty == "fail-bid":
        first = min(deal.revokes, key=lambda revoke: (revoke.trick, revoke.place))
        made = first.seat not in rules.sides[bidders]
        if made:
            revokers = {revoke.seat for revoke in deal.revokes}
            scored = [0 if revokers & set(side) else count for side, count in zip(rules.sides, scored, strict=True)]
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
