"""What a report of a fault takes along, and what it never does (law 6)."""

import asyncio
import errno
import json
import os
import re
import sqlite3
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from at_table import HANDS, LED, seated
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS, Card
from firmware.bundle import MOST, Sources, bundle, capture_outline, entry_shape, redactor_of
from firmware.capturing import table_text
from firmware.command import main
from firmware.doctor import System
from firmware.journal import Journal
from firmware.pin import hashed
from firmware.redacting import HIDDEN, Redactor
from firmware.tokens import TOKEN, new_token

NAMES = ("Zebedee", "Грунюшка", "Quintilla Marsh", "Bo")
OLD_NAME, LATE_NAME, TYPED_NAME = "Wilhelmina", "Peregrine", "Ottokar"
PIN_CODE, DIRECTOR = "83519", "04F1E2D3C4B5A6"


def system(root: Path) -> System:
    return System(root, 0, frozenset(), lambda folder: 10**9, lambda: 0.0, lambda seconds: None)


class House:
    """A table in the middle of a deal, with everything that is secret."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal, self.table = folder, folder / "journal.db", folder / "table.toml"
        self.token = new_token()
        with seated(folder, LED, names=NAMES) as played:
            assert played.file.deck is not None
            self.deck = dict(played.file.deck.cards)
            played.tap(2, Card("AC"))
            text = table_text(played.file)
        text = text.replace("[game]", f'[director]\npin = "{PIN_CODE}"\ncards = ["{DIRECTOR}"]\n\n[game]')
        self.table.write_text(text, encoding="utf-8")
        deck = "".join(f"{uid}, {card}\n" for uid, card in self.deck.items())
        (folder / "deck.csv").write_text(deck, encoding="utf-8")
        with closing(Journal(self.journal)) as journal:
            journal.last_match()
            asyncio.run(journal.append(f"name 3 = {LATE_NAME}"))
            asyncio.run(journal.keep("names", json.dumps([OLD_NAME])))
            asyncio.run(journal.keep("sitting", json.dumps({"1": TYPED_NAME})))
            asyncio.run(journal.keep(TOKEN, hashed(self.token, b"12345678")))
        self.log = "\n".join(
            [
                f"2 play AC  ✓ {NAMES[0]} wins", f"unknown tag {next(iter(self.deck))}", f"{OLD_NAME}: 9♣, К♥, 10♦",
                f"The director's token: {self.token}", f"PIN {PIN_CODE}", f"{NAMES[1]}: ок, {NAMES[3]}",
                DIRECTOR.lower(),
                "deck: " + ", ".join(map(str, self.deck.values())), f"{LATE_NAME}’s turn", f"{TYPED_NAME} and JK",
            ]
        )  # fmt: skip
        self.capture = folder / "one.capture"
        with self.capture.open("w", encoding="utf-8") as out:
            out.write(json.dumps({"capture": 2, "table": text, "deck": deck}) + "\n")
            out.write(json.dumps([1.5, "seat 1 reader", "exchange", [next(iter(self.deck)), "AC", 0]]) + "\n")

    def parts(self) -> dict[str, str]:
        sources = Sources(self.table, self.journal, lambda: f"tag {DIRECTOR}: {NAMES[2]}\n", lambda: self.log,
                          (self.capture,))  # fmt: skip
        return opened(bundle(sources, system(self.folder)))


def opened(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def parts(house: House) -> dict[str, str]:
    return house.parts()


# What is in it


def test_it_holds_what_a_report_needs(parts: dict[str, str]) -> None:
    texts = {"doctor.txt", "log.txt", "capture-1.jsonl"}
    assert {*parts} == {"manifest.json", "versions.json", "table.json", "journal.json"} | texts
    table, journal = json.loads(parts["table.json"]), json.loads(parts["journal.json"])
    assert len(table["seat"]) == 4
    assert table["seat"][0]["buttons"]
    assert table["game"]["name"] == "pepper"
    assert table["director"] == {"pin": "left out", "cards": "1 left out"}
    assert journal["version"] == 5
    assert [line[4:] for line in journal["lines"]][:4] == [[None, "deal"], [1, "bid"], [2, "pass"], [3, "pass"]]
    assert [line[4:] for line in journal["lines"]][-2:] == [[2, "play"], [None, "name"]]
    assert any(note[4] == "taken" and note[3].startswith("tag-") for note in journal["notes"])
    assert json.loads(parts["versions.json"])["python"]
    assert json.loads(parts["capture-1.jsonl"].splitlines()[1])[:3] == [1.5, "seat 1 reader", "exchange"]


def test_its_manifest_says_what_is_there_and_whether_the_clock_was_set(parts: dict[str, str]) -> None:
    manifest = json.loads(parts["manifest.json"])
    assert (manifest["format"], manifest["version"]) == ("tableref-bundle", 1)
    assert {*manifest["files"]} == {*parts} - {"manifest.json"}
    assert manifest["clock_set"] is False


# What never is


def test_no_name_is_in_any_byte_of_it(parts: dict[str, str]) -> None:
    for name in (*NAMES[:3], OLD_NAME, LATE_NAME, TYPED_NAME, "Quintilla", "Marsh"):
        assert [part for part, text in parts.items() if name.casefold() in text.casefold()] == [], name
    assert f" {NAMES[3]}" not in parts["log.txt"]


def test_no_card_is_in_any_byte_of_it(parts: dict[str, str]) -> None:
    for hand in HANDS:
        for card in hand.split():
            for part, text in parts.items():
                words = text.replace(",", " ").replace('"', " ").split()
                assert card not in words, (card, part)
    assert not set("♠♣♥♦") & set("".join(parts.values()))


def test_no_tag_no_pin_and_no_token_is_in_any_byte_of_it(house: House, parts: dict[str, str]) -> None:
    whole = "".join(parts.values())
    bare = whole.upper().replace(" ", "").replace(":", "").replace("-", "")
    for uid in (*house.deck, DIRECTOR):
        assert uid.partition("/")[0].upper() not in bare
    assert PIN_CODE not in whole
    assert house.token not in whole
    assert house.token.replace("-", "") not in bare
    assert "scrypt" not in whole


def test_the_log_that_it_was_made_from_had_them_all(house: House) -> None:
    assert all(name in house.log for name in (NAMES[0], OLD_NAME, LATE_NAME, house.token, PIN_CODE, "AC", "9♣"))


@given(
    st.sampled_from([card for card in CARDS if str(card) != "??"]),
    st.sampled_from([" {} ", "({})", "{},", "x={}", "{}\n", "«{}»", "{}: 3"]),
)
def test_whatever_looks_like_a_card_is_cut_out_wherever_it_stands(card: Card, around: str) -> None:
    cut = Redactor().text(around.format(card))
    assert str(card) not in cut
    assert HIDDEN in cut


@given(st.binary(min_size=4, max_size=10), st.sampled_from(["", " ", ":"]))
def test_whatever_looks_like_a_tag_is_cut_out(uid: bytes, between: str) -> None:
    text = between.join(f"{byte:02X}" for byte in uid)
    assert text not in Redactor().text(f"tag {text} at seat 1")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("deal 4\nhand 1: JS AS", (None, "deal")), ("1 play 9C", (1, "play")), ("2 pass ; why not", (2, "pass")),
        ("# out-of-turn: 2 play AC", (None, "# out-of-turn")), ("name 3 = Anna", (None, "name")), ("", (None, "?")),
        ("3 9C", (3, "?")), ("AC", (None, "?")),
    ],
)  # fmt: skip
def test_of_an_entry_its_seat_and_verb_are_told(text: str, shape: tuple[int | None, str]) -> None:
    assert entry_shape(text) == shape


MISTAKES = """
[game]
name = "pepper"
names = "Wolfgang"
hosst = "Amadeus"

[director]
pinn = "271828"
cards = ["04D10C70AABBC"]
"""


def test_what_is_secret_stays_so_where_its_key_is_misspelt_or_it_is_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(MISTAKES, encoding="utf-8")
    said = "table.toml: Wolfgang, Amadeus? 271828 04D10C70AABBC"
    sources = Sources(tmp_path / "table.toml", tmp_path / "journal.db", lambda: said, lambda: said)
    found = "".join(opened(bundle(sources, system(tmp_path))).values())
    assert "Wolfgang" not in found
    assert "271828" not in found
    assert "04D10C70AABBC" not in found
    assert "Amadeus" not in opened(bundle(sources, system(tmp_path)))["table.json"]


def test_where_nobody_knows_what_is_secret_the_log_stays_at_home(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[game\nnames = ["Wolfgang"]', encoding="utf-8")
    sources = Sources(tmp_path / "table.toml", tmp_path / "journal.db", log=lambda: "Wolfgang is to act")
    found = opened(bundle(sources, system(tmp_path)))
    assert "Wolfgang" not in "".join(found.values())
    assert "left out" in found["log.txt"]


@pytest.mark.parametrize(
    "text",
    [
        "Bobby Tables", "Bobby", "tables's turn", 'Bobby \\"Tables\\"', "Zo\\u00eb", "Zo%C3%AB", "Zoe\u0308",
        "0x04A1B2C3D4E5F6",
        r"b'\x04\xa1\xb2'", "EM62E3086CED", "?token=AbC_def-123", "Bearer AbC_def-123", "KSQDJC", "10h9s",
    ],
)  # fmt: skip
def test_however_a_program_writes_it_it_is_cut_out(text: str) -> None:
    redacted = Redactor(['Bobby "Tables"', "Bobby Tables", "Zoë"], ["04A1B2C3D4E5F6"]).text(f"seat 1: {text}.")
    assert text not in redacted
    assert redacted.startswith("seat 1: ")
    assert not re.search("bobby|tables|zo|A1B2|62E3|AbC|xa1|KS|9s", redacted, re.IGNORECASE), redacted


# Whatever is broken


@pytest.mark.parametrize("spoiled", ["table", "journal", "capture", "none"])
def test_a_bundle_is_made_whatever_is_broken(tmp_path: Path, spoiled: str) -> None:
    for name in ("table.toml", "journal.db", "one.capture"):
        if spoiled in name:
            (tmp_path / name).write_bytes(b"\xff[[[ Zebedee AC" * 20)

    def broken() -> str:
        return str(1 / 0)

    capture = (tmp_path / "one.capture",)
    sources = Sources(tmp_path / "table.toml", tmp_path / "journal.db", broken, captures=capture)
    found = opened(bundle(sources, system(tmp_path)))
    assert "ZeroDivisionError" in found["doctor.txt"]
    assert "Zebedee" not in "".join(found.values())


def test_no_part_is_larger_than_its_bound_and_of_a_log_the_end_is_kept(tmp_path: Path) -> None:
    sources = Sources(tmp_path / "t", tmp_path / "j", log=lambda: "old\n" * 600_000 + "the last line")
    data = bundle(sources, system(tmp_path))
    found = opened(data)
    assert len(found["log.txt"]) <= MOST
    assert found["log.txt"].endswith("the last line")


def test_a_capture_is_told_by_its_outline_alone(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text(
        '{"capture": 2, "deck": "04A1B2C3, AS"}\n[0.5, "i2c-1 3C", "write", "z:abc"]\nhalf [', encoding="utf-8"
    )
    assert [json.loads(line) for line in capture_outline(path).splitlines()] == [
        {"capture": 2, "size": 39}, [0.5, "i2c-1 3C", "write", 7]]  # fmt: skip


# The command


def test_the_command_writes_it_whole_beside_a_running_table(house: House, tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    log = tmp_path / "log"
    log.write_text(house.log, encoding="utf-8")
    command = ["bundle", str(house.table), "--journal", str(house.journal), "--to", str(out), "--log", str(log),
               "--simulated"]  # fmt: skip
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    found = opened(out.read_bytes())
    assert "Zebedee" not in "".join(found.values())
    assert found["doctor.txt"].count("\n") > 5
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("report")] == ["report.zip"]


def test_a_bundle_that_cannot_be_written_leaves_nothing(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    command = [
        "bundle",
        str(house.table),
        "--journal",
        str(house.journal),
        "--to",
        str(tmp_path / "r.zip"),
        "--simulated",
    ]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_the_names_of_every_match_and_every_setting_are_known(house: House) -> None:
    cut = redactor_of(Sources(house.table, house.journal)).text(" ".join((*NAMES, OLD_NAME, LATE_NAME, TYPED_NAME)))
    assert set(cut.split()) == {f"name-{number}" for number in range(1, 8)}


def test_a_journal_of_an_older_version_is_told_as_it_is(tmp_path: Path) -> None:
    old = Path(__file__).parent / "old_journals" / "version-1.db"
    (tmp_path / "j.db").write_bytes(old.read_bytes())
    found = json.loads(opened(bundle(Sources(tmp_path / "t", tmp_path / "j.db"), system(tmp_path)))["journal.json"])
    assert found["version"] == 1
    assert found["lines"][0][4:] == [None, "deal"]


def test_a_time_that_is_none_costs_nothing_else(house: House) -> None:
    with closing(sqlite3.connect(house.journal)) as file:
        file.execute("UPDATE line SET wall_time = 'x' WHERE number = 2")
        file.execute("UPDATE note SET wall_time = 'x' WHERE number = 1")
        file.commit()
    sources = Sources(house.table, house.journal)
    journal = json.loads(opened(bundle(sources, system(house.folder)))["journal.json"])
    assert [line[2] for line in journal["lines"]][1] is None
    assert journal["lines"][2][2] is not None


@pytest.mark.parametrize(("language", "said"), [("en", "Permission denied"), ("ru", "нет прав")])
def test_what_may_not_be_read_is_told_with_how_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """The data of a table are its own user's: a bundle made by another is almost empty."""
    House(tmp_path)
    opening = Path.open

    def refused(path: Path, *given: Any, **named: Any) -> Any:
        if path.name == "journal.db":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opening(path, *given, **named)

    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        main, ["bundle", "table.toml", "--journal", "journal.db", "--simulated", "--lang", language]
    )
    assert result.exit_code == 0
    assert "journal.db: " in result.stderr
    assert said in result.stderr
    assert "sudo -u tableref tableref" in result.stderr
    assert (tmp_path / "tableref-bundle.zip").exists()
