"""A deck file looked at: what is in it, what is odd, what is there twice, and which readers cannot read it."""

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.cards import Card
from firmware.command import main
from firmware.deck import Deck
from firmware.deck_check import check_deck_file, check_deck_readers
from firmware.doctor import Finding, Level, finding_line
from firmware.furnish import furnish
from firmware.run import run_table
from firmware.table_option import example
from firmware.wiring_words import WiringWords
from hal.clock import SteadyClock
from hal.reader_kinds import ReaderKind
from hal.sim.board import SimulatedWires

GOOD = "04A1B2C3D4E5F1, AS\n04A1B2C3D4E5F2, KS\n04A1B2C3D4E5F3, QS\n"


def findings(folder: Path, text: str) -> list[Finding]:
    (folder / "deck.csv").write_text(text, encoding="utf-8")
    return list(check_deck_file(folder / "deck.csv"))


def wrong(found: list[Finding]) -> list[tuple[str, object]]:
    """Codes and lines of what is not well."""
    return [(one.code, one.facts.get("line")) for one in found if one.level is not Level.OK]


def deck_check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["deck", "check", *arguments])


# What is in it


def test_a_good_deck_is_told_by_families_and_lengths(tmp_path: Path) -> None:
    found = findings(tmp_path, GOOD)
    assert wrong(found) == []
    assert [(one.facts["count"], one.facts["size"], one.facts["family"]) for one in found] == [
        (3, 7, "13.56 MHz, type A")
    ]


def test_each_length_and_family_is_counted_by_itself(tmp_path: Path) -> None:
    found = findings(tmp_path, GOOD + "04A1B2C9, JS\nEM-62E3086CED, 10S\n")
    kinds = [(one.facts["size"], one.facts["count"]) for one in found if one.code == "deck-kind"]
    assert kinds == [(7, 3), (4, 1), (5, 1)]


def test_a_deck_that_is_not_finished_says_what_is_missing(tmp_path: Path) -> None:
    (found,) = [one for one in findings(tmp_path, f"# unfinished: JS 10S\n{GOOD}") if one.level is not Level.OK]
    assert finding_line(found, WiringWords()) == "Not finished: 2 cards have no tag yet: JS, 10S"


# What is odd


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("01020304, JS", ["deck-odd"]),
        ("EM-62E3086CED, JS", ["deck-odd"]),
        ("08A1B2C3, JS", ["deck-odd", "deck-random"]),
        ("04A1B2C3000000, JS", ["deck-filled"]),
        ("04A1B2C3, JS", ["deck-odd", "deck-cut"]),
        ("F1E5D4C3B2A104, JS", ["deck-turned"]),
        ("88A1B2C3, JS", ["deck-line"]),
        ("04A1B2C3D4E5F, JS", ["deck-line"]),
        ("04A1B2C3D4E5F2, JS", ["deck-tag-twice"]),
        ("04A1B2C3D4E5F9, KS", ["deck-card-twice"]),
        ("no comma", ["deck-line"]),
    ],
)
def test_an_odd_tag_is_named_with_its_line(tmp_path: Path, line: str, codes: list[str]) -> None:
    found = findings(tmp_path, f"{GOOD}{line}\n")
    assert [code for code, _ in wrong(found)] == codes
    assert {number for _, number in wrong(found)} <= {4, None}
    for one in found:
        for language in ("en", "ru"):
            said = finding_line(one, WiringWords(language))
            assert "doctor." not in said
            assert "{" not in said


def test_a_tag_that_is_there_twice_names_both_cards_and_both_lines(tmp_path: Path) -> None:
    found = findings(tmp_path, GOOD + "04A1B2C3D4E5F2, JS\n")
    twice = next(one for one in found if one.code == "deck-tag-twice")
    assert {name: str(value) for name, value in twice.facts.items()} == {
        "uid": "04A1B2C3D4E5F2",
        "card": "JS",
        "line": "4",
        "other": "KS",
        "first": "2",
    }


def test_all_that_is_wrong_is_said_and_not_the_first_thing_alone(tmp_path: Path) -> None:
    found = findings(tmp_path, "junk\n04A1B2C3D4E5F1, AS\n04A1B2C3D4E5F1, KS\n88010203, QS\n")
    assert [code for code, _ in wrong(found)] == ["deck-line", "deck-line", "deck-tag-twice"]


def test_an_empty_deck_is_no_deck(tmp_path: Path) -> None:
    assert wrong(findings(tmp_path, "# nothing yet\n")) == [("deck-empty", None)]


# Which readers cannot read it


def test_a_reader_of_another_family_is_named_with_how_many_tags_it_can_read() -> None:
    file = furnish("pepper", 2)
    deck = Deck({"04A1B2C3": Card("AS"), "EM-62E3086CED": Card("KS"), "EM-62E3086CEE": Card("QS")})
    found = list(check_deck_readers(deck, file.wiring.readers()))
    assert [(one.code, one.facts["there"], one.facts["total"]) for one in found] == [("deck-unread", 1, 3)] * 3
    assert finding_line(found[0], WiringWords()).startswith("seat 1 reader (pn532) can read 1 of 3 tags")


def test_readers_of_the_decks_own_family_are_well_and_so_is_a_table_without_deck() -> None:
    file = furnish("pepper", 2)
    assert list(check_deck_readers(file.deck, file.wiring.readers())) == []
    assert list(check_deck_readers(None, file.wiring.readers())) == []


def test_a_table_says_at_its_start_which_reader_cannot_read_the_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One reader was swapped for another make: the table starts, plays with the others, and is not silent about it."""
    file = furnish("pepper", 2, dealer=1)
    (pad,) = file.wiring.common_readers
    swapped = msgspec.structs.replace(pad, kind=ReaderKind.RDM6300)
    file = file._replace(wiring=msgspec.structs.replace(file.wiring, common_readers=(swapped,)))

    async def start_and_stop() -> None:
        running = asyncio.create_task(
            run_table(file, SimulatedWires(file.wiring), tmp_path / "j.db", SteadyClock(), Random(1))
        )
        await asyncio.sleep(0.2)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(start_and_stop())
    said = [line for line in capsys.readouterr().err.splitlines() if "tags of the deck" in line]
    assert len(said) == 1
    assert "(rdm6300) can read 0 of 24 tags of the deck" in said[0]


# The commands


def test_the_command_tells_what_there_is_and_ends_well(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text(GOOD + "04A1B2C9, JS\n", encoding="utf-8")
    result = deck_check(str(tmp_path / "deck.csv"))
    assert result.exit_code == 0, result.output
    assert "3 tags of 7 bytes" in result.output
    assert "another kind" in result.output


def test_the_command_fails_with_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text(GOOD + "04A1B2C3D4E5F2, JS\n", encoding="utf-8")
    result = deck_check(str(tmp_path / "deck.csv"), "--lang", "ru")
    assert result.exit_code == 1
    assert "04A1B2C3D4E5F2" in result.output


def test_a_deck_that_is_no_text_or_is_not_there_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_bytes(b"\xff\xfe")
    for name in ("deck.csv", "none.csv"):
        result = deck_check(str(tmp_path / name))
        assert result.exit_code == 2
        assert len(result.output.splitlines()) == 1


def test_the_command_compares_a_deck_with_the_readers_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text("EM-62E3086CED, AS\n", encoding="utf-8")
    result = deck_check(str(tmp_path / "deck.csv"), "--table", str(example("six-seats.toml")))
    assert result.exit_code == 1
    assert result.output.count("cannot read the one tag") == 7
    (tmp_path / "deck.csv").write_text(GOOD, encoding="utf-8")
    assert "the deck" not in deck_check(str(tmp_path / "deck.csv"), "--table", str(example("six-seats.toml"))).output


@pytest.mark.long
def test_the_doctor_compares_the_deck_with_the_readers(tmp_path: Path) -> None:
    text = example("centre-reader.toml").read_text(encoding="utf-8")
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    deck = next(line.split('"')[1] for line in text.splitlines() if line.startswith("file = "))
    cards = [line for line in (example(deck)).read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    numbered = [f"KB-{number:010d}, {line.split(',')[1]}" for number, line in enumerate(cards, 1)]
    (tmp_path / deck).write_text("\n".join(numbered), encoding="utf-8")
    result = CliRunner().invoke(main, ["doctor", "--simulated", str(tmp_path / "table.toml")])
    assert result.exit_code == 1, result.output
    assert "centre reader (pn532) can read 0 of 24 tags" in result.output
    (tmp_path / deck).write_text("KB-1, AS", encoding="utf-8")
    result = CliRunner().invoke(main, ["doctor", "--simulated", str(tmp_path / "table.toml")])
    assert result.exit_code == 1, result.output
    assert f"{deck}:1: " in result.output


# What `run` would refuse


def broken(folder: Path, *changes: tuple[str, str]) -> Path:
    """The table with one reader in the middle and its deck, changed."""
    text = example("centre-reader.toml").read_text(encoding="utf-8")
    (folder / "deck-24.csv").write_text(example("deck-24.csv").read_text(encoding="utf-8"), encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "changes",
    [
        [('file = "deck-24.csv"', 'file = "gone.csv"')],
        [('[deck]\nfile = "deck-24.csv"', "")],
        [('name = "pepper"', 'name = "peper"')],
        [('hands = "concealed"', 'hands = "traced"')],
        [("[game]", '[game]\nnames = ["Ann", "Ben"]')],
        [("[game]", "[game]\ndealer = 5")],
        [("[game]", '[table]\nlanguage = "de"\n[game]')],
    ],
)
def test_what_run_refuses_is_a_failure_of_the_doctor_in_the_same_words(
    tmp_path: Path, changes: list[tuple[str, str]]
) -> None:
    path = broken(tmp_path, *changes)
    refused = CliRunner().invoke(main, ["run", "--simulated", "--table", str(path)])
    assert refused.exit_code == 2, refused.output
    told = CliRunner().invoke(main, ["doctor", "--simulated", str(path)])
    assert told.exit_code == 1, told.output
    assert f"FAIL  The table does not start: {refused.stderr}" in told.output


def test_a_deck_that_lacks_cards_is_told_and_so_is_a_reader_that_cannot_read_it(tmp_path: Path) -> None:
    path = broken(tmp_path)
    (tmp_path / "deck-24.csv").write_text("KB-0000000001, AS\nnonsense\n", encoding="utf-8")
    told = CliRunner().invoke(main, ["doctor", "--simulated", str(path)])
    assert told.exit_code == 1
    assert "The table does not start: " in told.output
    assert "deck-24.csv:2: " in told.output
    assert "centre reader (pn532) cannot read the one tag" in told.output


def test_a_deck_that_lacks_cards_of_the_tables_game_is_told_with_their_names(tmp_path: Path) -> None:
    path = broken(tmp_path)
    lines = example("deck-24.csv").read_text(encoding="utf-8").splitlines()
    few = [line for line in lines if not line.endswith((" 9D", " AS"))]
    (tmp_path / "deck-24.csv").write_text("\n".join(few), encoding="utf-8")
    result = deck_check(str(tmp_path / "deck-24.csv"), "--table", str(path))
    assert result.exit_code == 1, result.output
    assert "2 cards of the game have no tag: " in result.output
    assert {"9D", "AS"} <= set(result.output.replace(",", " ").split())
    assert deck_check(str(example("deck-24.csv")), "--table", str(path)).exit_code == 0


def test_a_table_whose_game_cannot_be_read_does_not_hide_what_its_readers_read(tmp_path: Path) -> None:
    path = broken(tmp_path, ('name = "pepper"', 'name = "peper"'))
    (tmp_path / "one.csv").write_text("EM-62E3086CED, AS\n", encoding="utf-8")
    result = deck_check(str(tmp_path / "one.csv"), "--table", str(path))
    assert result.exit_code == 1
    assert 'no game "peper"' in result.output
    assert "cannot read the one tag" in result.output
    assert "1 tag of 5 bytes" in result.output
