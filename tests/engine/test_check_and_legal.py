"""`tableref check` and `tableref legal` as commands: their lines, their JSON, their exit status."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tables import deal_line, header

from firmware.command import main


def text(*lines: str, **heading: Any) -> str:
    body = "\n".join(lines).replace(" / ", "\n")
    return f"{header(**heading)}\n{body}\n"


GOOD = text(deal_line(4), "1 bid big / 1 trump none / 1 play 9C")
REFUSED = text(deal_line(4), "1 bid 3 / 2 bid 2 / 2 pass")
UNREADABLE = text(deal_line(4), "1 bid 3 / 2 bid 9")


def run(*arguments: str, standard_input: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=standard_input)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.ctr"


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# check


def test_a_record_without_a_refusal_gives_status_0(file: Path) -> None:
    file.write_text(GOOD, encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 0
    assert result.stderr == ""


def test_a_refusal_gives_status_1(file: Path) -> None:
    file.write_text(REFUSED, encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 1
    assert result.stderr == ""


def test_a_text_that_is_no_record_gives_status_2_and_nothing_is_judged(file: Path) -> None:
    file.write_text(UNREADABLE, encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"{file}:11:7: '9' is no bid; expected 1 to 7, little or big\n"


def test_each_entry_has_a_line_with_its_number_its_action_and_the_verdict(file: Path) -> None:
    file.write_text(REFUSED, encoding="utf-8")
    lines = run("check", str(file)).stdout.splitlines()
    assert lines[0].split() == ["5", "deal", "4", "ok"]
    assert lines[1].split() == ["10", "1", "bid", "3", "ok"]
    assert lines[2].split()[:6] == ["11", "2", "bid", "2", "refused", "bid-too-low:"]
    assert len(lines[2].split()) > 8
    assert lines[3].split() == ["12", "2", "pass", "ok"]


def test_an_accepted_entry_is_followed_by_the_codes_of_its_notices(file: Path) -> None:
    file.write_text(GOOD, encoding="utf-8")
    assert run("check", str(file)).stdout.splitlines()[1].split() == ["10", "1", "bid", "big", "ok", "auction-won"]


def test_the_result_comes_last(file: Path) -> None:
    file.write_text(GOOD, encoding="utf-8")
    assert run("check", str(file)).stdout.splitlines()[-7:] == [
        "deals: 0",
        "over: false",
        'scores: {"1": 0, "2": 0}',
        "winners: []",
        "losers: []",
        "to_act: [2]",
        "irregularities: []",
    ]


def test_with_json_each_line_is_an_object_and_the_result_the_last(file: Path) -> None:
    file.write_text(REFUSED, encoding="utf-8")
    result = run("check", "--json", str(file))
    assert result.exit_code == 1
    answers = rows(result)
    assert [list(row) for row in answers[:-1]] == [
        ["line", "seat", "action", "verdict", "code", "notices", "message"]
    ] * 4
    assert [row["verdict"] for row in answers[:-1]] == ["ok", "ok", "refused", "ok"]
    assert answers[2]["code"] == "bid-too-low"
    assert isinstance(answers[2]["message"], str)
    assert [row["message"] for row in answers[:-1]].count(None) == 3
    assert list(answers[-1]) == ["result"]
    assert list(answers[-1]["result"]) == [
        "deals", "over", "scores", "winners", "losers", "to_act", "irregularities",
    ]  # fmt: skip


def test_the_wording_is_in_the_language_asked_for(file: Path) -> None:
    file.write_text(REFUSED, encoding="utf-8")
    english = rows(run("check", "--json", str(file)))[2]["message"]
    russian = rows(run("check", "--json", "--lang", "ru", str(file)))[2]["message"]
    assert english.isascii()
    assert any("а" <= letter <= "я" for letter in russian)


CODES = {
    "1 meld 9C": "unknown-action",
    "2 bid 1": "not-your-turn",
    "1 play 9C": "wrong-phase",
    "1 bid 7": "bid-out-of-range",
    "1 bid big / 1 trump C / 1 play 9D": "not-in-hand",
    "1 bid 2 / 2 bid 1": "bid-too-low",
    "1 pass / 1 pass": "already-passed",
    "director void / 1 pass": "deal-over",
    "director void match / 1 pass": "match-over",
    "1 undo / 1 undo": "nothing-to-undo",
    "deal 1 / hand 1: 9C 9C / hand 2: 9C / hand 3: 9C / hand 4: 9C": "duplicate-card",
    "deal 1 / hand 1: 9C / hand 2: 9D / hand 3: 9H / hand 4: 9S": "wrong-count",
    "director hand 1: 2C 3C 4C 5C 6C 7C": "not-in-pack",
    "director accept revoke": "wrong-phase",
}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("body", "code"), CODES.items())
def test_every_refusal_is_worded_as_a_sentence_with_nothing_left_to_fill_in(body: str, code: str, lang: str) -> None:
    result = run("check", "--json", "--lang", lang, "-", standard_input=text(deal_line(4), body))
    row = rows(result)[-2]
    assert row["code"] == code
    assert row["message"] not in (None, "", code)
    assert "{" not in row["message"]
    assert row["message"][-1] == "."


def test_a_dash_is_standard_input() -> None:
    assert run("check", "-", standard_input=GOOD).exit_code == 0
    assert run("check", "-", standard_input=REFUSED).exit_code == 1
    result = run("check", "-", standard_input=UNREADABLE)
    assert result.exit_code == 2
    assert result.stderr.startswith("-:11:7: ")


def test_several_files_are_checked_one_after_the_other(tmp_path: Path) -> None:
    good, refused = tmp_path / "good.ctr", tmp_path / "refused.ctr"
    good.write_text(GOOD, encoding="utf-8")
    refused.write_text(REFUSED, encoding="utf-8")
    assert run("check", str(good), str(good)).exit_code == 0
    result = run("check", str(refused), str(good))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines.index(f"{refused}:") < lines.index(f"{good}:")
    results = [row for row in rows(run("check", "--json", str(good), str(refused))) if "result" in row]
    assert len(results) == 2


def test_one_unreadable_file_among_several_means_that_nothing_is_judged(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ctr", tmp_path / "bad.ctr"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text(UNREADABLE, encoding="utf-8")
    result = run("check", str(good), str(bad))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert str(bad) in result.stderr


@pytest.mark.parametrize("command", ["check", "legal"])
def test_a_missing_file_is_named(command: str, file: Path) -> None:
    result = run(command, str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"{file}: No such file or directory; expected a record (.ctr)\n"


@pytest.mark.parametrize("command", ["check", "legal"])
def test_a_directory_is_no_record(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path}: Is a directory; expected a record (.ctr)\n"


@pytest.mark.parametrize("command", ["check", "legal"])
@pytest.mark.parametrize(
    ("data", "place"), [(b"\xff", "1:1"), (b"game: pepper\nseats: \xe9\n", "2:8"), (b"# caf\xe9", "1:6")]
)
def test_a_file_that_is_not_utf8_is_named_with_the_place(command: str, file: Path, data: bytes, place: str) -> None:
    file.write_bytes(data)
    result = run(command, str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}:{place}: not UTF-8")


def test_an_empty_file_is_no_record(file: Path) -> None:
    file.write_bytes(b"")
    result = run("check", str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}:1:1: no line `game:`")


def test_a_byte_order_mark_and_carriage_returns_are_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert run("check", str(file)).exit_code == 0


def test_without_a_file_the_command_says_how_it_is_called() -> None:
    result = run("check")
    assert result.exit_code == 2
    assert "Usage" in result.stderr


# legal


def test_legal_lists_every_legal_action_in_the_notation_of_records() -> None:
    result = run("legal", "-", standard_input=text(deal_line(4), "1 bid 4"))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["2 bid 5", "2 bid little", "2 bid big", "2 pass"]


def test_legal_lists_trumps_and_cards() -> None:
    assert run("legal", "-", standard_input=text(deal_line(4), "1 bid big")).stdout.splitlines() == [
        "1 trump C", "1 trump D", "1 trump H", "1 trump S", "1 trump none",
    ]  # fmt: skip
    cards = run("legal", "-", standard_input=GOOD).stdout.splitlines()
    assert sorted(cards) == sorted(f"2 play {card}" for card in ["9D", "10D", "JD", "QD", "KD", "AD"])


def test_what_legal_lists_is_accepted_when_it_is_read_again() -> None:
    for line in run("legal", "-", standard_input=GOOD).stdout.splitlines():
        assert run("check", "-", standard_input=f"{GOOD}{line}\n").exit_code == 0


def test_legal_as_json_has_seat_and_action() -> None:
    result = run("legal", "--json", "-", standard_input=text(deal_line(4), "1 bid little"))
    assert rows(result) == [{"seat": 2, "action": "bid big"}, {"seat": 2, "action": "pass"}]


@pytest.mark.parametrize(("limit", "more"), [("0", 8), ("2", 6), ("7", 1)])
def test_legal_lists_up_to_a_limit_with_a_count_of_the_rest(limit: str, more: int) -> None:
    record = text(deal_line(4))
    lines = run("legal", "--limit", limit, "-", standard_input=record).stdout.splitlines()
    assert len(lines) == int(limit) + 1
    assert lines[-1] == f"and {more} more"
    assert rows(run("legal", "--json", "--limit", limit, "-", standard_input=record))[-1] == {"more": more}


def test_legal_says_nothing_of_a_rest_where_there_is_none() -> None:
    assert len(run("legal", "--limit", "8", "-", standard_input=text(deal_line(4))).stdout.splitlines()) == 8


@pytest.mark.parametrize("ending", ["director void", "director void match", "1 pass / 2 pass / 3 pass / 4 pass"])
def test_between_deals_and_after_the_match_nothing_is_legal(ending: str) -> None:
    result = run("legal", "-", standard_input=text(deal_line(4), ending))
    assert result.exit_code == 0
    assert result.stdout == ""


def test_legal_of_a_record_with_a_refusal_lists_and_gives_status_1() -> None:
    result = run("legal", "-", standard_input=REFUSED)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "3 bid 4"


def test_legal_of_what_is_no_record_gives_status_2() -> None:
    result = run("legal", "-", standard_input=UNREADABLE)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("-:11:7: ")


def test_a_negative_limit_is_refused() -> None:
    assert run("legal", "--limit", "-1", "-", standard_input=GOOD).exit_code == 2
