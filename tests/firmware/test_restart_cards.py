"""Cards that still lie on a reader when the power returns, and journals that cannot be what they say."""

import sqlite3
from pathlib import Path

import pytest
from at_table import DEALT, LED, messages, seated, take_back

from engine.cards import Card
from firmware.reading import shows
from hal.events import Button

LEFT = Button.LEFT


def test_a_counted_card_that_lies_there_when_the_power_returns_is_no_card_out_of_turn(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("AC"))
        table.restart()
        table.tap(2, Card("AC"))
        assert messages(table, 2)[-1] == "counted-already"
        assert not any(line.startswith("# out-of-turn") for line in table.loop.lines)


def test_the_undo_of_another_seat_makes_no_irregularity_of_a_card_that_counts(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("AC"))
        table.tap(3, Card("9S"))
        take_back(table, 3)
        table.tap(2, Card("AC"))
        assert messages(table, 2)[-1] == "counted-already"
        assert not any(line.startswith("# out-of-turn") for line in table.loop.lines)


@pytest.mark.few(1)
@pytest.mark.parametrize("line", ["garbage", "1 play 9C", "deal 9", b"\x00\xff"])
def test_a_journal_with_an_entry_that_cannot_be_is_set_aside_and_told_in_one_line(
    tmp_path: Path, line: str | bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with seated(tmp_path, LED) as table:
        journal = table.journal_file
        table.close()
        with sqlite3.connect(journal) as file:
            file.execute("UPDATE line SET text = ? WHERE number = 2", (line,))
        file.close()
        with type(table)(table.file, journal) as anew:
            assert all(shows(anew.picture(seat), "Journal damaged") for seat in (1, 2, 3, 4))
            assert anew.loop.lines == DEALT.split("\n")  # what can be read before it is kept
    [line_told] = capsys.readouterr().err.splitlines()
    assert "the journal is damaged" in line_told
    assert len(list(tmp_path.glob("journal.db.damaged-*"))) == 1
