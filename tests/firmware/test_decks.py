"""Several decks: whose a tag is, what is wrong between two of them, and how one is kept."""

import os
from pathlib import Path

import pytest

from engine.cards import CARDS, parse_card
from firmware.deck import Deck, simulated_deck
from firmware.decks import Decks, Kept, Shelf, load, load_all, made_up, save
from firmware.errors import FileError

ACE, NINE = parse_card("AS"), parse_card("9D")
RED, BLUE = made_up(simulated_deck(CARDS[:52]), "red"), made_up(simulated_deck(CARDS[:52], 1), "blue")


def files(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return [folder / f"{name}.csv" for name in texts]


def problem(paths: list[Path]) -> str:
    with pytest.raises(FileError) as caught:
        load_all(paths)
    return str(caught.value)


def test_a_deck_is_called_as_its_file_or_as_its_lines_say(tmp_path: Path) -> None:
    plain, named = load_all(files(tmp_path, red="04A1B2C3, AS\n", second="04A1B2C4, AS, blue\n"))
    assert (plain.name, named.name) == ("red", "blue")


def test_a_tag_in_two_decks_is_an_error_with_both_lines(tmp_path: Path) -> None:
    paths = files(tmp_path, red="# x\n04A1B2C3, AS\n", blue="04A1B2C4, KS\n04:a1:b2:c3, 9D\n")
    assert problem(paths) == (
        f"{paths[1]}:2: tag 04A1B2C3 is in AS of {paths[0]}:2 already; expected each tag in one deck"
    )


def test_two_decks_of_one_name_are_an_error(tmp_path: Path) -> None:
    assert "a second deck of the name 'red'" in problem(files(tmp_path, red="04A1B2C3, AS\n", a="04A1B2C4, AS, red\n"))


def test_one_file_holds_one_deck(tmp_path: Path) -> None:
    (path,) = files(tmp_path, red="04A1B2C3, AS, red\n04A1B2C4, KS, blue\n")
    with pytest.raises(FileError, match=r":2: deck 'blue', where line 1 says 'red'; expected one deck a file"):
        load(path)


def test_a_tag_is_found_in_whichever_deck_it_is() -> None:
    decks = Decks(Shelf((RED, BLUE)))
    assert decks.in_use is RED
    for kept in (RED, BLUE):
        found = decks.find(kept.deck.uid(NINE))
        assert found is not None
        assert (found.kept, found.card) == (kept, NINE)
    assert decks.find("04FFEE01") is None
    assert len(decks.tags()) == 104
    decks.use("blue")
    assert decks.in_use is BLUE


def test_a_deck_that_was_picked_is_in_use_from_the_start() -> None:
    assert Decks(Shelf((RED, BLUE)), "blue").in_use is BLUE
    assert Decks(Shelf((RED, BLUE)), "gone").in_use is RED


def test_further_decks_have_names_that_are_free() -> None:
    assert Decks(Shelf((RED, BLUE), grows=True)).free_names()[:2] == ["green", "black"]
    assert Decks(Shelf((RED, BLUE))).free_names() == []


# How one is kept


def test_a_deck_is_saved_with_all_that_was_in_its_file(tmp_path: Path) -> None:
    (path,) = files(tmp_path, red="# mine\n04A1B2C3, AS  # torn\n")
    before = load(path)
    save(before.with_tag(ACE, "04FFEE01").with_tag(NINE, "04FFEE02"), before)
    assert path.read_text(encoding="utf-8") == "# mine\n04FFEE01, AS  # torn\n04FFEE02, 9D\n"
    assert load(path).deck.cards == {"04FFEE01": ACE, "04FFEE02": NINE}


def test_a_new_deck_gets_a_file_of_its_own(tmp_path: Path) -> None:
    new = Decks(Shelf((), tmp_path, grows=True)).begun("red").with_tag(ACE, "04FFEE01")
    save(new, None)
    assert load(tmp_path / "red.csv").deck == new.deck


def test_what_somebody_else_has_written_meanwhile_is_not_lost(tmp_path: Path) -> None:
    (path,) = files(tmp_path, red="04A1B2C3, AS\n")
    before = load(path)
    path.write_text("04A1B2C3, AS\n04A1B2C9, KS\n", encoding="utf-8")
    with pytest.raises(FileError, match="changed by somebody else meanwhile"):
        save(before.with_tag(NINE, "04FFEE02"), before)
    with pytest.raises(FileError, match="changed by somebody else meanwhile"):
        save(Kept("red", Deck({}), "", path).with_tag(NINE, "04FFEE02"), None)
    assert "KS" in path.read_text(encoding="utf-8")


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = files(tmp_path, red="04A1B2C3, AS\n")
    before = load(path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(before.with_tag(NINE, "04FFEE02"), before)
    assert path.read_text(encoding="utf-8") == "04A1B2C3, AS\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["red.csv"]
