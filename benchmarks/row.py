"""What was measured: a name, a unit, and the figure of each run."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, in which unit, and the figure of each run; `bar` is what the median is to be at most, in that
    unit.
    """

    name: str
    unit: str
    figures: Sequence[float]
    bar: float | None = None

    @property
    def least(self) -> float:
        """The run that was disturbed least."""
        return min(self.figures)

    @property
    def median(self) -> float:
        """The run in the middle."""
        return statistics.median(self.figures)

    @property
    def most(self) -> float:
        """The run that was disturbed most."""
        return max(self.figures)


def percentile(figures: Sequence[float], share: float) -> float:
    """What this share of the figures is at most; raises ValueError where there are none."""
    if not figures:
        raise ValueError("nothing was measured; expected at least one figure")
    return sorted(figures)[min(len(figures) - 1, int(len(figures) * share))]
