"""Python's collector of cycles, set for a table that keeps long-lived plain data and plays against the clock."""

import gc

_YOUNG, _OLDER, _OLDEST = 20_000, 20, 50
"""New objects until the young ones are looked through, and how often that, then the next, before the older ones are.

States are trees: counting references frees them. What cycles there are come of tasks and exceptions, which are few.
"""


def settle() -> None:
    """What is there from the start stays, and no collection walks through it while cards are played."""
    gc.set_threshold(_YOUNG, _OLDER, _OLDEST)
    gc.collect()
    gc.freeze()
