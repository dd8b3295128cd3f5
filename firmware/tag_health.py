"""Which tags are read so badly that their cards should get new ones: judged against the other tags of the deck.

Where all tags are read badly, a reader or its place is to blame, and no card needs to be replaced.
"""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import NamedTuple

from hal.presence import TagCounts

ENOUGH = 10
"""Polls of a tag below which nothing can be said about it."""
TROUBLED = 0.1
"""Share of polls that missed a tag, or read it only in the second try, above which it may be damaged."""
TIMES = 3
"""How many times as often as with the other tags that must be."""


class TagHealth(NamedTuple):
    """How well a tag was read since the readers were opened, at all of them."""

    uid: str
    seen: int
    missed: int
    repaired: int
    """Polls whose answer was damaged and had to be asked for again."""
    returns: int
    """Times that it was missed while it lay there, or told anew without having been lifted."""

    @property
    def trouble(self) -> float:
        """The share of polls that did not read it at once, from 0 to 1."""
        polls = self.seen + self.missed
        return min(1.0, (self.missed + self.repaired) / polls) if polls else 0.0


def tags_read(readers: Iterable[Mapping[str, TagCounts]]) -> list[TagHealth]:
    """What the readers' counts say of each tag, taken together."""
    found: dict[str, TagHealth] = {}
    for counts in readers:
        for uid, one in counts.items():
            _, seen, missed, repaired, returns = found.get(uid, TagHealth(uid, 0, 0, 0, 0))
            found[uid] = TagHealth(
                uid, seen + one.seen, missed + one.missed, repaired + one.repaired, returns + one.returns
            )
    return list(found.values())


def worn(tags: Iterable[TagHealth]) -> list[TagHealth]:
    """The tags whose cards should get new ones, the worst first."""
    judged = [tag for tag in tags if tag.seen >= ENOUGH]
    usual = median(tag.trouble for tag in judged) if judged else 0.0
    bad = [tag for tag in judged if tag.trouble >= TROUBLED and tag.trouble >= TIMES * usual]
    return sorted(bad, key=lambda tag: -tag.trouble)
