"""What the console says of a wish is words in the language that was asked for, never codes of a program."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_console import API, RULINGS, Console
from test_every_get import everything
from test_publisher import PLAYED

CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Console]:
    with everything(tmp_path) as table:
        yield table.console


def look(table: Console, language: str = "en", **told: Any) -> Any:
    reply = table.send("POST", f"{RULINGS}?lang={language}", {"step": "look", **told}, table.bearer)
    return reply.json if reply.status == 200 else reply.json["error"]


@pytest.mark.few(1)
@pytest.mark.parametrize(("told", "english", "russian"), [
    ({"kind": "lock", "locked": True}, "Lock the readers", "Закрыть считыватели"),
    ({"kind": "report", "code": "misdeal", "seat": 2}, "Report an irregularity: ", "Записать нарушение: "),
    ({"kind": "correct-setup", "way": "scan-in"}, "Correct what was agreed: ", "Исправить "),
    ({"kind": "correct-setup", "option": "target", "value": "42"}, "Correct what was agreed: ", "Исправить "),
    ({"kind": "setting", "key": "language", "value": "ru"}, "Set: ", "Установить: "),
    ({"kind": "set-pin", "pin": "1234"}, "Set the PIN of the places", "PIN"),
])  # fmt: skip
def test_what_would_be_done_is_a_sentence(fresh: Console, told: dict[str, Any], english: str, russian: str) -> None:
    for language, wanted in (("en", english), ("ru", russian)):
        found = look(fresh, language, **told)
        assert found["done"]
        assert wanted in found["words"]
        assert bool(CYRILLIC.search(found["words"])) == (language == "ru")


@pytest.mark.few(1)
@pytest.mark.parametrize("told", [
    {"way": "pad"}, {"rules": "standard"}, {"option": "target", "value": "30"},
])  # fmt: skip
def test_what_is_so_already_is_said_and_not_done(fresh: Console, told: dict[str, str]) -> None:
    found = look(fresh, kind="correct-setup", **told)
    assert (found["done"], found["code"]) == (False, "so-already")
    assert found["words"] == "That is so already: nothing would be another."
    assert look(fresh, "ru", kind="correct-setup", **told)["words"].startswith("Так уже")
    wanted = {"step": "do", "state": found["state"], "kind": "correct-setup", **told}
    assert fresh.send("POST", RULINGS, wanted, fresh.bearer).status == 422


@pytest.mark.few(1)
@pytest.mark.parametrize("told", [
    {"kind": "set-name", "seat": 1, "name": "x" * 25}, {"kind": "set-name", "seat": 1, "name": "a,b"},
    {"kind": "set-name", "seat": 1, "name": ""}, {"kind": "set-name", "seat": 99, "name": "Ann"},
    {"kind": "set-name", "seat": 1, "name": "\ud800"}, {"kind": "set-score", "side": 1, "score": 1_000_000},
    {"kind": "set-score", "side": 1, "score": "many"}, {"kind": "set-score", "side": 1}, {"kind": "fly"},
    {"kind": "undo", "reason": "x" * 121}, {"kind": "undo", "reason": "a;b"}, {"kind": "undo", "wings": 2}, {},
    {"kind": "set-hand", "seat": 1, "cards": ["nine"]}, {"kind": "set-pin", "pin": "12"}, {"kind": "correct-setup"},
    {"kind": "report", "code": "wrong-count", "seat": 1, "count": 100},
    {"kind": "correct-setup", "option": "target", "value": "<b>"},
])  # fmt: skip
def test_what_cannot_be_read_is_said_in_own_words(fresh: Console, told: dict[str, Any]) -> None:
    english, russian = look(fresh, "en", **told), look(fresh, "ru", **told)
    for foreign in ("`", "$.", "Expected", "Object", "Input data", "truncated"):
        assert foreign not in english
    assert english.endswith(".")
    assert CYRILLIC.search(russian)


def test_a_name_that_is_too_long_is_said_to_be_so(fresh: Console) -> None:
    assert "1 to 24 letters" in look(fresh, kind="set-name", seat=1, name="x" * 25)


def journal(table: Console, language: str) -> list[str]:
    reply = table.send("GET", f"{API}/director/journal?lang={language}", headers=table.bearer)
    return [line["words"] for line in reply.json["lines"]]


def test_what_was_corrected_before_the_first_deal_stands_in_the_journal_in_words(fresh: Console) -> None:
    assert fresh.rule("set-score", side=1, score=7, reason="handicap").status == 200
    assert journal(fresh, "en") == ["Corrected: score 1+3: 7, 2+4: 0"]
    assert journal(fresh, "ru") == ["Исправлено: счёт 1+3: 7, 2+4: 0"]
    assert fresh.rule("correct-setup", option="target", value="42").status == 200
    assert fresh.rule("correct-setup", way="scan-in").status == 200
    assert fresh.rule("set-name", seat=2, name="Ben").status == 200
    for language in ("en", "ru"):
        for words in journal(fresh, language):
            assert not re.search(r"setup-corrected|scores:|option:|x-|scan-in", words), words
            assert bool(CYRILLIC.search(words)) == (language == "ru")


def test_a_report_and_its_signature_stand_in_the_journal_in_words(tmp_path: Path) -> None:
    with everything(tmp_path, PLAYED) as whole:
        table = whole.console
        assert table.rule("report", code="misdeal", seat=2).status == 200
        assert table.rule("sign", code="misdeal", text="seat 2").status == 200
        for language in ("en", "ru"):
            for words in journal(table, language)[-2:]:
                assert not re.search(r"misdeal|accepted:", words), words
                assert bool(CYRILLIC.search(words)) == (language == "ru")
