"""A journal file that is damaged: the table starts or says in one line that it cannot, whatever the damage."""

import asyncio
import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from at_table import LED, write_journal

from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.setups import everybody
from firmware.sitting import Sitting

FILE = furnish("pepper", 4, dealer=4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal in the middle of a match."""
    path = tmp_path_factory.mktemp("whole") / "journal.db"
    write_journal(path, FILE, LED)
    return path.read_bytes()


def taken_up(path: Path) -> str | None:
    """What a table says that starts with this journal; raises `JournalError`."""
    with closing(Journal(path)) as journal:
        said = asyncio.run(Sitting(everybody(FILE.table, FILE.names, 4), journal, random.Random(1)).start())
    return said.code if said is not None else None


def refusal(path: Path) -> str:
    """Why a table does not start with this journal."""
    with pytest.raises(JournalError) as refused:
        taken_up(path)
    text = str(refused.value)
    assert text.isprintable()
    return text


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_wrong_bytes_anywhere_raise_no_other_error(tmp_path: Path, whole: bytes, seed: int) -> None:
    chance = random.Random(seed)
    words = [match for word in (b"CREATE TABLE", b"hand 2: ", b"game: ") for match in [whole.find(word)]]
    refused = 0
    for number in range(40):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            near = max(0, chance.choice(words) + chance.randrange(-40, 120))
            data[near if chance.random() < 0.7 else chance.randrange(len(data))] = chance.randrange(256)
        path = tmp_path / f"{number}.db"
        path.write_bytes(data)
        with suppress(JournalError):
            refused += 1
            taken_up(path)
            refused -= 1
    assert 0 < refused < 40


def test_a_schema_that_is_no_text_is_told_in_one_line(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "journal.db"
    place = whole.find(b"CREATE TABLE note")
    path.write_bytes(whole[:place] + b"\xa3" + whole[place + 1 :])
    refusal(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET header = CAST(header AS BLOB)",
        "UPDATE match SET header = CAST(x'67616d65ff' AS TEXT)",
        "UPDATE line SET text = CAST(text AS BLOB) WHERE number = 2",
        "UPDATE line SET text = CAST(x'ff0a0a' AS TEXT) WHERE number = 2",
        "UPDATE line SET number = 'x' WHERE number = 7",
        "DELETE FROM line WHERE number = 3",
        "DROP TABLE line",
        'ALTER TABLE line RENAME COLUMN text TO "a\nb"',
    ],
)
def test_what_others_did_to_it_is_told_in_one_line(tmp_path: Path, whole: bytes, statement: str) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as file:
        file.execute(statement)
        file.commit()
    assert "journal" in refusal(path)


def test_a_journal_that_was_refused_can_be_opened_when_it_is_mended(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    refusal(path)
    path.write_bytes(whole)
    assert taken_up(path) == "restarted"
