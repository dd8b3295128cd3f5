"""What can be wrong with a simulated reader: named faults, each switched on by putting it into `faults`.

Those that happen now and then are drawn from the chip's own seeded chance, so that a run can be repeated.
"""

from enum import StrEnum


class Fault(StrEnum):
    """One thing that is wrong. Each kind of chip knows those that its like can have."""

    DEAF = "deaf"
    """Nothing is heard and nothing answered, until the fault goes."""
    DEAF_UNTIL_RESET = "deaf until reset"
    """The same, and it ends when the chip loses power or is reset by its pin."""
    BAD_CHECKSUM = "bad checksum"
    """The sum of every answer is wrong."""
    GARBLED_FRAMES = "garbled frames"
    """About every third answer has a bit that is not as it was sent."""
    CUT_FRAMES = "cut frames"
    """About every third answer ends too early."""
    LOST_ACK = "lost ack"
    """Answers come without the acknowledgement before them."""
    LATE_ANSWER = "late answer"
    """An answer comes only when the host speaks again."""
    EVERY_SECOND_POLL_MISSES = "every second poll misses"
    """Every second search finds nothing, whatever lies in the field."""
    TAG_STAYS_SELECTED = "tag stays selected"
    """A tag that was found ignores the next search, unless the field was off in between."""
    PILE_STALLS = "pile stalls"
    """A search never ends while more than one tag lies in the field; the chip answers all else."""
    PHANTOM = "phantom"
    """About every third search of an empty field finds a tag that is none: zeros, ones, or any bytes."""
    CROSS_TALK = "cross-talk"
    """Tags in the fields of `neighbours` are found too."""
    NOISE = "noise"
    """Noise goes before every frame."""
