"""What a finished hand scores, and who has lost and won the match (rules 5 to 8)."""

from engine.hands import Hands
from engine.possession.settings import Settings


def sizes(hands: Hands) -> tuple[int, ...]:
    """How many cards each seat holds."""
    return tuple([cards.bit_count() + unknown for cards, unknown in zip(hands.known, hands.unknown, strict=True)])


def blocked_points(rules: Settings, hands: Hands) -> tuple[int, ...]:
    """A point for each card held, or for each card more than the smallest hand has (rules 6 and 8)."""
    counts = sizes(hands)
    least = min(counts) if rules.difference else 0
    return tuple([count - least for count in counts])


def losers(rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The place of the one that has lost, the highest total if that is enough; of equal ones none (rule 7)."""
    highest = max(scores)
    return (scores.index(highest),) if highest >= rules.losing_score and scores.count(highest) == 1 else ()


def winners(rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The places of the lowest total, once someone has lost (rule 7)."""
    lowest = min(scores)
    return tuple([place for place, score in enumerate(scores) if score == lowest]) if losers(rules, scores) else ()
