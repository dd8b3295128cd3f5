"""What is played, by whom, and where they sit: all that is agreed before the first deal."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from engine.match import Table
from engine.notation import RecordError
from engine.record import header_lines, read_record
from firmware.ways import Way

PLACES = "x-places"
"""The line of a record's header that says where at the table its seats are, where not every place is taken."""

WAY = "x-deal"
"""The line that says how cards are dealt, where hands are tracked and not over the pad."""

DEALER = "x-first-dealer"
"""The line that says which seat deals first, where that was agreed at the table or found by a card."""

NAMED = "x-named"
"""The line that says which seats the director has named before the first deal, whatever a table file calls them."""

INSTEAD = "x-instead-of"
"""The line that says which setup of a table file it stands for."""


UNNAMED = "x-unnamed"
"""The line that says which seats nobody has named: their names in the record are made up."""


class Setup(NamedTuple):
    """What a match is played with. `places` are the places at the table of its seats, seat 1 first; `dealer` is the
    first dealer's seat, 0 for one drawn by lot; `way` is how cards are dealt.
    """

    table: Table
    names: tuple[str, ...]
    places: tuple[int, ...]
    dealer: int = 0
    way: Way = Way.CONCEALED
    instead: str = ""
    """The mark of what the table file says, where the director has mended that for the running match."""
    agreed_dealer: bool = False
    """Whether it was agreed at the table who deals first, or found by a card."""
    scores: tuple[int, ...] = ()
    """The score of each side before the first deal; none: all begin with nothing."""
    named: tuple[int, ...] = ()
    """The seats that the director has named before the first deal."""
    unnamed: tuple[int, ...] = ()
    """Seats whose names are made up."""

    @property
    def mark(self) -> str:
        """What this setup is known by, whoever plays."""
        lines = rules_of([line for line in self.header() if not line.startswith(f"{INSTEAD}: ")])
        return sha256("\n".join(lines).encode()).hexdigest()[:12]

    def place(self, seat: int) -> int:
        """The place at the table of a seat."""
        return self.places[seat - 1]

    def seat(self, place: int) -> int:
        """The seat at a place, or 0 where nobody plays."""
        return self.places.index(place) + 1 if place in self.places else 0

    def header(self) -> list[str]:
        """The header of its record."""
        lines = header_lines(self.table, self.scores, self.names)
        if self.places != tuple(range(1, self.table.seats + 1)):
            lines.append(f"{PLACES}: {' '.join(map(str, self.places))}")
        if self.way is Way.SCAN_IN:
            lines.append(f"{WAY}: {self.way}")
        if self.unnamed:
            lines.append(f"{UNNAMED}: {' '.join(map(str, self.unnamed))}")
        if self.dealer and self.agreed_dealer:
            lines.append(f"{DEALER}: {self.dealer}")
        if self.named:
            lines.append(f"{NAMED}: {' '.join(map(str, self.named))}")
        if self.instead:
            lines.append(f"{INSTEAD}: {self.instead}")
        return lines


def rules_of(header: Iterable[str]) -> list[str]:
    """The lines of a header that say what is played: neither by whom, nor who deals first, nor a handicap."""
    others = ("names: ", "scores: ", f"{DEALER}: ", f"{NAMED}: ", f"{UNNAMED}: ")
    return [line for line in header if not line.startswith(others)]


def everybody(table: Table, names: tuple[str, ...], dealer: int = 0, way: Way | None = None) -> Setup:
    """A setup whose seats are the first places of the table. Tracked hands go over the pad where no `way` is given."""
    way = way or (Way.PAD if table.tracked else Way.CONCEALED)
    return Setup(table, names, tuple(range(1, table.seats + 1)), dealer, way)


def setup_of(header: Iterable[str], places: int) -> Setup:
    """The setup that a record's header tells of, at a table of so many places; raises `ValueError` where it cannot be
    played there.
    """
    lines = list(header)
    try:
        record = read_record("\n".join(lines) + "\n")
    except RecordError as error:
        raise ValueError(error.problem) from None
    seats = record.table.seats
    said = any(line.startswith(f"{PLACES}:") for line in lines)
    taken = _numbers(lines, PLACES) if said else tuple(range(1, seats + 1))
    if len(taken) != seats or len({*taken}) != seats or not all(1 <= place <= places for place in taken):
        raise ValueError(f"{seats} seats at places {' '.join(map(str, taken))} of {places}")
    way = Way.PAD if record.table.tracked else Way.CONCEALED
    if record.table.tracked and f"{WAY}: {Way.SCAN_IN}" in lines:
        way = Way.SCAN_IN
    unnamed = unnamed_in(lines, record.names)
    instead = [line.partition(":")[2].strip() for line in lines if line.startswith(f"{INSTEAD}: ")]
    unnamed = unnamed_in(lines, record.names)
    dealer, named = (tuple(n for n in _numbers(lines, key) if 1 <= n <= seats) for key in (DEALER, NAMED))
    scores = record.scores if any(record.scores) else ()
    return Setup(record.table, record.names, taken, (*dealer, 0)[0], way, "".join(instead[:1]), bool(dealer), scores,
                 named if record.names else (), unnamed)  # fmt: skip


def unreadable(header: str) -> bool:
    """Whether a match is one of a game that this program has not, or whose header cannot be read for another reason."""
    try:
        read_record(header + "\n")
    except RecordError:
        return True
    return False


def _numbers(header: Iterable[str], key: str) -> tuple[int, ...]:
    found = [line.partition(":")[2].split() for line in header if line.startswith(f"{key}:")]
    return tuple(int(word) for word in found[0] if word.isdecimal()) if found else ()


def unnamed_in(header: Iterable[str], names: tuple[str, ...]) -> tuple[int, ...]:
    """The seats whose names a record's header calls made up."""
    said = [line.partition(":")[2].split() for line in header if line.startswith(f"{UNNAMED}:")]
    return tuple(int(word) for word in said[0] if word.isdecimal() and 1 <= int(word) <= len(names)) if said else ()
