"""The ways in which a table learns of a deal."""

from enum import StrEnum


class Way(StrEnum):
    """How the cards of a deal reach the table's memory, or do not."""

    PAD = "pad"
    """Each card is touched to the dealing pad, and goes to the seat that the display names."""
    SCAN_IN = "scan-in"
    """All are dealt first; then each seat shows its own hand to its own reader."""
    CONCEALED = "concealed"
    """The table sees no hand; the dealer says when all is dealt."""

    @property
    def tracked(self) -> bool:
        """Whether the hands are known to the table."""
        return self is not Way.CONCEALED


WAYS = tuple(way.value for way in Way)
