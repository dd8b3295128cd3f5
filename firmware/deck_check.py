"""Whether a deck file fits its tags and its readers: lengths and families, odd tags, and tags that no reader gives.

The same card has another number at another make of reader: reversed, cut, or in another family. A tag's text says
its family and its length, so a deck that was read with other readers than the table has can be told before play.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.cards import Card
from engine.phrases import Phrase, said_by
from firmware.deck import Deck, deck_lines, read_row
from firmware.deck_text import unfinished
from firmware.doctor import Finding, fail, note, ok
from firmware.errors import FileError, TableError
from firmware.tablefile import deck_places, fixed_table, missing_cards, read_table_file
from firmware.trouble import broken_game_lines, trouble_of
from hal.errors import TablerefHardwareError
from hal.reader_kinds import CAPABILITIES
from hal.tags import RANDOM, Family, read_uid
from hal.wiring import ReaderPlace

NAMES = {
    Family.TYPE_A: Phrase("13.56 MHz, type A"),
    Family.EM4100: Phrase("125 kHz, EM"),
    Family.KEYS: Phrase("KB"),
}


class Row(NamedTuple):
    """A line of a deck file that could be read."""

    line: int
    uid: str
    card: Card

    @property
    def data(self) -> bytes:
        return read_uid(self.uid)[0]

    @property
    def family(self) -> Family:
        return read_uid(self.uid)[1]


def check_deck_file(path: Path) -> Iterator[Finding]:
    """All that is wrong or odd in a deck file, not only the first thing; raises `FileError` or OSError where it is no
    text at all."""
    rows, unreadable = _read(path)
    yield from (fail("deck-line", why=why) for why in unreadable)
    yield from _twice(rows)
    yield from _kinds(rows)
    yield from _odd(rows)
    missing = unfinished("\n".join(line for _, line in deck_lines(path)))
    if missing:
        yield note("deck-unfinished", count=len(missing), cards=", ".join(map(str, missing)))


def _read(path: Path) -> tuple[list[Row], list[str]]:
    """The lines that can be read, and what is wrong with the others."""
    rows: list[Row] = []
    unreadable: list[str] = []
    for number, line in deck_lines(path):
        try:
            row = read_row(str(path), number, line)
        except FileError as error:
            unreadable.append(said_by(error))
            continue
        if row is not None:
            rows.append(Row(number, row.uid, row.card))
    return rows, unreadable


def readable_rows(path: Path) -> Deck:
    """The deck in a file as far as its lines can be read; raises as `check_deck_file`."""
    return Deck({row.uid: row.card for row in _read(path)[0]})


def readable_deck(table_file: Path) -> Deck | None:
    """As much of the deck of a table file as can be read, whatever is wrong beside it; None where nothing can."""
    try:
        places = deck_places(table_file)
        cards = [readable_rows(place).cards for place in places]
        return Deck({uid: card for held in reversed(cards) for uid, card in held.items()}) if places else None
    except (TableError, TablerefHardwareError, OSError):
        return None


def check_table_file(path: Path) -> Iterator[Finding]:
    """Whether the table would start with its file: what it would refuse is said in the same words."""
    try:
        read_table_file(path)
    except (TableError, TablerefHardwareError, OSError) as error:
        trouble = trouble_of(error, path)
        yield fail("table-file", why=trouble.what)
        yield note("todo", todo=trouble.todo)
    for line in broken_game_lines():
        yield note("broken-game", line=line)


def check_deck_cards(deck: Deck, table_file: Path) -> Iterator[Finding]:
    """Whether the deck has a tag for every card of the game that is played at a table; else what is missing. Where
    players agree on the game at the table, none is known yet.
    """
    try:
        table = fixed_table(table_file)
    except (TableError, TablerefHardwareError) as error:
        yield fail("table-file", why=said_by(error))
        return
    if table is None:
        yield note("deck-no-game")
        return
    missing = missing_cards(table, deck)
    if missing:
        yield fail("deck-missing", count=len(missing), cards=", ".join(missing))


def _twice(rows: list[Row]) -> Iterator[Finding]:
    """Tags that are in two cards, and cards that have two tags."""
    tags: dict[str, Row] = {}
    cards: dict[Card, Row] = {}
    for row in rows:
        if row.uid in tags:
            before = tags[row.uid]
            yield fail(
                "deck-tag-twice", uid=row.uid, card=row.card, line=row.line, other=before.card, first=before.line
            )
        elif row.card in cards:
            yield fail("deck-card-twice", card=row.card, line=row.line, first=cards[row.card].line)
        tags.setdefault(row.uid, row)
        cards.setdefault(row.card, row)


def _kinds(rows: list[Row]) -> Iterator[Finding]:
    """How many tags there are of each family and length."""
    if not rows:
        yield fail("deck-empty")
    for (family, size), count in Counter((row.family, len(row.data)) for row in rows).most_common():
        yield ok("deck-kind", family=NAMES[family], size=size, count=count)


def _odd(rows: list[Row]) -> Iterator[Finding]:
    """Tags that may be misread ones: of another kind than most, made up, cut, filled up, or turned round."""
    kinds = Counter((row.family, len(row.data)) for row in rows)
    most = max(kinds, key=kinds.__getitem__, default=None)
    known = {row.data: row for row in rows}
    for row in rows:
        data, facts = row.data, {"uid": row.uid, "card": row.card, "line": row.line}
        if most is not None and (row.family, len(data)) != most:
            yield note("deck-odd", size=len(data), most=most[1], **facts)
        if row.family is Family.TYPE_A and len(data) == 4 and data[0] == RANDOM:
            yield note("deck-random", **facts)
        if len(data) > 4 and not any(data[4:]):
            yield note("deck-filled", **facts)
        longer = [other for other in rows if len(other.data) > len(data) and other.data.startswith(data)]
        if longer:
            yield note("deck-cut", other=longer[0].card, **facts)
        turned = known.get(data[::-1])
        if turned is not None and turned.line < row.line:
            yield note("deck-turned", other=turned.card, **facts)


def check_deck_readers(deck: Deck | None, readers: Iterable[ReaderPlace]) -> Iterator[Finding]:
    """Whether each reader of the table can give the tags of the deck: those of its own family."""
    if deck is None:
        return
    families = Counter(read_uid(uid)[1] for uid in deck.cards)
    for place in readers:
        family = CAPABILITIES[place.kind].family
        there, total = families[family], sum(families.values())
        if there < total:
            facts = {"reader": place, "kind": place.kind.value, "family": NAMES[family]}
            yield fail("deck-unread", there=there, total=total, count=total, **facts)
