"""A piece of a meld: a card, and what it stands for where it stands for another."""

STANDS = 256
"""What one step of "stands for" adds to a card: a piece is `card`, or `card + STANDS * (face + 1)`."""


def piece(card: int, face: int) -> int:
    """A card that stands for a face."""
    return card + STANDS * (face + 1)


def piece_card(piece: int) -> int:
    """The card without what it stands for."""
    return piece % STANDS


def piece_face(piece: int) -> int | None:
    """The face that it stands for, where that was said."""
    return piece // STANDS - 1 if piece >= STANDS else None
