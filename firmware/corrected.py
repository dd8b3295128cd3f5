"""A match whose setup was corrected stands in the journal once for each correction: the newest holds all that was
played. The others are not matches of their own: no list and no standing counts them.
"""

from collections.abc import Iterable, Iterator

from firmware.journal_reading import Kept

COMMENT = "# setup-corrected: "
"""How the entry begins by which a match goes on under another setup, after all that was entered before."""


def newest_alone(matches: Iterable[Kept]) -> list[Kept]:
    """The matches of one table without those that another one took the place of, which has their times."""
    left: list[Kept] = []
    for match in matches:
        if left and (whole := in_place_of(left[-1], match)) is not None:
            left.pop()
            match = whole
        left.append(match)
    return left


def in_place_of(before: Kept, match: Kept) -> Kept | None:
    """A match that took the place of the one before, with its times; None: it is another match."""
    count = _continued(before, match)
    return None if count is None else _with_times(before, match, count)


def _continued(before: Kept, match: Kept) -> int | None:
    """How many lines a match has from the one before, whose place it took; None: it is another match."""
    lines = list(_lines(before))
    texts = match.texts[: len(lines) + 1]
    if list(texts[:-1]) != lines or not texts or not texts[-1].startswith(COMMENT):
        return None
    return len(lines)


def _lines(match: Kept) -> Iterator[str]:
    for text in match.texts:
        yield from text.split("\n")


def _with_times(before: Kept, match: Kept, count: int) -> Kept:
    """The match with the times at which it began, and was entered in, before it was corrected."""
    times = [at for text, at in zip(before.texts, before.times, strict=True) for _ in text.split("\n")]
    starts = before.starts if before.texts else match.starts
    return match._replace(began=before.began, times=(*times, *match.times[count:]), starts=starts)
