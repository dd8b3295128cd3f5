"""Decks in and out of tables of other programs: CSV with the columns uid, card and deck, in any order that a heading
says, with commas, semicolons or tabs.
"""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from engine.phrases import Phrase
from firmware.deck import Row, read_row
from firmware.decks import ENDING, Kept
from firmware.errors import FileError

COLUMNS = ("uid", "card", "deck")
_DELIMITERS = ",;\t"


def read_table_of_cards(text: str, name: str) -> dict[str, list[Row]]:
    """The rows of a table by the name of their deck, empty where none is said; raises `FileError` with the line. A tag
    in two rows, and a card twice in one deck, are errors.
    """
    decks: dict[str, list[Row]] = {}
    lines: dict[object, int] = {}
    order = {column: place for place, column in enumerate(COLUMNS)}
    for number, fields in _records(text, name):
        heading = [field.lower() for field in fields]
        if "uid" in heading and "card" in heading:
            order = {column: heading.index(column) for column in COLUMNS if column in heading}
            continue
        picked = [
            fields[place] if place < len(fields) else "" for place in map(order.get, COLUMNS) if place is not None
        ]
        row = read_row(name, number, ", ".join(picked).rstrip(", "))
        if row is None:
            continue
        for key, said in ((row.uid, Phrase("tag {uid}", uid=row.uid)), ((row.deck, row.card), f"{row.card}")):
            if key in lines:
                problem = Phrase("{said} is in line {line} already; expected it once", said=said, line=lines[key])
                raise FileError(name, number, problem)
            lines[key] = number
        decks.setdefault(row.deck, []).append(row)
    return decks


def _records(text: str, name: str) -> Iterable[tuple[int, list[str]]]:
    """The fields of each line that has any, by its number."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for fields in reader:
            if any(field.strip() for field in fields) and not fields[0].lstrip().startswith("#"):
                yield reader.line_num, [field.strip() for field in fields]
    except csv.Error as error:
        problem = Phrase("{why}; expected rows of uid, card and deck", why=Phrase(str(error)))
        raise FileError(name, reader.line_num, problem) from None


def deck_file_text(rows: Iterable[Row]) -> str:
    """The text of a deck file with these rows."""
    return "".join(f"{row.uid}, {row.card}\n" for row in rows)


def csv_text(decks: Iterable[Kept]) -> str:
    """All decks as one table with a heading."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for kept in decks:
        writer.writerows((uid, str(card), kept.name) for uid, card in kept.deck.cards.items())
    return out.getvalue()


def plain_text(decks: Iterable[Kept]) -> str:
    """One deck as a deck file; of several, each under a comment with its name."""
    kept = list(decks)
    texts = ["".join(f"{uid}, {card}\n" for uid, card in one.deck.cards.items()) for one in kept]
    if len(kept) == 1:
        return texts[0]
    return "".join(f"# {one.name}\n{text}" for one, text in zip(kept, texts, strict=True))


def files_for(decks: dict[str, list[Row]], place: Path, stem: str, folder: bool = False) -> dict[Path, str]:
    """The deck files that rows are written to: one at `place`, or one for each deck where that is a folder. Raises
    `FileError` for several decks without a folder, or where a `folder` was named, and for a deck whose name is none of
    a file.
    """
    if not place.is_dir():
        if len(decks) > 1 or folder:
            names = ", ".join(name or Phrase("one without a name") for name in decks)
            raise FileError(
                str(place),
                0,
                Phrase("{count} decks ({names}); expected a folder for their files", count=len(decks), names=names),
            )
        return {place: deck_file_text(next(iter(decks.values())))}
    for name in decks:
        if Path(name).name != name or name.startswith("."):
            problem = Phrase("a deck of the name {name!r}; expected one that a file can have", name=name)
            raise FileError(str(place), 0, problem)
    return {place / f"{name or stem}{ENDING}": deck_file_text(rows) for name, rows in decks.items()}
