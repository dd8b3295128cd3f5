"""What can be wrong with a simulated reader: named faults, each switched on by putting it into `faults`.

Those that happen now and then are drawn from the chip's own seeded chance, so that a run can be repeated. All faults
of the simulated world, those of readers among them, are listed in `hal.sim.named_faults`.
"""

from enum import StrEnum


class Fault(StrEnum):
    """One thing that is wrong. Each kind of chip knows those that its like can have: its `KNOWS`."""

    DEAF = "deaf"
    """Nothing is heard and nothing answered, until the fault goes."""
    DEAF_UNTIL_RESET = "deaf-until-reset"
    """The same, and it ends when the chip loses power or is reset by its pin."""
    BAD_CHECKSUM = "bad-checksum"
    """The sum of every answer is wrong."""
    GARBLED_FRAMES = "garbled"
    """About every third answer has a bit that is not as it was sent."""
    CUT_FRAMES = "cut"
    """About every third answer ends too early."""
    LOST_ACK = "lost-ack"
    """Answers come without the acknowledgement before them."""
    LATE_ANSWER = "late-answer"
    """An answer comes only when the host speaks again."""
    EVERY_SECOND_POLL_MISSES = "every-second-poll"
    """Every second search finds nothing, whatever lies in the field."""
    TAG_STAYS_SELECTED = "selected"
    """A tag that was found ignores the next search, unless the field was off in between."""
    PILE_STALLS = "pile"
    """A search never ends while more than one tag lies in the field; the chip answers all else."""
    TWO_TAGS = "two-tags"
    """Each card has another tag, `STRANGER`, sticking to it."""
    PHANTOM = "phantom"
    """About every third search of an empty field finds a tag that is none: zeros, ones, or any bytes."""
    CROSS_TALK = "cross-talk"
    """Tags in the fields of `neighbours` are found too."""
    NOISE = "noise"
    """Noise goes before every frame."""


STRANGER = bytes.fromhex("04C0FFEE5EED80")
"""The tag, of type A, that sticks to a card: of no deck."""
