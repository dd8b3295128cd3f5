"""Decks in and out of other programs' tables."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cards import parse_card
from firmware.command import main
from firmware.deck import read_deck
from firmware.deck_exchange import read_table_of_cards
from firmware.errors import FileError

TWO = "04A1B2C3,AS,red\n04A1B2C4,KS,red\n04A1B2C5,AS,blue\n"


def tableref(*words: str) -> Result:
    return CliRunner().invoke(main, ["deck", *words])


@pytest.mark.parametrize(
    "text",
    [
        "04A1B2C3,AS\n04A1B2C4,KS\n",
        "uid,card\n04A1B2C3,AS\n04A1B2C4,KS\n",
        "card;uid\nAS;04A1B2C3\nKS;04A1B2C4\n",
        'UID\tCard\tDeck\n"04A1B2C3"\tAS\t\n04:a1:b2:c4\tks\t\n',
        "# mine\r\n\r\n04A1B2C3, AS\r\n04A1B2C4, KS\r\n",
    ],
    ids=["bare", "heading", "semicolons", "tabs", "as a deck file"],
)
def test_tables_of_any_program_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.csv").write_text(text, encoding="utf-8", newline="")
    result = tableref("import", str(tmp_path / "table.csv"), str(tmp_path / "red.csv"))
    assert (result.exit_code, result.output) == (0, f"{tmp_path / 'red.csv'}: 2 cards\n")
    assert (tmp_path / "red.csv").read_text(encoding="utf-8") == "04A1B2C3, AS\n04A1B2C4, KS\n"


def test_each_deck_of_a_table_gets_a_file_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TWO, encoding="utf-8")
    (tmp_path / "decks").mkdir()
    assert tableref("import", str(tmp_path / "table.csv"), str(tmp_path / "decks")).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "decks").iterdir()) == ["blue.csv", "red.csv"]
    assert read_deck(tmp_path / "decks" / "blue.csv").cards == {"04A1B2C5": parse_card("AS")}
    out = tableref("export", str(tmp_path / "decks" / "red.csv"), str(tmp_path / "decks" / "blue.csv"))
    assert out.output == "uid,card,deck\n" + TWO


def test_what_is_exported_is_imported_and_a_deck_file_itself(tmp_path: Path) -> None:
    (tmp_path / "red.csv").write_text("# mine\n04A1B2C3, AS\n", encoding="utf-8")
    assert tableref("export", str(tmp_path / "red.csv"), "--out", str(tmp_path / "out.csv")).exit_code == 0
    assert read_deck(tmp_path / "out.csv") == read_deck(tmp_path / "red.csv")
    assert tableref("export", "--plain", str(tmp_path / "red.csv")).output == "04A1B2C3, AS\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("04A1B2C3,AS\n04A1B2C3,KS\n", ":2: tag 04A1B2C3 is in line 1 already"),
        ("04A1B2C3,AS,red\n04A1B2C4,AS,red\n", ":2: AS is in line 1 already"),
        ("04A1B2C3,AS,red\n04A1B2C3,AS,blue\n", ":2: tag 04A1B2C3 is in line 1 already"),
        ("04A1B2C3,11S\n", ":1: "),
        ("04A1B2C,AS\n", ":1: '04A1B2C' has 7 digits"),
        ('04A1B2C3,"AS\n', ":1: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str) -> None:
    with pytest.raises(FileError) as caught:
        read_table_of_cards(text, "table.csv")
    assert said in str(caught.value)


def test_nothing_is_written_over_and_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TWO, encoding="utf-8")
    (tmp_path / "red.csv").write_text("04A1B2C3, AS\n", encoding="utf-8")
    result = tableref("import", str(tmp_path / "table.csv"), str(tmp_path))
    assert (result.exit_code, result.stderr) == (
        2, f"{tmp_path / 'red.csv'}: File exists; expected a new file, or --force\n",
    )  # fmt: skip
    assert not (tmp_path / "blue.csv").exists()
    assert "2 decks (red, blue)" in tableref("import", str(tmp_path / "table.csv"), str(tmp_path / "a.csv")).stderr
    (tmp_path / "table.csv").write_text("04A1B2C3,AS,../red\n", encoding="utf-8")
    assert "'../red'" in tableref("import", str(tmp_path / "table.csv"), str(tmp_path)).stderr


def test_a_folder_that_is_not_there_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("04A1B2C3,AS,red\n", encoding="utf-8")
    result = tableref("import", str(tmp_path / "table.csv"), f"{tmp_path / 'decks'}/")
    assert (result.exit_code, "expected a folder" in result.stderr) == (2, True)
    assert not (tmp_path / "decks").exists()
