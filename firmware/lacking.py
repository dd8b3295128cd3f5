"""Who has not all cards yet, and how many are missing: by name, as far as there is room for any name."""

from collections.abc import Sequence

_FEWEST = 3
"""Letters of a name below which nobody knows who is meant."""
_MORE = "…"


def lacking(missing: Sequence[tuple[int, int]], names: Sequence[str], letters: int) -> str:
    """Seats and numbers of cards, such as `Ann:3 Ben:5`, in so many letters. Names are cut, all to the same length,
    where they are too long; who has none, or could be taken for another then, is told by the number of the seat. What
    has no room even so is left out at the end.
    """
    called = {seat: names[seat - 1] if seat <= len(names) else "" for seat, _ in missing}
    for most in range(max([_FEWEST, *map(len, called.values())]), _FEWEST - 1, -1):
        said = _said(missing, called, most)
        if len(" ".join(said)) <= letters:
            return " ".join(said)
    said = _said(missing, called, _FEWEST)
    while said and len(" ".join([*said, _MORE])) > letters:
        said.pop()
    return " ".join([*said, _MORE])


def _said(missing: Sequence[tuple[int, int]], called: dict[int, str], most: int) -> list[str]:
    short = {seat: name[:most].rstrip() for seat, name in called.items()}
    twice = {name for name in short.values() if [*short.values()].count(name) > 1}
    return [f"{seat if not short[seat] or short[seat] in twice else short[seat]}:{count}" for seat, count in missing]
